"""The way in: a function and examples of what it is called with, as a ModelGraph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..models.graph import ModelGraph
from ..support.errors import SpecError
from ..support.unforeseen import reported


def from_jax(function: Callable[..., Any], *examples: Any) -> ModelGraph:
    """The graph of a function of JAX's arrays, for arrays of the shapes and dtypes of the examples.

    The function is traced (`jax.make_jaxpr`) and read primitive by primitive. Arrays from around it are constants,
    whose memory the graph shares; what follows from them alone is computed now, by JAX.

    Args:
        function: takes and gives arrays, and tuples, lists and dicts of them.
        *examples: what it is called with, in order: arrays, or `jax.ShapeDtypeStruct`.

    Raises:
        SpecError: jax is not installed, or the function cannot be traced.

    Example:
        >>> g = gt.from_jax(lambda x: jnp.tanh(x) @ w, jnp.zeros((2, 8)))  # doctest: +SKIP
        >>> g.unsupported()  # doctest: +SKIP
        []
    """
    try:
        import jax  # noqa: F401
    except ImportError:
        raise SpecError(
            "expected the package jax to read a function, found none; run: pip install 'griotte[jax]'"
        ) from None
    from .programs import read

    with reported(lambda: "the graph of a function of JAX", calls_users=True):
        return read(function, examples)
