"""A model, solved: simplified, cut into parts, each searched as one."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from math import inf
from typing import Any

from ..errors import GriotteError
from ..ir.operations import copy
from ..ir.spec import Spec
from ..ir.tensor import tensor
from ..partition.views import is_view
from ..partitioned import PartitionedProgram
from ..programs import Program
from ..report.roofline import roofline
from ..synthesis import synthesize
from ..targets.target import Target
from .arrays import ArrayCall
from .atoms import atoms_of
from .concatenated import ConcatProgram, concatenated, is_copied, rows_of
from .graph import ModelGraph, ModelValue
from .layouts import AxisOrder
from .loops import ModelLoop
from .partition import ChosenCut, ModelPieces, Piece, Stored, choose
from .parts import ModelPart, made_part, part_of
from .pool import Pool
from .program import ArrayProgram, LoopProgram, ModelProgram, SolvedPart
from .simplify import simplify
from .sizes import for_any_size
from .watching import Observer, Watch
from .winograd import (
    FilteringPlan,
    WinogradProgram,
    direct,
    estimate,
    filtered,
    filtered_share,
    filters,
    plans,
    program_of,
)
from .worker import Job, Settings

GAPS = {1: inf, 2: 0.03, 3: 0.0}
"""By effort: how much cheaper another cut may be, of all. At 1 each atom is a part."""
LEAST = {1: inf, 2: 0.005, 3: 0.0}
"""By effort: what a part must be able to save, of all, so that it is solved beside others of the same atoms."""
WORTH = {1: inf, 2: 500.0, 3: 0.0}
"""By effort: the same in cycles: 500 are a call of a kernel from Python."""
CAUTION = 1.5
"""What a part in other layouts than its own, or a copy, counts by what it costs by the model: prices of one arithmetic
in two layouts are that far apart from its times (docs/lab/layouts)."""
FARTHER = 1.2
"""A convolution whose arithmetic alone takes so many times what Winograd's filtering is estimated at is not searched as
it is written, and one that takes less than the estimate by so much is not filtered."""
SEARCH = {1: 2, 2: 2, 3: 3}
"""By effort: that of the search of an atom; one of several atoms has one less, for there is another way."""


def solve(
    graph: ModelGraph,
    target: Target,
    threads: int,
    table: Any,
    effort: int,
    workers: int | None = None,
    progress: Observer | None = None,
    pool: Pool | None = None,
) -> ModelProgram:
    """The program of a model, whose parts a pool solves; `progress` is told how far it is."""
    graph.require_covered()
    simple = closed(for_any_size(graph, simplify))
    plain = lambda of: [replace(value.type, name="", constant=False) for _, value in of.results]
    assert plain(simple) == plain(graph), "what is simplified gives arrays of other types"
    with pool or Pool(Settings(target, threads, table), workers) as pool:
        return Solving(simple, target, threads, effort, pool, Watch(progress)).program(graph)


def closed(graph: ModelGraph) -> ModelGraph:
    """The graph whose outputs are each computed: what is given, or known, is copied."""
    from .graph import GraphBuilder

    builder = GraphBuilder()
    builder.inputs = list(graph.inputs)
    results, taken = {}, set[int]()
    for name, value in graph.results:
        while not value.call or id(value) in taken:  # equal copies are one: of what is given thrice one is of another
            value = builder.call("copy", value, name=name)
        taken.add(id(value))
        results[name] = value
    return builder.graph(results, graph.refused)


class Solving:
    """One model that is being solved."""

    def __init__(
        self, graph: ModelGraph, target: Target, threads: int, effort: int, pool: Pool, watch: Watch | None = None
    ):
        self.watch = watch or Watch()
        self.graph, self.target, self.threads, self.effort, self.pool = graph, target, threads, effort, pool
        self.atoms = atoms_of(graph)
        self.answers: dict[Spec, Program | GriotteError] = {}
        self.arrays: dict[ArrayCall, ArrayProgram] = {}
        self.turns = 1  # how often it runs in a call of the model
        self.loops: dict[int, tuple[LoopProgram, Solving, ChosenCut]] = {}  # by atom
        self._parts: dict[tuple[int, Stored], ModelPart] = {}
        self._plans: dict[Spec, FilteringPlan | None] = {}
        self._is_farther: dict[Spec, bool] = {}
        self._by_filtering: dict[Spec, Program] = {}
        self._order = {id(value): n for n, value in enumerate(graph.calls)}
        copying = self._copying if effort > 1 else None
        self.pieces = ModelPieces(graph, self.atoms, self._saving, target.cost({"call": 1}), copying, CAUTION)

    def program(self, stated: ModelGraph) -> ModelProgram:
        """The model's program."""
        started = time.perf_counter()
        found = self.cut()
        parts = self._parts_of(found)
        stats = self._stats(parts, found) | {"synthesis_s": time.perf_counter() - started}
        return ModelProgram(stated, self.graph, parts, self.target, self.threads, stats)

    def cut(self) -> ChosenCut:
        """The cheapest cut, its parts solved."""
        pieces = self.pieces
        for piece in pieces.singles:
            value = self.atoms[piece.atoms[0]][0]
            if value.is_made and isinstance(value.maker, ModelLoop):
                self._solve_loop(piece)
            elif value.is_made:
                piece.cost = piece.floor = self._array(value.maker).cost
        self.price(pieces.singles)
        for piece in pieces.singles:
            if piece.cost == inf:
                raise self.answers[self.part(piece).spec]  # type: ignore[misc]
        worth = WORTH[self.effort] / self.turns
        searched = lambda piece: self.part(piece).spec
        found = choose(
            pieces, self.price, GAPS[self.effort], 2 * self.pool.workers, LEAST[self.effort], worth, searched
        )
        for loop, _, within in self.loops.values():  # every cut has each loop
            found.bound -= loop.of(within.cut.cost) - loop.of(within.bound)
            found.solved, found.possible = found.solved + within.solved, found.possible + within.possible
            found.in_order |= within.in_order
        return found

    def _solve_loop(self, piece: Piece) -> None:
        """Cut the body of a loop, once for all its turns, and give it its cost."""
        (atom,) = piece.atoms
        loop = self.atoms[atom][0].maker
        loop = replace(loop, body=closed(loop.body))
        inner = Solving(loop.body, self.target, self.threads, self.effort, self.pool, self.watch)
        inner.answers, inner.arrays, inner.turns = self.answers, self.arrays, self.turns * loop.trips
        found = inner.cut()
        program = LoopProgram(loop, inner._parts_of(found), self.target)
        self.loops[atom] = program, inner, found
        piece.cost = piece.floor = program.of(found.cut.cost)

    def _array(self, call: ArrayCall) -> ArrayProgram:
        """The program of a call that is written as it is; of calls alike one."""
        return self.arrays.setdefault(call, ArrayProgram(call, self.target))

    def _parts_of(self, found: ChosenCut) -> tuple[SolvedPart, ...]:
        return tuple(self._solved(piece, self.pieces) for piece in found.cut.pieces)

    def part(self, piece: Piece) -> ModelPart:
        """The calls of a piece, as a part; or a copy of a value."""
        if piece.copies is not None:
            n, now, way = piece.copies
            value = self.pieces.flexible[n]
            lies = replace(value.type, name="", minor_to_major=self.pieces.layout(n, now))
            return ModelPart((), (value,), (value,), copy(lies, layout=self.pieces.layout(n, way)))
        key = piece.bits, piece.stored
        if key not in self._parts:
            calls = (value for i in piece.atoms for value in self.atoms[i])
            in_order = sorted(calls, key=lambda v: self._order[id(v)])
            self._parts[key] = part_of(self.graph, in_order, self.pieces.stored(piece))
        return self._parts[key]

    def price(self, pieces: Iterable[Piece]) -> None:
        """Solve pieces, and give each its cost: inf where it has no program."""
        asked = [piece for piece in pieces if piece.cost is None]
        jobs: dict[Spec, Job] = {}
        for piece in asked:
            spec, effort = self.part(piece).spec, SEARCH[self.effort]
            if piece.stored and is_view(spec):
                piece.cost, piece.moves = 0.0, False
                continue
            if len(piece.atoms) == 1 and is_copied(self.part(piece).calls[0]) and not self._copies_rows(piece):
                continue
            plan = self._filtered(piece)
            if plan is not None and plan.products not in self.answers:
                jobs[plan.products] = Job(plan.products, effort)
            if spec not in self.answers and not self._is_farther.get(spec):
                if spec not in jobs:
                    self.watch.asked(self.part(piece))
                # several atoms are cheaper apart, but for what is found as one
                jobs[spec] = Job(spec, effort) if len(piece.atoms) == 1 else Job(spec, effort - 1, as_one=True)
        for job, answer in self.pool.solve(jobs.values(), self.watch.began):
            self.answers[job.spec] = answer
            self.watch.done(job.spec)
        for piece in asked:
            if (
                piece.cost is None
                and self._program(piece) is None
                and self._is_farther.pop(self.part(piece).spec, False)
            ):
                self.price([piece])  # as it is written, for what was to be better has no program
            if piece.cost is None:
                found = self._program(piece)
                piece.cost = inf if found is None else found.cost * self._caution(piece, found)
                if found is not None:
                    piece.floor = floor_of(found) * (filtered_share(self.part(piece).calls) if filters() else 1.0)

    def _copies_rows(self, piece: Piece) -> bool:
        """Whether a concat is copied by rows as its arrays lie; where they lie in several layouts it has no program,
        and copies into one come before it."""
        part = self.part(piece)
        rows = rows_of(part)
        if rows is None:
            piece.cost = inf
        elif part.spec not in self.answers:
            self.answers[part.spec] = concatenated(part.spec, rows, self.target, self.threads)
        return rows is not None

    def _filtered(self, piece: Piece) -> FilteringPlan | None:
        """The best way to compute a piece by Winograd's filtering, where it may be cheaper than as it is written."""
        part = self.part(piece)
        if part.spec not in self._plans:
            conv = filtered(part)
            estimates: dict[FilteringPlan, float] = {}
            for plan in plans(conv, self.target) if conv is not None and filters() else ():
                copied = sum(self._copied(spec).cost for spec in plan.copies.values())
                estimates[plan] = copied + estimate(plan, self.target, self.threads)
            best, least = min(estimates.items(), key=lambda item: item[1], default=(None, inf))
            floor = 0.0 if conv is None else direct(conv, self.target, self.threads)
            self._plans[part.spec] = best if least < FARTHER * floor else None
            self._is_farther[part.spec] = floor > FARTHER * least
        return self._plans[part.spec]

    def _program(self, piece: Piece) -> Program | None:
        """The cheaper of a piece's programs; None where there is none."""
        spec = self.part(piece).spec
        found = [answer for answer in (self.answers.get(spec),) if isinstance(answer, Program)]
        plan = self._plans.get(spec)
        products = None if plan is None else self.answers.get(plan.products)
        if plan is not None and isinstance(products, Program):
            if spec not in self._by_filtering:
                copies = {place: self._copied(each) for place, each in plan.copies.items()}
                self._by_filtering[spec] = program_of(spec, plan, products, copies)
            found.append(self._by_filtering[spec])
        return min(found, key=lambda program: program.cost * self._caution(piece, program), default=None)

    @staticmethod
    def _caution(piece: Piece, program: Program) -> float:
        return CAUTION if piece.stored and not isinstance(program, WinogradProgram | ConcatProgram) else 1.0

    def _saving(self, value: ModelValue) -> float:
        """Cycles that a value takes to be written and read as a whole array."""
        return self._cost(copy(tensor((value.type.elements,), value.type.dtype)))

    def _copying(self, value: ModelValue, now: AxisOrder, then: AxisOrder) -> float:
        """Cycles of copying a value into another layout."""
        return CAUTION * self._cost(copy(replace(value.type, name="", minor_to_major=now), layout=then))

    def _cost(self, spec: Spec) -> float:
        return self._copied(spec).cost

    def _copied(self, spec: Spec) -> Program:
        """The program of a copy, which is found at once."""
        if spec not in self.answers:
            self.answers[spec] = synthesize(spec, self.target, self.threads, self.pool.settings.table)
        answer = self.answers[spec]
        assert isinstance(answer, Program)
        return answer

    def _solved(self, piece: Piece, pieces: ModelPieces) -> SolvedPart:
        if piece.copies is None and piece.atoms[0] in self.loops:
            program, *_ = self.loops[piece.atoms[0]]
            return SolvedPart(made_part(self.atoms[piece.atoms[0]], program.loop), program, program.apart + pieces.call)
        if piece.copies is None and (calls := self.atoms[piece.atoms[0]])[0].is_made:
            made = self._array(calls[0].maker)
            return SolvedPart(made_part(calls, made.call), made, made.cost + pieces.call)
        part = self.part(piece)
        answer = self._program(piece) if piece.moves else None
        apart = sum(pieces.singles[i].least + pieces.call for i in piece.atoms)
        return SolvedPart(part, answer, apart)

    @property
    def alone(self) -> int:
        """Atoms, those of loops' bodies too."""
        return len(self.atoms) - len(self.loops) + sum(inner.alone for _, inner, _ in self.loops.values())

    def _stats(self, parts: tuple[SolvedPart, ...], found: ChosenCut) -> dict[str, Any]:
        programs = [a for a in self.answers.values() if isinstance(a, Program)]
        return {
            "parts": sum(each.program is not None for part in parts for each, _ in part.each()),
            "parts_solved": sum(p.stats.get("specs_solved", 0) > 0 for p in programs),
            "parts_from_table": sum(p.stats.get("specs_solved", 0) == 0 for p in programs),
            "parts_possible": found.possible + self.alone,
            "parts_tried": found.solved + self.alone,
            "cost_bound": found.bound,
            "gap": found.gap,
            "cut_in_order": found.in_order,
            "specs_solved": sum(p.stats.get("specs_solved", 0) for p in programs),
            "peak_rss_mb": max((p.stats.get("peak_rss_mb", 0.0) for p in programs), default=0.0),
        }


def floor_of(program: Program) -> float:
    """Cycles that a program's arithmetic takes at best, whatever the layouts of its operands."""
    if isinstance(program, WinogradProgram):
        return direct(program.plan.conv, program.target, program.threads)
    if isinstance(program, ConcatProgram):
        return 0.0
    if isinstance(program, PartitionedProgram):
        return sum(roofline(part.program.largest).arithmetic for part in program.called if part.program is not None)
    return roofline(program.largest).arithmetic
