"""What an operand's lines cost on their way between a memory level and the core, whoever moves them."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..spec.expr import Arg
from ..spec.family import LINE, Family, Operand, crowded, lines, pages, product, resident, rows, runs, unit_dim
from .ports import tied

STRETCHES = {"stream": "run", "store": "run", "result": "strip"}
"""The coefficient of a stretch of consecutive lines, by that of its lines; where rows are read several at a time it is `start`."""

MEASURES = {"run": runs, "start": runs, "strip": runs, "piece": rows}
"""What a tile counts of a coefficient; `crowded` lines of one; of the others its lines. A pack counts its rows for `start`: it reads more of them side by side than come in as one stretch."""


def use(family: Family, i: int) -> str:
    """Which coefficients price the lines of operand i: `line` where a reduction of several inputs reads them, which computes
    meanwhile, and `result` where a reduction writes them; `stream` where a map reads them or a reduction of one input, which hides next
    to nothing, `store` where a map writes them."""
    op, i = family.operation.role(i)
    reduces, inputs = bool(op.combine), op.streamed
    if i == len(op.inputs):
        return "result" if reduces else "store"
    return "line" if reduces and inputs > 1 else "stream"


def kinds(family: Family, i: int) -> tuple[str, ...]:
    """The coefficients of operand i: of its lines, of a stretch of them, and where rows are read side by side of crowded ones.
    Reductions and packs read several rows at a time; a map reads row after row, and a
    result is asked for long before it is read. A pack is what first reads a tensor that rests in memory: each of its stretches is a
    `piece` too, wherever a view says that it lies."""
    kind, is_read, nest = use(family, i), i < len(family.operands) - 1, family.operation.role(i)[0]
    if is_read and nest.combine:
        return kind, "start", "crowded"
    if _packs(family, i):
        return (kind, "start", "piece") if family.operands[i].layout.uncached else (kind, "start")
    return kind, STRETCHES[kind]


def _packs(family: Family, i: int) -> bool:
    """Whether operand i is what a pack reads."""
    nest = family.operation.role(i)[0]
    return i < len(family.operands) - 1 and family.output.layout.panel is not None and not nest.combine and isinstance(nest.body, Arg)


def trips(family: Family, i: int) -> int:
    """How often operand i crosses: once; an output that is added to is fetched and written back."""
    return 2 if family.accumulate and i == len(family.operands) - 1 else 1


def features(family: Family, i: int, operand: Operand, target, size, times: int) -> dict:
    """What a tile of operand i counts that crosses `times`, at the level it is at."""
    return at(target.levels[operand.level].name, counts(family, i, operand, target, size, times))


def counts(family: Family, i: int, operand: Operand, target, size, times: int) -> dict:
    """Lines of a tile that crosses `times`, the stretches of memory that they are, and crowded lines."""
    access, size = family.access(i), touched(family, i, size)
    measures = MEASURES | {"crowded": partial(crowded, streams=target.crossing.streams)} | ({"start": rows} if _packs(family, i) else {})
    return {kind: times * measures.get(kind, lines)(access, operand, size) for kind in kinds(family, i)}


def touched(family: Family, i: int, size):
    """`size` as the traffic of operand i sees it: of a picked dimension, as many as are picked; a line for each where its neighbours are neighbours in memory."""
    op, _ = family.operation.role(i)
    if not op.picks:
        return size
    found, unit = op.touched(size), family.unit_dim(i)
    if unit in op.picked:
        found[unit] = np.minimum(size[unit], found[unit] * LINE / family.operands[i].bytes)
    return found


def overlapped(family: Family, i: int, operand: Operand, target, size, cycles) -> dict:
    """What input i of a reduction of so many cycles counts less at its level: of a panel that is asked for long before, the lines that come while
    it computes."""
    if target.prefetch.far_panel == 0 or operand.layout.panel is None or operand.level < len(target.levels) - 1:
        return {}
    count = lines(family.access(i), operand, size)
    return at(target.levels[operand.level].name, {use(family, i): -np.minimum(count * target.crossing.most_overlapped, cycles / target.crossing.overlapping)})


def outlasting(family: Family, target, size, cycles, lane: str):
    """Cycles of a leaf that reduces in so many by its ports, its lanes along `lane`, beside these and what its inputs count: the two at once take the longer, and more the more they are alike (`ports.tied`). What
    shows of lines that come for as long as the arithmetic takes is `line` of `stream`, of those that are fetched again too; a stretch begins unseen as far as the way is free."""
    if target.crossing.outlasting == 0:
        return 0.0
    price, whole, shown, starts = target.coefficient, 0.0, 0.0, 0.0
    for i, operand in enumerate(family.operands[: family.operation.streamed]):
        counted, level = counts(family, i, operand, target, size, 1), target.levels[operand.level].name
        whole, shown = whole + price[f"stream.{level}"] * counted["line"], shown + price[f"line.{level}"] * counted["line"]
        starts = starts + price[f"start.{level}"] * counted["start"]
        for feature, count in folded(family, i, operand, target, size, lane).items():
            whole, shown = whole + price[feature.replace("line", "stream")] * count, shown + price[feature] * count
    unseen = starts * np.maximum(0.0, 1 - (whole + starts) / cycles)
    return target.crossing.outlasting * (tied(1 + shown / np.maximum(whole, 1e-9), cycles, whole) - cycles - shown - unseen)


def brought(family: Family, i: int, target, size, times: int, near: str) -> dict:
    """What a view of operand i counts that crosses `times`: lines where it is, less those at the level `near`, which a leaf below pays for. Where products hide lines, the whole way of them,
    less the share that all products below do: while a block is multiplied, the first pass over it is a small part of the work."""
    operand = family.operands[i]
    found, far = counts(family, i, operand, target, size, times), target.levels[operand.level].name
    crossing = at(far, found) | at(near, {name: -count for name, count in found.items()})
    if target.crossing.behind == 0 or "line" not in found:
        return crossing
    whole = {f"stream.{far}" if name == f"line.{far}" else name: count for name, count in crossing.items()}
    products = product(size[d] for d in family.operation.dims) / (target.lanes(family.accumulator) * target.ports.arithmetic)
    enough = products / np.maximum(1e-9, found["line"] * target.coefficient[f"stream.{far}"] * target.crossing.hiding)
    return {name: (1 - target.crossing.behind * np.minimum(1.0, enough)) * count for name, count in whole.items()}


def folded(family: Family, i: int, operand: Operand, target, size, lane: str) -> dict:
    """What input i of a reduction counts as well where rows that it reads side by side begin on the same sets of L1, so that a line of each of them does not fit there
    together. Where a step spreads an element of each row over its lanes, a line is fetched again and again at the operand's level; where it takes whole lines, what was
    asked for ahead is lost before it is read, and read again from L2."""
    access, unit, near = family.access(i), unit_dim(family.access(i), operand.layout), target.levels[1]
    if operand.level < 2 or unit not in family.operation.reduction or lane not in (unit, *set(family.operation.dims) - access.dims):
        return {}
    step = resident(access, operand, {**size, **{d: np.minimum(size[d], LINE // operand.bytes if d == unit else 1) for d in family.operation.reduction}})
    count, room = lines(access, operand, size), near.capacity / LINE
    if lane == unit:
        return at(target.levels[2].name, {use(family, i): target.crossing.lost * count * np.maximum(0.0, 1 - room / step)})
    return at(target.levels[operand.level].name, {use(family, i): np.where(step > target.crossing.fitting * room, (target.crossing.refetched - 1) * count, 0.0)})


def exposed(family: Family, operand: Operand, target, size, share) -> dict:
    """What a result counts as well at its level, `share` of which its reduction does not hide."""
    last, level = len(family.operands) - 1, target.levels[operand.level].name
    access, times = family.access(last), trips(family, last)
    return at(level, {"late": share * times * lines(access, operand, size), "run": share * times * runs(access, operand, size)})


def nontemporal(family: Family, operand: Operand, target, size) -> dict:
    """What an output counts that is written past the caches; a stretch of it begins and ends within a line."""
    access = family.access(len(family.operands) - 1)
    stretches = runs(access, operand, size)
    return at(target.levels[operand.level].name, {"nontemporal": lines(access, operand, size), "store": 2 * stretches, "run": stretches})


def cut(family: Family, dim: str, target, size) -> dict:
    """What each step of a loop over `dim` counts but the first: an input's panels, where there are several of them, which it leaves
    half-way and comes back to."""
    found: dict = {}
    for i, operand in enumerate(family.operands[:-1]):
        access, panel = family.access(i), operand.layout.panel
        if panel is not None and dim in access.dims and access.axis_of(dim) != panel[0]:
            panels = np.ceil(np.asarray(access.shape(size)[panel[0]]) / panel[1])
            found = added(found, at(target.levels[operand.level].name, {"panel": np.where(panels > 1, panels, 0.0)}))
    return found


def at(level: str, counts: dict) -> dict:
    """The features that such counts are at a level."""
    return {f"{name}.{level}": count for name, count in counts.items()}


def met_anew(family: Family, i: int, operand: Operand, target, size):
    """Half a page for each page of a far operand that a leaf finds without a translation at every call."""
    return np.maximum(0, pages(family.access(i), operand, size) - target.crossing.recent_pages) * 0.5 if operand.layout.far else 0


def added(*parts: dict) -> dict:
    """The sum of feature counts."""
    total: dict = {}
    for part in parts:
        for name, count in part.items():
            total[name] = total.get(name, 0) + count
    return total
