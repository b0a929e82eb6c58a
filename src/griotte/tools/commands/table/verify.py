"""griotte table verify: is a table whole, and are its decisions right."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import click

from ....compiler.pricing import of_call
from ....engine.canonical.canonical import canonical_form
from ....engine.search.replay import replay
from ....engine.table.keys import family_text, target_key
from ....engine.table.whole_files import check
from ....lang.text.text import parse
from ....machine import NAMES, named
from ....machine.target import Target
from ....runtime.leaves import resolved
from ....support.errors import GriotteError, TableError
from ....support.printable import printable
from .. import options
from ..output import many, number, progress, show


@click.command()
@options.file
@click.option(
    "--sample", metavar="N", type=options.Count(0, 1_000_000), help="Solve only N of its Specs again, 0: none  [all]"
)
@click.option("--target", default="native", metavar="T", help="A .toml file, for what was solved for its machine.")
@options.as_json
def verify(file: str, sample: int | None, target: str) -> None:
    """Check every row of a table, and solve its Specs again.

    Costs are replayed from the stored decisions and compared, bit for bit, with
    those of a search from nothing; for targets that are known here, and the space
    as it is now. The file stays as it is. Exit status 1 where something was wrong.
    """
    found = check(file)
    replayed, wrong = _replay(found, target, sample)
    problems = found.problems + wrong
    result: dict[str, Any] = {
        "table": file,
        "ok": not problems,
        "patches": found.patches,
        "problems": problems,
        "replayed": replayed,
    }
    show(result, "\n".join(_lines(result)), problems)
    sys.exit(1 if problems else 0)


def _replay(found, target: str, sample: int | None) -> tuple[list[dict[str, Any]], list[str]]:
    """(a report for each context, a complaint for each wrong family)."""
    known = [*map(named, NAMES), resolved(target)]
    goals = {
        c.id: [(spec, threads) for context, spec, threads in found.goals if context == c.id] for c in found.contexts
    }
    budget = sum(map(len, goals.values())) if sample is None else sample
    reports, wrong = [], []
    for context in found.contexts:
        if context.id not in found.held:
            continue
        reports.append(
            {"target": context.name, "families": len(found.held[context.id]), "goals": len(goals[context.id])}
        )
        machine = _machine_of(context.target, goals[context.id], known)
        if not context.current or machine is None:
            reports[-1]["skipped"] = (
                "another version of the space"
                if not context.current
                else "a target that is not known here; name its file with --target"
            )
            continue
        taken, budget = _spread(goals[context.id], budget), max(0, budget - len(goals[context.id]))
        seen, specs, bad, none = _replay_goals(taken, machine, found.held[context.id])
        found.problems += [f"goal of {context.name}: {why}" for why in none]
        reports[-1] |= {
            "solved_again": len(taken),
            "families_replayed": len(seen),
            "specs_replayed": specs,
            "wrong": len(bad),
        }
        wrong += [
            f"{context.name}: the decisions of {text} cost other than what a search finds" for text in bad.values()
        ]
    return reports, wrong


def _spread(goals: list, most: int) -> list:
    """At most so many of them, evenly spread."""
    return goals if len(goals) <= most else [goals[i * len(goals) // most] for i in range(most)]


def _replay_goals(goals, machine, held) -> tuple[set[str], int, dict[str, str], list[str]]:
    """(families replayed, Specs of them, the text of each wrong one, complaints on goals that cannot be solved)."""
    seen: set[str] = set()
    bad: dict[str, str] = {}
    none: list[str] = []
    specs = 0
    with progress(len(goals), "solving again") as advance:
        for spec, threads in goals:
            advance()
            try:
                if not 1 <= threads <= options.MOST_THREADS:
                    raise TableError(f"expected threads from 1 to {options.MOST_THREADS}, found {threads}")
                result = replay(canonical_form(parse(spec)), machine, threads, held)
            except GriotteError as why:
                none.append(f"{spec[:80]}: {why}")
                continue
            seen |= result.families
            specs += result.specs
            bad |= {key: family_text(family) for key, family in result.wrong}
    return seen, specs, bad, none


def _machine_of(key: str, goals: list[tuple[str, int]], known: list[Target]) -> Target | None:
    """The target that a table keeps under a key: one of those known here, or one with the prices of a call of goals."""
    for machine in known:
        if target_key(machine) == key:
            return machine
        if machine.prices_calls and goals:
            with suppress(GriotteError):  # whoever solves it again is told
                spec, threads = goals[0]
                called = of_call(machine, parse(spec), threads)
                if target_key(called) == key:
                    return called
    return None


def _lines(result: dict[str, Any]) -> Iterator[str]:
    patches = many(result["patches"], "whole patch", "whole patches")
    yield f"{result['table']}: {patches}, {many(len(result['problems']), 'problem')}"
    for context in result["replayed"]:
        name, families = printable(context["target"]), many(context["families"], "family", "families")
        if "skipped" in context:
            yield f"{name}: {families} not solved again: {context['skipped']}"
            continue
        costs = "all costs equal" if not context["wrong"] else f"{number(context['wrong'])} of other costs"
        yield (
            f"{name}: {context['solved_again']} of {many(context['goals'], 'Spec')} solved again,"
            f" {number(context['families_replayed'])} of {families} replayed, {costs}"
        )
    if not result["ok"]:
        yield f"remove {result['table']}: all it holds is solved again when it is asked for"
