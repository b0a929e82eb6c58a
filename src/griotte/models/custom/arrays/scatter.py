"""Rows of an array, set or joined with others at places that come in.

    y = scatter(x, places, updates, how=add, axes=1)    x, of which the row at each place is joined with an update

Rows are numbered along the first `axes` axes; places beyond them stand for the nearest. Several updates of a row are
joined with it one after the other; with `set` the last of them stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ....lang.functions.kit import COMPUTE
from ....lang.types.dtypes import dtype
from ....lang.types.tensor import TensorType
from ....support.errors import SpecError
from ..loop import Lines, line_moved
from .call import ArrayCall, is_of_own

if TYPE_CHECKING:  # a model that is read needs no code generator
    from ....engine.vectors.library import VectorLibrary
    from ....machine.target import Target

JOINED: dict[str, Callable[[Any, Any], Any]] = {
    "add": np.add,
    "mul": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
}
JOINS = {"add": "add", "mul": "mul", "max": "maximum", "min": "minimum"}
"""Functions of bodies by the words of `how`."""
EACH = 12.0  # cycles of an update beside what it moves: its place, and the loop around its row


class Scatter(ArrayCall):
    """The rows at places of x, set to updates or joined with them in their order."""

    call = "scatter"
    arity = 3
    options: ClassVar[Mapping[str, tuple[str, ...] | int]] = {"how": ("set", *JOINED), "axes": 1}

    @cached_property
    def types(self) -> tuple[TensorType, ...]:
        x, places, updates = self.takes
        how, axes = self.given("how"), self.given("axes")
        if any(type.dynamic is not None or type.bytes % type.elements for type in self.takes):
            raise SpecError(f"expected arrays of fixed sizes and of whole bytes for scatter, found {self}; cast them")
        if axes not in range(1, x.rank + 1):
            raise SpecError(f"expected rows along 1 to {x.rank} axes of {x}, found axes={axes}; write one of them")
        if dtype(places.dtype).kind not in ("signed", "unsigned"):
            raise SpecError(f"expected integers as places of scatter, found {places}; cast them")
        if (updates.dtype, updates.shape) != (x.dtype, (*places.shape, *x.shape[axes:])):
            raise SpecError(
                f"expected {x.dtype}{[*places.shape, *x.shape[axes:]]} as updates of {x}, found {updates}; cast or"
                " reshape them"
            )
        if how != "set" and not is_of_own(x):
            raise SpecError(f"expected numbers of their own arithmetic to be joined, found {x} with how={how}; cast it")
        return (x,)

    @property
    def flops(self) -> int:
        """One of each update that is joined."""
        return self.takes[2].elements * (self.given("how") != "set")

    @property
    def _rows(self) -> tuple[int, int]:
        """How many rows x has, and the elements of each."""
        shape, axes = self.takes[0].shape, self.given("axes")
        return prod(shape[:axes]), prod(shape[axes:])

    def picks(self, of: Any) -> dict[int, int]:
        """The places are of rows."""
        return {1: self._rows[0]}

    def meaning(self, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        """One update after the other."""
        x, places, updates = arrays
        rows, width = self._rows
        y, how = np.array(x, order="C").reshape(rows, width), self.given("how")
        with np.errstate(all="ignore"):
            for row, update in zip(np.clip(places.reshape(-1), 0, rows - 1), updates.reshape(-1, width)):
                y[row] = update if how == "set" else JOINED[how](y[row], update)
        return (y.reshape(x.shape),)

    def cost(self, target: Target) -> float:
        """A copy of x, and each update read and written."""
        x, places, updates = self.takes
        lines = line_moved(target, (2 * x.bytes + updates.bytes) / target.spans.line)
        return lines * (x.bytes + updates.bytes) / target.spans.line + EACH * places.elements

    def loop(self, first: str, end: str, library: VectorLibrary, target: Target) -> Lines:
        """A copy of x, and a loop over updates."""
        x, places, _ = self.takes
        T, (rows, width) = library.scalar(x.dtype), self._rows
        return [
            f"__builtin_memcpy(y0, x0, {x.bytes});",
            f"for (int64_t i = 0; i < {places.elements}; i++) {{",
            [
                f"const int64_t at = (int64_t)x1[i], row = at < 0 ? 0 : at < {rows} ? at : {rows - 1};",
                f"{T} *const to = y0 + row * {width};",
                f"const {T} *const from = x2 + i * {width};",
                *self._row(library, target),
            ],
            "}",
        ]

    def _row(self, library: VectorLibrary, target: Target) -> list[str]:
        """An update's elements, moved or joined: by vectors where there are such, for no compiler makes them of a loop
        over elements."""
        x, width, how = self.takes[0], self._rows[1], str(self.given("how"))
        if how == "set":
            return [f"__builtin_memcpy(to, from, {width * x.bytes // x.elements});"]
        lines, whole = [], 0
        if x.dtype in COMPUTE and width >= target.lanes(x.dtype):
            lanes = target.lanes(x.dtype)
            load, store, whole = library.load(x.dtype, lanes), library.store(x.dtype, lanes), width - width % lanes
            joined = f"{library.binary(JOINS[how], x.dtype, lanes)}({load}(to + j), {load}(from + j))"
            lines += [f"for (int64_t j = 0; j < {whole}; j += {lanes})", f"    {store}(to + j, {joined});"]
        if whole < width:
            lines += [f"for (int64_t j = {whole}; j < {width}; j++)", f"    to[j] = {self._joined(library, how)};"]
        return lines

    def _joined(self, library: VectorLibrary, how: str) -> str:
        """An element of an update with the element there; a NaN there stays, and a NaN of the update comes in."""
        x = self.takes[0]
        if how in ("max", "min"):
            return f"from[j] {'>' if how == 'max' else '<'} to[j] || from[j] != from[j] ? from[j] : to[j]"
        sign = "+" if how == "add" else "*"
        if dtype(x.dtype).kind in ("signed", "unsigned"):
            return f"({library.scalar(x.dtype)})((uint64_t)to[j] {sign} (uint64_t)from[j])"
        return f"to[j] {sign} from[j]"
