"""Parts of a model: calls that are one search, as a Spec over whole arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..lang.calls.compose import outputs
from ..lang.calls.spec import Spec
from ..lang.types.tensor import TensorType
from .graph import ModelGraph, ModelValue, applied
from .layouts import ValueLayout, copied, own_layout
from .value import OpaqueOp


@dataclass(frozen=True, eq=False)
class ModelPart:
    """Calls that run as one: what is searched as one, or what an OpaqueOp gives, which is one call for each of its
    results.

    Attributes:
        calls: in the graph's order.
        reads: the values that they read of others, in order.
        gives: the values that they leave to others, or are outputs of the model.
        of: what they compute of what they read; of parts alike a Spec is the same. Its outputs have the layouts that
            the values are given in.
        layout: of a copy into another layout, that.
    """

    calls: tuple[ModelValue, ...]
    reads: tuple[ModelValue, ...]
    gives: tuple[ModelValue, ...]
    of: Any  # a Spec, or an OpaqueOp
    layout: str = ""

    @property
    def spec(self) -> Spec:
        """What is searched."""
        assert isinstance(self.of, Spec)
        return self.of

    @property
    def names(self) -> tuple[str, ...]:
        """The nodes of the reader's file that it is of."""
        return tuple(dict.fromkeys(value.origin for value in self.calls if value.origin))

    @property
    def words(self) -> tuple[str, ...]:
        """The calls; of a part without any, which lays an array out anew, that; or what an OpaqueOp says of itself."""
        if isinstance(self.of, OpaqueOp):
            return self.of.words
        return tuple(value.call for value in self.calls) or (f"copy to {self.layout}",)

    @property
    def title(self) -> str:
        """What is computed, and what of the reader's file that is: `conv2d, relu (Conv_0, Relu_1)`."""
        calls = ", ".join(self.words)
        return f"{calls} ({', '.join(self.names)})" if self.names else calls

    @property
    def text(self) -> str:
        """What it computes; of a loop by the digest of its body."""
        return str(self.of)

    @property
    def flops(self) -> int:
        """Arithmetic operations of a call."""
        return self.of.flops

    @property
    def bytes(self) -> int:
        """Of what it reads and gives."""
        return self.of.bytes


def part_of(
    graph: ModelGraph, calls: Iterable[ModelValue], stored: Mapping[ModelValue, ValueLayout] | None = None
) -> ModelPart:
    """These calls, in the graph's order, as a part.

    Args:
        graph: that they are of.
        calls: some of its calls.
        stored: of a value that goes in or out, the layout in which it lies, where that is not its own.
    """
    calls, stored = tuple(calls), stored or {}
    own = {*calls}
    reads = dict.fromkeys(r for value in calls for r in value.values if r not in own)
    lies = lambda value: stored.get(value, own_layout(value))
    # by name, so that what is read twice is one input
    made: dict[ModelValue, Any] = {read: lies(read).read(_named(read, f"p{n}")) for n, read in enumerate(reads)}
    names = {f"p{n}": read for n, read in enumerate(reads)}
    inner = Counter(r for value in calls for r in value.values)
    gives = tuple(value for value in calls if len(graph.readers[value]) > inner[value])
    for value in calls:
        is_other = lies(value).order != value.type.minor_to_major
        attributes = (*value.attributes, ("layout", lies(value).order)) if is_other else value.attributes
        made[value] = applied(value.call, value.reads_in(made), attributes)
    spec = outputs(*(lies(value).given(made[value]) for value in gives))
    order = tuple(names[each.type.name] for each in spec.graph.inputs)
    return ModelPart(calls, order, gives, _unnamed(spec))


def copy_of(value: ModelValue, now: ValueLayout, then: ValueLayout) -> ModelPart:
    """A copy of a value into another layout."""
    return ModelPart((), (value,), (value,), copied(value.type, now, then), str(then))


def _named(value: ModelValue, name: str) -> TensorType:
    # one without data comes in by a call, and of one of a dynamic size each size reads another part
    is_packed = value.array is not None and value.type.dynamic is None
    return replace(value.type, constant=is_packed, name=name)


def _unnamed(spec: Spec) -> Spec:
    """The Spec with no names of its inputs: that of parts alike is the same."""
    inputs = tuple(replace(type, name="") for type in spec.inputs)
    return Spec(spec.operation, spec.sizes, inputs, spec.output, spec.text, spec.dynamic, spec.sources)
