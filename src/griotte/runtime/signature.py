"""What a kernel takes and gives: its tensors, and how constants are packed."""

import re
from dataclasses import dataclass, replace

import numpy as np

from ..lang.types.dtypes import DTYPES
from ..lang.types.dtypes import dtype as spec_dtype
from ..lang.types.dynamic import is_pitched
from ..lang.types.tensor import TensorType
from ..support.errors import SpecError


def numpy_dtype(name: str) -> np.dtype:
    return spec_dtype(name).numpy


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

    A constant with a `packing` reaches the function packed, never as it is. The size of axis `dynamic`, and of axis
    `tied`, is only a bound. `within` is the shape of the dense array that the argument is a part of, as where a size
    along an axis that is not the slowest is below its bound. None where the argument is whole.
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

    @classmethod
    def of(cls, name: str, type: TensorType, constant: bool = False, packing: Packing | None = None) -> "TensorArg":
        """The argument for a tensor of a program."""
        return cls(name, type.dtype, type.shape, type.minor_to_major, constant, packing, type.dynamic, tied=type.tied)

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
        """The index, along the slowest axes, of its first dense piece; () where it is dense or empty."""
        return () if self.within is None or 0 in self.shape else (0,) * self._apart

    @property
    def _apart(self) -> int:
        """How many axes are slower than the fastest one along which it is smaller than the array around it."""
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
        """The signature at a dynamic size, without that argument."""
        inputs, (output, *further) = (tuple(arg.at(size) for arg in args) for args in (self.inputs, self.outputs))
        return Signature(self.function, inputs, output, tuple(further))

    def __str__(self) -> str:
        results = ", ".join(map(str, self.outputs))
        return f"{self.function}({', '.join(map(str, self.inputs))}) -> {f'({results})' if self.further else results}"


def require_plain(signature: Signature) -> None:
    """SpecError for a kernel that frameworks do not call: one with a dynamic size or packed constants."""
    if signature.bound is not None or any(arg.packing for arg in signature.inputs):
        raise SpecError(
            f"expected fixed sizes and no packed constants, found {signature}; make a model of it, whose constants are"
            " its own, at one size"
        )


def _is_size(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _check_identifier(name: object) -> None:
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise SpecError(f"expected the name of a C function, found {name!r}")
