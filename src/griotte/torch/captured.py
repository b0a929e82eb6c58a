"""A graph that dynamo captured: what of its inputs a kernel holds, and which of its results are computed.

Parameters and buffers are held: a kernel packs them, so it serves as long as they are what they were. Those that have
to be looked at byte by byte may be read where they lie instead, like any input. Sizes that dynamo left open come as
numbers beside the tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch._dynamo.convert_frame import compile_lock
from torch.fx._lazy_graph_module import _LazyGraphModule

from ..models.entry import compile as compiled
from ..models.graph import ModelGraph
from ..support.errors import SpecError
from . import choosing
from .checks import is_checked
from .decompositions import guarded
from .held import HeldTensors, is_frozen
from .results import (
    FirstCallError,
    ResultLayout,
    has_layout,
    layouts_of,
    of_graph,
    require_plain,
    view_of,
    with_strides,
)

PATIENCE, MOST = 2, 64  # calls that find what is held as the one before did, before there is a kernel of it
HELD = ("_parameters_", "_buffers_")  # in dynamo's names of what a module holds


class ClosedGraph(torch.nn.Module):
    """A graph with some inputs held, that gives some of its results, or all of them."""

    def __init__(self, module: Any, held: Mapping[int, Any], wanted: Sequence[int] | None = None) -> None:
        super().__init__()
        self.inner, self.wanted, self.places = module, wanted, sorted(held)
        for place, each in held.items():
            name = f"held_{place}"
            self.register_buffer(name, each.detach()) if isinstance(each, torch.Tensor) else setattr(self, name, each)

    def forward(self, *inputs: Any) -> tuple[Any, ...]:
        given = list(inputs)
        for place in self.places:
            given.insert(place, getattr(self, f"held_{place}"))
        outputs = self.inner(*given)
        outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
        return tuple(outputs if self.wanted is None else (outputs[place] for place in self.wanted))


class Captured:
    """A captured graph and the inputs that it is first called with.

    Args:
        module, inputs: the two.
        is_placed: large tensors whose bytes each call would have to look at are read where they lie.

    Attributes:
        held: by place, tensors that a kernel holds.
        numbers: by place, sizes that dynamo left open.
        open: places of the tensors that a call gives.
        eager: what runs it by torch's own operators.
        wanted: places of the results that are computed.
    """

    def __init__(self, module: Any, inputs: Sequence[Any], is_placed: bool = False) -> None:
        places = {node: place for place, node in enumerate(n for n in module.graph.nodes if n.op == "placeholder")}
        names = {place: node.name for node, place in places.items()}
        is_stored = lambda i: isinstance(inputs[i], torch.nn.Parameter) or any(part in names[i] for part in HELD)
        _LazyGraphModule.force_recompile(module)  # else an error of its first call is printed beside being raised
        self.module, self.eager = module, guarded(module).forward
        self.numbers = {i: inputs[i] for i in names if not isinstance(inputs[i], torch.Tensor)}
        stored = {i: inputs[i] for i in names if i not in self.numbers and is_stored(i)}
        own = dict([*module.named_parameters(), *module.named_buffers()])
        self.packed, self.is_placed = HeldTensors({**stored, **own}, is_frozen()), is_placed
        if is_placed:
            self.packed.leave()
        self.held = {i: self.packed.shown(i) for i in stored if i in self.packed.tensors}
        self.open = [i for i in names if i not in self.held and i not in self.numbers]
        self.own = list(own.values())
        self._take(of_graph(module))

    def _take(self, results: list[ResultLayout]) -> None:
        self.results = results
        self.wanted = [place for place, each in enumerate(results) if each.kind == "computed"]
        self.is_plain = all(each.kind == "computed" and each.strides is None for each in results)
        if not self.wanted:
            raise SpecError("expected a result that is computed, found none; leave the graph to torch")

    def lay(self, inputs: Sequence[Any], is_checked: bool) -> bool:
        """Find how results lie, by a call of torch's own operators, which has to change nothing; whether fewer are
        computed than by the graph. FirstCallError where eager refuses the call and calls are checked."""
        try:
            outputs = self.eager(*inputs)
        except Exception as why:
            if is_checked:
                raise FirstCallError from why
            require_plain(self.module, self.results)
            return False
        before = self.wanted
        self._take(layouts_of(self.results, inputs, self.own, outputs))
        return self.wanted != before

    def lies_as(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> bool:
        """Whether results of a call that another has run share memory as these do."""
        try:
            other = layouts_of(of_graph(self.module), inputs, self.own, outputs)
        except SpecError:
            return False
        return all(
            one.kind == wanted.kind and has_layout(each, wanted)
            for one, wanted, each in zip(other, self.results, outputs)
        )

    def closed(self, numbers: Mapping[int, int] | None = None) -> ClosedGraph:
        """The graph of its open tensors, that gives the computed results; with these numbers as open sizes."""
        return ClosedGraph(self.module, self.held | dict(self.numbers if numbers is None else numbers), self.wanted)

    def is_as_it_was(self, inputs: Sequence[Any]) -> bool:
        """Whether the tensors that a kernel packed are as they were."""
        return self.packed.is_as_it_was(inputs)

    def given(self, inputs: Sequence[Any]) -> list[torch.Tensor]:
        """The open tensors of a call, dense."""
        return [inputs[place].contiguous() for place in self.open]

    def examples(self, inputs: Sequence[Any]) -> tuple[torch.Tensor, ...]:
        """The same to export with: without other properties of a tensor than its sizes, as that one is open."""
        return tuple(inputs[place].detach() for place in self.open)

    def joined(self, inputs: Sequence[Any], computed: Any) -> list[Any]:
        """All results of a call: the computed ones, a tensor or several, and the others."""
        outputs = (computed,) if isinstance(computed, torch.Tensor) else computed
        if self.is_plain:
            return list(outputs)
        made: dict[int, Any] = {}
        for place, each in zip(self.wanted, outputs):
            made[place] = with_strides(each, self.results[place].strides)
        for place, result in enumerate(self.results):
            if place not in made:
                made[place] = self._other(result, inputs, made)
        return [made[place] for place in range(len(self.results))]

    @staticmethod
    def _other(result: ResultLayout, inputs: Sequence[Any], made: Mapping[int, Any]) -> Any:
        """A result that is not computed."""
        if result.kind in ("known", "input"):
            return result.what if result.kind == "known" else inputs[result.what]
        return view_of(inputs[result.what] if result.kind == "view" else made[result.what], result)


class HeldRun:
    """Runs a captured graph by a function of its open tensors, as long as the tensors that it holds are as they were.
    Then it runs the graph as it is, until the held tensors have settled and `anew` makes another function.

    Attributes:
        seconds: what a call takes by the cost model.
        is_checked: whether the last result of the function tells that torch refuses what a call gives.
    """

    def __init__(self, captured: Captured, call: Any, seconds: float, is_checked: bool = False) -> None:
        self.runs, self.seconds = (captured, call, is_checked), seconds
        self.anew: Callable[[Sequence[Any]], HeldRun | None] | None = None
        self.changed: HeldTensors | None = None
        self.calls, self.patience = 0, PATIENCE

    def __call__(self, *inputs: Any) -> Any:
        captured, call, is_checked = self.runs
        if self.changed is not None or not captured.is_as_it_was(inputs):
            return self(*inputs) if self._has_settled(inputs) else captured.eager(*inputs)
        computed = call(*captured.given(inputs))
        if is_checked:
            *computed, failed = computed
            if failed.item():
                return captured.eager(*inputs)
        return captured.joined(inputs, computed)

    def _has_settled(self, inputs: Sequence[Any]) -> bool:
        """Whether there is a kernel of the tensors held now. It is made after some calls that found them as the call
        before did, twice as many each time, up to a bound."""
        if self.anew is None:
            return False
        with compile_lock, torch.random.fork_rng(devices=[]):
            packed = self.runs[0].packed
            if self.changed is None and packed.is_as_it_was(inputs):
                return True  # another thread has made it
            if self.changed is None or not self.changed.is_as_it_was(inputs):
                self.changed, self.calls = packed.of(inputs), 0
                return False
            self.calls += 1
            if self.calls < self.patience:
                return False
            self.patience = min(2 * self.patience, MOST)
            renewed = self.anew(inputs)
            if renewed is None:
                self.anew = None
                return False
            self.runs, self.changed = renewed.runs, None
            return True


def by_kernel(captured: Captured, graph: ModelGraph, share: float = 1.0, first: str | None = None) -> HeldRun | None:
    """Runs a captured graph by its kernel, which takes a share of its bound's time. None where a look at the tensors
    that it holds takes too much beside it, and they may be read in place."""
    kernel = compiled(graph, threads=torch.get_num_threads(), first=first)
    seconds = choosing.seconds(kernel) * share
    if not captured.is_placed and captured.packed.is_dear(seconds):
        return None
    return HeldRun(captured, kernel.on_tensors(), seconds, is_checked(graph))
