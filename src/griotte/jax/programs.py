"""A function as JAX traces it: its program, what it is called with, and names of what it takes and gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import jax
from jax.extend import core

from ..models.graph import ModelGraph
from ..readers.tracing.tracer import apart, names_of
from ..support.errors import SpecError
from .reader import JaxprReader

_READING: ContextVar[bool] = ContextVar("reading", default=False)


def is_read() -> bool:
    """Whether a function is being traced to be read as a whole, what it calls included."""
    return _READING.get()


def traced(function: Callable[..., Any], *args: Any) -> tuple[core.ClosedJaxpr, Any]:
    """The program of a function that is to be read, and what it gives."""
    reading = _READING.set(True)
    try:
        return jax.make_jaxpr(function, return_shape=True)(*args)
    finally:
        _READING.reset(reading)


def require_function(function: Any) -> None:
    """SpecError where the object to read cannot be called."""
    if not callable(function):
        raise SpecError(
            f"expected a function of arrays, found {type(function).__name__}; pass what is called with them"
        )


def read(function: Callable[..., Any], examples: Sequence[Any]) -> ModelGraph:
    """The graph of a function called with these examples."""
    require_function(function)
    try:
        closed, gives = traced(function, *examples)
    except Exception as error:
        message = " ".join(str(error).split())[:400]
        raise SpecError(
            f"expected a function that jax.make_jaxpr traces, found {type(error).__name__}: {message}; see what"
            " jax.make_jaxpr(function)(*examples) says of it"
        ) from error
    takes = [name for part, x in zip(names_of(function, len(examples)), examples) for name in names_within(part, x)]
    return JaxprReader(closed, apart(takes), apart(names_within("y", gives))).graph()


def names_within(name: str, tree: Any) -> list[str]:
    """Names of the arrays in a tree: its own, and the way to each."""
    result, _ = jax.tree_util.tree_flatten_with_path(tree)
    return [re.sub(r"\W+", "_", f"{name}{jax.tree_util.keystr(path)}").rstrip("_") for path, _ in result]


@dataclass(frozen=True)
class JaxProgram:
    """What a function computes of arrays.

    Attributes:
        closed: the jaxpr.
        arrays: what it is called with now.
        inputs: names of what it takes.
        outputs: names of what it gives.
        result: how what the function gives is made of what the program gives.
    """

    closed: core.ClosedJaxpr
    arrays: tuple[Any, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    result: Any = None

    @property
    def signature(self) -> str:
        """What it takes, in a line."""
        return ", ".join(f"{aval.dtype}{list(aval.shape)}" for aval in self.closed.in_avals)

    def run(self, *arrays: Any) -> list[Any]:
        """What it gives, by XLA."""
        return list(core.jaxpr_as_fun(self.closed)(*arrays))

    def typed(self, result: Sequence[Any]) -> list[Any]:
        """What a kernel gives, weakly typed where the program's is: what it meets next decides its dtype."""
        weak = (aval.weak_type for aval in self.closed.out_avals)
        return [_weakly(array) if is_weak else array for array, is_weak in zip(result, weak, strict=True)]

    def built(self, result: Sequence[Any]) -> Any:
        """What the function gives."""
        return jax.tree_util.tree_unflatten(self.result, result)

    def of_batch(self, size: int, are: Sequence[bool], arrays: Sequence[Any]) -> JaxProgram:
        """The program of a batch, which some of its arrays have as their first axis."""
        axes = [0 if each else None for each in are]
        closed = jax.make_jaxpr(jax.vmap(self.run, in_axes=axes, out_axes=0, axis_size=size))(*arrays)
        return JaxProgram(closed, tuple(arrays), self.inputs, self.outputs)


def program_of(function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]) -> JaxProgram:
    """The program of a function that is being traced: arrays that are not known are what it takes."""
    given = [*zip(names_of(function, len(args)), args), *sorted(named.items())]
    takes = [name for part, x in given for name in names_within(part, x)]
    leaves, tree = jax.tree_util.tree_flatten((list(args), named))
    open_ = [n for n, leaf in enumerate(leaves) if isinstance(leaf, jax.core.Tracer)]

    def flat(*arrays: Any) -> Any:
        now = list(leaves)
        for place, array in zip(open_, arrays):
            now[place] = array
        own, own_named = jax.tree_util.tree_unflatten(tree, now)
        return function(*own, **own_named)

    arrays = tuple(leaves[n] for n in open_)
    closed, gives = traced(flat, *arrays)
    outer = [n for n, held in enumerate(closed.consts) if isinstance(held, jax.core.Tracer)]
    if outer:
        closed, arrays = _opened(closed, outer), (*(closed.consts[n] for n in outer), *arrays)
    inputs = apart([*(f"outer{n}" for n in outer), *(takes[n] for n in open_)])
    outputs = apart(names_within("y", gives))
    return JaxProgram(closed, arrays, tuple(inputs), tuple(outputs), jax.tree_util.tree_structure(gives))


def _weakly(array: Any) -> Any:
    return jax.lax.convert_element_type_p.bind(array, new_dtype=array.dtype, weak_type=True, sharding=None)


def _opened(closed: core.ClosedJaxpr, outer: Sequence[int]) -> core.ClosedJaxpr:
    """A program with some of its constants, values of a function around it that is being traced, as inputs."""
    jaxpr = closed.jaxpr
    kept = [n for n in range(len(closed.consts)) if n not in outer]
    opened = jaxpr.replace(
        constvars=[jaxpr.constvars[n] for n in kept],
        invars=[*(jaxpr.constvars[n] for n in outer), *jaxpr.invars],
        debug_info=None,
    )
    return core.ClosedJaxpr(opened, [closed.consts[n] for n in kept])
