"""Calls whose arguments are all fixed: the shortest way from Python into C.

In CPython such a call is a built-in function without arguments.  What it holds is a tuple: a frame of machine words,
the answer, and the arrays that the words point at.  So the garbage collector sees all of it, and nothing is ever freed
by hand.  The C below is compiled once and serves every kernel.  It is written against the stable ABI
(docs.python.org/3/c-api/stable.html), declared here: no header of Python is needed.  Where it cannot be had (another
Python, no compiler), calls go through cffi and answer the same.
"""

import ctypes
import functools
import platform
import struct
import sysconfig
from collections.abc import Callable, Sequence
from typing import Any

import cffi
from griotte.runtime.toolchain import compile_shared
from griotte.support.errors import ToolchainError

__all__ = ["bound", "cases", "is_direct", "may_open", "word"]

MOST = 16  # arguments of a C function that the door can pass
SHORT = 20_000  # cycles, some 5 us: to give up the interpreter lock would cost shorter calls more than a hundredth
WORD = struct.calcsize("P")

_CASE = "((void (*)({types}))function)({words})"
_SOURCE = """
#include <stdint.h>

typedef struct object PyObject;
typedef PyObject *(*PyCFunction)(PyObject *, PyObject *);
typedef struct {{ const char *name; PyCFunction function; int flags; const char *doc; }} PyMethodDef;
enum {{ METH_NOARGS = 4 }};
PyObject *PyTuple_GetItem(PyObject *, intptr_t);
char *PyBytes_AsString(PyObject *);
void Py_IncRef(PyObject *);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);
PyObject *PyCFunction_NewEx(PyMethodDef *, PyObject *self, PyObject *module);

/* Calls of one function, each of `count` words; `total` words in all. */
typedef struct {{ void *function; int64_t count, total, releases; int64_t words[]; }} frame_t;

/* Where a word has 64 bits, integers and pointers are passed alike. */
static void run(const frame_t *frame)
{{
    const int64_t *w = frame->words, *end = w + frame->total;
    void *const function = frame->function;
    switch (frame->count) {{
    {cases}
    }}
}}

/* self is (frame, answer, what is kept alive). */
static PyObject *call(PyObject *self, PyObject *unused)
{{
    (void)unused;
    const frame_t *frame = (const frame_t *)PyBytes_AsString(PyTuple_GetItem(self, 0));
    if (frame->releases) {{
        void *state = PyEval_SaveThread();
        run(frame);
        PyEval_RestoreThread(state);
    }} else {{
        run(frame);
    }}
    PyObject *answer = PyTuple_GetItem(self, 1);
    Py_IncRef(answer);
    return answer;
}}

static PyMethodDef method = {{ "bound", call, METH_NOARGS,
    "bound()\\n--\\n\\nRun the kernel on the arrays that it is bound to; gives out." }};

PyObject *door(PyObject *self) {{ return PyCFunction_NewEx(&method, self, 0); }}

void try_door(const int64_t *x, int64_t *y) {{ *y += *x; }}
"""


def bound(function: Any, calls: Sequence[tuple[Any, ...]], answer: Any, cycles: float, kept: Any) -> Callable[[], Any]:
    """A function without arguments: runs C's `function` (of cffi) once for each of `calls`, in order, and gives
    `answer`.

    A call is a tuple of integers and of cffi pointers, which it keeps alive, as it does `kept`.  All together last
    some `cycles`.
    """
    door = _door()
    if door is None or (calls and len(calls[0]) > MOST):
        return _through_cffi(function, calls, answer, kept)
    words = [word(value) for values in calls for value in values]
    return door(
        (_frame(word(function), len(calls[0]) if calls else 1, words, cycles > SHORT), answer, (function, calls, kept))
    )


def is_direct() -> bool:
    """Whether calls that are all bound enter C without cffi."""
    return _door() is not None


def may_open() -> bool:
    """Whether this Python is one that the C is written for."""
    has_lock = platform.python_implementation() == "CPython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
    return has_lock and WORD == 8


def _through_cffi(function: Any, calls: Sequence[tuple[Any, ...]], answer: Any, kept: Any) -> Callable[[], Any]:
    runs = [functools.partial(function, *values) for values in calls]

    def bound() -> Any:
        for run in runs:
            run()
        return answer

    bound.kept = kept  # type: ignore[attr-defined]
    return bound


def word(value: Any) -> int:
    """An integer, or the address that a pointer of cffi is."""
    return value if isinstance(value, int) else int(cffi.FFI().cast("intptr_t", value))


def _frame(function: int, count: int, words: Sequence[int], releases: bool) -> bytes:
    """A frame_t."""
    return struct.pack(f"P{3 + len(words)}q", function, count, len(words), releases, *words)


@functools.cache
def _door() -> Callable[[tuple[bytes, Any, Any]], Callable[[], Any]] | None:
    """C's `door`, tried once; None where calls have to go through cffi."""
    if not may_open():
        return None
    try:
        library = ctypes.PyDLL(str(compile_shared(_source())))
        door, tried = library.door, library.try_door
    except (ToolchainError, OSError, AttributeError):
        return None
    door.argtypes, door.restype = (ctypes.py_object,), ctypes.py_object
    return door if _opens(door, ctypes.cast(tried, ctypes.c_void_p).value or 0) else None


def cases(line: str) -> list[str]:
    """C for each number `n` of words `w` that a function may take, with its `call`."""
    found = []
    for n in range(1, MOST + 1):
        words = ", ".join(f"w[{i}]" for i in range(n))
        found.append(line.format(n=n, call=_CASE.format(types=", ".join(["int64_t"] * n), words=words)))
    return found


def _source() -> str:
    return _SOURCE.format(cases="\n    ".join(cases("case {n}: for (; w < end; w += {n}) {call}; break;")))


def _opens(door: Callable[[Any], Any], function: int) -> bool:
    """Whether two calls in one frame run and give the answer, with the interpreter lock and without."""
    x, y, answer = ctypes.c_int64(20), ctypes.c_int64(2), object()
    words = [ctypes.addressof(x), ctypes.addressof(y)] * 2
    calls = [door((_frame(function, 2, words, releases), answer, (x, y))) for releases in (False, True)]
    return all(call() is answer for call in calls) and y.value == 82
