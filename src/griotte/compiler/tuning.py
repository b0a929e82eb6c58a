"""The K best programs timed on this machine, and the fastest of them kept in the table; or the best of many by a model
of their times.

    synthesize(spec, tune=20)      -> candidates: the cheapest programs after each first choice, one of each kind
                                   (engine/search/kbest.py) -> compiled, checked, timed in turns; the slower half leaves
                                   after each round -> the winner against the model's best, timed anew: what the table
                                   remembers
    .. model=m                     -> drafts: the candidates, more first choices, the k best -> the first by the model
    .. model=m, tune=20            -> four times as many drafts -> batches of those that promise the most (racing.py)

What is remembered holds for a goal and a number of threads, for this machine, and for the C that is emitted now.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, takewhile
from typing import Any

from ..engine.learned.model import PerformanceModel
from ..engine.learned.ranking import Ranked
from ..engine.program.nodes import Node
from ..engine.search.kbest import FIRST_CHOICES
from ..engine.search.recorded import Misfit, along, path_of
from ..engine.search.solved import Solved
from ..engine.table import digest
from ..engine.table.keys import emitted
from ..engine.table.tuned import Tuned
from ..machine import runnable
from ..machine.detect import fingerprint
from ..support.errors import NoProgramError, SpecError, TableWarning
from .programs import Program
from .racing import Bench, Picking, race
from .session import Tuning

DRAFTS = 40  # programs that a model orders, where none is timed
DRAFTED = 4  # for each that is timed
CHEAPEST = 8  # of the drafts: on the spines of the k best
DEAREST = 3.0  # times the least price: no model makes up for more
NEAR = 1e-9  # relative; costs of one program, priced twice


def tuned(program: Program, solved: Solved, tuning: Tuning) -> Program:
    """The fastest of so many best programs, as the table remembers it or timed now; with None, what the table
    remembers, else the program itself, or the first by a model."""
    tune, model = tuning
    known = _remembered(program, solved) if tune != 1 else None
    if known is not None and (tune is None or tune <= known[0].of):
        found = _with(program, *known)
        return found if model is None else _predicted(model, [program, found], 1)
    if tune is None or tune == 1:
        return program if model is None else _first(program, solved, model)
    return _timed(program, solved, tune, model)


def check(spec: Any, tune: object, model: object = None) -> None:
    """SpecError where the argument `tune` is no number of programs, or the goal is one that has no candidates."""
    if model is not None:
        _must_have_drafts(spec)
    if tune is None:
        return
    if not isinstance(tune, int) or isinstance(tune, bool) or tune < 1:
        raise SpecError(
            f"expected a number of programs of 1 or more to tune, found {tune!r}; ask for a few, such as tune=20"
        )
    if tune > 1 and isinstance(spec, Program):
        raise SpecError(
            "expected a Spec to tune, found a schedule; leave tune out: what is scheduled by hand stays as it is"
        )
    if tune > 1 and spec.dynamic is not None:
        raise SpecError(f"expected a Spec of fixed sizes to tune, found {spec}; leave tune out, or give a size")


def _must_have_drafts(spec: Any) -> None:
    if isinstance(spec, Program):
        raise SpecError(
            "expected a Spec beside model, found a schedule; leave model out: what is scheduled by hand stays as it is"
        )
    if spec.dynamic is not None:
        raise SpecError(f"expected a Spec of fixed sizes beside model, found {spec}; leave model out, or give a size")


def _with(program: Program, found: Tuned, root: Node) -> Program:
    return replace(program, root=root, stats={**program.stats, "tuned": found.facts(), "least_cost": program.cost})


# What the table remembers
# ------------------------------------------------------------------------------------------------


def _key(solved: Solved) -> str:
    start, table = solved.start, solved.table
    return digest(
        f"tuned {table.key(start.goal)} {start.sizes} {table.axes(start.goal)} {solved.threads} {fingerprint()}"
        f" {emitted()}"
    )


def _remembered(program: Program, solved: Solved) -> tuple[Tuned, Node] | None:
    """The tuning of this goal on this machine, and its program; a record that leads to none is told and left out."""
    table, key = solved.table, _key(solved)
    text = table.choice(key)
    if text is None:
        return None
    found = Tuned.decode(text)
    try:
        if not found:
            raise Misfit("a record that is none")
        root = solved.read(lambda rebuild: along(found.path, program.root.state, rebuild, solved.threads))
        if abs(root.cost - found.cost) > NEAR * root.cost:
            raise Misfit(f"a program of {root.cost:.6g} cycles, not {found.cost:.6g}")
    except Misfit as why:
        place = f"the table {table.store.file.path}" if table.store is not None else "the table"
        told = (
            f"expected the choices of a tuned program in {place}, found {why}; the model's best stands for it: tune"
            " again"
        )
        warnings.warn(told, TableWarning, stacklevel=4)
        table.unchoose(key)
        return None
    return found, root


# Candidates and their times
# ----------------------------------------------------------------------------------------------


def _timed(program: Program, solved: Solved, count: int, model: PerformanceModel | None) -> Program:
    runnable(program.target)
    if model is None:
        among = candidates(program, solved, count)
        winner, median, first = race(Bench(program).runs(dict(enumerate(among))))
    else:
        among = drafts(program, solved, DRAFTED * count)
        picking = Picking(among, model)
        while picking.timed < count and (places := picking.next(count - picking.timed)):
            picking.time(places)
        winner, median, first = picking.winner()
    found = keep(program, solved, among[winner].root, count, median, first)
    if model is None:
        return found
    told = _predicted(model, among, winner)
    return replace(found, stats={**found.stats, "model": told.stats["model"] | {"runs": picking.timed}})


def keep(program: Program, solved: Solved, root: Node, count: int, median: float, first: float) -> Program:
    """The winner among `count` as a program, which the table remembers; the medians are its own and that of the best by
    price, in microseconds."""
    path = path_of(root, solved.read(lambda rebuild: rebuild.space), program.threads)
    found = Tuned(str(program.spec), program.threads, fingerprint(), count, path, root.cost, median, first)
    solved.table.choose(_key(solved), found.encode())
    return _with(program, found, root)


def _first(program: Program, solved: Solved, model: PerformanceModel) -> Program:
    """The first of the drafts by a model; nothing is timed."""
    return _predicted(model, drafts(program, solved, DRAFTS))


def _predicted(model: PerformanceModel, among: list[Program], place: int | None = None) -> Program:
    """The program at a place, or the first by the model, with what the model says of it beside the first by price."""
    ranked = Ranked.of(model, [each.root for each in among], among[0].target, among[0].threads)
    place = ranked.order[0] if place is None else place
    told = {"model": ranked.facts(place), "least_cost": among[0].cost}
    return replace(among[place], stats={**among[place].stats, **told})


def candidates(program: Program, solved: Solved, count: int) -> list[Program]:
    """The cheapest programs after each first choice, one of each kind, the model's best first; of those with the same
    C, one."""
    found: dict[str, Program] = {}
    for root in islice(solved.kinds(), count):
        candidate = replace(program, root=root)
        found.setdefault(candidate.to_c().partition("*/")[2], candidate)  # the title differs
    return list(found.values())


def drafts(program: Program, solved: Solved, count: int) -> list[Program]:
    """At most so many programs that a model may order, the best by price first: the candidates, what is on the
    spines of the k best, the cheapest after each further first choice; of those with the same C, one. A path leads to
    each, so the table can remember it."""
    found: dict[str, Program] = {}
    for root in _drafted(program, solved, count):
        if len(found) >= count:
            break
        draft = replace(program, root=root)
        found.setdefault(draft.to_c().partition("*/")[2], draft)  # the title differs
    return list(found.values())


def _drafted(program: Program, solved: Solved, count: int) -> Iterator[Node]:
    is_near = lambda root: root.cost <= DEAREST * program.cost
    yield from islice(takewhile(is_near, solved.kinds()), count)
    yield from (led for root in solved.cheapest(CHEAPEST) if (led := _led_to(program, solved, root)) is not None)
    yield from islice(takewhile(is_near, solved.ranked(FIRST_CHOICES)), count)


def _led_to(program: Program, solved: Solved, root: Node) -> Node | None:
    """The program that the path of another leads to: all but its critical path is the table's best. None where it is
    none."""
    try:
        path = path_of(root, solved.read(lambda rebuild: rebuild.space), program.threads)
        return solved.read(lambda rebuild: along(path, program.root.state, rebuild, solved.threads))
    except (Misfit, NoProgramError, StopIteration):
        return None
