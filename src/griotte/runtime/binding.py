"""Kernels with arguments fixed: some of them, or all of many calls.

Not here: whether an array fits (arguments.py), and how calls whose arguments are all fixed run (direct_calls.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..support.errors import SpecError
from .arguments import Pointer, shape_of
from .signature import Signature, TensorArg


class Bound:
    """A kernel with some inputs, or its output, fixed; see Kernel.bind."""

    def __init__(
        self,
        kernel: Any,
        fixed: list[Pointer | None],
        out: Any,
        result: Pointer | None,
    ) -> None:
        self._kernel, self._fixed, self._out, self._result = kernel, fixed, out, result
        self._open = [i for i, pointer in enumerate(fixed) if pointer is None]

    def __reduce__(self) -> tuple[Any, ...]:
        raise not_pickled(self._kernel.signature)

    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        """Run it with the open inputs, in order."""
        if len(arrays) != len(self._open):
            raise self._wrong_count(len(arrays))
        kernel, pointers = self._kernel, self._fixed.copy()
        for index, array in zip(self._open, arrays):
            pointers[index] = kernel._takers[index](array)
        out, result = self._output(out, pointers)
        kernel._function(*pointers, result)
        return out

    def _output(self, out: Any, pointers: list[Pointer]) -> tuple[Any, Pointer]:
        if self._result is not None:
            if out is not None and out is not self._out:
                raise SpecError(
                    "expected no out, found one, for a kernel bound to its output; bind without "
                    "out= to pass it at each call"
                )
            # Again: an input that was open may overlap it.
            return self._out, self._kernel._checked_output(self._out, pointers)
        if out is None:
            return self._kernel._allocate()
        return out, self._kernel._checked_output(out, pointers)

    def _wrong_count(self, found: int) -> SpecError:
        names = [self._kernel.signature.inputs[i].name for i in self._open]
        return SpecError(
            f"expected {len(names)} arrays ({', '.join(names) or 'all are bound'}), found "
            f"{found}, for {self._kernel.signature}; pass one for each input still open"
        )


class DynamicBound:
    """A dynamic kernel with some inputs fixed; no fixed input has the dynamic size."""

    def __init__(self, kernel: Any, arrays: tuple[Any, ...]) -> None:
        self._kernel = kernel
        self._fixed = kernel._taken(arrays)
        self._open = [i for i, array in enumerate(arrays) if array is None]
        self._at: dict[int, Bound] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        raise not_pickled(self._kernel.signature)

    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        """Run it with the open inputs, in order."""
        given = [None] * len(self._fixed)
        for i, array in zip(self._open, arrays):
            given[i] = array
        size = self._kernel._size(given, out)
        if size not in self._at:
            self._at[size] = Bound(self._kernel._of_size(size), self._fixed, None, None)
        return self._at[size](*arrays, out=out)


def not_pickled(signature: Signature) -> SpecError:
    return SpecError(
        f"expected a kernel to pickle or copy, found one that is bound to arrays, {signature}; take the kernel, and"
        " bind it there"
    )


# Many calls --------------------------------------------------------------------------------


def rows(signature: Signature, arrays: Sequence[Any], out: Any) -> list[tuple[Any, ...]]:
    """For each call its inputs and, last, its output, or a tuple of its several outputs.

    Each of `arrays`, and `out` (or each of a tuple, for several outputs), is a list of arrays or a stack of them; of
    the inputs a single array serves every call.
    """
    last = _results(out, signature)
    if last is None:
        raise SpecError(
            "expected a list of arrays, or a stack of them, as"
            f" out{', for each of its outputs as many' if signature.further else ''}, found {_words(out)}, for"
            f" {signature}; use bind for a single call"
        )
    columns = [_column(*pair, len(last), signature) for pair in zip(arrays, signature.inputs)]
    return list(zip(*columns, last))


def _results(out: Any, signature: Signature) -> list[Any] | None:
    """The output of each call, of several outputs a tuple of them; None where `out` is of another form."""
    if not signature.further:
        return _each(out, signature.output)
    if not isinstance(out, (list, tuple)) or len(out) != len(signature.outputs):
        return None
    columns = [_each(value, arg) for value, arg in zip(out, signature.outputs)]
    if None in columns or len({len(column or ()) for column in columns}) > 1:
        return None
    return list(zip(*(column or () for column in columns)))


def _column(value: Any, arg: TensorArg, count: int, signature: Signature) -> list[Any]:
    """One input of each of `count` calls."""
    found = _each(value, arg)
    if found is None:
        return [value] * count
    if len(found) != count:
        raise SpecError(
            f"expected {count} arrays, as many as in out, found {len(found)}, for {arg.name} of "
            f"{signature}; pass one for each call, or a single one for all"
        )
    return found


def _each(value: Any, arg: TensorArg) -> list[Any] | None:
    """The arrays of a list or of a stack; None for anything else."""
    if isinstance(value, (list, tuple)):
        return list(value)
    if len(shape_of(value)) != len(arg.shape) + 1:
        return None
    stack = np.asarray(value) if isinstance(value, memoryview) else value
    return [stack[i, ...] for i in range(len(stack))]


def _words(value: Any) -> str:
    shape = shape_of(value)
    return f"an array of shape {shape}" if shape else type(value).__name__
