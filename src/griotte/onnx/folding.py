"""A node of which all that it reads is known, computed by onnx's reference implementation.

A file may ask for more than a machine has: how much a node gives is asked of ONNX's shape inference before it is
computed, and all that is computed has a bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx

from ..readers.node import Budget, Unsupported

SMALL = 1024  # elements of what may say a size
GIVE_LESS = ("NonZero", "Compress", "Unique", "Slice", "Gather", "GatherND", "Constant", "Squeeze", "Reshape", "Split")
NEVER = "Bernoulli ImageDecoder Multinomial RandomNormal RandomNormalLike RandomUniform RandomUniformLike".split()


def folded(model: Any, budget: Budget, node: Any, given: list[Any], opset: int) -> list[Any]:
    """What the node gives of these arrays."""
    if node.op_type in NEVER:
        raise Unsupported("what it gives is drawn by chance, or an image")
    if any(item is not None and not isinstance(item, np.ndarray) for item in given):
        raise Unsupported("what it reads is no tensor")
    alone, arrays = _alone(model, node, given, opset)
    for shape, item in _sizes(alone, arrays, node.op_type):
        budget.take(shape, item, f"{node.op_type} {node.name}")
    try:
        with np.errstate(all="ignore"):
            from onnx.reference import ReferenceEvaluator  # slow to load, and few models need it

            found = iter(ReferenceEvaluator(alone).run(None, arrays))
    except Exception as error:
        raise Unsupported(f"not computed by onnx's reference: {type(error).__name__}, {error}") from error
    results = [next(found) if name else None for name in node.output]
    if any(not isinstance(array, (np.ndarray, np.generic)) for array in results if array is not None):
        raise Unsupported("what it gives is no tensor")
    return [array if array is None else np.asarray(array) for array in results]


def _alone(model: Any, node: Any, given: list[Any], opset: int) -> tuple[Any, dict[str, np.ndarray]]:
    """A model of one node, and its inputs."""
    names = [f"i{n}" if item is not None else "" for n, item in enumerate(given)]
    outputs = [f"o{n}" if name else "" for n, name in enumerate(node.output)]
    own = onnx.NodeProto()
    own.CopyFrom(node)
    del own.input[:], own.output[:]
    own.input.extend(names)
    own.output.extend(outputs)
    arrays = {name: item for name, item in zip(names, given) if item is not None}
    helper = onnx.helper
    typed = lambda name, a: helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
    graph = helper.make_graph(
        [own],
        "node",
        [typed(name, array) for name, array in arrays.items()],
        [helper.make_empty_tensor_value_info(n) for n in outputs if n],
    )
    opsets = [each for each in model.opset_import if each.domain not in ("", "ai.onnx")]
    opsets.append(helper.make_opsetid("", opset))
    return helper.make_model(graph, opset_imports=opsets), arrays


def _sizes(alone: Any, arrays: dict[str, np.ndarray], told: str) -> list[tuple[tuple[int, ...], int]]:
    """The shape and the bytes of an element of all that a model of one node gives."""
    if told in GIVE_LESS:
        return [(a.shape, a.dtype.itemsize) for a in arrays.values()]
    asked = onnx.ModelProto()
    asked.CopyFrom(alone)
    small = {name: array for name, array in arrays.items() if array.size <= SMALL and array.dtype != object}
    asked.graph.initializer.extend(onnx.numpy_helper.from_array(array, name) for name, array in small.items())
    try:
        inferred = onnx.shape_inference.infer_shapes(asked)
    except Exception as error:
        raise Unsupported(f"its sizes do not fit: {' '.join(str(error).split())}") from error
    return [_size(output, told) for output in inferred.graph.output]


def _size(output: Any, told: str) -> tuple[tuple[int, ...], int]:
    stated = output.type.tensor_type
    if not stated.HasField("shape") or not all(d.HasField("dim_value") for d in stated.shape.dim):
        raise Unsupported("how much it gives does not follow from what it reads")
    kind = onnx.helper.tensor_dtype_to_np_dtype(stated.elem_type)
    return tuple(d.dim_value for d in stated.shape.dim), max(1, kind.itemsize)
