"""The shortest ways from Python into C: past cffi, by built-in functions of CPython (direct_calls.c).

A call whose arguments are all fixed is a built-in function without arguments. A call that is given its arrays is such a
function too. From each array it reads the fields that NumPy's C ABI has in the same place in all versions (type, dtype,
sizes, strides, flags, address). It leaves alone whatever it does not expect, and gives NotImplemented. The call then
goes the longer way, which takes it or names the error.

Such a function holds a tuple: a frame of machine words, the answer, and the arrays that the words point at. So the
garbage collector sees all of it, and nothing is ever freed by hand. The C is compiled once, serves every kernel, and is
tried once in a process. Where the C cannot be had (another Python, no compiler), calls go through cffi and answer the
same.
"""

from __future__ import annotations

import ctypes
import functools
import platform
import struct
import sysconfig
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any

import cffi
import numpy as np

from ..lang.nests.family import LINE, PAGE
from ..support.errors import ToolchainError
from . import placing
from .arguments import ALIGNED, WRITEABLE
from .signature import Signature, TensorArg, numpy_dtype
from .toolchain import compile_shared

ArraysCall = Callable[..., Any]
Door = Callable[[Any], Callable[..., Any]]
"""Makes a built-in function of the tuple that it holds."""

DOOR_AT = 2  # the call of a kernel that opens it: what is called once compiles no C for that
MOST = 16  # arguments of a C function that a door can pass
SHORT = 20_000  # cycles, some 5 us: to give up the interpreter lock would cost shorter calls more than a hundredth


# Calls whose arguments are all fixed --------------------------------------------------------


def bound(function: Any, calls: Sequence[tuple[Any, ...]], answer: Any, cycles: float, kept: Any) -> Callable[[], Any]:
    """A function without arguments: runs C's `function` (of cffi) once for each of `calls`, in order, and gives
    `answer`.

    A call is a tuple of integers and of cffi pointers, which it keeps alive, as it does `kept`.  All together last
    some `cycles`.
    """
    door = bound_door()
    if door is None or (calls and len(calls[0]) > MOST):
        return _through_cffi(function, calls, answer, kept)
    words = [_word(value) for values in calls for value in values]
    frame = _bound_frame(_word(function), len(calls[0]) if calls else 1, words, cycles > SHORT)
    return door((frame, answer, (function, calls, kept)))


def is_direct() -> bool:
    """Whether calls that are all bound enter C without cffi."""
    return bound_door() is not None


def _through_cffi(function: Any, calls: Sequence[tuple[Any, ...]], answer: Any, kept: Any) -> Callable[[], Any]:
    runs = [functools.partial(function, *values) for values in calls]

    def bound() -> Any:
        for run in runs:
            run()
        return answer

    bound.kept = kept  # type: ignore[attr-defined]
    return bound


def _word(value: Any) -> int:
    """An integer, or the address that a pointer of cffi is."""
    return value if isinstance(value, int) else int(cffi.FFI().cast("intptr_t", value))


def _bound_frame(function: int, count: int, words: Sequence[int], releases: bool) -> bytes:
    """C's bound_t."""
    return struct.pack(f"P{3 + len(words)}q", function, count, len(words), releases, *words)


@functools.cache
def bound_door() -> Door | None:
    """The door of bound calls, tried once; None where calls have to go through cffi."""
    return _opened("bound", _binds)


def _binds(door: Door, function: int) -> bool:
    """Whether two calls in one frame run and give the answer, with the interpreter lock and without."""
    x, y, answer = ctypes.c_int64(20), ctypes.c_int64(2), object()
    words = [ctypes.addressof(x), ctypes.addressof(y)] * 2
    calls = [door((_bound_frame(function, 2, words, releases), answer, (x, y))) for releases in (False, True)]
    return all(call() is answer for call in calls) and y.value == 82


# Calls that are given their arrays ----------------------------------------------------------


def at_once(
    function: Any, leading: Sequence[Any], signature: Signature, cycles: float, kept: Any
) -> tuple[ArraysCall, ArraysCall]:
    """Two functions that run C's `function` (of cffi): one of the input arrays, which gives new arrays; one of those
    and of the arrays for the results, which gives these. NotImplemented where arrays are not just as the signature
    has them.

    Words or pointers of cffi are `leading`; they, and `kept`, are kept alive. All lasts some `cycles`.
    """
    args = (*signature.inputs, *signature.outputs)
    door = arrays_door()
    apart = any(arg.packing is not None or arg.within is not None or 0 in arg.shape for arg in args)
    if door is None or apart or len(leading) + len(args) > MOST:
        return neither, neither
    address, words = _word(function), [_word(value) for value in leading]
    return _calls(door, address, words, signature, cycles > SHORT, (function, tuple(leading), kept))


def neither(*arrays: Any) -> Any:
    """What takes no arrays."""
    return NotImplemented


def _calls(
    door: Door, address: int, words: Sequence[int], signature: Signature, releases: bool, kept: Any
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
        return door((head + described, NotImplemented, *results, (dtypes, kept)))

    return call(len(inputs)), call(len(inputs) + len(outputs))


def _wanted(arg: TensorArg, flags: int) -> bytes:
    """C's wanted_t."""
    rank = len(arg.shape)
    return struct.pack(
        f"P{3 + 2 * rank}q", id(numpy_dtype(arg.dtype)), arg.nbytes, flags, rank, *arg.shape, *arg.strides
    )


def _result(arg: TensorArg) -> tuple[Any, ...]:
    """How an array for an output is made; from a page on it begins as `allocator` has it."""
    dtype = numpy_dtype(arg.dtype)
    if arg.nbytes < PAGE and arg.axes is None:
        return np.empty, arg.shape, dtype
    span = placing.span(arg.nbytes)
    return np.ndarray, arg.shape, dtype, np.empty, arg.nbytes + span, np.dtype(np.uint8), arg.strides, span


@functools.cache
def arrays_door() -> Door | None:
    """The door of calls of arrays, tried once; None where arrays of NumPy are laid out otherwise as well."""
    return _opened("arrays", _takes_arrays) if _is_laid_out() else None


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


def _takes_arrays(door: Door, function: int) -> bool:
    """Whether a call gives what it should, with the interpreter lock and without, and takes nothing else."""
    arg = TensorArg("x", "f64", (2, 3), (1, 0))
    leading, x, y = ctypes.c_int64(7), np.arange(6.0).reshape(2, 3), np.zeros((2, 3))
    for releases in (False, True):
        signature = Signature("try_arrays", (arg,), arg)
        call, into = _calls(door, function, [ctypes.addressof(leading)], signature, releases, leading)
        others = ((), (x, x), (x.T,), (x.view("i8"),), (x[:, ::-1],), (x.ravel(),), (3.0,), (x.tolist(),))
        if any(call(*other) is not NotImplemented for other in others) or into(x, x) is not NotImplemented:
            return False
        if not np.array_equal(call(x), x + 7) or into(x, y) is not y or not np.array_equal(y, x + 7):
            return False
    return True


# The C --------------------------------------------------------------------------------------


def _opened(name: str, opens: Callable[[Door, int], bool]) -> Door | None:
    """A door of the C, by its name, once it is seen to open; None on a Python that the C is not written for, and where
    there is no compiler."""
    has_lock = platform.python_implementation() == "CPython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
    if not has_lock or struct.calcsize("P") != 8:
        return None
    try:
        library = ctypes.PyDLL(str(compile_shared(_source())))
        door, tried = library[f"door_{name}"], library[f"try_{name}"]
    except (ToolchainError, OSError, AttributeError):
        return None
    door.argtypes, door.restype = (ctypes.py_object,), ctypes.py_object
    return door if opens(door, ctypes.cast(tried, ctypes.c_void_p).value or 0) else None


def _source() -> str:
    text = files(__package__).joinpath("direct_calls.c").read_text(encoding="utf-8")
    words = {"@MOST@": f"{MOST}", "@LINE@": f"{LINE}"}
    words["@CASES@"] = cases("case {n}: for (; w < end; w += {n}) {call}; break;", MOST)
    for place, word in words.items():
        text = text.replace(place, word)
    return text


def cases(line: str, most: int) -> str:
    """C for each number `n` of words `w` that a function may take, with its `call`."""
    found = []
    for n in range(1, most + 1):
        types, words = ", ".join(["int64_t"] * n), ", ".join(f"w[{i}]" for i in range(n))
        found.append(line.format(n=n, call=f"((void (*)({types}))function)({words})"))
    return "\n    ".join(found)
