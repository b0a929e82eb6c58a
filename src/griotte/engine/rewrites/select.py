"""Select: a kernel meets the Spec outright; a leaf of the search.

before  matmul(a@L1, b@L1, c@registers) 6 64 128
after   multiply_add 6x64x128
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from ...lang.nests.family import Family, State
from ...lang.nests.pending import OneLeaf
from ..leaves import price
from ..leaves.forms import conditions, lanes, refuses, serves, serving
from ..program.nodes import KernelCall, Node
from .by_hand import OpenHole
from .edge import Edge, Rewrite, RewriteRule, Word, require


@dataclass(frozen=True)
class Select(Rewrite):
    """Run `kernel` with its lanes along `lane`."""

    kernel: str
    lane: str

    def edge(self, family: Family, target) -> Edge:
        kernel = next((k for k in target.kernels if k.name == self.kernel), None)
        require(
            family.operation.is_lone or OneLeaf.of(family.operation),
            lambda: f"expected one nest, found {family.operation}; bufferize what is between its nests",
        )
        require(
            kernel is not None,
            lambda: (
                f"expected a kernel of {target.name} ({' '.join(k.name for k in target.kernels)}), found"
                f" {self.kernel!r}"
            ),
        )
        require(
            serves(kernel, family),
            lambda: (
                f"{kernel.name} does not compute {family.operation.name} over"
                f" {' '.join(o.dtype for o in family.operands)}"
            ),
        )
        why = refuses(kernel, self.lane, family, target)
        require(not why, why)
        seen = price.seen(kernel, family)
        key = ("leaf", kernel.name, self.lane, seen)
        return Edge(
            self,
            partial(price.features, kernel, self.lane, seen, target),
            key,
            fits=partial(price.fits, kernel, self.lane, seen, target),
        )

    def infeasibility(self, family: Family, target, size) -> str:
        """What one Spec of the family lacks for the kernel to fit; empty when it fits."""
        kernel = next(k for k in target.kernels if k.name == self.kernel)
        return next(
            (f"expected {why}" for holds, why in conditions(kernel, self.lane, family, target, size) if not holds), ""
        )

    def node(self, state: State, parts: tuple[Node, ...], cost: float | None) -> Node:
        return KernelCall(state, self.kernel, self.lane, cost, rewrite=self)

    def verb(self) -> str:
        return f"select {self.kernel}"

    def words(self, target) -> str:
        return f"select of {self.kernel}"

    def legend(self, family: Family, levels: tuple[str, ...]) -> Word:
        return Word(
            "leaf", (), f"leaf {self.kernel}" + (f", lanes along {self.lane}" if self.lane else ""), self.kernel
        )


def select_edges(family: Family, target) -> list[Edge]:
    found: list[Edge] = []
    for kernel in serving(target, family):
        found += [
            Select(kernel.name, lane).edge(family, target)
            for lane in lanes(kernel, family)
            if not refuses(kernel, lane, family, target)
        ]
    return found


def select(hole: OpenHole, kernel: str, lanes: str | None = None) -> Rewrite:
    """Run a kernel of the target.

    Args:
        kernel: its name.
        lanes: the dimension along its vectors; None: the first that fits.

    Examples:
        >>> s = gt.schedule("exp(f32[64])", "portable").select("map")
        >>> s.holes
        ()
    """
    leaves = {e.rewrite: e for e in hole.edges if isinstance(e.rewrite, Select) and e.rewrite.kernel == kernel}
    if not leaves:
        return Select(kernel, lanes or hole.family.operation.dims[0])  # whose edge says why
    wanted = [leaf for leaf in leaves if lanes in (None, leaf.lane)]
    if not wanted:
        there = " or ".join(leaf.lane for leaf in leaves)
        hole.refuse(f"select of {kernel}", f"expected lanes along {there}, found {lanes!r}")
    return next((leaf for leaf in wanted if leaves[leaf].fit(hole.size)), wanted[0])


SELECT = RewriteRule(select_edges, steps=(select,), several=False)
