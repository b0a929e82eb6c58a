"""Small networks of random weights as ONNX models, and what onnxruntime's tools make of them."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx_models import model, node, onnx, typed

SIDES = [1, 1, 1, 1]


def weights(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return (rng.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float32)


def filters(rng: np.random.Generator, **shapes: tuple[int, ...]) -> dict[str, np.ndarray]:
    """By name, weights w and for each output a bias b."""
    found = {}
    for name, shape in shapes.items():
        found |= {f"w{name}": weights(rng, *shape), f"b{name}": weights(rng, shape[0])}
    return found


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


def feeds(proto: Any, count: int = 3, seed: int = 1) -> list[dict[str, np.ndarray]]:
    """Inputs of floats for a model."""
    rng = np.random.default_rng(seed)
    sizes = {i.name: [d.dim_value for d in i.type.tensor_type.shape.dim] for i in proto.graph.input}
    return [{n: rng.standard_normal(shape).astype(np.float32) for n, shape in sizes.items()} for _ in range(count)]


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
