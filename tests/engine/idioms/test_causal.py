"""What a causal mask hides is found from what nests compute, and only where nothing of it counts."""

import griotte as gt
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.idioms.causal import CausalStructure, causal_structure, in_part
from griotte.engine.search.problem import problem
from griotte.lang.constructors.attention import masked
from griotte.lang.nests.pending import AsOne, WholeExtents
from griotte.lang.text.text import parse
from machines import machine


def found(spec) -> CausalStructure | None:
    spec = parse(spec) if isinstance(spec, str) else spec
    operation = problem(canonical_form(spec), machine("avx512")).goal.operation
    return causal_structure(operation)


@pytest.mark.parametrize(
    "text, offset, extents",
    [
        ("attention(f32[2,40,8], f32[2,40,8], f32[2,40,8], causal=true)", 0, (40, 40)),
        ("attention(f32[40,8], f32[72,8], f32[72,8], causal=true)".replace("f32[", "f32[1,"), 32, (40, 72)),
        ("attention(f32[1,40,8], f32[1,24,8], f32[1,24,8], causal=true)", -16, (40, 24)),
        ("attention(f32[2,40,8], f32[2,40,8], f32[2,40,8], causal=true, mask=pred[40,40])", 0, (40, 40)),
        ("attention(f32[2,40,8], f32[2,40,8], f32[2,40,8], causal=true, scale=-0.5)", 0, (40, 40)),
        ("attention(bf16[4,40,8], bf16[2,40,8], bf16[2,40,8], causal=true)", 0, (40, 40)),
    ],
)
def test_causal_attention_has_a_causal_structure(text, offset, extents):
    causal = found(text)
    assert (causal.offset, causal.extents) == (offset, extents)


@pytest.mark.parametrize(
    "text",
    [
        "attention(f32[2,40,8], f32[2,40,8], f32[2,40,8])",
        "attention(f32[2,40,8], f32[2,40,8], f32[2,40,8], mask=pred[40,40])",
        "softmax(matmul(f32[40,8], f32[8,40]))",
        "argmax(matmul(f32[40,8], f32[8,40]))",
    ],
)
def test_what_has_no_causal_mask_has_none(text):
    assert found(text) is None


def test_a_graph_that_is_cut_at_whole_arrays_has_none_before_it_is():
    x = "f32[1,256,32]"
    spec = canonical_form(parse(f"matmul(attention({x}, {x}, {x}, causal=true), f32[32,512])"))
    graph = problem(spec, machine("avx512")).goal.operation
    told = graph.annotated(WholeExtents(tuple(spec.size[d] for d in graph.dims)))
    assert told.is_large and causal_structure(told) is None
    assert causal_structure(told.annotated(AsOne(True))).extents == (256, 256)


def weights(after=lambda x: x):
    """A product of v with causal weights, and something done to the weights first."""
    scores = gt.matmul(gt.tensor((2, 40, 8)), gt.tensor((2, 8, 40)))
    return gt.matmul(after(gt.softmax(masked(scores, None, True))), gt.tensor((2, 40, 8)))


def test_causal_structure_is_found_in_calls_that_are_not_attention():
    assert found(weights()).extents == (40, 40)
    assert found(weights(lambda w: gt.mul(w, gt.tensor((40, 40))))).extents == (40, 40)


@pytest.mark.parametrize(
    "after",
    [lambda w: gt.add(w, gt.tensor((1,))), gt.exp, lambda w: gt.div(gt.tensor((1,)), w)],
    ids=["add", "exp", "div"],
)
def test_where_what_is_hidden_counts_there_are_none(after):
    assert found(weights(after)) is None


def test_blocks_cover_every_row_and_what_each_sees():
    for rows in (1, 16, 48):
        for extents, offset in (((100, 100), 0), ((100, 130), 30), ((100, 60), -40)):
            steps = CausalStructure("m", "n", offset, extents)
            covered = 0
            for i in range(steps.blocks(rows)):
                start, size = steps.start(rows, i)["m"], steps.size(rows, i)
                assert start == covered
                covered += size["m"]
                assert 1 <= size["n"] <= extents[1]
                assert size["n"] >= min(extents[1], covered + offset), "the last row of the block sees so many"
            assert covered == extents[0]


def test_tiles_have_none():
    goal = problem(
        canonical_form(parse("attention(f32[2,40,8], f32[2,40,8], f32[2,40,8], causal=true)")), machine("avx512")
    ).goal
    assert causal_structure(goal.operation) and causal_structure(in_part(goal.operation)) is None
