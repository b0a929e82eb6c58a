"""Bufferize, inline, finish and what else takes a graph of nests apart keep its meaning, at odd sizes, one after the other."""

import numpy as np
from griotte.frontends.draw_graphs import random_graph
from griotte.frontends.text import parse
from griotte.program.interpret import execute
from griotte.program.nodes import Hole
from griotte.rewrites import child_state, edge_node, edges
from griotte.search.problem import problem
from griotte.spec.family import State
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from machines import machine
from rewriting import tile_arrays
from strategies import seeds

WIDE = {"f32", "f64", "s32", "s64"}  # of narrower ones what is between nests may or may not be rounded


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(seeds, st.sampled_from(("avx512", "two", "narrow")))
def test_a_graph_taken_apart_means_the_same(seed, name):
    rng, target = np.random.default_rng(seed), machine(name)
    start = problem(parse(random_graph(rng, 9, 6)).canonical(), target)
    state = State(start.goal, tuple(start.sizes[d] for d in start.goal.operation.dims))
    assume(state.family.operation.unplaced and all(held.dtype in WIDE for held in state.family.operation.held) and state.family.output.dtype in WIDE)
    before = tile_arrays(state, rng)
    after = [a.copy() for a in before]
    execute(Hole(state), before)
    execute(taken_apart(state, rng, target), after, target)
    np.testing.assert_allclose(after[-1].astype(np.float64), before[-1].astype(np.float64), rtol=1e-4, atol=1e-4)


def taken_apart(state: State, rng, target, depth: int = 4):
    """A random rewrite of the state and of what it leaves, while those are graphs."""
    fitting = [e for e in edges(state.family, target) if e.fits is None or bool(e.fits(state.size))]
    if not state.family.operation.unplaced or not depth or not fitting:
        return Hole(state)
    edge = fitting[rng.integers(len(fitting))]
    return edge_node(edge, state, target, tuple(taken_apart(child_state(child, state), rng, target, depth - 1) for child in edge.children))
