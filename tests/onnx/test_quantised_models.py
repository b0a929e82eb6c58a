"""Networks that onnxruntime quantised: read, simplified and compiled they do what onnxruntime does."""

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from griotte.models.simplify import simplify
from onnx_models import by_onnxruntime, model, node, typed
from onnx_networks import SIDES, encoder, feeds, mobile, quantised, residual

F32, U8, S8 = np.float32, np.uint8, np.int8
FORMS = [("u8", "s8"), ("s8", "s8"), ("u8", "u8")]
MODELS = {"residual": residual, "mobile": mobile, "encoder": encoder}
STEP = {"residual": 0.06, "mobile": 1 / 128, "encoder": 0.04}  # of the results' scales
OF_INTEGERS = {"residual": ("qconv2d", 3), "mobile": ("qconv2d", 5), "encoder": ("qmatmul", 8)}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("form", ["QDQ", "QOperator"])
@pytest.mark.parametrize(("activations", "weights"), FORMS)
@pytest.mark.parametrize("by_channel", [False, True])
def test_a_network(name, form, activations, weights, by_channel, tmp_path):
    proto = MODELS[name]()
    made = quantised(proto, tmp_path, form, activations, weights, by_channel)
    (x,) = feeds(proto, 1, seed=5)[0].values()
    graph = gt.from_onnx(made)
    assert graph.unsupported() == []
    simple = simplify(graph)
    (wanted,) = by_onnxruntime(made, x)
    for each in (graph, simple):
        (found,) = interpret(each, x)
        assert np.abs(found - wanted).max() <= STEP[name]
    calls, (wanted, count) = [value.call for value in simple.calls], OF_INTEGERS[name]
    assert calls.count(wanted) == count and "conv2d" not in calls


@pytest.mark.parametrize(("name", "form"), [("residual", "QDQ"), ("mobile", "QOperator")])
def test_a_kernel(name, form, tmp_path):
    proto = MODELS[name]()
    made = quantised(proto, tmp_path, form, "u8", "s8", True)
    (x,) = feeds(proto, 1, seed=5)[0].values()
    kernel = gt.compile(gt.from_onnx(made), table="none", effort=1)
    assert np.abs(kernel(x) - by_onnxruntime(made, x)[0]).max() <= STEP[name]


def test_what_the_optimiser_writes_is_read(tmp_path):
    """Convolutions whose channels are last, sums in integers, products that are one with what comes after."""
    proto = residual()
    made = quantised(proto, tmp_path, "QDQ", "u8", "s8", True)
    (x,) = feeds(proto, 1, seed=5)[0].values()
    (wanted,) = by_onnxruntime(made, x, level="ENABLE_ALL", path=tmp_path / "optimised.onnx")
    graph = gt.from_onnx(tmp_path / "optimised.onnx")
    assert graph.unsupported() == []
    assert np.abs(interpret(graph, x)[0] - wanted).max() <= STEP["residual"]


def chain(between, activations=U8, weights=S8, x_zero=7, y_zero=3, w_zero=0, y_scale=0.9, by_channel=True, rest=False):
    """Floats of integers, a convolution, what is between, integers."""
    rng = np.random.default_rng(3)
    info = np.iinfo(weights)
    w_scale = rng.uniform(0.01, 0.05, 6).astype(F32) if by_channel else F32(0.02)
    zeros = lambda number, dtype: np.full(w_scale.shape, number, dtype)
    known = {
        "w": rng.integers(info.min, info.max + 1, (6, 4, 3, 3)).astype(weights),
        "ws": w_scale,
        "wz": zeros(w_zero, weights),
        "b": rng.integers(-999, 999, 6).astype(np.int32),
        "bs": F32(0.05) * w_scale,
        "bz": zeros(0, np.int32),
        "zero": F32(0),
        "six": F32(6),
        "rz": activations(11),
        "xz": activations(x_zero),
        "yz": activations(y_zero),
    } | {name: F32(number) for name, number in (("xs", 0.05), ("ys", y_scale), ("rs", 0.3))}
    axis = {"axis": 0} if by_channel else {}
    nodes = [
        node("DequantizeLinear", "x xs xz", "xf"),
        node("DequantizeLinear", "w ws wz", "wf", **axis),
        node("DequantizeLinear", "b bs bz", "bf", **axis),
        node("Conv", "xf wf bf", "c0", pads=SIDES),
    ]
    inputs, last = [typed("x", (1, 4, 7, 7), activations)], "c0"
    if rest:
        nodes += [node("DequantizeLinear", "r rs rz", "rf"), node("Add", "c0 rf", "c1")]
        inputs, last = [*inputs, typed("r", (1, 6, 7, 7), activations)], "c1"
    for operator, reads in between:
        nodes.append(node(operator, f"{last}{reads}", f"m{len(nodes)}"))
        last = f"m{len(nodes) - 1}"
    nodes.append(node("QuantizeLinear", f"{last} ys yz"))
    arrays = [rng.integers(0, 256, [d.dim_value for d in i.type.tensor_type.shape.dim]).astype(U8) for i in inputs]
    return model(nodes, inputs, ["y"], 17, **known), [array.view(activations) for array in arrays]


RELU, CLIP, SWISH = [("Relu", "")], [("Clip", " zero six")], [("HardSwish", "")]
CHAINS = {
    "nothing": ([], {}, ["qconv2d"]),
    "relu that the zero does": (RELU, {"y_zero": 0}, ["qconv2d"]),
    "relu": (RELU, {}, ["qconv2d", "maximum"]),
    "relu of s8": (RELU, {"activations": S8, "y_zero": 0}, ["qconv2d", "relu"]),
    "clip": (CLIP, {}, ["qconv2d", "maximum", "minimum"]),
    "clip that the scale does": (CLIP, {"y_scale": 6 / 255, "y_zero": 0}, ["qconv2d"]),
    "one scale": (RELU, {"by_channel": False, "w_zero": 119, "weights": U8}, ["qconv2d", "maximum"]),
    "hard_swish": (SWISH, {}, ["pad", "conv2d", "add", "dequantize", "add", "hard_swish", "quantize"]),
    "no zeros": (SWISH, {"x_zero": 0}, ["conv2d", "dequantize", "add", "hard_swish", "quantize"]),
    "zeros in the middle": (
        SWISH,
        {"by_channel": False, "weights": U8, "w_zero": 128},
        ["pad", "conv2d", "add", "dequantize", "add", "hard_swish", "quantize"],
    ),
    "what is added": (
        RELU,
        {"rest": True, "y_zero": 0},
        ["pad", "conv2d", "add", "dequantize", "add", "dequantize", "add", "quantize"],
    ),
}


@pytest.mark.parametrize("name", CHAINS)
def test_a_convolution_between_integers_is_of_integers(name):
    between, given, wanted = CHAINS[name]
    proto, arrays = chain(between, **given)
    simple = simplify(gt.from_onnx(proto))
    assert [value.call for value in simple.calls] == wanted
    (found,), (theirs,) = interpret(simple, *arrays), by_onnxruntime(proto, *arrays)
    assert found.dtype == theirs.dtype and np.abs(found.astype(int) - theirs).max() <= 1
