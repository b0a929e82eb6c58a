"""What the checks of indices and divisors cost in a graph of torch.compile: calls with them and without, in turns.

python benchmarks/torch_checks.py
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import griotte as gt
import torch
from griotte.torch import checks
from griotte.torch.backend import CapturedGraph

nn = torch.nn
ROUNDS, SECONDS = 31, 0.004  # of a round


def graphs() -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """A name, a module, and what it is called with."""
    words = torch.randint(0, 30522, (1, 128))
    embedding = nn.Sequential(nn.Embedding(30522, 768), nn.LayerNorm(768))
    yield "an embedding of 128 words, layer norm", embedding, (words,)
    yield "the same, then a layer of 768", nn.Sequential(embedding, nn.Linear(768, 768), nn.GELU()), (words,)
    numbers, places = torch.randn(1024, 1024), torch.randint(0, 1024, (1024, 1024))
    yield "gather of 1024 x 1024", Of(lambda x, i: x.gather(1, i).relu()), (numbers, places)
    yield "4,096 rows of 64", Of(lambda x, i: x[i] * 2), (torch.randn(10000, 64), torch.randint(0, 10000, (4096,)))
    scores, targets = torch.randn(256, 1000), torch.randint(0, 1000, (256,))
    yield "cross_entropy of 256 x 1000", Of(nn.functional.cross_entropy), (scores, targets)
    yield "x // y of 65,536 int64", Of(lambda x, y: x // y), (places[:64], places[64:128] + 1)


class Of(nn.Module):
    """A module of a function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *inputs: Any) -> Any:
        return self.function(*inputs)


def captured(module: Any, inputs: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """The graph that dynamo hands to a backend, and what it is called with."""
    found: list[Any] = []

    def take(graph: Any, examples: Any) -> Any:
        return lambda *given: (found.extend((graph, given)), graph(*given))[1]

    torch.compiler.reset()
    torch.compile(module.eval(), backend=take, dynamic=False)(*inputs)
    return found[0], found[1]


def without(graph: Any, inputs: tuple[Any, ...]) -> Callable[..., Any]:
    """The graph's kernel, that asks nothing."""
    declared = dict(checks.CHECKED)
    checks.CHECKED.clear()
    try:
        run = CapturedGraph(graph, "all")
        run(*inputs)
    finally:
        checks.CHECKED.update(declared)
    return run


def least(runs: list[Callable[..., Any]], inputs: tuple[Any, ...]) -> list[float]:
    """The least seconds of a call of each."""
    times: list[list[float]] = [[] for _ in runs]
    start = time.perf_counter()
    runs[0](*inputs)
    count = max(1, int(SECONDS / (time.perf_counter() - start)))
    for _ in range(ROUNDS):
        for run, own in zip(runs, times):
            start = time.perf_counter()
            for _ in range(count):
                run(*inputs)
            own.append((time.perf_counter() - start) / count)
    return [min(own) for own in times]


def main() -> None:
    os.environ["GRIOTTE_TORCH"] = "all"
    torch.manual_seed(0)
    torch.set_num_threads(1)
    with torch.no_grad():
        for name, module, inputs in graphs():
            graph, given = captured(module, inputs)
            checked = CapturedGraph(graph, "all")
            checked(*given)
            one, other = least([checked, without(graph, given)], given)
            print(f"{name:40} {one * 1e6:9.1f} us, without {other * 1e6:9.1f} us, {one / other:.3f}")
    assert all(each.runs == "griotte" for each in gt.torch.report())


if __name__ == "__main__":
    main()
