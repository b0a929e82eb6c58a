"""Calls that are given their arrays: from Python into C past cffi, of arrays that are just what is expected.

In CPython such a call is a built-in function of arrays. Of each it reads what NumPy's C ABI has in the same place in
all versions: type, dtype, sizes, strides, flags, address. Whatever it does not expect it leaves alone and gives
NotImplemented; then the call goes the longer way, which takes it or says what is wrong. What it holds is a tuple, as a
bound call (bound_call.py) does; its C is tried once in a process, too.
"""

from __future__ import annotations

import ctypes
import functools
import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..lang.nests.family import LINE, PAGE
from ..support.errors import ToolchainError
from .arguments import ALIGNED, WRITEABLE
from .bound_call import MOST, SHORT, cases, may_open, word
from .signature import Signature, TensorArg, numpy_dtype
from .toolchain import compile_shared

ArraysCall = Callable[..., Any]
DOOR_AT = 2  # the call of a kernel that opens it: what is called once compiles no C for that

_SOURCE = """
#include <stdint.h>
#include <string.h>

typedef struct object PyObject;
typedef PyObject *(*PyCFunction)(PyObject *, PyObject *const *, intptr_t);
typedef struct {{ const char *name; PyCFunction function; int flags; const char *doc; }} PyMethodDef;
enum {{ METH_FASTCALL = 128, MOST = {most}, LINE = {line}, RESULTS = 2 }};
intptr_t PyTuple_Size(PyObject *);
PyObject *PyTuple_GetItem(PyObject *, intptr_t);
PyObject *PyTuple_New(intptr_t);
int PyTuple_SetItem(PyObject *, intptr_t, PyObject *);
char *PyBytes_AsString(PyObject *);
PyObject *PyLong_FromSsize_t(intptr_t);
PyObject *PyObject_CallFunctionObjArgs(PyObject *, ...);
void Py_IncRef(PyObject *);
void Py_DecRef(PyObject *);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);
PyObject *PyCFunction_NewEx(PyMethodDef *, PyObject *self, PyObject *module);

/* An array of NumPy. */
typedef struct {{
    intptr_t references;
    void *type;
    char *data;
    int rank;
    int64_t *sizes, *strides;
    void *base, *dtype;
    int flags;
}} array_t;

/* What an array is to be; its strides follow its sizes, then the next. */
typedef struct {{ void *dtype; int64_t bytes, flags, rank, sizes[]; }} wanted_t;

/* A call: of so many arrays, that is the inputs, and the outputs where they are given. `leading` words come first. */
typedef struct {{ void *function, *type; int64_t releases, leading, inputs, outputs, given, words[]; }} frame_t;

static int fits(const array_t *array, const wanted_t *wanted, const void *type)
{{
    if (array->type != type || array->dtype != wanted->dtype || array->rank != wanted->rank ||
        (array->flags & wanted->flags) != wanted->flags)
        return 0;
    const int64_t *const strides = wanted->sizes + wanted->rank;
    for (int64_t i = 0; i < wanted->rank; i++)
        if (array->sizes[i] != wanted->sizes[i] || (array->strides[i] != strides[i] && wanted->sizes[i] != 1))
            return 0;
    return 1;
}}

static void run(void *function, int64_t count, const int64_t *w)
{{
    switch (count) {{
    {cases}
    }}
}}

/* A new array: (make, shape, dtype), or (make, shape, dtype, empty, bytes, uint8, strides) of one on a cache line. */
static PyObject *made(PyObject *of)
{{
    PyObject *item[7];
    const intptr_t count = PyTuple_Size(of);
    for (intptr_t i = 0; i < count; i++)
        item[i] = PyTuple_GetItem(of, i);
    if (count == 3)
        return PyObject_CallFunctionObjArgs(item[0], item[1], item[2], (void *)0);
    PyObject *const room = PyObject_CallFunctionObjArgs(item[3], item[4], item[5], (void *)0);
    if (!room)
        return 0;
    PyObject *const start = PyLong_FromSsize_t(-(intptr_t)((array_t *)room)->data & (LINE - 1));
    PyObject *const array =
        start ? PyObject_CallFunctionObjArgs(item[0], item[1], item[2], room, start, item[6], (void *)0) : 0;
    if (start)
        Py_DecRef(start);
    Py_DecRef(room);
    return array;
}}

/* self is (frame, what is given where the arrays are not as expected, how each output is made, .., what is kept). */
static PyObject *call(PyObject *self, PyObject *const *given, intptr_t count)
{{
    const frame_t *const frame = (const frame_t *)PyBytes_AsString(PyTuple_GetItem(self, 0));
    PyObject *other = PyTuple_GetItem(self, 1), *results[MOST];
    const int64_t leading = frame->leading, inputs = frame->inputs, all = inputs + frame->outputs;
    int64_t words[MOST], bytes[MOST];
    const wanted_t *wanted = (const wanted_t *)(frame->words + leading);
    int right = count == frame->given;
    for (int64_t i = 0; right && i < count; i++) {{
        const array_t *const array = (const array_t *)given[i];
        if (!(right = fits(array, wanted, frame->type)))
            break;
        words[leading + i] = (int64_t)array->data;
        bytes[i] = wanted->bytes;
        for (int64_t j = 0; i >= inputs && j < i; j++) /* apart from the inputs, and from each other */
            right &= words[leading + j] + bytes[j] <= words[leading + i] ||
                     words[leading + i] + bytes[i] <= words[leading + j];
        wanted = (const wanted_t *)(wanted->sizes + 2 * wanted->rank);
    }}
    if (!right) {{
        Py_IncRef(other);
        return other;
    }}
    for (int64_t i = inputs; i < all; i++) {{
        if (i < count)
            Py_IncRef(results[i] = given[i]);
        else if (!(results[i] = made(PyTuple_GetItem(self, RESULTS + i - inputs)))) {{
            while (i-- > inputs)
                Py_DecRef(results[i]);
            return 0;
        }}
        words[leading + i] = (int64_t)((array_t *)results[i])->data;
    }}
    memcpy(words, frame->words, leading * sizeof *words);
    void *const state = frame->releases ? PyEval_SaveThread() : 0;
    run(frame->function, leading + all, words);
    if (state)
        PyEval_RestoreThread(state);
    if (frame->outputs == 1)
        return results[inputs];
    PyObject *const tuple = PyTuple_New(frame->outputs);
    for (int64_t i = inputs; i < all; i++)
        tuple ? PyTuple_SetItem(tuple, i - inputs, results[i]) : (Py_DecRef(results[i]), 0);
    return tuple;
}}

static PyMethodDef method = {{ "call", (PyCFunction)call, METH_FASTCALL,
    "call(*arrays)\\n--\\n\\nRun the kernel; NotImplemented where arrays are not just as it takes them." }};

PyObject *open_door(PyObject *self) {{ return PyCFunction_NewEx(&method, self, 0); }}

void try_open_door(const int64_t *leading, const double *x, double *y)
{{
    for (int i = 0; i < 6; i++) y[i] = x[i] + (double)*leading;
}}
"""


def at_once(
    function: Any, leading: Sequence[Any], signature: Signature, cycles: float, kept: Any
) -> tuple[ArraysCall, ArraysCall]:
    """Two functions that run C's `function` (of cffi): one of the input arrays, which gives new arrays; one of those
    and of the arrays for the results, which gives these. NotImplemented where arrays are not just as the signature
    has them.

    Words or pointers of cffi are `leading`; they, and `kept`, are kept alive. All lasts some `cycles`.
    """
    args = (*signature.inputs, *signature.outputs)
    door = _open_door()
    apart = any(arg.packing is not None or arg.within is not None or 0 in arg.shape for arg in args)
    if door is None or apart or len(leading) + len(args) > MOST:
        return neither, neither
    address, words = word(function), [word(value) for value in leading]
    return _calls(door, address, words, signature, cycles > SHORT, (function, tuple(leading), kept))


def neither(*arrays: Any) -> Any:
    """What takes no arrays."""
    return NotImplemented


def _calls(
    door: ArraysCall, address: int, words: Sequence[int], signature: Signature, releases: bool, kept: Any
) -> tuple[ArraysCall, ArraysCall]:
    inputs, outputs = signature.inputs, signature.outputs
    described = b"".join(_wanted(arg, ALIGNED) for arg in inputs)
    described += b"".join(_wanted(arg, ALIGNED | WRITEABLE) for arg in outputs)
    results = tuple(map(_result, outputs))
    dtypes = tuple(numpy_dtype(arg.dtype) for arg in (*inputs, *outputs))

    def call(given: int) -> ArraysCall:
        head = struct.pack(
            f"2P{5 + len(words)}q",
            *(address, id(np.ndarray), releases, len(words), len(inputs), len(outputs), given, *words),
        )
        found: ArraysCall = door((head + described, NotImplemented, *results, (dtypes, kept)))
        return found

    return call(len(inputs)), call(len(inputs) + len(outputs))


def _wanted(arg: TensorArg, flags: int) -> bytes:
    """A wanted_t."""
    rank = len(arg.shape)
    return struct.pack(
        f"P{3 + 2 * rank}q", id(numpy_dtype(arg.dtype)), arg.nbytes, flags, rank, *arg.shape, *arg.strides
    )


def _result(arg: TensorArg) -> tuple[Any, ...]:
    """How an array for an output is made; from a page on it begins on a cache line, as `allocator` has it."""
    dtype = numpy_dtype(arg.dtype)
    if arg.nbytes < PAGE and arg.axes is None:
        return np.empty, arg.shape, dtype
    return np.ndarray, arg.shape, dtype, np.empty, arg.nbytes + LINE, np.dtype(np.uint8), arg.strides


@functools.cache
def _open_door() -> ArraysCall | None:
    """C's `open_door`, tried once; None where calls have to go through cffi."""
    if not may_open() or not _is_laid_out():
        return None
    try:
        library = ctypes.PyDLL(str(compile_shared(_source())))
        door, tried = library.open_door, library.try_open_door
    except (ToolchainError, OSError, AttributeError):
        return None
    door.argtypes, door.restype = (ctypes.py_object,), ctypes.py_object
    return door if _opens(door, ctypes.cast(tried, ctypes.c_void_p).value or 0) else None


def _source() -> str:
    return _SOURCE.format(most=MOST, line=LINE, cases="\n    ".join(cases("case {n}: {call}; break;")))


def _is_laid_out() -> bool:
    """Whether arrays of NumPy have their fields where the C has them."""
    for array in (np.zeros((2, 3)), np.zeros((3, 4, 2), np.int8).T[1:], np.zeros((), np.float32)):
        found = (ctypes.c_int64 * 9).from_address(id(array))
        axes = [list((ctypes.c_int64 * array.ndim).from_address(place)) if array.ndim else [] for place in found[4:6]]
        told = [found[1], found[2], found[3] & 0xFFFFFFFF, *axes, found[7], found[8] & 0xFFFFFFFF]
        address = array.__array_interface__["data"][0]
        sizes, strides = list(array.shape), list(array.strides)
        if told != [id(np.ndarray), address, array.ndim, sizes, strides, id(array.dtype), array.flags.num]:
            return False
    return True


def _opens(door: ArraysCall, function: int) -> bool:
    """Whether a call gives what it should, with the interpreter lock and without, and takes nothing else."""
    arg = TensorArg("x", "f64", (2, 3), (1, 0))
    leading, x, y = ctypes.c_int64(7), np.arange(6.0).reshape(2, 3), np.zeros((2, 3))
    for releases in (False, True):
        signature = Signature("try_open_door", (arg,), arg)
        call, into = _calls(door, function, [ctypes.addressof(leading)], signature, releases, leading)
        others = ((), (x, x), (x.T,), (x.view("i8"),), (x[:, ::-1],), (x.ravel(),), (3.0,), (x.tolist(),))
        if any(call(*other) is not NotImplemented for other in others) or into(x, x) is not NotImplemented:
            return False
        if not np.array_equal(call(x), x + 7) or into(x, y) is not y or not np.array_equal(y, x + 7):
            return False
    return True
