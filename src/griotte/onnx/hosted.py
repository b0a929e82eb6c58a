"""A node that griotte lacks, as a model of its own that another runtime can run, its results of the types that ONNX's
shape inference tells."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx

from ..lang.types.dtypes import dtype, dtype_name
from ..lang.types.tensor import tensor
from ..models.graph import HostStep, ModelValue
from ..support.errors import SpecError
from .items import dtype_of
from .ordering import names_read

LARGEST = 1 << 30  # bytes of the constants of such a model
UNTYPED = (SpecError, onnx.shape_inference.InferenceError, ValueError, TypeError, KeyError)
"""What is raised where results have no types that are known."""


def hosted(node: Any) -> HostStep | None:
    """The node as a step of its own; None where its results have no types that are known, or it reads what is none."""
    alone = _alone(node)
    if alone is None:
        return None
    model, values = alone
    graph = node.reader.proto.graph
    stated = {each.name: each for each in (*graph.value_info, *graph.output)}
    try:
        gives = tuple(_given(each.name, each, stated) for each in model.graph.output)
    except UNTYPED:
        return None
    content = model.SerializeToString()
    return HostStep(node.name, node.proto.op_type, content, tuple(values), tuple(values.values()), gives)


def emptied(node: Any) -> list[np.ndarray] | None:
    """What the node gives where ONNX's shape inference says that nothing of it has elements; None elsewhere."""
    alone = _alone(node)
    if alone is None:
        return None
    found = [each.type.tensor_type for each in alone[0].graph.output]
    shapes = [tuple(d.dim_value if d.HasField("dim_value") else -1 for d in each.shape.dim) for each in found]
    if not all(0 in shape and min(shape) >= 0 for shape in shapes):
        return None
    kinds = [dtype(dtype_of(each.elem_type)).numpy for each in found]
    return [np.empty(shape, kind) for shape, kind in zip(shapes, kinds)]


def _alone(node: Any) -> tuple[Any, dict[str, ModelValue]] | None:
    """The node as a model, its results with their types, and the values that it reads; None where it reads what is
    none, or its constants are too large."""
    reads = {name: node.scope.get(name) for name in dict.fromkeys(names_read(node.proto)) if name in node.scope}
    if not all(item is None or isinstance(item, (ModelValue, np.ndarray)) for item in reads.values()):
        return None
    values = {name: item for name, item in reads.items() if isinstance(item, ModelValue) and item.array is None}
    known = {name: _array(item) for name, item in reads.items() if item is not None and name not in values}
    if sum(array.nbytes for array in known.values()) > LARGEST:
        return None
    try:
        return _model(node, values, known, [name for name in node.proto.output if name]), values
    except UNTYPED:
        return None


def _array(item: Any) -> np.ndarray:
    found = item.array if isinstance(item, ModelValue) else item
    assert found is not None
    return np.asarray(found)


def _model(node: Any, values: dict[str, ModelValue], known: dict[str, np.ndarray], outputs: list[str]) -> Any:
    """The node alone, its results with their types."""
    proto, helper = node.reader.proto, onnx.helper
    inputs = [helper.make_tensor_value_info(name, _element(each), each.type.shape) for name, each in values.items()]
    constants = [onnx.numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in known.items()]
    results = [helper.make_empty_tensor_value_info(name) for name in outputs]
    graph = helper.make_graph([node.proto], "node", inputs, results, constants)
    model = helper.make_model(graph, opset_imports=list(proto.opset_import), functions=list(proto.functions))
    model.ir_version = proto.ir_version or model.ir_version
    return onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)


def _element(value: ModelValue) -> int:
    return onnx.helper.np_dtype_to_tensor_dtype(dtype(value.type.dtype).numpy)


def _given(name: str, inferred: Any, stated: dict[str, Any]) -> ModelValue:
    """A result of the type that was inferred, or else is stated in the model; SpecError where neither is whole, or
    griotte has it not."""
    for found in (inferred, stated.get(name)):
        if found is not None and (sizes := _sizes(found.type.tensor_type)) is not None:
            kind = dtype_name(onnx.helper.tensor_dtype_to_np_dtype(found.type.tensor_type.elem_type))
            return ModelValue(tensor(sizes, kind), name)
    raise SpecError("expected sizes that follow from those of what comes in, found open ones")


def _sizes(type: Any) -> tuple[int, ...] | None:
    """The sizes of a type, where all are known."""
    if not type.HasField("shape") or not all(each.HasField("dim_value") for each in type.shape.dim):
        return None
    return tuple(each.dim_value for each in type.shape.dim)
