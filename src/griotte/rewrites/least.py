"""The least that the arithmetic of a nest takes on a target, whatever program meets it."""

from __future__ import annotations

from ..cost.ports import computed_by, on_ports
from ..ir.family import Family
from ..leaves.serving import serving


def quickest(family: Family, steps: float, target) -> tuple[str, float]:
    """The kernel that takes the fewest cycles for so many steps of a nest, and these."""
    known = ((k.name, _arithmetic(k, family, steps, target)) for k in serving(target, family))
    return min(known, key=lambda found: found[1], default=("no kernel meets it as it is", 0.0))


def _arithmetic(kernel, family: Family, steps: float, target) -> float:
    """Cycles when every step of the nest runs on full vectors and nothing waits."""
    op, vectors = family.operation, steps / (target.lanes(family.accumulator) * kernel.group)
    if op.combine and kernel.body is not None:
        return vectors * kernel.uops / target.ports.arithmetic
    slots = computed_by(target, op, family.accumulator)
    return vectors * on_ports(target.ports, slots.all, slots.multiplying)
