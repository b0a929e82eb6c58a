"""A node as a model of its own, whose results have the types that ONNX's shape inference tells. Where all that it reads
is known, onnx's reference computes it at once; where griotte lacks it, another runtime can run it.

A file may ask for more than a machine has: how much a node gives is asked of shape inference before it is computed, and
all that is computed has a bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx

from ..lang.types.dtypes import dtype, dtype_name
from ..lang.types.tensor import tensor
from ..models.graph import HostStep, ModelValue
from ..readers.node import Unsupported
from ..support.errors import SpecError
from .items import dtype_of, names_read, typed

LARGEST = 1 << 30  # bytes of the constants of a model that is run elsewhere
SMALL = 1024  # elements of what may say a size
GIVE_LESS = ("NonZero", "Compress", "Unique", "Slice", "Gather", "GatherND", "Constant", "Squeeze", "Reshape", "Split")
NEVER = "Bernoulli ImageDecoder Multinomial RandomNormal RandomNormalLike RandomUniform RandomUniformLike".split()
UNTYPED = (SpecError, onnx.shape_inference.InferenceError, ValueError, TypeError, KeyError)
"""The errors where the types of results are not known."""


def model_of(proto: Any, reads: Mapping[str, Any], known: Mapping[str, np.ndarray] | None = None, **told: Any) -> Any:
    """A model of one node, of the types of what it reads, and of constants."""
    helper = onnx.helper
    results = [helper.make_empty_tensor_value_info(name) for name in proto.output if name]
    constants = [onnx.numpy_helper.from_array(array, name) for name, array in (known or {}).items()]
    inputs = [typed(name, item) for name, item in reads.items()]
    return helper.make_model(helper.make_graph([proto], "node", inputs, results, constants), **told)


def hosted(node: Any) -> HostStep | None:
    """The node as a step of its own; None where a result's type is not known, or it reads a value that is missing."""
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
    """The node as a model, its results with their types, and the values that it reads; None where one of them is
    missing, or its constants are too large."""
    reads = {name: node.scope.get(name) for name in dict.fromkeys(names_read(node.proto)) if name in node.scope}
    if not all(item is None or isinstance(item, (ModelValue, np.ndarray)) for item in reads.values()):
        return None
    values = {name: item for name, item in reads.items() if isinstance(item, ModelValue) and item.array is None}
    others = {name: item for name, item in reads.items() if item is not None and name not in values}
    known = {name: np.asarray(x.array if isinstance(x, ModelValue) else x) for name, x in others.items()}
    if sum(array.nbytes for array in known.values()) > LARGEST:
        return None
    constants, proto = {name: np.ascontiguousarray(array) for name, array in known.items()}, node.reader.proto
    told = {"opset_imports": list(proto.opset_import), "functions": list(proto.functions)}
    try:
        model = model_of(node.proto, values, constants, **told)
        model.ir_version = proto.ir_version or model.ir_version
        return onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True), values
    except UNTYPED:
        return None


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


def folded(node: Any, given: list[Any]) -> list[Any]:
    """What the node gives of these arrays."""
    proto = node.proto
    if proto.op_type in NEVER:
        raise Unsupported("what it gives is drawn by chance, or an image")
    if any(item is not None and not isinstance(item, np.ndarray) for item in given):
        raise Unsupported("what it reads is no tensor")
    own = onnx.NodeProto()
    own.CopyFrom(proto)
    own.input[:] = [f"i{n}" if item is not None else "" for n, item in enumerate(given)]
    own.output[:] = [f"o{n}" if name else "" for n, name in enumerate(proto.output)]
    arrays = {name: item for name, item in zip(own.input, given) if item is not None}
    opsets = [each for each in node.reader.proto.opset_import if each.domain not in ("", "ai.onnx")]
    alone = model_of(own, arrays, opset_imports=[*opsets, onnx.helper.make_opsetid("", node.opset)])
    for shape, item in _given_sizes(alone, arrays, proto.op_type):
        node.reader.charge(shape, item, f"{proto.op_type} {proto.name}")
    try:
        with np.errstate(all="ignore"):
            from onnx.reference import ReferenceEvaluator  # slow to load, and few models need it

            found = iter(ReferenceEvaluator(alone).run(None, arrays))
    except Exception as error:
        raise Unsupported(f"not computed by onnx's reference: {type(error).__name__}, {error}") from error
    results = [next(found) if name else None for name in proto.output]
    if any(not isinstance(array, (np.ndarray, np.generic)) for array in results if array is not None):
        raise Unsupported("what it gives is no tensor")
    return [array if array is None else np.asarray(array) for array in results]


def _given_sizes(alone: Any, arrays: dict[str, np.ndarray], operator: str) -> list[tuple[tuple[int, ...], int]]:
    """The shape and the bytes of an element of all that a model of one node gives."""
    if operator in GIVE_LESS:
        return [(a.shape, a.dtype.itemsize) for a in arrays.values()]
    asked = onnx.ModelProto()
    asked.CopyFrom(alone)
    small = {name: array for name, array in arrays.items() if array.size <= SMALL and array.dtype != object}
    asked.graph.initializer.extend(onnx.numpy_helper.from_array(array, name) for name, array in small.items())
    try:
        inferred = onnx.shape_inference.infer_shapes(asked)
    except Exception as error:
        raise Unsupported(f"its sizes do not fit: {' '.join(str(error).split())}") from error
    types = [output.type.tensor_type for output in inferred.graph.output]
    shapes = list(map(_sizes, types))
    if None in shapes:
        raise Unsupported("how much it gives does not follow from what it reads")
    kinds = [onnx.helper.tensor_dtype_to_np_dtype(type.elem_type) for type in types]
    return [(shape or (), max(1, kind.itemsize)) for shape, kind in zip(shapes, kinds)]
