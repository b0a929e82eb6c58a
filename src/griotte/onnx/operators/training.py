"""Steps of optimisers: ai.onnx.preview.training. A node takes several tensors, each with its gradient and what is kept
of earlier steps."""

from __future__ import annotations

from ...readers.operators import optimisers
from ...readers.operators.array import where
from ...readers.tables import OperatorTable


def _each(node, given, kinds: int, step):
    """What a step makes of each tensor, kind by kind, of inputs that come kind by kind: x, gradients, what is kept."""
    count, share = len(given) // kinds, node.attribute("norm_coefficient", 0.0)
    found = []
    for x, gradient, *kept in (given[i::count] for i in range(count)):
        found.append(step(x, optimisers.regularised(x, gradient, share), *kept))
    return [value for values in zip(*found) for value in values]


def adagrad(node, rate, step, *given):
    rate = rate / (step.astype("f32") * node.attribute("decay_factor", 0.0) + 1.0)
    epsilon = node.attribute("epsilon", 1e-6)
    return _each(node, given, 3, lambda x, gradient, kept: optimisers.adagrad(x, gradient, kept, rate, epsilon))


def adam(node, rate, step, *given):
    betas, epsilon = (node.attribute("alpha", 0.9), node.attribute("beta", 0.999)), node.attribute("epsilon", 1e-6)
    rate, left = optimisers.adam_rate(rate, step, *betas), 1 - node.attribute("norm_coefficient_post", 0.0)

    def one(x, gradient, *kept):
        found, *means = optimisers.adam(x, gradient, kept, rate, betas, epsilon)
        return [found * left, *means]

    return _each(node, given, 4, one)


def momentum(node, rate, step, *given):
    shares = node.attribute("alpha"), where(step > 0, node.attribute("beta"), rate.number(1))
    ahead = node.attribute("mode") == "nesterov"
    return _each(node, given, 3, lambda x, gradient, kept: optimisers.momentum(x, gradient, kept, rate, shares, ahead))


OPERATORS: OperatorTable = (
    ("ai.onnx.preview.training.Adagrad", adagrad),
    ("ai.onnx.preview.training.Adam", adam),
    ("ai.onnx.preview.training.Momentum", momentum),
)
