"""Steps of optimisers, against their definitions in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from griotte.readers.operators import optimisers
from on_arrays import agree, floats, of_inputs

X, GRADIENT, KEPT = floats(3, 5), floats(3, 5, seed=1), np.abs(floats(3, 5, seed=2))
RATE = np.array(0.1, np.float32)


def test_adagrad():
    squares = KEPT + GRADIENT**2
    expected = [X - 0.1 * GRADIENT / (np.sqrt(squares) + 1e-3), squares]
    agree(of_inputs(optimisers.adagrad, X, GRADIENT, KEPT, RATE, 1e-3), expected)


@pytest.mark.parametrize("steps", [0, 1, 7])
def test_adam(steps):
    def step(x, gradient, mean, squares, rate, steps):
        rate = optimisers.adam_rate(rate, steps, 0.9, 0.99)
        return optimisers.adam(x, gradient, (mean, squares), rate, (0.9, 0.99), 1e-3)

    mean = floats(3, 5, seed=3)
    found = of_inputs(step, X, GRADIENT, mean, KEPT, RATE, np.array(steps, np.int64))
    mean, squares = 0.9 * mean + 0.1 * GRADIENT, 0.99 * KEPT + 0.01 * GRADIENT**2
    rate = 0.1 * np.sqrt(1 - 0.99**steps) / (1 - 0.9**steps) if steps else 0.1
    agree(found, [X - rate * mean / (np.sqrt(squares) + 1e-3), mean, squares])


@pytest.mark.parametrize("nesterov", [False, True])
def test_momentum(nesterov):
    kept = 0.9 * KEPT + 0.5 * GRADIENT
    ahead = GRADIENT + 0.9 * kept if nesterov else kept
    found = of_inputs(optimisers.momentum, X, GRADIENT, KEPT, RATE, (0.9, 0.5), nesterov)
    agree(found, [X - 0.1 * ahead, kept])


def test_gradients_keep_x_small():
    agree(of_inputs(optimisers.regularised, X, GRADIENT, 0.01), GRADIENT + 0.01 * X)
