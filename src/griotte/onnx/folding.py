"""A node of which all that it reads is known, computed by onnx's reference implementation."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

from .operators import Unsupported


def folded(model: Any, node: Any, given: list[Any]) -> list[np.ndarray]:
    """What the node gives of these arrays."""
    names = [f"i{n}" if item is not None else "" for n, item in enumerate(given)]
    outputs = [f"o{n}" if name else "" for n, name in enumerate(node.output)]
    own = onnx.NodeProto()
    own.CopyFrom(node)
    del own.input[:], own.output[:]
    own.input.extend(names)
    own.output.extend(outputs)
    info = onnx.helper.make_empty_tensor_value_info
    graph = onnx.helper.make_graph([own], "node", [info(n) for n in names if n], [info(n) for n in outputs if n])
    alone = onnx.helper.make_model(graph, opset_imports=list(model.opset_import), functions=list(model.functions))
    arrays = {name: np.asarray(item) for name, item in zip(names, given) if item is not None}
    try:
        with np.errstate(all="ignore"):
            found = iter(ReferenceEvaluator(alone).run(None, arrays))
    except Exception as error:
        raise Unsupported(f"not computed by onnx's reference: {type(error).__name__}, {error}") from error
    results = [next(found) if name else None for name in outputs]
    if any(not isinstance(array, (np.ndarray, np.generic)) for array in results if array is not None):
        raise Unsupported("what it gives is no tensor")
    return [array if array is None else np.asarray(array) for array in results]
