"""Functions of JAX for tests, and how far what griotte gives may be from what XLA does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from near import require_near

# of a part of it: another folder of this name may be a package without parts where none is installed
pytest.importorskip("jax.numpy", reason="functions are read by the package jax: pip install 'griotte[jax]'")
jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax


def drawn(*shape: int, dtype: Any = np.float32, seed: int = 0) -> np.ndarray:
    """Normal numbers, or small whole ones."""
    numbers = np.random.default_rng(seed).standard_normal(shape)
    if np.dtype(dtype).kind == "b":
        return np.asarray(numbers > 0)
    if np.dtype(dtype).kind == "u":
        return np.abs(numbers * 4).astype(dtype)
    return np.asarray(numbers * (4 if np.dtype(dtype).kind == "i" else 1)).astype(dtype)


def read(function: Callable[..., Any], *examples: Any) -> Any:
    """The graph of a function, of which griotte has all."""
    import griotte as gt

    graph = gt.from_jax(function, *examples)
    lacking = [str(each) for each in graph.unsupported()]
    assert not lacking, "; ".join(lacking)
    return graph


def results(graph: Any, examples: Any) -> list[np.ndarray]:
    """What a graph gives, by the language's reference."""
    from griotte.models.reference import interpret

    arrays = [np.asarray(jnp.asarray(each)) for each in jax.tree_util.tree_leaves(examples)]
    return list(interpret(graph, *(a for a in arrays if a.size)))


def require_same(graph: Any, function: Callable[..., Any], examples: Any) -> None:
    """That a graph gives what XLA does of a function."""
    found, wanted = results(graph, examples), jax.tree_util.tree_leaves(jax.jit(function)(*examples))
    paths = [
        jax.tree_util.keystr(path)
        for path, _ in jax.tree_util.tree_flatten_with_path(jax.eval_shape(function, *examples))[0]
    ]
    assert len(found) == len(wanted)
    for name, one, other in zip(paths, found, wanted):
        require_near(one, other, name)


def agree(function: Callable[..., Any], *examples: Any) -> Any:
    """That a function's graph gives what XLA does; the graph."""
    graph = read(function, *examples)
    require_same(graph, function, examples)
    return graph


def together(table: dict[str, Callable[..., Any]]) -> Callable[..., Any]:
    """Functions by name as one function."""
    return lambda *arrays: {name: function(*arrays) for name, function in table.items()}


def agree_all(table: dict[str, Callable[..., Any]], *examples: Any) -> Any:
    """The same of functions by name, as one function."""
    return agree(together(table), *examples)


def agree_by_text(function: Callable[..., Any], *examples: Any) -> Any:
    """That the graph of a function's StableHLO gives what XLA does; the graph."""
    import griotte as gt

    graph = gt.from_stablehlo(jax.jit(function, keep_unused=True).lower(*examples).as_text())
    lacking = [str(each) for each in graph.unsupported()]
    assert not lacking, "; ".join(lacking)
    require_same(graph, function, examples)
    return graph
