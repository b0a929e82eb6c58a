/*
 * A kernel called by XLA (https://docs.jax.dev/en/latest/ffi.html): what it is called with has been checked while it
 * was traced; what is checked here is that it was traced so.
 */
#include "xla/ffi/api/c_api.h"

struct griotte_called {
    void (*function)(void);
    const void *first;
};

static XLA_FFI_Error *griotte_failed(XLA_FFI_CallFrame *frame, const char *message)
{
    XLA_FFI_Error_Create_Args args = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, NULL, message,
                                      XLA_FFI_Error_Code_INVALID_ARGUMENT};
    return frame->api->XLA_FFI_Error_Create(&args);
}

static const struct griotte_called *griotte_called_of(const XLA_FFI_CallFrame *frame)
{
    const XLA_FFI_Scalar *scalar;
    if (frame->attrs.size != 1 || frame->attrs.types[0] != XLA_FFI_AttrType_SCALAR)
        return NULL;
    scalar = frame->attrs.attrs[0];
    return scalar->dtype == XLA_FFI_DataType_S64 ? *(const struct griotte_called *const *)scalar->value : NULL;
}

XLA_FFI_Error *griotte_xla(XLA_FFI_CallFrame *frame)
{
    const struct griotte_called *called;
    void *in[@INPUTS@ + 1], *out[@OUTPUTS@];
    if (frame->extension_start && frame->extension_start->type == XLA_FFI_Extension_Metadata) {
        XLA_FFI_Metadata *const metadata = ((XLA_FFI_Metadata_Extension *)frame->extension_start)->metadata;
        metadata->api_version.major_version = XLA_FFI_API_MAJOR;
        metadata->api_version.minor_version = XLA_FFI_API_MINOR;
        metadata->traits = 0;
        return NULL;
    }
    called = griotte_called_of(frame);
    if (!called || frame->args.size != @INPUTS@ || frame->rets.size != @OUTPUTS@)
        return griotte_failed(frame, "expected @INPUTS@ arrays, @OUTPUTS@ results and the kernel to call, found others;"
                                     " call it by what kernel.jax() gives");
    for (int64_t i = 0; i < @INPUTS@; i++)
        in[i] = ((const XLA_FFI_Buffer *)frame->args.args[i])->data;
    for (int64_t i = 0; i < @OUTPUTS@; i++)
        out[i] = ((const XLA_FFI_Buffer *)frame->rets.rets[i])->data;
    (void)in;
    ((void (*)(@TYPES@))called->function)(@GIVEN@);
    return NULL;
}
