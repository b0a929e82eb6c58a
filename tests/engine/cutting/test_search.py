"""What is expected to come after a state is exact but for layouts, and few states and variants are looked at."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from cuts import CALL, drawn, pieces_of
from griotte.engine.cutting import CutAtom, CutPieces, CutPrices, CutSearch, Piece
from griotte.engine.cutting.search import DoneSets


def one_of_many(count: int) -> CutPieces:
    """So many atoms, and one that reads what each gives, and one that reads that; each value in one of two layouts, the
    other of which counts a half more."""
    atoms = [CutAtom((f"v{i}",), ("x",), 1, 1) for i in range(count)]
    atoms += [CutAtom(("whole",), tuple(f"v{i}" for i in range(count)), 1, 1), CutAtom(("y",), ("whole",), 1, 1)]
    layouts = lambda value: ("own", "other") if value != "y" else ("own",)
    caution = lambda layout: {"own": 2.0, "other": 1.5}[layout]  # of its own no piece counts anything
    pieces = CutPieces(atoms, CutPrices(lambda value: 30.0, CALL, lambda value, now, then: 7.0, layouts, caution))
    for piece in pieces.singles:
        piece.cost = piece.floor = 20.0
    pieces.bounded()
    return pieces


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("in_order", (False, True))
def test_without_layouts_the_expected_cost_is_that_of_the_cheapest_way(seed: int, in_order: bool):
    rng = np.random.default_rng(seed)
    pieces = pieces_of(drawn(rng, 8))
    costs = {piece.bits: float(rng.integers(1, 99)) for piece in pieces.plain}
    price = lambda piece: costs.get(piece.bits, 1.0)
    sets = DoneSets(pieces, in_order)
    to_go = sets.to_go(np.array([price(each) + pieces.call * each.moves for each in sets.plain]))
    assert to_go[sets.whole] == 0.0
    found = CutSearch(pieces).cheapest(price)
    assert to_go[0] >= found.cost - 1e-9 and (in_order or to_go[0] == pytest.approx(found.cost))
    for done in sets.next:
        ways = [
            price(p) + pieces.call * p.moves + to_go[done | p.bits] for n in sets.next[done] for p in [sets.plain[n]]
        ]
        assert to_go[done] == pytest.approx(min(ways, default=0.0))


def test_few_variants_of_what_reads_many_values_are_looked_at():
    pieces = one_of_many(9)
    assert max(2 ** len(piece.takes) for piece in pieces.plain) >= 512
    found = CutSearch(pieces).cheapest(lambda piece: piece.least)
    assert found.bound == found.cost < inf and not found.tries
    assert len(pieces.kept) < 200


@pytest.mark.parametrize("states", (0, 1, 3))
def test_beyond_the_states_few_of_each_length_are_looked_at_and_the_bound_holds(states: int, monkeypatch):
    pieces = one_of_many(3)
    price = lambda piece: piece.least
    exact = CutSearch(pieces).cheapest(price)
    monkeypatch.setattr("griotte.engine.cutting.search.STATES", states)
    monkeypatch.setattr("griotte.engine.cutting.search.WIDTH", 1)
    found = CutSearch(pieces).cheapest(price)
    assert found.tries == 2 and sum(piece.bits for piece in found.pieces) == (1 << len(pieces.atoms)) - 1
    assert found.bound <= exact.cost + 1e-9 <= found.cost + 2e-9


def test_no_way_up_to_a_cost_is_no_way():
    pieces = one_of_many(2)
    price = lambda piece: inf if piece.cost is None else piece.cost
    found = CutSearch(pieces).cheapest(price)
    assert CutSearch(pieces).cheapest(price, found.cost).cost == found.cost
    assert CutSearch(pieces).cheapest(price, 0.9 * found.cost).cost == inf


def test_a_variant_that_is_left_out_is_no_cheaper_than_one_that_is_not():
    """Whatever is solved: each variant has one among those looked at that gives the same, needs some of its copies
    alone, and has a bound that is no higher."""
    rng = np.random.default_rng(3)
    pieces = one_of_many(4)
    whole = max(pieces.plain, key=lambda piece: len(piece.takes))
    whole.cost = None  # with all values as they are it counts nothing, and copies may lead there
    every = [*pieces.variants(whole)]
    for piece in rng.permutation(np.array(every[1:], object))[:9]:
        piece.cost = 99.0
    pieces.bounded()
    held = (2, *(int(each) for each in rng.integers(1, 4, len(whole.takes) - 1)))
    copies = lambda piece: {
        (n, dict(piece.stored).get(n, 0)) for n, b in zip(piece.takes, held) if not lies(piece, n, b)
    }
    lies = lambda piece, n, bits: bool(bits >> dict(piece.stored).get(n, 0) & 1)
    gives = lambda piece: [dict(piece.stored).get(n, 0) for n in piece.gives]
    taken: list[Piece] = pieces.open_variants(whole, held)
    assert taken and all(piece.cost is None for piece in taken)
    for piece in every:
        if piece.cost is None:
            assert any(
                gives(other) == gives(piece) and copies(other) <= copies(piece) and other.bound <= piece.bound + 1e-9
                for other in taken
            )
