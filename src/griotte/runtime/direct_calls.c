/* The shortest ways from Python into C, for griotte/runtime/direct_calls.py: built-in functions of CPython, whose `self`
 * is a tuple that owns what they need. Against the stable ABI (docs.python.org/3/c-api/stable.html), declared here. */
#include <stdint.h>
#include <string.h>

typedef struct object PyObject;
typedef PyObject *(*PyCFunction)(PyObject *, PyObject *const *, intptr_t);
typedef struct { const char *name; PyCFunction function; int flags; const char *doc; } PyMethodDef;
enum { METH_NOARGS = 4, METH_FASTCALL = 128, MOST = @MOST@, LINE = @LINE@, RESULTS = 2 };
intptr_t PyTuple_Size(PyObject *);
PyObject *PyTuple_GetItem(PyObject *, intptr_t);
PyObject *PyTuple_New(intptr_t);
int PyTuple_SetItem(PyObject *, intptr_t, PyObject *);
char *PyBytes_AsString(PyObject *);
PyObject *PyLong_FromSsize_t(intptr_t);
intptr_t PyLong_AsSsize_t(PyObject *);
PyObject *PyObject_CallFunctionObjArgs(PyObject *, ...);
void Py_IncRef(PyObject *);
void Py_DecRef(PyObject *);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);
PyObject *PyCFunction_NewEx(PyMethodDef *, PyObject *self, PyObject *module);

/* Calls of one function one after the other, each of `count` words `w` up to `end`. Where a word has 64 bits, integers
 * and pointers are passed alike. */
static void run(void *function, int64_t count, const int64_t *w, const int64_t *end, int64_t releases)
{
    void *const state = releases ? PyEval_SaveThread() : 0;
    switch (count) {
    @CASES@
    }
    if (state)
        PyEval_RestoreThread(state);
}

/* ---- calls whose arguments are all fixed ---- */

/* Calls of `count` words; `total` words in all. */
typedef struct { void *function; int64_t count, total, releases; int64_t words[]; } bound_t;

/* self is (bound_t, answer, what is kept alive). */
static PyObject *call_bound(PyObject *self, PyObject *unused)
{
    (void)unused;
    const bound_t *const frame = (const bound_t *)PyBytes_AsString(PyTuple_GetItem(self, 0));
    run(frame->function, frame->count, frame->words, frame->words + frame->total, frame->releases);
    PyObject *const answer = PyTuple_GetItem(self, 1);
    Py_IncRef(answer);
    return answer;
}

static PyMethodDef bound = { "bound", (PyCFunction)call_bound, METH_NOARGS,
    "bound()\n--\n\nRun the kernel on the arrays that it is bound to; gives out." };

PyObject *door_bound(PyObject *self) { return PyCFunction_NewEx(&bound, self, 0); }

void try_bound(const int64_t *x, int64_t *y) { *y += *x; }

/* ---- calls that are given their arrays ---- */

/* An array of NumPy. */
typedef struct {
    intptr_t references;
    void *type;
    char *data;
    int rank;
    int64_t *sizes, *strides;
    void *base, *dtype;
    int flags;
} array_t;

/* What an array is to be; its strides follow its sizes, then the next. */
typedef struct { void *dtype; int64_t bytes, flags, rank, sizes[]; } wanted_t;

/* A call of so many arrays: that is the inputs, and the outputs where they are given. `leading` words come first. */
typedef struct { void *function, *type; int64_t releases, leading, inputs, outputs, given, words[]; } arrays_t;

static int fits(const array_t *array, const wanted_t *wanted, const void *type)
{
    if (array->type != type || array->dtype != wanted->dtype || array->rank != wanted->rank ||
        (array->flags & wanted->flags) != wanted->flags)
        return 0;
    const int64_t *const strides = wanted->sizes + wanted->rank;
    for (int64_t i = 0; i < wanted->rank; i++)
        if (array->sizes[i] != wanted->sizes[i] || (array->strides[i] != strides[i] && wanted->sizes[i] != 1))
            return 0;
    return 1;
}

/* A new array: (make, shape, dtype), or (make, shape, dtype, empty, bytes, uint8, strides, span) of one that begins in
   the middle of so many bytes: of a line, on whose first byte it does, or of a page. */
static PyObject *made(PyObject *of)
{
    PyObject *item[8];
    const intptr_t count = PyTuple_Size(of);
    for (intptr_t i = 0; i < count; i++)
        item[i] = PyTuple_GetItem(of, i);
    if (count == 3)
        return PyObject_CallFunctionObjArgs(item[0], item[1], item[2], (void *)0);
    PyObject *const room = PyObject_CallFunctionObjArgs(item[3], item[4], item[5], (void *)0);
    if (!room)
        return 0;
    const intptr_t span = PyLong_AsSsize_t(item[7]), middle = span / 2 / LINE * LINE;
    PyObject *const start = PyLong_FromSsize_t((middle - (intptr_t)((array_t *)room)->data) & (span - 1));
    PyObject *const array =
        start ? PyObject_CallFunctionObjArgs(item[0], item[1], item[2], room, start, item[6], (void *)0) : 0;
    if (start)
        Py_DecRef(start);
    Py_DecRef(room);
    return array;
}

/* self is (arrays_t, what is given where the arrays are not as expected, how each output is made, .., what is kept). */
static PyObject *call_arrays(PyObject *self, PyObject *const *given, intptr_t count)
{
    const arrays_t *const frame = (const arrays_t *)PyBytes_AsString(PyTuple_GetItem(self, 0));
    PyObject *other = PyTuple_GetItem(self, 1), *results[MOST];
    const int64_t leading = frame->leading, inputs = frame->inputs, all = inputs + frame->outputs;
    int64_t words[MOST], bytes[MOST];
    const wanted_t *wanted = (const wanted_t *)(frame->words + leading);
    int right = count == frame->given;
    for (int64_t i = 0; right && i < count; i++) {
        const array_t *const array = (const array_t *)given[i];
        if (!(right = fits(array, wanted, frame->type)))
            break;
        words[leading + i] = (int64_t)array->data;
        bytes[i] = wanted->bytes;
        for (int64_t j = 0; i >= inputs && j < i; j++) /* apart from the inputs, and from each other */
            right &= words[leading + j] + bytes[j] <= words[leading + i] ||
                     words[leading + i] + bytes[i] <= words[leading + j];
        wanted = (const wanted_t *)(wanted->sizes + 2 * wanted->rank);
    }
    if (!right) {
        Py_IncRef(other);
        return other;
    }
    for (int64_t i = inputs; i < all; i++) {
        if (i < count)
            Py_IncRef(results[i] = given[i]);
        else if (!(results[i] = made(PyTuple_GetItem(self, RESULTS + i - inputs)))) {
            while (i-- > inputs)
                Py_DecRef(results[i]);
            return 0;
        }
        words[leading + i] = (int64_t)((array_t *)results[i])->data;
    }
    memcpy(words, frame->words, leading * sizeof *words);
    run(frame->function, leading + all, words, words + leading + all, frame->releases);
    if (frame->outputs == 1)
        return results[inputs];
    PyObject *const tuple = PyTuple_New(frame->outputs);
    for (int64_t i = inputs; i < all; i++)
        tuple ? PyTuple_SetItem(tuple, i - inputs, results[i]) : (Py_DecRef(results[i]), 0);
    return tuple;
}

static PyMethodDef arrays = { "call", call_arrays, METH_FASTCALL,
    "call(*arrays)\n--\n\nRun the kernel; NotImplemented where arrays are not just as it takes them." };

PyObject *door_arrays(PyObject *self) { return PyCFunction_NewEx(&arrays, self, 0); }

void try_arrays(const int64_t *leading, const double *x, double *y)
{
    for (int i = 0; i < 6; i++) y[i] = x[i] + (double)*leading;
}
