/*
 * The kernel above as a custom operator of onnxruntime.
 *
 * What of its C API is called here is of the first version of it, whose functions keep their numbers for good
 * (https://onnxruntime.ai/docs/reference/operators/add-custom-op.html). Sizes are checked at each call; arrays are used
 * where they lie.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__) && !defined(_WIN32)
#define GRIOTTE_EXPORTED __attribute__((visibility("default")))
#else
#define GRIOTTE_EXPORTED
#endif

struct griotte_ort_status;
struct griotte_ort_value;
typedef struct griotte_ort_status *griotte_status;
typedef void (*griotte_ort_function)(void);

struct griotte_ort_base {
    const griotte_ort_function *(*functions)(uint32_t version);
    const char *(*version)(void);
};

/* How an operator says what it is; of version 16, from which a call may fail. */
struct griotte_ort_operator {
    uint32_t version;
    void *(*create_without_status)(const struct griotte_ort_operator *, const griotte_ort_function *, const void *);
    const char *(*name)(const struct griotte_ort_operator *);
    const char *(*provider)(const struct griotte_ort_operator *);
    int (*input_type)(const struct griotte_ort_operator *, size_t);
    size_t (*inputs)(const struct griotte_ort_operator *);
    int (*output_type)(const struct griotte_ort_operator *, size_t);
    size_t (*outputs)(const struct griotte_ort_operator *);
    void (*compute_without_status)(void *, void *);
    void (*destroy)(void *);
    int (*input_presence)(const struct griotte_ort_operator *, size_t);
    int (*output_presence)(const struct griotte_ort_operator *, size_t);
    int (*input_memory)(const struct griotte_ort_operator *, size_t);
    int (*fewest_inputs)(const struct griotte_ort_operator *);
    int (*are_inputs_alike)(const struct griotte_ort_operator *);
    int (*fewest_outputs)(const struct griotte_ort_operator *);
    int (*are_outputs_alike)(const struct griotte_ort_operator *);
    griotte_status (*create)(const struct griotte_ort_operator *, const griotte_ort_function *, const void *, void **);
    griotte_status (*compute)(void *, void *);
};

enum {
    GRIOTTE_ORT_VERSION = 16,
    GRIOTTE_ORT_FAIL = 1,
    GRIOTTE_ORT_INVALID_ARGUMENT = 2,
    GRIOTTE_ORT_CPU_MEMORY = 0,
    GRIOTTE_ORT_REQUIRED = 0,
};

/* The numbers of functions of its API. */
enum {
    GRIOTTE_CREATE_STATUS = 0,
    GRIOTTE_CREATE_DOMAIN = 26,
    GRIOTTE_DOMAIN_ADD = 27,
    GRIOTTE_ADD_DOMAIN = 28,
    GRIOTTE_DATA = 51,
    GRIOTTE_RANK = 61,
    GRIOTTE_SIZES = 62,
    GRIOTTE_SHAPE = 65,
    GRIOTTE_INPUT = 90,
    GRIOTTE_OUTPUT = 91,
    GRIOTTE_RELEASE_SHAPE = 99,
};

struct griotte_ort_tensor {
    const char *name;
    int type; /* onnxruntime's number of it */
    size_t rank;
    int64_t sizes[GRIOTTE_MOST_AXES];
    size_t alignment;
};

@TABLES@

static griotte_status griotte_failed(const griotte_ort_function *api, int code, const char *words)
{
    return ((griotte_status (*)(int, const char *))api[GRIOTTE_CREATE_STATUS])(code, words);
}

/* Whether a tensor has the sizes that this operator is compiled for. */
static griotte_status griotte_checked(const griotte_ort_function *api, const struct griotte_ort_value *value,
                                      const struct griotte_ort_tensor *of)
{
    void *shape = NULL;
    size_t rank = 0;
    int64_t sizes[GRIOTTE_MOST_AXES] = {0};
    int same;
    griotte_status failed;
    failed = ((griotte_status (*)(const void *, void **))api[GRIOTTE_SHAPE])(value, &shape);
    if (failed)
        return failed;
    failed = ((griotte_status (*)(const void *, size_t *))api[GRIOTTE_RANK])(shape, &rank);
    same = !failed && rank == of->rank;
    if (same && rank)
        failed = ((griotte_status (*)(const void *, int64_t *, size_t))api[GRIOTTE_SIZES])(shape, sizes, rank);
    ((void (*)(void *))api[GRIOTTE_RELEASE_SHAPE])(shape);
    if (failed)
        return failed;
    for (size_t axis = 0; same && axis < rank; axis++)
        same = sizes[axis] == of->sizes[axis];
    if (!same) {
        char words[160];
        snprintf(words, sizeof words, "expected the sizes that @FUNCTION@ is compiled for, found others, for %.40s",
                 of->name);
        return griotte_failed(api, GRIOTTE_ORT_INVALID_ARGUMENT, words);
    }
    return NULL;
}

static griotte_status griotte_compute(void *kernel, void *context)
{
    const griotte_ort_function *const api = kernel;
    void *in[GRIOTTE_INPUTS], *out[GRIOTTE_OUTPUTS];
    griotte_status failed;
    for (size_t i = 0; i < GRIOTTE_INPUTS; i++) {
        const struct griotte_ort_value *value = NULL;
        failed = ((griotte_status (*)(const void *, size_t, const struct griotte_ort_value **))api[GRIOTTE_INPUT])(
            context, i, &value);
        if (!failed)
            failed = griotte_checked(api, value, &griotte_in[i]);
        if (!failed)
            failed = ((griotte_status (*)(const void *, void **))api[GRIOTTE_DATA])(value, &in[i]);
        if (failed)
            return failed;
        if ((uintptr_t)in[i] % griotte_in[i].alignment)
            return griotte_failed(api, GRIOTTE_ORT_FAIL, "expected packed weights that begin on a cache line");
    }
    for (size_t i = 0; i < GRIOTTE_OUTPUTS; i++) {
        struct griotte_ort_value *value = NULL;
        failed = ((griotte_status (*)(void *, size_t, const int64_t *, size_t, struct griotte_ort_value **))
                      api[GRIOTTE_OUTPUT])(context, i, griotte_out[i].sizes, griotte_out[i].rank, &value);
        if (!failed)
            failed = ((griotte_status (*)(void *, void **))api[GRIOTTE_DATA])(value, &out[i]);
        if (failed)
            return failed;
    }
    @CALL@
    return NULL;
}

static griotte_status griotte_create(const struct griotte_ort_operator *op, const griotte_ort_function *api,
                                     const void *info, void **kernel)
{
    const char *const lacking = @FUNCTION@_check();
    (void)op;
    (void)info;
    if (lacking) {
        char words[160];
        snprintf(words, sizeof words, "expected a CPU with the features that @FUNCTION@ needs, found one without %.40s",
                 lacking);
        return griotte_failed(api, GRIOTTE_ORT_FAIL, words);
    }
    *kernel = (void *)api;
    return NULL;
}

static void griotte_destroy(void *kernel)
{
    (void)kernel;
}

static const char *griotte_name(const struct griotte_ort_operator *op)
{
    (void)op;
    return "@FUNCTION@";
}

static const char *griotte_provider(const struct griotte_ort_operator *op)
{
    (void)op;
    return NULL; /* the CPU's */
}

static int griotte_input_type(const struct griotte_ort_operator *op, size_t i)
{
    (void)op;
    return griotte_in[i].type;
}

static int griotte_output_type(const struct griotte_ort_operator *op, size_t i)
{
    (void)op;
    return griotte_out[i].type;
}

static size_t griotte_inputs(const struct griotte_ort_operator *op)
{
    (void)op;
    return GRIOTTE_INPUTS;
}

static size_t griotte_outputs(const struct griotte_ort_operator *op)
{
    (void)op;
    return GRIOTTE_OUTPUTS;
}

static int griotte_presence(const struct griotte_ort_operator *op, size_t i)
{
    (void)op;
    (void)i;
    return GRIOTTE_ORT_REQUIRED;
}

static int griotte_memory(const struct griotte_ort_operator *op, size_t i)
{
    (void)op;
    (void)i;
    return GRIOTTE_ORT_CPU_MEMORY;
}

static int griotte_one(const struct griotte_ort_operator *op)
{
    (void)op;
    return 1;
}

static const struct griotte_ort_operator griotte_operator = {
    .version = GRIOTTE_ORT_VERSION,
    .name = griotte_name,
    .provider = griotte_provider,
    .input_type = griotte_input_type,
    .inputs = griotte_inputs,
    .output_type = griotte_output_type,
    .outputs = griotte_outputs,
    .destroy = griotte_destroy,
    .input_presence = griotte_presence,
    .output_presence = griotte_presence,
    .input_memory = griotte_memory,
    .fewest_inputs = griotte_one,
    .are_inputs_alike = griotte_one,
    .fewest_outputs = griotte_one,
    .are_outputs_alike = griotte_one,
    .create = griotte_create,
    .compute = griotte_compute,
};

/* What onnxruntime calls where the library is registered with the options of a session. */
GRIOTTE_EXPORTED griotte_status RegisterCustomOps(void *options, const struct griotte_ort_base *base)
{
    const griotte_ort_function *const api = base->functions(GRIOTTE_ORT_VERSION);
    void *domain = NULL;
    griotte_status failed;
    if (!api)
        return NULL; /* an onnxruntime before 1.16: the model's node is then told to be unknown */
    failed = ((griotte_status (*)(const char *, void **))api[GRIOTTE_CREATE_DOMAIN])("@DOMAIN@", &domain);
    if (!failed)
        failed = ((griotte_status (*)(void *, const void *))api[GRIOTTE_DOMAIN_ADD])(domain, &griotte_operator);
    if (!failed)
        failed = ((griotte_status (*)(void *, void *))api[GRIOTTE_ADD_DOMAIN])(options, domain);
    return failed;
}
