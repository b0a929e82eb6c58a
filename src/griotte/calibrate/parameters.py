"""From what the probes measured to the machine's parameters: differences and ratios, within the bounds that are declared."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..cost.accumulators import moves
from ..cost.ports import tied
from ..targets.machine import BY_NAME, FAR
from ..targets.target import Handling
from .probes import BESIDE, LONG, ROWS, STEPS

RATES = ("multiply_add", "mixed", "load", "broadcast", "store", "shuffle", "issue")
STRETCH = 4  # lines of a stretch that is read
STORING = moves(Handling(), 1) / moves(Handling(), 2)  # of an accumulator that is stored, and of one that is added to what was there
SHARES = np.linspace(0, 1, 1001)  # what is tried for `hidden`
TIES = np.arange(1.0, 1.5, 0.002)  # what is tried for `tie`
TEAM = ("fork", "transfer")


def parameters(cycles: Mapping[str, float]) -> dict[str, float]:
    """Parameters by name, of those for which there are measurements."""
    found = {name: 1 / cycles[name] for name in RATES} | {"latency": cycles["chain"], "page": cycles["pages"] - cycles["pages.few"]}
    for level in (level for level in FAR if f"read.{level}" in cycles):
        read = cycles[f"read.{level}"]
        found |= {f"read.{level}": read, f"write.{level}": cycles[f"copy.{level}"] - read, f"first.{level}": cycles[f"stretches.{level}"] - STRETCH * read, f"hidden.{level}": hidden(cycles, level)}
    found |= {"leaf": _entering(cycles), "tie": tie(cycles)}
    if "fork" in cycles:
        found |= dict(zip(TEAM, (cycles["fork"], cycles["transfer"] - cycles["own"])))
    return {name: float(np.clip(value, BY_NAME[name].least, BY_NAME[name].most)) for name, value in found.items()}


def hidden(cycles: Mapping[str, float], level: str) -> float:
    """Of arithmetic and reading that take the same, the share of either that vanishes behind the other: that with which leaves of few and of many rows are predicted best."""
    read = cycles[f"read.{level}"]
    alone, both = (np.array([cycles[f"beside.{where}.{rows}"] for rows in BESIDE]) for where in ("L1", level))
    return 2 - _ratio(2 - SHARES, alone, read, both)


def tie(cycles: Mapping[str, float]) -> float:
    """Times the longer of the two that a step of a leaf takes whose ports are busy for as long as its accumulators wait: with which the steps of leaves of more and more rows are predicted best."""
    few, more = LONG
    steps = np.array([(cycles[f"rows.{rows}.{more}"] - cycles[f"rows.{rows}.{few}"]) / (more - few) for rows in ROWS])
    if not (steps > 0).all():
        return np.nan
    busy = np.maximum(2 * np.array(ROWS) * cycles["multiply_add"], 2 * cycles["load"] + np.array(ROWS) * cycles["broadcast"])
    return _ratio(TIES, busy, cycles["chain"], steps)


def _ratio(tried: np.ndarray, one, other, both: np.ndarray) -> float:
    """The ratio, of those tried, with which `ports.tied` predicts best what things take together from what each takes alone; NaN where one has no number."""
    errors = [np.sum(np.log(tied(ratio, one, other) / both) ** 2) for ratio in tried]
    return float(tried[int(np.argmin(errors))]) if np.isfinite(errors).all() else np.nan


def _entering(cycles: Mapping[str, float]) -> float:
    """What a call of a leaf that stores its result takes beyond its steps and the latency of the last of them: the share that these moves are of those of the leaf that is timed, which adds to it."""
    few, more = STEPS
    step = (cycles[f"leaf.{more}"] - cycles[f"leaf.{few}"]) / (more - few)
    return STORING * (cycles[f"leaf.{few}"] - few * step - cycles["chain"])
