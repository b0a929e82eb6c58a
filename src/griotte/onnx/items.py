"""What a node reads and gives while a model is read, and the order of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping
from typing import Any

import numpy as np
import onnx

from ..lang.types.dtypes import dtype, dtype_name
from ..lang.types.walk import children_first
from ..models.graph import ModelValue
from ..readers.node import Item, Missing, Unsupported
from ..support.errors import SpecError

Scope = MutableMapping[str, Item | Missing]
"""What there is, by name."""


def dtype_of(element: int) -> str:
    """The dtype of an ONNX element type."""
    try:
        return dtype_name(onnx.helper.tensor_dtype_to_np_dtype(element))
    except (KeyError, TypeError, ValueError, SpecError):
        names = {v: k for k, v in onnx.TensorProto.DataType.items()}
        raise Unsupported(f"a tensor of {names.get(element, f'type {element}, which is none')}") from None


def typed(name: str, item: ModelValue | np.ndarray) -> Any:
    """A value or an array of a name, as ONNX says its type."""
    kind = dtype(item.type.dtype).numpy if isinstance(item, ModelValue) else item.dtype
    shape = item.type.shape if isinstance(item, ModelValue) else item.shape
    return onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(kind), shape)


def names_read(proto: Any) -> Iterator[str]:
    """What a node reads: its inputs, and what the graphs within it take from around them."""
    yield from (name for name in proto.input if name)
    for attribute in proto.attribute:
        for graph in [attribute.g] * attribute.HasField("g") + list(attribute.graphs):
            own = {each.name for each in (*graph.input, *graph.initializer)}
            own |= {name for node in graph.node for name in node.output}
            inner = [name for node in graph.node for name in names_read(node)] + [each.name for each in graph.output]
            yield from (name for name in inner if name not in own)


def in_order(nodes: Iterable[Any]) -> list[Any]:
    """Nodes in topological order: their own order, if it is one."""
    nodes = list(nodes)
    giver = {name: node for node in nodes for name in node.output if name}
    given: set[str] = set()
    for node in nodes:
        if any(name in giver and name not in given for name in names_read(node)):
            return children_first(nodes, lambda one: [giver[name] for name in names_read(one) if name in giver])
        given.update(node.output)
    return nodes
