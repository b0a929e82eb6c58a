"""What runs a graph: griotte, inductor, or torch's own operators; how that is chosen, and the report of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from ..machine.detect import detect
from ..support.errors import SpecError
from .decompositions import guarded

WAYS = ("measure", "model", "all")
GIGAHERTZ = 3.0  # of a CPU that does not say its clock
TURNS = 5  # calls of each that race

Run = Callable[..., Any]


@dataclass(frozen=True)
class GraphChoice:
    """What runs a graph: "griotte", "inductor", "griotte and inductor", or "eager", torch's own operators one by one;
    and why."""

    runs: str
    why: str
    calls: int

    def __str__(self) -> str:
        return f"{self.runs}, of {self.calls} nodes: {self.why}"


_CHOICES: list[GraphChoice] = []


def report() -> list[GraphChoice]:
    """What was chosen for each graph of this process, in order."""
    return list(_CHOICES)


def choose(runs: str, why: str, module: Any) -> None:
    """Note what runs a graph."""
    _CHOICES.append(GraphChoice(runs, why, sum(node.op.startswith("call") for node in module.graph.nodes)))


def way() -> str:
    """When griotte is taken: GRIOTTE_TORCH, one of WAYS."""
    result = os.environ.get("GRIOTTE_TORCH", "measure")
    if result not in WAYS:
        raise SpecError(f"expected GRIOTTE_TORCH to be one of {', '.join(WAYS)}, found {result!r}; set one of them")
    return result


def inductor(module: Any, inputs: Sequence[Any]) -> tuple[str, Run, str]:
    """The function that runs a graph that griotte does not, its name, and why it is not inductor where it is not.
    Numbers drawn by chance are eager's."""
    module = guarded(module)
    try:
        from torch._inductor.compile_fx import compile_fx

        result = compile_fx(module, list(inputs), config_patches={"fallback_random": True})
        return "inductor", result, ""
    except Exception as error:
        message = " ".join(str(error).split())[:200]
        return "eager", module.forward, f"; inductor: {type(error).__name__}, {message}"


def seconds(kernel: Any) -> float:
    """What a call of a kernel takes by the cost model."""
    return float(kernel.stats["cost"]) / (1e9 * (detect().clock or GIGAHERTZ))


def raced(own: Run, other: Run, inputs: Sequence[Any], modelled: float | None) -> tuple[float, float]:
    """The least seconds of calls of both, in turns; of the first those of the cost model, where they are given."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(TURNS):
        for which, run in enumerate((own, other)):
            if which == 0 and modelled is not None:
                continue
            start = perf_counter()
            run(*inputs)
            times[which].append(perf_counter() - start)
    return min(times[0]) if modelled is None else modelled, min(times[1])


def faster(
    own: Run, other: Run, names: tuple[str, str], inputs: Sequence[Any], modelled: float | None
) -> tuple[bool, str]:
    """Whether the first is no slower, by a race or by its seconds of the cost model; and the times as text."""
    mine, theirs = raced(own, other, inputs, modelled)
    by_model = "" if modelled is None else " by the model"
    return mine <= theirs, f"{names[0]} {mine * 1e6:.1f} us{by_model}, {names[1]} {theirs * 1e6:.1f} us"


def renewed(make: Callable[[], tuple[Any, str, str]], prefix: str, module: Any) -> Any:
    """What runs a graph by griotte of what it holds now; None where nothing does."""
    try:
        own, name, more = make()
    except Exception as why:
        choose("eager", f"{prefix}what it holds has changed; {why}", module)
        return None
    choose(name, f"{prefix}anew, for what it holds has changed{more}", module)
    return own
