"""Small networks of random weights as ONNX models, and what onnxruntime's tools make of them."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx_models import TensorProto, microsoft, model, node, onnx, typed

SIDES = [1, 1, 1, 1]


def weights(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return (rng.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float32)


def filters(rng: np.random.Generator, **shapes: tuple[int, ...]) -> dict[str, np.ndarray]:
    """By name, weights w and for each output a bias b."""
    found = {}
    for name, shape in shapes.items():
        found |= {f"w{name}": weights(rng, *shape), f"b{name}": weights(rng, shape[0])}
    return found


def perceptron(seed: int = 0) -> Any:
    """Of three layers: x of [1,64]."""
    rng, sizes = np.random.default_rng(seed), {"a": (40, 64), "c": (24, 40), "e": (10, 24)}
    known = filters(rng, **sizes)
    nodes = []
    for name, reads, gives in (("a", "x", "a"), ("c", "b", "c"), ("e", "d", "y")):
        nodes.append(node("Gemm", f"{reads} w{name} b{name}", gives, transB=1))
        nodes += [node("Relu", gives, chr(ord(gives) + 1))] * (gives != "y")
    return model(nodes, [typed("x", (1, 64))], ["y"], 17, **known)


def lenet(seed: int = 0) -> Any:
    """LeCun's, of ReLU and largest of windows: x of [1,1,28,28]."""
    rng, two = np.random.default_rng(seed), {"kernel_shape": [2, 2], "strides": [2, 2]}
    known = filters(rng, a=(6, 1, 5, 5), d=(16, 6, 5, 5), h=(120, 400), j=(84, 120), l=(10, 84))
    nodes = [
        node("Conv", "x wa ba", "a", pads=[2, 2, 2, 2]),
        node("Relu", "a", "b"),
        node("MaxPool", "b", "c", **two),
        node("Conv", "c wd bd", "d"),
        node("Relu", "d", "e"),
        node("MaxPool", "e", "f", **two),
        node("Flatten", "f", "g"),
        node("Gemm", "g wh bh", "h", transB=1),
        node("Relu", "h", "i"),
        node("Gemm", "i wj bj", "j", transB=1),
        node("Relu", "j", "k"),
        node("Gemm", "k wl bl", transB=1),
    ]
    return model(nodes, [typed("x", (1, 1, 28, 28))], ["y"], 17, **known)


def residual(seed: int = 0) -> Any:
    """Of residual blocks: x of [1,3,9,9]."""
    rng = np.random.default_rng(seed)
    known = filters(rng, a=(8, 3, 3, 3), c=(8, 8, 3, 3), e=(8, 8, 3, 3)) | {
        "wf": weights(rng, 8, 5),
        "bf": weights(rng, 5),
    }
    nodes = [
        node("Conv", "x wa ba", "a", pads=SIDES),
        node("Relu", "a", "b"),
        node("Conv", "b wc bc", "c", pads=SIDES),
        node("Relu", "c", "d"),
        node("Conv", "d we be", "e", pads=SIDES),
        node("Add", "e b", "f"),
        node("Relu", "f", "g"),
        node("MaxPool", "g", "h", kernel_shape=[2, 2], strides=[2, 2]),
        node("GlobalAveragePool", "h", "i"),
        node("Flatten", "i", "j"),
        node("Gemm", "j wf bf"),
    ]
    return model(nodes, [typed("x", (1, 3, 9, 9))], ["y"], 17, **known)


def mobile(seed: int = 0) -> Any:
    """Of channels by themselves, with what weighs them: x of [1,3,11,11]."""
    rng = np.random.default_rng(seed)
    known = filters(rng, a=(8, 3, 3, 3), c=(8, 1, 3, 3), f=(4, 8, 1, 1), h=(8, 4, 1, 1), k=(8, 8, 1, 1))
    known |= {"low": np.float32(0), "high": np.float32(6), "wm": weights(rng, 8, 5), "bm": weights(rng, 5)}
    known |= {name: np.array([n]) for name, n in (("start", 0), ("end", 8), ("axis", 1))}
    nodes = [
        node("Conv", "x wa ba", "a", pads=SIDES, strides=[2, 2]),
        node("HardSwish", "a", "b"),
        node("Conv", "b wc bc", "c", pads=SIDES, group=8),
        node("Clip", "c low high", "d"),
        node("GlobalAveragePool", "d", "e"),
        node("Conv", "e wf bf", "f"),
        node("Relu", "f", "g"),
        node("Conv", "g wh bh", "h"),
        node("HardSigmoid", "h", "i", alpha=1 / 6),
        node("Mul", "d i", "j"),
        node("Conv", "j wk bk", "k"),
        node("Add", "k b", "l"),
        node("AveragePool", "l", "m", kernel_shape=[3, 3], strides=[2, 2], pads=SIDES),
        node("Concat", "m m", "n", axis=1),
        node("GlobalAveragePool", "n", "o"),
        node("Flatten", "o", "p"),
        node("Sigmoid", "p", "q"),
        node("Slice", "q start end axis", "r"),
        node("MatMul", "r wm", "s"),
        node("Add", "s bm", "t"),
        node("Softmax", "t", axis=-1),
    ]
    return model(nodes, [typed("x", (1, 3, 11, 11))], ["y"], 17, **known)


def encoder(seed: int = 0, length: int = 7, width: int = 16, heads: int = 2) -> Any:
    """A layer of an encoder as exporters write it: x of [1,length,width]."""
    rng = np.random.default_rng(seed)
    known = {f"w{name}": weights(rng, width, width) for name in "qkvo"} | {
        f"b{name}": weights(rng, width) for name in "qkvo"
    }
    known |= {"wf": weights(rng, width, 2 * width), "bf": weights(rng, 2 * width), "wg": weights(rng, 2 * width, width)}
    known |= {"bg": weights(rng, width)} | {f"g{n}": 1 + weights(rng, width) for n in (1, 2)}
    known |= {f"s{n}": weights(rng, width) for n in (1, 2)}
    known |= {"apart": np.array([0, 0, heads, width // heads]), "rows": np.array([0, 0, width])}
    known |= {
        name: np.float32(n)
        for name, n in (("root", (width // heads) ** 0.5), ("r2", 2**0.5), ("one", 1), ("half", 0.5))
    }
    nodes = []
    for name in "qkv":
        perm = [0, 2, 3, 1] if name == "k" else [0, 2, 1, 3]
        nodes += [
            node("MatMul", f"x w{name}", f"{name}0"),
            node("Add", f"b{name} {name}0", f"{name}1"),
            node("Reshape", f"{name}1 apart", f"{name}2"),
            node("Transpose", f"{name}2", f"{name}3", perm=perm),
        ]
    nodes += [
        node("MatMul", "q3 k3", "s0"),
        node("Div", "s0 root", "s3"),
        node("Softmax", "s3", "p", axis=-1),
        node("MatMul", "p v3", "a0"),
        node("Transpose", "a0", "a1", perm=[0, 2, 1, 3]),
        node("Reshape", "a1 rows", "a2"),
        node("MatMul", "a2 wo", "o0"),
        node("Add", "bo o0", "o1"),
        node("Add", "o1 x", "o2"),
        node("LayerNormalization", "o2 g1 s1", "h", epsilon=1e-5),
        node("MatMul", "h wf", "f0"),
        node("Add", "bf f0", "f1"),
        node("Div", "f1 r2", "f2"),
        node("Erf", "f2", "f3"),
        node("Add", "f3 one", "f4"),
        node("Mul", "f1 f4", "f5"),
        node("Mul", "f5 half", "f6"),
        node("MatMul", "f6 wg", "e0"),
        node("Add", "bg e0", "e1"),
        node("Add", "e1 h", "e2"),
        node("LayerNormalization", "e2 g2 s2", epsilon=1e-5),
    ]
    return model(nodes, [typed("x", (1, length, width))], ["y"], 17, **known)


def decoder(seed: int = 0, new: int = 1, past: int = 5, width: int = 64, heads: int = 4, shared: int = 2) -> Any:
    """A layer of a decoder as onnxruntime's builder of models writes it: x of [1,new,width], its past."""
    rng, size = np.random.default_rng(seed), width // heads
    parts = {"q": heads * size, "k": shared * size, "v": shared * size}
    known = {f"w{name}": weights(rng, n, width).T.copy() for name, n in parts.items()}
    known |= {"wo": weights(rng, width, width), "wd": weights(rng, 2 * width, width)}
    known |= {f"w{name}": weights(rng, width, 2 * width) for name in ("g", "u")}
    known |= {f"g{n}": 1 + weights(rng, width) for n in (1, 2)}
    turn = np.arange(past + new)[:, None] * 0.1 ** np.arange(size // 2)
    known |= {"cos": np.cos(turn).astype(np.float32), "sin": np.sin(turn).astype(np.float32)}
    known |= {"last": np.array([1]), "one": np.array([1]), "axis": np.array([1])}
    nodes = [
        node("ReduceSum", "mask axis", "sums", keepdims=0),
        node("Sub", "sums one", "ends"),
        node("Cast", "ends", "lengths", to=TensorProto.INT32),
        node("Shape", "mask", "shape"),
        node("Gather", "shape last", "keys"),
        node("Cast", "keys", "total", to=TensorProto.INT32),
        node("SimplifiedLayerNormalization", "x g1", "h", epsilon=1e-6),
        *(node("MatMul", f"h w{name}", name) for name in "qkv"),
        microsoft(
            "GroupQueryAttention",
            "q k v pk pv lengths total cos sin",
            "a nk nv",
            num_heads=heads,
            kv_num_heads=shared,
            do_rotary=1,
        ),
        node("MatMul", "a wo", "o"),
        microsoft("SkipSimplifiedLayerNormalization", "x o g2", "f   r", epsilon=1e-6),
        node("MatMul", "f wg", "gate"),
        node("MatMul", "f wu", "up"),
        node("Sigmoid", "gate", "open"),
        node("Mul", "gate open", "silu"),
        node("Mul", "silu up", "both"),
        node("MatMul", "both wd", "d"),
        node("Add", "r d", "y"),
    ]
    inputs = [typed("x", (1, new, width)), typed("mask", (1, past + new), np.int64)]
    inputs += [typed(name, (1, shared, past, size)) for name in ("pk", "pv")]
    outputs = [typed("y", (1, new, width)), *(typed(n, (1, shared, past + new, size)) for n in ("nk", "nv"))]
    made = model(nodes, inputs, [], 17, **known)
    made.graph.output.extend(outputs)
    return made


def feeds(proto: Any, count: int = 3, seed: int = 1) -> list[dict[str, np.ndarray]]:
    """Inputs of floats for a model."""
    rng = np.random.default_rng(seed)
    sizes = {i.name: [d.dim_value for d in i.type.tensor_type.shape.dim] for i in proto.graph.input}
    return [{n: rng.standard_normal(shape).astype(np.float32) for n, shape in sizes.items()} for _ in range(count)]


def dynamic(proto: Any, folder: Path) -> Any:
    """The model with products of what is quantised as it comes, by onnxruntime's quantiser."""
    tools = pytest.importorskip("onnxruntime.quantization", reason="the package onnxruntime is not installed")
    given = onnx.ModelProto.FromString(proto.SerializeToString())
    given.ir_version = 10
    onnx.save(given, folder / "given.onnx")
    logging.disable(logging.WARNING)
    try:
        tools.quantize_dynamic(folder / "given.onnx", folder / "dynamic.onnx", per_channel=True)
    finally:
        logging.disable(logging.NOTSET)
    return onnx.load(folder / "dynamic.onnx")


def of_few_bits(proto: Any, bits: int, block: int, symmetric: bool) -> Any:
    """The model with weights of few bits, as onnxruntime's quantiser, which other packages are needed for, does it."""
    pytest.importorskip("onnxruntime", reason="the package onnxruntime is not installed")
    from onnxruntime.capi import _pybind_state

    round_to_bits = getattr(_pybind_state, f"quantize_matmul_{bits}bits")
    made = onnx.ModelProto.FromString(proto.SerializeToString())
    arrays = {each.name: onnx.numpy_helper.to_array(each) for each in made.graph.initializer}
    nodes = []
    for each in made.graph.node:
        if each.op_type != "MatMul" or each.input[1] not in arrays:
            nodes.append(each)
            continue
        own, x = each.input[1], arrays[each.input[1]]
        (k, n), blocks = x.shape, -(-x.shape[0] // block)
        packed = np.zeros((n, blocks, block * bits // 8), np.uint8)
        zeros, scales = np.zeros((n, -(-blocks * bits // 8)), np.uint8), np.zeros((n, blocks), x.dtype)
        padded = np.pad(x, ((0, blocks * block - k), (0, 0)))
        round_to_bits(packed, padded, scales, zeros, block, n, k, symmetric)
        parts = {f"{own}_q": packed, f"{own}_s": scales} | ({} if symmetric else {f"{own}_z": zeros})
        made.graph.initializer.extend(onnx.numpy_helper.from_array(array, name) for name, array in parts.items())
        numbers = {"K": k, "N": n, "bits": bits, "block_size": block}
        nodes.append(microsoft("MatMulNBits", " ".join([each.input[0], *parts]), each.output[0], **numbers))
    del made.graph.node[:]
    made.graph.node.extend(nodes)
    return made


def quantised(proto: Any, folder: Path, form: str, activations: str, weights: str, by_channel: bool) -> Any:
    """The model with integers of 8 bits, by onnxruntime's quantiser; `form` is QDQ or QOperator."""
    tools = pytest.importorskip("onnxruntime.quantization", reason="the package onnxruntime is not installed")
    logging.disable(logging.WARNING)  # it asks for another tool to go before
    given = onnx.shape_inference.infer_shapes(proto)
    given.ir_version = 10
    seen = iter(feeds(proto))

    class Seen(tools.CalibrationDataReader):
        def get_next(self):
            return next(seen, None)

    kinds = {"u8": tools.QuantType.QUInt8, "s8": tools.QuantType.QInt8}
    try:
        tools.quantize_static(
            given,
            folder / "quantised.onnx",
            Seen(),
            quant_format=tools.QuantFormat[form],
            activation_type=kinds[activations],
            weight_type=kinds[weights],
            per_channel=by_channel,
        )
    finally:
        logging.disable(logging.NOTSET)
    return onnx.load(folder / "quantised.onnx")
