"""Select: a kernel meets the Spec outright; a leaf of the search.

before  matmul(a@L1, b@L1, c@registers) 6 64 128
after   multiply_add 6x64x128
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ..cost import leaf
from ..program.nodes import KernelCall, Node
from ..spec.expr import Expr
from ..spec.family import Family, State
from .edge import Edge, require
from .rewrite import Rewrite, Word


@dataclass(frozen=True)
class Select(Rewrite):
    """Run `kernel` with its lanes along `lane`."""

    kernel: str
    lane: str
    step = "select"

    def edge(self, family: Family, target) -> Edge:
        kernel = next((k for k in target.kernels if k.name == self.kernel), None)
        require(not family.operation.is_graph, f"expected one nest, found {family.operation}; bufferize what is between its nests")
        require(kernel is not None, f"expected a kernel of {target.name} ({' '.join(k.name for k in target.kernels)}), found {self.kernel!r}")
        require(serves(kernel, family), f"{kernel.name} does not compute {family.operation.name} over {' '.join(o.dtype for o in family.operands)}")
        why = leaf.refuses(kernel, self.lane, family, target)
        require(not why, why)
        seen = leaf.seen(kernel, family)
        key = ("leaf", kernel.name, self.lane, seen)
        return Edge(self, lambda size: leaf.features(kernel, self.lane, seen, target, size), key, fits=lambda size: leaf.fits(kernel, self.lane, seen, target, size))

    def misfit(self, family: Family, target, size) -> str:
        """What one Spec of the family lacks for the kernel to fit; empty when it fits."""
        kernel = next(k for k in target.kernels if k.name == self.kernel)
        return next((f"expected {why}" for holds, why in leaf.conditions(kernel, self.lane, family, target, size) if not holds), "")

    def node(self, state: State, parts: tuple[Node, ...], cost: float | None) -> Node:
        return KernelCall(state, self.kernel, self.lane, cost, rewrite=self)

    def verb(self) -> str:
        return f"select {self.kernel}"

    def words(self, target) -> str:
        return f"select of {self.kernel}"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        return Word("leaf", (), f"leaf {self.kernel}" + (f", lanes along {self.lane}" if self.lane else ""), self.kernel)


@lru_cache(1 << 10)
def _written(body: Expr) -> str:
    return str(body)


def computes(kernel, family: Family) -> bool:
    """Whether the kernel's declaration matches the operation of the family, whatever its inputs' dtypes."""
    op = family.operation
    if op.combine not in kernel.combine or kernel.compute is not None and family.accumulator not in kernel.compute:
        return False
    return kernel.body is None or kernel.body == _written(op.body)


def serves(kernel, family: Family) -> bool:
    """Whether the kernel's declaration matches the operation and dtypes of the family."""
    return (kernel.inputs is None or kernel.inputs == tuple([o.dtype for o in family.operands[: family.operation.streamed]])) and computes(kernel, family)


def select_edges(family: Family, target) -> list[Edge]:
    found: list[Edge] = []
    if family.operation.is_graph:
        return found
    for kernel in target.kernels:
        if serves(kernel, family):
            found += [Select(kernel.name, lane).edge(family, target) for lane in leaf.lanes(kernel, family) if not leaf.refuses(kernel, lane, family, target)]
    return found
