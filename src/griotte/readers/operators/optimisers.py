"""Steps of optimisers: x, and what is kept of earlier steps, after one of so many steps at a rate."""

from __future__ import annotations

from .array import Array, sqrt, where


def regularised(x: Array, gradient: Array, share: float) -> Array:
    """A gradient with what keeps x small."""
    return x * share + gradient if share else gradient


def adagrad(x: Array, gradient: Array, squares: Array, rate: Array, epsilon: float = 1e-6) -> list[Array]:
    """By the root of all squares."""
    squares = squares + gradient * gradient
    root = sqrt(squares) + epsilon
    return [x - gradient * rate / root, squares]


def adam_rate(rate: Array, steps: Array, alpha: float, beta: float) -> Array:
    """The rate of a step: what early means lack is given back."""
    turns = steps.astype("f32")
    left = [1.0 - share**turns for share in (alpha, beta)]
    return where(steps > 0, rate * sqrt(left[1]) / left[0], rate)


def adam(x: Array, gradient: Array, kept: tuple[Array, Array], rate: Array, betas, epsilon: float) -> list[Array]:
    """By means of gradients and of their squares."""
    mean, squares = (
        old * share + new * (1 - share) for old, new, share in zip(kept, (gradient, gradient * gradient), betas)
    )
    root = sqrt(squares) + epsilon
    return [x - mean * rate / root, mean, squares]


def momentum(x: Array, gradient: Array, kept: Array, rate: Array, shares, nesterov: bool = False) -> list[Array]:
    """By a sum of gradients, of which earlier ones fade."""
    alpha, beta = shares
    kept = kept * alpha + gradient * beta
    ahead = gradient + kept * alpha if nesterov else kept
    return [x - ahead * rate, kept]
