/*
 * Calls of kernels from programs of XLA: one handler of custom calls, which is told by an attribute which kernel it is.
 *
 * What of XLA's interface is read here is of its version 0 (https://openxla.org/xla/custom_call), declared in this
 * text: no header is needed.
 */
#include <stddef.h>
#include <stdint.h>

enum { METADATA = 1, EXECUTE = 3, SCALAR = 3, FAILED_PRECONDITION = 9, SLOTS = 1 << 16 };

struct extension { size_t size; int type; struct extension *next; };
struct version { size_t size; struct extension *more; int major, minor; };
struct metadata { size_t size; struct version version; uint32_t traits; int64_t state; };
struct metadata_extension { struct extension base; struct metadata *metadata; };
struct error_args { size_t size; struct extension *more; const char *message; int code; };
struct api {
    size_t size;
    struct extension *more;
    struct version version;
    const void *internal;
    void *(*error)(struct error_args *);
};
struct buffer { size_t size; struct extension *more; int dtype; void *data; int64_t rank, *sizes; };
struct buffers { size_t size; struct extension *more; int64_t count; int *types; struct buffer **each; };
struct scalar { int dtype; const int64_t *value; };
struct attributes {
    size_t size;
    struct extension *more;
    int64_t count;
    int *types;
    void *names;
    struct scalar **each;
};
struct frame {
    size_t size;
    struct extension *more;
    const struct api *api;
    void *context;
    int stage;
    struct buffers inputs, outputs;
    struct attributes attributes;
};

/* A kernel: what it is told by, its function, and the words that this takes before the addresses of arrays. */
struct kernel { int64_t key; void *function; int64_t inputs, outputs, count, first[]; };

__attribute__((visibility("default"))) const struct kernel *volatile griotte_kernels[SLOTS];

/* Where a word has 64 bits, integers and pointers are passed alike. */
static void run(void *function, const int64_t *w, int64_t count)
{
    switch (count) {
    @CASES@
    }
}

static void *refused(const struct frame *frame, const char *message)
{
    struct error_args args = { sizeof args, 0, message, FAILED_PRECONDITION };
    return frame->api->error(&args);
}

__attribute__((visibility("default"))) void *griotte_xla_call(const struct frame *frame)
{
    if (frame->more && frame->more->type == METADATA) {
        struct metadata *found = ((struct metadata_extension *)frame->more)->metadata;
        found->version.major = frame->api->version.major;
        found->version.minor = frame->api->version.minor;
        found->traits = 0;
        if (found->size >= sizeof *found)
            found->state = 0;
        return 0;
    }
    if (frame->stage != EXECUTE)
        return 0;
    const struct attributes *given = &frame->attributes;
    if (given->count != 1 || given->types[0] != SCALAR)
        return refused(frame, "expected one attribute, which kernel it is, found others; trace the function anew");
    const int64_t key = *given->each[0]->value;
    const struct kernel *kernel = griotte_kernels[key & (SLOTS - 1)];
    if (!kernel || kernel->key != key)
        return refused(frame, "expected a kernel of this process, found none; trace the function anew");
    if (frame->inputs.count != kernel->inputs || frame->outputs.count != kernel->outputs)
        return refused(frame, "expected as many arrays as the kernel has, found others; trace the function anew");
    int64_t words[@MOST@], count = 0;
    for (int64_t n = 0; n < kernel->count; n++)
        words[count++] = kernel->first[n];
    for (int64_t n = 0; n < kernel->inputs; n++)
        words[count++] = (int64_t)(intptr_t)frame->inputs.each[n]->data;
    for (int64_t n = 0; n < kernel->outputs; n++)
        words[count++] = (int64_t)(intptr_t)frame->outputs.each[n]->data;
    run(kernel->function, words, count);
    return 0;
}
