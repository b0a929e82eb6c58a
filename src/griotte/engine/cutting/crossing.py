"""The values that cross between atoms, and the layouts that these may lie in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

from .atoms import CutAtom

Stored = tuple[tuple[int, int], ...]  # values, by number, and which of their other layouts they have


class CutPrices(NamedTuple):
    """What a cut costs beside its pieces.

    Attributes:
        saving: cycles that a value takes to be written and read as a whole array.
        call: cycles of calling a part.
        copying: cycles of copying a value from a layout to another; None where values keep their own.
        layouts: those that a value may have, its own first; only `copying` knows what they are.
        within: those that a value may have between the atoms of a part, beside its own; of a part whose border has
            other layouts than their own, or none.
        caution: by a layout, the factor on the model's cost of a piece that has one value or more in it.
    """

    saving: Callable[[Any], float]
    call: float
    copying: Callable[[Any, Any, Any], float] | None = None
    layouts: Callable[[Any], Iterable[Any]] = lambda value: ()
    caution: Callable[[Any], float] = lambda layout: 1.0
    within: Callable[[Any, bool], Iterable[Any]] = lambda value, has_others: ()


class CrossingValues:
    """The values that cross between atoms and may lie otherwise. Operands and results of a view or a loop keep theirs.

    Args:
        atoms: those of a cut.
        reads: what each reads of others.
        prices: of the values between them.

    Attributes:
        values: by number.
        number: of each.
        layouts: of each, its own first: a *way* is the place of one of them.
        readers: the atoms that read each, as a set.
        within: the ways of each that it may have between the atoms of a part, first where that has its border as it is,
            then where it has other layouts there.
    """

    def __init__(self, atoms: Sequence[CutAtom], reads: Sequence[Iterable[Any]], prices: CutPrices):
        self._prices = prices
        given = {value for atom in atoms for value in atom.gives}
        fixed = {value for atom, read in zip(atoms, reads) if atom.is_fixed for value in (*read, *atom.gives)}
        crossing = dict.fromkeys(v for read in reads for v in read if v in given and v not in fixed)
        found = {value: tuple(prices.layouts(value)) for value in crossing} if prices.copying else {}
        self.values = [value for value, layouts in found.items() if len(layouts) > 1]
        self.layouts = [found[value] for value in self.values]
        self.number = {value: n for n, value in enumerate(self.values)}
        self.readers = [sum(1 << i for i, read in enumerate(reads) if v in read) for v in self.values]
        self.within = [[self._between(value, found[value], other) for value in self.values] for other in (False, True)]
        self._alike = {i: common for i, atom in enumerate(atoms) if (common := self._common(atom.one_layout))}

    def _between(self, value: Any, layouts: Sequence[Any], has_others: bool) -> list[int]:
        may = [*self._prices.within(value, has_others)]
        return [way for way, layout in enumerate(layouts) if not way or layout in may]

    def _common(self, alike: Sequence[Any]) -> list[dict[int, int]]:
        """The ways of values that lie in one layout, by number, in each layout that all may have; first as they are."""
        numbers = dict.fromkeys(self.number[v] for v in alike if v in self.number)
        if not numbers:
            return []
        fixed = {next(iter(self._prices.layouts(v))) for v in alike if v not in self.number}
        both = [layout for layout in self.layouts[next(iter(numbers))] if fixed <= {layout}]
        able = [layout for layout in both if all(layout in self.layouts[n] for n in numbers)]
        ways = ({n: self.layouts[n].index(layout) for n in numbers} for layout in able)
        own = dict.fromkeys(numbers, 0)
        return [own, *(each for each in ways if each != own)]

    def counts(self, n: int, way: int) -> float:
        """What a piece counts that has a value so; in its own layout, whichever that is, nothing more."""
        return self._prices.caution(self.layouts[n][way]) if way else 1.0

    def are_alike(self, atom: int) -> bool:
        """Whether all values that go in and out of an atom lie in one layout."""
        return atom in self._alike

    def together(self, atom: int, crossing: Sequence[int]) -> Iterator[Stored]:
        """The layouts that values crossing the border of a piece may have together; `atom` is the piece's first."""
        for alike in self._alike.get(atom, [{}]):
            ways = ([alike[n]] if n in alike else range(len(self.layouts[n])) for n in crossing)
            yield from (stored_in(zip(crossing, chosen)) for chosen in product(*ways))

    def count(self, atom: int, crossing: Sequence[int]) -> int:
        """How many those are."""
        alike = self._alike.get(atom, [{}])
        return len(alike) * prod(len(self.layouts[n]) for n in crossing if n not in alike[0])

    def may_lie(self, atom: int, ways: Mapping[int, int]) -> bool:
        """Whether what crosses the border of a piece may lie so."""
        alike = self._alike.get(atom, [{}])
        return any(all(ways.get(n, 0) == way for n, way in each.items()) for each in alike)


def stored_in(ways: Iterable[tuple[int, int]]) -> Stored:
    """Values and their ways, without those that lie as they are."""
    return tuple(sorted((n, way) for n, way in ways if way))
