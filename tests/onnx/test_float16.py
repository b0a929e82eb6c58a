"""Models of floats of 16 bits: each operator's result is rounded to them, as ONNX has it, and overflows to infinity."""

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from griotte.models.simplify import simplify
from griotte.onnx.items import in_order
from onnx.reference import ReferenceEvaluator
from onnx_models import evaluated, model, node, onnx, typed
from onnx_networks import encoder, feeds, mobile, residual

F16, F32 = np.float16, np.float32
MODELS = {"residual": residual, "mobile": mobile, "encoder": encoder}
STEPS = 2  # of f16 at the largest of results, that they may be apart: sums are taken in f32, in any order


def halved(proto, **options):
    """The model in floats of 16 bits, by onnxruntime's tool; its nodes in the order that ONNX asks for."""
    tool = pytest.importorskip("onnxruntime.transformers.float16", reason="the package onnxruntime is not installed")
    made = tool.convert_float_to_float16(onnx.shape_inference.infer_shapes(proto), **options)
    sorted_nodes = [onnx.NodeProto.FromString(each.SerializeToString()) for each in in_order(made.graph.node)]
    sound = onnx.ModelProto.FromString(made.SerializeToString())
    del sound.graph.node[:]
    sound.graph.node.extend(sorted_nodes)
    return made, sound


def apart(found, wanted):
    """By how many steps of f16 results differ."""
    step = np.spacing(np.abs(wanted).max().astype(F16)).astype(np.float64)
    return np.abs(found.astype(np.float64) - wanted).max() / step


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("keeps", [True, False])
def test_a_network(name, keeps):
    proto = MODELS[name]()
    made, sound = halved(proto, keep_io_types=keeps)
    x = feeds(proto, 1)[0]["x"].astype(F32 if keeps else F16)
    (wanted,) = ReferenceEvaluator(sound).run(None, {"x": x})
    graph = gt.from_onnx(made)
    assert graph.unsupported() == [] and graph.outputs[0].type.dtype == ("f32" if keeps else "f16")
    for each in (graph, simplify(graph)):
        (found,) = interpret(each, x)
        assert found.dtype == wanted.dtype and apart(found, wanted) <= STEPS


def test_a_kernel():
    proto = mobile()
    made, sound = halved(proto, keep_io_types=True)
    x = feeds(proto, 1)[0]["x"]
    (wanted,) = ReferenceEvaluator(sound).run(None, {"x": x})
    assert apart(gt.compile(gt.from_onnx(made), table="none", effort=1)(x), wanted) <= STEPS


def squares():
    nodes = [node("Mul", "x x", "a"), node("Mul", "a c")]
    return model(nodes, [typed("x", (5,), F16)], ["y"], 17, c=F16(0.001))


def test_what_is_too_large_is_infinite():
    x = np.array([300, -300, 1, 1e-4, 200], F16)
    with np.errstate(over="ignore"):
        wanted = x * x * F16(0.001)
    assert np.isinf(wanted[:2]).all()
    (found,) = evaluated(squares(), x)
    assert np.array_equal(found, wanted)
    assert np.array_equal(gt.compile(gt.from_onnx(squares()), table="none", effort=1)(x), wanted)


@pytest.mark.parametrize("operator", ["Conv", "ConvTranspose", "Gemm"])
def test_a_bias_is_added_before_the_sum_is_rounded(operator):
    """Which is more than f16 holds without it."""
    shape, filters = ((1, 8), (8, 1)) if operator == "Gemm" else ((1, 8, 1, 1), (1, 8, 1, 1))
    filters = (8, 1, 1, 1) if operator == "ConvTranspose" else filters
    known = {"w": np.full(filters, 100, F16), "b": np.array([-60000], F16)}
    (found,) = evaluated(
        model([node(operator, "x w b")], [typed("x", shape, F16)], ["y"], 17, **known), np.full(shape, 100, F16)
    )
    assert found.dtype == F16 and found.item() == 20000


def test_casts_to_16_bits_overflow():
    x = np.array([65504, 65519, 65520, -1e6, 1e-8, np.nan], F32)
    proto = model([node("Cast", "x", to=onnx.TensorProto.FLOAT16)], [typed("x", (6,))], ["y"], 17)
    with np.errstate(over="ignore"):
        assert np.array_equal(evaluated(proto, x)[0], x.astype(F16), equal_nan=True)
