"""The Specs that are cut in two ways: name, text, target, and the work that all searches may be (None: of effort 2)."""

from __future__ import annotations

import numpy as np
from drawn.networks import random_network

NOT_ONE = (
    "slice(reshape(f16[48,2,4]) -> f16[48,8], starts=(0,1), limits=(48,8))",
    "conv2d(reshape(reshape(f32[5,2,9]) -> f32[5,18]) -> f32[1,1,5,18], const f32[4,1,3,3], padding=1)",
    "attention(reshape(take(const bf16[9,40], s32[1])) -> bf16[1,1,1,40], bf16[1,1,16,40], bf16[1,1,16,40])",
    "outputs(sum(reshape(%x: exp(f32[24])) -> f32[4,6], axis=1), sum(reshape(%x) -> f32[6,4], axis=0))",
    "reshape(reshape(f32[2,3,4]) -> f32[24]) -> f32[4,2,3]",
    "matmul(reshape(relu(f32[6,4])) -> f32[8,3], const f32[3,5])",
    "matmul(reshape(relu(mul(f32[6,4], %w: const f32[6,4]))) -> f32[8,3], reshape(%w) -> f32[3,8])",
    "outputs(%a: reshape(exp(f32[2,3])) -> f32[3,2], mul(%a, %a))",
)
CHAIN = "softmax(matmul(relu(matmul(f32[3,4], f32[4,5])), f32[5,4]), axis=-1)"
CAUSAL = "attention(f32[2,9,4], f32[2,9,4], f32[2,9,4], causal=true)"
KNOWN = (
    "matmul(relu(matmul(f32[3,4], %w: exp(softmax(const f32[4,4], axis=1)))),"
    " reshape(reshape(%w) -> f32[16]) -> f32[4,4])"
)


def crowd() -> str:
    text = "f32[2,3]"
    for n in range(13):
        text = f"matmul({text}, f32[{3 - n % 2},{2 + n % 2}])"
    return text


def layer(s=128, d=256, h=4, f=1024, heads="f32") -> str:
    """A transformer layer, norms first."""
    e = d // h
    norm = lambda x: f"layer_norm({x}, const f32[{d}], const f32[{d}])"
    head = lambda: f"transpose(reshape(matmul(%n, const f32[{d},{d}])) -> f32[{s},{h},{e}], perm=(1,0,2))"
    first = head().replace("%n", "%n: " + norm(f"%x: f32[{s},{d}]"))
    attention = f"transpose(attention({first}, {head()}, {head()}), perm=(1,0,2))"
    middle = f"%m: add(matmul(reshape({attention}) -> f32[{s},{d}], const f32[{d},{d}]), %x)"
    mlp = f"matmul(gelu(matmul({norm(middle)}, const f32[{d},{f}])), const f32[{f},{d}])"
    return f"add({mlp}, %m)"


def decoder(d=512, h=8, keys=256, f=1408) -> str:
    """A step of a decoder: one row, keys and values of the words before."""
    e = d // h
    norm = lambda x: f"rms_norm({x}, const f32[{d}])"
    normed = norm(f"%x: f32[1,{d}]")
    q = f"rope(reshape(matmul({normed}, const f32[{d},{d}])) -> f32[{h},1,{e}], f32[1,{e // 2}], f32[1,{e // 2}])"
    attention = f"attention({q}, f32[{h},{keys},{e}], f32[{h},{keys},{e}])"
    middle = f"%m: add(matmul(reshape({attention}) -> f32[1,{d}], const f32[{d},{d}]), %x)"
    gate = f"mul(silu(matmul(%n: {norm(middle)}, const f32[{d},{f}])), matmul(%n, const f32[{d},{f}]))"
    return f"add(matmul({gate}, const f32[{f},{d}]), %m)"


def dynamic(rows=64, d=96, f=128) -> str:
    """Products, norms and a softmax of a number of rows that is known when they are called."""
    mlp = lambda x: f"matmul(gelu(matmul({x}, const f32[{d},{f}])), const f32[{f},{d}])"
    first = mlp(f"rms_norm(f32[<={rows},{d}], const f32[{d}])")
    return f"rms_norm({mlp(f'softmax({first}, axis=-1)')}, const f32[{d}])"


def resnet(c=64, n=14) -> str:
    """Two blocks."""
    conv = lambda x: f"add(conv2d({x}, const f32[{c},{c},3,3], padding=1), const f32[1,{c},1,1])"
    relu = lambda x: f"relu({x})"
    one = "%b: " + relu(f"add({conv(relu(conv(f'%x: f32[1,{c},{n},{n}]')))}, %x)")
    return relu(f"add({conv(relu(conv(one)))}, %b)")


def inverted(c=24, k=96, n=14, s=24) -> str:
    """An inverted residual block with squeeze-and-excite."""
    conv = lambda x, o, i, w, more="": f"add(conv2d({x}, const f32[{o},{i},{w},{w}]{more}), const f32[1,{o},1,1])"
    swish = lambda x: f"hard_swish({x})"
    up = swish(conv(f"%x: f32[1,{c},{n},{n}]", k, c, 1))
    deep = swish(conv(up, k, 1, 3, f", padding=1, groups={k}"))
    squeezed = f"mean(%d: {deep}, axis=(2,3), keepdims=true)"
    excited = f"hard_sigmoid({conv(f'relu({conv(squeezed, s, k, 1)})', k, s, 1)})"
    weighed = f"mul({excited}, %d)"
    return f"add({conv(weighed, c, k, 1)}, %x)"


SPECS = {f"not_one_{n}": (text, "portable", None) for n, text in enumerate(NOT_ONE)}
SPECS |= {f"chain_{most:.0e}": (CHAIN, "portable", most) for most in (1e6, 3e7, 1e8)}
SPECS |= {f"causal_{most:.0e}": (CAUSAL, "portable", most) for most in (1e6, 3e7)}
SPECS |= {
    "known_1e6": (KNOWN, "portable", 1e6),
    "known_3e7": (KNOWN, "portable", 3e7),
    "crowd": (crowd(), "portable", None),
}
SPECS |= {
    "resnet": (resnet(), "native", None),
    "inverted": (inverted(), "native", None),
    "decoder": (decoder(), "native", None),
    "layer": (layer(), "native", None),
    "dynamic": (dynamic(), "native", None),
}
DRAWN = (0, 1, 2, 3, 4, 6, 11, 12, 15, 18)  # seeds of small networks that are cut before anything is counted
SPECS |= {f"drawn_{n}": (random_network(np.random.default_rng((91, n)), 5), "native", None) for n in DRAWN}
