"""Modules of PyTorch for tests: made of functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import near
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="modules are read by the package torch: pip install 'griotte[torch]'")
tensors = pytest.importorskip("griotte.torch.tensors")


class Of(torch.nn.Module):
    """A module that gives what functions give of what it is called with."""

    def __init__(self, *functions: Callable[..., Any]) -> None:
        super().__init__()
        self.functions = functions

    def forward(self, *inputs: Any) -> Any:
        return tuple(function(*inputs) for function in self.functions)


def drawn(*shape: int, dtype: Any = torch.float32, seed: int = 0) -> Any:
    """Normal numbers, or small whole ones."""
    numbers = np.random.default_rng(seed).standard_normal(shape) * (1 if dtype.is_floating_point else 4)
    return torch.from_numpy(np.asarray(numbers)).to(dtype)


def flat(found: Any) -> list[Any]:
    """Tensors of tuples in tuples, in order."""
    if isinstance(found, torch.Tensor):
        return [found]
    return [each for part in found for each in flat(part)]


def require_near(found: np.ndarray, wanted: Any, told: str) -> None:
    """That a result is of the dtype and the shape of torch's, and near it."""
    near.require_near(found, tensors.array_of(wanted.contiguous()), told)


def read(module: Any, *inputs: Any) -> Any:
    """The graph of a module, of which griotte has all."""
    import griotte as gt

    graph = gt.from_torch(module.eval(), *inputs)
    lacking = [str(each) for each in graph.unsupported()]
    assert not lacking, "; ".join(lacking)
    return graph


def agree(module: Any, *inputs: Any) -> None:
    """That a module's graph, by the language's reference, gives what torch does."""
    from griotte.models.reference import interpret

    graph = read(module, *inputs)
    with torch.no_grad():
        wanted = flat(module(*inputs))
    arrays = [tensors.array_of(each) for each in inputs if isinstance(each, torch.Tensor)]
    found = interpret(graph, *arrays)
    assert len(found) == len(wanted)
    for place, (one, other) in enumerate(zip(found, wanted)):
        require_near(np.asarray(one), other, f"result {place}, {graph.names[place]}")


def agree_all(table: dict[str, Callable[..., Any]], *inputs: Any) -> None:
    """The same of functions by name, as one module."""
    agree(Of(*table.values()), *inputs)


class Each(torch.nn.Module):
    """A module that gives what each of several gives of an input of its own."""

    def __init__(self, modules: Iterable[Any]) -> None:
        super().__init__()
        self.each = torch.nn.ModuleList(modules)

    def forward(self, *inputs: Any) -> Any:
        return tuple(module(x) for module, x in zip(self.each, inputs))


def agree_each(table: dict[str, tuple[Any, tuple[int, ...]]]) -> None:
    """The same of modules by name, each with the shape of its input, as one module."""
    modules, shapes = zip(*table.values())
    agree(Each(modules), *(drawn(*shape) for shape in shapes))
