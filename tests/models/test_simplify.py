"""Laws of calls: each applies to its examples, where both sides agree, and not where it would not hold."""

import numpy as np
import pytest
from griotte.lang.types.tensor import tensor
from griotte.models import GraphBuilder
from griotte.models.reference import interpret
from griotte.models.simplify import APART, STAGES, simplify
from griotte.models.simplify.rule import Site
from simplifying import agree, calls, drawn, same_function

RULES = tuple({id(rule): rule for rules in (*STAGES, APART) for rule in rules}.values())
EXAMPLES = [(rule, example) for rule in RULES for example in rule.examples]


def test_all_rules_have_examples():
    assert not [rule.law for rule in RULES if not rule.examples]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=[rule.law[:60] for rule, _ in EXAMPLES])
def test_both_sides_of_a_law_agree(rule, example):
    builder = GraphBuilder()
    left = example(builder)
    right = rule.apply(Site(builder, left, {}))
    assert right is not None, "the rule does not apply to its example"
    assert right.type.shape == left.type.shape and right.type.dtype == left.type.dtype
    graph = builder.graph({"left": left, "right": right})
    one, other = interpret(graph, *(drawn(value.type, i) for i, value in enumerate(graph.inputs)))
    agree([one], [other])


@pytest.mark.parametrize(("rule", "example"), EXAMPLES, ids=[rule.law[:60] for rule, _ in EXAMPLES])
def test_all_rules_together_end_and_agree(rule, example):
    builder = GraphBuilder()
    graph = builder.graph({"y": example(builder)})
    simpler = same_function(graph)
    assert calls(simplify(simpler)) == calls(simpler)


def test_what_others_read_is_not_taken_apart():
    """x * sigmoid(x) stays where sigmoid(x) is an output."""
    builder = GraphBuilder()
    x = builder.input(tensor((2, 3)), "x")
    s = builder.call("sigmoid", x)
    graph = builder.graph({"y": builder.call("mul", x, s), "s": s})
    assert calls(simplify(graph)) == ["sigmoid", "mul"]


def test_a_law_does_not_change_the_shape():
    """x of [3] times a factor of [2, 3] that is 1 throughout is no x."""
    builder = GraphBuilder()
    x = builder.input(tensor((3,)), "x")
    ones = builder.constant(np.ones((2, 3), np.float32))
    assert calls(same_function(builder.graph({"y": builder.call("mul", x, ones)}))) == ["mul"]


def test_a_layer_norm_with_gain_and_bias():
    builder = GraphBuilder()
    x = builder.input(tensor((2, 5, 8)), "x")
    gain, bias = (builder.constant(np.linspace(low, 2, 8, dtype=np.float32)) for low in (0.5, -1))
    mean = lambda v: builder.call("mean", v, axis=(-1,), keepdims=True)
    centred = builder.call("sub", x, mean(x))
    variance = mean(builder.call("mul", centred, centred))
    root = builder.call("sqrt", builder.call("add", variance, builder.constant(np.float32(1e-3))))
    normed = builder.call("add", builder.call("mul", builder.call("div", centred, root), gain), bias)
    simpler = same_function(builder.graph({"y": normed}))
    assert calls(simpler) == ["layer_norm"]
    assert dict(simpler.calls[0].attributes)["epsilon"] == pytest.approx(1e-3)


def test_what_is_computed_beside_one_row_is_no_bias():
    """A norm of one row, and what is added to it: a bias where it comes in, but not what a product gives."""
    builder = GraphBuilder()
    x, w = builder.input(tensor((1, 8)), "x"), builder.input(tensor((8, 8)), "w")
    bias, one = builder.input(tensor((1, 8)), "bias"), builder.constant(np.ones(8, np.float32))
    norm = lambda: builder.call("layer_norm", x, one, builder.constant(np.zeros(8, np.float32)))
    given = builder.call("add", norm(), bias)
    computed = builder.call("add", norm(), builder.call("matmul", x, w))
    assert calls(same_function(builder.graph({"y": given}))) == ["reshape", "layer_norm"]
    assert calls(same_function(builder.graph({"y": computed}))) == ["layer_norm", "matmul", "add"]


def test_attention_with_grouped_heads_scales_and_a_causal_mask():
    builder = GraphBuilder()
    q, k = builder.input(tensor((1, 4, 6, 8)), "q"), builder.input(tensor((1, 2, 6, 8)), "k")
    scale = builder.constant(np.float32(8**-0.25))
    apart = builder.call("reshape", k, shape=(1, 2, 1, 6, 8))
    heads = builder.call("reshape", builder.call("broadcast", apart, shape=(1, 2, 2, 6, 8)), shape=(1, 4, 6, 8))
    turned = builder.call("mul", builder.call("transpose", heads, perm=(0, 1, 3, 2)), scale)
    scores = builder.call("matmul", builder.call("mul", q, scale), turned)
    mask = np.where(np.tri(6, dtype=bool), 0, np.finfo(np.float32).min).astype(np.float32)
    weights = builder.call("softmax", builder.call("add", scores, builder.constant(mask)), axis=-1)
    graph = builder.graph({"y": builder.call("matmul", weights, heads)})
    simpler = same_function(graph)
    assert calls(simpler) == ["attention"]
    assert dict(simpler.calls[0].attributes)["causal"] is True
    assert simpler.calls[0].reads == simpler.inputs[:1] + simpler.inputs[1:] * 2


def test_a_root_of_another_base_is_no_gelu():
    builder = GraphBuilder()
    x = builder.input(tensor((2, 3)), "x")
    number = lambda n: builder.constant(np.float32(n))
    inner = builder.call("add", builder.call("erf", builder.call("mul", x, number(0.7))), number(1))
    graph = builder.graph({"y": builder.call("mul", builder.call("mul", x, number(0.5)), inner)})
    assert "gelu" not in calls(same_function(graph))


def test_division_by_three_stays():
    builder = GraphBuilder()
    x = builder.input(tensor((2, 3)), "x")
    graph = builder.graph({"y": builder.call("div", x, builder.constant(np.float32(3)))})
    assert calls(simplify(graph)) == ["div"]


def test_what_is_taken_backwards_stays():
    builder = GraphBuilder()
    x = builder.input(tensor((2, 3)), "x")
    graph = builder.graph({"y": builder.call("slice", x, starts=(0, 2), limits=(2, -1), steps=(1, -1))})
    assert calls(same_function(graph)) == ["slice"]
