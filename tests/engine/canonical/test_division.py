"""Where a large graph of a dynamic size is cut: into parts that one search covers, at whole arrays. Parts as Specs of
their own: alike parts are one, and mean what they meant."""

import griotte as gt
import numpy as np
import pytest
from checked import like_reference
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.canonical.division import cuts, divides, is_divided, stands
from griotte.engine.program.interpret import execute
from griotte.engine.program.nodes import Hole
from griotte.engine.rewrites import Bufferize, child_state, edge_node, edges
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.family import State
from griotte.lang.nests.operation import is_contraction
from griotte.lang.text.text import parse
from machines import machine
from rewriting import tile_arrays, whole

X, W = "%x: f32[1,<=7,4]", "const f32[4,4]"
PROJECTED = f"attention(%n: rms_norm({X}, f32[4]), matmul(%n, {W}), matmul(%n, {W}))"
MLP = "matmul(gelu(matmul(f32[<=20,800], const f32[800,900])), const f32[900,500])"
CACHED = (
    "outputs(%k: matmul(%x: f32[<=9,6], f32[6,5]), %v: matmul(%x, f32[6,5]), matmul(softmax(matmul(matmul(%x,"
    " f32[6,5]), transpose(%k))), %v))"
)
DEEP = (
    f"add(%y: add({X}, matmul({PROJECTED.replace(X, '%x')}, {W})), matmul(attention(%y, matmul(%y, {W}), %y,"
    f" causal=true), {W}))"
)


def all_parts(graph, dims):
    """The parts of every way to divide a graph."""
    stack, met, found = [graph], {graph}, []
    while stack:
        left = stack.pop()
        found += [left] if stands(left, dims) else []
        for cut in cuts(left, dims):
            part, rest = (each.operation for each in cut.parts(left))
            found.append(part)
            if rest not in met:
                met.add(rest)
                stack.append(rest)
    return found


@pytest.mark.parametrize("text", [PROJECTED, CACHED, DEEP])
def test_every_part_stands_and_no_product_is_in_bands_that_lack_its_rows(text):
    spec = canonical_form(parse(text))
    dims = spec.dynamic.dims
    assert is_divided(spec) and divides(spec.operation, dims) and len(dims) == 2
    parts = all_parts(spec.operation, dims)
    assert all(stands(part, dims) for part in parts)
    in_bands = [part for part in parts if set(dims) <= set(part.dims)]
    assert in_bands
    for part in in_bands:
        assert part.output.dims == parts[-1].output.dims or not set(dims) <= part.output.dims, (
            "no array that has the size along both dimensions lies between parts"
        )
        assert all(dims[1] in nest.operation.dims for nest in part.nests if is_contraction(nest.operation))


def test_a_large_graph_along_one_dimension_is_divided_and_a_small_one_is_not():
    large, small = canonical_form(parse(MLP)), canonical_form(parse(MLP.replace("900", "9")))
    assert (
        is_divided(large) and not is_divided(small) and not is_divided(canonical_form(parse(MLP.replace("const ", ""))))
    )
    fixed = canonical_form(parse(MLP).at(20))
    assert fixed.operation.is_large and not is_divided(fixed)


def test_of_parts_that_compute_a_map_anew_the_first_reader_comes_first():
    """The queries, keys and values of one norm: whichever of their products is computed first is no way of its own."""
    spec = canonical_form(parse(f"attention(matmul(%n: relu({X}), {W}), matmul(%n, {W}), matmul(%n, {W}))"))
    firsts = [cut.parts(spec.operation)[0].operation for cut in cuts(spec.operation, spec.dynamic.dims)]
    assert [part.name for part in firsts] == ["relu", "relu matmul"]


def test_outputs_are_put_where_they_go():
    """Keys and values that go out, and are read by the attention, are no buffers."""
    spec = canonical_form(parse(CACHED))
    found = cuts(spec.operation, spec.dynamic.dims)
    assert found and all(cut.operand is not None for cut in found)


@pytest.mark.parametrize(
    "text",
    [
        "sum(f32[<=8,<=8])",
        "sum(matmul(%x: f32[<=7,4], transpose(%x)))",
        "sum(exp(matmul(%k: matmul(%x: f32[<=7,4], f32[4,4]), transpose(%k))))",
    ],
)
def test_what_cannot_be_divided_is_refused(text):
    with pytest.raises(gt.SpecError, match="expected "):
        canonical_form(parse(text))


HEADS = "transpose(reshape(matmul(f32[70,60], const f32[60,{n}])) -> f32[70,4,{d}], perm=(1,0,2))"
LARGE = {
    "layers": "matmul(relu(matmul(f32[130,300], f32[300,310])), f32[310,290])",
    "norm": "matmul(layer_norm(f32[130,700], f32[700], f32[700]), f32[700,300])",
    "heads": (
        f"matmul(reshape(transpose(matmul({HEADS.format(n=1200, d=300)}, f32[4,300,90]), perm=(1,0,2))) -> f32[70,360],"
        " f32[360,800])"
    ),
    "projections": (
        "add(matmul(relu(matmul(%x: f32[140,500], const f32[500,500])), const f32[500,90]), matmul(relu(matmul(%x,"
        " const f32[500,500])), const f32[500,90]))"
    ),
}


@pytest.mark.parametrize("text, is_large", [
    ("matmul(relu(matmul(f32[13,30], f32[30,31])), f32[31,29])", False),
    ("matmul(relu(matmul(f32[130,300], f32[300,310])), f32[310,290])", True),
    ("matmul(layer_norm(f32[13,70], f32[70], f32[70]), f32[70,30])", True),
], ids=["few nests and bytes", "more bytes", "more nests"])  # fmt: skip
def test_a_contraction_after_others_is_searched_with_them_where_all_is_small(text, is_large):
    assert whole(text, machine("avx512")).family.operation.is_large == is_large


def taken_apart(state: State, rng, target):
    """A large graph cut, in a random way, into parts that are not."""
    if not state.family.operation.is_large:
        return Hole(state)
    found = [edge for edge in edges(state.family, target) if isinstance(edge.rewrite, Bufferize)]
    edge = found[rng.integers(len(found))]
    return edge_node(
        edge, state, target, tuple(taken_apart(child_state(child, state), rng, target) for child in edge.children)
    )


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_a_large_graph_in_parts_means_the_same(text):
    target = machine("avx512")
    state = whole(text, target)
    assert state.family.operation.is_large
    for seed in range(4):
        rng = np.random.default_rng(seed)
        before = tile_arrays(state, rng)
        after = [a.copy() for a in before]
        execute(Hole(state), before)
        execute(taken_apart(state, rng, target), after, target)
        np.testing.assert_allclose(after[-1], before[-1], rtol=1e-3, atol=1e-3)


def test_parts_alike_are_one_problem():
    target = machine("avx512")
    state = whole(LARGE["projections"], target)
    met = []
    while state.family.operation.is_large:
        edge = edges(state.family, target)[0]
        met.append(child_state(edge.children[0], state))
        state = child_state(edge.children[1], state)
    products = [part for part in met if part.sizes == (140, 500, 500)]
    assert len(products) == 2 and len(set(products)) == 1


def test_what_neighbours_everywhere_is_one_dimension():
    """The last product reads heads and what is in them as one, whichever way the copy before it would have laid them
    out."""
    target = machine("avx512")
    state = whole(LARGE["heads"], target)
    while state.family.operation.is_large:
        state = child_state(edges(state.family, target)[-1].children[1], state)
    assert is_contraction(state.family.nest) and state.sizes == (70, 800, 360)


def test_rows_of_a_part_of_an_array_are_not_joined():
    """Of a slice of an input rows are apart in memory, whatever the part of the graph that reads it makes of them."""
    text = "softmax(matmul(f64[33,5,8], slice(f64[33,8,15]{0,2,1}, starts=(0,0,2), limits=(33,8,15))))"
    spec = parse(text)
    arrays = random_arrays(spec, np.random.default_rng(0))
    like_reference(gt.synthesize(spec, target="portable", table="none"), arrays, 1e-12, 1e-14)


def test_no_part_has_a_dimension_of_the_whole_at_another_size():
    """A row of the whole may be called i1; a part of one row has no dimension of that name."""
    target = machine("avx512")
    state = whole(
        "add(matmul(gelu(matmul(layer_norm(%x: f32[1,300], f32[300], f32[300]), const f32[300,700])), const"
        " f32[700,300]), %x)",
        target,
    )
    assert state.family.operation.is_large and any(d[0] == "i" and d[1:].isdigit() for d in state.size)
    while state.family.operation.is_large:
        parts = [child_state(child, state) for edge in edges(state.family, target) for child in edge.children]
        for part in parts:
            assert all(state.size.get(d, n) == n for d, n in part.size.items())
        state = parts[-1]
