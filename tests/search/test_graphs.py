"""Graphs of nests in the search: what fits nowhere near, and heads in groups."""

import griotte as gt
import numpy as np
from griotte.program.nodes import Pipeline, walk


def test_a_tensor_that_fits_no_near_level_is_placed_at_home():
    """Of a row beyond L1 the family of the part that reads it there has no point at all."""
    program = gt.synthesize("softmax(f32[300000])", "avx512", table="none")
    places = {node.to.level for node in walk(program.root) if isinstance(node, Pipeline)}
    assert places and program.cost < float("inf")


def test_heads_in_groups_nest():
    spec = gt.parse("attention(f32[4,3,8], f32[2,5,8], f32[2,5,8])")
    program = gt.synthesize(spec, "portable", table="none")
    arrays = [np.random.default_rng(0).standard_normal(t.shape).astype(np.float32) for t in spec.inputs]
    found = program.compile()(*arrays)
    np.testing.assert_allclose(found, gt.interpret(spec, *arrays), rtol=1e-4, atol=1e-5)


def test_programs_of_graphs_are_counted_and_told_apart():
    program = gt.synthesize("softmax(f32[8,64])", "avx512", table="none")
    found = program.alternatives(6)
    assert [p.cost for p in found] == sorted(p.cost for p in found) and found[0].cost == program.cost and len({str(p) for p in found}) == 6
    assert program.count() > 10
