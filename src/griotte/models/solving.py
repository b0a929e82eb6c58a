"""A model, solved: simplified, cut into parts, each searched as one."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from math import inf

from ..compiler.partition import TooMuchError, searched_as
from ..compiler.partition.calls import is_view
from ..compiler.programs import Program
from ..compiler.programs.partitioned import PartitionedProgram
from ..compiler.reports.explain import roofline
from ..compiler.session import NOTHING
from ..engine.cutting import (
    ChosenCut,
    CutPieces,
    CutPrices,
    Piece,
    Stored,
    Tolerance,
    atoms_of,
    choose,
    cut_atoms,
    each_alone,
)
from ..lang.calls.spec import Spec
from .atoms import cut_calls
from .custom.kernel import CustomProgram, Implementation, SolvedGraph, SolvedOp
from .custom.kernels import followed, implementations, is_alone, kernel_of, share
from .forecast import SearchKind
from .forked import forked
from .graph import GraphBuilder, ModelGraph, ModelValue
from .layouts import Answers, Copying, layouts_of, layouts_within
from .parts import ModelPart, SolvedPart, copy_of, part_of
from .pool import Pool
from .program import ModelProgram
from .simplify import simplify
from .sizes import for_any_size
from .stats import stats_of
from .traffic import traffic_of
from .value import OpaqueOp
from .watching import Observer, Watch
from .worker import Job

TOLERANCES = {
    1: Tolerance(inf, inf, inf),
    2: Tolerance(0.02, 0.005, 500.0),
    3: Tolerance(),
}
"""By effort. At 1, as at 0, each atom is a part; 500 cycles are a call of a kernel from Python."""
SEARCH = {0: 0, 1: 2, 2: 2, 3: 3}
"""By effort: that of the search of an atom; one of several atoms has one less, for there is another way."""

BESIDE = 8
"""Layouts of a piece that are solved with one that is asked for, at most: as many as two values in three have."""


def solve(graph: ModelGraph, pool: Pool, progress: Observer | None = None) -> ModelProgram:
    """The program of a model, whose parts a pool solves, which ends with it; `progress` gets each step."""
    graph.require_covered()
    graph.require_elements()
    simple = closed(for_any_size(graph, partial(simplify, math=pool.session.target.math)))
    plain = lambda of: [replace(value.type, name="", constant=False) for _, value in of.results]
    assert plain(simple) == plain(graph), "what is simplified gives arrays of other types"
    with pool:
        return Solving(simple, pool, Watch(progress, pool.workers)).program(graph)


def closed(graph: ModelGraph) -> ModelGraph:
    """The graph whose outputs are each computed: an input, or a constant, is copied."""
    builder = GraphBuilder()
    builder.inputs = list(graph.inputs)
    results, taken = {}, set[ModelValue]()
    for name, value in graph.results:
        while not value.call or value in taken:  # equal copies are one: of what is given thrice one is of another
            value = builder.call("copy", value, name=name)
        taken.add(value)
        results[name] = value
    return builder.graph(results, graph.refused, graph.empty)


PartKey = tuple[Spec, tuple[Hashable, ...]]  # a Spec, and what implementations follow from beside it


@dataclass
class _Custom:
    """What custom kernels made for a model, and the graphs within it."""

    keys: dict[ModelPart, PartKey] = field(default_factory=dict)
    made: dict[OpaqueOp, SolvedOp] = field(default_factory=dict)
    implementations: dict[PartKey, list[Implementation]] = field(default_factory=dict)
    programs: dict[tuple[PartKey, int], CustomProgram] = field(default_factory=dict)
    failed: set[PartKey] = field(default_factory=set)  # that are searched, for what was to stand instead has no program

    def alike(self, part: ModelPart) -> PartKey:
        """Of all parts that custom kernels compute alike, one value."""
        if part not in self.keys:
            self.keys[part] = part.spec, followed(part)
        return self.keys[part]


class Solving:
    """One model that is being solved."""

    def __init__(
        self,
        graph: ModelGraph,
        pool: Pool,
        watch: Watch | None = None,
        answers: Answers | None = None,
        threads: int | None = None,
    ):
        session = replace(pool.session, threads=threads or pool.session.threads)
        self.graph, self.pool, self.watch = graph, pool, watch or Watch()
        self.target, self.threads, self.effort = session.target, session.threads, session.effort
        calls = cut_calls(graph)
        self.answers: Answers = {} if answers is None else answers
        self.alone: Answers = {}  # for one thread, of what runs beside others
        self.custom = _Custom()
        self.turns = 1  # how often it runs in a call of the model
        self._made: dict[int, SolvedOp] = {}  # by atom
        self._known = set[str]()  # searches that are done
        self._stood = set[Spec]()  # what stood beside one that was asked for
        self._parts: dict[tuple[int, Stored], ModelPart] = {}
        self._order = {value: n for n, value in enumerate(graph.calls)}
        self._copies = Copying(replace(session, memory=None, effort=2, tuning=NOTHING), self.answers)
        copying, target = self._copies.between if self.effort > 1 else None, self.target
        lanes = target.lanes("f32")
        layouts = lambda value: layouts_of(graph, value, lanes)
        within = lambda value, has_others: layouts_within(graph, value, lanes, has_others)
        call, caution = target.cost({"call": 1}), lambda layout: layout.counts(target)
        saving = self._copies.saving if self.effort > 0 else lambda value: 0.0  # nothing is cut otherwise
        prices = CutPrices(saving, call, copying, layouts, caution, within)
        self.pieces = CutPieces(cut_atoms(calls, atoms_of(calls)), prices)
        self.atoms = [atom.gives for atom in self.pieces.atoms]

    def program(self, stated: ModelGraph) -> ModelProgram:
        """The model's program."""
        started = time.perf_counter()
        found = self.cut()
        parts = forked(self._parts_of(found), self.graph, self, self._for_one())
        answers = (*self.answers.values(), *self.alone.values())
        stats = stats_of(parts, found, answers, len(self.atoms)) | {"synthesis_s": time.perf_counter() - started}
        return ModelProgram(stated, self.graph, parts, self.target, self.threads, stats)

    def cut(self) -> ChosenCut:
        """The cheapest cut, its parts solved."""
        pieces = self.pieces
        for piece in pieces.singles:
            value = self.atoms[piece.atoms[0]][0]
            if value.is_made:
                made = self._made[piece.atoms[0]] = self._of_opaque(value.opaque)
                piece.cost = piece.floor = made.cost
        if self.watch.is_told:
            self.watch.begins(self, len(self.atoms), self._possible())
        self.price(pieces.singles)
        for piece in pieces.singles:
            if piece.cost == inf:
                raise self.answers[self.part(piece).spec]  # type: ignore[misc]
        found = self._chosen() if self.effort > 0 else each_alone(pieces)
        self.watch.ends(self)
        for made in self._made.values():  # every cut has each
            found.bound -= made.cost - made.bound
            found.solved, found.possible = found.solved + made.tried, found.possible + made.possible
            found.in_order |= made.in_order
        return found

    def _chosen(self) -> ChosenCut:
        """The cheapest of all cuts that are looked at."""
        tolerance = TOLERANCES[self.effort]
        return choose(
            self.pieces,
            self.price,
            tolerance._replace(worth=tolerance.worth / self.turns),
            2 * self.pool.workers,
            searched=self._searched,
            note=self._note if self.watch.is_told else None,
        )

    def _searched(self, piece: Piece) -> str:
        """The name of the search that a piece takes: one for all that the table answers."""
        name = searched_as(self.part(piece).spec)
        return "" if name in self._known else name

    def _note(self, may_be_asked: list[Piece], short: float) -> None:
        """Tell who watches which pieces may still be asked for."""
        self.watch.may_ask(self, self._kinds(may_be_asked), short)

    def _possible(self) -> Iterator[SearchKind]:
        """What there is beside each atom as it is: pieces of several, and each atom in other layouts."""
        yield from self._kinds(piece for piece in self.pieces.plain if len(piece.atoms) > 1)
        single = {self._kind(piece): piece for piece in self.pieces.singles}
        yield from (kind for kind, piece in single.items() if kind and (piece.takes or piece.gives))

    def _kinds(self, pieces: Iterable[Piece]) -> list[SearchKind]:
        """Pieces by what they are made of; of those that are alike, in like layouts, one."""
        kinds = ((self._kind(piece), tuple(way for _, way in piece.stored)) for piece in pieces)
        return [kind for kind, _ in dict.fromkeys(kinds)]

    def _kind(self, piece: Piece) -> SearchKind:
        """A piece by what it is made of: its atoms, but for views and what custom kernels make."""
        atoms = (i for i in piece.atoms if i not in self._made and not self.pieces.atoms[i].is_view)
        alone = ((self.pieces.singles[i], self.pieces.atoms[i].contractions > 0) for i in atoms)
        return tuple(self.watch.atom(self.part(single).spec, heavy) for single, heavy in alone)

    def _of_opaque(self, opaque: OpaqueOp) -> SolvedOp:
        """What a custom kernel makes of an OpaqueOp."""
        kernel = kernel_of(opaque)
        if not kernel.are_one:
            return kernel.made(opaque, self)
        if opaque not in self.custom.made:
            self.custom.made[opaque] = kernel.made(opaque, self)
        return self.custom.made[opaque]

    def _for_one(self) -> Solving:
        """It, as what solves loops for one thread."""
        one = copy(self)
        one.answers, one.custom, one.threads = self.alone, _Custom(), 1
        return one

    def within(self, graph: ModelGraph, turns: int) -> SolvedGraph:
        """A graph that runs so many times in a call of this one, cut once for all of them."""
        graph = closed(graph)
        inner = Solving(graph, self.pool, self.watch, self.answers, self.threads)
        inner.custom, inner.turns = self.custom, self.turns * turns
        found = inner.cut()
        tried, possible = found.solved + len(inner.atoms), found.possible + len(inner.atoms)
        return SolvedGraph(graph, inner._parts_of(found), found.cut.cost, found.bound, tried, possible, found.in_order)

    def _parts_of(self, found: ChosenCut) -> tuple[SolvedPart, ...]:
        return tuple(self._solved(piece, self.pieces) for piece in found.cut.pieces)

    def part(self, piece: Piece) -> ModelPart:
        """The calls of a piece, as a part; or a copy of a value."""
        if piece.copies is not None:
            n, now, way = piece.copies
            value = self.pieces.flexible[n]
            return copy_of(value, self.pieces.layout(n, now), self.pieces.layout(n, way))
        key = piece.bits, piece.stored
        if key not in self._parts:
            calls = (value for i in piece.atoms for value in self.atoms[i])
            in_order = sorted(calls, key=lambda v: self._order[v])
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
            for each in (spec for way in self._implementations(self.part(piece)) for spec in way.asks):
                if each not in self.answers:
                    if each not in jobs:
                        self.watch.asked(self, each, self.part(piece), self._kind(piece))
                    jobs[each] = Job(each, effort, self.threads)
            if spec not in self.answers and self._is_searched(self.part(piece)):
                if spec not in jobs:
                    self.watch.asked(self, spec, self.part(piece), self._kind(piece))
                # several atoms are cheaper apart, unless one search finds them together
                several = len(piece.atoms) > 1
                beside = jobs[spec].beside if spec in jobs else ()  # pieces alike are asked for together
                beside = beside or self._beside(piece, asked)
                jobs[spec] = Job(spec, effort - several, self.threads, several, beside)
        for job, answer in self.pool.solve(jobs.values(), self.watch):
            self.answers[job.spec] = answer
            self._known.add(searched_as(job.spec))
            self.watch.done(job.spec)
        for piece in asked:
            part = self.part(piece)
            if piece.cost is None and self._program(piece) is None and self._is_custom(part):
                self.custom.failed.add(self.custom.alike(part))
                self.price([piece])  # as it is written, for what was to be better has no program
            if piece.cost is None:
                found = self._program(piece)
                piece.cost = inf if found is None else least_cost(found) * self._caution(piece, found)
                if isinstance(self.answers.get(part.spec), TooMuchError):
                    self.pieces.refuse(piece)
                if found is not None:
                    calls = self.part(piece).calls
                    piece.floor = floor_of(found) * share(calls)
                    if len(piece.atoms) == 1 and not piece.stored:
                        most, least = traffic_of(part, found)
                        is_searched = not self._implementations(part) and not any(map(is_alone, part.calls))
                        self.pieces.bounds.met(piece.atoms[0], most, least if is_searched else 0.0)

    def _beside(self, piece: Piece, asked: list[Piece]) -> tuple[Spec, ...]:
        """What may be asked for soon, and is searched alike: a piece in further layouts, once it is asked for in a
        second one beside its own."""
        others = self.pieces.known(self.pieces.kept[piece.bits, ()]) if piece.stored else []
        if not any(each.stored and (each.cost is not None or each in asked) for each in others if each is not piece):
            return ()
        parts = map(self.part, self.pieces.open_beside(piece))
        specs = dict.fromkeys(part.spec for part in parts if self._is_searched(part))
        fresh = (spec for spec in specs if spec not in self.answers and spec not in self._stood and not is_view(spec))
        found = tuple(islice(fresh, BESIDE))
        self._stood.update(found)
        return found

    def _implementations(self, part: ModelPart) -> list[Implementation]:
        """What custom kernels make of a part."""
        key = self.custom.alike(part)
        if key not in self.custom.implementations:
            self.custom.implementations[key] = implementations(part, self, self.effort > 0)
        return self.custom.implementations[key]

    def _is_custom(self, part: ModelPart) -> bool:
        """Whether a part was not searched as it is written, for a custom kernel was to make something better of it."""
        key = self.custom.alike(part)
        return key not in self.custom.failed and any(way.instead for way in self.custom.implementations.get(key, ()))

    def _is_searched(self, part: ModelPart) -> bool:
        return not any(map(is_alone, part.calls[:1])) and not self._is_custom(part)

    def _program(self, piece: Piece) -> Program | None:
        """The cheapest of a piece's programs; None where there is none."""
        part = self.part(piece)
        key = self.custom.alike(part)
        found = [answer for answer in (self.answers.get(part.spec),) if isinstance(answer, Program)]
        for number, way in enumerate(self.custom.implementations.get(key, ())):
            asked = {each: answer for each in way.asks if isinstance(answer := self.answers.get(each), Program)}
            if len(asked) == len(way.asks):
                if (key, number) not in self.custom.programs:
                    self.custom.programs[key, number] = way.program(asked)
                found.append(self.custom.programs[key, number])
        return min(found, key=lambda program: least_cost(program) * self._caution(piece, program), default=None)

    def _caution(self, piece: Piece, program: Program) -> float:
        is_cautious = not isinstance(program, CustomProgram) or program.is_cautious
        return self.pieces.caution(piece) if is_cautious else 1.0

    def copied(self, spec: Spec) -> Program:
        """The program of a copy, which is found at once."""
        return self._copies.program(spec)

    def _solved(self, piece: Piece, pieces: CutPieces) -> SolvedPart:
        if piece.copies is None and (made := self._made.get(piece.atoms[0])) is not None:
            program = made.program
            calls = self.atoms[piece.atoms[0]]
            return SolvedPart(
                ModelPart(calls, calls[0].values, calls, program.opaque), program, program.apart + pieces.call
            )
        part = self.part(piece)
        answer = self._program(piece) if piece.moves else None
        apart = sum(pieces.singles[i].least + pieces.call for i in piece.atoms)
        return SolvedPart(part, answer, apart)


def least_cost(program: Program) -> float:
    """The cost of a program, with the best by price in place of those that were taken because a clock or a model said
    that they are faster. So a cut does not depend on facts that are known of some parts alone."""
    taken = (each.cost - each.stats.get("least_cost", each.cost) for each in program.searched)
    return program.cost - sum(taken)


def floor_of(program: Program) -> float:
    """Cycles that a program's arithmetic takes at best, whatever the layouts of its operands."""
    if isinstance(program, CustomProgram):
        return program.floor
    if isinstance(program, PartitionedProgram):
        return sum(roofline(part.program.largest).arithmetic for part in program.called if part.program is not None)
    return roofline(program.largest).arithmetic
