"""Are stored decisions right: their costs, replayed, against those of a search from nothing, bit for bit."""

from __future__ import annotations

from dataclasses import dataclass

from ...lang.calls.spec import Spec
from ...lang.nests.family import Family
from ..table import Damaged, Patch, Table, digest
from .division import solving
from .family import SolvedBlock
from .graph import FamilyNode
from .grid import FamilyRows
from .problem import Problem
from .solve import Solver


class HeldTable(Table):
    """A table of given patches, by the keys of their families (newest first); it keeps nothing."""

    def __init__(self, target, home: int, ladders: dict, held: dict[str, list[Patch]]):
        super().__init__(target, home, ladders)
        self.held = held

    def patches(self, family, fresh: bool = False) -> list[Patch]:
        return self.held.get(self.key(family), [])


class Replay(Solver):
    """A Solver that keeps no decision, but for every family a digest of its costs, and how many Specs of it were known.
    Decisions that cannot be are left as they are: without a cost, or, where they are none of their family's, in
    `damaged`."""

    def __init__(self, table: Table):
        super().__init__(table, whole=True)
        self.costs: dict[Family, str] = {}
        self.known: dict[Family, int] = {}
        self.nodes: dict[Family, FamilyNode] = {}
        self.damaged: set[Family] = set()

    def _found(self, rows: FamilyRows):
        try:
            return super()._found(rows)
        except Damaged:
            self.damaged.add(rows.node.family)
            return None

    def _check(self, block: SolvedBlock) -> None:
        pass

    def _keep(self, block: SolvedBlock) -> None:
        family = block.node.family
        self.nodes[family] = block.node
        self.costs[family] = digest(block.cost.tobytes())
        self.known[family] = block.specs_known


@dataclass(frozen=True)
class Replayed:
    """Families whose stored decisions were replayed, and how many Specs that is; `wrong` are those of other costs than
    a search finds, without those that only lead to a wrong one."""

    families: frozenset[str]
    specs: int
    wrong: tuple[tuple[str, Family], ...]


def replay(spec: Spec, target, threads: int, held: dict[str, list[Patch]]) -> Replayed:
    """Solve a canonical Spec twice, from nothing and from `held`, and compare all families that both meet."""
    found = [_replayed(part.start, target, held) for part in solving(spec, target, threads).parts]
    families = frozenset(family for one in found for family in one.families)
    return Replayed(families, sum(one.specs for one in found), tuple(wrong for one in found for wrong in one.wrong))


def _replayed(start: Problem, target, held: dict[str, list[Patch]]) -> Replayed:
    fresh, stored = (
        Replay(Table(target, start.home, start.ladders)),
        Replay(HeldTable(target, start.home, start.ladders, held)),
    )
    fresh.solve(start.goal)
    fresh.blocks.clear()
    stored.solve(start.goal)
    differ = {family for family in fresh.costs if fresh.costs[family] != stored.costs[family]}
    wrong = [
        family for family in differ if differ.isdisjoint(fresh.nodes[family].children) and family not in stored.damaged
    ]
    wrong += [family for family in fresh.costs if family in stored.damaged]
    key = stored.table.key
    families = frozenset(key(family) for family, known in stored.known.items() if known)
    return Replayed(families, sum(stored.known.values()), tuple((key(family), family) for family in wrong))
