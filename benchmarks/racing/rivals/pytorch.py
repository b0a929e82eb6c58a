"""PyTorch: mm and matmul with out=, linear with weights packed by oneDNN or by MKL, _int_mm."""

from __future__ import annotations

import numpy as np
import torch
from racing.contestant import Skip, Way


def ways(problem, a, b, threads):
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    yield from {"f32": _f32, "bf16": _bf16, "u8s8": _u8s8}[problem.dtype](problem, _held(a), _held(b))


def _held(array):
    tensor = torch.from_numpy(array.view(np.int16) if array.dtype == np.uint16 else array)
    return tensor.view(torch.bfloat16) if array.dtype == np.uint16 else tensor


def _f32(problem, a, b):
    c = torch.empty((*a.shape[:-1], b.shape[-1]))
    if problem.batch > 1:
        yield _into("bmm(out=)", torch.bmm, a, b, c)
        return
    yield _into("mm(out=)", torch.mm, a, b, c)
    if problem.is_matvec:
        yield _into("mv(out=)", torch.mv, b.T, a[0], c[0], c)
    yield from _linear(problem, a, b)


def _bf16(problem, a, b):
    c = torch.empty((*a.shape[:-1], b.shape[-1]), dtype=torch.bfloat16)
    yield _into("mm(out=), to bf16", torch.mm, a, b, c)
    if problem.is_matvec:
        yield _into("mv(out=), to bf16", torch.mv, b.T, a[0], c[0], c)
    yield from _linear(problem, a, b)


def _u8s8(problem, a, b):
    if problem.batch > 1 or problem.m <= 16:
        raise Skip("_int_mm wants more than 16 rows")
    a = a.view(torch.int8)  # below 128
    c = torch.empty((problem.m, problem.n), dtype=torch.int32)
    yield _into("_int_mm(out=), s8 x s8", torch._int_mm, a, b, c)
    if problem.const:
        turned = b.t().contiguous().t()
        yield _into("_int_mm(out=), s8 x s8, weights turned", torch._int_mm, a, turned, c)


def _linear(problem, a, b):
    """Weights [n, k]; packed where constant. These allocate their output: torch gives them no out=."""
    if not problem.const and problem.layout == "row":
        return
    weights = b.t()
    yield _returning("linear", lambda: torch.nn.functional.linear(a, weights))
    if not problem.const:
        return
    whole = weights.contiguous()
    packed = torch.ops.mkldnn._reorder_linear_weight(whole, problem.m)
    yield _returning("linear, packed by oneDNN", lambda: torch.ops.mkldnn._linear_pointwise(a, packed, None, "none", [], ""))
    if problem.dtype == "f32":
        theirs = torch.ops.mkl._mkl_reorder_linear_weight(whole, problem.m)
        yield _returning("linear, packed by MKL", lambda: torch.ops.mkl._mkl_linear(a, theirs, whole, None, problem.m))


def _into(name, function, a, b, out, whole=None) -> Way:
    whole = out if whole is None else whole
    return _way(name, lambda: function(a, b, out=out), lambda: whole)


def _returning(name, function) -> Way:
    """A way without out=: the result of its last call."""
    kept = {"it": function()}

    def run():
        kept["it"] = function()

    return _way(name, run, lambda: kept["it"])


def _way(name, run, tensor) -> Way:
    rounds = tensor().dtype == torch.bfloat16
    return Way(name, run, (lambda: tensor().view(torch.int16).numpy().view(np.uint16)) if rounds else (lambda: tensor().numpy()), rounds_to_bf16=rounds)


def versions() -> dict:
    return {"torch": torch.__version__, "cpu": torch.backends.cpu.get_cpu_capability()}
