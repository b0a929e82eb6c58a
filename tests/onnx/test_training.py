"""Steps of optimisers, against their definitions in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from on_arrays import floats
from onnx_models import node, of_node

X, GRADIENT, KEPT, MEAN = floats(3, 5), floats(3, 5, seed=1), np.abs(floats(3, 5, seed=2)), floats(3, 5, seed=3)
RATE = np.array(0.1, np.float32)


def stepped(operator: str, steps: int, *tensors: np.ndarray, **attributes):
    """What a node gives, of these tensors, at a step."""
    arrays = {"r": RATE, "t": np.array(steps, np.int64)} | {f"x{n}": x for n, x in enumerate(tensors)}
    gives = " ".join(f"y{n}" for n in range(len(tensors) - 1))
    made = node(operator, " ".join(arrays), gives, domain="ai.onnx.preview.training", **attributes)
    return of_node(made, arrays, opset=21)


def agree(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_adagrad():
    squares = KEPT + GRADIENT**2
    expected = [X - 0.1 * GRADIENT / (np.sqrt(squares) + 1e-3), squares]
    agree(stepped("Adagrad", 3, X, GRADIENT, KEPT, epsilon=1e-3), expected)


@pytest.mark.parametrize("steps", [0, 1, 7])
def test_adam(steps):
    found = stepped("Adam", steps, X, GRADIENT, MEAN, KEPT, alpha=0.9, beta=0.99, epsilon=1e-3)
    mean, squares = 0.9 * MEAN + 0.1 * GRADIENT, 0.99 * KEPT + 0.01 * GRADIENT**2
    rate = 0.1 * np.sqrt(1 - 0.99**steps) / (1 - 0.9**steps) if steps else 0.1
    agree(found, [X - rate * mean / (np.sqrt(squares) + 1e-3), mean, squares])


@pytest.mark.parametrize("mode", ["standard", "nesterov"])
def test_momentum(mode):
    found = stepped("Momentum", 2, X, GRADIENT, MEAN, alpha=0.9, beta=0.5, mode=mode, norm_coefficient=0.01)
    gradient = GRADIENT + 0.01 * X
    kept = 0.9 * MEAN + 0.5 * gradient
    agree(found, [X - 0.1 * (gradient + 0.9 * kept if mode == "nesterov" else kept), kept])
