"""The calls of a Spec, as a cut sees them (engine/cutting/atoms.py). Calls whose results are known before the call, and
calls that move nothing, are atoms (fusion groups) by themselves. And some calls as a Spec of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from ...engine import cutting
from ...engine.cutting import CutCall
from ...lang.calls.calls import CallGraph, given, linked
from ...lang.calls.spec import ComposedSpec, Spec
from ...lang.calls.value import Value
from ...lang.constructors.operations import copy
from ...lang.nests.access import Access
from ...lang.types.expr import Arg
from ...lang.types.tensor import TensorType
from ...lang.types.walk import children_first

Steps = tuple[int, ...]  # some calls of a graph, by number, ascending


def placed_calls(spec: Spec) -> CallGraph:
    """The calls of a Spec without those that read no input (0, 1, 2, .., as causal masks compare them): their readers
    compute them."""
    graph, counted = spec.graph, set[Value]()
    for value in graph.calls:
        if value not in graph.gives and counted.issuperset(value.values):
            counted.add(value)
    return CallGraph(graph.name, graph.inputs, graph.gives, tuple(v for v in graph.calls if v not in counted))


def counted(spec: Spec, calls: CallGraph, steps: Iterable[Value]) -> list[Value]:
    """What these read that is computed of no input, in order."""
    if len(spec.graph.calls) == len(calls.calls):
        return []
    read = {*children_first(steps, lambda value: (each for each in value.values if each.key not in calls.number))}
    return [value for value in spec.graph.calls if value in read and value not in calls.number]


def group(spec: Spec, calls: CallGraph, steps: Steps) -> Spec:
    """Some calls of a Spec as a Spec over the tensors that they read, whose outputs are those that they give."""
    if len(steps) == len(calls.calls):
        return spec
    own = [calls.calls[s] for s in steps]
    reads, gives = calls.read_by(own), calls.given_by(own)
    ahead = is_known(calls, gives)  # before any call: then nothing is packed before that
    types = tuple(replace(t.type, name="", constant=is_known(calls, [t]) and not ahead) for t in reads)
    if len(own) == 1 and len(reads) == len(own[0].values):
        return replace(own[0].spec, inputs=types, written=None)
    own = [*counted(spec, calls, own), *own]
    inputs = tuple(map(given, types))
    now = linked(own, {read.key: value for read, value in zip(reads, inputs)})
    results = tuple(now[value] for value in gives)
    graph = CallGraph(own[-1].spec.name, inputs, results, tuple(now[value] for value in own))
    return ComposedSpec(graph, (), types, own[-1].type)


def is_known(calls: CallGraph, values: Iterable[Value]) -> bool:
    """Whether all these are known before the call."""
    return all(calls.known[t] is not None for t in calls.numbers(values))


def moves_nothing(calls: CallGraph, call: Value) -> bool:
    """Whether a call moves nothing, and what it gives is no result."""
    return len(calls.calls) > 1 and call not in calls.gives and is_view(call.spec)


def cut_calls(calls: CallGraph) -> list[CutCall]:
    """The calls, in order."""
    is_fixed = lambda value: moves_nothing(calls, value) or is_known(calls, [value])
    marks = lambda value: (moves_nothing(calls, value), is_fixed(value), is_fixed(value))
    return cutting.cut_calls(calls, marks, {})


def is_view(spec: Spec) -> bool:
    """Whether a call of one nest gives its input unchanged, element by element in the order of memory. It is a reshape,
    or a transpose of axes that are one by one in memory anyway."""
    op = spec.operation
    if not spec.is_map or op.finish is not None or op.body != Arg(0) or len(op.inputs) != 1:
        return False
    source, result = spec.inputs[0], spec.output
    if source.dtype != result.dtype or source.elements != result.elements or spec.dynamic is not None:
        return False
    if any(access.border is not None for access in op.accesses):
        return False
    return _steps(op.inputs[0], source, spec.size) == _steps(op.output, result, spec.size)


def _steps(access: Access, tensor: TensorType, size: dict[str, int]) -> Counter[str]:
    """How far, in elements, a step along each dimension moves in memory, for dimensions of more than one index."""
    found: Counter[str] = Counter()
    for axis, stride in zip(access.axes, tensor.strides()):
        for dim, step in axis:
            found[dim] += stride * step if size[dim] > 1 else 0
    return +found


def flat_copy(spec: Spec) -> Spec:
    """A view that is made an array of its own."""
    line = replace(spec.inputs[0], shape=(spec.output.elements,), minor_to_major=(0,), name="", constant=False)
    return copy(line, layout=(0,))
