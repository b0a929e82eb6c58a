"""The functions that gates of a recurrence are put through, by ONNX's names, with their parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...readers.node import Unsupported

NAN = float("nan")  # of a parameter that must be told

Activation = Callable[[Any], Any]


def _plain(call: str) -> tuple[dict[str, float], Callable[..., Any]]:
    return {}, lambda node, x: node.call(call, x)


ACTIVATIONS: dict[str, tuple[dict[str, float], Callable[..., Any]]] = {
    "relu": _plain("relu"),
    "tanh": _plain("tanh"),
    "sigmoid": _plain("sigmoid"),
    "softplus": _plain("softplus"),
    "softsign": ({}, lambda node, x: node.call("div", x, node.call("add", node.call("abs", x), 1.0))),
    "affine": (
        {"alpha": NAN, "beta": 0.0},
        lambda node, x, alpha, beta: node.call("add", node.call("mul", x, alpha), beta),
    ),
    "leakyrelu": ({"alpha": 0.01}, lambda node, x, alpha: node.call("leaky_relu", x, alpha=alpha)),
    "thresholdedrelu": (
        {"alpha": NAN},  # 1 by ONNX's page of it, 0 by onnxruntime
        lambda node, x, alpha: node.call("where", node.call("greater", x, alpha), x, 0.0),
    ),
    "scaledtanh": (
        {"alpha": NAN, "beta": NAN},
        lambda node, x, alpha, beta: node.call("mul", node.call("tanh", node.call("mul", x, beta)), alpha),
    ),
    "hardsigmoid": (
        {"alpha": 0.2, "beta": 0.5},
        lambda node, x, alpha, beta: node.call("hard_sigmoid", x, alpha=alpha, beta=beta),
    ),
    "elu": ({"alpha": 1.0}, lambda node, x, alpha: node.call("elu", x, alpha=alpha)),
}
"""Of each, its parameters with what they are where none is told, and its calls."""


def activations(node: Any, defaults: list[str], ways: int) -> list[Activation]:
    """The functions of all directions, in the node's order. `activation_alpha` and `activation_beta` have a number for
    each function that has such a parameter, in that order."""
    names = node.attribute("activations") or defaults * ways
    if len(names) != len(defaults) * ways:
        raise Unsupported(f"{len(defaults) * ways} activations are expected, found {len(names)}")
    told = {name: iter(node.attribute(f"activation_{name}") or ()) for name in ("alpha", "beta")}
    return [_activation(node, name, told) for name in names]


def _activation(node: Any, name: str, told: dict[str, Any]) -> Activation:
    if name.lower() not in ACTIVATIONS:
        raise Unsupported(f"the activation {name!r}")
    parameters, calls = ACTIVATIONS[name.lower()]
    given = {each: float(next(told[each], default)) for each, default in parameters.items()}
    if lacking := [each for each, value in given.items() if value != value]:
        raise Unsupported(f"the activation {name!r} without {' and '.join(lacking)}")
    return lambda x: calls(node, x, **given)
