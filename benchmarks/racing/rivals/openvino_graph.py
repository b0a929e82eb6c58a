"""OpenVINO: one MatMul node, latency hint, inputs and output bound. bf16: constant weights, bf16 hint, f32 at both ends."""

from __future__ import annotations

import numpy as np
import openvino
from openvino import opset13 as ops
from racing.contestant import Skip, Way, aligned, as_bf16


def ways(problem, a, b, threads):
    if problem.dtype == "u8s8":
        raise Skip("its integer product runs at f32 speed; its int8 path takes quantized graphs only")
    if problem.dtype == "bf16" and not problem.const:
        raise Skip("bf16 only inside a graph, with constant weights")
    is_wide = problem.dtype == "bf16"
    a = as_bf16(a) if is_wide else a
    given = b if b.flags.c_contiguous else b.swapaxes(-1, -2)
    turned = given is not b
    given = as_bf16(given) if is_wide else given
    x = ops.parameter(a.shape, np.float32)
    w = ops.constant(given) if problem.const else ops.parameter(given.shape, np.float32)
    model = openvino.Model([ops.matmul(x, w, False, turned)], [x] if problem.const else [x, w])
    settings = {
        "INFERENCE_NUM_THREADS": threads,
        "NUM_STREAMS": 1,
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "bf16" if is_wide else "f32",
        "ENABLE_CPU_PINNING": False,
    }
    request = openvino.Core().compile_model(model, "CPU", settings).create_infer_request()
    c = aligned((*a.shape[:-1], b.shape[-1]), np.float32)
    request.set_input_tensor(0, openvino.Tensor(a, shared_memory=True))
    if not problem.const:
        request.set_input_tensor(1, openvino.Tensor(given, shared_memory=True))
    request.set_output_tensor(0, openvino.Tensor(c, shared_memory=True))
    kept = (a, given, c, model)
    yield Way("constant" if problem.const else "input", lambda kept=kept: request.infer(share_outputs=True), lambda: c, rounds_to_bf16=is_wide)


def versions() -> dict:
    return {"openvino": openvino.get_version()}
