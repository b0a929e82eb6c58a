"""JAX's door: `from_jax` reads a function as a graph of calls of the language; `jit` is `jax.jit` of which griotte runs
what it has. Needs the extra `jax`."""

from typing import TYPE_CHECKING

from ..support.later import later
from .from_jax import from_jax

if TYPE_CHECKING:
    from .jitting import jit

__all__ = ["from_jax", "jit"]

if not TYPE_CHECKING:  # without the package jax there is none
    __getattr__ = later(__name__, {"jitting": "jit"})
