"""Some calls of a Spec as a Spec of their own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...lang.calls.calls import CallGraph, Value, linked
from ...lang.calls.spec import Spec
from ...lang.types.walk import children_first

Steps = tuple[int, ...]  # some calls of a graph, by number, ascending


def placed_calls(spec: Spec) -> CallGraph:
    """The calls of a Spec but for what is computed of no input (0, 1, 2, .., as causal masks compare them): whoever
    reads that computes it."""
    graph, counted = spec.graph, set[Value]()
    for value in graph.calls:
        if value not in graph.gives and counted.issuperset(value.reads):
            counted.add(value)
    return CallGraph(graph.name, graph.inputs, graph.gives, tuple(v for v in graph.calls if v not in counted))


def counted(spec: Spec, calls: CallGraph, steps: Iterable[Value]) -> list[Value]:
    """What these read that is computed of no input, in order."""
    if len(spec.graph.calls) == len(calls):
        return []
    read = {*children_first(steps, lambda value: (each for each in value.reads if each.key not in calls.number))}
    return [value for value in spec.graph.calls if value in read and value not in calls.number]


def group(spec: Spec, calls: CallGraph, steps: Steps) -> Spec:
    """Some calls of a Spec as a Spec over the tensors that they read, whose outputs are those that they give."""
    if len(steps) == len(calls):
        return spec
    reads, gives, known = calls.read_by(steps), calls.given_by(steps), calls.constants
    ahead = all(known[t] is not None for t in gives)  # before any call: then nothing is packed before that
    types = tuple(replace(calls.types[t], name="", constant=known[t] is not None and not ahead) for t in reads)
    own = [calls.calls[s] for s in steps]
    if len(own) == 1 and len(reads) == len(own[0].reads):
        return replace(own[0].spec, inputs=types, text="")
    own = [*counted(spec, calls, own), *own]
    inputs = tuple(map(Value, types))
    now = linked(own, {calls.tensors[t].key: value for t, value in zip(reads, inputs)})
    given = tuple(now[calls.tensors[t].key] for t in gives)
    graph = CallGraph(own[-1].spec.name, inputs, given, tuple(now[value] for value in own))
    return Spec(graph, (), types, own[-1].type)
