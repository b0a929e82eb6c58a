"""The backend of torch.compile: `torch.compile(model, backend="griotte")`.

A graph that dynamo captured is read when it is first called: then its tensors are there, and parameters and buffers are
constants. What griotte lacks goes on to inductor, or is run as it is where that has no compiler. Each graph's choice is
in `report()`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import torch

from ..errors import GriotteError, SpecError
from ..models.door import compile as compiled
from ..targets.detect import detect
from .exporting import exported
from .reader import AtenReader

WAYS = ("measure", "model", "all")
GIGAHERTZ = 3.0  # of a CPU that does not say its clock
TURNS = 5  # calls of each that race
HELD = ("_parameters_", "_buffers_")  # in dynamo's names of what a module holds


@dataclass(frozen=True)
class GraphChoice:
    """What runs a graph: "griotte", "inductor", or "eager", torch's own operators one by one; and why."""

    runs: str
    why: str
    calls: int

    def __str__(self) -> str:
        return f"{self.runs}, of {self.calls} nodes: {self.why}"


_CHOICES: list[GraphChoice] = []


def report() -> list[GraphChoice]:
    """What was chosen for each graph of this process, in order."""
    return list(_CHOICES)


def griotte(module: Any, examples: Sequence[Any]) -> Callable[..., Any]:
    """The backend, as dynamo calls it: what runs a captured graph."""
    way = os.environ.get("GRIOTTE_TORCH", "measure")
    if way not in WAYS:
        raise SpecError(f"expected GRIOTTE_TORCH to be one of {', '.join(WAYS)}, found {way!r}; set one of them")
    if torch.is_grad_enabled() and any(getattr(each, "requires_grad", False) for each in examples):
        _choose("eager", "gradients are asked for; call it under torch.no_grad()", module)
        return module.forward
    if not all(_is_fixed(each) for each in examples):
        return _other(module, examples, "sizes that are no numbers; torch.compile(.., dynamic=False) fixes them")
    return CapturedGraph(module, way)


def _is_fixed(example: Any) -> bool:
    return isinstance(example, torch.Tensor) and all(isinstance(n, int) for n in example.shape)


def _choose(runs: str, why: str, module: Any) -> None:
    _CHOICES.append(GraphChoice(runs, why, sum(node.op.startswith("call") for node in module.graph.nodes)))


def _other(module: Any, inputs: Sequence[Any], why: str) -> Callable[..., Any]:
    """What runs a graph that griotte does not."""
    runs, found, why_not = _inductor(module, inputs)
    _choose(runs, why + why_not, module)
    return found


def _inductor(module: Any, inputs: Sequence[Any]) -> tuple[str, Callable[..., Any], str]:
    try:
        return "inductor", torch._dynamo.lookup_backend("inductor")(module, list(inputs)), ""
    except Exception as error:
        told = " ".join(str(error).split())[:200]
        return "eager", module.forward, f"; inductor: {type(error).__name__}, {told}"


class CapturedGraph:
    """A captured graph, which is compiled when it is first called."""

    def __init__(self, module: Any, way: str) -> None:
        self.module, self.way = module, way
        self.run: Callable[..., Any] | None = None

    def __call__(self, *inputs: Any) -> Any:
        if self.run is None:
            self.run = self._made(inputs)
        return self.run(*inputs)

    def _made(self, inputs: Sequence[Any]) -> Callable[..., Any]:
        try:
            own = OfGraph(self.module, inputs)
        except GriotteError as why:
            return _other(self.module, inputs, str(why))
        if self.way == "all":
            _choose("griotte", "GRIOTTE_TORCH=all", self.module)
            return own
        runs, other, why_not = _inductor(self.module, inputs)
        mine, theirs = _raced(own, other, inputs, own.seconds if self.way == "model" else None)
        told = f"{mine * 1e6:.1f} us{' by the model' * (self.way == 'model')}, {runs} {theirs * 1e6:.1f} us{why_not}"
        _choose("griotte" if mine <= theirs else runs, f"griotte {told}", self.module)
        return own if mine <= theirs else other


def _raced(own: Any, other: Any, inputs: Sequence[Any], told: float | None) -> tuple[float, float]:
    """The least seconds of calls of both, in turns; of the first what is told, where it is."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(TURNS):
        for which, run in enumerate((own, other)):
            if which == 0 and told is not None:
                continue
            start = perf_counter()
            run(*inputs)
            times[which].append(perf_counter() - start)
    return min(times[0]) if told is None else told, min(times[1])


class ClosedGraph(torch.nn.Module):
    """A graph of which some inputs are held, and that gives some of its results."""

    def __init__(self, module: Any, held: dict[int, torch.Tensor], wanted: Sequence[int]) -> None:
        super().__init__()
        self.inner, self.wanted, self.places = module, wanted, sorted(held)
        for place, tensor in held.items():
            self.register_buffer(f"held_{place}", tensor.detach())

    def forward(self, *inputs: Any) -> tuple[Any, ...]:
        given = list(inputs)
        for place in self.places:
            given.insert(place, getattr(self, f"held_{place}"))
        found = self.inner(*given)
        return tuple(found[place] for place in self.wanted)


class OfGraph:
    """A captured graph as a kernel.

    Attributes:
        seconds: what a call takes by the cost model.
    """

    def __init__(self, module: Any, inputs: Sequence[Any]) -> None:
        places = {node: place for place, node in enumerate(n for n in module.graph.nodes if n.op == "placeholder")}
        names = {place: node.name for node, place in places.items()}
        is_held = lambda i: isinstance(inputs[i], torch.nn.Parameter) or any(part in names[i] for part in HELD)
        self.module = module
        self.held = {i: (inputs[i], _stamp(inputs[i])) for i in names if is_held(i)}
        self.open = [i for i in names if i not in self.held]
        (end,) = (node for node in module.graph.nodes if node.op == "output")
        self.results = [self._result(each, places) for each in end.args[0]]
        wanted = [place for place, each in enumerate(self.results) if each is None]
        if not wanted:
            raise SpecError("expected a result that is computed, found none; leave the graph to torch")
        closed = ClosedGraph(module, {i: tensor for i, (tensor, _) in self.held.items()}, wanted)
        graph = AtenReader(exported(closed, tuple(inputs[i] for i in self.open))).graph()
        graph.require_covered()
        kernel = compiled(graph, threads=torch.get_num_threads())
        self.seconds = float(kernel.stats["cost"]) / (1e9 * (detect().clock or GIGAHERTZ))
        self.call, self.count = kernel.torch(), len(wanted)

    @staticmethod
    def _result(each: Any, places: dict[Any, int]) -> tuple[str, Any] | None:
        """What a result is without being computed: an input, or no tensor; else None."""
        if each in places:
            return "input", places[each]
        return None if isinstance(each, torch.fx.Node) else ("known", each)

    def __call__(self, *inputs: Any) -> Any:
        for place, (tensor, stamp) in self.held.items():
            if inputs[place] is not tensor or _stamp(inputs[place]) != stamp:
                return self.module.forward(*inputs)  # what a kernel packed is not what is there now
        found = self.call(*[inputs[place].contiguous() for place in self.open])
        computed = iter((found,) if self.count == 1 else found)
        other = lambda kind, what: inputs[what] if kind == "input" else what
        return [next(computed) if each is None else other(*each) for each in self.results]


def _stamp(tensor: torch.Tensor) -> tuple[int, int]:
    """Another one once a tensor has changed."""
    return tensor.data_ptr(), 0 if tensor.is_inference() else tensor._version
