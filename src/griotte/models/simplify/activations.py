"""Activation functions as exporters write them."""

from __future__ import annotations

from .pattern import laws

ERF = ("erf(x * 0.7071067811865476)", "erf(x / 1.4142135623730951)")
CUBE = (
    "0.7978845608028654 * (x + 0.044715 * x * x * x)",
    "0.7978845608028654 * x * (1 + 0.044715 * x * x)",
    "0.7978845608028654 * x + 0.035677408136300125 * x * x * x",
)
HALVES = ("0.5 * x * (1 + {})", "x * (0.5 + 0.5 * {})")
X = {"x": "f32[2,3]"}

RULES = (
    *laws("relu", ("maximum(x, 0)", "relu(relu(x))", "maximum(relu(x), 0)"), "relu(x)", X, of_floats=False),
    *laws("sigmoid", ("1 / (1 + exp(neg(x)))", "1 / (1 + exp(-1 * x))"), "sigmoid(x)", X),
    *laws("silu", ("x * sigmoid(x)", "x / (1 + exp(neg(x)))", "x / (1 + exp(-1 * x))"), "silu(x)", X),
    *laws("gelu", tuple(half.format(erf) for half in HALVES for erf in ERF), "gelu(x)", X),
    *laws(
        "gelu by tanh",
        tuple(half.format(f"tanh({cube})") for half in HALVES for cube in CUBE),
        "gelu(x, approximate='tanh')",
        X,
    ),
)
