"""Graphs of nests in the search: what fits nowhere near, heads in groups, windows."""

import griotte as gt
import numpy as np
import pytest
from checked import like_reference, within_bounds
from griotte.engine.program.nodes import KernelCall, Loop, Pipeline, walk


def test_a_tensor_that_fits_no_near_level_is_placed_at_home():
    """Of a row beyond L1 the family of the part that reads it there has no point at all."""
    program = gt.synthesize("softmax(f32[300000])", "avx512", table="none")
    places = {node.to.level for node in walk(program.root) if isinstance(node, Pipeline)}
    assert places and program.cost < float("inf")


def test_heads_in_groups_nest():
    spec = gt.parse("attention(f32[4,3,8], f32[2,5,8], f32[2,5,8])")
    program = gt.synthesize(spec, "portable", table="none")
    arrays = [np.random.default_rng(0).standard_normal(t.shape).astype(np.float32) for t in spec.inputs]
    like_reference(program, arrays)


def test_programs_of_graphs_are_counted_and_told_apart():
    program = gt.synthesize("softmax(f32[8,64])", "avx512", table="none")
    found = program.alternatives(6)
    costs = [p.cost for p in found]
    assert (
        costs == pytest.approx(sorted(costs), rel=1e-12)
        and costs[0] == program.cost
        and len({str(p) for p in found}) == 6
    )  # a sum in another order is another in its last digit
    assert program.count() > 10


def conv(x: str, filters: str, bias: str = "f32[8,1,1]") -> str:
    return f"add(conv2d({x}, {filters}, padding=1), {bias})"


def test_a_residual_block_is_two_convolutions_that_are_finished_as_they_are_stored():
    """No map is left: the shortcut is added as the second is stored."""
    text = (
        f"relu(add({conv('relu(' + conv('%x: f32[1,8,9,9]', 'const f32[8,8,3,3]') + ')', 'const f32[8,8,3,3]')}, %x))"
    )
    program = gt.synthesize(text, "portable", table="none")
    (buffer,) = (node for node in walk(program.root) if isinstance(node, Pipeline))
    for part in (buffer.producer, buffer.consumer):
        operations = {node.state.family.nest for node in walk(part) if isinstance(node, KernelCall)}
        assert any(op.finish is not None for op in operations) and "map" not in {op.name for op in operations}
    within_bounds(program, 0)


def test_windows_side_by_side_are_pooled_as_their_rows_are_there():
    program = gt.synthesize(
        "max_pool2d(relu(conv2d(f32[1,16,64,64], const f32[64,16,3,3], padding=1)))", "avx2", table="none"
    )
    loops = [
        node
        for node in walk(program.root)
        if isinstance(node, Loop) and any(isinstance(inner, Pipeline) for inner in walk(node))
    ]
    assert {node.dims for node in loops} & {("y",), ("o",)}


@pytest.mark.parametrize(
    "text",
    (
        f"max_pool2d(relu({conv('f32[1,3,8,8]', 'f32[8,3,3,3]')}))",
        f"max_pool2d(relu({conv('f32[1,3,9,8]', 'f32[8,3,3,3]')}), window=3, stride=2, padding=1)",
        f"mean({conv('f32[2,4,6,6]', 'f32[8,4,3,3]')}, axis=(2,3))",
        (
            f"add(max_pool2d(%t: relu({conv('f32[1,3,8,8]', 'f32[8,3,3,3]')})), slice(conv2d(%t, f32[8,8,3,3],"
            " padding=1), starts=(0,0,2,3), limits=(1,8,6,7)))"
        ),
        "concat(conv2d(%x: f32[1,3,7,7], f32[4,3,3,3], padding=1), conv2d(%x, f32[5,3,1,1]))",
        "concat(slice(exp(%x: f32[6,20]), starts=(1,2), limits=(4,12)), slice(%x, starts=(3,0), limits=(6,5)))",
        (
            "conv2d(conv2d(s8[1,4,6,7], s8[6,2,3,3], groups=2, padding=1) -> s8[1,6,6,7], s8[3,6,3,3], padding=(2,0),"
            " stride=2)"
        ),
        "sum(slice(const f32[6,20], starts=(1,2), limits=(4,12)), axis=1)",
    ),
)
def test_windows_nest(text):
    """Beyond what lies between nests is the same as beyond what comes in; two parts of one tensor are two operands."""
    within_bounds(gt.synthesize(text, "portable", table="none"), 0)
