"""Copies that threads make together: found where each would make its own of the same, right, in the table, and within
reach by hand."""

from dataclasses import replace
from functools import cache
from itertools import islice

import griotte as gt
import numpy as np
import pytest
from checked import within_bounds
from counting import count
from features import skip_without
from generated_harness import Case, assert_right
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import over_threads, walk
from griotte.engine.rewrites import share_edges
from griotte.engine.search.goals import Goals, cheapest_grid
from griotte.engine.search.problem import problem
from griotte.engine.search.recorded import along, path_of
from griotte.engine.search.solved import Solved
from griotte.engine.search.space import ParallelGoal
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.samples import random_arrays
from machines import machine, with_prices

TARGET = machine("avx512")
FREE = {name: 0.0 for name in TARGET.coefficient if name.startswith("handover.")}
# what others wrote costs no more than what a core wrote itself
AT_HAND = with_prices(TARGET, **FREE)
# so that small problems share too
CHEAP = with_prices(TARGET, **FREE, fork=20.0)
BADLY = "matmul(f32[64,96], f32[96,128]{0,1})"  # whose second operand has to be turned
SIZES = ((33, 40, 50), (7, 19, 65), (64, 64, 64), (5, 3, 130))
DTYPES = (
    ("f32", "f32", "f32", {}),
    ("bf16", "bf16", "f32", {"group": 2}),
    ("f16", "f16", "f32", {"dtype": "f32"}),
    ("u8", "s8", "s32", {"group": 4}),
)


def by_hand(text: str, wanted: dict) -> gt.Program:
    m, n = (canonical_form(gt.parse(text)).size[d] for d in "mn")
    shared = gt.schedule(text, TARGET).move(1, "L1", panel=16, **wanted).tile("m", -(-m // 2), parallel=2)
    return gt.synthesize(shared.at(0).tile("n", 16, parallel=2) if n > 16 else shared, table="none")


def best_of_grids(rebuild, state, threads: int):
    """The best program of a goal over threads without a copy for all of them."""
    goal = ParallelGoal(state.family, state.sizes, threads)
    return Goals(rebuild).begun(goal, rebuild.space.over(goal.state, cheapest_grid(rebuild, goal)))


@cache
def all_by_hand() -> list[tuple]:
    return [
        (gt.parse(text), by_hand(text, wanted).root)
        for m, k, n in SIZES
        for x, y, z, wanted in DTYPES
        for text in [f"matmul({x}[{m},{k}], {y}[{k},{n}]) -> {z}[{m},{n}]"]
    ]


def test_the_c_is_right_at_odd_sizes(tmp_path):
    cases = [Case.drawn(root, spec, seed) for seed, (spec, root) in enumerate(all_by_hand())]
    assert all(case.root.shared for case in cases)
    assert_right(cases, TARGET, tmp_path)


def test_it_means_what_the_spec_does():
    for spec, root in all_by_hand():
        arrays = random_arrays(spec, np.random.default_rng(1))
        assert compare(spec, arrays, interpret(root, spec, *arrays, target=TARGET))[1], spec


@pytest.mark.parametrize(
    "text, threads",
    [
        ("matmul(f32[1024,128], f32[128,512])", 32),
        pytest.param("matmul(bf16[512,512], bf16[512,512]) -> f32[512,512]", 4, marks=pytest.mark.long),
    ],
)
def test_it_is_found_where_each_thread_would_pack_the_same(text, threads):
    program = gt.synthesize(text, AT_HAND, threads, table="none")
    copy = next(node for node in walk(program.root) if getattr(node, "shared", False))
    assert copy.state == program.root.state and over_threads(copy.body) and " for all threads\n" in str(program)
    apart = program._search.read(lambda rebuild: best_of_grids(rebuild, program.root.state, threads))
    assert program.cost < apart.cost
    assert not getattr(gt.synthesize(text, TARGET, threads, table="none").root, "shared", False)


def test_each_line_of_the_copy_is_handed_over_once():
    program = by_hand("matmul(f32[64,60], f32[60,64])", {})
    counted = count(program.root, TARGET)
    assert program.root.shared and counted["handover.L1"] == 64 * 60 * 4 / 64 / 2  # by two threads
    assert program.cost == pytest.approx(sum(TARGET.coefficient[name] * n for name, n in counted.items()))


def test_two_threads_and_no_fork_to_pay():
    skip_without(CHEAP.features)
    program = gt.synthesize(BADLY, CHEAP, 2, table="none")
    assert program.root.shared
    within_bounds(program, 0)


def test_it_is_not_for_one_thread_nor_for_any_size():
    for spec, threads in ((BADLY, 1), (BADLY.replace("64,96", "<=64,96"), 2)):
        root = gt.synthesize(spec, CHEAP, threads, table="none").root
        assert not any(getattr(node, "shared", False) for node in walk(root))


def test_the_table_remembers_it(tmp_path):
    first, again = (gt.synthesize(BADLY, CHEAP, 2, tmp_path / "a.griotte") for _ in range(2))
    assert (
        first.root.shared and str(again) == str(first) and again.cost == first.cost and again.stats["specs_solved"] == 0
    )


def test_alternatives_and_kinds_have_it_and_their_paths_lead_back():
    solved = Solved(canonical_form(gt.parse(BADLY)), CHEAP, 2)
    costs = [program.cost for program in solved.cheapest(50)]
    kinds = list(islice(solved.kinds(), 12))
    assert costs == sorted(costs) and {getattr(root, "shared", False) for root in kinds} == {True, False}
    for root in kinds:
        path = solved.read(lambda rebuild: path_of(root, rebuild.space, 2))
        assert solved.read(lambda rebuild: along(path, root.state, rebuild, 2)).cost == pytest.approx(root.cost)


@pytest.mark.parametrize("text", ["matmul(f32[192,192], f32[192,192])", "matmul(f32[192,192], const f32[192,192])"])
def test_copies_that_threads_share_rest_in_the_last_cache_where_nothing_is_counted(text):
    """In slivers too, which only follow once the other input is in panels."""
    wide = machine("avx512")
    levels = (
        wide.levels[0],
        *(
            replace(x, capacity=capacity, share=share)
            for x, capacity, share in zip(wide.levels[1:], (4096, 32768, 1 << 18), (0.5, 0.5, 0.0))
        ),
        wide.levels[-1],
    )
    target = replace(wide, levels=levels)
    program = gt.synthesize(text, target, threads=2, table="none")
    assert program.cost > 0
    family = problem(program.canonical, target, 2).goal
    found = [edge.rewrite.to.level for edge in share_edges(replace(family, ahead=()), target, 2)]
    assert found and set(found) == {3}
