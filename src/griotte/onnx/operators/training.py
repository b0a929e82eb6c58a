"""Steps of optimisers: ai.onnx.preview.training. A node takes several tensors, each with its gradient and what is kept
of earlier steps."""

from __future__ import annotations

from .declaring import operator

TRAINING = "ai.onnx.preview.training"


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
    return node.call("add", node.call("mul", x, share), gradient) if share else node.value(gradient)


def _mixed(node, share: float, kept, more, other: float):
    return node.call("add", node.call("mul", kept, share), node.call("mul", more, other))


@operator("Adagrad", domain=TRAINING)
def adagrad(node, rate, step, *given):
    decayed = node.call("add", node.call("mul", node.cast(step, "f32"), node.attribute("decay_factor", 0.0)), 1.0)
    rate, found = node.call("div", rate, decayed), []
    for x, gradient, squares in _by_kind(given, 3):
        gradient = _gradient(node, x, gradient)
        squares = node.call("add", squares, node.call("mul", gradient, gradient))
        root = node.call("add", node.call("sqrt", squares), node.attribute("epsilon", 1e-6))
        found.append((node.call("sub", x, node.call("div", node.call("mul", gradient, rate), root)), squares))
    return _in_order(found)


@operator("Adam", domain=TRAINING)
def adam(node, rate, step, *given):
    alpha, beta = node.attribute("alpha", 0.9), node.attribute("beta", 0.999)
    turns = node.cast(step, "f32")
    left = [node.call("sub", 1.0, node.call("power", share, turns)) for share in (alpha, beta)]
    early = node.call("div", node.call("mul", rate, node.call("sqrt", left[1])), left[0])
    rate, found = node.call("where", node.call("greater", step, 0), early, rate), []
    for x, gradient, mean, squares in _by_kind(given, 4):
        gradient = _gradient(node, x, gradient)
        mean = _mixed(node, alpha, mean, gradient, 1 - alpha)
        squares = _mixed(node, beta, squares, node.call("mul", gradient, gradient), 1 - beta)
        root = node.call("add", node.call("sqrt", squares), node.attribute("epsilon", 1e-6))
        x = node.call("sub", x, node.call("div", node.call("mul", mean, rate), root))
        found.append((node.call("mul", x, 1 - node.attribute("norm_coefficient_post", 0.0)), mean, squares))
    return _in_order(found)


@operator("Momentum", domain=TRAINING)
def momentum(node, rate, step, *given):
    alpha, found = node.attribute("alpha"), []
    share = node.call("where", node.call("greater", step, 0), node.attribute("beta"), node.number(1, rate))
    for x, gradient, kept in _by_kind(given, 3):
        gradient = _gradient(node, x, gradient)
        kept = node.call("add", node.call("mul", kept, alpha), node.call("mul", gradient, share))
        is_ahead = node.attribute("mode") == "nesterov"
        ahead = node.call("add", gradient, node.call("mul", kept, alpha)) if is_ahead else kept
        found.append((node.call("sub", x, node.call("mul", ahead, rate)), kept))
    return _in_order(found)
