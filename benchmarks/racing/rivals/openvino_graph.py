"""OpenVINO: one MatMul node, latency hint, inputs and output bound. bf16: constant weights, bf16 hint, f32 at both
ends. Graphs in its own operations."""

from __future__ import annotations

import numpy as np
import openvino
from openvino import opset13 as ops

from racing import calls
from racing.contestant import Skip, Way, as_bf16, output, placed


def ways(problem, a, b, threads):
    if problem.dtype == "u8s8":
        raise Skip("its integer product runs at f32 speed; its int8 path takes quantized graphs only")
    if problem.dtype == "bf16" and not problem.const:
        raise Skip("bf16 only inside a graph, with constant weights")
    is_wide = problem.dtype == "bf16"
    a = placed(as_bf16(a), problem.begin) if is_wide else a
    given = b if b.flags.c_contiguous else b.swapaxes(-1, -2)
    turned = given is not b
    given = as_bf16(given) if is_wide else given
    x = ops.parameter(a.shape, np.float32)
    w = ops.constant(given) if problem.const else ops.parameter(given.shape, np.float32)
    model = openvino.Model([ops.matmul(x, w, False, turned)], [x] if problem.const else [x, w])
    request = _request(model, threads, "bf16" if is_wide else "f32")
    c = output(problem)
    request.set_input_tensor(0, openvino.Tensor(a, shared_memory=True))
    if not problem.const:
        request.set_input_tensor(1, openvino.Tensor(given, shared_memory=True))
    request.set_output_tensor(0, openvino.Tensor(c, shared_memory=True))
    kept = (a, given, c, model)
    yield Way(
        "constant" if problem.const else "input",
        lambda kept=kept: request.infer(share_outputs=True),
        lambda: c,
        rounds_to_bf16=is_wide,
    )


def _request(model, threads: int, precision: str, rounded: int = 0):
    """`rounded`: activations that meet weights of 4 bits are rounded to bytes in groups of so many; 0: they are not."""
    settings = {
        "INFERENCE_NUM_THREADS": threads,
        "NUM_STREAMS": 1,
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": precision,
        "ENABLE_CPU_PINNING": False,
        "DYNAMIC_QUANTIZATION_GROUP_SIZE": rounded,
    }
    return openvino.Core().compile_model(model, "CPU", settings).create_infer_request()


# Graphs
# ------------------------------------------------------------------------------------------------------------------


def _norm(x, epsilon):
    return ops.mvn(x, np.array([-1], np.int64), True, epsilon, "INSIDE_SQRT")


def _rms_norm(x, gain, epsilon=1e-6):
    squares = ops.reduce_mean(ops.power(x, np.float32(2)), np.array([-1], np.int64), True)
    return ops.multiply(
        ops.multiply(x, ops.divide(np.float32(1), ops.sqrt(ops.add(squares, np.float32(epsilon))))), gain
    )


def _attention(q, k, v, causal=False, scale=None):
    first = np.array([0], np.int64)
    q, k, v = (ops.unsqueeze(x, first) for x in (q, k, v))
    if list(q.shape)[1] != list(k.shape)[1]:
        raise calls.NoForm("its attention has no grouped heads")
    given = (
        {}
        if scale is None
        else {"scale": ops.constant(np.float32(scale)), "attention_mask": ops.constant(np.float32(0))}
    )
    return ops.squeeze(ops.scaled_dot_product_attention(q, k, v, causal=causal, **given), first)


def _reduction(operation):
    return lambda x, axis, keepdims=False: operation(x, np.array([axis], np.int64), keepdims)


def _conv2d(x, w, stride=1, padding=0, groups=1):
    numbers = [stride] * 2, [padding] * 2, [padding] * 2, [1, 1]
    if groups == 1:
        return ops.convolution(x, w, *numbers)
    shape = list(w.shape)
    return ops.group_convolution(
        x, ops.reshape(w, np.array([groups, shape[0] // groups, *shape[1:]], np.int64), False), *numbers
    )


def _group_matmul(x, w, scales, activations=""):
    """Made floats in the graph, in the form that its product takes weights of 4 bits in as they are."""
    n, groups, size = w.shape
    wide = ops.multiply(ops.convert(w, np.float32), ops.unsqueeze(scales, np.array([2], np.int64)))
    return ops.matmul(x, ops.reshape(wide, np.array([n, groups * size], np.int64), False), False, True)


def _constant(array, dtype: str):
    return ops.constant(array, openvino.Type.i4) if dtype == "s4" else ops.constant(array)


FORMS = {
    "matmul": lambda a, b: ops.matmul(a, b, False, False),
    **{
        name: getattr(ops, name)
        for name in ("add", "divide", "maximum", "minimum", "exp", "log", "sqrt", "tanh", "sigmoid", "relu", "abs")
    },
    "sub": ops.subtract,
    "mul": ops.multiply,
    "div": ops.divide,
    "neg": ops.negative,
    "silu": ops.swish,
    "where": ops.select,
    "gelu": lambda x, approximate="none": ops.gelu(x, "tanh" if approximate == "tanh" else "erf"),
    "softmax": lambda x, axis=-1: ops.softmax(x, axis),
    "layer_norm": lambda x, gain, bias, epsilon=1e-5: ops.add(ops.multiply(_norm(x, epsilon), gain), bias),
    "rms_norm": _rms_norm,
    "reshape": lambda x, shape: ops.reshape(x, np.array(shape, np.int64), False),
    "transpose": lambda x, perm: ops.transpose(x, np.array(perm, np.int64)),
    "attention": _attention,
    "conv2d": _conv2d,
    "group_matmul": _group_matmul,
    **{name: _reduction(getattr(ops, f"reduce_{name}")) for name in ("sum", "mean", "max", "min")},
}


def graphs(problem, arrays, threads):
    if problem.dtype != "f32":
        raise Skip(
            "graphs of f32 alone; its int8 path takes graphs that its own tools quantised"
            if problem.dtype == "u8"
            else "graphs of f32 alone"
        )
    parameters = [ops.parameter(x.shape, np.float32) for x in problem.inputs if not x.const]
    is_open = iter(parameters)
    nodes = [_constant(array, x.dtype) if x.const else next(is_open) for x, array in zip(problem.inputs, arrays)]
    request = _request(
        openvino.Model([calls.function(problem.call, FORMS)(*nodes)], parameters), threads, "f32", _rounded(problem)
    )
    c = output(problem)
    for i, array in enumerate(array for x, array in zip(problem.inputs, arrays) if not x.const):
        request.set_input_tensor(i, openvino.Tensor(array, shared_memory=True))
    request.set_output_tensor(0, openvino.Tensor(c, shared_memory=True))
    kept = (arrays, c)
    yield Way("a graph", lambda kept=kept: request.infer(share_outputs=True), lambda: c)


def _rounded(problem) -> int:
    """In groups of how many the activations of a product are to be rounded."""
    return next(
        (
            problem.inputs[args[1]].shape[-1]
            for name, args, attributes, *_ in calls.walk(problem.call)
            if name == "group_matmul" and attributes.get("activations") == "s8"
        ),
        0,
    )


def versions() -> dict:
    return {"openvino": openvino.get_version()}
