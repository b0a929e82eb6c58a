"""Calls that move nothing: what they give lies in memory as what they read."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ...lang.calls.spec import Spec
from ...lang.constructors.operations import copy
from ...lang.nests.operation import Access
from ...lang.types.expr import Arg
from ...lang.types.tensor import TensorType


def is_view(spec: Spec) -> bool:
    """Whether a call of one nest gives what it reads, element by element in the order of memory: a reshape, or a
    transpose of axes that are one by one in memory anyway."""
    op = spec.operation
    if not spec.is_map or op.finish is not None or op.body != Arg(0) or len(op.inputs) != 1:
        return False
    source, result = spec.inputs[0], spec.output
    if source.dtype != result.dtype or source.elements != result.elements or spec.dynamic is not None:
        return False
    if any(access.border is not None for access in op.accesses):
        return False
    return _steps(op.inputs[0], source, spec.size) == _steps(op.output, result, spec.size)


def _steps(access: Access, tensor: TensorType, size: dict[str, int]) -> Counter[str]:
    """How far, in elements, a step along each dimension goes in memory; of those that have more than one index."""
    found: Counter[str] = Counter()
    for axis, stride in zip(access.axes, tensor.strides()):
        for dim, step in axis:
            found[dim] += stride * step if size[dim] > 1 else 0
    return +found


def flat_copy(spec: Spec) -> Spec:
    """A view that is made an array of its own."""
    line = replace(spec.inputs[0], shape=(spec.output.elements,), minor_to_major=(0,), name="", constant=False)
    return copy(line, layout=(0,))
