"""The first elements of rows, in order, and where they stand.

    values, places = top(x, k=5, largest=1)     of each row along the last axis the 5 largest, the largest first

NaN counts as the largest, whatever its sign. Of equal ones, all NaN too, the one that stands first comes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import log, log2, prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ....lang.functions.kit import COMPUTE, Kit
from ....lang.types.dtypes import dtype
from ....lang.types.tensor import TensorType, stated, tensor
from ....support.errors import SpecError
from ...value import MEND
from ..loop import Lines
from .call import ArrayCall, is_of_own

if TYPE_CHECKING:  # a model that is read needs no code generator
    from ....engine.vectors.library import VectorLibrary
    from ....machine.target import Target

SKIPPED = 3.0  # cycles of a vector of which nothing comes before what is kept
KEPT = 12.0  # cycles of each step that an element takes down the heap of what is kept


class Top(ArrayCall):
    """The first k elements of each row along the last axis, and their places."""

    call = "top"
    arity = 1
    options: ClassVar[Mapping[str, tuple[str, ...] | int]] = {"k": 1, "largest": 1}

    @cached_property
    def types(self) -> tuple[TensorType, ...]:
        """The elements, and their places as s64; SpecError where it refuses."""
        (x,) = self.takes
        k = self.given("k")
        if not is_of_own(x):
            raise SpecError(f"expected numbers of their own arithmetic for top, found {x}; cast them")
        if not x.rank or k not in range(1, x.shape[-1] + 1):
            raise SpecError(
                f"expected 1 to {(*x.shape, 0)[max(0, x.rank - 1)]} elements of {x}, found k={k}; write that"
            )
        if self.given("largest") not in (0, 1):
            raise SpecError(f"expected largest=1 or largest=0 of top, found {self}; write one of them")
        if len(self._open_outer) > 1:
            raise SpecError(f"expected rows along one dynamic axis for top, found {x}; {MEND}")
        shape = (*stated(x)[:-1], k)
        return tensor(shape, x.dtype), tensor(shape, "s64")

    @property
    def least(self) -> int:
        """As many as are kept, where rows have the size."""
        return self.given("k") if self._has_open_rows else 1

    @property
    def _has_open_rows(self) -> bool:
        """Whether the length of a row is dynamic."""
        (x,) = self.takes
        return x.rank - 1 in x.dynamic_axes

    @property
    def _open_outer(self) -> tuple[int, ...]:
        """The dynamic axes that rows are along."""
        (x,) = self.takes
        return tuple(axis for axis in x.dynamic_axes if axis < x.rank - 1)

    @property
    def flops(self) -> int:
        """A comparison of each element."""
        return self.takes[0].elements

    def meaning(self, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        """The rows, sorted."""
        (x,) = arrays
        if self.given("largest"):  # turned, so that equal ones, turned once more, stand as they were
            order = x.shape[-1] - 1 - np.argsort(x[..., ::-1], -1, kind="stable")[..., ::-1]
        else:
            order = np.argsort(x, -1, kind="stable")
        order = order[..., : self.given("k")].astype(np.int64)
        return np.take_along_axis(x, order, -1), order

    @property
    def shares(self) -> int:
        """Rows."""
        (x,) = self.takes
        return x.elements // x.shape[-1]

    @property
    def steps(self) -> int | str:
        """Rows of a call."""
        for axis in self._open_outer:
            return f"m * {self.shares // self.takes[0].shape[axis]}"
        return self.shares

    def _row(self) -> str:
        """C for where row i of a call stands among those of the bound."""
        shape = self.takes[0].shape
        for axis in self._open_outer:
            inner = prod(shape[axis + 1 : -1])
            if prod(shape[:axis]) > 1:
                return f"i / (m * {inner}) * {shape[axis] * inner} + i % (m * {inner})"
        return "i"

    def cost(self, target: Target) -> float:
        """Each vector looked at, and the kept elements: of n in no order k * log(n / k) and k at the beginning."""
        (x,) = self.takes
        size, k = x.shape[-1], self.given("k")
        lanes = target.lanes(x.dtype) if x.dtype in COMPUTE else 1
        kept = k * (2 + log(size / k))
        return self.shares * (SKIPPED * size / lanes + KEPT * kept * (1 + log2(k)))

    def loop(self, first: str, end: str, library: VectorLibrary, target: Target) -> Lines:
        """The kept elements of a row are a heap in the result, the last of them at its root; it is sorted at the
        end."""
        (x,) = self.takes
        T, pitch, k = library.scalar(x.dtype), x.shape[-1], self.given("k")
        comes = self._comes
        sink = [
            "for (int64_t below; (below = 2 * hole + 1) < left; hole = below) {",
            [
                f"if (below + 1 < left && !{self._is_before('below + 1', 'below')})",
                ["below++;"],
                f"if ({comes('v[below]', 'value')} || (!{comes('value', 'v[below]')} && at[below] < place))",
                ["break;"],
                "v[hole] = v[below], at[hole] = at[below];",
            ],
            "}",
            "v[hole] = value, at[hole] = place;",
        ]
        sunk = lambda value, place, hole: [
            f"const {T} value = {value};",
            f"const int64_t place = {place};",
            f"int64_t hole = {hole};",
        ]
        one = [f"if ({comes('row[j]', 'v[0]')}) {{", [*sunk("row[j]", "j", "0"), *sink], "}"]
        return [
            f"for (int64_t i = {first}; i < {end}; i++) {{",
            [
                f"const int64_t number = {self._row()}, size = {'m' if self._has_open_rows else pitch};",
                f"const {T} *const row = x0 + number * {pitch};",
                f"{T} *const v = y0 + number * {k};",
                f"int64_t *const at = y1 + number * {k}, left = {k};",
                f"for (int64_t j = 0; j < {k}; j++)",
                ["v[j] = row[j], at[j] = j;"],
                f"for (int64_t root = {k} / 2 - 1; root >= 0; root--) {{",
                [*sunk("v[root]", "at[root]", "root"), *sink],
                "}",
                *self._rest(library, target, one),
                "for (left--; left > 0; left--) {",
                [*sunk("v[left]", "at[left]", "0"), "v[left] = v[0], at[left] = at[0];", *sink],
                "}",
            ],
            "}",
        ]

    def _comes(self, a: str, b: str) -> str:
        """C for whether an element is before another, wherever they stand."""
        before = f"{a} {'>' if self.given('largest') else '<'} {b}"
        if dtype(self.takes[0].dtype).kind != "float":
            return f"({before})"
        nan, number = (a, b) if self.given("largest") else (b, a)
        return f"({before} || ({nan} != {nan} && {number} == {number}))"

    def _is_before(self, one: str, other: str) -> str:
        a, b, comes = f"v[{one}]", f"v[{other}]", self._comes
        return f"({comes(a, b)} || (!{comes(b, a)} && at[{one}] < at[{other}]))"

    def _rest(self, library: VectorLibrary, target: Target, one: Lines) -> Lines:
        """The elements behind the first k: a vector where no element comes before the root is left out."""
        (x,) = self.takes
        k = self.given("k")
        if x.dtype not in COMPUTE:
            return [f"for (int64_t j = {k}; j < size; j++) {{", one, "}"]
        lanes = target.lanes(x.dtype)
        kit = Kit(library, x.dtype, lanes)
        load, splat = library.load(x.dtype, lanes), library.splat(x.dtype, lanes)
        behind = "<=" if self.given("largest") else ">="
        skip = f"if (!{kit('any_negative')}(~({kit.S})({load}(row + f) {behind} {splat}(v[0]))))"
        return [
            f"const int64_t whole = {k} + (size - {k}) / {lanes} * {lanes};",
            f"for (int64_t f = {k}; f < whole; f += {lanes}) {{",
            [skip, ["continue;"], f"for (int64_t j = f; j < f + {lanes}; j++) {{", one, "}"],
            "}",
            "for (int64_t j = whole; j < size; j++) {",
            one,
            "}",
        ]
