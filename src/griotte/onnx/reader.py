"""The nodes of an ONNX model, one after the other, as calls of the language.

What is known while it is read (initializers, shapes, what follows from them alone) is computed at once, by onnx's own
reference; so sizes are numbers by the time that a call asks for them. A node that griotte lacks is noted, and its
results have the types that ONNX's shape inference tells, so that all such nodes are found in one walk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from ..errors import GriotteError, SpecError
from ..ir.dtypes import dtype_name
from ..ir.tensor import tensor
from ..ir.walk import children_first
from ..models.graph import GraphBuilder, ModelGraph, ModelValue, Refused
from ..printable import printable
from .loading import array_of
from .operators import OPERATORS, Unsupported

Item = ModelValue | np.ndarray | None  # a value of the graph, one that is known, or an input that is left out
MOST_KNOWN = 1 << 28  # bytes of what is computed while a model is read, unless what it is of is as large
NEWEST = 26  # the opset that operators are read by


class Missing:
    """What a refused node gives: whatever reads it is not read either."""


class Reader:
    """Reads a model into a ModelGraph."""

    def __init__(self, proto: Any, folder: Path | None, shapes: Mapping[str, Any], constants: Mapping[str, Any]):
        self.proto, self.folder = proto, folder
        self.shapes, self.constants = dict(shapes), dict(constants)
        self.builder = GraphBuilder()
        self.refused: list[Refused] = []
        self.asked: set[str] = set()  # inputs whose values were asked for and are not known
        self.opsets = {each.domain or "ai.onnx": each.version for each in proto.opset_import}
        self.functions = {(f.domain or "ai.onnx", f.name): f for f in proto.functions}

    def graph(self) -> ModelGraph:
        """The model's graph."""
        graph = self.proto.graph
        scope: dict[str, Item | Missing] = {}
        self._initializers(graph, scope)
        self._inputs(graph, scope)
        self.run(graph.node, scope)
        results: dict[str, ModelValue] = {}
        for output in graph.output:
            found = scope.get(output.name)
            if found is None:
                raise SpecError(
                    f"expected a value for the output {printable(output.name)!r}, found none that gives it; export the"
                    " model again"
                )
            if not isinstance(found, Missing):
                self._give(results, output.name, found)
        return self.builder.graph(results, self.refused)

    def _give(self, results: dict[str, ModelValue], name: str, item: Item) -> None:
        """Add an output, which is an array of its own: a copy of what is no call's, or is given already."""
        try:
            value = self.value(item)
            while not value.call or any(value is other for other in results.values()):
                value = self.builder.call("copy", value, name=name)
            results[name] = value
        except SpecError as why:
            self.refused.append(Refused(printable(name), "output", str(why)))

    # ---- what comes in -----------------------------------------------------------------------------------------------

    def _initializers(self, graph: Any, scope: dict[str, Item | Missing]) -> None:
        for each in graph.initializer:
            scope[each.name] = array_of(onnx, each, self.folder, f"the initializer {printable(each.name)!r}")
        for each in graph.sparse_initializer:
            raise SpecError(
                f"expected dense initializers, found a sparse one, {printable(each.values.name)!r}; make it dense"
            )

    def _inputs(self, graph: Any, scope: dict[str, Item | Missing]) -> None:
        known = {i.name for i in graph.input}
        for given, what in ((self.shapes, "shapes"), (self.constants, "constants")):
            for name in given:
                if name not in known:
                    raise SpecError(
                        f"expected inputs ({', '.join(map(printable, sorted(known)))}) in {what}, found"
                        f" {printable(str(name))!r}; name one of them"
                    )
        for each in graph.input:
            if each.name in self.constants:
                scope[each.name] = np.asarray(self.constants[each.name])
            elif each.name not in scope:
                scope[each.name] = self.builder.input(self._type(each), each.name)

    def _type(self, given: Any) -> Any:
        """The type of an input."""
        name = printable(given.name)
        kind = given.type.WhichOneof("value")
        if kind != "tensor_type":
            raise SpecError(f"expected tensors as inputs, found {kind or 'no type'}, for {name!r}; pass tensors")
        stated = given.type.tensor_type
        sizes = [d.dim_value if d.HasField("dim_value") and d.dim_value > 0 else None for d in stated.shape.dim]
        wanted = self.shapes.get(given.name)
        if wanted is not None:
            if stated.HasField("shape") and (
                len(wanted) != len(sizes) or any(n not in (None, m) for n, m in zip(sizes, wanted))
            ):
                told = ",".join("?" if n is None else str(n) for n in sizes)
                raise SpecError(f"expected a shape that fits [{told}], found {list(wanted)}, for {name!r}")
            sizes = list(wanted)
        if None in sizes or not stated.HasField("shape"):
            told = ",".join("?" if n is None else str(n) for n in sizes)
            numbers = tuple(n or 1 for n in sizes)
            raise SpecError(
                f"expected the sizes of all inputs, found {name!r} of [{told}]; say them:"
                f" shapes={{{name!r}: {numbers}}}, or --shape {name}={','.join(map(str, numbers))}"
            )
        return tensor(tuple(sizes), dtype_of(stated.elem_type, f"the input {name!r}"), name=given.name)

    # ---- nodes -------------------------------------------------------------------------------------------------------

    def run(self, nodes: Any, scope: dict[str, Item | Missing]) -> None:
        """Read nodes, in their order, into the scope."""
        for number, proto in enumerate(nodes):
            node = OnnxNode(self, proto, f"{proto.op_type}_{number}" if not proto.name else proto.name, scope)
            missing = [n for n in proto.input if n and n not in scope]
            if missing:
                raise SpecError(
                    f"expected nodes in an order in which each reads what is there, found {printable(missing[0])!r},"
                    f" which no node before gives, in {node.told}; the model has a cycle, or lacks a value"
                )
            given = [scope[n] if n else None for n in proto.input]
            if any(isinstance(item, Missing) for item in given):
                found: Any = [Missing()] * len(proto.output)
            else:
                found = self._read(node, given)
            for name, item in zip(proto.output, found):
                if name:
                    scope[name] = item

    def _read(self, node: OnnxNode, given: list[Any]) -> list[Item | Missing]:
        try:
            found = node.read(given)
        except Unsupported as why:
            self.refused.append(Refused(printable(node.name), printable(node.proto.op_type), str(why)))
            return [Missing()] * len(node.proto.output)
        except (SpecError, ValueError, TypeError, IndexError, KeyError, AttributeError) as why:
            told = str(why) if isinstance(why, GriotteError) else f"{type(why).__name__}: {why}"
            self.refused.append(
                Refused(printable(node.name), printable(node.proto.op_type), printable(" ".join(told.split())))
            )
            return [Missing()] * len(node.proto.output)
        several = found if isinstance(found, (tuple, list)) else [found]
        return [*several, *[Missing()] * (len(node.proto.output) - len(several))]

    def value(self, item: Item, name: str = "") -> ModelValue:
        """A value of the graph; of what is known a constant."""
        if isinstance(item, ModelValue):
            return item
        if item is None:
            raise SpecError("expected an input, found one that is left out; give it")
        array = np.asarray(item)
        if 0 in array.shape:
            raise Unsupported(f"a tensor without elements, {list(array.shape)}")
        try:
            dtype_name(array.dtype)
        except SpecError:
            raise Unsupported(f"a tensor of {array.dtype}") from None
        return self.builder.constant(array, name)


@dataclass
class OnnxNode:
    """A node that is being read: its attributes, its opset, and calls of the language that are of it."""

    reader: Reader
    proto: Any
    name: str
    scope: dict[str, Item | Missing] = field(repr=False)

    @property
    def told(self) -> str:
        return f"{printable(self.proto.op_type)} {printable(self.name)!r}"

    @property
    def domain(self) -> str:
        return self.proto.domain or "ai.onnx"

    @property
    def opset(self) -> int:
        """The version of the operator set that the model was written by."""
        return self.reader.opsets.get(self.domain, self.reader.opsets.get("ai.onnx", 1))

    @property
    def outputs(self) -> int:
        """How many results are asked for."""
        return len(self.proto.output)

    def read(self, given: list[Item]) -> Any:
        """What the node gives: computed where all that it reads is known, else calls."""
        function = self.reader.functions.get((self.domain, self.proto.op_type))
        if function is not None:
            return list(_function(self, function, given))
        operator = OPERATORS.get((self.domain, self.proto.op_type))
        is_known = all(not isinstance(item, ModelValue) for item in given)
        if is_known and self.proto.op_type not in ("If", "Loop", "Scan"):
            return self._computed(given)
        if operator is None:
            raise Unsupported("no such operator here")
        return operator(self, *given)

    def _computed(self, given: list[Item]) -> list[Any]:
        """What it gives of what is known, by onnx's reference."""
        from .folding import folded

        return folded(self.reader.proto, self.proto, given)

    def attribute(self, name: str, default: Any = None) -> Any:
        """An attribute's value, as onnx.helper gives it; strings as str."""
        for each in self.proto.attribute:
            if each.name == name:
                found = onnx.helper.get_attribute_value(each)
                if isinstance(found, bytes):
                    return found.decode("utf-8", "replace")
                return list(found) if each.type in (6, 7, 8) else found
        return default

    def value(self, item: Item) -> ModelValue:
        """A value of the graph."""
        return self.reader.value(item)

    def call(self, call: str, *reads: Any, **attributes: Any) -> ModelValue:
        """A call of the language over values, known arrays and numbers."""
        operands = [r if isinstance(r, (ModelValue, int, float)) else self.value(r) for r in reads]
        label = self.proto.output[0] if self.proto.output else ""
        return self.reader.builder.call(call, *operands, name=label, origin=self.name, **attributes)

    def known(self, item: Item, what: str) -> np.ndarray | None:
        """An input that must be known while the model is read: its data; None where it is left out."""
        if isinstance(item, ModelValue):
            if item.array is not None:
                return item.array
            self.reader.asked |= {
                v.name for v in children_first((item,), lambda v: v.values) if v in self.reader.builder.inputs
            }
            raise Unsupported(f"{what} is not known before the call")
        return None if item is None else np.asarray(item)


def _function(node: OnnxNode, function: Any, given: list[Item]) -> Iterator[Item | Missing]:
    """What a function of the model gives: its nodes are read with its inputs."""
    reader = node.reader
    scope: dict[str, Item | Missing] = dict(zip(function.input, [*given, *[None] * len(function.input)]))
    attributes = {each.name: each for each in (*function.attribute_proto, *node.proto.attribute)}
    nodes = []
    for proto in function.node:
        own = onnx.NodeProto()
        own.CopyFrom(proto)
        own.name = f"{node.name}/{proto.name or proto.op_type}"
        for each in list(own.attribute):
            if each.ref_attr_name:
                own.attribute.remove(each)
                if each.ref_attr_name in attributes:
                    given_attribute = onnx.AttributeProto()
                    given_attribute.CopyFrom(attributes[each.ref_attr_name])
                    given_attribute.name = each.name
                    own.attribute.append(given_attribute)
        nodes.append(own)
    opsets, reader.opsets = reader.opsets, {e.domain or "ai.onnx": e.version for e in function.opset_import}
    try:
        reader.run(nodes, scope)
    finally:
        reader.opsets = opsets
    for name in function.output:
        yield scope.get(name)


def dtype_of(element: int, where: str) -> str:
    """The dtype of an ONNX element type."""
    try:
        return dtype_name(onnx.helper.tensor_dtype_to_np_dtype(element))
    except (KeyError, TypeError, ValueError, SpecError):
        names = {v: k for k, v in onnx.TensorProto.DataType.items()}
        raise SpecError(
            f"expected a dtype that griotte has, found {names.get(element, element)}, for {where}; cast it"
        ) from None
