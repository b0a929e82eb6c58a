"""A model as a graph of calls of the language.

    builder = GraphBuilder()
    x = builder.input(tensor((1, 8)), "x")
    h = builder.call("matmul", x, builder.constant(weights, "w"), origin="dense_1")
    graph = builder.graph({"y": builder.call("relu", h)})

A value is an input, a constant, or the result of a call, and any number of calls may read it. The builder returns the
same value for equal calls of equal values, and for equal constants, so nothing is computed twice. A graph holds the
values that its outputs depend on. Nothing here recurs: a chain of thousands of calls is read, printed and pickled in as
many steps.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..lang.calls.calls import CallGraph
from ..lang.calls.spec import Spec
from ..lang.calls.value import flattened, unflattened
from ..lang.types.dtypes import dtype_name
from ..lang.types.dynamic import dynamic_input
from ..lang.types.tensor import Empty, TensorType
from ..lang.types.walk import children_first
from ..support.cpus import usable
from ..support.errors import SpecError
from ..support.markup import fragment, source
from .printing import text
from .value import (
    Attributes,
    HostStep,
    ModelValue,
    OpaqueOp,
    Refused,
    applied,
    data_digest,
    ends_of_data,
    operand_type,
    same_data,
)


@dataclass(frozen=True, eq=False)
class ModelGraph(CallGraph[ModelValue]):
    """A model: `inputs` and named `outputs`, in the order in which a kernel takes and returns them.

    `gt.from_onnx` makes one; `gt.compile` makes a kernel of it. Printed it is a text that reads back.

    Attributes:
        inputs: values without a call and without data.
        results: the outputs: a name and a value each.
        refused: the nodes of the reader's file that griotte lacks.
        empty: further outputs, without elements: places among all outputs, names, dtypes, shapes.

    Examples:
        >>> from griotte.models import GraphBuilder
        >>> builder = GraphBuilder()
        >>> x = builder.input(gt.tensor((2,)), "x")
        >>> builder.graph({"y": builder.call("exp", x)})
        <griotte.ModelGraph of 1 calls, 0 constants>
    """

    inputs: tuple[ModelValue, ...]
    results: tuple[tuple[str, ModelValue], ...]
    refused: tuple[Refused, ...] = ()
    empty: tuple[Empty, ...] = ()

    __eq__, __hash__ = object.__eq__, object.__hash__

    def __post_init__(self) -> None:
        object.__setattr__(self, "gives", tuple(value for _, value in self.results))

    @property
    def outputs(self) -> tuple[ModelValue, ...]:
        """The outputs, each with its name and type."""
        return tuple(replace(value, name=name) for name, value in self.results)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all outputs in order, those without elements included."""
        found = [name for name, _ in self.results]
        for each in self.empty:
            found.insert(each.place, each.name)
        return tuple(found)

    @cached_property
    def bound(self) -> int | None:
        """The largest dynamic size; None where all sizes are numbers."""
        bounds = (v.type.shape[v.type.dynamic] for v in self.inputs if v.type.dynamic is not None)
        return next(bounds, None)

    @cached_property
    def least(self) -> int:
        """The smallest dynamic size."""
        return max((value.opaque.least for value in self.calls if value.is_made), default=1)

    @cached_property
    def values(self) -> tuple[ModelValue, ...]:
        """All values: the inputs, then constants and calls, each after what it reads."""
        ends = (*(value for step in self.steps for value in step.reads), *self.gives)
        given = {value: step.reads for step in self.steps for value in step.gives}
        return tuple(children_first((*self.inputs, *ends), lambda value: given.get(value, value.values)))

    @cached_property
    def steps(self) -> tuple[HostStep, ...]:
        """The nodes that griotte lacks and a host can run."""
        return tuple({id(each.step): each.step for each in self.refused if each.step is not None}.values())

    @cached_property
    def calls(self) -> tuple[ModelValue, ...]:
        """The results of all calls, each after the values that it reads."""
        return tuple(value for value in self.values if value.call)

    @cached_property
    def made(self) -> tuple[tuple[ModelValue, ...], ...]:
        """The values of each OpaqueOp, in the order of its results."""
        found: dict[Hashable, list[ModelValue]] = {}
        for value in self.calls:
            if value.is_made:
                found.setdefault((id(value.opaque), *value.reads), []).append(value)
        return tuple(tuple(sorted(each, key=lambda value: value.number)) for each in found.values())

    @cached_property
    def flops(self) -> int:
        """Scalar operations of a run, as the Specs of its calls count them."""
        own = sum(value.spec.flops for value in self.calls if not value.is_made)
        return own + sum(values[0].opaque.flops for values in self.made)

    @cached_property
    def constants(self) -> tuple[ModelValue, ...]:
        """Values whose data is known."""
        return tuple(value for value in self.values if value.array is not None)

    @cached_property
    def digest(self) -> str:
        """A digest of the function: calls, types and the data of constants."""
        number = self.number
        of = lambda read: f"%{number[read]}" if isinstance(read, ModelValue) else repr(read)
        with ThreadPoolExecutor(usable()) as pool:  # hashes leave the interpreter to others
            data = dict(zip(self.constants, pool.map(data_digest, self.constants)))
        told = lambda v: f"{v.attributes} {data.get(v, '')} {v.name if not v.call else ''}"
        rows = (f"{v.type} {v.call} {[*map(of, v.reads)]} {told(v)}" for v in self.values)
        ends = [number[v] for v in self.inputs], [(name, number[v]) for name, v in self.results]
        told_last = [repr(self.empty)] if self.empty else []
        return hashlib.blake2b("\n".join([*rows, repr(ends), *told_last]).encode(), digest_size=16).hexdigest()

    def require_covered(self) -> None:
        """SpecError that lists the nodes that griotte lacks, where there are any."""
        if not self.refused:
            return
        count, told = f"{len(self.refused)} node{'s' * (len(self.refused) > 1)}", "; ".join(map(str, self.refused))
        if self.bound is not None:
            raise SpecError(
                f"expected operators that griotte has of sizes up to {self.bound}, found {count} of others: {told}"
            )
        raise SpecError(
            f"expected operators that griotte has, found {count} of others: {told};"
            ' host="onnxruntime" (--host onnxruntime) runs them there'
        )

    def require_elements(self) -> None:
        """SpecError where no output has elements: there is nothing to compute."""
        if self.empty and not self.results:
            told = ", ".join(f"{each.name} {each.dtype}{list(each.shape)}" for each in self.empty)
            raise SpecError(f"expected an output that has elements, found {told}; a kernel would compute nothing")

    def unsupported(self) -> list[Refused]:
        """Every node that is refused, with its name, its operator and why; [] where all is covered."""
        return list(self.refused)

    def __str__(self) -> str:
        return text(self)

    def __repr__(self) -> str:
        return f"<griotte.ModelGraph of {len(self.calls)} calls, {len(self.constants)} constants>"

    def _repr_html_(self) -> str:
        shown = [*((value.name, value.type) for value in self.inputs), *((n, value.type) for n, value in self.results)]
        return fragment(repr(self), [(name, str(t), f"{t.bytes:,} B") for name, t in shown], source(str(self), "text"))

    def __reduce__(self) -> tuple[Any, ...]:
        number, inputs = self.number, self.numbers(self.inputs)
        results = tuple((name, number[value]) for name, value in self.results)
        numbers = lambda values: tuple(number.get(value, value) for value in values)
        steps = tuple(replace(s, reads=numbers(s.reads), gives=numbers(s.gives)) for s in self.steps)
        step = {id(each): n for n, each in enumerate(self.steps)}
        refused = tuple((replace(each, step=None), step.get(id(each.step))) for each in self.refused)
        return _read_back, (flattened(self.values), inputs, results, steps, refused, self.empty)


def _read_back(
    rows: tuple, inputs: tuple[int, ...], results: tuple, stated: tuple, noted: tuple, empty: tuple[Empty, ...] = ()
) -> ModelGraph:
    values = unflattened(ModelValue, rows)
    found = lambda numbers: tuple(values[n] if isinstance(n, int) else n for n in numbers)
    steps = [replace(step, reads=found(step.reads), gives=found(step.gives)) for step in stated]
    refused = tuple(each if n is None else replace(each, step=steps[n]) for each, n in noted)
    return ModelGraph(tuple(values[i] for i in inputs), tuple((n, values[i]) for n, i in results), refused, empty)


class GraphBuilder:
    """Makes the values of a graph; equal values are one."""

    def __init__(self) -> None:
        self.inputs: list[ModelValue] = []
        self._made: dict[Hashable, ModelValue] = {}
        self._alike: dict[Hashable, list[ModelValue]] = {}
        self._specs: dict[Hashable, Spec] = {}
        self._opaque: dict[str, OpaqueOp] = {}

    def input(self, type: TensorType, name: str) -> ModelValue:
        """An input; SpecError where its dynamic size differs from that of an earlier one."""
        value = ModelValue(type, name)
        if type.dynamic is not None:
            dynamic_input(each.type for each in (*self.inputs, value))
        self.inputs.append(value)
        return value

    def constant(self, array: Any, name: str = "") -> ModelValue:
        """A constant of this data."""
        array = np.asarray(array)
        order = tuple(sorted(range(array.ndim), key=lambda axis: (-array.strides[axis], axis)))
        if not array.transpose(order).flags.c_contiguous:
            array, order = np.ascontiguousarray(array).reshape(array.shape), tuple(range(array.ndim))
        type = TensorType(dtype_name(array.dtype), array.shape, order[::-1], constant=True)
        return self.known(ModelValue(type, name, array=array))

    def known(self, value: ModelValue) -> ModelValue:
        """A constant, or the equal one that the graph has already."""
        key = value.type, value.name if value.array is None else ends_of_data(value)
        for other in self._alike.setdefault(key, []):
            if other is value or same_data(other.array, value.array):
                return other
        self._alike[key].append(value)
        return value

    def call(
        self, call: str, *reads: ModelValue | float, name: str = "", origin: str = "", **attributes: Any
    ) -> ModelValue:
        """The result of a call of the language; SpecError where its operands do not fit."""
        reads += tuple(value for value in attributes.values() if isinstance(value, ModelValue))
        plain = {key: value for key, value in attributes.items() if not isinstance(value, ModelValue)}
        if call == "transpose" and plain.get("perm") is None and isinstance(reads[0], ModelValue):
            plain["perm"] = tuple(reversed(range(reads[0].type.rank)))  # laws read it
        given = tuple((key, _hashable(value)) for key, value in plain.items() if value is not None)
        key = call, _ids(reads), given
        if key not in self._made:
            spec = self._spec(call, reads, given)
            written, type = spec.written, replace(spec.output, constant=False, name="")
            assert written is not None
            value = ModelValue(type, name, call, reads, written.keys, written.rest, attributes=given, origin=origin)
            value.__dict__["spec"] = spec
            self._made[key] = value
        return self._made[key]

    def make(
        self, opaque: OpaqueOp, *reads: ModelValue, names: Sequence[str] = (), origin: str = ""
    ) -> tuple[ModelValue, ...]:
        """The results of an OpaqueOp over these values, with these names; SpecError where the values do not fit."""
        if len(reads) != len(opaque.takes):
            raise SpecError(f"expected {len(opaque.takes)} operands of {opaque.call}, found {len(reads)}; give it each")
        lying = []
        for value, type in zip(reads, opaque.takes):
            of = lambda type: (type.dtype, type.shape, type.dynamic_axes)
            if of(value.type) != of(type):
                raise SpecError(
                    f"expected {type} as an operand of {opaque.call}, found {value.type}; cast or reshape it"
                )
            as_told = value.type.minor_to_major == type.minor_to_major
            lying.append(value if as_told else self.call("copy", value, layout=type.minor_to_major, origin=origin))
        names = names or [""] * len(opaque.types)
        return tuple(self.result(opaque, n, tuple(lying), names[n], origin) for n in range(len(opaque.types)))

    def result(
        self, opaque: OpaqueOp, number: int, reads: tuple[Any, ...], name: str = "", origin: str = ""
    ) -> ModelValue:
        """One of the results of an OpaqueOp over values that fit it; equal ones are one."""
        opaque = self._opaque.setdefault(repr(opaque), opaque)
        attributes = ("maker", opaque), ("result", number)
        key = opaque.call, reads, attributes
        if key not in self._made:
            self._made[key] = ModelValue(
                opaque.types[number], name, opaque.call, reads, rest=opaque.rest, attributes=attributes, origin=origin
            )
        return self._made[key]

    def _spec(self, call: str, reads: tuple[ModelValue | float, ...], attributes: Attributes) -> Spec:
        """A call as a Spec over types; equal ones are one."""
        types = tuple(map(operand_type, reads))
        key = call, _ids(types), attributes
        if key not in self._specs:
            self._specs[key] = applied(call, types, attributes)
        return self._specs[key]

    def rebuilt(self, value: ModelValue, reads: tuple[ModelValue | float, ...]) -> ModelValue:
        """A call over other values; the value itself where they are the same."""
        if value.is_made and self._opaque.setdefault(repr(value.opaque), value.opaque) is not value.opaque:
            return self.result(value.opaque, value.number, reads, value.name, value.origin)
        if all(now is before for now, before in zip(reads, value.reads)):
            return self._made.setdefault((value.call, _ids(reads), value.attributes), value)
        if value.is_made:
            return self.result(value.opaque, value.number, reads, value.name, value.origin)
        return self.call(value.call, *reads, name=value.name, origin=value.origin, **dict(value.attributes))

    def graph(
        self, results: Mapping[str, ModelValue], refused: Iterable[Refused] = (), empty: Iterable[Empty] = ()
    ) -> ModelGraph:
        """The graph of these outputs: all inputs, and the values that the outputs depend on."""
        return ModelGraph(tuple(self.inputs), tuple(results.items()), tuple(refused), tuple(empty))


def _ids(reads: tuple[Any, ...]) -> tuple[Hashable, ...]:
    """What a call reads, with numbers told apart by their text: 1, 1.0 and True are equal, and so are 0.0 and -0.0."""
    return tuple(read if isinstance(read, (ModelValue, TensorType)) else repr(read) for read in reads)


def _hashable(value: Any) -> Hashable:
    if isinstance(value, (list, tuple)):
        return tuple(map(_hashable, value))
    return value.item() if isinstance(value, np.generic) else value


def over(
    graph: ModelGraph,
    make: Callable[[GraphBuilder, ModelValue, tuple], ModelValue] = GraphBuilder.rebuilt,
    inputs: Sequence[ModelValue] | None = None,
    others: Mapping[ModelValue, ModelValue] | None = None,
) -> ModelGraph:
    """The graph with each call rebuilt by `make(builder, call, reads)`, and inputs and constants kept. `inputs` replace
    its inputs, `others` some of its values."""
    builder = GraphBuilder()
    builder.inputs = list(graph.inputs if inputs is None else inputs)
    now = {value: value for value in builder.inputs} | dict(others or {})
    for value in graph.values:
        if value in now:
            continue
        if not value.call:
            now[value] = builder.known(value)
            continue
        now[value] = make(builder, value, value.reads_in(now))
    refused = (replace(each, step=None) for each in graph.refused)  # steps are of the values before
    return builder.graph({name: now[value] for name, value in graph.results}, refused, graph.empty)
