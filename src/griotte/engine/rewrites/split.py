"""Join: what is left of a reduction whose parts were summed apart, by several threads.

before  matmul m n k
after   parallel k by 8192 over 2 threads { matmul m n 8192 -> parts[p] } ; join: y = parts[0] + parts[1]

The parts lie one after the other, each like the output; joining them is a reduction like any other, over `PARTS`.
"""

from __future__ import annotations

from ...lang.nests.family import Family, Operand, State, given_layout
from ...lang.nests.graph import Graph, family_of
from ...lang.nests.operation import Access, Operation
from ...lang.types.expr import Arg
from ...lang.types.tensor import TensorType

PARTS = "parts"  # the dimension along which the parts lie


def join_state(state: State, parts: int) -> State:
    """The Spec that joins `parts` results of the Spec `state`, in their order, into its output."""
    family = state.family
    sizes = {**state.size, PARTS: parts}
    op = _join(family.operation)
    return State(
        family_of(op, (_parts(family, op, sizes), family.output), family.accumulator),
        tuple(sizes[d] for d in op.dims),
    )


def _join(op: Graph) -> Operation:
    dims = tuple(dict.fromkeys(d for axis in op.output.axes for d, _ in axis))  # of a graph and its last nest the same
    return Operation("join", (*dims, PARTS), (Access((((PARTS, 1),), *op.output.axes)),), op.output, Arg(0), op.joins)


def _parts(family: Family, op: Operation, sizes: dict[str, int]) -> Operand:
    """All parts as one operand: of the output's layout, parts slowest."""
    order = (*(axis + 1 for axis in family.output.layout.order), 0)
    held = TensorType(family.accumulator, op.inputs[0].shape(sizes), order)
    return Operand(family.accumulator, family.output.level, given_layout(held, family.output.layout.uncached))
