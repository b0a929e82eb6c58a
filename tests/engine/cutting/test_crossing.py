"""Values that cross between atoms lie in their layouts, and where an atom wants them alike, in one."""

from __future__ import annotations

from math import inf

import griotte as gt
import numpy as np
import pytest
from cuts import pieces_of
from griotte.engine.cutting import Piece, Tolerance, choose
from griotte.models.graph import GraphBuilder, ModelGraph
from griotte.models.solving import closed

COPY = 9.0


def joined(operands: int, given: bool = False) -> ModelGraph:
    """Images that convolutions give, and perhaps one that comes in, joined along their channels; and a convolution of
    all."""
    builder = GraphBuilder()
    x = builder.input(gt.tensor((2, 4, 3, 3)), "x")
    of = lambda value, n, k: builder.call("conv2d", value, builder.constant(np.full((4, k, 1, 1), n, np.float32)))
    values = [of(x, n + 1, 4) for n in range(operands)] + [x] * given
    return closed(builder.graph({"y": of(builder.call("concat", *values, axis=1), 1, 4 * len(values))}))


@pytest.mark.parametrize("operands", (2, 3, 12))
def test_what_must_lie_alike_has_few_variants(operands: int):
    pieces = pieces_of(joined(operands), copying=lambda value, now, then: COPY)
    concat = pieces.singles[operands]
    assert len(concat.takes) == operands and len(concat.gives) == 1
    ways = [dict(piece.stored) for piece in pieces.variants(concat)]
    assert ways == [{}, dict.fromkeys((*concat.takes, *concat.gives), 1)]
    assert pieces.crossing.may_lie(operands, ways[1]) and not pieces.crossing.may_lie(operands, {concat.takes[0]: 1})
    first = pieces.singles[0]
    assert len([*pieces.variants(first)]) == 2 and pieces.crossing.may_lie(0, {first.gives[0]: 1})


def test_beside_what_keeps_its_layout_all_do():
    pieces = pieces_of(joined(2, given=True), copying=lambda value, now, then: COPY)
    (concat,) = (piece for piece in pieces.singles if len(piece.takes) == 2)
    assert [piece.stored for piece in pieces.variants(concat)] == [()]


@pytest.mark.parametrize("others", (10.0, 60.0))
def test_the_cheapest_cut_has_it_in_one_layout(others: float):
    """Of twelve operands, each of whose variants would be one of thousands; none without a program is asked for."""
    pieces = pieces_of(joined(12), lambda value: 0.0, lambda value, now, then: COPY)
    concat, asked = pieces.singles[12], list[Piece]()

    def solve(those: list[Piece]) -> None:
        asked.extend(those)
        for piece in those:
            is_mixed = piece.bits == concat.bits and not pieces.crossing.may_lie(12, dict(piece.stored))
            each = others if piece.stored else 30.0
            piece.cost = inf if is_mixed or len(piece.atoms) > 1 else each

    solve(pieces.singles)
    found = choose(pieces, solve, Tolerance(), 4)
    assert found.cut.cost == pytest.approx(14 * min(others, 30.0) + 14 * pieces.call)
    assert not found.in_order and found.gap == pytest.approx(0.0)
    assert not any(piece.cost == inf and len(piece.atoms) == 1 for piece in asked)


def test_copies_bring_what_differs():
    """Where operands are cheapest in two layouts, some are copied."""
    pieces = pieces_of(joined(2), lambda value: 0.0, lambda value, now, then: COPY)
    cheap = {(0, 0): 10.0, (1, 1): 10.0}  # by atom and the layout that it gives

    def solve(those: list[Piece]) -> None:
        for piece in those:
            key = piece.atoms[0], dict(piece.stored).get(piece.gives[0], 0) if piece.gives else 0
            piece.cost = inf if len(piece.atoms) > 1 else cheap.get(key, 50.0 if piece.atoms[0] < 2 else 5.0)

    solve(pieces.singles)
    found = choose(pieces, solve, Tolerance(), 2)
    assert [piece.copies is not None for piece in found.cut.pieces].count(True) == 1
    assert found.cut.cost == pytest.approx(10 + 10 + 5 + 5 + COPY + 4 * pieces.call + pieces.call)
