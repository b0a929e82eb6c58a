"""Parts of a model: calls that are one search, as a Spec over whole arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..ir.compose import inputs_of, outputs
from ..ir.spec import Spec
from ..ir.tensor import TensorType
from .graph import ModelGraph, ModelValue, applied


@dataclass(frozen=True, eq=False)
class ModelPart:
    """Calls that are searched as one.

    Attributes:
        calls: in the graph's order.
        reads: the values that the inputs of `spec` are, in order.
        gives: the values that it leaves to others, or are outputs of the model.
        spec: what they compute; of parts alike the same.
    """

    calls: tuple[ModelValue, ...]
    reads: tuple[ModelValue, ...]
    gives: tuple[ModelValue, ...]
    spec: Spec


def part_of(graph: ModelGraph, calls: Iterable[ModelValue]) -> ModelPart:
    """These calls, in the graph's order, as a part."""
    calls = tuple(calls)
    own = {id(value) for value in calls}
    reads = {id(r): r for value in calls for r in value.values if id(r) not in own}
    types = {key: replace(_plain(read.type), name=f"p{n}") for n, (key, read) in enumerate(reads.items())}
    made: dict[int, Spec] = {}
    for value in calls:
        operands = tuple((made.get(id(r)) or types[id(r)]) if isinstance(r, ModelValue) else r for r in value.reads)
        made[id(value)] = applied(value.call, operands, value.attributes)
    within = {id(r) for value in calls for r in value.values}
    inner = sum(map(lambda v: [id(r) for r in v.values], calls), [])
    gives = tuple(v for v in calls if graph.readers[id(v)] > inner.count(id(v)))
    assert gives or not within
    spec = outputs(*(made[id(value)] for value in gives))
    given = {type.name: reads[key] for key, type in types.items()}
    order = tuple(given[each.type.name] for each in inputs_of(spec))
    return ModelPart(calls, order, gives, _unnamed(spec))


def _plain(type: TensorType) -> TensorType:
    return replace(type, name="")


def _unnamed(spec: Spec) -> Spec:
    """The Spec with no names of its inputs: that of parts alike is the same."""
    return Spec(
        spec.operation,
        spec.sizes,
        tuple(map(_plain, spec.inputs)),
        spec.output,
        spec.text,
        spec.dynamic,
        spec.sources,
    )
