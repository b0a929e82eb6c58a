"""A product's result that a reduction takes from registers: where that applies, that it means the same, what it costs,
and the C, on data of all kinds."""

import griotte as gt
import numpy as np
import pytest
from brute_force import equals_brute_force
from features import skip_without
from generated_harness import Case, assert_right
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import execute, interpret
from griotte.engine.program.nodes import Hole, KernelCall, walk
from griotte.engine.rewrites import Batch, Finish, Fold, Inline, child_state, edge_node, edges, tilings
from griotte.engine.search.problem import problem
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.family import State
from griotte.support.errors import NoProgramError
from hypothesis import given
from hypothesis import strategies as st
from machines import machine, with_prices
from rewriting import steps, tile_arrays, whole
from strategies import examples, seeds

FORMS = (
    "max(matmul({f}[{0},{1}], {f}[{1},{2}]){to}, axis=1)",
    "min(matmul({f}[{0},{1}], {f}[{1},{2}]{{0,1}}){to}, axis=0)",
    "sum(abs(matmul({f}[{0},{1}]{{0,1}}, {f}[{1},{2}]){to}), axis=1)",
    "max(add(matmul({f}[{0},{1}], {f}[{1},{2}]){to}, {t}[{2}]), axis=1)",
    "max(matmul({f}[2,{0},{1}], {f}[2,{1},{2}]){to3}, axis=2)",
    "sum(mul(matmul({f}[{0},{1}], {f}[{1},{2}]){to}, {t}[{0},{2}]), axis=0)",
    "max(matmul({f}[2,{0},{1}], {f}[2,{1},{2}]){to3}, axis=(0,1))",
)
DTYPES = {"f32": "f32", "f64": "f64", "bf16": "f32", "u8": "s32"}
MACHINES = ("avx512", "avx2", "two", "narrow", "plain", "paired")
WAYS = (
    "max(matmul(f32[13,10], f32[10,57]), axis=1)",
    "min(matmul(f32[40,9], f32[9,23]{0,1}), axis=1)",
    "sum(exp(add(matmul(f32[19,7], f32[7,31]), f32[31])), axis=1)",
    "max(matmul(bf16[21,8], bf16[8,33]) -> f32[21,33], axis=1) -> bf16[21]",
    "max(matmul(f32[3,9,6], f32[3,6,17]), axis=1)",
)


def form(rng, size: int) -> str:
    m, k, n = (int(x) for x in rng.integers(2, size, 3))
    f = str(rng.choice(list(DTYPES)))
    to, to3 = ("", "") if DTYPES[f] == f else (f" -> {DTYPES[f]}[{m},{n}]", f" -> {DTYPES[f]}[2,{m},{n}]")
    return str(rng.choice(FORMS)).format(m, k, n, f=f, t=DTYPES[f], to=to, to3=to3)


def start(text: str, target) -> State:
    """The graph of a product and what reduces it, at one index of a batch dimension, with all in the reduction that may
    be."""
    state = whole(text, target)
    while first := next(
        (e for e in edges(state.family, target) if isinstance(e.rewrite, (Batch, Inline, Finish))), None
    ):
        state = child_state(first.children[0], state)
    return state


def fold(state: State, target):
    (found,) = [e for e in edges(state.family, target) if isinstance(e.rewrite, Fold)]
    return found


@examples(40)
@given(seeds, st.sampled_from(MACHINES))
def test_it_means_what_the_two_nests_do(seed, name):
    rng, target = np.random.default_rng(seed), machine(name)
    state = start(form(rng, 9), target)
    edge = fold(state, target)
    before = tile_arrays(state, rng)
    if before[0].dtype == np.float32 and rng.random() < 0.5:
        before[0].flat[rng.integers(before[0].size, size=3)] = np.nan, -np.inf, 0
    after = [a.copy() for a in before]
    execute(Hole(state), before)
    execute(edge_node(edge, state, target, (Hole(child_state(edge.children[0], state)),)), after, target)
    np.testing.assert_array_equal(after[-1], before[-1])


@examples(40)
@given(seeds, st.sampled_from(MACHINES))
def test_so_does_any_program_of_it(seed, name):
    """Loops, copies, threads and leaves in turn, holes and all."""
    rng, target = np.random.default_rng(seed), machine(name)
    state = start(form(rng, 9), target)
    inner = child_state(fold(state, target).children[0], state)

    def grown(state: State, depth: int, is_goal: bool = False):
        possible = steps(state, target, goal=is_goal) if depth and state.family.operation.is_lone else []
        kinds = sorted({s.kind for s in possible})
        if not kinds:
            return Hole(state)
        chosen = str(rng.choice(kinds))
        step = [s for s in possible if s.kind == chosen][rng.integers(sum(s.kind == chosen for s in possible))]
        return step.node(tuple(grown(child, depth - 1) for child in step.states))

    before = tile_arrays(inner, rng)
    after = [a.copy() for a in before]
    execute(Hole(inner), before)
    execute(grown(inner, 6, True), after, target)
    np.testing.assert_allclose(after[-1], before[-1])


@pytest.mark.parametrize(
    "text",
    [
        "max(matmul(f32[3,2], f32[2,3]), axis=1)",
        "sum(exp(matmul(f32[2,3], f32[3,2])), axis=0)",
        "min(matmul(f32[2,2,2], f32[2,2,2]), axis=2)",
    ],
)
@pytest.mark.parametrize("name", ["two", "narrow", "plain"])
def test_the_solver_equals_brute_force(text, name):
    """Of the graph, and of what is folded by itself."""
    target = machine(name)
    found, state = problem(canonical_form(gt.parse(text)), target), start(text, target)
    for goal in (found.goal, child_state(fold(state, target).children[0], state).family):
        equals_brute_force(canonical_form(gt.parse(text)), target, goal)


def by_hand(text: str, target) -> gt.Program:
    schedule = gt.schedule(text, target)
    schedule = schedule.tile("b0", 1) if "b0" in schedule.holes[0].state.size else schedule
    return gt.synthesize(schedule.fold("matmul"), target, table="none")


@pytest.mark.parametrize("name", ["avx512", "avx2", "portable"])
def test_its_programs_mean_what_the_spec_does(name):
    for text in WAYS:
        target, spec = machine(name), gt.parse(text)
        program = by_hand(text, target)
        assert "matmul in registers, folded there" in str(program) and " across " in str(program)
        for hostile in (False, True):
            arrays = random_arrays(spec, np.random.default_rng(1), hostile)
            assert compare(spec, arrays, interpret(program.root, spec, *arrays, target=target))[1], text


def test_the_c_is_right_under_sanitizers(tmp_path):
    target = machine("avx2")
    made = [(gt.parse(text), by_hand(text, target).root) for text in WAYS[2:4]]
    cases = [Case.drawn(root, spec, seed) for seed, (spec, root) in enumerate(made)]
    assert_right(cases, target, tmp_path)


@pytest.mark.parametrize("text", WAYS)
def test_so_it_is_optimized(text):
    target = machine("avx512")
    skip_without(target.features)
    spec, kernel = gt.parse(text), by_hand(text, target).compile()
    for seed in range(3):
        arrays = random_arrays(spec, np.random.default_rng(seed), seed == 2)
        assert compare(spec, arrays, kernel(*arrays))[1], text


@pytest.mark.parametrize("combine", ["max", "min", "sum"])
def test_rows_of_odd_numbers_come_out_as_they_do_of_whole_results(combine):
    """A NaN, an infinity of each kind and both, all of one kind, all equal, zeros of both signs."""
    text = f"{combine}(matmul(f32[24,3], f32[3,50]), axis=1)"
    spec, rng = gt.parse(text), np.random.default_rng(3)
    x, w = rng.standard_normal((24, 3), np.float32), np.abs(rng.standard_normal((3, 50), np.float32)) + 1
    x[1, 1], x[3, 0], x[5, 2], x[7], x[9], x[11], x[13] = (
        np.nan,
        np.inf,
        -np.inf,
        (np.inf, -np.inf, 0),
        -np.inf,
        0,
        -0.0,
    )
    x[15], x[17] = 3e38, np.nan
    expected = gt.interpret(spec, x, w)
    assert np.isnan(expected[[1, 7, 17]]).all() and np.isinf(expected[[3, 5, 9]]).all()
    np.testing.assert_allclose(by_hand(text, machine("portable")).compile()(x, w), expected, rtol=1e-5, atol=1e-6)


def test_threads_share_what_is_folded_and_join_it():
    target = machine("avx512")
    spec = gt.parse("max(matmul(f32[16,8], f32[8,256]), axis=1)")
    program = gt.synthesize(
        spec,
        with_prices(target, fork=0.0),
        threads=2,
        table="none",
    )
    assert "parallel n by 128" in str(program) and "maximum across n" in str(program) and "join:" in str(program)
    arrays = random_arrays(spec, np.random.default_rng(0))
    assert compare(spec, arrays, interpret(program.root, spec, *arrays, target=target))[1]


def test_no_loop_cuts_what_is_summed_before_it_is_folded():
    target = machine("avx2")
    state = start(WAYS[0], target)
    inner = child_state(fold(state, target).children[0], state)
    assert {d for d in "mnk" for tiling in tilings(inner.family) if tiling.dim == d} == {
        "m",
        "n",
    } and inner.family.operation.splits == ("n",)
    leaves = [
        node
        for node in walk(by_hand("max(matmul(f32[30,400], f32[400,40]), axis=1)", target).root)
        if isinstance(node, KernelCall) and node.state.family.nest.fold
    ]
    assert leaves and all(node.state.size["k"] == 400 for node in leaves)
    with pytest.raises(NoProgramError, match="expected a dimension of which a tile can be computed alone"):
        gt.schedule(WAYS[0], target).fold("matmul").tile("k", 2)


@pytest.mark.parametrize(
    "text",
    [
        "outputs(%t: matmul(f32[9,5], f32[5,8]), max(%t, axis=1))",  # wanted by itself
        "softmax(matmul(f32[9,5], f32[5,8]))",  # read twice
        "max(matmul(f32[9,5], f32[5,8]))",  # of all: no dimension for the lanes
        "max(matmul(u8[9,5], s8[5,8]) -> s8[9,8], axis=1)",  # cut to what s8 holds, between
        "max(add(f32[9,8], f32[8]), axis=1)",  # of no product
        "max(conv2d(f32[1,3,6,6], f32[4,3,3,3]), axis=1)",  # of windows
        "sqrt(max(matmul(f32[9,5], f32[5,8]), axis=1))",  # with more behind it
    ],
)
def test_where_it_does_not_apply(text):
    target = machine("avx512")
    assert not [
        e for e in edges(problem(canonical_form(gt.parse(text)), target).goal, target) if isinstance(e.rewrite, Fold)
    ]
