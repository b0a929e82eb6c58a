"""The backend of torch.compile: `torch.compile(model, backend="griotte")`.

A graph that dynamo captured is read when it is first called: then its tensors are there, and parameters and buffers are
constants. A graph that griotte lacks goes on to inductor, or is run as it is where inductor has no compiler. Each
graph's choice is in `report()`. Sizes that are open are in open_sizes.py, graphs that griotte runs in part in parts.py.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import torch
from torch._dynamo import convert_frame
from torch._dynamo.convert_frame import compile_lock

from ..models.graph import ModelGraph
from ..runtime.first import require_first
from ..support.errors import GriotteError
from ..support.forks import hold_at_fork
from ..support.unforeseen import reported, warned
from . import choosing
from .captured import Captured, HeldRun, by_kernel
from .checks import Checks, checks_indices
from .choosing import GraphChoice, report
from .decompositions import guarded
from .exporting import LeftToTorchError, exported, require_pure
from .open_sizes import OpenGraph, open_size
from .parts import CuttingReader, joined
from .results import FirstCallError

__all__ = ["CapturedGraph", "GraphChoice", "griotte", "report"]


OPTIONS = ("check_indices", "first")
torch._dynamo.config.allow_rnn = True  # else dynamo leaves nn.RNN, nn.LSTM and nn.GRU out of its graphs


def griotte(
    module: Any, examples: Sequence[Any], options: Mapping[str, Any] | None = None, **ignored: Any
) -> Callable[..., Any]:
    """The backend, as dynamo calls it: what runs a captured graph.

    Args:
        module: the graph.
        examples: its first arguments.
        options: of torch.compile; `check_indices=False` leaves out the checks of indices, `first="fast"` is that of
            `gt.compile`. Others are inductor's: they are not taken, and a line says so.
        **ignored: `mode`, and other arguments of inductor; likewise.
    """
    way, indices, first = choosing.way(), checks_indices(options or {}), (options or {}).get("first")
    require_first(first)
    if unknown := sorted([*ignored, *(each for each in options or () if each not in OPTIONS)]):
        names = ", ".join(unknown)
        warnings.warn(f"expected no {names} for the backend griotte, found them; they are ignored", stacklevel=2)
    if torch.is_grad_enabled() and any(getattr(each, "requires_grad", False) for each in examples):
        return _other(module, examples, "gradients are asked for; call it under torch.no_grad()")
    if not all(isinstance(each, (torch.Tensor, torch.SymInt)) for each in examples):
        return _other(module, examples, "inputs that are neither tensors nor sizes")
    size = open_size(module, examples)
    if size is None:
        return CapturedGraph(module, way, indices=indices, first=first)
    own = torch.fx.GraphModule(module, module.graph)  # inductor may change what it is given
    of_numbers = partial(CapturedGraph, indices=indices)
    return OpenGraph(own, way, size, choosing.inductor(module, examples), of_numbers, indices)


def _other(module: Any, inputs: Sequence[Any], why: str) -> Callable[..., Any]:
    """What runs a graph that griotte does not."""
    runs, result, why_not = choosing.inductor(module, inputs)
    choosing.choose(runs, why + why_not, module)
    return result


class CapturedGraph:
    """A captured graph, which is compiled when it is first called."""

    def __init__(self, module: Any, way: str, prefix: str = "", indices: bool = True, first: str | None = None) -> None:
        self.module, self.way, self.prefix, self.indices, self.first = module, way, prefix, indices, first
        self.run: Callable[..., Any] | None = None

    def __call__(self, *inputs: Any) -> Any:
        if self.run is None:
            with compile_lock, torch.random.fork_rng(devices=[]):  # a race draws no numbers of the program's
                if self.run is None:
                    self.run = self._made(inputs)
        return self.run(*inputs)

    def _made(self, inputs: Sequence[Any]) -> Callable[..., Any]:
        try:
            with reported(lambda: "a kernel of a graph of torch.compile"):
                own, name, note = self._own(inputs)
        except LeftToTorchError as why:
            choosing.choose("eager", self.prefix + str(why), self.module)
            return guarded(self.module).forward
        except FirstCallError as why:
            raise why.__cause__ or why from None
        except GriotteError as why:
            warned(why, "inductor")
            return _other(self.module, inputs, self.prefix + str(why))
        own.anew = lambda given: choosing.renewed(lambda: self._own(given), self.prefix, self.module)
        if self.way == "all" or self.first is not None:  # a first kernel is no match, and inductor takes its time
            asked = "GRIOTTE_TORCH=all" if self.first is None else f"first={self.first}"
            choosing.choose(name, f"{self.prefix}{asked}{note}", self.module)
            return own
        runs, other, why_not = choosing.inductor(self.module, inputs)
        if not own.runs[0].lies_as(inputs, other(*inputs)):
            choosing.choose(name, f"{self.prefix}results of {runs} lie other than eager's{note}{why_not}", self.module)
            return own
        by_model = self.way == "model" and name == "griotte"
        wins, said = choosing.faster(own, other, (name, runs), inputs, own.seconds if by_model else None)
        choosing.choose(name if wins else runs, f"{self.prefix}{said}{note}{why_not}", self.module)
        return own if wins else other

    def _own(self, inputs: Sequence[Any], is_placed: bool = False) -> tuple[HeldRun, str, str]:
        """What runs it by griotte, all of it or parts; the name of who runs it; and a note for the report."""
        captured = Captured(self.module, inputs, is_placed)
        reader, graph = self._read(captured, inputs)
        try:
            are_fewer = captured.lay(inputs, self.indices)
        except FirstCallError:
            graph.require_covered()
            raise
        if are_fewer:
            reader, graph = self._read(captured, inputs)
        if not graph.refused:
            own = by_kernel(captured, graph, first=self.first)
            return (own, "griotte", "") if own else self._own(inputs, is_placed=True)
        lacking = "; ".join(map(str, graph.refused))
        try:
            own, name, note = joined(captured, reader, self.way, inputs)
        except GriotteError:
            graph.require_covered()
            raise
        return own, name, f"; {note}; griotte lacks {lacking}"

    def _read(self, captured: Captured, inputs: Sequence[Any]) -> tuple[CuttingReader, ModelGraph]:
        program = exported(captured.closed(), captured.examples(inputs))
        require_pure(program)
        reader = CuttingReader(program, Checks(self.indices))
        graph = reader.graph()
        if reader.checks and reader.checks.left:
            raise LeftToTorchError(reader.checks.left)
        return reader, graph


def _in_child() -> None:
    """Inductor's pool of threads has none in a child of a fork: what it is given there, for another size say, would
    wait forever. It makes a new one."""
    inductor = sys.modules.get("torch._inductor.async_compile")
    with suppress(AttributeError):  # a torch that has no such pool
        inductor.AsyncCompile.pool.cache_clear()  # type: ignore[union-attr]


hold_at_fork(convert_frame, "compile_lock")  # while another thread captures a graph
with suppress(AttributeError):  # Windows: no forks
    os.register_at_fork(after_in_child=_in_child)
