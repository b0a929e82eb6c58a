"""The stats of a model: how it was solved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..compiler.programs import Program
from ..engine.cutting import ChosenCut
from .parts import SolvedPart


def stats_of(parts: Sequence[SolvedPart], found: ChosenCut, answers: Iterable[Any], atoms: int) -> dict[str, Any]:
    """Those of a model of so many atoms: of its parts, of the cut, and of what was searched for it."""
    programs = [a for a in answers if isinstance(a, Program)]
    return {
        "parts": sum(each.program is not None for part in parts for each, _ in part.each()),
        "parts_solved": sum(p.stats.get("specs_solved", 0) > 0 for p in programs),
        "parts_from_table": sum(p.stats.get("specs_solved", 0) == 0 for p in programs),
        "parts_possible": found.possible + atoms,
        "parts_tried": found.solved + atoms,
        "cost_bound": found.bound,
        "gap": found.gap,
        "cut_in_order": found.in_order,
        **{name: sum(p.stats.get(name, 0) for p in programs) for name in ("specs_solved", "families", "edges")},
        "peak_rss_mb": max((p.stats.get("peak_rss_mb", 0.0) for p in programs), default=0.0),
        **_tuned(parts),
        **_ordered(parts),
    }


def _tuned(parts: Iterable[SolvedPart]) -> dict[str, Any]:
    """What timing parts told, in microseconds of a call of the model; nothing where none was timed."""
    times = [(own.stats["tuned"], turns) for own, turns in searched_in(parts) if "tuned" in own.stats]
    if not times:
        return {}
    sums = {name: sum(turns * found[name] for found, turns in times) for name in ("median_us", "model_us")}
    return {"tuned": {"parts": len({found["spec"] for found, _ in times}), **sums, "machine": times[0][0]["machine"]}}


def _ordered(parts: Iterable[SolvedPart]) -> dict[str, Any]:
    """The model of times by which parts were taken: how many it ordered, and of how many it had seen the like. And of
    how many it took another program than the first by price; nothing without a model."""
    found = [own.stats["model"] for own, _ in searched_in(parts) if "model" in own.stats]
    if not found:
        return {}
    count = lambda name: sum(bool(each[name]) for each in found)
    told = {"digest": found[0]["digest"], "parts": len(found), "known": count("decides"), "others": count("place")}
    return {"model": told}


def searched_in(parts: Iterable[SolvedPart]) -> Iterator[tuple[Program, int]]:
    """What was searched as one for parts, as often as a call has it, and how often each runs in a call."""
    for part in parts:
        for each, turns in part.each():
            for own in each.program.searched if each.program is not None else ():
                yield own, turns
