"""The least that the arithmetic of a nest takes on a target, whatever program meets it."""

from __future__ import annotations

from ...lang.nests.family import Family, Layout, Operand
from ...lang.nests.graph import family_of
from ..cost.ports import computed_by, on_ports
from ..leaves.forms import serving


def nests_of(spec, family) -> list[tuple[Family, int]]:
    """Each nest as a family of its own, its operands where arrays are, and its steps."""
    op = spec.operation
    if not op.held:
        return [(family, op.nest.times(spec.size))]
    dtypes = [*(t.dtype for t in spec.inputs), *(held.dtype for held in op.held), spec.output.dtype]
    found = []
    for j, nest in enumerate(op.nests):
        operands = tuple(
            Operand(dtypes[t], family.output.level, Layout(tuple(reversed(range(len(a.axes))))))
            for t, a in zip((*nest.reads, op.tensor(j)), nest.operation.accesses)
        )
        found.append((family_of(nest.operation, operands, nest.accumulator), nest.operation.times(spec.size)))
    return found


def quickest(family: Family, steps: float, target) -> tuple[str, float]:
    """The kernel that takes the fewest cycles for so many steps of a nest, and these."""
    known = ((k.name, _arithmetic(k, family, steps, target)) for k in serving(target, family))
    return min(known, key=lambda found: found[1], default=("no kernel meets it as it is", 0.0))


def _arithmetic(kernel, family: Family, steps: float, target) -> float:
    """Cycles when every step of the nest runs on full vectors and nothing waits."""
    op, vectors = family.nest, steps / (target.lanes(family.accumulator) * kernel.group)
    if op.combine and kernel.body is not None:
        return vectors * kernel.uops / target.ports.arithmetic
    slots = computed_by(target, op, family.accumulator)
    return vectors * on_ports(target.ports, slots.all, slots.multiplying)
