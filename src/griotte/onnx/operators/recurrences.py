"""Recurrences, and the functions that their gates are put through, by ONNX's names, with their parameters."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...readers.operators import recurrences
from ...readers.operators.array import call, tanh, where
from ...readers.operators.calls import Unsupported
from ...readers.operators.moving import picked
from ...readers.operators.quantised import IntegerFactor
from ...readers.operators.recurrences import Recurrence
from ...readers.tables import OperatorTable, inputs

NAN = float("nan")  # of a parameter without a default

Activation = Callable[[Any], Any]


ACTIVATIONS: dict[str, tuple[dict[str, float], Callable[..., Any]]] = {
    **{name: ({}, partial(call, name)) for name in ("relu", "tanh", "sigmoid", "softplus")},
    "softsign": ({}, lambda x: x / (abs(x) + 1.0)),
    "affine": ({"alpha": NAN, "beta": 0.0}, lambda x, alpha, beta: x * alpha + beta),
    "leakyrelu": ({"alpha": 0.01}, partial(call, "leaky_relu")),
    # 1 by ONNX's page of it, 0 by onnxruntime
    "thresholdedrelu": ({"alpha": NAN}, lambda x, alpha: where(x > alpha, x, 0.0)),
    "scaledtanh": ({"alpha": NAN, "beta": NAN}, lambda x, alpha, beta: tanh(x * beta) * alpha),
    "hardsigmoid": ({"alpha": 0.2, "beta": 0.5}, partial(call, "hard_sigmoid")),
    "elu": ({"alpha": 1.0}, partial(call, "elu")),
}
"""The parameters of each with their defaults, and its calls."""


def activations(node: Any, defaults: list[str], ways: int) -> list[Activation]:
    """The functions of all directions, in the node's order. `activation_alpha` and `activation_beta` have a number for
    each function that has such a parameter, in that order."""
    names = node.attribute("activations") or defaults * ways
    if len(names) != len(defaults) * ways:
        raise Unsupported(f"{len(defaults) * ways} activations are expected, found {len(names)}")
    numbers = {name: iter(node.attribute(f"activation_{name}") or ()) for name in ("alpha", "beta")}
    return [_activation(name, numbers) for name in names]


def _activation(name: str, numbers: dict[str, Any]) -> Activation:
    if name.lower() not in ACTIVATIONS:
        raise Unsupported(f"the activation {name!r}")
    parameters, calls = ACTIVATIONS[name.lower()]
    given = {each: float(next(numbers[each], default)) for each, default in parameters.items()}
    if lacking := [each for each, value in given.items() if value != value]:
        raise Unsupported(f"the activation {name!r} without {' and '.join(lacking)}")
    return lambda x: calls(x, **given)


def rnn(node, x, w, r, *others):
    b, lengths, h = inputs(others, 0, 3)
    return recurrences.rnn(x, (w, r, b), [h], _how(node, ["Tanh"], lengths))


def gru(node, x, w, r, *others):
    b, lengths, h = inputs(others, 0, 3)
    return recurrences.gru(x, (w, r, b), [h], _how(node, ["Sigmoid", "Tanh"], lengths, "linear_before_reset"))


def lstm(node, x, w, r, *others):
    b, lengths, h, c, peepholes = inputs(others, 0, 5)
    how = _how(node, ["Sigmoid", "Tanh", "Tanh"], lengths, "input_forget")
    return recurrences.lstm(x, (w, r, b, peepholes), [h, c], how)


def _how(node: Any, defaults: list[str], lengths: Any, variant: str = "") -> Recurrence:
    ways = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}
    backward = ways[node.attribute("direction", "forward")]
    return Recurrence(
        backward=tuple(backward),
        activations=activations(node, defaults, len(backward)),
        lengths=lengths,
        by_batch=bool(node.attribute("layout", 0)),
        clip=node.attribute("clip"),
        variant=bool(node.attribute(variant, 0)),
    )


def lstm_of_integers(node, x, w, r, *others):
    """An LSTM by weights of integers, for which x as a whole, and the state at each step, are rounded to 8 bits, by
    scales and zeros of their own."""
    *own, w_scale, w_zero, r_scale, r_zero = inputs(others, 9, 9)
    return lstm(node, x, _by_way(w, w_scale, w_zero), _by_way(r, r_scale, r_zero), *own)


def _by_way(weights, scale, zero):
    """Weights [ways, k, gates], with a scale for each way, or for each column of gates, as factors."""
    ways = weights.shape[0]
    of_way = lambda t, way: picked(t.reshape((ways, t.size // ways)), 0, [way]).reshape((t.size // ways,))
    one = lambda way: picked(weights, 0, [way]).reshape(weights.shape[1:])
    return [IntegerFactor(one(way), of_way(scale, way), of_way(zero, way)) for way in range(ways)]


OPERATORS: OperatorTable = (
    ("RNN", rnn),
    ("GRU", gru),
    ("LSTM", lstm),
    ("com.microsoft.DynamicQuantizeLSTM", lstm_of_integers),
)
