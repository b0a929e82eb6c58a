"""From the probes' measurements to the machine's parameters: differences and ratios, within the declared bounds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...engine.cost.ports import tied
from ...engine.leaves.reduce.price import moves
from ...lang.nests.family import LINE
from ...machine.core import Handling
from ...machine.machine import BY_NAME, FAR, LEAST_CYCLES, SLACK
from .probes import ABREAST, BESIDE, CROWD, LONG, PANELS, PARTS, ROWS, STEPS, STRIDED

RATES = ("multiply_add", "mixed", "load", "broadcast", "store", "shuffle", "issue")
# of an accumulator that is stored, and of one that is added to what was there
STORING = moves(Handling(), 1) / moves(Handling(), 2)
SOONER = 1.25  # times what a leaf takes that reads the same: what a plain read may take more, for clocks differ
TRIED, NARROWED = 33, 4  # ratios that are tried at once, and how often between the neighbours of the best
TEAM = ("fork", "transfer", *(f"{name}.{level}" for name in ("shared", "written") for level in FAR[1:]))


def parameters(measured: Mapping[str, np.ndarray | float], line: int = LINE) -> dict[str, np.ndarray]:
    """Parameters by name, of those for which there are measurements: of one number of each probe, or of many in the
    same order; on a machine whose lines have so many bytes."""
    cycles = {name: np.asarray(found, float) for name, found in measured.items()}
    found = {name: 1 / cycles[name] for name in RATES} | {
        "latency": cycles["chain"],
        "page": cycles["pages"] - cycles["pages.few"],
    }
    for level in (level for level in FAR if f"read.{level}" in cycles):
        read = cycles[f"read.{level}"]
        found |= {
            f"read.{level}": reached(cycles, level),
            f"write.{level}": cycles[f"copy.{level}"] - read,
            f"hidden.{level}": hidden(cycles, level),
        }
        if f"turned.{level}" in cycles:
            found[f"turned.{level}"] = np.maximum(LEAST_CYCLES, cycles[f"turned.{level}"] - cycles[f"copy.{level}"])
        if level in FAR[1:] and f"strips.{level}" in cycles:
            found[f"first.{level}"] = cycles[f"strips.{level}"] - read
        if f"crowd.{level}.{CROWD[0]}" in cycles:
            few, many = (cycles[f"crowd.{level}.{rows}"] for rows in CROWD)
            found[f"crowded.{level}"] = np.maximum(LEAST_CYCLES, (many - few) / (1 - CROWD[0] / CROWD[1]))
        if f"abreast.{level}" in cycles:
            found[f"abreast.{level}"] = cycles[f"abreast.{level}"] - ABREAST * read
    if "read.L2" in cycles:
        found |= {
            "first.L2": begun(cycles),
            "aliased.L2": cycles["strips.L2"] - cycles["apart.L2"],
        }
        if "strided.L2.few" in cycles:
            found["followed"] = followed(cycles)
    if "read.L3" in cycles:
        part, whole = (cycles[f"parts.L3.{count}"] for count in PARTS)
        found["hiding"] = hiding(cycles, np.fmin(found["hidden.L3"], found.get("hidden.memory", 1.0)))
        found["passed"] = (part - whole) * (PARTS[0] / line) / cycles["read.L3"]
    found |= {"leaf": _entering(cycles), "tie": tie(cycles)}
    if "fork" in cycles:
        found |= {"fork": cycles["fork"], "transfer": cycles["transfer"] - cycles["own"]}
    for level in (level for level in FAR if f"shared.{level}.1" in cycles):
        found[f"shared.{level}"] = cycles[f"shared.{level}.2"] / cycles[f"shared.{level}.1"]
    for level in (level for level in FAR if f"shared_copy.{level}.1" in cycles):
        found[f"written.{level}"] = written(cycles, level)
    found |= {name: cycles[name] for name in cycles if name.startswith("curve.")}
    return {name: np.clip(value, BY_NAME[name].least, BY_NAME[name].most) for name, value in found.items()}


def _strided(cycles: Mapping[str, np.ndarray]) -> np.ndarray:
    """What a step takes beyond one of a panel, in the mean of rows of several lengths."""
    steps = [cycles[f"strided.L2.{at}"] for at in range(len(STRIDED))]
    return np.maximum(0.0, np.mean(steps, axis=0) - cycles["strided.L2.panel"])


def followed(cycles: Mapping[str, np.ndarray]) -> np.ndarray:
    """The share of what parts of many rows take beyond a panel that parts of few rows do not take."""
    few = np.maximum(0.0, cycles["strided.L2.few"] - cycles["strided.L2.panel"])
    return 1 - few / np.maximum(_strided(cycles), LEAST_CYCLES)


def begun(cycles: Mapping[str, np.ndarray]) -> np.ndarray:
    """Cycles of the beginning of a stretch from L2. With them `traffic.outlasting` gives the mean of the cycles that
    rows of several lengths take beyond a panel. It shows a beginning beside a leaf's arithmetic in part: in the share
    that beginnings and lines, two of each, are of that."""
    panel = cycles["strided.L2.panel"]
    more = _strided(cycles)
    way = 2 * cycles["read.L2"]
    return np.where(more + way < panel, (np.sqrt(way**2 + 4 * more * panel) - way) / 2, more)


def reached(cycles: Mapping[str, np.ndarray], level: str, probe: str = "read") -> np.ndarray:
    """Cycles of a line that is read from a level: those of a read. Where a leaf that reads and computes takes far
    fewer, those of the leaf: lines that programs ask for ahead come sooner than a core sees by itself."""
    read = cycles[f"{probe}.{level}"]
    leaves = np.fmin.reduce([cycles[f"beside.{level}.{rows}"] for rows in BESIDE])
    return np.where(read > SOONER * leaves, leaves, read)


def written(cycles: Mapping[str, np.ndarray], level: str) -> np.ndarray:
    """Times as long that a line takes to write while a second thread writes too: of copying, less reading."""
    (one, two), (copy, copies) = (
        [cycles[f"{name}.{level}.{shares}"] for shares in (1, 2)] for name in ("shared", "shared_copy")
    )
    return np.maximum(copies - two, LEAST_CYCLES) / np.maximum(copy - one, LEAST_CYCLES)


def hidden(cycles: Mapping[str, np.ndarray], level: str) -> np.ndarray:
    """Of arithmetic and reading that take the same, the share of either that vanishes behind the other. Leaves of few
    and of many rows are predicted best with it; where such were timed, those that walk down long panels. The last leaf
    computes in all of its cycles, others in as much less as they have fewer rows."""
    probe, tiles = "panel", {f"{rows}x{wide}": rows for rows, wide in PANELS}
    if any(f"panel.{level}.{tile}" not in cycles for tile in tiles):
        probe, tiles = "beside", {str(rows): rows for rows in BESIDE}
    alone, both = (np.stack([cycles[f"{probe}.{at}.{tile}"] for tile in tiles], axis=-1) for at in ("L1", level))
    rows, both = np.array(list(tiles.values())), np.maximum(alone, both)
    computes = np.minimum(1.0, alone[..., -1:] / alone * rows / rows[-1])
    return 2 - _ratio(alone, reached(cycles, level, "plain")[..., None], both, computes**SLACK)


def hiding(cycles: Mapping[str, np.ndarray], share: np.ndarray) -> np.ndarray:
    """The parameter `hiding`: products that take so many times the way of lines from L3 hide `share` of it, and shorter
    ones hide proportionally less. It is the factor that predicts leaves of few and of many rows best. As where programs
    are priced (engine.cost.views), the products of few rows are as much shorter than those of many, though such leaves
    wait for their loads."""
    alone, both = (np.stack([cycles[f"beside.{where}.{rows}"] for rows in BESIDE], axis=-1) for where in ("L1", "L3"))
    way, tried = (
        reached(cycles, "L3", "plain")[..., None],
        np.geomspace(BY_NAME["hiding"].least, BY_NAME["hiding"].most, 97),
    )
    products = alone[..., -1:] * np.array(BESIDE) / BESIDE[-1]
    seen = [1 - share[..., None] * np.minimum(1.0, products / (way * times)) for times in tried]
    errors = np.stack([np.sum(np.log((alone + way * left) / both) ** 2, axis=-1) for left in seen])
    best = tried[np.argmin(np.where(np.isfinite(errors), errors, np.inf), axis=0)]
    return np.where(np.isfinite(errors).all(axis=0), best, np.nan)


def tie(cycles: Mapping[str, np.ndarray]) -> np.ndarray:
    """The parameter `tie`: a leaf's step takes so many times the longer of the two where its ports are busy for as long
    as its accumulators wait. It is the factor that predicts the steps of leaves of more and more rows best."""
    few, more = LONG
    steps = np.stack(
        [(cycles[f"rows.{rows}.{more}"] - cycles[f"rows.{rows}.{few}"]) / (more - few) for rows in ROWS], axis=-1
    )
    busy = np.stack(
        [
            np.maximum(2 * rows * cycles["multiply_add"], 2 * cycles["load"] + rows * cycles["broadcast"])
            for rows in ROWS
        ],
        axis=-1,
    )
    return _ratio(busy, cycles["chain"][..., None], np.where(steps > 0, steps, np.nan))


def _ratio(one: np.ndarray, other: np.ndarray, both: np.ndarray, power: np.ndarray | float = 1.0) -> np.ndarray:
    """The ratio, 1 to 2, whose powers let `ports.tied` predict joint cycles best from each one's cycles alone, along
    the last axis. NaN where one has no number."""
    least, most = np.ones(both.shape[:-1]), np.full(both.shape[:-1], 2.0)
    for _ in range(NARROWED):
        tried = np.linspace(least, most, TRIED)
        errors = np.sum(np.log(tied(tried[..., None] ** power, one, other) / both) ** 2, axis=-1)
        best = np.argmin(errors, axis=0)[None]
        least, most = (np.take_along_axis(tried, np.clip(best + step, 0, TRIED - 1), 0)[0] for step in (-1, 1))
    return np.where(np.isfinite(errors).all(axis=0), np.take_along_axis(tried, best, 0)[0], np.nan)


def _entering(cycles: Mapping[str, np.ndarray]) -> np.ndarray:
    """Cycles of a call of a leaf that stores its result, beyond its steps and the latency of the last one. The timed
    leaf adds to its result; `STORING` is the share of its moves that the storing leaf has."""
    few, more = STEPS
    step = (cycles[f"leaf.{more}"] - cycles[f"leaf.{few}"]) / (more - few)
    return STORING * (cycles[f"leaf.{few}"] - few * step - cycles["chain"])
