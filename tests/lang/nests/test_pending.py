"""What of a graph is still to be decided: one list in order, which parts of the graph have their share of."""

import griotte as gt
from griotte.engine.canonical.canonical import canonical_form
from griotte.lang.nests.parts import part
from griotte.lang.nests.pending import Adds, AsOne, BlockRows, Early, Near, ShardCount, WholeExtents


def test_of_a_kind_the_last_counts_and_what_says_nothing_is_left_out():
    graph = canonical_form(gt.parse("softmax(f32[64,48])")).operation
    assert graph.pending == (AsOne(True),) and AsOne.of(graph) is True
    told = graph.annotated(BlockRows((0, 8)), WholeExtents((64, 48)), Early((2,)))
    assert told.pending == (Early((2,)), WholeExtents((64, 48)), BlockRows((0, 8)), AsOne(True))
    assert told.annotated(WholeExtents((8, 48))).pending[1] == WholeExtents((8, 48))
    assert told.annotated(BlockRows(()), Early(()), WholeExtents(())) == graph
    assert BlockRows.of(graph) == () and ShardCount.of(graph) == 0 and Near.of(graph) is False


def test_a_part_has_its_share():
    """Of tensors those that it writes, by its own numbers; loops may add where it ends the graph."""
    graph = canonical_form(gt.parse("softmax(f32[64,48])")).operation
    told = graph.annotated(Near(True), Adds(("j",)), Early((1, 2)))
    first = part(told, [0, 1], graph.tensor(1)).operation
    assert Near.of(first) and AsOne.of(first) and not Adds.of(first) and not WholeExtents.of(first)
    assert Early.of(first) == (first.tensor(0),)
    assert "early=(1,), together=False, finish=None)" in repr(first)
