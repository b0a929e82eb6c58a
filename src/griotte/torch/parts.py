"""A graph with some nodes that griotte lacks. The others become parts, each an operator of torch that stands in the
graph; the graph goes to inductor, or is run as it is."""

from __future__ import annotations

import copy
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.export.graph_signature import InputKind
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase

from ..models.entry import compile as compiled
from ..readers.node import Missing
from ..support.errors import GriotteError, SpecError
from . import choosing
from .captured import Captured, ClosedGraph, HeldRun
from .checks import Checks
from .decompositions import replace, safe
from .exporting import exported
from .reader import AtenReader
from .tensors import tensor_of

LEAST = 2  # nodes of a part that compute something
MOVES = ("view", "expand", "permute", "slice", "select", "unsqueeze", "squeeze", "alias", "split_with_sizes", "clone")
"""Operators that compute nothing."""


class CuttingReader(AtenReader):
    """Reads past what griotte lacks: the results of such nodes are inputs.

    Attributes:
        lacking: names of the nodes that griotte lacks.
    """

    def __init__(self, program: Any, checks: Checks) -> None:
        super().__init__(program, checks)
        self.lacking: set[str] = set()

    def _read(self, node: Any) -> Any:
        result = super()._read(node)
        if node.target is operator.getitem or not isinstance(result, Missing):
            return result  # of several results those that nothing reads may be missing
        self.lacking.add(node.name)
        meta = node.meta.get("val")
        as_input = lambda each: self._given(node, each)
        return list(map(as_input, meta)) if isinstance(meta, (tuple, list)) else as_input(meta)

    def _given(self, node: Any, meta: Any) -> Any:
        if not isinstance(meta, torch.Tensor):
            return Missing() if meta is None else meta
        return self._input_of(node.name, meta)


class _Has(OperatorSupportBase):
    """The nodes of a graph that griotte has."""

    def __init__(self, lacking: set[str]) -> None:
        self.lacking = lacking

    def is_node_supported(self, submodules: Any, node: Any) -> bool:
        source = node.args[0] if node.target is operator.getitem else node
        return node.op == "call_function" and source.op == "call_function" and source.name not in self.lacking


@dataclass
class TorchPart:
    """A part that griotte has: its node, its kernel as an operator, what it reads that is open."""

    node: Any
    graph: Any
    call: Any
    reads: list[Any]
    seconds: float


def joined(captured: Captured, reader: CuttingReader, way: str, inputs: Sequence[Any]) -> tuple[HeldRun, str, str]:
    """What runs the graph, its parts by griotte; its name; and a note for the report. SpecError where there is none."""
    graph = _open_graph(reader)
    whole = sum(map(_computes, graph.graph.nodes))
    left = reader.lacking | reader.checks.nodes if reader.checks else reader.lacking  # inductor checks by itself
    proposed = CapabilityBasedPartitioner(graph, _Has(left), allows_single_node_partition=True)
    result = [each for each in proposed.propose_partitions() if sum(map(_computes, each.nodes)) >= LEAST]
    graph = proposed.fuse_partitions(result)
    parts = [part for node in graph.graph.nodes if node.op == "call_module" and (part := _part(graph, node))]
    if way != "all":
        parts = _winning(graph, parts, way, captured.given(inputs))
    count = sum(sum(map(_computes, part.graph.graph.nodes)) for part in parts)
    for part in parts:
        _put(graph, part)
    if not parts:
        raise SpecError("no part of it that griotte has is the faster by griotte")
    graph.graph.lint()
    graph.recompile()
    name, other, why_not = choosing.inductor(graph, captured.given(inputs))
    note = f"{len(parts)} part{'s' * (len(parts) > 1)} of it, {count} of {whole} operators{why_not}"
    return HeldRun(captured, other, 0.0), f"griotte and {name}", note


def _computes(node: Any) -> bool:
    """Whether a node is an operator that does more than move."""
    name = str(node.target).removeprefix("aten.").split(".")[0]
    return node.op == "call_function" and node.target is not operator.getitem and name not in MOVES


def _open_graph(reader: CuttingReader) -> Any:
    """The program's graph of its open tensors: held tensors, and values that follow from them alone, are its own."""
    program = reader.program
    if any("as_strided" in str(node.target) for node in program.graph.nodes):
        raise SpecError("it reads memory by strides")
    graph = torch.fx.GraphModule(program.graph_module, copy.deepcopy(program.graph))
    stored = {**program.state_dict, **program.constants}
    specs = iter(program.graph_signature.input_specs)
    for node, old in zip(list(graph.graph.nodes), program.graph.nodes):
        spec = next(specs) if node.op == "placeholder" else None
        if spec is not None and spec.kind != InputKind.USER_INPUT:
            _keep(graph, node, stored[spec.target])
        elif node.op == "call_function" and _is_known(reader.scope.get(old)):
            _keep(graph, node, tensor_of(reader.scope[old]))
    graph.graph.eliminate_dead_code()
    graph.recompile()
    return graph


def _is_known(result: Any) -> bool:
    return hasattr(result, "dtype") and hasattr(result, "flags") and result.size > 0


def _keep(graph: Any, node: Any, tensor: torch.Tensor) -> None:
    """A tensor in place of a node."""
    name = f"held_{node.name}"
    graph.register_buffer(name, tensor.detach())
    replace(node, lambda graph: graph.get_attr(name))


def _part(graph: Any, node: Any) -> TorchPart | None:
    """A part as a kernel; None where griotte has not all of it."""
    inner = graph.get_submodule(node.target)
    held = {i: getattr(graph, each.target) for i, each in enumerate(node.args) if each.op == "get_attr"}
    reads = [each for each in node.args if each.op != "get_attr"]
    if any(not isinstance(each.meta.get("val"), torch.Tensor) for each in reads):
        return None
    examples = tuple(torch.empty(tuple(v.shape), dtype=v.dtype) for v in (each.meta["val"] for each in reads))
    try:
        result = AtenReader(exported(ClosedGraph(inner, held), examples)).graph()
        result.require_covered()
        kernel = compiled(result, threads=torch.get_num_threads())
        return TorchPart(node, inner, kernel.torch(), reads, choosing.seconds(kernel))
    except GriotteError:
        return None


def _winning(graph: Any, parts: list[TorchPart], way: str, inputs: Sequence[Any]) -> list[TorchPart]:
    """The parts that take less by griotte than by inductor, of what they are called with here."""
    met = _Met(graph)
    with torch.no_grad():
        met.run(*inputs)
    won = []
    for part in parts:
        given = [each.contiguous() for each in met.given[part.node.target]]
        reads = [each for each, node in zip(given, part.node.args) if node in part.reads]
        _, other, _ = choosing.inductor(_tupled(part.graph), given)
        modelled = part.seconds if way == "model" else None
        own = lambda *all, part=part, reads=reads: part.call(*reads)
        mine, theirs = choosing.raced(own, other, given, modelled)
        won += [part] * (mine <= theirs)
    return won


def _tupled(inner: Any) -> Any:
    """The graph of a part as inductor takes it: one that gives a tuple."""
    result = torch.fx.GraphModule(inner, copy.deepcopy(inner.graph))
    (end,) = (node for node in result.graph.nodes if node.op == "output")
    if not isinstance(end.args[0], (tuple, list)):
        end.args = ((end.args[0],),)
        result.recompile()
    return result


class _Met(torch.fx.Interpreter):
    """Runs a graph, and keeps what its parts are called with."""

    def __init__(self, graph: Any) -> None:
        super().__init__(graph)
        self.given: dict[str, tuple[Any, ...]] = {}

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        return super().call_function(safe(target), args, kwargs)

    def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
        self.given[str(target)] = args
        return super().call_module(target, args, kwargs)


def _put(graph: Any, part: TorchPart) -> None:
    """The operator in place of a part."""
    dense = lambda graph: tuple(graph.call_method("contiguous", (each,)) for each in part.reads)
    replace(part.node, lambda graph: graph.call_function(part.call, dense(graph)))
    graph.delete_submodule(part.node.target)
