"""What leaves cost that find a row's maximum and its sum of exponentials at once."""

from __future__ import annotations

from ....lang.nests.family import Family, ceil_div
from ...cost.ports import bound, computed
from .serve import TOGETHER

EACH = (
    "relu",
    "exp",
    "sub",
    "relu",
    "add",
    "relu",
    # of a vector: a bound, its pair, how far its exponent is from that of the sum, which is bounded, the sum; the
    # maximum
)
# of the sum, once for some vectors: the exponent of the maximum, how far it moved, what that is worth
ALIGNED = ("relu", "mul", "sub", "relu", "mul")


def cycles(kernel, lane: str, family: Family, target, size):
    """A row, some vectors at a time; at its end the lanes are joined, twice, and what is joined is aligned, and divided
    by a pair: as many operations, one after the other, as a vector has twice."""
    each, aligned = (computed(target, names, family.accumulator) for names in (EACH, ALIGNED))
    vectors = ceil_div(size[lane], target.lanes(family.accumulator))
    turns = ceil_div(vectors, TOGETHER)
    row = bound(
        target,
        vectors * each.all + turns * aligned.all,
        vectors,
        0,
        others=turns * target.handling.looped,
        multiplying=vectors * each.multiplying + turns * aligned.multiplying,
    )
    return row + 2 * target.handling.summed / target.ports.shuffle + kernel.latency * len(EACH) * 2
