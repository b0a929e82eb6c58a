"""Programs by hand: rewrites applied one at a time to the holes of a partial Program; `synthesize` fills the rest.

    s = gt.schedule(spec, target="avx512").tile("m", 192).move(1, "L2", panel=64)
    program = gt.synthesize(s)

A hand schedule calls the rewrites of the search: the same edges, memory limits and prices. It may take any step of the
declared space, and tiles of any size besides.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from inspect import Signature, signature
from itertools import count
from types import MethodType
from typing import TYPE_CHECKING, Any

from ..engine.canonical.canonical import canonical_form
from ..engine.program.nodes import Hole, Node
from ..engine.rewrites import DoesNotApply, HolePath, OpenHole, Rewrite, applied, steps
from ..engine.rewrites.by_hand import Taken, integer, title
from ..engine.search import limits
from ..engine.search.holes import PartialTree, ladders_of, replaced
from ..engine.search.problem import problem
from ..engine.table import Table
from ..lang.calls.spec import Spec
from ..lang.nests.family import State
from ..lang.text.text import spec_of
from ..machine.target import Target
from ..support.errors import NoProgramError, SpecError
from .pricing import of_call
from .programs import Program
from .session import Session, target_of
from .synthesis import searched, stats_of

if TYPE_CHECKING:
    from ..codegen.emit import Unit
    from ..engine.search.rebuild import Rebuild
    from .reports.report import ProgramReport
    from .steps import Steps
else:
    Steps = object

_RAISES = """Raises:
        NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

    Examples:"""
_COMPLETE = "expected an open hole, found a complete program; griotte.synthesize(schedule).compile() builds it"
_NO_SEARCH = {"specs_solved": 0, "families": 0, "synthesis_s": 0.0, "peak_rss_mb": 0.0}


@dataclass(frozen=True, eq=False, repr=False)
class Schedule(Program, Steps):
    """A partial Program: rewrites are applied by hand, `gt.synthesize` fills the holes left open.

    It is immutable: each rewrite gives a new one. A rewrite acts on the first open hole, main bodies first, or on the
    one chosen by `at`; then on what it left open there. `cost` is None as long as there are holes.

    Attributes:
        spec: what it computes, as stated.
        canonical: the same, as the search sees it: its dimensions are what steps name.
        root: the tree's root.
        target: the machine that it is for.
        threads: how many a call runs on.
        stats: as of Program.
        home: the number of the level where operands rest.
        focus: the hole that `at` chose.

    Examples:
        >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", "portable").tile("m", 24)
        >>> len(s.holes)  # whole tiles, and the leftover
        2
    """

    home: int = 0  # the level where operands rest, as in search.problem
    focus: HolePath = ()

    def __str__(self) -> str:
        """The program as printed, its holes numbered as in `holes`: ?0, ?1, .."""
        number = count()
        return re.sub(r"\? ", lambda _: f"?{next(number)} ", super().__str__())

    @property
    def _worth(self) -> str:
        holes = len(self.holes)
        return f"{holes} hole{'s' * (holes > 1)}" if holes else super()._worth

    def _repr_html_(self) -> str | None:
        return None if self.holes else super()._repr_html_()

    @property
    def holes(self) -> tuple[OpenHole, ...]:
        """The open holes, from the top of the printed program down."""
        return PartialTree(self.root, self.target, self.home).holes

    def at(self, i: int) -> Schedule:
        """Go on with another hole until nothing is open there.

        Args:
            i: its number in `holes`.

        Raises:
            NoProgramError: there is none of this number.

        Examples:
            >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", "portable").tile("m", 24).at(1).tile("n", 8)
            >>> len(s.holes)
            2
        """
        holes, i = self.holes, integer("the number of a hole", i)
        if not 0 <= i < len(holes):
            raise DoesNotApply(
                f"expected a hole 0..{len(holes) - 1}, found {i}; print the schedule to see them"
                if holes
                else _COMPLETE
            )
        return replace(self, focus=holes[i].path)

    def apply(self, rewrite: Rewrite) -> Schedule:
        """Take a rewrite of the search, as one of `griotte.engine.rewrites` says it: what all other steps come to.

        Args:
            rewrite: the step for the next open hole.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Examples:
            >>> from griotte.engine.rewrites import Tile
            >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", "portable")
            >>> str(s.apply(Tile("m", 24))) == str(s.tile("m", 24))
            True
        """
        hole = self._hole()
        try:
            rewrite.allow(hole)
        except DoesNotApply as why:
            hole.refuse(rewrite.words(self.target), why)
        self._require_room(hole, rewrite)
        parts = tuple(Hole(part) if part else None for part in rewrite.leaves(hole.state, self.target))
        new = applied(rewrite, hole.state, self.target, parts)
        root = replaced(self.root, hole.path, new, self.target)
        return replace(self, root=root, threads=rewrite.over(self.threads))

    def _take(self, meant: Taken) -> Schedule:
        """With the rewrites that a step means."""
        schedule = self
        for each in meant if isinstance(meant, tuple) else (meant,):
            schedule = replace(schedule, root=Hole(each)) if isinstance(each, State) else schedule.apply(each)
        return schedule

    def _hole(self) -> OpenHole:
        """The hole that the next rewrite is for."""
        holes = sorted(self.holes, key=lambda hole: hole.turn)
        if not holes:
            raise DoesNotApply(_COMPLETE)
        return next((h for h in holes if h.path[: len(self.focus)] == self.focus), holes[0])

    def _require_room(self, hole: OpenHole, rewrite: Rewrite) -> None:
        state, target = hole.state, self.target
        crowded = (
            child
            for edge in hole.edges
            if edge.rewrite == rewrite
            for child in edge.carrying
            if limits.below(target, self.home, state.family, child, state.size, hole.limit) < 0
        )
        child = next(crowded, None)
        if child is None:
            return
        assert child.uses is not None
        level, lines, _ = child.uses
        name, needed = target.levels[level].name, float(lines(state.size))
        room = (
            f"{hole.left[name]:.0f} lines that are left of {name}"
            if name in hole.left
            else f"{target.capacity_lines(level):.0f} lines that one operand may take of {name}"
        )
        hole.refuse(
            rewrite.words(target),
            f"expected at most the {room}, found {needed:.0f} needed; tile first, or stay at a slower level",
        )

    # ---- complete ----------------------------------------------------------------------------------------------------

    def filled(
        self, threads: int = 1, table: str | os.PathLike[str] | None = None, memory: int | str | None = None
    ) -> Program:
        """The program whose holes each hold the program of least cost: what `gt.synthesize` gives.

        Args:
            threads: of a schedule without any rewrite.
            table: as of `synthesize`.
            memory: as of `synthesize`.

        Raises:
            SpecError: the schedule is for another number of threads.
            NoProgramError: there is no program for a hole.

        Examples:
            >>> gt.schedule("exp(f32[64])", "portable").tile("i0", 16).filled().cost > 0
            True
        """
        if isinstance(self.root, Hole):
            return searched(self.spec, Session(self.target, threads, table, memory))
        if threads not in (1, self.threads):
            raise SpecError(
                f"expected {self.threads} thread{'s' * (self.threads > 1)}, those of the schedule, found {threads};"
                f" tile(.., parallel={threads}) outermost"
            )
        root, stats = (
            self._solved(Session(self.target, self.threads, table, memory)) if self.holes else (self.root, self.stats)
        )
        return Program(self.spec, self.canonical, root, self.target, self.threads, stats)

    def _solved(self, session: Session) -> tuple[Node, dict[str, Any]]:
        from ..engine.search.solved import answer

        holes = self.holes
        ladders = ladders_of(holes, self.canonical, self.target, self.threads)
        held = Table(self.target, self.home, ladders, session.store)
        goals = tuple(dict.fromkeys(hole.family for hole in holes))
        root, found = answer(held, goals, self._with_best, session.costs)
        return root, stats_of(found, held)

    def _with_best(self, rebuild: Rebuild) -> Node:
        """The root with the program of least cost in each hole."""
        root = self.root
        for hole in self.holes:
            try:
                node = rebuild.at(hole.state.family, hole.state.size, hole.limit)
            except NoProgramError as why:
                raise NoProgramError(
                    f"expected a program for the hole {hole}, found none; undo a move or take other tiles"
                ) from why
            root = replaced(root, hole.path, node, self.target)
        return root

    if not TYPE_CHECKING:

        def __getattr__(self, name: str):
            """The step of a rule that was declared later."""
            step = next((step for step in steps() if step.__name__ == name), None)
            return MethodType(_method(step), self) if step else super().__getattribute__(name)

    def _emitted(self, threads_by: str, denormals: str = "keep", is_soon: bool = False) -> Unit:
        self._require_complete()
        return super()._emitted(threads_by, denormals, is_soon)

    @property
    def report(self) -> ProgramReport:
        self._require_complete()
        return super().report

    def _require_complete(self) -> None:
        if holes := self.holes:
            raise NoProgramError(
                f"expected a complete program, found {len(holes)} hole{'s' * (len(holes) > 1)}, first"
                f" {title(holes[0].state)}; griotte.synthesize(schedule) fills them"
            )


def _method(step: Callable[..., Taken]) -> Callable[..., Schedule]:
    """The method that takes a step: its name, its help, and its arguments after the hole."""

    @wraps(step)
    def method(self: Schedule, *args: Any, **named: Any) -> Schedule:
        return self._take(step(self._hole(), *args, **named))

    method.__doc__ = (step.__doc__ or "").replace("Examples:", _RAISES)
    method.__qualname__, method.__module__ = f"{Schedule.__name__}.{step.__name__}", __name__
    (hole, *arguments), own = signature(step).parameters.values(), Schedule.__name__
    method.__signature__ = Signature(  # type: ignore[attr-defined]
        [hole.replace(name="self", annotation=hole.empty), *arguments], return_annotation=own
    )
    return method


for _step in steps():
    setattr(Schedule, _step.__name__, _method(_step))


def schedule(spec: Spec | str | Sequence[Spec], target: str | Target = "native", math: str | None = None) -> Schedule:
    """A program by hand: one hole, for steps to be applied to.

    Args:
        spec: a Spec of fixed sizes, its text, or several Specs, each one output.
        target: as of `synthesize`.
        math: as of `synthesize`.

    Raises:
        SpecError: the Spec is none, or has a dynamic size; or `math` is another word.
        TargetError: there is no such target.

    Examples:
        >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", target="portable").tile("m", 16)
        >>> gt.synthesize(s).cost > 0
        True
    """
    spec = spec_of(spec)
    if spec.dynamic:
        raise SpecError(
            f"expected fixed sizes in a schedule, found {spec}; schedule one size: spec.at({spec.dynamic.bound})"
        )
    target, canonical = of_call(target_of(target, math), spec, 1), canonical_form(spec)
    start = problem(canonical, target)
    hole = Hole(State(start.goal, tuple(start.sizes[d] for d in canonical.operation.dims)))
    return Schedule(spec, canonical, hole, target, 1, _NO_SEARCH, start.home)
