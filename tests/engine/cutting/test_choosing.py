"""The cheapest cut of a model is that of brute force, and few parts are solved to find it."""

from __future__ import annotations

from math import inf

import griotte as gt
import numpy as np
import pytest
from cuts import CALL, drawn, pieces_of
from griotte.compiler.session import Session
from griotte.engine.cutting import (
    ChosenCut,
    CutPieces,
    CutPrices,
    Piece,
    Tolerance,
    atoms_of,
    choose,
    cut_atoms,
    each_alone,
)
from griotte.models.atoms import cut_calls
from griotte.models.graph import GraphBuilder, ModelGraph
from griotte.models.layouts import layouts_of
from griotte.models.pool import Pool
from griotte.models.solving import Solving, closed
from griotte.runtime.leaves import resolved


def priced(pieces: CutPieces, rng: np.random.Generator) -> dict[int, float]:
    """Costs of all pieces, drawn: a join saves nothing, all that it can, or something between."""
    cost: dict[int, float] = {}
    for piece in sorted(pieces.kept.values(), key=lambda p: len(p.atoms)):
        if len(piece.atoms) == 1:
            cost[piece.bits] = float(rng.integers(20, 200))
            continue
        splits = list(pieces.bounds.splits(piece))
        alone = lambda split: sum(cost[sum(1 << i for i in atoms)] for atoms in split)
        least = max(alone(split) - pieces.bounds.saved(split) for split in splits)
        apart = min(map(alone, splits))
        cost[piece.bits] = least + rng.choice([0.0, 0.3, 1.0]) * max(0.0, apart - least)
    return cost


def solved(
    pieces: CutPieces, cost: dict[int, float], gap: float = 0.0, at_once: int = 2
) -> tuple[ChosenCut, list[Piece]]:
    asked: list[Piece] = []

    def solve(pieces: list[Piece]) -> None:
        rounds.append(len(pieces))
        for piece in pieces:
            assert piece.cost is None
            assert cost[piece.bits] >= piece.bound - 1e-6 or len(piece.atoms) == 1
            piece.cost = cost[piece.bits]
            asked.append(piece)

    rounds: list[int] = []
    solve([piece for piece in pieces.singles if piece.cost is None])
    found = choose(pieces, solve, Tolerance(gap), at_once)
    assert all(count <= at_once for count in rounds[1:])
    return found, asked


def brute_force(pieces: CutPieces, cost: dict[int, float]) -> float:
    """The least cost of all ways to take the atoms in pieces that can be put in an order."""
    count, best = len(pieces.atoms), inf
    views = {piece.bits for piece in pieces.singles if piece.cost == 0.0}

    def is_ordered(taken: list[int]) -> bool:
        done, left = 0, list(taken)
        while left:
            ready = [bits for bits in left if not pieces.kept[bits, ()].needs & ~done]
            if not ready:
                return False
            done |= ready[0]
            left.remove(ready[0])
        return True

    def extend(covered: int, taken: list[int], total: float) -> None:
        nonlocal best
        if total >= best:
            return
        if covered == (1 << count) - 1:
            best = total if is_ordered(taken) else best
            return
        first = next(i for i in range(count) if not covered >> i & 1)
        for bits, _ in pieces.kept:
            if bits >> first & 1 and not bits & covered:
                own = 0.0 if bits in views else cost[bits] + pieces.call
                extend(covered | bits, [*taken, bits], total + own)

    extend(0, [], 0.0)
    return best


@pytest.mark.parametrize("seed", range(120))
def test_the_cheapest_cut_is_that_of_brute_force(seed: int):
    rng = np.random.default_rng(seed)
    pieces = pieces_of(drawn(rng, 7))
    cost = priced(pieces, rng)
    found, asked = solved(pieces, cost)
    assert found.cut.cost == pytest.approx(brute_force(pieces, cost))
    assert found.bound == pytest.approx(found.cut.cost)
    assert len(asked) <= len(pieces.kept)
    assert sum(piece.bits for piece in found.cut.pieces) == (1 << len(pieces.atoms)) - 1


@pytest.mark.parametrize("seed", range(20))
def test_a_gap_is_kept_and_spares_searches(seed: int):
    rng = np.random.default_rng(seed)
    graph = drawn(rng, 9)
    cost = priced(pieces_of(graph), np.random.default_rng(seed))
    exact, most = solved(pieces_of(graph), cost)
    loose, fewer = solved(pieces_of(graph), cost, gap=0.2)
    assert len(fewer) <= len(most)
    assert loose.bound <= exact.cut.cost + 1e-6
    assert loose.cut.cost * (1 - 0.2) <= exact.cut.cost + 1e-6


@pytest.mark.parametrize("seed", range(10))
def test_several_at_a_time_find_the_same_in_fewer_rounds(seed: int):
    graph = drawn(np.random.default_rng(seed), 9)
    cost = priced(pieces_of(graph), np.random.default_rng(seed))
    rounds = dict[int, int]()
    for at_once in (1, 4):
        pieces, asked = pieces_of(graph), list[int]()

        def solve(pieces: list[Piece]) -> None:
            asked.append(len(pieces))
            for piece in pieces:
                piece.cost = cost[piece.bits]

        solve([piece for piece in pieces.singles if piece.cost is None])
        found = choose(pieces, solve, Tolerance(), at_once, searched=lambda piece: cost[piece.bits])
        assert found.cut.cost == pytest.approx(brute_force(pieces_of(graph), cost))
        rounds[at_once] = len(asked)
    assert rounds[4] <= rounds[1]


def test_beyond_the_states_parts_are_taken_in_one_order(monkeypatch):
    rng = np.random.default_rng(1)
    graph = drawn(rng, 9)
    cost = priced(pieces_of(graph), rng)
    exact, _ = solved(pieces_of(graph), cost)
    monkeypatch.setattr("griotte.engine.cutting.search.SETS", 1)
    bounded, _ = solved(pieces_of(graph), cost)
    assert bounded.cut.cost >= exact.cut.cost - 1e-6
    assert bounded.in_order and not exact.in_order


@pytest.mark.parametrize("seed", range(3))
def test_a_searched_part_costs_no_less_than_its_bound(seed: int):
    """With costs of real searches."""
    graph = drawn(np.random.default_rng(200 + seed), 4, size=24)
    target = resolved("avx2")
    with Pool(Session(target, 1, "none", effort=3), workers=1) as pool:
        solving = Solving(graph, pool)
        solving.price(solving.pieces.kept.values())
        cost = {piece.bits: piece.cost for piece in solving.pieces.kept.values()}
        fresh = Solving(graph, pool).pieces
        found, _ = solved(fresh, cost)  # which asserts each bound
    assert found.cut.cost == pytest.approx(brute_force(fresh, cost))


def images(rng: np.random.Generator, calls: int) -> ModelGraph:
    """A model of random calls over images, whose values may lie with channels last."""
    builder = GraphBuilder()
    values = [builder.input(gt.tensor((1, 4, 3, 3)), "x")]
    weights = builder.constant(np.ones((4, 4, 1, 1), np.float32))
    for _ in range(calls):
        x, y = (values[int(i)] for i in rng.integers(max(0, len(values) - 3), len(values), 2))
        kind = rng.integers(3)
        if kind == 0:
            values.append(builder.call("conv2d", x, weights))
        elif kind == 1:
            values.append(builder.call("add", x, y))
        else:
            values.append(builder.call("max_pool2d", x, window=1, stride=1))
    return closed(builder.graph({"y": values[-1]}))


def any_layouts(pieces: CutPieces, cost) -> float:
    """The least cost of all sequences of parts: any atom may come next, each in each layout, and nothing is
    remembered."""
    whole, best = (1 << len(pieces.atoms)) - 1, inf

    def extend(done: int, lies: dict[int, frozenset[int]], total: float) -> None:
        nonlocal best
        if total >= best:
            return
        if done == whole:
            best = total
            return
        for i, plain in enumerate(pieces.singles):
            if done >> i & 1 or plain.needs & ~done:
                continue
            for piece in pieces.variants(plain):
                ways, now, more = dict(piece.stored), dict(lies), 0.0
                for n in piece.takes:
                    way = ways.get(n, 0)
                    if way not in now[n]:
                        more += 7.0 + pieces.call
                        now[n] = now[n] | {way}
                now |= {n: frozenset({ways.get(n, 0)}) for n in piece.gives}
                extend(done | plain.bits, now, total + more + cost(piece) + pieces.call * piece.moves)

    extend(0, {}, 0.0)
    return best


@pytest.mark.parametrize("seed", range(30))
def test_layouts_are_those_of_brute_force(seed: int):
    rng = np.random.default_rng(seed)
    graph = images(rng, 5)
    copying = lambda value, now, then: 7.0
    pieces = pieces_of(graph, lambda value: 30.0, copying)
    known: dict[tuple, float] = {}

    def cost(piece: Piece) -> float:
        if piece.copies is not None or not piece.moves:
            return piece.cost or 0.0
        own = np.random.default_rng([seed, piece.bits, *(x for each in piece.stored for x in each)])
        return known.setdefault((piece.bits, piece.stored), float(own.integers(20, 60) * len(piece.atoms)))

    def solve(pieces: list[Piece]) -> None:
        for piece in pieces:
            piece.cost = cost(piece)

    solve(pieces.singles)
    for piece in pieces.singles:
        piece.floor = 20.0 * piece.moves  # no atom costs less, whatever its layouts
    least = lambda piece: cost(piece) if len(piece.atoms) < 2 else inf
    monkey = pieces_of(graph, lambda value: 30.0, copying)
    for bits in [key for key in monkey.kept if len(monkey.kept[key].atoms) > 1]:
        del monkey.kept[bits], pieces.kept[bits]  # atoms alone: of several the bounds are tested above
    found = choose(pieces, solve, Tolerance(), 2)
    assert found.cut.cost == pytest.approx(any_layouts(monkey, least))
    assert len(pieces.flexible) > 0 or len(pieces.atoms) < 2


def test_what_spares_a_copy_is_solved():
    """The cheapest cut by bounds has nothing that may save enough, the best one has copies that cost as much: what
    gives and reads what they copy is solved in the layout of the other side, too."""
    pieces = chain(5, copy=50.0)
    before, middle, behind = 1, 2, 3  # atoms; value n is what atom n gives
    costs = {(1 << middle, ()): 400.0, (1 << middle, ((before, 1), (middle, 1))): 10.0}
    costs |= {(1 << before, ((before, 1),)): 100.0, (1 << behind, ((middle, 1),)): 100.0}
    asked: list[Piece] = []

    def solve(those: list[Piece]) -> None:
        asked.extend(those)
        for piece in those:
            others = 500.0 if piece.stored else 100.0
            piece.cost = costs.get((piece.bits, piece.stored), others if len(piece.atoms) == 1 else inf)

    solve(pieces.singles)
    for piece in pieces.singles:
        piece.floor = 5.0 if piece.bits == 1 << middle else 95.0
    found = choose(pieces, solve, Tolerance(least=0.09), 2)
    assert not any(piece.copies for piece in found.cut.pieces)
    assert found.cut.cost == pytest.approx(410.0 + 5 * CALL)
    assert len(asked) < len(pieces.kept)


def chain(calls: int, copy: float, saving: float = 0.0) -> CutPieces:
    """The pieces of convolutions of pixels in a row; value n is what atom n gives."""
    builder = GraphBuilder()
    value = builder.input(gt.tensor((1, 4, 5, 5)), "x")
    for i in range(calls):
        value = builder.call("conv2d", value, builder.constant(np.full((4, 4, 1, 1), i + 1, np.float32)))
    graph = closed(builder.graph({"y": value}))
    return pieces_of(graph, lambda value: saving, lambda value, now, then: copy)


@pytest.mark.parametrize("cost", (120.0, 10.0))
def test_what_is_there_for_the_sake_of_others_is_asked_for_after_these(cost: float):
    """The middle one of five may be much cheaper in another layout, its neighbours are dearer there by their bounds.
    They are asked for only where the middle one is cheaper."""
    pieces, middle, asked = chain(5, copy=200.0), 2, list[Piece]()

    def solve(those: list[Piece]) -> None:
        asked.extend(those)
        for piece in those:
            own = cost if piece.bits == 1 << middle and len(piece.stored) == 2 else 140.0
            piece.cost = (own if piece.stored else 100.0) if len(piece.atoms) == 1 else inf

    solve(pieces.singles)
    for piece in pieces.singles:
        piece.floor = 5.0 if piece.bits == 1 << middle else 130.0
    for bits in [bits for bits, _ in pieces.kept if bits.bit_count() > 1]:
        del pieces.kept[bits, ()]
    found = choose(pieces, solve, Tolerance(), 4)
    others = [piece for piece in asked if piece.stored and piece.bits != 1 << middle]
    assert found.cut.cost == pytest.approx(5 * CALL + (500.0 if cost > 100 else 490.0))
    assert not others if cost > 100 else others
    assert found.gap == pytest.approx(0.0)


def test_several_atoms_come_after_those_that_their_bound_rests_upon():
    """In another layout two atoms may be cheap as one only if the first is, alone; it is not, which spares them."""
    pieces, asked = chain(3, copy=50.0, saving=20.0), list[Piece]()

    def solve(those: list[Piece]) -> None:
        asked.extend(those)
        for piece in those:
            piece.cost = 150.0 if piece.stored else 100.0 * len(piece.atoms)

    solve(pieces.singles)
    for piece in pieces.singles:
        piece.floor = 10.0
    pieces.bounded()
    both = pieces.variant(pieces.kept[0b110, ()], ((0, 1),))
    rests = [(own.atoms, stored) for own, stored in pieces.bounds.rests_on(both)]
    assert rests == [((1,), ((0, 1),))]
    assert both.bound == pytest.approx(10.0 + 100.0 - 20.0 - CALL)
    pieces.variant(pieces.singles[1], ((0, 1),)).cost = 150.0
    pieces.bounded()
    assert both.bound == pytest.approx(150.0 + 100.0 - 20.0 - CALL) and not [*pieces.bounds.rests_on(both)]
    choose(pieces, solve, Tolerance(), 2)
    assert both not in asked


def test_caution_counts_for_several_atoms_as_for_one():
    """What a piece counts in other layouts it counts of all that its atoms cost."""
    builder = GraphBuilder()
    value = builder.input(gt.tensor((1, 4, 5, 5)), "x")
    for i in range(3):
        value = builder.call("conv2d", value, builder.constant(np.full((4, 4, 1, 1), i + 1, np.float32)))
    calls = cut_calls(graph := closed(builder.graph({"y": value})))
    layouts = lambda value: layouts_of(graph, value)
    prices = CutPrices(lambda value: 20.0, CALL, lambda value, now, then: 50.0, layouts, lambda layout: 1.5)
    pieces = CutPieces(cut_atoms(calls, atoms_of(calls)), prices)
    for piece in pieces.singles:
        piece.cost, piece.floor = 100.0, 90.0
    pieces.bounded()
    both = pieces.variant(pieces.kept[0b110, ()], ((0, 1),))
    assert pieces.caution(both) == 1.5
    assert both.bound == pytest.approx(1.5 * max(180.0, 90.0 + 100.0 - 20.0 - CALL))


def test_what_others_read_too_is_written_all_the_same():
    """Two atoms save the reading of a value that a third one reads as well, and no writing."""
    builder = GraphBuilder()
    value = builder.call("relu", builder.input(gt.tensor((8, 8)), "x"))
    first, second = builder.call("softmax", value, axis=1), builder.call("softmax", value, axis=0)
    pieces = pieces_of(closed(builder.graph({"y": first, "z": second})))
    for i, cycles in enumerate((5.0, 7.0, 11.0)):
        pieces.bounds.met(i, {value: cycles}, 0.0)
    assert pieces.readers_of(value) == {1, 2} and pieces.readers_of(first) == set()
    assert pieces.bounds.saved([(0,), (1,)]) == pytest.approx(CALL + 7.0)
    assert pieces.bounds.saved([(0,), (1,), (2,)]) == pytest.approx(2 * CALL + 5.0 + 7.0 + 11.0)
    assert pieces.bounds.saved([(1,), (2,)]) == pytest.approx(CALL + 11.0)


def test_what_may_make_a_cut_cheaper_is_told_before_it_is_asked():
    """All that is asked for was told in the same round, but for what comes once that saves nothing."""
    rng, told = np.random.default_rng(3), 0
    for _ in range(20):
        pieces = pieces_of(drawn(rng, 6))
        cost, looked = priced(pieces, rng), list[tuple[list[Piece], float]]()

        def solve(asked: list[Piece], cost=cost, looked=looked) -> None:
            if looked:
                wide, short = looked[-1]
                assert id(asked[0]) in set(map(id, wide)) and all(each.cost is None for each in wide)
                assert 0 < short < 1
            for piece in asked:
                piece.cost = cost[piece.bits]

        solve([piece for piece in pieces.singles if piece.cost is None])
        choose(pieces, solve, Tolerance(), 2, note=lambda *both, looked=looked: looked.append(both))
        told += len(looked)
    assert told


def test_each_alone_is_the_cut_when_nothing_else_is_solved():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        pieces = pieces_of(drawn(rng, 7))
        cost = priced(pieces, rng)
        for piece in pieces.singles:
            piece.cost = cost[piece.bits]
        found, chosen = each_alone(pieces), choose(pieces, lambda asked: None, Tolerance(inf, inf, inf), 2)
        assert found.cut.pieces == pieces.singles and found.cut.cost == pytest.approx(chosen.cut.cost)
        assert (found.solved, found.possible, found.gap) == (0, 0, 0)
