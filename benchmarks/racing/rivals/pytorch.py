"""PyTorch: mm and matmul with out=, linear with weights packed by oneDNN or by MKL, _int_mm; graphs call by call, and
by torch.compile."""

from __future__ import annotations

import os
import re
import types

import numpy as np
import torch
from torch.nn import functional

from racing import calls
from racing.contestant import Skip, Way, output

EAGER = "RACE_EAGER"  # in the environment: nothing is compiled
AUTOTUNED = "RACE_AUTOTUNED"  # in the environment: graphs with products are compiled with max-autotune too


def ways(problem, a, b, threads):
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    yield from {"f32": _f32, "bf16": _bf16, "u8s8": _u8s8}[problem.dtype](problem, _held(a), _held(b))


def _held(array):
    tensor = torch.from_numpy(array.view(np.int16) if array.dtype == np.uint16 else array)
    return tensor.view(torch.bfloat16) if array.dtype == np.uint16 else tensor


def _f32(problem, a, b):
    c = _held(output(problem))
    if problem.batch > 1:
        yield _into("bmm(out=)", torch.bmm, a, b, c)
        return
    yield _into("mm(out=)", torch.mm, a, b, c)
    if problem.is_matvec:
        yield _into("mv(out=)", torch.mv, b.T, a[0], c[0], c)
    yield from _linear(problem, a, b)


def _bf16(problem, a, b):
    c = _held(output(problem, np.uint16))
    yield _into("mm(out=), to bf16", torch.mm, a, b, c)
    if problem.is_matvec:
        yield _into("mv(out=), to bf16", torch.mv, b.T, a[0], c[0], c)
    yield from _linear(problem, a, b)


def _u8s8(problem, a, b):
    if problem.batch > 1 or problem.m <= 16:
        raise Skip("_int_mm wants more than 16 rows")
    a = a.view(torch.int8)  # below 128
    c = _held(output(problem))
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
    yield _returning(
        "linear, packed by oneDNN", lambda: torch.ops.mkldnn._linear_pointwise(a, packed, None, "none", [], "")
    )
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

    return _way(name, run, lambda: kept["it"], allocates=True)


def _way(name, run, tensor, allocates=False) -> Way:
    rounds = tensor().dtype == torch.bfloat16
    return Way(
        name,
        run,
        (lambda: tensor().view(torch.int16).numpy().view(np.uint16)) if rounds else (lambda: tensor().numpy()),
        rounds_to_bf16=rounds,
        allocates=allocates,
    )


# Graphs
# ------------------------------------------------------------------------------------------------------------------


def _attention(q, k, v, causal=False, scale=None):
    """In the form that its fused kernels take: [1, heads, rows, d]."""
    s, t = q.shape[-2], k.shape[-2]
    mask = torch.ones(s, t, dtype=torch.bool).tril(t - s) if causal and s != t else None
    grouped = q.shape[-3] != k.shape[-3]
    return functional.scaled_dot_product_attention(
        q[None], k[None], v[None], attn_mask=mask, is_causal=causal and s == t, scale=scale, enable_gqa=grouped
    )[0]


def _matmul(a, b):
    """Of bytes as `_int_mm` has it: s8 by s8, of which those of the race are below 128."""
    return torch._int_mm(a.view(torch.int8), b) if a.dtype == torch.uint8 else torch.matmul(a, b)


def _requantize(sums, scale, zero):
    return torch.clamp(torch.round(sums * scale) + zero, 0, 255).to(torch.uint8)


def _qconv2d(x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, stride=1, padding=0, groups=1):
    """In f32, which holds whole numbers up to 2^24."""
    sums = functional.conv2d(x.float() - x_zero, w.float() - w_zero, None, stride, padding, 1, groups)
    return _requantize(sums, (x_scale * w_scale / y_scale)[:, None, None], y_zero)


def _conv2d(x, w, bias=None, stride=1, padding=0, groups=1):
    return functional.conv2d(x, w, None if bias is None else bias.flatten(), stride, padding, 1, groups)


FORMS = {
    "matmul": _matmul,
    "requantize": _requantize,
    "qconv2d": _qconv2d,
    **{
        name: getattr(torch, name)
        for name in (
            "add",
            "sub",
            "mul",
            "div",
            "maximum",
            "minimum",
            "neg",
            "abs",
            "exp",
            "log",
            "sqrt",
            "rsqrt",
            "tanh",
            "sigmoid",
            "where",
        )
    },
    "relu": functional.relu,
    "silu": functional.silu,
    "gelu": functional.gelu,
    "linear": lambda a, b, bias: torch.addmm(bias, a, b),
    "softmax": lambda x, axis=-1: torch.softmax(x, axis),
    "layer_norm": lambda x, gain, bias, epsilon=1e-5: functional.layer_norm(x, x.shape[-1:], gain, bias, epsilon),
    "rms_norm": lambda x, gain, epsilon=1e-6: functional.rms_norm(x, x.shape[-1:], gain, epsilon),
    "attention": _attention,
    "conv2d": _conv2d,
    "log_softmax": lambda x, axis=-1: torch.log_softmax(x, axis),
    "group_norm": lambda x, groups, gain, bias, epsilon=1e-5: functional.group_norm(x, groups, gain, bias, epsilon),
    "max_pool2d": lambda x, window=2, stride=2: functional.max_pool2d(x, window, stride),
    "avg_pool2d": lambda x, window=2, stride=2: functional.avg_pool2d(x, window, stride),
    "take": lambda x, i: functional.embedding(i, x),
    "reshape": lambda x, shape: x.reshape(shape),
    "transpose": lambda x, perm: x.permute(perm),
    "sum": lambda x, axis, keepdims=False: torch.sum(x, axis, keepdim=keepdims),
    "mean": lambda x, axis, keepdims=False: torch.mean(x, axis, keepdim=keepdims),
    "max": lambda x, axis, keepdims=False: torch.amax(x, axis, keepdim=keepdims),
    "min": lambda x, axis, keepdims=False: torch.amin(x, axis, keepdim=keepdims),
}
INTO = {
    "matmul": torch.matmul,
    **{
        name: FORMS[name]
        for name in ("add", "sub", "mul", "div", "neg", "abs", "exp", "log", "sqrt", "rsqrt", "tanh", "sigmoid")
    },
    "softmax": lambda x, axis=-1, out=None: torch.softmax(x, axis, out=out),
}


class _Module(torch.nn.Module):
    """A graph with its constants as weights, which freezing may pack."""

    def __init__(self, function, inputs, tensors):
        super().__init__()
        self.function, self.count = function, len(tensors)
        self.open = [i for i, x in enumerate(inputs) if not x.const]
        for i, tensor in enumerate(tensors):
            if i not in self.open:
                self.register_buffer(f"x{i}", tensor)

    def forward(self, *given):
        given = dict(zip(self.open, given))
        return self.function(*(given[i] if i in given else getattr(self, f"x{i}") for i in range(self.count)))


def graphs(problem, arrays, threads):
    """Call by call, with out= where the last call has it; compiled, with constants frozen, into memory of its own and
    into the output."""
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    tensors = [_held(x) for x in arrays]
    call = calls.with_biases(calls.with_linear(problem.call, problem.inputs), problem.inputs)
    function = calls.function(call, FORMS)
    yield _returning("call by call", lambda: function(*tensors))
    name, args, attributes = problem.call
    if name in INTO:
        c, parts = (
            _held(output(problem, np.uint16 if problem.dtype == "bf16" else None)),
            [_part(arg, tensors) for arg in args],
        )
        yield _way(
            "call by call, the last with out=",
            lambda: INTO[name](*(part() for part in parts), **attributes, out=c),
            lambda: c,
        )
    if not os.environ.get(EAGER):
        yield from _compiled(problem, function, tensors)
    if problem.dtype == "u8" and name == "requantize" and problem.inputs[1].const:
        yield _quantised_linear(*tensors)
    if name == "qconv2d":
        yield _returning(
            "qconv2d_pointwise, packed by oneDNN",
            calls.function(problem.call, {"qconv2d": _quantised_convolution})(*tensors),
        )


def _quantised_linear(a, b, scale, zero) -> Way:
    """oneDNN's own product of bytes, weights reordered ahead: what PyTorch's quantised models call."""
    packed = torch.ops.onednn.qlinear_prepack(b.t().contiguous(), list(a.shape))
    zeros, point = torch.tensor([0] * len(scale), dtype=torch.int32), int(zero)
    return _returning(
        "qlinear_pointwise, packed by oneDNN",
        lambda: torch.ops.onednn.qlinear_pointwise(
            a, 1.0, 0, packed, scale, zeros, None, 1.0, point, torch.uint8, "none", [], ""
        ),
    )


def _quantised_convolution(x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, stride=1, padding=0, groups=1):
    """The same of a convolution, as a call."""
    steps, around, apart, zeros = (
        [stride] * 2,
        [padding] * 2,
        [1, 1],
        torch.full((len(w_scale),), w_zero, dtype=torch.int32),
    )
    packed = torch.ops.onednn.qconv_prepack(
        w, w_scale, float(x_scale), x_zero, steps, around, apart, groups, list(x.shape)
    )
    of_x, of_y = float(x_scale), float(y_scale)
    return lambda: torch.ops.onednn.qconv2d_pointwise(
        x,
        of_x,
        x_zero,
        packed,
        w_scale,
        zeros,
        None,
        steps,
        around,
        apart,
        groups,
        of_y,
        y_zero,
        torch.uint8,
        "none",
        [],
        "",
    )


def _part(arg, tensors):
    if isinstance(arg, int):
        return lambda: tensors[arg]
    function = calls.function(arg, FORMS)
    return lambda: function(*tensors[: function.__code__.co_argcount])


def _compiled(problem, function, tensors):
    import torch._inductor.config as settings

    settings.freezing = True
    settings.cpp.threads = torch.get_num_threads()
    module = _Module(function, problem.inputs, tensors).eval()
    given = [tensors[i] for i in module.open]
    c = _held(output(problem, np.uint16 if problem.dtype == "bf16" else None))

    def whole(*given):
        return module(*given)

    def copied(*given):
        return c.copy_(module(*given))

    compiled, into = (torch.compile(_own_code(f, problem.name), dynamic=False, fullgraph=True) for f in (whole, copied))
    yield _returning("compiled", lambda: compiled(*given))
    yield _way("compiled, into the output", lambda: into(*given), lambda: c)
    if os.environ.get(AUTOTUNED) and problem.flops:
        tuned = torch.compile(
            _own_code(whole, f"tuned {problem.name}"), dynamic=False, fullgraph=True, mode="max-autotune-no-cudagraphs"
        )
        yield _returning("compiled, autotuned", lambda: tuned(*given))


def _own_code(function, name):
    """The function with code of its own: dynamo keeps what it compiled by code, and looks through all of it."""
    code = function.__code__.replace(co_name=re.sub(r"\W", "_", f"{function.__name__}_{name}"))
    return types.FunctionType(code, function.__globals__, closure=function.__closure__)


def versions() -> dict:
    return {"torch": torch.__version__, "cpu": torch.backends.cpu.get_cpu_capability()}
