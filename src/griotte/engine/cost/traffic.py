"""What an operand's lines cost on their way between a memory level and the core, whoever moves them."""

from __future__ import annotations

import numpy as np

from ...lang.nests.access import Access
from ...lang.nests.family import LINE, Family, Operand
from ...lang.types.expr import Arg
from ...machine.core import OPTIONAL
from ..footprint import abreast, begun, crowded, known, lines, pages, resident, rows, runs, unkept
from .ports import tied

STRETCHES = {"stream": "run", "store": "run", "result": "strip"}
"""The coefficient of a stretch of consecutive lines, by that of its lines; where rows are read several at a time it is
`start`."""

BEGINNINGS = ("run", "start")
"""The coefficients to which `aliased` comes, where rows begin on the same sets of L1."""

WHOLE = ("run", "start", "abreast")
"""The coefficients by which a long row that is taken whole differs from a part of one."""

MEASURES = {"run": begun, "start": begun, "abreast": abreast, "strip": runs, "piece": rows}
"""What a tile counts of a coefficient; `crowded` lines of one; of the others its lines. A pack counts its rows for
`start`: it reads more of them side by side than come in as one stretch."""


def use(family: Family, i: int) -> str:
    """The coefficient of operand i's lines: `line` where a reduction of several inputs reads them, `stream` where one
    of one input or a map does, `result` and `store` where either writes them."""
    op, i = family.operation.role(i)
    if i == len(op.inputs):
        return "result" if op.combine else "store"
    return "line" if op.combine and op.streamed > 1 else "stream"


def kinds(family: Family, i: int) -> tuple[str, ...]:
    """The coefficients of operand i: of its lines, of a stretch of them, and of crowded ones where rows are read side
    by side, as reductions and packs do. A sum also counts long rows that it reads whole. A pack is what first reads a
    tensor that rests in memory: each of its stretches is a `piece` too, wherever a view says that it lies."""
    kind, is_read, nest = use(family, i), i < len(family.operands) - 1, family.operation.role(i)[0]
    if is_read and nest.combine:
        return (kind, "start", "crowded", *(["abreast"] if kind == "stream" else []))
    if _packs(family, i):
        return (kind, "start", "piece") if family.operands[i].layout.uncached else (kind, "start")
    return kind, STRETCHES[kind]


def by_rows(family: Family, i: int) -> bool:
    """Whether a leaf goes along the rows of operand i: a sum of each row, or a map all of whose arrays have their rows
    along one dimension. Others take parts of rows, though a tile holds whole ones."""
    nest = family.operation.role(i)[0]
    if nest.combine:
        return family.unit_dim(i) in nest.summed
    return len({family.unit_dim(j) for j, operand in enumerate(family.operands) if len(operand.layout.order) > 1}) == 1


def _packs(family: Family, i: int) -> bool:
    """Whether operand i is what a pack reads."""
    nest = family.operation.role(i)[0]
    return (
        i < len(family.operands) - 1
        and family.output.layout.panel is not None
        and not nest.combine
        and isinstance(nest.body, Arg)
    )


def trips(family: Family, i: int) -> int:
    """How often operand i crosses: once; an output that is added to is fetched and written back."""
    return 2 if family.accumulate and i == len(family.operands) - 1 else 1


def at(target, level: int, counts: dict) -> dict:
    """The features that such counts are at a level; of `OPTIONAL` those that the target has a price of."""
    features = {f"{name}.{target.levels[level].name}": (name, count) for name, count in counts.items()}
    return {f: n for f, (name, n) in features.items() if name not in OPTIONAL or f in target.coefficient}


def added(*parts: dict) -> dict:
    """The sum of feature counts."""
    total: dict = {}
    for part in parts:
        for name, count in part.items():
            total[name] = total.get(name, 0) + count
    return total


def counts(family: Family, i: int, target, size, times: int) -> dict:
    """Lines of a tile of operand i that crosses `times`, the stretches of memory that they are, and crowded lines. If a
    reduction or a pack reads rows whole pages apart side by side, the stretches that L1 does not keep are `aliased`
    too. In a cache whole rows are `abreast` from `streams` on: of fewer, what comes ahead of the end of one is there
    when the next begins (docs/lab/prices/README.md, Rows side by side). Lines from memory come too late for that."""
    line = target.spans.line
    access, operand, size = family.access(i), family.operands[i], family.touched(i, size, line)
    is_packed, goes_along = _packs(family, i), by_rows(family, i)

    def measured(kind: str):
        if kind == "crowded":
            return crowded(access, operand, size, target.crossing.streams, line)
        if kind not in MEASURES:
            return lines(access, operand, size, line)
        if is_packed and kind == "start":
            return rows(access, operand, size)
        if kind in WHOLE and not goes_along:
            return 0.0 if kind == "abreast" else runs(access, operand, size)
        found = MEASURES[kind](access, operand, size)
        if kind == "abreast" and operand.level < len(target.levels) - 1:
            return np.where(found >= target.crossing.streams, found, 0.0)
        return found

    counted = {kind: times * measured(kind) for kind in kinds(family, i)}
    if "start" not in counted or not target.crossing.ways:
        return _of_turned(family, i, target, _with_aliased(operand, target, counted))
    nearest = target.levels[1].capacity
    lost = unkept(access, operand, size, nearest / line if nearest else np.inf, target.spans)
    return counted | ({"aliased": counted["start"] * lost} if operand.layout.alias >= target.spans.page else {})


def _with_aliased(operand: Operand, target, counted: dict) -> dict:
    """Counts of an operand; where its rows are whole pages apart, so that all begin on the same sets of L1, their
    beginnings as `aliased` too."""
    begun = [counted[name] for name in BEGINNINGS if name in counted]
    is_aliased = operand.layout.alias >= target.spans.page and not operand.layout.drift
    return counted | ({"aliased": sum(begun)} if begun and is_aliased else {})


def met(family: Family, i: int, target, size, times: int) -> dict:
    """What a leaf counts of a tile of operand i. A core goes on along some rows by itself: of rows in L2 that a
    reduction takes parts of, those up to `streams` begin anew in part at most. (From further away a leaf does not tell
    whether the next one goes on along them.)"""
    found, operand = counts(family, i, target, size, times), family.operands[i]
    crossing = target.crossing
    if operand.level != 2 or not crossing.followed or "start" not in found or _packs(family, i) or by_rows(family, i):
        return found
    count = runs(family.access(i), operand, family.touched(i, size, target.spans.line))
    share = np.minimum(1.0, crossing.streams / np.maximum(count, 1))
    return found | {"start": found["start"] * (1 - crossing.followed * share)}


def turns(family: Family) -> bool:
    """Whether a family is a copy whose fastest axis is another than its source's."""
    if not family.operation.is_lone or len(family.operands) != 2 or family.output.layout.panel is not None:
        return False
    return not family.nest.combine and isinstance(family.nest.body, Arg) and not by_rows(family, 0)


def _of_turned(family: Family, i: int, target, counted: dict) -> dict:
    """Counts of an operand. Where a machine measured what transposes take of a line, each line that they read counts
    that, in place of the beginnings of parts of rows."""
    if f"turned.{target.levels[family.operands[i].level].name}" not in target.coefficient or not turns(family):
        return counted
    more = {"turned": counted["stream"]} if i == 0 else {}
    return {name: count for name, count in counted.items() if name != "run"} | more


def features(family: Family, i: int, target, size) -> dict:
    """What a leaf counts of operand i, at the level it is at; over a mesh worked out once for all families that have
    it so."""
    operand, times = family.operands[i], trips(family, i)
    key = "features", family.operation, i, operand, times, _packs(family, i), by_rows(family, i), turns(family)
    return known(size, key, lambda: at(target, operand.level, met(family, i, target, size, times)))


def exposed(family: Family, target, size, share) -> dict:
    """What a result counts besides: its reduction does not hide `share` of its way."""
    last, output = len(family.operands) - 1, family.output
    access, times = family.access(last), trips(family, last)
    counted = {
        "late": share * times * lines(access, output, size, target.spans.line),
        "run": share * times * runs(access, output, size),
    }
    return at(target, output.level, _with_aliased(output, target, counted))


def nontemporal(family: Family, target, size) -> dict:
    """What an output counts that is written past the caches; a stretch of it begins and ends within a line."""
    access, output = family.access(len(family.operands) - 1), family.output
    stretches = (begun if by_rows(family, len(family.operands) - 1) else runs)(access, output, size)
    counted = {"nontemporal": lines(access, output, size, target.spans.line), "store": 2 * stretches, "run": stretches}
    return at(target, output.level, _with_aliased(output, target, counted))


def met_anew(family: Family, i: int, target, size):
    """Pages that a leaf finds without a translation at every call. They are those of a far operand, and of one whose
    rows begin within a line and are half a page to a page apart."""
    operand, crossing = family.operands[i], target.crossing
    if operand.layout.far:
        found = pages(family.access(i), operand, size, target.spans)
    elif operand.layout.apart and operand.layout.split and crossing.between:
        found = crossing.between * runs(family.access(i), operand, size)
    else:
        return 0
    return np.maximum(0, found - crossing.recent_pages) * crossing.anew


def overlapped(family: Family, i: int, target, size, cycles) -> dict:
    """What input i of a reduction of so many cycles counts less at its level: of a panel that is asked for long before,
    the lines that come while it computes."""
    operand = family.operands[i]
    if target.prefetch.far_panel == 0 or operand.layout.panel is None or operand.level < len(target.levels) - 1:
        return {}
    line = target.spans.line
    count = lines(family.access(i), operand, size, line)
    return at(
        target,
        operand.level,
        {
            use(family, i): -np.minimum(
                count * target.crossing.most_overlapped, cycles / (target.crossing.overlapping * line / LINE)
            )
        },
    )


def folded(family: Family, i: int, target, size, lane: str) -> dict:
    """Further counts of input i of a reduction where rows that it reads side by side begin on so few sets of L1 that
    they do not hold a line of each. Where a step spreads an element of each row over its lanes, lines are fetched again
    at the operand's level. Where a step takes whole lines, prefetched lines are lost, and read again from L2."""
    access, operand, near, line = family.access(i), family.operands[i], target.levels[1], target.spans.line
    if operand.level < 2:
        return {}
    unit = family.unit_dim(i)
    is_spread = lane in family.operation.dims and lane not in access.dims
    if unit not in family.nest.summed or lane != unit and not is_spread:
        return {}
    step = resident(
        access,
        operand,
        {**size, **{d: np.minimum(size[d], line // operand.bytes if d == unit else 1) for d in family.nest.summed}},
        target.spans,
    )
    count, room = lines(access, operand, size, line), near.capacity / line
    if lane == unit:
        return at(target, 2, {use(family, i): target.crossing.lost * count * np.maximum(0.0, 1 - room / step)})
    return at(
        target,
        operand.level,
        {use(family, i): np.where(step > target.crossing.fitting * room, (target.crossing.refetched - 1) * count, 0.0)},
    )


def outlasting(family: Family, target, size, cycles, busy, lane: str):
    """Cycles beyond `cycles`, which a reducing leaf takes with its lanes along `lane`, computing for `busy` of them,
    and beyond its inputs' counts. Arithmetic and lines take the longer of the two, and more the more they are
    alike (`ports.tied`). Where they take the same, `line` of `stream` shows, of a leaf that computes in all cycles
    (`eased`). A stretch begins unseen as far as the way is free."""
    if target.crossing.outlasting == 0:
        return 0.0
    price, whole, shown, starts = target.coefficient, 0.0, 0.0, 0.0
    for i, operand in enumerate(family.operands[: family.nest.streamed]):
        counted, level = met(family, i, target, size, 1), target.levels[operand.level].name
        whole = whole + price[f"stream.{level}"] * counted["line"]
        shown = shown + price[f"line.{level}"] * counted["line"]
        starts = starts + price[f"start.{level}"] * counted["start"]
        starts = starts + price.get(f"aliased.{level}", 0.0) * counted.get("aliased", 0.0)
        for feature, count in folded(family, i, target, size, lane).items():
            whole, shown = whole + price[feature.replace("line", "stream")] * count, shown + price[feature] * count
    unseen = starts * np.maximum(0.0, 1 - (whole + starts) / cycles)
    return target.crossing.outlasting * (
        tied(eased(1 + shown / np.maximum(whole, 1e-9), busy / cycles, target), cycles, whole) - cycles - shown - unseen
    )


def eased(ratio, share, target):
    """The ratio of a leaf whose ports compute in a share of its cycles (`Crossing.slack`): in the others it catches up
    what a line's delay takes."""
    return ratio ** np.minimum(1.0, share) ** target.crossing.slack


def cut(family: Family, dim: str, target, size) -> dict:
    """The counts of each step of a loop over `dim` but the first. An input that has several panels counts those that
    the loop leaves half-way and comes back to. A result counts the pages of rows that it comes back to, where they are
    more than have their translations kept. (A reduction computes while those of inputs are looked up.)"""
    found: dict = {}
    for i, operand in enumerate(family.operands[:-1]):
        access, panel = family.access(i), operand.layout.panel
        if panel is not None and dim in access.dims and access.axis_of(dim) != panel[0]:
            panels = np.ceil(np.asarray(access.shape(size)[panel[0]]) / panel[1])
            found = added(found, at(target, operand.level, {"panel": np.where(panels > 1, panels, 0.0)}))
    access, output = family.access(len(family.operands) - 1), family.output
    if _comes_back(access, output, dim):
        met = runs(access, output, {**size, dim: 1})
        found["pages"] = np.where(met > target.crossing.recent_pages, met, 0.0)
    return found


def _comes_back(access: Access, operand: Operand, dim: str) -> bool:
    """Whether steps along `dim` meet the same rows of an operand, most of them on pages of their own."""
    layout = operand.layout
    return layout.apart and len(layout.order) > 1 and (dim not in access.dims or access.axis_of(dim) == layout.order[0])
