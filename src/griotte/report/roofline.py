"""The least that the cost model lets a Spec take on a target: by arithmetic, and by the bytes that must move.

Williams, Waterman, Patterson, "Roofline" (CACM 2009), in cycles of the model: a program costs this much or more.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, prod

from ..cost.leaf import FUNCTION_UOPS
from ..rewrites.select import serves
from ..spec.dtypes import dtype
from ..spec.expr import calls
from ..spec.family import LINE


@dataclass(frozen=True)
class Roofline:
    """Cycles on each side, over all threads; `kernel` is the one with the most work a cycle, `level` where data rests."""

    arithmetic: float
    memory: float
    kernel: str
    level: str
    flops: int
    bytes: int

    @property
    def bound(self) -> float:
        return max(self.arithmetic, self.memory)

    @property
    def binding(self) -> str:
        return "arithmetic" if self.arithmetic >= self.memory else "memory"


def roofline(program) -> Roofline:
    """Of a Program: its canonical Spec on its target and threads."""
    spec, target, family = program.canonical, program.target, program.root.state.family
    kernel, arithmetic = min(((k.name, _arithmetic(k, spec, target)) for k in target.kernels if serves(k, family)), key=lambda found: found[1])
    level = target.levels[family.output.level].name
    moved = sum(ceil(t.bytes / LINE) for t in spec.tensors) * target.coefficient.get(f"line.{level}", 0.0)
    vectors = [ceil(t.bytes / target.vector_bytes) for t in spec.tensors]
    memory = max(moved, sum(vectors[:-1]) / target.ports.load, vectors[-1] / target.ports.store)
    return Roofline(arithmetic / program.threads, memory / program.threads, kernel, level, program.spec.flops, program.spec.bytes)


def _arithmetic(kernel, spec, target) -> float:
    """Cycles when every step of the nest runs on full vectors and nothing waits."""
    steps = prod(spec.sizes) / (target.lanes(spec.accumulator) * kernel.group)
    if spec.operation.combine and kernel.body is not None:
        return steps * kernel.uops / target.ports.arithmetic
    uops = sum(FUNCTION_UOPS[name] for name in calls(spec.operation.body)) + (spec.operation.combine is not None)
    return steps * uops * max(1, dtype(spec.accumulator).bytes // 8) / target.ports.arithmetic
