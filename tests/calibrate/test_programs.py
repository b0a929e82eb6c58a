"""Drawn programs: right, different from each other, and found again by their outlines."""

import json

import numpy as np
import pytest
from griotte.calibrate.count import count
from griotte.calibrate.draw import Drawer, spread
from griotte.calibrate.outline import outline
from griotte.calibrate.programs import Goal, code
from griotte.calibrate.samples import _tuple
from griotte.program.nodes import Move, walk
from griotte.search.solved import Solved
from griotte.spec.compare import compare
from griotte.spec.samples import random_arrays
from griotte.targets import resolve
from machines import machine

SPECS = (
    ("matmul(f32[19,40], f32[40,33])", 1),
    ("matmul(bf16[17,24], bf16[24,50]{0,1}) -> f32[17,50]", 2),
    ("transpose(f32[20,37])", 1),
    ("sum(f32[300,500], axis=0)", 2),
)


def drawn(text, threads, target="native", number=6, seed=0):
    goal = Goal(text, threads, resolve(target))
    return goal, goal.draw(np.random.default_rng(seed), number)


@pytest.mark.parametrize("text, threads", SPECS)
def test_drawn_programs_compute_their_spec(text, threads):
    goal, programs = drawn(text, threads)
    arrays = random_arrays(goal.spec, np.random.default_rng(1), hostile=True)
    for program in programs:
        _, ok, complaint = compare(goal.spec, arrays, program.compile()(*arrays))
        assert ok, complaint


@pytest.mark.parametrize("text, threads", SPECS)
def test_the_best_comes_first_and_no_two_are_the_same_c(text, threads):
    goal, programs = drawn(text, threads)
    assert programs[0].cost == pytest.approx(goal.best().cost, rel=1e-5)
    assert len(programs) > 1 and len({code(p) for p in programs}) == len(programs)
    assert min(p.cost for p in programs) >= programs[0].cost * (1 - 1e-5)


@pytest.mark.parametrize("text, threads", SPECS)
def test_price_is_coefficients_times_count(text, threads):
    goal, programs = drawn(text, threads, "avx2")
    for program in programs:
        assert goal.target.cost(count(program.root, goal.target)) == pytest.approx(program.cost, rel=1e-9)


@pytest.mark.parametrize("text, threads", SPECS)
def test_an_outline_finds_its_program_again(text, threads):
    goal, programs = drawn(text, threads)
    for program in programs:
        kept = _tuple(json.loads(json.dumps(outline(program.root))))
        again = goal.program(kept)
        assert code(again) == code(program) and again.cost == pytest.approx(program.cost, rel=1e-9)


def test_views_move_to_where_they_cost_least():
    goal = Goal("matmul(f32[64,100], f32[100,96])", 1, machine("avx2"))
    best = goal.best()
    assert {n.operand for n in walk(best.root) if isinstance(n, Move) and n.copy is None and n.to.level > 0} == {0, 1}
    for operand in (0, 1):
        bare = _without_views(outline(best.root), operand)
        assert bare != outline(best.root)
        assert goal.program(bare).cost == pytest.approx(best.cost, rel=1e-5)


def _without_views(wanted, operand):
    if wanted is None:
        return None
    inner = wanted[1] if wanted[0].startswith(f"view {operand} ") else None
    return _without_views(inner, operand) if inner else (wanted[0], *(_without_views(part, operand) for part in wanted[1:]))


@pytest.mark.parametrize("wrong", [("tile m 7",), ("nothing",), ("tile m 8", None, None, None), ("parallel m by 8 over 2", None)])
def test_an_outline_of_no_program_finds_none(wrong):
    assert Goal(*SPECS[0], resolve("avx2")).program(wrong) is None


def test_equal_seeds_draw_equal_programs():
    roots = [Drawer(Solved(Goal(*SPECS[0], resolve("avx2")).canonical, resolve("avx2")), np.random.default_rng(3)) for _ in range(2)]
    assert [outline(d.program()) for d in (roots[0],) * 5] == [outline(d.program()) for d in (roots[1],) * 5]


def test_spread_takes_half_near_the_best():
    prices = [1.0, 1.01, 1.02, 1.03, 1.1, 1.14, 1.5, 1.6, 2.0, 3.0, 5.0, 7.0, 100.0]
    found = [prices[i] for i in spread(prices, 8)]
    assert found[0] == 1.0 and sum(p <= 1.15 for p in found) == 4 and max(found) == 5.0
    assert spread([3.0], 8) == [0]
