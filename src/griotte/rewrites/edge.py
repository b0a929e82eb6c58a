"""What every rewrite is made of: an Edge, one rewrite seen from a family.

    parent[p] <- w . features(p) + sum_i times_i * child_i[p']

`features` and `uses` are functions of sizes: a mapping from dimension to an int (one Spec: a hand schedule, the oracle)
or to an array (a block of Specs: the search). They are written once for both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Mapping

from ..errors import NoProgramError
from ..spec.family import Family

Sizes = Mapping[str, object]


class DoesNotApply(NoProgramError):
    """A rewrite was asked of a Spec it does not fit. The message says what was expected and what was found."""


def require(condition: bool, why: str) -> None:
    if not condition:
        raise DoesNotApply(why)


@dataclass(frozen=True)
class Child:
    """A smaller Spec an edge leaves to be solved.

    `family` at the parent's sizes (those of its own dimensions). The child that `carries` inherits the memory limits
    less what the edge uses; the others run before or after it and see the caches free.
    """

    family: Family
    carries: bool = True
    times: Callable[[Sizes], object] | None = None  # how often it runs; None is once
    ahead: bool = False  # it runs before any call, 0 times in one: it costs nothing there, but must have a program

    def runs(self, size: Sizes) -> int:
        """How often it runs in one call of one Spec."""
        return 0 if self.ahead else 1 if self.times is None else int(self.times(size))


@dataclass(frozen=True)
class Edge:
    """One rewrite of one family. `key` names own cost and fit among all families: equal keys, equal arrays."""

    rewrite: object
    features: Callable[[Sizes], dict]
    key: tuple
    children: tuple[Child, ...] = ()
    fits: Callable[[Sizes], object] | None = None
    uses: tuple[int, Callable[[Sizes], object], tuple] | None = None  # (level, lines(sizes), key)

    def fit(self, size: dict[str, int]) -> bool:
        """Whether one Spec of the family fits."""
        return self.fits is None or bool(self.fits(size))

    @property
    def body(self) -> Child | None:
        return next((c for c in self.children if c.carries), None)


@dataclass(frozen=True)
class Tiling:
    """The closure of a family under loops over one dimension: self[n] <- q * self[t] + self[n mod t] + `loop_features`.

    With `rest`, the first iteration is of this family and all later ones of `rest` (a split of a reduction whose
    result must not be read before it is written): first[t] + (q - 1) * rest[t] + rest[n mod t].
    """

    dim: str
    allowed: Callable[[int, int], bool] = field(compare=False)  # (size, tile) -> may this loop be
    key: tuple = ()  # equal keys (and ladders) allow the same loops
    rest: Family | None = None
