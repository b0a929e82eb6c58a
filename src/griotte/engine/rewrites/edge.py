"""What every rewrite is made of: an Edge, one rewrite seen from a family.

    parent[p] <- w . features(p) + sum_i times_i * child_i[p']

`features` and `uses` are functions of sizes: a mapping from dimension to an int (one Spec: a hand schedule, the oracle)
or to an array (a block of Specs: the search). They are written once for both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...lang.nests.family import Family
from ...support.errors import NoProgramError

if TYPE_CHECKING:
    from .rewrite import Rewrite

# what a child is: a Spec like any other; a goal again, in series or over threads; one that threads share out
PART, GOAL, SHARED = ("part", "goal", "shared out")
Sizes = Mapping[str, Any]


class DoesNotApply(NoProgramError):
    """A rewrite was asked of a Spec it does not fit. The message says what was expected and what was found."""


def require(condition: bool, why: str | Callable[[], str]) -> None:
    """DoesNotApply without a condition; why is worked out then, where it is a function: a search requires much."""
    if not condition:
        raise DoesNotApply(why if isinstance(why, str) else why())


@dataclass(frozen=True)
class Child:
    """A smaller Spec an edge leaves to be solved.

    `family` at the parent's sizes (those of its own dimensions), or at what `sizes` makes of them. A child that
    `carries` inherits the memory limits less what it `uses`, all that lives beside it while it runs; the others run
    before or after and see the caches free.
    """

    family: Family
    carries: bool = True
    times: Callable[[Sizes], Any] | None = None  # how often it runs; None is once
    ahead: bool = False  # it runs before any call, 0 times in one: it costs nothing there, but must have a program
    # (level, lines(sizes), key) taken from the limits it inherits
    uses: tuple[int, Callable[[Sizes], Any], tuple] | None = None
    role: str = PART
    sizes: Callable[[Sizes], Sizes] | None = None  # from the parent's sizes to its own; equal maps are worked out once

    def at(self, size: Sizes) -> Sizes:
        """Its sizes where those of the parent are `size`."""
        return size if self.sizes is None else self.sizes(size)

    def runs(self, size: Sizes) -> int:
        """How often it runs in one call of one Spec."""
        return 0 if self.ahead else 1 if self.times is None else int(self.times(size))


@dataclass(frozen=True)
class Edge:
    """One rewrite of one family. `key` names own cost and fit among all families: equal keys, equal arrays."""

    rewrite: Rewrite
    features: Callable[[Sizes], dict]
    key: tuple
    children: tuple[Child, ...] = ()
    fits: Callable[[Sizes], Any] | None = None

    def fit(self, size: dict[str, int]) -> bool:
        """Whether one Spec of the family fits."""
        return self.fits is None or bool(self.fits(size))

    def terms(self, size: dict[str, int]) -> tuple[dict, tuple[int, ...]]:
        """Its own features at one Spec, and how often each child runs."""
        return self.features(size), tuple(child.runs(size) for child in self.children)

    @property
    def carrying(self) -> tuple[Child, ...]:
        return tuple(c for c in self.children if c.carries)

    @property
    def body(self) -> Child:
        """The child that carries, of an edge that has one."""
        (body,) = self.carrying
        return body


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
