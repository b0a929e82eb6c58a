"""Programs whose result may lie where an array that they read does.

In a nest that computes each element by itself, what it reads of an operand with the output's own access is read before
that element is written, and by no other iteration: tiles of the output do not overlap, each is computed once, and a
copy of a tile into a buffer is made before what is computed of it is stored. Other programs come back to what they have
read, or write partial results first.
"""

from __future__ import annotations

from ...lang.calls.spec import Spec
from .nodes import KernelCall, Loop, Move, Node, walk


def overwritable(spec: Spec, root: Node) -> frozenset[int]:
    """The operands of a canonical Spec in any one of which its program may leave the output."""
    op, output = spec.operation.nest, spec.output
    if spec.operation.held or op.combine or op.picks or op.output.border or output.bytes % output.elements:
        return frozenset()
    if not all(map(_stays, walk(root))):
        return frozenset()
    lies = output.dtype, output.strides()
    alike = (t.dtype == lies[0] and t.strides() == lies[1] for t in spec.inputs)
    return frozenset(
        i for i, (is_alike, access) in enumerate(zip(alike, op.inputs)) if is_alike and access == op.output
    )


def _stays(node: Node) -> bool:
    """Whether a node takes tiles one by one, and nothing ahead of the call."""
    match node:
        case Loop():
            return node.join is None
        case Move():
            return not node.ahead
    return isinstance(node, KernelCall)
