"""Ways to cover solved families by disjoint boxes, on ten problems: points a box, bytes a point, build and look-up
times.

    .venv/bin/python docs/lab/covers/covers.py             all (minutes)
    .venv/bin/python docs/lab/covers/covers.py --only f32-256

A point is a cell that may be asked for. Build: least time of up to 3 rounds, all families, one thread, ns a point. At:
microseconds of one `Boxes.at` in the family with the most boxes, the mean over 2000 of its points. Bytes: `stored`
below. The last table has the forms of storing the chosen cover. Not a row of run.py: README.md beside it has the
figures and what was chosen.
"""

from __future__ import annotations

import argparse
import time
import zlib
from itertools import permutations

import griotte as gt
import numba
import numpy as np
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.problem import problem
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.engine.table.boxes import FREE, Boxes, cover
from griotte.engine.table.covering import _start, _step, _strides
from griotte.machine import resolve

PROBLEMS = {
    "f32-256": "matmul(f32[256,256], f32[256,256])",
    "f32-1024": "matmul(f32[1024,1024], f32[1024,1024])",
    "f32-odd": "matmul(f32[1000,513], f32[513,777])",
    "bf16-vector": "matmul(bf16[1,2048], const bf16[2048,16384]{0,1}) -> f32[1,16384]",
    "int8-512": "matmul(u8[512,512], s8[512,512]) -> s32[512,512]",
    "f64-300": "matmul(f64[300,300], f64[300,300])",
    "batch": "matmul(f32[12,128,64], f32[12,64,128])",
    "transpose": "transpose(f32[1000,700])",
    "sum": "sum(bf16[3000,400], axis=0)",
    "chain": "add(mul(%b: f32[400], %a: f32[800,400]), sub(%a, %b))",
}
TAKES_TOO_LONG_S = 5.0


# ---- covers: a dense block -> Boxes ----------------------------------------------------------------------------------


def greedy(block: np.ndarray) -> Boxes:
    """The product's: scan in row-major order, growth along the last axis first."""
    asked = block.reshape(-1) != FREE
    rows = np.flatnonzero(asked)
    slot = np.where(asked, np.cumsum(asked) - 1, -1).astype(np.int32)
    return cover(rows, slot, block.reshape(-1)[rows][:, None], block.shape)


def greedy_along(order: tuple[int, ...], block: np.ndarray) -> Boxes:
    """Greedy with the axes in another order: the last of it varies fastest and grows first."""
    found = greedy(np.ascontiguousarray(block.transpose(order)))
    back = np.argsort(order).astype(int)
    return Boxes(block.shape, found.low[:, back], found.high[:, back], found.value)


def greedy_first_axis(block: np.ndarray) -> Boxes:
    return greedy_along(tuple(range(block.ndim))[::-1], block)


def greedy_best_order(block: np.ndarray) -> Boxes:
    """Of all orders (six at most, evenly spaced) the one with the fewest boxes, for each family."""
    orders = list(permutations(range(block.ndim)))
    return min((greedy_along(order, block) for order in orders[:: -(-len(orders) // 6)]), key=lambda b: len(b.value))


def greedy_strict(block: np.ndarray) -> Boxes:
    """Greedy that stops at FREE cells: they are a decision of their own, whose boxes are dropped."""
    other = np.int16(np.iinfo(np.int16).max)
    return _some(greedy(np.where(block == FREE, other, block)), lambda b: b.value != other)


def bisect_middle(block: np.ndarray) -> Boxes:
    """Cut the longest axis in the middle until a part has one decision."""
    return _bisected(block, False)


def bisect_changes(block: np.ndarray) -> Boxes:
    """Cut where the largest share of neighbours differ."""
    return _bisected(block, True)


def runs(block: np.ndarray) -> Boxes:
    """Run lengths along the axis that has the fewest runs."""
    return min((_runs_along(block, axis) for axis in range(block.ndim)), key=lambda b: len(b.value))


def runs_merged(block: np.ndarray) -> Boxes:
    """`runs`, then equal neighbours joined along every axis in turn."""
    found = runs(block)
    for axis in reversed(range(block.ndim)):
        found = _joined(found, axis)
    return found


COVERS = (greedy, greedy_first_axis, greedy_best_order, greedy_strict, bisect_middle, bisect_changes, runs, runs_merged)


def _some(boxes: Boxes, kept) -> Boxes:
    kept = kept(boxes)
    return Boxes(boxes.shape, boxes.low[kept], boxes.high[kept], boxes.value[kept])


def _bisected(block: np.ndarray, by_changes: bool) -> Boxes:
    low, high, value, count = _bisect(block.reshape(-1), np.array(block.shape, np.int64), by_changes)
    return Boxes(block.shape, np.asfortranarray(low[:count]), np.asfortranarray(high[:count]), value[:count].copy())


@numba.njit(cache=True, nogil=True)
def _bisect(block, shape, by_changes):
    axes, strides, room = shape.shape[0], _strides(shape), block.shape[0]
    low, high, value = np.empty((room, axes), np.uint16), np.empty((room, axes), np.uint16), np.empty(room, np.int16)
    stack, depth, count = np.empty((4096, 2, axes), np.int64), 1, 0
    stack[0, 0], stack[0, 1] = 0, shape
    at = np.empty(axes, np.int64)
    while depth:
        depth -= 1
        lo, hi = stack[depth, 0].copy(), stack[depth, 1].copy()
        found = _only(block, shape, strides, lo, hi, at)
        if found == FREE:
            continue
        if found != _MIXED:
            low[count], high[count], value[count] = lo, hi, found
            count += 1
            continue
        axis, place = _cut(block, strides, lo, hi, at, by_changes)
        stack[depth + 1, 0], stack[depth + 1, 1], stack[depth, 0], stack[depth, 1] = lo, hi, lo, hi
        stack[depth + 1, 1, axis], stack[depth, 0, axis] = place, place
        depth += 2
    return low, high, value, count


_MIXED = -9


@numba.njit(cache=True, nogil=True)
def _only(block, shape, strides, lo, hi, at):
    """The one decision of a box, FREE where it has none, _MIXED where it has several."""
    found = FREE
    cell, width, outer = _start(shape, strides, lo, hi, at)
    while cell >= 0:
        for x in range(cell, cell + width):
            if block[x] != FREE:
                if found != FREE and block[x] != found:
                    return _MIXED
                found = block[x]
        cell = _step(strides, lo, hi, at, outer, cell)
    return found


@numba.njit(cache=True, nogil=True)
def _cut(block, strides, lo, hi, at, by_changes):
    """(axis, coordinate) of the plane that divides the box."""
    axis, best = np.argmax(hi - lo), 0.0
    place = (lo[axis] + hi[axis]) // 2
    if not by_changes:
        return axis, place
    cells = 1
    for a in range(lo.shape[0]):
        cells *= hi[a] - lo[a]
    for a in range(lo.shape[0]):
        length = hi[a] - lo[a]
        for p in range(lo[a] + 1, hi[a]):
            share = _changes(block, strides, lo, hi, at, a, p) * length / cells
            if share > best or (
                share == best and share > 0 and abs(2 * p - lo[a] - hi[a]) < abs(2 * place - lo[axis] - hi[axis])
            ):
                axis, place, best = a, p, share
    return axis, place


@numba.njit(cache=True, nogil=True)
def _changes(block, strides, lo, hi, at, axis, place):
    """Neighbours across a plane that have two decisions."""
    last, count, first, end = lo.shape[0], 0, lo[axis], hi[axis]
    lo[axis], hi[axis] = place, place + 1
    cell = 0
    for a in range(last):
        at[a] = lo[a]
        cell += lo[a] * strides[a]
    while cell >= 0:
        here, before = block[cell], block[cell - strides[axis]]
        count += here != before and here != FREE and before != FREE
        cell = _step(strides, lo, hi, at, last, cell)
    lo[axis], hi[axis] = first, end
    return count


def _runs_along(block: np.ndarray, axis: int) -> Boxes:
    lines = np.ascontiguousarray(np.moveaxis(block, axis, -1))
    line, first, end, value, count = _runs(lines.reshape(-1, block.shape[axis]))
    rest = [a for a in range(block.ndim) if a != axis]
    low = np.empty((count, block.ndim), np.uint16, order="F")
    low[:, rest] = np.stack(np.unravel_index(line[:count], lines.shape[:-1]), axis=1) if rest else 0
    high = low + np.uint16(1)
    low[:, axis], high[:, axis] = first[:count], end[:count]
    return Boxes(block.shape, low, np.asfortranarray(high), value[:count].copy())


@numba.njit(cache=True, nogil=True)
def _runs(lines):
    """(line, first, one past the last, decision, count); FREE cells belong to the run before them, or to a line's
    first."""
    line, first = np.empty(lines.size, np.int64), np.empty(lines.size, np.uint16)
    end, value = np.empty(lines.size, np.uint16), np.empty(lines.size, np.int16)
    count = 0
    for i in range(lines.shape[0]):
        begun = count
        for x in range(lines.shape[1]):
            if lines[i, x] == FREE:
                continue
            if count == begun or lines[i, x] != value[count - 1]:
                if count > begun:
                    end[count - 1] = x
                line[count], value[count], first[count] = i, lines[i, x], x if count > begun else 0
                end[count] = lines.shape[1]
                count += 1
    return line, first, end, value, count


def _joined(boxes: Boxes, axis: int) -> Boxes:
    """Boxes that follow each other along `axis` and agree in all else become one."""
    others = [b for b in range(len(boxes.shape)) if b != axis]
    columns = [boxes.low[:, axis], *(c[:, b] for b in others for c in (boxes.low, boxes.high)), boxes.value]
    order = np.lexsort(columns)
    low, high, value = boxes.low[order], boxes.high[order], boxes.value[order]
    joins = (value[1:] == value[:-1]) & (low[1:, axis] == high[:-1, axis])
    for b in others:
        joins &= (low[1:, b] == low[:-1, b]) & (high[1:, b] == high[:-1, b])
    first = np.flatnonzero(np.r_[True, ~joins][: len(value)])
    last = np.r_[first[1:], len(value)][: len(first)] - 1
    merged = high[first]
    merged[:, axis] = high[last, axis]
    return Boxes(boxes.shape, np.asfortranarray(low[first]), np.asfortranarray(merged), value[first])


# ---- what is measured ------------------------------------------------------------------------------------------------


def stored(boxes: Boxes, level: int = 1, extents: bool = True, delta: bool = False) -> int:
    """Bytes of the boxes by column, coordinates in one byte where they fit, through zlib."""
    small = np.uint8 if max(boxes.shape, default=0) < 256 else np.uint16
    low, high = boxes.low.T.astype(small), boxes.high.T.astype(small)
    if extents:
        high = high - low
    if delta:
        low = np.diff(low, axis=1, prepend=small(0))
    return len(zlib.compress(low.tobytes() + high.tobytes() + boxes.value.tobytes(), level))


class Watched(Solver):
    """A solver that notes each family's block when it is about to be covered."""

    def _keep(self, block):
        decision = block.decision
        super()._keep(block)
        self.found = getattr(self, "found", [])
        self.found.append((block.rows, block.slot, decision, block.grid.shape + (6,) * len(block.axes)))


def solved(text: str) -> list[tuple]:
    """Every family of a problem: the arguments of `cover`."""
    target = resolve("native")
    start = problem(canonical_form(gt.parse(text)), target)
    solver = Watched(Table(target, start.home, start.ladders), workers=1)
    solver.solve(start.goal)
    return solver.found


def dense(rows: np.ndarray, slot: np.ndarray, decision: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    block = np.full((len(slot), decision.shape[1]), FREE, np.int16)
    block[rows] = decision
    return block.reshape(shape)


def checked(boxes: Boxes, block: np.ndarray) -> None:
    """Fails where boxes overlap or differ from the block."""
    shape, count = np.array(block.shape, np.int64), np.zeros(block.size, np.int16)
    _count(count, shape, boxes.low, boxes.high)
    assert count.max(initial=0) <= 1, "boxes overlap"
    assert np.array_equal(boxes.dense()[block != FREE], block[block != FREE]), "boxes differ from the block"


@numba.njit(cache=True, nogil=True)
def _count(count, shape, low, high):
    strides, at = _strides(shape), np.empty(shape.shape[0], np.int64)
    for b in range(low.shape[0]):
        lo, hi = low[b].astype(np.int64), high[b].astype(np.int64)
        cell, width, outer = _start(shape, strides, lo, hi, at)
        while cell >= 0:
            count[cell : cell + width] += 1
            cell = _step(strides, lo, hi, at, outer, cell)


def timed(make, blocks: list[np.ndarray]) -> tuple[list[Boxes], float]:
    """(the covers, least seconds)."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        found = [make(block) for block in blocks]
        best = min(best, time.perf_counter() - start)
        if best > TAKES_TOO_LONG_S:
            break
    return found, best


def lookup_us(boxes: Boxes, block: np.ndarray) -> float:
    """Microseconds of one `at`."""
    cells = np.argwhere(block != FREE)
    asked = list(map(tuple, np.random.default_rng(0).choice(cells, 2000).tolist()))
    rounds = []
    for _ in range(3):
        start = time.perf_counter()
        for cell in asked:
            boxes.at(cell)
        rounds.append(time.perf_counter() - start)
    return min(rounds) / len(asked) * 1e6


def report(name: str, blocks: list[np.ndarray]) -> None:
    points = sum(int((block != FREE).sum()) for block in blocks)
    print(f"{name}: {PROBLEMS[name]}: {len(blocks)} families, {points} points of {sum(b.size for b in blocks)} cells")
    for make in COVERS:
        found, seconds = timed(make, blocks)
        for boxes, block in zip(found, blocks):
            checked(boxes, block)
        boxes = sum(len(b.value) for b in found)
        largest = max(range(len(found)), key=lambda i: len(found[i].value))
        at = lookup_us(found[largest], blocks[largest])
        figures = (
            f"{points / boxes:8.1f} points a box  {sum(map(stored, found)) / points:8.4f} bytes a point "
            f" {seconds / points * 1e9:7.1f} ns a point"
        )
        print(
            f"  {make.__name__:18} {boxes:8} boxes {figures}  at {at:6.1f} us of {len(found[largest].value)} boxes",
            flush=True,
        )


def report_forms(name: str, blocks: list[np.ndarray]) -> None:
    """Forms of storing the chosen cover."""
    points, found = sum(int((block != FREE).sum()) for block in blocks), [greedy(block) for block in blocks]
    print(f"{name}: forms of storing, bytes a point and seconds")
    for extents in (False, True):
        for delta in (False, True):
            for level in (1, 6):
                start = time.perf_counter()
                size = sum(stored(boxes, level, extents, delta) for boxes in found)
                taken = time.perf_counter() - start
                print(
                    f"  {'extents' if extents else 'highs':8} {'low deltas' if delta else 'lows':10} zlib {level} "
                    f" {size / points:7.4f}  {taken:5.2f} s"
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=PROBLEMS, action="append")
    names = parser.parse_args().only or list(PROBLEMS)
    warm = [np.arange(4, dtype=np.int16).reshape(2, 2)]  # compiles, or loads, every loop
    for make in COVERS:
        checked(timed(make, warm)[0][0], warm[0])
    for name in names:
        families = solved(PROBLEMS[name])
        blocks = [dense(*family) for family in families]
        report(name, blocks)
        _, seconds = timed(lambda family: cover(*family), families)
        print(f"  cover, from the solver's arrays, {seconds:.3f} s")
        if name in ("f32-1024", *(names if len(names) == 1 else ())):
            report_forms(name, blocks)


if __name__ == "__main__":
    main()
