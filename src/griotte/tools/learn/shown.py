"""A performance model in words: what it was made of, its largest terms, what it knows, what it earned."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from ...engine.learned.model import PerformanceModel

_LARGEST = 12  # terms that are shown


def shown(model: PerformanceModel) -> list[str]:
    """Lines for a person."""
    origin, accuracy = model.origin, model.accuracy
    programs = sum(origin.programs.values())
    return [
        f"{model.learner.word}, fitted to {programs} programs of {origin.groups} groups by griotte {origin.griotte};"
        f" features of version {model.version}, data {origin.digest[:12]}",
        f"operations: {', '.join(f'{name} {count}' for name, count in origin.programs.items())}",
        f"targets: {', '.join(origin.targets)}",
        *(f"machine: {name}, {np.exp(-log) / 1000:.2f} cycles of the price a ns" for name, log in origin.clock.items()),
        f"counts by {model.shrink:.2f}; within a Spec held-out prices are off by {_percent(accuracy.price)},"
        f" predictions by {_percent(accuracy.floor)} and {accuracy.scale:.1f} times the members' spread, the clock by"
        f" {_percent(accuracy.noise)}",
        f"knows what is within {model.seen.limit:.2f} of its {len(model.seen.points)} points, and of which its"
        f" members are within {_percent(accuracy.limit)}",
        "",
        "largest terms (what a usual change of a feature does to the time)",
        *(f"  {name:40} {_percent(size, sign=True)}" for name, size in terms(model).items()),
        "",
        "held-out Specs        first   of five     worst    tau   runs to the best",
        *(_earned(name, figures) for name, figures in origin.earned.items()),
    ]


def terms(model: PerformanceModel) -> dict[str, float]:
    """The largest terms, by feature: what its standard deviation does to the logarithm of the time; of trees without
    its sign."""
    sizes = model.shrink * model.learner.terms(model.seen.scale)
    order = np.argsort(-np.abs(sizes), kind="stable")[:_LARGEST]
    return {model.names[number]: float(sizes[number]) for number in order if sizes[number]}


def facts(model: PerformanceModel) -> dict:
    """What --json says."""
    return {
        "learner": model.learner.word,
        "features": {"version": model.version, "count": len(model.names)},
        "shrink": model.shrink,
        "accuracy": model.accuracy._asdict(),
        "limit": model.seen.limit,
        "points": len(model.seen.points),
        "terms": terms(model),
    } | asdict(model.origin)


def _earned(name: str, figures) -> str:
    share = lambda key: f"{100 * figures.get(key, float('nan')):8.2f} %"
    return (
        f"  {name:16}{share('first')}{share('five')}{share('worst')}  {figures.get('tau', float('nan')):5.2f}"
        f"   {figures.get('runs', float('nan')):5.1f}"
    )


def _percent(value: float, sign: bool = False) -> str:
    return f"{100 * value:{'+' if sign else ''}.2f} %"
