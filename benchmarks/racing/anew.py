"""Which heats are run anew: one rule, for those that look too bad and those that look too good alike.

It judges the figures of first runs, once a thread count is through; who is run anew is run as before, once, and the
rounds of both runs count together. Nothing here measures.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from . import report


@dataclass(frozen=True)
class Rule:
    """`low`: ratio against the best rival below which we lose. `far`: times the median ratio of its like (_like), above
    it or below it. `spread`: between the quartiles of the ratio, over its median. `busy`: cores that others used
    meanwhile."""

    low: float = 0.95
    far: float = 1.5
    spread: float = 0.2
    busy: float = 0.2


RULE = Rule()


def reasons(heats: list[dict], rule: Rule = RULE) -> list[list[str]]:
    """For each heat why it is run anew; nothing where its first figures stand."""
    medians = _medians(heats)
    return [_reasons(heat, medians.get(_like(heat)), rule) for heat in heats]


def _reasons(heat: dict, median: float | None, rule: Rule) -> list[str]:
    best = report.best_rival(heat)
    if best is None:
        return []
    found = heat["ratio"][best]
    ratio = found["median"]
    tests = {
        "low": ratio < rule.low,
        "far below its like": ratio * rule.far < median,
        "far above its like": ratio > rule.far * median,
        "rounds apart": found["high"] - found["low"] > rule.spread * ratio,
        "busy machine": heat["foreign"] > rule.busy,
    }
    return [why for why, holds in tests.items() if holds]


def _medians(heats: list[dict]) -> dict[tuple, float]:
    ratios: dict[tuple, list[float]] = {}
    for heat in heats:
        best = report.best_rival(heat)
        if best is not None:
            ratios.setdefault(_like(heat), []).append(heat["ratio"][best]["median"])
    return {of: statistics.median(each) for of, each in ratios.items()}


def _like(heat: dict) -> tuple:
    """What a heat shares with those that it is held against: all but shape and constant."""
    problem = heat["problem"]
    return problem["set"], problem["dtype"], problem["layout"], problem["door"], heat["threads"], heat["begin"]
