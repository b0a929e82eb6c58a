"""Loops, bufferize, inline, finish and what else takes a graph of nests apart keep its meaning, at odd sizes, one after
the other."""

import numpy as np
from drawn.graphs import random_graph, random_outputs
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import execute
from griotte.engine.program.nodes import Hole
from griotte.engine.rewrites import child_state, edge_node, edges
from griotte.engine.search.problem import problem
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st
from machines import machine
from rewriting import Step, adding, loops, tile_arrays
from strategies import examples, seeds

WIDE = {"f32", "f64", "s32", "s64"}  # of narrower ones what is between nests may or may not be rounded


@examples(60, suppress_health_check=[HealthCheck.filter_too_much])
@given(seeds, st.sampled_from(("avx512", "two", "narrow")))
def test_a_graph_taken_apart_means_the_same(seed, name):
    rng = np.random.default_rng(seed)
    means_the_same(random_graph(rng, 9, 6), rng, machine(name))


@examples(60, suppress_health_check=[HealthCheck.filter_too_much])
@given(seeds, st.sampled_from(("avx512", "two", "narrow")))
def test_so_does_one_with_windows_between_its_nests(seed, name):
    rng = np.random.default_rng(seed)
    means_the_same(windowed(rng), rng, machine(name))


@examples(60, suppress_health_check=[HealthCheck.filter_too_much])
@given(seeds, st.sampled_from(("avx512", "two", "narrow")))
def test_so_does_one_of_several_outputs(seed, name):
    rng = np.random.default_rng(seed)
    means_the_same(random_outputs(rng, 9, 6), rng, machine(name))


@examples(60, suppress_health_check=[HealthCheck.filter_too_much])
@given(seeds, st.sampled_from(("avx2", "two", "narrow")))
def test_so_does_one_whose_product_reads_what_is_computed(seed, name):
    rng = np.random.default_rng(seed)
    means_the_same(fed(rng), rng, machine(name))


def fed(rng) -> str:
    """A product of what maps, sums or another product give, which may be written in its panels."""
    m, k, n, j = (int(size) for size in rng.integers(1, (9, 9, 40, 5)))
    w = str(rng.choice((
        f"mul(s8[{k},{n}], f32[{n}]) -> f32[{k},{n}]",
        f"exp(f32[{k},{n}]{{0,1}})",
        f"relu(matmul(f32[{k},{j}], f32[{j},{n}]))",
        f"sub(%t: f32[{k},{n}], max(%t, axis=0, keepdims=true))",
        f"cast(s8[{k},{n}]) -> f32[{k},{n}]",
        f"transpose(neg(f32[{n},{k}]))",
    )))  # fmt: skip
    return str(
        rng.choice(
            (
                f"matmul(f32[{m},{k}], {w})",
                f"relu(add(matmul(f32[{m},{k}], {w}), f32[{n}]))",
                f"matmul(abs(f32[{m},{k}]), const f32[{k},{n}])",
            )
        )
    )


def windowed(rng) -> str:
    """Something slid over, cut or put beside another, of what a convolution gives."""
    c, o, h, w, k, p = (int(n) for n in rng.integers((1, 1, 3, 3, 1, 0), (4, 5, 8, 8, 4, 2)))
    inner = f"%t: relu(add(conv2d(%x: f32[1,{c},{h},{w}], f32[{o},{c},{k},{k}], padding={k // 2}), f32[{o},1,1]))"
    high, wide = (n + 2 * (k // 2) - k + 1 for n in (h, w))
    return str(rng.choice((
        f"conv2d({inner}, f32[3,{o},2,3], padding=({1 + p},1), stride=({1 + p},2))",
        f"add(conv2d({inner}, f32[{o},{o},3,3], padding=1), %t)",
        f"max_pool2d({inner}, window=(2,3), stride={1 + p}, padding=1)",
        f"avg_pool2d({inner}, window=2, stride=2, padding={p})",
        f"concat({inner}, conv2d(%x, f32[2,{c},{k},{k}], padding={k // 2}))",
        f"slice({inner}, starts=(0,0,1,{p}), limits=(1,{o},{high},{wide - p}))",
    )))  # fmt: skip


def means_the_same(text: str, rng, target, adds: bool = False) -> None:
    start = problem(canonical_form(parse(text)), target)
    goal = adding(start.goal, target) if adds else start.goal
    state = State(goal, tuple(start.sizes[d] for d in goal.operation.dims))
    assume(
        not state.family.operation.is_lone
        and all(held.dtype in WIDE for held in state.family.operation.held)
        and state.family.output.dtype in WIDE
    )
    before = tile_arrays(state, rng)
    after = [a.copy() for a in before]
    execute(Hole(state), before)
    execute(taken_apart(state, rng, target), after, target)
    for i in (-1, *(operand for _, operand in state.family.operation.placed)):
        np.testing.assert_allclose(after[i].astype(np.float64), before[i].astype(np.float64), rtol=1e-4, atol=1e-4)


def taken_apart(state: State, rng, target, depth: int = 4):
    """A random rewrite of the state and of what it leaves, while those are graphs."""
    if state.family.operation.is_lone or not depth:
        return Hole(state)
    fitting, cuts = (
        [e for e in edges(state.family, target) if e.fits is None or bool(e.fits(state.size))],
        list(loops(state, target)),
    )
    if not fitting or cuts and rng.random() < 0.3:
        return _cut(cuts[rng.integers(len(cuts))], rng, target, depth) if cuts else Hole(state)
    edge = fitting[rng.integers(len(fitting))]
    return edge_node(
        edge,
        state,
        target,
        tuple(taken_apart(child_state(child, state), rng, target, depth - 1) for child in edge.children),
    )


def _cut(loop: Step, rng, target, depth: int):
    return loop.node(tuple(taken_apart(part, rng, target, depth - 1) for part in loop.states))


@examples(60, suppress_health_check=[HealthCheck.filter_too_much])
@given(seeds, st.sampled_from(("avx2", "two", "narrow")))
def test_so_does_one_whose_last_nest_sums_over_what_is_computed(seed, name):
    rng = np.random.default_rng(seed)
    means_the_same(chained(rng), rng, machine(name), adds=True)


def chained(rng) -> str:
    """A reduction of what a product gives: a loop along it adds to the output, tile by tile."""
    m, k, n, j = (int(size) for size in rng.integers(2, (9, 9, 20, 9)))
    scores = f"matmul(f32[{m},{k}], f32[{k},{n}])"
    return str(rng.choice((
        f"{rng.choice(('max', 'min', 'sum'))}({scores}, axis={rng.integers(2)})",
        f"sum(abs({scores}), axis=1)",
        f"matmul(relu({scores}), f32[{n},{j}])",
        f"matmul(relu(add({scores}, f32[{n}])), f32[{n},{j}])",
        f"matmul(f32[{j},{m}], relu({scores}))",
        f"max(sub({scores}, f32[{m},1]), axis=(0,1))",
    )))  # fmt: skip
