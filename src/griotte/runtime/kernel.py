"""A compiled kernel: a C function that takes NumPy arrays, all of fixed sizes or of any size up to a bound.

Each dynamic size that is called has a Kernel of its own, made once; they share one library.

Not here: C text (codegen makes it) and compilers (toolchain.py).
"""

import functools
from collections.abc import Callable, Sequence
from operator import call
from typing import Any

import cffi
import numpy as np

from ..support.errors import SpecError
from ..support.printable import printable
from .arguments import (
    READABLE,
    WRITEABLE,
    Outputs,
    Pointer,
    allocator,
    from_buffer,
    overlap,
    pointer_taker,
    size_of,
)
from .binding import Bound, DynamicBound, rows
from .direct_calls import DOOR_AT, bound
from .loaded import LoadedKernel
from .saved import Library
from .signature import Signature, TensorArg

PACKED_ALIGNMENT = 64  # bytes; a cache line
NOWHERE = cffi.FFI().cast("char *", 0)  # far from any array: overlaps none


class Kernel(LoadedKernel):
    """A compiled program: a C function that is called with arrays.

    `gt.compile` makes one. It may be called from many threads at once, and holds no global state; a call lets other
    Python threads run.

    It pickles as its C and its flags: another process finds it among the compiled kernels, or compiles it, and searches
    for nothing. What `bind` gives does not pickle.

    Args:
        library: what `Program.build` gives.

    Raises:
        TargetError: this CPU lacks a feature that the code needs.
        ToolchainError: the library does not load.

    Examples:
        >>> kernel = gt.compile("add(f32[2], f32[2])")
        >>> kernel(np.ones(2, np.float32), np.ones(2, np.float32))
        array([2., 2.], dtype=float32)
    """

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self._function = _spread(self._in_c) if library.signature.further else self._in_c
        self._takes(library.signature)

    def _takes(self, signature: Signature) -> None:
        """Make ready for arrays of this signature."""
        self._inputs = signature.inputs
        self._takers = [self._taker(i, arg) for i, arg in enumerate(self._inputs)]
        self._take_output: Callable[[Any], Any] = pointer_taker(
            signature.output, f"out of {signature}", READABLE | WRITEABLE
        )
        self._allocate: Callable[[], tuple[Any, Any]] = allocator(signature.output)
        self._outputs = Outputs(signature) if signature.further else None
        if self._outputs is not None:
            self._take_output, self._allocate = self._outputs.take, self._outputs.allocate
        self._shut_door()
        # They overlap where -(bytes of output) < output - input < bytes of input.
        self._below = -signature.output.nbytes
        self._above = [_passed_bytes(arg) for arg in signature.inputs]

    def __reduce__(self) -> tuple[Any, ...]:
        """Its C and flags: where it is read back it is compiled, or found in the cache of kernels."""
        return type(self), (self._compiled,)

    def __repr__(self) -> str:
        return f"<griotte.Kernel {printable(self._signature)}>"

    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        """Run it. A constant that is packed is packed at each call: `bind` does it once.

        Args:
            *arrays: one for each input, of its dtype, shape and layout: NumPy's, or anything with `__dlpack__` or the
                buffer protocol, taken without a copy; for a scalar also a number of Python, NumPy or ml_dtypes.
            out: where the result goes, apart from the inputs; of several outputs a tuple. None: new arrays.

        Returns:
            The result, which is `out` where that is given, of rank 0 as well an array; of several outputs a tuple.

        Raises:
            SpecError: an array does not fit, or shares memory with `out`.

        Examples:
            >>> kernel, x = gt.compile("exp(f32[2])"), np.zeros(2, np.float32)
            >>> kernel(x, out=np.empty(2, np.float32))
            array([1., 1.], dtype=float32)
        """
        found = self.at_once(*arrays) if out is None else self._into(*arrays, out)
        if found is not NotImplemented:
            return found
        self._longer += 1
        if self._longer == DOOR_AT:
            self.open_door()
        takers = self._takers
        if len(arrays) != len(takers):
            raise self._wrong_count(len(arrays))
        pointers = list(map(call, takers, arrays))  # a fifth faster than a comprehension
        if out is None:
            out, result = self._allocate()
        else:
            result = self._checked_output(out, pointers)
        self._function(*pointers, result)
        return out

    def bind(self, *arrays: Any, out: Any = None) -> "Callable[..., Any]":
        """Fix inputs now, and perhaps `out`.

        Constants that are fixed are packed, once: their arrays must not change then.

        With all of them fixed the answer is the cheapest way in: `call()` reads the other arrays as they are at that
        time, and returns `out`. Else it takes the inputs that are open, in order, and `out=` where that is open.

        Args:
            *arrays: one for each input; None: still open.
            out: where the result goes; None: still open.

        Raises:
            SpecError: an array does not fit, or shares memory with `out`.

        Examples:
            >>> kernel = gt.compile("matmul(f32[1,2], const f32[2,3])")
            >>> times_two = kernel.bind(None, np.full((2, 3), 2, np.float32))
            >>> times_two(np.ones((1, 2), np.float32))
            array([[4., 4., 4.]], dtype=float32)
        """
        fixed = self._taken(self._counted(arrays))
        known = [NOWHERE if pointer is None else pointer for pointer in fixed]
        result = None if out is None else self._checked_output(out, known)
        if result is None or None in fixed:
            return Bound(self, fixed, out, result)
        return self._bound(self._calls(fixed, result), out)

    def bind_many(self, *arrays: Any, out: Any) -> Callable[[], Any]:
        """Fix many calls now: `calls()` runs them all, in order, and returns `out`.

        A later one may read what an earlier one wrote.

        Args:
            *arrays: for each input a list of arrays or, stacked along a new first axis, one array; an array of the
                input's own shape serves every call.
            out: the same for the output; of several outputs a tuple of it.

        Raises:
            SpecError: an array does not fit, or shares memory with its output.

        Examples:
            >>> x, y = np.zeros((5, 2), np.float32), np.empty((5, 2), np.float32)
            >>> calls = gt.compile("exp(f32[2])").bind_many(x, out=y)
            >>> calls() is y and float(y.sum())
            10.0
        """
        if len(arrays) != len(self._takers):
            raise self._wrong_count(len(arrays))
        known: dict[tuple[int, ...], Pointer] = {}
        found = [self._whole(row, to, known) for *row, to in rows(self._signature, arrays, out)]
        return self._bound([call for calls in found for call in calls], out)

    def _whole(self, arrays: Sequence[Any], out: Any, known: dict[Any, Pointer]) -> list[tuple[Any, ...]]:
        """`_calls` of arrays; an array that is in `known` is not taken and packed again."""
        keys = [(id(self), i, id(array)) for i, array in enumerate(arrays)]
        for key, take, array in zip(keys, self._takers, arrays):
            if key not in known:
                known[key] = take(array)
        pointers = [known[key] for key in keys]
        return self._calls(pointers, self._checked_output(out, pointers))

    def _calls(self, pointers: Sequence[Pointer], result: Pointer) -> list[tuple[Any, ...]]:
        """The arguments of C, for one call or, of size 0, for none."""
        results = result if self._outputs is not None else (result,)
        return [] if self._leading is None else [(*self._leading, *pointers, *results)]

    def _bound(self, calls: list[tuple[Any, ...]], out: Any) -> Callable[[], Any]:
        return bound(self._in_c, calls, out, self._cycles(len(calls)), self)

    def _counted(self, arrays: Sequence[Any]) -> Sequence[Any]:
        """The arrays, one for each input, None for those left open."""
        if len(arrays) != len(self._takers):
            raise self._wrong_count(len(arrays), "or None for those to leave open")
        return arrays

    def _taken(self, arrays: Sequence[Any]) -> list[Pointer | None]:
        """The addresses of the arrays that are there, constants packed."""
        return [None if array is None else take(array) for take, array in zip(self._takers, arrays)]

    def _taker(self, index: int, arg: TensorArg) -> Callable[[Any], Pointer]:
        where = f"input {index + 1} ({arg.name}) of {self._signature}"
        take = pointer_taker(arg, where)
        if arg.packing is None:
            return take
        pack, size = getattr(self._library, arg.packing.function), arg.packing.bytes

        def take_packed(value: Any) -> Pointer:
            room = np.empty(size + PACKED_ALIGNMENT, np.uint8)
            start = -room.ctypes.data % PACKED_ALIGNMENT
            packed = from_buffer(room[start : start + size])
            pack(take(value), packed)
            return packed

        return take_packed

    def _checked_output(self, out: Any, pointers: Sequence[Pointer]) -> Pointer:
        """The address of `out`, once it is seen to overlap none of `pointers`."""
        result = self._take_output(out)
        if self._outputs is not None:
            self._outputs.check_apart(result, pointers, self._above)
            return result
        start, below = result + 0, self._below  # cffi: a pointer has a minus, an array has not
        for pointer, above in zip(pointers, self._above):
            if below < start - pointer < above:
                raise overlap(self._inputs[pointers.index(pointer)].name, "out", self._signature)
        return result

    def _wrong_count(self, found: int, more: str = "") -> SpecError:
        names = ", ".join(arg.name for arg in self._signature.inputs)
        return SpecError(
            f"expected {len(self._takers)} arrays ({names}), found {found}, for "
            f"{self._signature}; pass one for each input" + (f", {more}" if more else "")
        )


def _spread(function: Callable[..., None]) -> Callable[..., None]:
    """C's function as one that takes the addresses of its outputs as a tuple, last."""

    def run(*values: Any) -> None:
        function(*values[:-1], *values[-1])

    return run


def _passed_bytes(arg: TensorArg) -> int:
    return arg.packing.bytes if arg.packing else arg.nbytes


class DynamicKernel(Kernel):
    """A C function of dense arrays, one of whose sizes is known when it is called.

    The size is that of the arrays, 1 to the bound.  For arrays of size 0 C is not called: each
    result must have that size too, and is empty.
    """

    of_one_size = Kernel

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        # Where a call looks for the size: an input, and its axis.
        self._place = next((i, arg.dynamic) for i, arg in enumerate(self._inputs) if arg.dynamic is not None)

    def _sized(self, kernel: Kernel, size: int) -> None:
        kernel._function = functools.partial(self._function, size) if size else _nothing
        kernel._leading = (size,) if size else None

    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        """Run it: the result in `out` where given (and returned), else in a new array."""
        at, axis = self._place
        try:
            kernel = self._sizes[arrays[at].shape[axis]]
        except (AttributeError, LookupError):  # another kind of array, or a size not met yet
            kernel = self._of_size(self._size(self._counted(arrays), out))
        return kernel(*arrays, out=out)

    def bind(self, *arrays: Any, out: Any = None) -> Callable[..., Any]:
        """Fix inputs now (None: still open) and perhaps `out`; see Kernel.bind.

        As long as none that is fixed has the dynamic size, each call may have its own.
        """
        if self._is_open(arrays, out):
            return DynamicBound(self, tuple(self._counted(arrays)))
        return self._of_size(self._size(self._counted(arrays), out)).bind(*arrays, out=out)

    def _whole(self, arrays: Sequence[Any], out: Any, known: dict[Any, Pointer]) -> list[tuple[Any, ...]]:
        return self._of_size(self._size(arrays, out))._whole(arrays, out, known)

    def _is_open(self, arrays: tuple[Any, ...], out: Any) -> bool:
        """Whether nothing tells the size yet."""
        dynamic = [a for a, arg in zip(arrays, self._inputs) if arg.dynamic is not None]
        return out is None and all(array is None for array in dynamic)

    def _size(self, arrays: Sequence[Any], out: Any) -> int:
        """The size of the first array which has it. Arrays that do not fit it are refused when they are taken, and so
        are too few."""
        results = out if self._outputs is not None and isinstance(out, (tuple, list)) else (out,)
        return size_of((*arrays, *results), self._signature)


def _nothing(*pointers: Any) -> None:
    """What a kernel of size 0 runs."""


def kernel_of(library: Library) -> Kernel:
    """The Kernel of a library, whose sizes are all fixed, or all but one."""
    return (Kernel if library.signature.bound is None else DynamicKernel)(library)
