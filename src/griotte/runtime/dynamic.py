"""A compiled kernel with a dynamic size: arrays of any size up to the bound, the same in all of them.

For each size that is met there is a Kernel of that size, made once; they share one library.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

from .arguments import Pointer, size_of
from .kernel import Bound, Kernel, _not_pickled

__all__ = ["DynamicKernel"]


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
        """That of the first array which has it: what does not fit that is refused when it is taken, as is too few."""
        results = out if self._outputs is not None and isinstance(out, (tuple, list)) else (out,)
        return size_of((*arrays, *results), self._signature)


class DynamicBound:
    """A dynamic kernel with some inputs fixed, none of which has the dynamic size."""

    def __init__(self, kernel: DynamicKernel, arrays: tuple[Any, ...]) -> None:
        self._kernel = kernel
        self._fixed = kernel._taken(arrays)
        self._open = [i for i, array in enumerate(arrays) if array is None]
        self._at: dict[int, Bound] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        raise _not_pickled(self._kernel.signature)

    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        """Run it with the open inputs, in order."""
        given = [None] * len(self._fixed)
        for i, array in zip(self._open, arrays):
            given[i] = array
        size = self._kernel._size(given, out)
        if size not in self._at:
            self._at[size] = Bound(self._kernel._of_size(size), self._fixed, None, None)
        return self._at[size](*arrays, out=out)


def _nothing(*pointers: Any) -> None:
    """What a kernel of size 0 runs."""
