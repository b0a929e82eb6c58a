"""A value has the dtype that is stated for it, also where nests are made one and it is never stored."""

import re

import griotte as gt
import numpy as np
import pytest
from checked import agrees
from features import skip_without
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.idioms.online import chain
from griotte.lang.meaning.agreement import compare, tolerance
from griotte.lang.nests.merging import may_factor, may_fold
from griotte.lang.types.dtypes import convert, dtype
from griotte.lang.types.expr import Arg, Call, Const, conversions, keeps_dtype
from griotte.machine import BUILT_IN

# each one nest, or one where the search makes it so; what lies between has fewer bits than it is computed in
NARROW = (
    "cast(broadcast(tanh(f16[9])) -> f16[4,9]) -> f32[4,9]",
    "cast(broadcast(tanh(bf16[9])) -> bf16[4,9]) -> f32[4,9]",
    "sum(exp(bf16[9,33]), axis=1) -> f32[9]",
    "sub(mul(f16[9,33], f16[9,33]), f16[9,33]) -> f32[9,33]",
    "tanh(matmul(bf16[9,16], bf16[16,20]) -> bf16[9,20]) -> f32[9,20]",
    "max(matmul(bf16[9,16], bf16[16,70]) -> bf16[9,70], axis=1) -> f32[9]",
    "exp(sum(f16[70,3], axis=1) -> f16[70]) -> f32[70]",
    "cast(mul(f64[5,6], f64[5,6]) -> f32[5,6]) -> f64[5,6]",
    "add(mul(s8[9,7], s8[9,7]) -> s8[9,7], s32[9,7])",
    "cast(add(f32[5,6], f32[5,6]) -> s8[5,6]) -> f32[5,6]",
)


def arrays_for(spec):
    rng = np.random.default_rng(3)
    drawn = (rng.standard_normal(t.shape) * (1 if dtype(t.dtype).kind == "float" else 9) for t in spec.inputs)
    return [convert(a, t.dtype) for a, t in zip(drawn, spec.inputs)]


@pytest.mark.parametrize("target", ("portable", "avx2", "avx512"))
@pytest.mark.parametrize("text", NARROW)
def test_what_is_not_stored_is_rounded_to_its_dtype(text, target):
    """Of nearly all elements the rounded value is sure, and then there is one right result."""
    skip_without(BUILT_IN[target].features)
    spec = gt.parse(text)
    arrays = arrays_for(spec)
    bounds = tolerance(spec, arrays)
    agrees(spec, arrays, gt.compile(spec, target)(*arrays), bounds)


@pytest.mark.parametrize(
    "text, kept",
    [
        ("cast(broadcast(tanh(f16[9])) -> f16[4,9]) -> f32[4,9]", "broadcast(tanh(f16[9]) -> f32[9]) -> f32[4,9]"),
        ("max(exp(bf16[9,33]), axis=1) -> f32[9]", "max(exp(bf16[9,33]) -> f32[9,33], axis=1)"),
    ],
)
def test_a_result_that_is_not_rounded_on_the_way_is_told(text, kept):
    spec = gt.parse(text)
    arrays = arrays_for(spec)
    _, ok, _ = compare(spec, arrays, gt.interpret(gt.parse(kept), *arrays))
    assert not ok


def test_what_chooses_among_values_of_a_dtype_is_not_rounded():
    spec = canonical_form(gt.parse("add(relu(bf16[4,9]), f32[4,9])"))
    assert conversions(spec.operation.nest.body) == ()
    spec = canonical_form(gt.parse("add(exp(bf16[4,9]), f32[4,9])"))
    assert conversions(spec.operation.nest.body) == (("f32", "bf16"), ("bf16", "f32"))
    assert keeps_dtype(Call("maximum", (Arg(0), Const(0.5))), "bf16")
    assert not keeps_dtype(Call("maximum", (Arg(0), Const(0.1))), "bf16")
    assert not keeps_dtype(Call("add", (Arg(0), Arg(0))), "bf16")


def graph_of(text):
    found = canonical_form(gt.parse(text)).operation
    assert not found.is_lone
    return found


def test_shares_of_fewer_bits_are_not_divided_after_the_product():
    text = "matmul(softmax(f32[9,33]) -> {0}[9,33], {0}[33,5])"
    wide, narrow = (graph_of(text.format(name)) for name in ("f32", "bf16"))
    assert any(may_factor(wide, t) for t in wide.unplaced)
    assert not any(may_factor(narrow, t) for t in narrow.unplaced)


def test_rounds_have_no_exponentials_or_sums_of_fewer_bits():
    text = "div(%e: exp(sub(%x: f32[9,600], max(%x, axis=1, keepdims=true))) -> {0}[9,600], {1})"
    total = "sum(%e, axis=1, keepdims=true) -> {0}[9,1]"
    assert chain(graph_of(text.format("f32", total.format("f32")))) is not None
    assert chain(graph_of(text.format("bf16", total.format("f32")))) is None
    assert chain(graph_of(text.format("f32", total.format("bf16")))) is None


def test_a_product_of_fewer_bits_is_folded_rounded():
    graph = graph_of("max(matmul(bf16[9,16], bf16[16,70]) -> bf16[9,70], axis=1) -> f32[9]")
    assert may_fold(graph, graph.unplaced[0])


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("mean(f32[65,80], axis=0)", True),
        ("mean(f32[64,80], axis=0)", False),  # few rows
        ("mean(f32[80,65], axis=1)", False),  # along rows
        ("mean(f32[65,80]{0,1}, axis=0)", False),  # rows that lie the other way round
        ("mean(f32[80,65]{0,1}, axis=1)", True),
        ("sqrt(sum(mul(f32[90,80], f32[90,80]), axis=0))", True),
        ("mean(f32[80,65,3], axis=(1,2))", False),  # in part along rows
        ("mean(f32[70,9], axis=0)", True),  # few results
    ],
)
def test_a_reduction_down_many_rows_is_left_apart_from_what_follows_it(text, apart):
    assert canonical_form(gt.parse(text)).operation.is_lone is not apart


def test_a_mean_of_columns_is_summed_in_parts_of_its_rows():
    program = gt.synthesize("mean(f32[460,2488], axis=0)", "avx512", table="none")
    assert re.search(r"loop i0 by \d+", str(program)) and "map i1=2488" in str(program)


CHOICES = (  # between numbers, which have a dtype that nothing is read of
    "not_equal(where(pred[40], 0.5, 0.25) -> f32[40], 0.25)",
    "not_equal(where(pred[40], -inf, 0.0) -> f32[40], 0)",
    "cast(mul(where(pred[40], 0.5, 0.25) -> f32[40], 2.0)) -> s32[40]",
    "cast(mul(add(where(pred[40], 0.5, 0.25) -> f32[40], 0.25), 4.0)) -> s8[40]",
    "add(where(pred[40], 0.5, 0.25) -> f32[40], f32[40])",
    "sum(where(pred[4,40], 0.5, 0.25) -> f32[4,40], axis=1) -> f32[4]",
)


@pytest.mark.parametrize("text", CHOICES)
def test_a_choice_between_numbers_keeps_its_dtype(text):
    spec = gt.parse(text)
    given = [np.arange(t.elements).reshape(t.shape) % 3 for t in spec.inputs]
    given = [x == 1 if t.dtype == "pred" else x.astype(np.float32) for x, t in zip(given, spec.inputs)]
    found = gt.compile(spec, target="native")(*given)
    np.testing.assert_allclose(found, gt.interpret(spec, *given), rtol=1e-6)
