"""The search: every reachable family solved as a block, children first, exactly.

    nodes = reach(target, goals)
    for each family, its children first: relax every edge over its block, close it under loops, cover the decisions by
      boxes

Costs are float32 cycles. Families whose children are solved are independent, and threads take turns at them: the Numba
loops release the interpreter lock. What the table knows already is not solved again: its costs are replayed from the
decisions. One that does not come to a cost cannot be: then nothing that is stored is believed, and all is solved.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from ...lang.nests.family import Family, State
from ...support.cpus import usable
from ...support.memory import Memory
from ..rewrites import PARTS, can_accumulate, child_state, join_state, share_edges
from ..rewrites.edge import Edge
from ..table import Damaged, Table
from . import limits
from .family import FamilySolver, SolvedBlock
from .graph import FamilyGraph, FamilyNode, reach, subgoals, uncollected
from .limits import met
from .progress import told
from .reached import Reaching
from .turns import Turns, on_threads, ordered
from .work import Statistics, peak_rss_mb

HERE = 0  # workers: the thread that asks solves all, which little is done sooner by than threads have started
COST, DECISION = 4, 1  # bytes a Spec: of a cost, and four times what decisions take once neighbours alike are one


class Solver(FamilySolver):
    """Solves goals in one pass, each family once and on whichever thread is free. A family is solved at the limits that
    the goals lead to. With `whole` it is solved at all limits, where a file that a user names keeps it, for later
    Specs. `met` are families that were met before."""

    def __init__(
        self,
        table: Table,
        workers: int | None = None,
        memory: Memory | None = None,
        whole: bool = False,
        met: FamilyGraph | None = None,
    ):
        super().__init__(table, memory)
        self.families = met or FamilyGraph()
        self.workers = usable() if workers is None else workers
        self.statistics = Statistics()
        self.whole = whole
        self._noting, self._told = threading.Lock(), told()

    def solve(self, *goals: Family, beside: tuple[Family, ...] = ()) -> Statistics:
        """Make the table hold the goals and all that they lead to; and those `beside`, on the same ladders, unless the
        costs of all are more than the bound on memory."""
        self.memory.begin()
        with uncollected():
            self._solve_believing(goals, beside)
        self.statistics.peak_rss_mb = peak_rss_mb()
        return self.statistics

    def _solve_believing(self, goals: tuple[Family, ...], beside: tuple[Family, ...]) -> None:
        """What the table says is believed until it cannot be."""
        try:
            self._solve(goals, beside)
        except Damaged as why:
            if not self.table.believed:
                raise
            self.table.doubt(why)
            self._begin_again()
            self._solve(goals, beside)

    def _begin_again(self) -> None:
        while self.blocks:
            self.memory.free(self.blocks.popitem()[1].cost)
        self._met = {}
        self.statistics = Statistics()

    def _solve(self, goals: tuple[Family, ...], beside: tuple[Family, ...] = ()) -> None:
        asked = goals + beside
        states = [state for goal in asked for state in self._kept(self._largest(goal))]
        kept = {state.family for state in states}
        joins = self._joins(states)
        nodes, all_free = reach(self.target, *asked, *joins, met=self.families), {*kept, *asked, *joins}
        in_turn = self._in_turn(nodes, all_free)
        if beside and self.memory.bounded:
            return self._solve(goals)
        if self._told is not None:
            self._told.begins((node, self._costs_of(node)) for node in nodes)
        turns, needed = Turns(in_turn), _parent_counts(nodes, asked)
        self.table.ask(node.family for node in nodes)
        work = lambda: self._work(turns, needed, kept)
        work() if self.workers == HERE else on_threads(work, self.workers, turns.stop)
        if not self.memory.bounded:  # finding the reached points takes memory
            reaching = Reaching(self.table, self._rows, self.arrays)
            self.table.settle(lambda: reaching.reached(nodes, all_free))

    def _in_turn(self, nodes: list[FamilyNode], all_free: set[Family]) -> list[FamilyNode]:
        """The nodes as they are solved one after the other, once it is said at which limits, and whether their costs
        are within the bound on memory."""
        if not self.whole and (self.table.store is None or self.table.writes_late):
            self._met = met(
                nodes, all_free, lambda family: limits.axes(self.target, self.home, family), self.arrays.taken
            )
        in_turn, most = ordered(nodes, costs := [self._costs_of(node) for node in nodes])
        if self.memory.bounded:
            self.memory.relax(COST * most + DECISION * sum(costs))
        return in_turn

    def _costs_of(self, node: FamilyNode) -> int:
        """How many costs a family has."""
        block = self._rows(node)
        return len(block.rows) * block.limits

    def _work(self, turns: Turns, needed: dict[Family, int], kept: set[Family]) -> None:
        """What each thread does: solve families until none is left."""
        try:
            while (turn := turns.take()) is not None:
                if self._solve_claimed(*turn, turns.is_stopped):
                    self._note(turn[0], needed, kept)
                    turns.solved(turn[0])
                else:
                    turns.put_off(turn[0])
        finally:
            turns.stop()  # there is none left, or something is wrong

    def _note(self, node: FamilyNode, needed: dict[Family, int], kept: set[Family]) -> None:
        """Count a family that is solved, keep its costs if they are read after the solve, and free those that it was
        the last to need."""
        block = self.blocks[node.family]
        with self._noting:
            self.statistics.families += 1
            self.statistics.edges += len(node.edges)
            self.statistics.specs_known += block.specs_known
            self.statistics.specs_solved += block.cost.size - block.specs_known
            if self._told is not None:
                self._told.solved(node, block.cost.size)
            if node.family in kept:
                self.table.costs[node.family] = self._free_memory(block)
            self._release(node, needed)

    @staticmethod
    def _free_memory(block: SolvedBlock) -> SolvedBlock:
        """A block's costs with all memory free."""
        return replace(block, cost=block.cost[:, -1:].copy())

    def _solve_claimed(self, node: FamilyNode, wait: bool, stopped: Callable[[], bool]) -> bool:
        """Solve a family; False, and nothing done, where another process is at it and `wait` is not set, or the search
        is `stopped`."""
        with self.table.claim(node.family, wait, stopped) as granted:
            if granted:
                self.blocks[node.family] = self._solve_family(node)
        return granted

    def _largest(self, family: Family) -> State:
        """A family at the extents of its dimensions."""
        return State(family, tuple(int(self.ladders[d].sizes[-1]) for d in family.operation.dims))

    def _kept(self, goal: State) -> list[State]:
        """Specs of families whose costs are still read after the solve: the goal, its parts, and what threads share a
        copy for."""
        stack = subgoals(self.target, goal, self.families)
        found = dict.fromkeys(stack)
        while stack:
            state = stack.pop()
            fresh = [
                part
                for edge in self._shares(state.family)
                for child in edge.children
                if (part := child_state(child, state)) not in found
            ]
            found.update(dict.fromkeys(fresh))
            stack += fresh
        return list(found)

    def _joins(self, kept: Iterable[State]) -> set[Family]:
        """What joins the parts of reductions that threads may share."""
        if PARTS not in self.ladders:
            return set()
        whole = [
            state
            for state in kept
            if state.family.operation.joins
            and PARTS not in state.family.operation.dims
            and can_accumulate(state.family)
        ]
        return {join_state(state, 2, self.target.spans).family for state in whole}

    def _shares(self, family: Family) -> list[Edge]:
        """The copies that threads may share before they share out a family."""
        if PARTS not in self.ladders or PARTS in family.operation.dims:
            return []
        return share_edges(family, self.target, int(self.ladders[PARTS].sizes[-1]))

    def _release(self, node: FamilyNode, parents: dict[Family, int]) -> None:
        for child in node.children:
            parents[child] -= 1
            if parents[child] == 0:
                self.memory.free(self.blocks.pop(child).cost)


def _parent_counts(nodes: list[FamilyNode], goals: Iterable[Family]) -> dict[Family, int]:
    """How many need each family's costs."""
    return dict(Counter([child for node in nodes for child in node.children] + list(goals)))
