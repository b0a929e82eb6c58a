"""Winograd's minimal filtering (Lavin and Gray, arXiv 1509.09308): m sums of r products each along a line in m + r - 1
products instead of m * r,

    y = A^T [(G g) * (B^T d)],

of d, m + r - 1 numbers, and g, the r weights; in two dimensions each matrix is applied along both. The matrices are
those of Toom and Cook: d and g are polynomials, which are multiplied by their values at m + r - 2 points and at
infinity. They are exact here; in floating point sums of large numbers cancel, the more the larger m is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import prod

Coefficients = tuple[tuple[Fraction, ...], ...]

THREE_QUARTERS, THREE_HALVES = Fraction(3, 4), Fraction(3, 2)
POINTS = {
    3: (Fraction(0), Fraction(1), Fraction(-1)),
    5: (Fraction(0), THREE_QUARTERS, -THREE_QUARTERS, THREE_HALVES, -THREE_HALVES),
}
"""Where polynomials are evaluated, by how many points there are: with few digits, and in pairs of a number and its
opposite, whose sums are shared. Of five those lose least to rounding that were tried: 3e-6 of the largest result in
f32, over 512 channels, where 0, 1, -1, 2, -2 lose 1.3e-5 (docs/lab/winograd)."""


@dataclass(frozen=True)
class Filtering:
    """The matrices that give `m` outputs of `r` weights: `outputs` is A^T (m x n), `weights` G (n x r), `inputs` B^T
    (n x n), where n = m + r - 1."""

    m: int
    r: int
    outputs: Coefficients
    weights: Coefficients
    inputs: Coefficients

    @property
    def n(self) -> int:
        """Numbers that are multiplied along a line."""
        return self.m + self.r - 1


@cache
def filtering(m: int, r: int) -> Filtering:
    """The matrices for m outputs of r weights.

    Examples:
        >>> from griotte.models.custom.winograd.transforms import filtering
        >>> [[int(x) for x in row] for row in filtering(2, 3).outputs]
        [[1, 1, 1, 0], [0, 1, -1, 1]]
    """
    points = POINTS[m + r - 2]
    others = [[p - q for q in points if q != p] for p in points]
    powers = lambda p, count: tuple(p**k for k in range(count))
    outputs = transposed([powers(p, m) for p in points] + [_last(m)])
    weights = [tuple(x / prod(d) for x in powers(p, r)) for p, d in zip(points, others)] + [_last(r)]
    # row i: the coefficients of the product of all (x - q) but that of its own point
    inputs = [(*_product([q for q in points if q != p]), Fraction(0)) for p in points] + [_product(points)]
    return Filtering(m, r, outputs, *_signed(weights, inputs))


def transposed(rows: Sequence[Sequence[Fraction]]) -> Coefficients:
    """The matrix whose rows are the columns of another."""
    return tuple(zip(*rows))


def _last(count: int) -> tuple[Fraction, ...]:
    """The value at infinity: the last coefficient."""
    return (*(Fraction(0) for _ in range(count - 1)), Fraction(1))


def _product(roots: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The coefficients of the product of (x - q) over all roots, that of 1 first."""
    found = [Fraction(1)]
    for q in roots:
        found = [low - q * high for low, high in zip([Fraction(0), *found], [*found, Fraction(0)])]
    return tuple(found)


def _signed(weights: list, inputs: list) -> tuple[Coefficients, Coefficients]:
    """Rows of both, with signs moved so that the inputs' first number is positive where the weights allow it."""
    found = []
    for g, b in zip(weights, inputs):
        sign = -1 if next(x for x in b if x) < 0 and any(b[:1]) else 1
        found.append((tuple(sign * x for x in g), tuple(sign * x for x in b)))
    return tuple(g for g, _ in found), tuple(b for _, b in found)


@dataclass(frozen=True)
class Sum:
    """A number of a transform that is computed: `terms` are (factor, the number multiplied by it), each an input or a
    number computed before, by its place."""

    terms: tuple[tuple[Fraction, int], ...]

    @property
    def operations(self) -> int:
        """Additions, multiplications and both at once."""
        return len(self.terms) - 1 + (abs(self.terms[0][0]) != 1)


@dataclass(frozen=True)
class SharedSums:
    """A matrix times a vector as sums, one after the other: numbers 0 .. inputs - 1 come in, the sums follow, and
    `results` are the places of what comes out."""

    inputs: int
    sums: tuple[Sum, ...]
    results: tuple[int, ...]

    @property
    def operations(self) -> int:
        return sum(each.operations for each in self.sums)


@cache
def steps_of(matrix: Coefficients) -> SharedSums:
    """How to multiply a vector by a matrix: rows that differ in the signs of some numbers alone share two sums, whose
    sum and difference they are."""
    inputs = len(matrix[0])
    sums: list[Sum] = []
    results: dict[int, int] = {}

    def added(terms: list[tuple[Fraction, int]]) -> int:
        if len(terms) == 1 and terms[0][0] == 1:
            return terms[0][1]
        # a number as it is comes first: no multiplication
        sums.append(Sum(tuple(sorted(terms, key=lambda term: (abs(term[0]) != 1, term[0] < 0)))))
        return inputs + len(sums) - 1

    terms_of = lambda row, places: [(row[j], j) for j in places if row[j]]
    for i, row in enumerate(matrix):
        if i in results:
            continue
        other = next((k for k in range(i + 1, len(matrix)) if k not in results and _mirrored(row, matrix[k])), None)
        if other is None:
            results[i] = added(terms_of(row, range(inputs)))
            continue
        same = [j for j in range(inputs) if row[j] == matrix[other][j]]
        opposite = [j for j in range(inputs) if row[j] != matrix[other][j]]
        even, odd = added(terms_of(row, same)), added(terms_of(row, opposite))
        results[i] = added([(Fraction(1), even), (Fraction(1), odd)])
        results[other] = added([(Fraction(1), even), (Fraction(-1), odd)])
    return SharedSums(inputs, tuple(sums), tuple(results[i] for i in range(len(matrix))))


def _mirrored(one: Sequence[Fraction], other: Sequence[Fraction]) -> bool:
    """Whether two rows differ in signs alone, of some numbers and not of all."""
    nonzero = [(x, y) for x, y in zip(one, other) if x or y]
    signs = {x == y for x, y in nonzero}
    return all(abs(x) == abs(y) for x, y in nonzero) and len(signs) == 2 and len(nonzero) > 2
