"""A stated Spec, solved: as one search or, where that is too much or has no program, cut at whole arrays.

Where one search covers all, nothing is cut here: that search chooses which tensors lie at whole arrays. Else the
calls are cut as those of a model are (engine/cutting/). Each atom (fusion group) is solved, one search each. So are
pieces of several atoms that may be cheaper, until no other cut may be cheaper by much. Only counted work
(engine/search/work.py) says which pieces are solved, so the same Spec always gives the same program. All pieces
together may be as much as one search, and each at least a tenth of that. An atom is always solved, call by call where
it is not one search. Groups alike are one problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

from ...engine.canonical.axes import is_joined
from ...engine.canonical.canonical import canonical_form
from ...engine.cutting import CutPieces, CutPrices, Piece, Tolerance, atoms_of, choose, cut_atoms
from ...engine.program.nodes import Node
from ...engine.rewrites import fixed
from ...engine.rewrites.worth import nests_of, quickest
from ...engine.search.division import Divided, solving
from ...engine.search.graph import uncollected
from ...engine.search.rebuild import Unsolved
from ...engine.search.solved import Solved
from ...engine.search.work import GRAPH, SearchWork, TooMuch
from ...lang.calls.spec import Spec
from ...lang.calls.value import Value
from ...lang.constructors.operations import copy
from ...lang.nests.operation import is_contraction
from ...lang.types.tensor import tensor
from ...support.errors import GriotteError, NoProgramError, SpecError
from ..pricing import called_bytes
from ..session import Session
from .calls import Steps, cut_calls, flat_copy, group, is_known, is_view, moves_nothing, placed_calls
from .record import CutRecord

NESTS = 12
"""Of a Spec that the bounds on work are for, and of a piece at most: a Spec that is cut before anything is counted may
take as much more."""
LONGEST = 64  # calls of one search: more are never searched as one
CONTRACTIONS, REDUCTIONS = 2, 4  # of a Spec of many nests that is tried as one search: attention has as many
TOO_MUCH = "too much for one search"
LEAST = 0.1  # of the bound: so much each piece may be
TOLERANCES = {
    0: Tolerance(inf, inf, inf),
    1: Tolerance(0.03, 0.005),
    2: Tolerance(0.03, 0.005),
    3: Tolerance(0.0, 0.005),
}  # by effort


class TooMuchError(NoProgramError):
    """Calls that were to be one search are more than that may be."""


@dataclass(frozen=True)
class SolvedGroup:
    """Calls that were searched as one: what they compute, its canonical form and its best program; a view has none."""

    steps: Steps
    spec: Spec
    canonical: Spec
    solved: Solved | Divided | None = None
    best: Node | None = None


@dataclass(frozen=True)
class Counted:
    """A search that may be done, and how much it is."""

    canonical: Spec
    solved: Solved | Divided
    work: SearchWork


@dataclass(frozen=True)
class Refusal:
    """Why calls are not searched as one."""

    steps: Steps
    why: str


class Partition:
    """The groups of a Spec's calls, solved, and why they are not fewer; `as_one`: one, or NoProgramError. What
    the same calls of Specs that stand `beside` are is searched with them, where it is searched alike."""

    def __init__(self, spec: Spec, session: Session, as_one: bool = False, beside: Iterable[Spec] = ()):
        self.spec, self.calls = spec, placed_calls(spec)
        self._beside = [(each, placed_calls(each)) for each in beside]
        self._every: Steps = tuple(range(len(self.calls.calls)))
        self._session, self._target = session, session.target
        self._record = CutRecord(spec, self.calls, session)
        self._bound = session.most
        self._spent = 0.0  # work that went into pieces, and into counting what was then not solved
        self._problems: dict[Spec, Counted | str] = {}
        self._singles: dict[Spec, tuple[Spec, Solved | Divided]] = {}
        self._savings: dict[Spec, float] = {}
        self.refusals: list[Refusal] = []
        with uncollected():
            self.groups = self._as_one() if as_one else self._solved()

    def _solved(self) -> list[SolvedGroup]:
        if len(self._every) == 1:
            return [self._alone((0,))]
        known = self._record.groups()
        found = self._all(known) if known is not None else None
        if found is not None:
            return found
        whole = self._whole()
        if whole is not None:
            return [whole]
        found = self._cut()
        self._record.note([each.steps for each in found])
        return found

    # ---- all as one --------------------------------------------------------------------------------------------------

    def _as_one(self) -> list[SolvedGroup]:
        """All calls as one search; NoProgramError where they are none, which the table remembers."""
        if len(self._every) == 1:
            return [self._alone((0,))]
        why = self._record.refusal()
        if why is None:
            whole = self._whole()
            if whole is not None:
                return [whole]
            why = self.refusals[0].why
            self._record.refuse(why)
        count = len(self._every)
        raised = TooMuchError if why.startswith(TOO_MUCH) else NoProgramError
        raise raised(f"expected calls that one search covers, found {count} that are not one: {why}")

    def _whole(self) -> SolvedGroup | None:
        """All calls as one search; None where they are none."""
        if (crowd := self._crowd()) is not None:
            self.refusals.append(Refusal(self._every, crowd))
            return None
        return self._one(self._every, self._bound)

    @cached_property
    def _canonical(self) -> Spec:
        return canonical_form(self.spec)

    def _crowd(self) -> str | None:
        """Why not all calls are tried as one search: they have many nests, and more products or reductions than such a
        search should have. The bound of the pieces grows with the nests."""
        try:
            nests = len(self._canonical.operation.nests)
        except SpecError:
            return None  # to try it says why
        operations = [value.spec.operation for value in self.calls.calls]
        contractions, reductions = (
            sum(map(is_contraction, operations)),
            sum(op.combine is not None for op in operations),
        )
        if nests <= NESTS or contractions <= CONTRACTIONS and reductions <= REDUCTIONS:
            return None
        self._bound *= nests / NESTS
        told = f"{nests} nests, {contractions} of them contractions, {reductions} reductions"
        return f"{TOO_MUCH}: {told}"

    def _one(self, steps: Steps, most: float) -> SolvedGroup | None:
        """Calls as one search of at most so much work; None, and a refusal, where they are none."""
        problem = self._problem(steps, most)
        why = problem if isinstance(problem, str) else ""
        if isinstance(problem, Counted):
            try:
                return SolvedGroup(steps, self._spec(steps), problem.canonical, problem.solved, problem.solved.best)
            except (NoProgramError, Unsolved) as error:
                why = f"no program as one: {error}"
        self.refusals.append(Refusal(steps, why))
        return None

    def _own(self, steps: Steps) -> list[Value]:
        """Calls by number."""
        return [self.calls.calls[s] for s in steps]

    def _spec(self, steps: Steps) -> Spec:
        """What some calls compute."""
        return group(self.spec, self.calls, steps)

    def _problem(self, steps: Steps, most: float) -> Counted | str:
        """The counted search of calls as one; or why there is none."""
        spec = self._spec(steps)
        if spec not in self._problems:
            self._problems[spec] = self._count(steps, spec, most)
        return self._problems[spec]

    def _count(self, steps: Steps, spec: Spec, most: float) -> Counted | str:
        if len(steps) > LONGEST:
            return f"{TOO_MUCH}: {len(steps)} calls"
        try:
            canonical = self._canonical if spec == self.spec else canonical_form(spec)
            if not is_joined(canonical.operation):
                return "its values are read along other axes than they are written"
            found = self._search(canonical, steps)
            is_little = most == inf or found.is_known
            return Counted(canonical, found, SearchWork(0, 0, 0) if is_little else found.work(most))
        except TooMuch as much:
            self._spent += much.work.counting
            return f"{TOO_MUCH}: more than {much.work.total / GRAPH:,.0f} families, or as much work"
        except SpecError as why:
            if len(steps) == len(self._every):
                raise
            return f"no program as one: {why}"
        except NoProgramError as why:
            return f"no program as one: {why}"

    def _search(self, canonical: Spec, steps: Steps = ()) -> Solved | Divided:
        """The search of a canonical Spec, of these calls, which is not done yet.

        At effort 0 it is the search of a small space, which no table keeps. That is so where the table has no program
        of the whole space, and the table shipped with griotte none of a machine like this."""
        session = self._session
        store = session.store
        if session.effort > 0 or store is not None:
            found = solving(canonical, session.target, session.threads, store, session.costs)
            if session.effort > 0 and self._beside and isinstance(found, Solved):
                found = found.joined(self._others(steps))
            if session.effort > 0 or found.is_known:
                return found
            apart = found.apart() if isinstance(found, Solved) else None
            if (
                store is not None
                and apart is not None
                and apart.borrow(store.near(called_bytes(self.spec), session.threads))
            ):
                return apart
        narrowed = session.target.narrowed_for(sum(t.bytes for t in canonical.tensors) / session.target.spans.line)
        return solving(canonical, narrowed, session.threads, None, session.costs)

    def _others(self, steps: Steps) -> Iterator[Solved]:
        """The searches of the same calls of what stands beside the Spec, as far as they are one search."""
        session, met = self._session, set[Spec]()
        for spec, calls in self._beside:
            if not steps or steps[-1] >= len(calls.calls):
                continue
            with suppress(GriotteError):  # who asks for it will be told
                canonical = canonical_form(group(spec, calls, steps))
                if canonical not in met and is_joined(canonical.operation):
                    met.add(canonical)
                    found = solving(canonical, session.target, session.threads, session.store, session.costs)
                    if isinstance(found, Solved):
                        yield found

    # ---- cut ---------------------------------------------------------------------------------------------------------

    def _cut(self) -> list[SolvedGroup]:
        """The groups of the cheapest cut, in an order in which each reads what came before."""
        every = cut_calls(self.calls)
        atoms = atoms_of(every, with_maps=True)
        steps = lambda piece: tuple(sorted(s for i in piece.atoms for s in atoms[i]))
        pieces = CutPieces(cut_atoms(every, atoms), CutPrices(self._saving, self._target.cost({"call": 1})), NESTS)
        found: dict[int, list[SolvedGroup]] = {}

        def solve(asked: list[Piece]) -> None:
            for piece in asked:
                groups = self._atom(steps(piece)) if len(piece.atoms) == 1 else self._several(steps(piece))
                if groups:
                    found[piece.bits] = groups
                self._price(piece, groups, is_known(self.calls, self._own(steps(piece))))

        solve(pieces.singles)
        alike: Any = lambda piece: self._spec(steps(piece))
        cut = choose(pieces, solve, TOLERANCES[self._session.effort], 1, alike).cut
        return [each for piece in cut.pieces for each in found[piece.bits]]

    def _atom(self, steps: Steps) -> list[SolvedGroup]:
        """An atom, whatever its search is: as one, or call by call."""
        one = self._one(steps, self._bound) if len(steps) > 1 else None
        return [one] if one is not None else [self._alone((s,)) for s in steps]

    def _several(self, steps: Steps) -> list[SolvedGroup]:
        """Several atoms as one; nothing where they are not one search, or too much is spent by now."""
        is_new = self._spec(steps) not in self._problems
        one = self._one(steps, max(self._bound - self._spent, self._bound * LEAST))
        problem = self._problem(steps, 0)
        if is_new and isinstance(problem, Counted):
            self._spent += problem.work.total
        return [one] if one is not None else []

    def _price(self, piece: Piece, groups: list[SolvedGroup], is_ahead: bool) -> None:
        """What a piece costs by its groups, the call left out: inf where it has none, nothing where no call runs it."""
        if is_ahead or all(group.solved is None for group in groups) and groups:
            piece.cost, piece.moves = 0.0, False
            return
        each = [self._cycles(group.canonical, group.best) for group in groups if group.best is not None]
        more = (len(each) - 1) * self._target.cost({"call": 1})
        piece.cost = sum(cost for cost, _ in each) + more if groups else inf
        piece.floor = sum(floor for _, floor in each)

    def _cycles(self, canonical: Spec, node: Node) -> tuple[float, float]:
        """What a program costs, of a dynamic size at the bound; and what its arithmetic takes at best."""
        if (dynamic := canonical.dynamic) is not None:
            node, canonical = fixed(node, dynamic, dynamic.bound, self._target), canonical.at(dynamic.bound)
        nests = nests_of(canonical.operation, node.state.family, canonical.size)
        return node.cost, sum(quickest(nest, size, self._target)[1] for nest, size in nests) / self._session.threads

    def _saving(self, value: Value) -> float:
        """Cycles that a tensor takes to be written and read as a whole array."""
        spec = canonical_form(copy(tensor((value.type.elements,), value.type.dtype)))
        if spec not in self._savings:
            self._savings[spec] = self._search(spec).best.cost
        return self._savings[spec]

    def _all(self, groups: list[Steps]) -> list[SolvedGroup] | None:
        """Groups that the table remembers, solved; None where one of them is none."""
        found = [self._alone(steps) if len(steps) == 1 else self._one(steps, inf) for steps in groups]
        return [group for group in found if group is not None] if None not in found else None

    def _alone(self, steps: Steps) -> SolvedGroup:
        """A call by itself, whatever its search is."""
        spec = self._spec(steps)
        if moves_nothing(self.calls, *self._own(steps)):
            return SolvedGroup(steps, spec, spec)
        if len(self._every) > 1 and is_view(spec):
            spec = flat_copy(spec)
        if spec not in self._singles:
            canonical = canonical_form(spec)
            self._singles[spec] = canonical, self._search(canonical, steps)
        canonical, found = self._singles[spec]
        return SolvedGroup(steps, spec, canonical, found, found.best)

    @property
    def searches(self) -> list[Solved]:
        """Those of all groups, each once."""
        found = dict.fromkeys(each.solved for each in self.groups if each.solved is not None)
        return [part for each in found for part in each.parts]

    @property
    def cuts(self) -> list[dict[str, Any]]:
        """Each tensor between groups: its number, shape and bytes, and why what it is between is not one."""
        calls, found = self.calls, []
        step = {value: s for s, value in enumerate(calls.calls)}
        given = (value for each in self.groups for value in calls.given_by(self._own(each.steps)))
        for value in (value for value in given if value not in calls.gives):
            ends = {step[value], *(step[reader] for reader in calls.readers[value] if reader is not None)}
            why = next((r.why for r in reversed(self.refusals) if len(ends & set(r.steps)) > 1), "")
            tensor, t = value.type, calls.number[value]
            found.append({"tensor": f"t{t}", "shape": tensor.shape, "bytes": tensor.bytes, "why": why})
        return found
