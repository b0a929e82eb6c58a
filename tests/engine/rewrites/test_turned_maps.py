"""An operand of a map that lies across the result is turned tile by tile where that costs less than gathering it:
found, within reach by hand, and right."""

from dataclasses import replace

import numpy as np
import pytest
from features import skip_without
from generated_harness import Case, assert_right
from griotte import parse, schedule, synthesize
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import Move, walk
from griotte.engine.rewrites import DoesNotApply
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.samples import random_arrays
from machines import machine

TARGET = machine("avx2")
SMALL = replace(
    TARGET, name="small", levels=(TARGET.levels[0], replace(TARGET.levels[1], capacity=8 << 10), *TARGET.levels[2:])
)
ACROSS = (
    "add(f32[37,45], f32[37,45]{0,1})",
    "mul(bf16[57,50]{0,1}, bf16[57,50])",
    "where(pred[40,53]{0,1}, f32[40,53], f32[53])",
)


def by_hand(text: str):
    """With the operand that lies across in L1, by ten rows and all columns."""
    spec = parse(text)
    across = next(i for i, tensor in enumerate(spec.inputs) if tensor.minor_to_major == (0, 1))
    s = schedule(spec, SMALL)
    rows, lane = s.canonical.operation.dims
    return synthesize(s.tile(rows, 10).move(across, "L1", compact=lane))


def test_it_is_found_where_a_gather_costs_more():
    program = synthesize("add(f32[300,300], f32[300,300]{0,1})", TARGET, table="none")
    assert any(isinstance(node, Move) and node.copy is not None and node.operand == 1 for node in walk(program.root))


@pytest.mark.parametrize(
    "text",
    (
        "add(f32[60,50], f32[50])",
        "add(f32[60,50], f32[60,50])",
        "add(f32[60,50], f32[60,1])",
        "take(f32[60,50], s32[7])",
    ),
)
def test_what_does_not_lie_across_is_not_copied(text):
    s = schedule(text, SMALL)
    for i in range(len(s.canonical.inputs)):
        with pytest.raises(DoesNotApply):
            s.move(i, "L1", compact=True)


def test_it_is_right(tmp_path):
    cases = []
    for text in ACROSS:
        program = by_hand(text)
        arrays = tuple(random_arrays(program.spec, np.random.default_rng(0), hostile=True))
        assert compare(program.spec, arrays, interpret(program.root, program.spec, *arrays))[1], text
        cases.append(Case(program.root, program.spec, arrays))
    skip_without(TARGET.features)
    assert_right(cases, SMALL, tmp_path)
