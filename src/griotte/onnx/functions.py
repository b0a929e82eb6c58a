"""Functions: nodes that stand for others. A model has its own, and ONNX defines many operators by such a body."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx

from ..models.graph import ModelValue
from ..readers.node import Item, Missing, OverBound
from .items import Scope, typed

MOST_NESTED = 100  # functions and branches within each other


def expanded(node: Any, function: Any, given: list[Item]) -> list[Item | Missing]:
    """What a function gives: its nodes are read with the node's inputs and attributes."""
    reader = node.reader
    scope: Scope = dict(zip(function.input, [*given, *[None] * len(function.input)]))
    attributes = {each.name: each for each in (*function.attribute_proto, *node.proto.attribute)}
    nodes = [_given(proto, node.name, attributes) for proto in function.node]
    opsets = {each.domain or "ai.onnx": each.version for each in function.opset_import}
    with reader.within(node.title, reader.opsets | opsets):
        reader.run(nodes, scope)
    return [scope.get(name, Missing()) for name in function.output]


def _given(proto: Any, within: str, attributes: dict[str, Any]) -> Any:
    """A node of a function, with the attributes that it takes of the function's."""
    own = onnx.NodeProto()
    own.CopyFrom(proto)
    own.name = f"{within}/{proto.name or proto.op_type}"
    for each in list(own.attribute):
        if each.ref_attr_name:
            own.attribute.remove(each)
            if each.ref_attr_name in attributes:
                taken = own.attribute.add()
                taken.CopyFrom(attributes[each.ref_attr_name])
                taken.name = each.name
        elif each.type == onnx.AttributeProto.GRAPH:
            inner = [_given(one, own.name, attributes) for one in each.g.node]
            del each.g.node[:]
            each.g.node.extend(inner)
    return own


def body_of(node: Any, given: list[Item]) -> Any:
    """The body by which ONNX defines an operator, of these inputs; None where it has none."""
    domain = "" if node.domain == "ai.onnx" else node.domain
    try:
        schema = onnx.defs.get_schema(node.operator, node.opset, domain)
    except onnx.defs.SchemaError:
        return None
    if schema.has_function:
        body = onnx.FunctionProto()
        body.CopyFrom(schema.function_body)
    elif schema.has_context_dependent_function:
        types = [_stated(item).SerializeToString() for item in given]
        body = onnx.FunctionProto()
        body.ParseFromString(schema.get_context_dependent_function(node.proto.SerializeToString(), types))
    else:
        return None
    stated = {each.name for each in body.attribute_proto}
    defaults = [each.default_value for name, each in schema.attributes.items() if name not in stated]
    body.attribute_proto.extend(each for each in defaults if each.name)
    return body


def _stated(item: Item) -> Any:
    if item is None:
        return onnx.TypeProto()
    return typed("", item if isinstance(item, ModelValue) else np.asarray(item)).type


def nested(depth: int, told: str) -> int:
    """One deeper, if that is not too deep."""
    if depth >= MOST_NESTED:
        raise OverBound(
            f"expected at most {MOST_NESTED} functions and branches within each other, found more, at {told}; a"
            " function must not call itself"
        )
    return depth + 1
