"""What a kernel's C function takes, and how an array becomes a pointer to it.

An argument is dense with one given layout, or of a dynamic size that is not its slowest a
part of such an array of the bound.  A value that fits is passed without a copy, a number for an
argument of rank 0 as an array of its dtype; any other is refused with the reason and the mend.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cffi
import cffi.cparser
import numpy as np
from griotte.lang.nests.family import LINE, PAGE
from griotte.lang.types.dtypes import DTYPES, as_scalar, is_number, require_unmasked
from griotte.lang.types.dtypes import dtype as spec_dtype
from griotte.lang.types.dynamic import is_pitched
from griotte.support.errors import SpecError
from griotte.support.forks import hold_at_fork

__all__ = ["Packing", "Signature", "TensorArg", "allocator", "check_size", "pointer_taker", "shape_of", "size_of"]


def numpy_dtype(name: str) -> np.dtype:
    return spec_dtype(name).numpy


# Bits of ndarray.flags.num, as in NumPy's C API; one look at it answers all three.
C_CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400
READABLE = C_CONTIGUOUS | ALIGNED

Pointer = Any  # a cffi char[] that keeps its array alive
FFI = cffi.FFI()
from_buffer, cast = FFI.from_buffer, FFI.cast
hold_at_fork(cffi.cparser, "lock")


@dataclass(frozen=True)
class Packing:
    """How a constant is packed: C: void function(const T *x, void *packed)."""

    function: str
    bytes: int

    def __post_init__(self) -> None:
        _check_identifier(self.function)
        if not _is_size(self.bytes):
            raise SpecError(f"expected a packed size in bytes, found {self.bytes!r}")


@dataclass(frozen=True)
class TensorArg:
    """One argument of the C function: sizes in elements, layout as in the Spec's braces.

    A constant with a `packing` reaches the function packed, never as it is.  The size of
    axis `dynamic`, and of axis `tied`, is only a bound.  `within` is the shape of the dense array that it is a
    part of, None where it is all of one: a smaller one of a size that is not its slowest.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    minor_to_major: tuple[int, ...]
    constant: bool = False
    packing: Packing | None = None
    dynamic: int | None = None
    within: tuple[int, ...] | None = None
    tied: int | None = None

    def __post_init__(self) -> None:
        if self.dtype not in DTYPES:
            raise SpecError(f"expected a dtype of {' '.join(DTYPES)}, found {self.dtype!r}, for {self.name}")
        if not all(map(_is_size, self.shape)):
            raise SpecError(f"expected sizes, found {self.shape!r}, for {self.name}")
        if sorted(self.minor_to_major) != list(range(len(self.shape))):
            raise SpecError(
                f"expected an order of {len(self.shape)} axes, found {self.minor_to_major!r}, for {self.name}"
            )
        for axis in (self.dynamic, self.tied):
            if axis is not None and axis not in range(len(self.shape)):
                raise SpecError(f"expected an axis, found {axis!r}, for {self.name}")

    def at(self, size: int) -> "TensorArg":
        """This argument with its dynamic axis fixed at `size`; one without is itself."""
        if self.dynamic is None:
            return self
        shape = tuple(size if axis in (self.dynamic, self.tied) else n for axis, n in enumerate(self.shape))
        apart = shape != self.shape and is_pitched(self.shape, self.minor_to_major, self.dynamic, self.tied)
        return replace(self, shape=shape, dynamic=None, tied=None, within=self.shape if apart else None)

    def __str__(self) -> str:
        sizes = ",".join(f"<={n}" if i in (self.dynamic, self.tied) else str(n) for i, n in enumerate(self.shape))
        text = f"{self.dtype}[{sizes}]"
        if self.axes is not None:
            text += "{" + ",".join(map(str, self.minor_to_major)) + "}"
        return text

    @property
    def axes(self) -> tuple[int, ...] | None:
        """The axes from major to minor; None where that is row-major for NumPy as well."""
        axes = self.minor_to_major[::-1]
        wide = [axis for axis in axes if self.room[axis] > 1]
        return None if wide == sorted(wide) else axes

    @property
    def room(self) -> tuple[int, ...]:
        """The shape of the dense array that it is, or is a part of."""
        return self.within or self.shape

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from an element to the next, along each axis."""
        strides = [0] * len(self.shape)
        step = numpy_dtype(self.dtype).itemsize
        for axis in self.minor_to_major:
            strides[axis] = step
            step *= self.room[axis]
        return tuple(strides)

    @property
    def nbytes(self) -> int:
        """Bytes from the first element to the last, and that."""
        if 0 in self.shape:
            return 0
        itemsize = numpy_dtype(self.dtype).itemsize
        return itemsize + sum((n - 1) * stride for n, stride in zip(self.shape, self.strides))

    @property
    def first(self) -> tuple[int, ...]:
        """The index, along the slowest axes in order, of a part that begins with it and is dense; one without elements
        is that itself."""
        return () if self.within is None or 0 in self.shape else (0,) * self._apart

    @property
    def _apart(self) -> int:
        """How many axes are slower than the fastest along which it is smaller than what it is a part of."""
        slowest = self.minor_to_major[::-1]
        return max(slowest.index(a) for a, (n, m) in enumerate(zip(self.shape, self.room)) if n != m)


@dataclass(frozen=True)
class Signature:
    """C: void function(const T0 *x0, const T1 *x1, ..., T *y).

    With a dynamic size the function's first argument is that size, an int64_t.  Of several
    outputs, y0, y1, .., `further` are those after the first.  `least` is the smallest dynamic size.
    """

    function: str
    inputs: tuple[TensorArg, ...]
    output: TensorArg
    further: tuple[TensorArg, ...] = ()
    least: int = 1

    def __post_init__(self) -> None:
        _check_identifier(self.function)

    @property
    def bound(self) -> int | None:
        """The largest dynamic size; None where all sizes are fixed."""
        return next((arg.shape[arg.dynamic] for arg in (*self.inputs, *self.outputs) if arg.dynamic is not None), None)

    @property
    def outputs(self) -> tuple[TensorArg, ...]:
        """All that it writes, in order."""
        return (self.output, *self.further)

    def at(self, size: int) -> "Signature":
        """What the function takes besides the dynamic size, when that is `size`."""
        inputs, (output, *further) = (tuple(arg.at(size) for arg in args) for args in (self.inputs, self.outputs))
        return Signature(self.function, inputs, output, tuple(further))

    def __str__(self) -> str:
        results = ", ".join(map(str, self.outputs))
        return f"{self.function}({', '.join(map(str, self.inputs))}) -> {f'({results})' if self.further else results}"


def require_plain(signature: Signature) -> None:
    """SpecError for what frameworks do not call: a dynamic size, or a constant that is packed."""
    if signature.bound is not None or any(arg.packing for arg in signature.inputs):
        raise SpecError(
            f"expected fixed sizes and no packed constants, found {signature}; make a model of it, whose constants are"
            " its own, at one size"
        )


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
    """`pointer_taker` of a part of an array; cffi gets the first dense piece of it, which begins where it does."""
    dtype, shape, strides, axes, first, ndarray = (
        numpy_dtype(arg.dtype),
        arg.shape,
        arg.strides,
        arg.axes,
        arg.first,
        np.ndarray,
    )

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
    """The dynamic size of a call with these values, inputs before outputs: that of the first which has it (what does
    not fit that is refused when it is taken); the bound where none tells it."""
    assert signature.bound is not None
    for value, arg in zip(values, (*signature.inputs, *signature.outputs)):
        if value is not None and arg.dynamic is not None:
            shape = value.shape if isinstance(value, np.ndarray) else shape_of(value)
            return int(shape[arg.dynamic]) if len(shape) == len(arg.shape) else signature.bound
    return signature.bound


def check_size(signature: Signature, size: int) -> None:
    """SpecError for a dynamic size above the bound, for one below the least, and for none where a result is no empty
    one."""
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
    """`allocator` of a part of an array: it makes all of that."""
    whole = allocator(replace(arg, shape=arg.room, within=None))
    part = tuple(slice(n) for n in arg.shape)

    def allocate() -> tuple[np.ndarray, Pointer]:
        array, pointer = whole()
        return array[part], pointer

    return allocate


def _empty_rows(shape: tuple[int, ...], arg: TensorArg) -> Callable[[], np.ndarray]:
    """Makes row-major arrays. From a page on they begin on a cache line, so that whole vectors lie in one line and
    threads that split a row need not share one; below that the search for one costs more than it saves."""
    empty, ndarray, kind, nbytes = np.empty, np.ndarray, numpy_dtype(arg.dtype), arg.nbytes
    if nbytes < PAGE:
        return lambda: empty(shape, kind)

    def on_a_line() -> np.ndarray:
        base = empty(nbytes + LINE, np.uint8)
        return ndarray(shape, kind, base, -int(cast("intptr_t", from_buffer(base))) % LINE)

    return on_a_line


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
    """SpecError unless it lies as a part of a larger array does; what is of size 1 lies anyhow."""
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


def _is_size(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _check_identifier(name: object) -> None:
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise SpecError(f"expected the name of a C function, found {name!r}")
