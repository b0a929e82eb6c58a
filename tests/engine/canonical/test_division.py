"""Where a large graph of a dynamic size is cut: into parts that one search covers, at whole arrays."""

import griotte as gt
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.canonical.division import cuts, divides, is_divided, stands
from griotte.lang.nests.operation import is_contraction
from griotte.lang.text.text import parse

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
