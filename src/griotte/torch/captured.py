"""A graph that dynamo captured: what of its inputs a kernel holds, and which of its results are computed.

Parameters and buffers are held: a kernel packs them, so it serves as long as they are what they were. Sizes that dynamo
left open come as numbers beside the tensors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.fx._lazy_graph_module import _LazyGraphModule

from ..errors import SpecError
from .dividing import guarded

HELD = ("_parameters_", "_buffers_")  # in dynamo's names of what a module holds


class ClosedGraph(torch.nn.Module):
    """A graph of which some inputs are held, and that gives some of its results, or all of them."""

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
        found = self.inner(*given)
        found = found if isinstance(found, (tuple, list)) else (found,)
        return tuple(found if self.wanted is None else (found[place] for place in self.wanted))


class Captured:
    """A captured graph and the inputs that it is first called with.

    Attributes:
        held: by place, tensors that a kernel holds.
        numbers: by place, sizes that dynamo left open.
        open: places of the tensors that a call gives.
        eager: what runs it by torch's own operators.
        wanted: places of the results that are computed.
    """

    def __init__(self, module: Any, inputs: Sequence[Any]) -> None:
        places = {node: place for place, node in enumerate(n for n in module.graph.nodes if n.op == "placeholder")}
        names = {place: node.name for node, place in places.items()}
        is_held = lambda i: isinstance(inputs[i], torch.nn.Parameter) or any(part in names[i] for part in HELD)
        _LazyGraphModule.force_recompile(module)  # else an error of its first call is printed beside being raised
        self.module, self.eager = module, guarded(module).forward
        self.numbers = {i: inputs[i] for i in names if not isinstance(inputs[i], torch.Tensor)}
        self.held = {i: inputs[i] for i in names if i not in self.numbers and is_held(i)}
        self._stamps = [(i, each, each.data_ptr(), _version(each)) for i, each in self.held.items()]
        self.open = [i for i in names if i not in self.held and i not in self.numbers]
        (end,) = (node for node in module.graph.nodes if node.op == "output")
        self.results = [self._result(each, places) for each in end.args[0]]
        self.wanted = [place for place, each in enumerate(self.results) if each is None]
        if not self.wanted:
            raise SpecError("expected a result that is computed, found none; leave the graph to torch")

    @staticmethod
    def _result(each: Any, places: dict[Any, int]) -> tuple[str, Any] | None:
        """What a result is without being computed: an input, or no tensor; else None."""
        if each in places:
            return "input", places[each]
        return None if isinstance(each, torch.fx.Node) else ("known", each)

    def closed(self, numbers: Mapping[int, int] | None = None) -> ClosedGraph:
        """The graph of its open tensors, that gives what is computed; with these numbers as open sizes."""
        return ClosedGraph(self.module, self.held | dict(self.numbers if numbers is None else numbers), self.wanted)

    def is_as_it_was(self, inputs: Sequence[Any]) -> bool:
        """Whether what a kernel packed is what is there now."""
        for place, tensor, address, version in self._stamps:
            if inputs[place] is not tensor or tensor.data_ptr() != address:
                return False
            if version is not None and tensor._version != version:
                return False
        return True

    def given(self, inputs: Sequence[Any]) -> list[torch.Tensor]:
        """The open tensors of a call, dense."""
        return [inputs[place].contiguous() for place in self.open]

    def examples(self, inputs: Sequence[Any]) -> tuple[torch.Tensor, ...]:
        """The same to export with: not what is said of a tensor beside its sizes, as that one is open."""
        return tuple(inputs[place].detach() for place in self.open)

    def joined(self, inputs: Sequence[Any], computed: Any) -> list[Any]:
        """All results of a call: what is computed, a tensor or several, and the others."""
        found = (computed,) if isinstance(computed, torch.Tensor) else computed
        if len(found) == len(self.results):
            return list(found)
        each = iter(found)
        other = lambda kind, what: inputs[what] if kind == "input" else what
        return [next(each) if known is None else other(*known) for known in self.results]


class HeldRun:
    """What runs a captured graph by a function of its open tensors, as long as what that holds is as it was.

    Attributes:
        seconds: what a call takes by the cost model.
        is_checked: whether the last result of the function tells that torch refuses what a call gives.
    """

    def __init__(self, captured: Captured, call: Any, seconds: float, is_checked: bool = False) -> None:
        self.captured, self.call, self.seconds, self.is_checked = captured, call, seconds, is_checked

    def __call__(self, *inputs: Any) -> Any:
        captured = self.captured
        if not captured.is_as_it_was(inputs):
            return captured.eager(*inputs)
        computed = self.call(*captured.given(inputs))
        if self.is_checked:
            *computed, failed = computed
            if failed.item():
                return captured.eager(*inputs)
        return captured.joined(inputs, computed)


def _version(tensor: torch.Tensor) -> int | None:
    """A number that grows as a tensor changes; None of one that keeps none."""
    return None if tensor.is_inference() else tensor._version
