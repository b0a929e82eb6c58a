"""Steps of optimisers: ai.onnx.preview.training. A node takes several tensors, each with its gradient and what is kept
of earlier steps."""

from __future__ import annotations

from ...readers.operators import optimisers
from ...readers.operators.array import where
from ...readers.tables import OperatorTable


def _each(given, kinds: int, share: float, step):
    """What a step makes of each tensor, kind by kind, of inputs that come kind by kind: x, gradients, what is kept."""
    count = len(given) // kinds
    found = []
    for x, gradient, *kept in (given[i::count] for i in range(count)):
        found.append(step(x, optimisers.regularised(x, gradient, share), *kept))
    return [value for values in zip(*found) for value in values]


def adagrad(rate, step, *given, decay_factor=0.0, epsilon=1e-6, norm_coefficient=0.0):
    rate = rate / (step.astype("f32") * decay_factor + 1.0)
    one = lambda x, gradient, kept: optimisers.adagrad(x, gradient, kept, rate, epsilon)
    return _each(given, 3, norm_coefficient, one)


def adam(node, rate, step, *given):
    betas, epsilon = (node.attribute("alpha", 0.9), node.attribute("beta", 0.999)), node.attribute("epsilon", 1e-6)
    left = 1 - node.attribute("norm_coefficient_post", 0.0)
    rate = optimisers.adam_rate(rate, step, *betas)

    def one(x, gradient, *kept):
        found, *means = optimisers.adam(x, gradient, kept, rate, betas, epsilon)
        return [found * left, *means]

    return _each(given, 4, node.attribute("norm_coefficient", 0.0), one)


def momentum(rate, step, *given, alpha, beta, mode=None, norm_coefficient=0.0):
    shares, ahead = (alpha, where(step > 0, beta, rate.number(1))), mode == "nesterov"
    one = lambda x, gradient, kept: optimisers.momentum(x, gradient, kept, rate, shares, ahead)
    return _each(given, 3, norm_coefficient, one)


OPERATORS: OperatorTable = (
    ("ai.onnx.preview.training.Adagrad", adagrad),
    ("ai.onnx.preview.training.Adam", adam),
    ("ai.onnx.preview.training.Momentum", momentum),
)
