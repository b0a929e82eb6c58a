"""Tensors between nests that lie where the output goes, until it is written over them: which may, what their programs
mean, and the C, under sanitizers and optimized."""

import re
from dataclasses import replace
from functools import cache

import griotte as gt
import numpy as np
import pytest
from batch import kernels_of
from features import skip_without
from generated_harness import assert_meant, programs_right
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.nodes import Pipeline, walk
from griotte.engine.rewrites import Bufferize, edges
from griotte.engine.search.problem import problem
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.parts import after, operands_for
from griotte.support.errors import GriotteError
from machines import machine
from together import complaint_of

WIDE = machine("avx2")
LEVELS = (
    WIDE.levels[0],
    *(replace(x, capacity=capacity) for x, capacity in zip(WIDE.levels[1:], (1024, 4096, 1 << 20))),
    WIDE.levels[-1],
)
TARGET = replace(WIDE, levels=LEVELS)  # small caches, so that small arrays are not near by themselves
WAYS = (
    ("softmax(f32[13,51])", "exp", ("i0", 4)),
    ("softmax(f32[4,17,19], axis=1)", "exp", ("i0", 1)),
    ("add(mul(%t: exp(f32[19,31]), sum(%t, axis=1, keepdims=true)), f32[31])", "exp", ("i0", 3)),
    ("mul(%t: matmul(f32[13,10], f32[10,57]), max(%t, axis=1, keepdims=true))", "matmul", ("m", 6)),
)


@cache
def by_hand(text: str, tensor: str, tile: tuple[str, int], near: str = "") -> gt.Program:
    """Some rows at a time, the output viewed near where that is asked for, and a tensor in it."""
    rows = gt.schedule(text, TARGET).tile(*tile)
    return gt.synthesize((rows.move("y", near) if near else rows).bufferize(tensor, "y"), table="none")


def graph(text: str):
    return problem(canonical_form(gt.parse(text)), TARGET).goal


@pytest.mark.parametrize("text, tensor, tile", WAYS)
def test_its_programs_mean_what_the_spec_does(text, tensor, tile):
    for near in ("", "L2"):
        program = by_hand(text, tensor, tile, near)
        assert f"{tensor} in y" in str(program)
        assert_meant(program)


def test_the_c_is_right_under_sanitizers(tmp_path):
    programs_right([by_hand(*way) for way in WAYS], tmp_path)


def test_so_it_is_optimized():
    for way, kernel in zip(WAYS, kernels_of([by_hand(*way) for way in WAYS])):
        assert not complaint_of(kernel, gt.parse(way[0]), seed=0), way


def test_only_the_leaf_that_reads_what_it_writes_over_says_that_they_may_meet():
    leaves = re.findall(r"static void map_\w+\((.*)\)", by_hand("softmax(f32[13,51])", "exp", ("i0", 4)).to_c())
    assert {("*restrict p0" in leaf, "*restrict p1" in leaf, "*restrict y" in leaf) for leaf in leaves} == {
        (True, True, True),
        (False, True, False),
    }


def test_it_costs_no_more_than_without():
    """A bigger space: the search has at least the best of the programs by hand."""
    for text, tensor, tile in WAYS:
        assert gt.synthesize(text, TARGET, table="none").cost <= by_hand(text, tensor, tile, "L2").cost * (1 + 1e-6)


@pytest.mark.parametrize(
    "text, named, why",
    [
        ("softmax(bf16[4,24])", "exp", "its dtype is another than the output's"),
        ("softmax(f32[4,24])", "max", "it is no tensor of the output's form"),
        ("add(f32[16,16], transpose(exp(softmax(f32[16,16]))))", "exp", "it is read along other axes"),
        ("matmul(exp(f32[16,16]), f32[16,16])", "exp", "an element is read for several of the output's"),
        ("outputs(%t: exp(f32[8,8]), softmax(%t))", "exp 2", "there are several outputs"),
    ],
)
def test_not_where(text, named, why):
    family = graph(text)
    last = len(family.operation.inputs)
    offered = [
        e.rewrite for e in edges(family, TARGET) if isinstance(e.rewrite, Bufferize) and e.rewrite.operand == last
    ]
    assert all(family.operation.names[rewrite.tensor] != named for rewrite in offered), why


def test_one_at_a_time():
    family = graph(
        "div(%e: exp(sub(%x: f32[8,40], max(%x, axis=1, keepdims=true))), sum(mul(%e, %e), axis=1, keepdims=true))"
    )
    op = family.operation
    last = len(op.inputs)
    held = [t for t in op.unplaced if last in operands_for(op, t)]
    assert held
    rest = after(op, held[0], last).operation
    assert not rest.is_lone and rest.inside
    assert not any(len(rest.inputs) in operands_for(rest, t) for t in rest.unplaced)


def test_a_hand_schedule_is_told_where_it_may_go():
    with pytest.raises(GriotteError, match=r"expected L1.*, found 'y'"):
        gt.schedule("softmax(f32[13,51])", TARGET).tile("i0", 4).bufferize("max", "y")


def test_threads_share_rows_of_it():
    found = gt.synthesize(
        gt.schedule("softmax(f32[64,333])", TARGET).tile("i0", 32, parallel=2).bufferize("exp", "y"), table="none"
    )
    assert any(isinstance(node, Pipeline) and node.place == 1 for node in walk(found.root))
    skip_without(TARGET.features)
    spec = gt.parse("softmax(f32[64,333])")
    arrays = random_arrays(spec, np.random.default_rng(0))
    assert compare(spec, arrays, found.compile()(*arrays))[1]
