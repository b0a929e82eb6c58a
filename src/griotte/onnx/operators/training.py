"""Steps of optimisers: ai.onnx.preview.training. A node takes several tensors, each with its gradient and the state
kept from earlier steps."""

from __future__ import annotations

from ...readers.operators.array import sqrt, where
from ...readers.tables import OperatorTable


def _each(given, kinds: int, share: float, step):
    """The results of a step for each tensor, kind by kind, of inputs that come kind by kind: x, gradients, the state
    kept. A share of x goes to its gradient, which keeps x small."""
    count = len(given) // kinds
    found = []
    for x, gradient, *kept in (given[i::count] for i in range(count)):
        found.append(step(x, x * share + gradient if share else gradient, *kept))
    return [value for values in zip(*found) for value in values]


def adagrad(rate, step, *given, decay_factor=0.0, epsilon=1e-6, norm_coefficient=0.0):
    """By the root of all squares."""
    rate = rate / (step.astype("f32") * decay_factor + 1.0)

    def one(x, gradient, squares):
        squares = squares + gradient * gradient
        root = sqrt(squares) + epsilon
        return [x - gradient * rate / root, squares]

    return _each(given, 3, norm_coefficient, one)


def adam(node, rate, step, *given):
    """By means of gradients and of their squares; the rate gives back what early means lack."""
    alpha, beta, epsilon = map(node.attribute, ("alpha", "beta", "epsilon"), (0.9, 0.999, 1e-6))
    stays = 1 - node.attribute("norm_coefficient_post", 0.0)
    turns = step.astype("f32")
    lacking = [1.0 - share**turns for share in (alpha, beta)]
    rate = where(step > 0, rate * sqrt(lacking[1]) / lacking[0], rate)

    def one(x, gradient, mean, squares):
        square = gradient * gradient
        mean, squares = mean * alpha + gradient * (1 - alpha), squares * beta + square * (1 - beta)
        root = sqrt(squares) + epsilon
        return [(x - mean * rate / root) * stays, mean, squares]

    return _each(given, 4, node.attribute("norm_coefficient", 0.0), one)


def momentum(rate, step, *given, alpha, beta, mode=None, norm_coefficient=0.0):
    """By a sum of gradients, in which earlier ones fade."""
    share = where(step > 0, beta, rate.number(1))

    def one(x, gradient, kept):
        kept = kept * alpha + gradient * share
        ahead = gradient + kept * alpha if mode == "nesterov" else kept
        return [x - ahead * rate, kept]

    return _each(given, 3, norm_coefficient, one)


OPERATORS: OperatorTable = (
    ("ai.onnx.preview.training.Adagrad", adagrad),
    ("ai.onnx.preview.training.Adam", adam),
    ("ai.onnx.preview.training.Momentum", momentum),
)
