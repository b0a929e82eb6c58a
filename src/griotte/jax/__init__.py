"""JAX's door: `from_jax` reads a function as a graph of calls of the language; `jit` is a `jax.jit` in which griotte
runs all that it supports. Needs the extra `jax`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..models.graph import ModelGraph
from ..support.errors import SpecError
from ..support.later import later
from ..support.unforeseen import reported

if TYPE_CHECKING:
    from .jitting import jit

__all__ = ["from_jax", "jit"]


def from_jax(function: Callable[..., Any], *examples: Any) -> ModelGraph:
    """The graph of a function of JAX's arrays, for arrays of the shapes and dtypes of the examples.

    The function is traced (`jax.make_jaxpr`) and read primitive by primitive. Arrays from around it are constants,
    whose memory the graph shares; what follows from them alone is computed now, by JAX.

    Args:
        function: takes and gives arrays, and tuples, lists and dicts of them.
        *examples: what it is called with, in order: arrays, or `jax.ShapeDtypeStruct`.

    Raises:
        SpecError: jax is not installed, or the function cannot be traced.

    Examples:
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


if not TYPE_CHECKING:  # without the package jax there is none
    __getattr__ = later(__name__, {"jitting": "jit"})
