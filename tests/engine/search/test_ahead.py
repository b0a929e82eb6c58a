"""Programs with constants: never dearer than without, right over any data, one packing for all sizes and threads."""

from itertools import islice

import griotte as gt
import numpy as np
import pytest
from checked import agrees
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import Loop, of_call
from griotte.engine.rewrites import edges
from griotte.engine.search.goals import Goals
from griotte.engine.search.kbest import kind
from griotte.engine.search.problem import problem
from griotte.engine.search.rebuild import Rebuild
from griotte.engine.search.recorded import along, path_of
from griotte.engine.search.sizes import SLACK
from griotte.engine.search.solve import Solver
from griotte.engine.search.solved import Solved
from griotte.engine.table import Table
from griotte.lang.meaning.samples import random_arrays
from griotte.support.errors import NoProgramError
from hypothesis import given
from hypothesis import strategies as st
from machines import machine, with_prices
from spaces import by_turns
from strategies import examples, seeds

SPECS = (
    "matmul(f32[33,40], const f32[40,50])",
    "matmul(bf16[1,100], const bf16[100,70]{0,1}) -> f32[1,70]",
    "matmul(u8[20,30], const s8[30,25]) -> s16[20,25]",
    "matmul(f32[3,9,20], const f32[3,20,33])",
    "matmul(f32[150,40], const f32[40,100]{0,1})",
    "sum(const f32[50,60], axis=0)",
)
DTYPES = (
    ("f32", "f32", "f32"),
    ("bf16", "bf16", "f32"),
    ("bf16", "bf16", "bf16"),
    ("u8", "s8", "s16"),
    ("s8", "s8", "s32"),
    ("f64", "f64", "f64"),
)


def cost(text: str, target, threads: int) -> float:
    try:
        return gt.synthesize(text, target, threads, table="none").cost
    except NoProgramError:
        return float("inf")


@pytest.mark.parametrize("threads", (pytest.param(1, marks=pytest.mark.long), 2))
@pytest.mark.parametrize(
    "text, name",
    by_turns(SPECS, ("avx512", "narrow", "paired", "two"), lambda text, name: name == "avx512" and "f32" in text),
)
def test_a_constant_never_costs_more(text, name, threads):
    """The program for one thread is among those for two."""
    assert cost(text, machine(name), threads) <= cost(text.replace("const ", ""), machine(name), threads) * (1 + 1e-6)


@pytest.mark.parametrize("threads", (1, 2))
def test_it_pays_where_the_operand_lies_badly(threads):
    text = "matmul(f32[6,512], const f32[512,256]{0,1})"
    program = gt.synthesize(text, machine("avx512"), threads, table="none")
    assert program.cost < 0.85 * cost(text.replace("const ", ""), machine("avx512"), threads)
    (move,), call = of_call(program.root)
    assert move.copy is not None and (isinstance(call, Loop) and call.threads == 2) == (threads == 2)
    assert (
        str(program).startswith("ahead x1 512x256, panels of ")
        and ", once\n" in str(program)
        and "ahead x1" in program.explain()
    )


@pytest.mark.parametrize("text", SPECS)
def test_over_threads_place_and_loops_are_the_best_pair(text):
    """Every place of the constant, each with its own best loops."""
    target, threads = machine("avx512"), 3
    target = with_prices(target, fork=40.0)
    start = problem(canonical_form(gt.parse(text)), target, threads)
    table = Table(target, start.home, start.ladders)
    Solver(table).solve(start.goal)
    rebuild = Rebuild(table)
    fitting = [e for e in edges(start.goal, target) if e.fits is None or e.fits(start.sizes)]
    apart = [Goals(rebuild).of(edge.body.family, start.sizes, threads).cost for edge in fitting]
    best = Goals(rebuild).of(start.goal, start.sizes, threads)
    assert best.cost == min(apart) and len(apart) > 1
    again = Goals(Rebuild(table)).of(start.goal, start.sizes, threads)
    assert again.cost == best.cost and again.to == best.to


@examples(15)
@given(
    st.tuples(*[st.integers(1, 20)] * 3),
    st.sampled_from(DTYPES),
    st.tuples(*[st.booleans()] * 5),
    st.sampled_from((1, 3)),
    st.sampled_from(("avx512", "narrow", "wide", "two")),
    seeds,
)
def test_programs_mean_their_specs(sizes, dtypes, flips, threads, name, seed):
    (m, n, k), (a, b, c), turned = sizes, dtypes, ["{0,1}" * flip for flip in flips]
    spec = gt.parse(
        f"matmul({'const ' * flips[3]}{a}[{m},{k}]{turned[0]},"
        f" {'const ' * (flips[4] or not flips[3])}{b}[{k},{n}]{turned[1]}) -> {c}[{m},{n}]{turned[2]}"
    )
    target = machine(name)
    target = with_prices(target, fork=1.0)
    program = gt.synthesize(spec, target, threads, table="none")
    arrays = random_arrays(spec, np.random.default_rng(seed), hostile=seed % 2 == 0)
    agrees(spec, arrays, interpret(program.root, spec, *arrays))


@pytest.mark.parametrize("threads", (1, 2))
@pytest.mark.parametrize(
    "text, name",
    [("matmul(f32[<=30,33], const f32[33,50]{0,1})", "avx512"), ("matmul(f32[<=20,40], const f32[40,150])", "narrow")],
)
def test_all_sizes_share_one_packing(text, name, threads):
    spec, target = gt.parse(text), machine(name)
    program = gt.synthesize(spec, target, threads, table="none")
    (move,), _ = of_call(program.root)
    bound = spec.dynamic.bound
    assert sorted(n for sizes, _ in program.groups for n in sizes) == list(range(1, bound + 1))
    assert move.to == of_call(gt.synthesize(spec.at(bound), target, threads, table="none").root)[0][0].to
    placed, start = move.body.state.family, problem(canonical_form(spec), target, threads)
    table = Table(target, start.home, start.ladders)
    Solver(table).solve(placed)
    rebuild = Rebuild(table)
    for n in (1, 7, 13, bound):
        one, size = program.at(n), {**start.sizes, "m": n}
        alone = Goals(rebuild).of(placed, size, threads)
        assert one.root.to == move.to and one.cost <= SLACK * alone.cost * (1 + 1e-5)
        arrays = random_arrays(one.spec, np.random.default_rng(n))
        agrees(one.spec, arrays, interpret(one.root, one.spec, *arrays))


def test_it_is_another_key_in_the_table_and_known_again(tmp_path):
    text, target = "matmul(f32[10,9], const f32[9,40])", machine("two")
    plain = problem(canonical_form(gt.parse(text.replace("const ", ""))), target)
    start = problem(canonical_form(gt.parse(text)), target)
    table = Table(target, start.home, start.ladders)
    assert table.key(start.goal) != table.key(plain.goal)
    for threads in (1, 2):
        first, again = (gt.synthesize(text, target, threads, tmp_path / f"{threads}.griotte") for _ in range(2))
        assert first.stats["specs_solved"] and not again.stats["specs_solved"]
        assert str(first) == str(again) and first.cost == again.cost


@pytest.mark.parametrize("threads", (1, 2))
def test_alternatives_and_kinds_go_beyond_the_place_and_their_paths_lead_back(threads):
    target = machine("two")
    target = with_prices(target, fork=1.0)
    solved = Solved(canonical_form(gt.parse("matmul(f32[6,9], const f32[9,10])")), target, threads)
    kinds = list(islice(solved.kinds(), 60))
    assert len({kind(root) for root in kinds}) == len(kinds) >= 10
    assert len({of_call(root)[0][0].to for root in kinds}) == 2 and {
        getattr(of_call(root)[1], "threads", 1) for root in kinds
    } == set(range(1, threads + 1))
    for root in kinds:
        path = solved.read(lambda rebuild: path_of(root, rebuild.space, threads))
        again = solved.read(lambda rebuild: along(path, root.state, rebuild, threads))
        assert again.cost == pytest.approx(root.cost, rel=1e-6) and kind(again) == kind(root)
