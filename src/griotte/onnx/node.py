"""A node of an ONNX graph that is being read."""

from __future__ import annotations

from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Any

import onnx

from ..models.graph import ModelValue
from ..readers.node import STAY, Item, ReadNode, Unsupported, known
from ..support.printable import printable
from .alone import folded
from .functions import body_of, expanded
from .items import Scope, dtype_of
from .loading import array_of
from .operators import OPERATORS, REFUSED

OLDEST = 6  # the first opset that is read; from 7 on operators broadcast as they do now


@dataclass
class OnnxNode(ReadNode):
    """A node that is being read: its attributes, its opset, and calls of the language that are of it."""

    reader: Any
    proto: Any
    name: str
    scope: Scope = field(repr=False)

    @property
    def title(self) -> str:
        return f"{printable(self.proto.op_type)} {printable(self.name)!r}"

    @property
    def labels(self) -> list[str]:
        return list(self.proto.output)

    @property
    def operator(self) -> str:
        """Its name in its domain."""
        return _text(self.proto.op_type)

    @property
    def domain(self) -> str:
        return _text(self.proto.domain) or "ai.onnx"

    @property
    def opset(self) -> int:
        """The version of the operator set that the model was written by."""
        return self.reader.opsets.get(self.domain, self.reader.opsets.get("ai.onnx", 1))

    @property
    def outputs(self) -> int:
        """How many results are asked for."""
        return len(self.proto.output)

    def read_by(self, function: Any, *given: Any, **how: Any) -> Any:
        """The same; parameters that are given by name alone are attributes of these names."""
        told = signature(function).parameters.values()
        named = {each.name: self.required(each.name, each.default) for each in told if each.kind is each.KEYWORD_ONLY}
        return super().read_by(function, *given, **named, **how)

    def required(self, name: str, default: Any = Parameter.empty) -> Any:
        """An attribute; Unsupported where it is left out and has no default."""
        found = self.attribute(name, default)
        if found is Parameter.empty:
            raise Unsupported(f"the attribute {name} is left out")
        return found

    def read(self, given: list[Item]) -> Any:
        """What the node gives: computed where all that it reads is known; else calls, by declaration or by body."""
        given = [known(x) for x in given]
        function = self.reader.functions.get((self.domain, self.operator))
        if function is not None:
            return expanded(self, function, given)
        self._require_newer()
        tensors = [each.t for each in self.proto.attribute if each.type == onnx.AttributeProto.TENSOR]
        if any(tensor.data_location == onnx.TensorProto.EXTERNAL for tensor in tensors):
            return self._external(tensors)
        has_graph = any(each.type == onnx.AttributeProto.GRAPH for each in self.proto.attribute)
        operator = OPERATORS.get((self.domain, self.operator))
        is_known = all(not isinstance(item, ModelValue) for item in given)
        if is_known and not has_graph and self.proto.op_type not in STAY:
            if self.proto.op_type == "Identity":
                return given[0]
            try:
                return folded(self, given)
            except Unsupported as why:
                return self._of_body(given, why) if operator is None else self.read_by(operator, *given)
        if operator is None:
            of_domain = REFUSED.get(self.domain, "no such operator here")
            return self._of_body(given, Unsupported(REFUSED.get((self.domain, self.operator), of_domain)))
        try:
            return self.read_by(operator, *given)
        except Unsupported as why:
            return self._of_body(given, why)

    def _require_newer(self) -> None:
        """That the operator is not one that ONNX had before it read as it does now."""
        if self.domain != "ai.onnx" or self.opset >= OLDEST or not onnx.defs.has(self.operator):
            return
        before, after = (since(self.operator, version) for version in (self.opset, OLDEST + 1))
        if before != after:
            raise Unsupported(f"as ONNX {self.opset} has it; convert the model with onnx.version_converter")

    def _external(self, tensors: list[Any]) -> Item:
        if self.proto.op_type != "Constant":
            raise Unsupported("an attribute in another file")
        return array_of(tensors[0], self.reader.folder, self.title)

    def _of_body(self, given: list[Item], why: Unsupported) -> Any:
        """What it gives by the body that ONNX defines it by, if that is covered, else refuse it, as it is or for what
        its body lacks."""
        body = body_of(self, given)
        if body is None:
            raise why
        refused, self.reader.refused = self.reader.refused, []
        try:
            found = expanded(self, body, given)
            lacking = self.reader.refused
        finally:
            self.reader.refused = refused
        if lacking:
            first = f"{lacking[0].operator} within it: {lacking[0].why}"
            raise why if (self.domain, self.operator) in OPERATORS else Unsupported(first)
        return found

    def attribute(self, name: str, default: Any = None) -> Any:
        """An attribute's value, as onnx.helper gives it; bytes as str."""
        for each in self.proto.attribute:
            if each.name == name:
                found = onnx.helper.get_attribute_value(each)
                if isinstance(found, bytes):
                    return found.decode("utf-8", "replace")
                several = list(found) if each.type in (6, 7, 8) else found
                return [text.decode("utf-8", "replace") for text in several] if each.type == 8 else several
        return default

    @staticmethod
    def of_element(element: int) -> str:
        """The dtype of an ONNX element type."""
        return dtype_of(element)


def _text(given: str | bytes) -> str:
    """A text of a file, which may be bytes that are no text."""
    return given if isinstance(given, str) else given.decode("utf-8", "replace")


def since(operator: str, version: int) -> int:
    """The opset in which ONNX defined an operator as it is in another; 0 where that has none."""
    try:
        return onnx.defs.get_schema(operator, version).since_version
    except onnx.defs.SchemaError:
        return 0
