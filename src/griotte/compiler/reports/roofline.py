"""The least that the cost model lets a Spec take on a target: by arithmetic, and by the bytes that must move.

Williams, Waterman, Patterson, "Roofline" (CACM 2009), in cycles of the model: a program costs this much or more.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from ...engine.rewrites.least import nests_of, quickest
from ...lang.nests.family import LINE


@dataclass(frozen=True)
class Roofline:
    """Cycles on each side, over all threads; `kernel` is the one with the most work a cycle, `level` where data
    rests."""

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
    """Of a Program: its canonical Spec on its target and threads. Of a graph: the arithmetic of all its nests, the
    bytes of its inputs and output."""
    spec, target, family = program.canonical, program.target, program.root.state.family
    found = [quickest(nest, size, target) for nest, size in nests_of(spec, family)]
    kernel, arithmetic = " ".join(dict.fromkeys(kernel for kernel, _ in found)), sum(cycles for _, cycles in found)
    level = target.levels[family.output.level].name
    way = "stream" if target.crossing.outlasting else "line"  # in full, or what shows beside arithmetic by hand
    moved = sum(ceil(n / LINE) for n in spec.moved) * target.coefficient.get(f"{way}.{level}", 0.0)
    vectors = [ceil(n / target.vector_bytes) for n in spec.moved]
    memory = max(moved, sum(vectors[:-1]) / target.ports.load, vectors[-1] / target.ports.store)
    return Roofline(
        arithmetic / program.threads, memory / program.threads, kernel, level, program.spec.flops, program.spec.bytes
    )
