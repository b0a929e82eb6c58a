"""What a kernel's C function takes and gives, and how an array becomes a pointer to it.

An argument is dense in one layout; one with a dynamic size along an axis that is not the slowest is a part of such an
array of the bound. A value that fits is passed without a copy, a number for an argument of rank 0 as an array of its
dtype. Any other value is refused with the reason and the mend.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import call
from typing import Any

import cffi
import cffi.cparser
import numpy as np

from ..lang.nests.family import PAGE
from ..lang.types.dtypes import as_scalar, is_number, require_unmasked
from ..support.errors import SpecError
from ..support.forks import hold_at_fork
from . import placing
from .signature import Signature, TensorArg, numpy_dtype

# Bits of ndarray.flags.num, as in NumPy's C API; one look at it answers all three.
C_CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400
READABLE = C_CONTIGUOUS | ALIGNED
Pointer = Any  # a cffi char[] that keeps its array alive
FFI = cffi.FFI()
from_buffer, cast = FFI.from_buffer, FFI.cast

hold_at_fork(cffi.cparser, "lock")


def pointer_taker(arg: TensorArg, where: str, flags: int = READABLE) -> Callable[[Any], Pointer]:
    """A function from a value passed for `arg` to its address; it raises SpecError.

    `where` names the argument in messages, `flags` are those the array must have.
    """
    # Closure variables: this runs for each argument of each call.
    dtype, shape, axes, ndarray = numpy_dtype(arg.dtype), arg.shape, arg.axes, np.ndarray
    if arg.within is not None:
        return _part_taker(arg, where, flags)

    def take(value: Any) -> Pointer:
        if type(value) is ndarray and value.dtype == dtype and value.shape == shape:
            rows = value if axes is None else value.transpose(axes)
            if rows.flags.num & flags == flags:
                return from_buffer(rows)
        return from_buffer(_fitted(value, arg, where, flags))

    return take


def _part_taker(arg: TensorArg, where: str, flags: int) -> Callable[[Any], Pointer]:
    """`pointer_taker` of a part of an array: cffi gets its first dense piece, which begins where the part does."""
    dtype, shape, strides, ndarray = numpy_dtype(arg.dtype), arg.shape, arg.strides, np.ndarray
    axes, first = arg.axes, arg.first

    def take(value: Any) -> Pointer:
        if type(value) is ndarray and value.dtype == dtype and value.shape == shape and value.strides == strides:
            piece = (value if axes is None else value.transpose(axes))[first]
            if piece.flags.num & flags == flags:
                return from_buffer(piece)
        return from_buffer(_fitted(value, arg, where, flags))

    return take


def shape_of(value: Any) -> tuple[int, ...]:
    """The shape of an array of any kind; () where it has none that can be read."""
    try:
        return tuple(value.shape if hasattr(value, "shape") else memoryview(value).shape or ())
    except TypeError:
        return ()


def size_of(values: Sequence[Any], signature: Signature) -> int:
    """The dynamic size of a call with these values, inputs before outputs: that of the first with a dynamic axis, the
    bound where there is none. Values of another size are refused when they are taken."""
    assert signature.bound is not None
    for value, arg in zip(values, (*signature.inputs, *signature.outputs)):
        if value is not None and arg.dynamic is not None:
            shape = value.shape if isinstance(value, np.ndarray) else shape_of(value)
            return int(shape[arg.dynamic]) if len(shape) == len(arg.shape) else signature.bound
    return signature.bound


def check_size(signature: Signature, size: int) -> None:
    """SpecError for a dynamic size above the bound or below the least, and for 0 where a result would not be empty."""
    assert signature.bound is not None
    if 1 < signature.least > size:
        raise SpecError(
            f"expected a dynamic size of at least {signature.least}, as many as it puts in order, found {size}, for"
            f" {signature}; pass more"
        )
    if size > signature.bound:
        raise SpecError(
            f"expected a dynamic size of at most {signature.bound}, found {size}, for {signature}; pass fewer rows at a"
            " time, or compile with a larger bound"
        )
    if size == 0 and (whole := [arg for arg in signature.outputs if arg.dynamic is None]):
        raise SpecError(
            f"expected a dynamic size of 1 to {signature.bound}, found 0, of which {whole[0]} is no empty result, for"
            f" {signature}; leave out the call"
        )


def allocator(arg: TensorArg) -> Callable[[], tuple[np.ndarray, Pointer]]:
    """A function that makes an array for `arg`: the array and its address."""
    if arg.within is not None:
        return _part_allocator(arg)
    axes = arg.axes
    new = _empty_rows(arg.shape if axes is None else tuple(arg.shape[axis] for axis in axes), arg)
    back = None if axes is None else tuple(int(axis) for axis in np.argsort(axes))

    def allocate() -> tuple[np.ndarray, Pointer]:
        rows = new()
        return rows if back is None else rows.transpose(back), from_buffer(rows)

    return allocate


def _part_allocator(arg: TensorArg) -> Callable[[], tuple[np.ndarray, Pointer]]:
    """`allocator` of a part of an array: it makes the whole array."""
    whole = allocator(replace(arg, shape=arg.room, within=None))
    part = tuple(slice(n) for n in arg.shape)

    def allocate() -> tuple[np.ndarray, Pointer]:
        array, pointer = whole()
        return array[part], pointer

    return allocate


def _empty_rows(shape: tuple[int, ...], arg: TensorArg) -> Callable[[], np.ndarray]:
    """Makes row-major arrays. From a page on they begin where `placing` says. For smaller arrays the search for that
    costs more than it saves."""
    empty, ndarray, kind, nbytes = np.empty, np.ndarray, numpy_dtype(arg.dtype), arg.nbytes
    if nbytes < PAGE:
        return lambda: empty(shape, kind)

    room = nbytes + placing.span(nbytes)

    def placed() -> np.ndarray:
        base = empty(room, np.uint8)
        return ndarray(shape, kind, base, placing.start(int(cast("intptr_t", from_buffer(base))), nbytes))

    return placed


class Outputs:
    """The arrays of several outputs, and their addresses: a tuple of each."""

    def __init__(self, signature: Signature) -> None:
        self._signature = signature
        self._takers = [
            pointer_taker(arg, f"out[{n}] ({arg.name}) of {signature}", READABLE | WRITEABLE)
            for n, arg in enumerate(signature.outputs)
        ]
        self._allocators = [allocator(arg) for arg in signature.outputs]

    def take(self, out: Any) -> tuple[Pointer, ...]:
        """The addresses of `out`, a tuple or list of arrays."""
        if not isinstance(out, (tuple, list)) or len(out) != len(self._takers):
            names = ", ".join(arg.name for arg in self._signature.outputs)
            found = f"{len(out)} arrays" if isinstance(out, (tuple, list)) else type(out).__name__
            raise SpecError(
                f"expected a tuple of {len(self._takers)} arrays ({names}), found {found}, for out "
                f"of {self._signature}; pass one for each output, or leave out= away"
            )
        return tuple(map(call, self._takers, out))

    def allocate(self) -> tuple[tuple[np.ndarray, ...], tuple[Pointer, ...]]:
        """New arrays, and their addresses."""
        arrays, pointers = zip(*(allocate() for allocate in self._allocators))
        return arrays, pointers

    def check_apart(self, results: Sequence[Pointer], pointers: Sequence[Pointer], sizes: Sequence[int]) -> None:
        """SpecError where an output shares memory with an input (of `sizes` bytes) or with another output."""
        signature = self._signature
        inputs = list(zip(signature.inputs, pointers, sizes))
        outputs = [(arg, result, arg.nbytes) for arg, result in zip(signature.outputs, results)]
        for n, (arg, result, size) in enumerate(outputs):
            for other, pointer, above in (*inputs, *outputs[:n]):
                if -size < (result + 0) - pointer < above:
                    raise overlap(other.name, f"out[{n}] ({arg.name})", signature)


def overlap(name: str, what: str, signature: Signature) -> SpecError:
    return SpecError(
        f"expected out apart from the inputs{' and from each other' if signature.further else ''}, found memory shared"
        f" with {name}, for {what} of {signature}; pass another array, or leave out= away"
    )


# The slow path: other kinds of array, and refusals ---------------------------------------


def _fitted(value: Any, arg: TensorArg, where: str, flags: int) -> np.ndarray:
    """`value` as a row-major NumPy view of `arg`'s memory, or SpecError."""
    if not arg.shape and is_number(value) and not flags & WRITEABLE:
        return as_scalar(value, arg.dtype, where)
    array = _as_array(value, arg, where)
    _check_kind(array, arg, where)
    rows = array if arg.axes is None else array.transpose(arg.axes)
    if arg.within is not None:
        _check_part(array, arg, where)
        rows = rows[arg.first]
    if not rows.flags.c_contiguous:
        raise SpecError(
            f"expected {arg} (strides {arg.strides} bytes), found strides {array.strides}, "
            f"for {where}; pass {_relayout(arg)}"
        )
    if not rows.flags.aligned:
        raise SpecError(
            f"expected elements aligned to {array.dtype.alignment} bytes, found an address that "
            f"is not, for {where}; pass {arg.name}.copy()"
        )
    if flags & WRITEABLE and not rows.flags.writeable:
        raise SpecError(
            f"expected an array that can be written, found a read-only one, for {where}; pass "
            "one of your own, or leave it out"
        )
    return rows


def _check_part(array: np.ndarray, arg: TensorArg, where: str) -> None:
    """SpecError unless the array lies as a part of a larger one; axes of size 1 lie anyhow."""
    if any(n > 1 and found != stride for n, found, stride in zip(array.shape, array.strides, arg.strides)):
        part = ", ".join(":" if n == m else f":{n}" for n, m in zip(arg.shape, arg.room))
        raise SpecError(
            f"expected {arg} as a part of an array of shape {arg.room}, the bound's (strides {arg.strides} bytes),"
            f" found strides {array.strides}, for {where}; make one with numpy.empty({arg.room}, {_dtype_words(arg)})"
            f" and pass its part [{part}]"
        )


def _as_array(value: Any, arg: TensorArg, where: str) -> np.ndarray:
    if isinstance(value, np.ndarray):
        require_unmasked(value, where)
        return value.view(np.ndarray)
    reason = ""
    if hasattr(value, "__dlpack__"):
        try:
            return np.from_dlpack(value)
        except (BufferError, TypeError, ValueError, RuntimeError) as error:
            reason = f" ({error})"
    try:
        return np.asarray(memoryview(value))
    except (TypeError, ValueError, BufferError) as error:
        mend = f"pass numpy.asarray({arg.name}, dtype={_dtype_words(arg)})"
        raise SpecError(
            "expected a NumPy array, or an object with __dlpack__ or the buffer protocol, "
            f"found {type(value).__name__}{reason}, for {where}; {mend}"
        ) from error


def _check_kind(array: np.ndarray, arg: TensorArg, where: str) -> None:
    if array.shape != arg.shape:
        raise SpecError(
            f"expected shape {arg.shape}, found {array.shape}, for {where}; pass an array of "
            "that shape, or compile the Spec for the shape at hand"
        )
    if array.dtype != numpy_dtype(arg.dtype):
        raise SpecError(
            f"expected dtype {arg.dtype} ({_dtype_words(arg)}), found {array.dtype}, for {where}; "
            f"pass {arg.name}.astype({_dtype_words(arg)})"
        )


def _dtype_words(arg: TensorArg) -> str:
    dtype = numpy_dtype(arg.dtype)
    return f"{'ml_dtypes' if arg.dtype in ('bf16', 's4') else 'numpy'}.{dtype.name}"


def _relayout(arg: TensorArg) -> str:
    """The NumPy expression that gives `arg` its layout."""
    if arg.axes is None:
        return f"numpy.ascontiguousarray({arg.name})"
    if arg.axes == tuple(reversed(range(len(arg.shape)))):
        return f"numpy.asfortranarray({arg.name})"
    back = tuple(int(axis) for axis in np.argsort(arg.axes))
    return f"numpy.ascontiguousarray({arg.name}.transpose{arg.axes}).transpose{back}"
