"""Branches and loops: read as they will run, where that is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...node import MOST_ITERATIONS, Unsupported
from ...operators.array import call, numpy_of
from ...operators.scans import attempted, scanned, unrolled
from ...tables import OperatorTable
from .elementwise import select_n

MOST_TRIPS = 4096  # times that a loop's body is read, where its turns differ
FEW = 4  # turns that are read one after the other, so that they may be fused


def branch(node, index, *operands, branches, **how):
    """The branch that is taken; where that is not known all, if what they give is alike."""
    if index.is_known:
        at = int(np.clip(int(np.asarray(index)), 0, len(branches) - 1))
        return node.ran(branches[at], operands)
    result = [node.ran(each, operands) for each in branches]
    last = len(branches) - 1
    if index.dtype != "pred":
        index = call("clip", index, low=0, high=last) if last > 1 else index != 0
    return [select_n(index, *each) for each in zip(*result)]


def scan(node, *operands, jaxpr, length, num_consts, num_carry, reverse=False, **how):
    """A body that takes the values that are the same in all turns, the carried ones, and a row of each of the
    others."""
    consts, carried = operands[:num_consts], operands[num_consts : num_consts + num_carry]
    series = [(x, bool(reverse)) for x in operands[num_consts + num_carry :]]

    def step(state, parts):
        result = node.ran(jaxpr, [*consts, *state, *parts])
        return result[:num_carry], result[num_carry:]

    steps = node.reader.body(jaxpr).counters([(num_consts + n, n) for n in range(num_carry)])
    rows = len(node.gives) - num_carry
    return repeated(node, int(length), carried, series, step, [bool(reverse)] * rows, steps)


def repeated(node, length: int, carried, series, step, into, steps: dict[int, Any]) -> list[Any]:
    """The results of a loop: the values carried out of it, then its rows.

    Args:
        node: of the loop.
        length: how many turns there are.
        carried: the values carried into it.
        series: arrays that each turn takes a part of, and whether the first turn takes the last.
        step: the results of a turn, from the carried values and from parts.
        into: of each row, whether the first turn gives the last.
        steps: known steps by which carried values grow in each turn, by the values' places.
    """
    if not length:
        return [*carried, *(np.zeros(each.shape, numpy_of(each.dtype)) for each in node.gives[len(carried) :])]
    counted = {n: by for n, by in steps.items() if carried[n].is_known and np.ndim(carried[n]) == 0}
    kept = [n for n in range(len(carried)) if n not in counted]
    counts = {n: _counts(np.asarray(carried[n]), by, length) for n, by in counted.items()}

    def counting(state, parts):
        own = dict(zip(kept, state)) | dict(zip(counts, parts))
        then, rows = step([own[n] for n in range(len(carried))], parts[len(counts) :])
        return [then[n] for n in kept], rows

    whole = [*((array[:-1], False) for array in counts.values()), *series]
    result = _run(node, length, [carried[n] for n in kept], whole, counting, into)
    own = dict(zip(kept, result)) | {n: array[-1] for n, array in counts.items()}
    return [*(own[n] for n in range(len(carried))), *result[len(kept) :]]


def _counts(first: np.ndarray, by: Any, length: int) -> np.ndarray:
    """What a counter is in each turn, and behind the last."""
    if length > MOST_ITERATIONS:
        raise Unsupported(f"a loop of more than {MOST_ITERATIONS:,} turns")
    with np.errstate(over="ignore"):
        return (first + np.arange(length + 1).astype(first.dtype) * np.asarray(by).astype(first.dtype)).astype(
            first.dtype
        )


def _run(node, length: int, carried, series, step, into) -> list[Any]:
    if length > FEW:
        result = attempted(node, lambda: scanned(length, carried, series, step, into))
        if result is not None:
            return result
    if length > MOST_TRIPS:
        raise Unsupported(f"a loop of more than {MOST_TRIPS:,} turns, which is no loop of the language")
    return unrolled(length, carried, series, step, into)


def while_loop(node, *operands, cond_jaxpr, body_jaxpr, cond_nconsts=0, body_nconsts=0):
    """One that compares a counter with a known number: it runs so often as that says."""
    tested, rest = operands[:cond_nconsts], operands[cond_nconsts:]
    consts, carried = rest[:body_nconsts], rest[body_nconsts:]
    same = range(body_nconsts, body_nconsts + len(carried))
    steps = node.reader.body(body_jaxpr).counters([(place, n) for n, place in enumerate(same)])
    length = _trips(node.reader.body(cond_jaxpr).comparison(), [*tested, *carried], steps, len(tested))

    def step(state, parts):
        return node.ran(body_jaxpr, [*consts, *state]), []

    return repeated(node, length, carried, [], step, [], steps)


def _trips(comparison, given, steps, before: int) -> int:
    """How often a loop runs whose condition compares what it carries: x < y, by their places or as numbers."""
    why = "a loop of which it is not known how often it runs"
    if comparison is None:
        raise Unsupported(why)
    how, *sides = comparison
    first, by = zip(*(_course(side, given, steps, before, why) for side in sides))
    if how in ("gt", "ge"):
        how, first, by = {"gt": "lt", "ge": "le"}[how], first[::-1], by[::-1]
    apart, closer = first[1] - first[0], by[0] - by[1]  # of x < y
    if how == "ne":
        if not closer or apart % closer or apart // closer < 0:
            raise Unsupported(why)
        return apart // closer
    if how not in ("lt", "le"):
        raise Unsupported(why)
    apart += how == "le"
    if apart > 0 and closer <= 0:
        raise Unsupported("a loop that does not end")
    return max(0, -(-apart // closer)) if apart > 0 else 0


def _course(side, given, steps, before: int, why: str) -> tuple[int, int]:
    """The compared number in the first turn, and how much it grows in each."""
    kind, what = side
    if kind == "number":
        return int(what), 0
    item = given[what]
    by = 0 if what < before else steps.get(what - before)
    if by is None or not item.is_known or np.asarray(item).dtype.kind not in "iu":
        raise Unsupported(why)
    return int(np.asarray(item)), int(by)


OPERATORS: OperatorTable = (
    ("cond", branch, "case if"),
    ("scan", scan),
    ("while", while_loop),
)
