"""Steps of optimisers: ai.onnx.preview.training. A node takes several tensors, each with its gradient and what is kept
of earlier steps."""

from __future__ import annotations

from ...operators.array import sqrt, where
from ...readers.tables import OperatorTable


def _by_kind(given, kinds: int):
    """The inputs of each tensor, x, its gradient, what is kept, of those that come kind by kind."""
    count = len(given) // kinds
    return [given[i::count] for i in range(count)]


def _in_order(found):
    """The results of each tensor, kind by kind."""
    return [value for values in zip(*found) for value in values]


def _gradient(node, x, gradient):
    """With what keeps x small."""
    share = node.attribute("norm_coefficient", 0.0)
    return x * share + gradient if share else gradient


def _mixed(share: float, kept, more, other: float):
    return kept * share + more * other


def adagrad(node, rate, step, *given):
    decayed = step.astype("f32") * node.attribute("decay_factor", 0.0) + 1.0
    rate, found = rate / decayed, []
    for x, gradient, squares in _by_kind(given, 3):
        gradient = _gradient(node, x, gradient)
        squares = squares + gradient * gradient
        root = sqrt(squares) + node.attribute("epsilon", 1e-6)
        found.append((x - gradient * rate / root, squares))
    return _in_order(found)


def adam(node, rate, step, *given):
    alpha, beta = node.attribute("alpha", 0.9), node.attribute("beta", 0.999)
    turns = step.astype("f32")
    left = [1.0 - share**turns for share in (alpha, beta)]
    early = rate * sqrt(left[1]) / left[0]
    rate, found = where(step > 0, early, rate), []
    for x, gradient, mean, squares in _by_kind(given, 4):
        gradient = _gradient(node, x, gradient)
        mean = _mixed(alpha, mean, gradient, 1 - alpha)
        squares = _mixed(beta, squares, gradient * gradient, 1 - beta)
        root = sqrt(squares) + node.attribute("epsilon", 1e-6)
        x = x - mean * rate / root
        found.append((x * (1 - node.attribute("norm_coefficient_post", 0.0)), mean, squares))
    return _in_order(found)


def momentum(node, rate, step, *given):
    alpha, found = node.attribute("alpha"), []
    share = where(step > 0, node.attribute("beta"), rate.number(1))
    for x, gradient, kept in _by_kind(given, 3):
        gradient = _gradient(node, x, gradient)
        kept = kept * alpha + gradient * share
        is_ahead = node.attribute("mode") == "nesterov"
        ahead = gradient + kept * alpha if is_ahead else kept
        found.append((x - ahead * rate, kept))
    return _in_order(found)


OPERATORS: OperatorTable = (
    ("ai.onnx.preview.training.Adagrad", adagrad),
    ("ai.onnx.preview.training.Adam", adam),
    ("ai.onnx.preview.training.Momentum", momentum),
)
