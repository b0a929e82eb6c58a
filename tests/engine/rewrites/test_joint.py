"""Loops that add to the output of a graph, tile by tile of what lies between: where the search has them, by hand, over
threads."""

import griotte as gt
import numpy as np
import pytest
from checked import within_bounds
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import Loop, Pipeline, walk
from griotte.engine.rewrites import DoesNotApply, Joint
from griotte.engine.search.problem import problem
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.pending import Adds, AsOne, BlockRows
from machines import machine


def means_the_same(program, hostile: bool = False) -> bool:
    arrays = random_arrays(program.spec, np.random.default_rng(1), hostile)
    return compare(program.spec, arrays, interpret(program.root, program.spec, *arrays, target=program.target))[1]


def test_rows_of_scores_that_fit_nowhere_near_are_computed_by_tiles():
    program = gt.synthesize("max(matmul(f32[4,2], f32[2,60]), axis=1)", machine("two"), table="none")
    splits = [node for node in walk(program.root) if isinstance(node, Loop) and node.first is not None]
    buffers = [node for node in walk(program.root) if isinstance(node, Pipeline)]
    assert splits and all(node.state.size["n"] < 60 for node in buffers)
    assert means_the_same(program) and means_the_same(program, hostile=True)


@pytest.mark.parametrize("text, adds", (
    ("max(matmul(f32[16,8], f32[8,200]), axis=1)", ()),  # all scores are near
    ("matmul(relu(matmul(f32[64,8], f32[8,64])), f32[64,8])", ()),
    ("matmul(relu(matmul(f32[64,8], f32[8,30000])), f32[30000,8])", ("n",)),
    ("sum(exp(matmul(f32[64,8], f32[8,30000])), axis=1)", ("n",)),
    ("mean(matmul(f32[64,8], f32[8,30000]), axis=1)", ()),  # the sum is divided as it is stored
    ("softmax(matmul(f32[64,8], f32[8,30000]))", ()),  # less a maximum that is known at the end: rounds
))  # fmt: skip
def test_it_is_told_where_a_block_of_rows_fits_no_near_level(text, adds):
    spec, target = canonical_form(gt.parse(text)), machine("avx2")
    start = problem(spec, target)

    graph = start.goal.operation
    goal = (
        Joint((0,)).edge(start.goal, target).children[0].family
        if graph.is_large and BlockRows.of(graph)
        else start.goal
    )
    assert Adds.of(goal.operation) == adds


def test_threads_share_what_one_row_sums_over():
    program = gt.synthesize("max(abs(matmul(f32[1,8], f32[8,20000])), axis=1)", "portable", threads=2, table="none")
    joins = [node for node in walk(program.root) if isinstance(node, Loop) and node.join is not None]
    assert joins
    within_bounds(program, 1)


@pytest.mark.parametrize(
    "text, dim",
    (("max(matmul(f32[5,7], f32[7,31]), axis=1)", "n"), ("matmul(relu(matmul(f32[5,7], f32[7,31])), f32[31,3])", "n")),
)
def test_by_hand_any_graph_is_split_so(text, dim):
    schedule = gt.schedule(text, "portable").split(dim, 8)
    within_bounds(gt.synthesize(schedule, table="none"), 1)
    inner = gt.schedule(text, "portable").tile("m", 2).split(dim, 8)
    within_bounds(gt.synthesize(inner, table="none"), 1)


@pytest.mark.parametrize("text, dim, complaint", (
    ("softmax(f32[8,300])", "n", "expected a reduction (there is none), found 'n'"),
    ("softmax(matmul(f32[5,7], f32[7,31]))", "n", "expected a reduction (there is none), found 'n'"),
    ("max(matmul(f32[5,7], f32[7,31]), axis=1)", "k", "expected a reduction (n), found 'k'"),
))  # fmt: skip
def test_what_cannot_be_added_to_is_refused(text, dim, complaint):
    with pytest.raises(DoesNotApply) as refused:
        gt.schedule(text, "portable").split(dim, 2)
    assert complaint in str(refused.value)


def test_a_large_graph_is_searched_as_one_where_much_lies_between():
    """A norm of a product of few steps: rows of the product are near as they are normalised."""
    text = "rms_norm(matmul(f32[20,2], const f32[2,8]), f32[8])"
    program = gt.synthesize(text, machine("two"), table="none")
    buffers = [node for node in walk(program.root) if isinstance(node, Pipeline)]
    assert "together" in str(program) and means_the_same(program) and all(node.state.size["m"] < 20 for node in buffers)


def test_by_hand_any_large_graph_that_one_search_covers_is_searched_as_one():
    by_hand = gt.schedule("rms_norm(matmul(f32[300,200], const f32[200,300]), f32[300])", "portable").halo(0)
    assert AsOne.of(by_hand.holes[0].state.family.operation) and "together" in str(by_hand)
