"""Where a product loses: from a leaf whose operands are in L1 up to the whole program, a step farther from the core at
each rung, as shares of the multiply-add peak.

    python benchmarks/ladder.py [512 1024 2048] [--threads 1] [--seconds 2] [--markdown FILE]

A rung is a schedule by hand on a Spec of its own (what is not said is the cheapest there is); the last ones are the
whole product: GotoBLAS's five loops by hand, the search's own, NumPy's. The first rung that falls names what is slow:
the leaf, a stream from L2, packing, or the order of the loops.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import griotte as gt
import numpy as np
from griotte.engine.rewrites.places import tallest
from griotte.lang.meaning.samples import timed_arrays
from griotte.machine import resolve
from griotte.runtime.timing import fma_peak, interleaved
from griotte.support.errors import GriotteError


@dataclass(frozen=True)
class Blocking:
    """A leaf of `rows` by `columns` results, `depth` steps; `height` rows of x0 in L2; L1 holds `near` rows beside a
    panel."""

    rows: int
    columns: int
    depth: int = 256
    height: int = 144
    near: int = 18


@dataclass(frozen=True)
class Rung:
    """`work` is in multiply-adds; `cost` in the model's cycles."""

    name: str
    work: int
    cost: float
    call: Callable[[], Any]


def blockings(target: Any) -> list[Blocking]:
    """The register tiles that BLAS libraries use with vectors of this size."""
    if target.registers < 32:
        return [Blocking(6, 16), Blocking(4, 24, depth=160)]
    tiles = ((14, 32), (12, 32), (9, 48), (8, 48), (28, 16))
    return [
        Blocking(rows, columns, panel_steps(target, columns), 240 // rows * rows, 2 * rows) for rows, columns in tiles
    ]


def panel_steps(target: Any, columns: int) -> int:
    """Steps of the reduction of which a panel of f32 takes what a program may plan with of L1, 256 at most."""
    return min(256, int(target.capacity_lines(1)) * 16 // columns // 16 * 16)


def slivers(b: Blocking, target: Any) -> bool:
    """Whether x0 goes into slivers of so many rows beside panels of so many columns; else it stays in rows."""
    vectors = b.columns // target.lanes("f32")
    return vectors > 1 and b.rows == tallest(target, vectors)


def in_l2(schedule: Any, b: Blocking) -> Any:
    """A block of x0 in L2, where it may be already."""
    if slivers(b, schedule.target):
        return schedule.move(0, "L2", panel=b.rows)
    return schedule if schedule.target.levels[schedule.home].name == "L2" else schedule.move(0, "L2")


def leaf(schedule: Any, b: Blocking, tiled: bool = False) -> Any:
    return (schedule if tiled else schedule.tile("m", b.rows)).move("y", "registers", lanes="n").select("multiply_add")


def near(b: Blocking) -> tuple[str, Callable[[Any], Any]]:
    """Some leaves whose operands are all in L1."""
    k = b.depth // 2
    return f"matmul(f32[{b.near},{k}], const f32[{k},{b.columns}])", lambda spec: leaf(
        gt.schedule(spec).ahead(1, panel=b.columns), b
    )


def rows_from_l2(b: Blocking) -> tuple[str, Callable[[Any], Any]]:
    """A panel in L1; rows of x0 from L2, as GotoBLAS has them."""
    return f"matmul(f32[{b.height},{b.depth}], const f32[{b.depth},{b.columns}])", lambda spec: leaf(
        gt.schedule(spec).ahead(1, panel=b.columns).move(1, "L1"), b
    )


def panels_from_l2(b: Blocking) -> tuple[str, Callable[[Any], Any]]:
    """One tile's rows in L1; panels from L2."""
    n = b.height // b.columns * b.columns
    return f"matmul(f32[{2 * b.rows},{b.depth}], const f32[{b.depth},{n}])", lambda spec: leaf(
        gt.schedule(spec).ahead(1, panel=b.columns).tile("m", b.rows).move(0, "L1").tile("n", b.columns), b, tiled=True
    )


def block(b: Blocking) -> tuple[str, Callable[[Any], Any]]:
    """All panels of a block of 512 columns, packed ahead, by rows in L2: what is left once packing is paid."""
    return f"matmul(f32[{b.height},{b.depth}], const f32[{b.depth},512])", lambda spec: leaf(
        in_l2(gt.schedule(spec).ahead(1, panel=b.columns), b).tile("n", b.columns).move(1, "L1"), b
    )


def five_loops(n: int, b: Blocking) -> tuple[str, Callable[[Any], Any]]:
    """GotoBLAS: x1 in panels for a block of the reduction, in the last cache; a block of x0 in slivers, in L2; a panel
    in L1; tiles of registers. Where there are no such slivers x0 goes into compact rows, for the same block of the
    reduction, before x1."""
    levels = resolve("native").levels

    def steps(spec: Any) -> Any:
        s = gt.schedule(spec).split("k", b.depth)
        last = levels[min(s.home, len(levels) - 2)].name
        s = s if slivers(b, s.target) else s.move(0, last, compact=True)
        return leaf(
            in_l2(s.move(1, last, panel=b.columns).tile("m", b.height), b).tile("n", b.columns).move(1, "L1"), b
        )

    return f"matmul(f32[{n},{n}], f32[{n},{n}])", steps


def rungs(n: int, b: Blocking, threads: int) -> Iterator[Rung]:
    tile = f"{b.rows}x{b.columns}"
    ways = {
        f"leaf {tile} in L1": near(b),
        f"{tile}, rows from L2": rows_from_l2(b),
        f"{tile}, panels from L2": panels_from_l2(b),
        f"{tile}, block, packed ahead": block(b),
        f"{n}^3 by five loops, {tile}": five_loops(n, b),
    }
    for name, (text, steps) in ways.items():
        try:
            yield made(name, text, gt.synthesize(steps(gt.parse(text)), threads=1))
        except GriotteError as why:
            print(f"{name}: {why}")


def made(name: str, text: str, program: Any) -> Rung:
    spec = gt.parse(text)
    arrays = timed_arrays(spec, np.random.default_rng(0))
    (m, k), (_, n) = (t.shape for t in spec.inputs)
    return Rung(
        name, m * n * k, program.cost, program.compile().bind(*arrays, out=np.empty(spec.output.shape, np.float32))
    )


def ladder(n: int, threads: int, seconds: float) -> list[str]:
    """Rows of the table, all rungs in turns; the time of an empty call is taken off."""
    target = resolve("native")
    found = [rung for b in blockings(target) for rung in rungs(n, b, threads)]
    text = f"matmul(f32[{n},{n}], f32[{n},{n}])"
    found.append(made(f"{n}^3, the search's own", text, gt.synthesize(text, threads=threads)))
    x, y = timed_arrays(gt.parse(text), np.random.default_rng(0))[:2]
    out = np.empty((n, n), np.float32)
    found.append(Rung(f"{n}^3, NumPy", n**3, 0.0, lambda: np.matmul(x, y, out=out)))
    empty = gt.compile("copy(f32[1])").bind(np.zeros(1, np.float32), out=np.zeros(1, np.float32))
    peak = fma_peak(target, threads)
    times = interleaved({"peak": peak, "empty": empty} | {rung.name: rung.call for rung in found}, seconds)
    rate, lanes = peak.rate(times["peak"].median_us), target.vector_bytes // 4
    best = peak.rate(times["peak"].min_us)
    bound = lanes * target.ports.arithmetic
    rows = []
    for rung in found:
        taken, least = (
            getattr(times[rung.name], which) - times["empty"].median_us for which in ("median_us", "min_us")
        )
        share, at_best = 2 * rung.work / taken / 1e3 / rate, 2 * rung.work / least / 1e3 / best
        predicted = f"{rung.work / bound / rung.cost:.3f}" if rung.cost else "-"
        rows.append(f"| {rung.name} | {taken:,.2f} | {share:.3f} | {at_best:.3f} | {predicted} |")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=[512, 1024, 2048])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each rung")
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    table = ["| rung | us | share of the peak | of the least times | share predicted |", "|---|---|---|---|---|"]
    for n in options.sizes:
        found = ladder(n, options.threads, options.seconds)
        table += found
        print("\n".join(found), flush=True)
    if options.markdown:
        options.markdown.write_text("\n".join(table) + "\n")


if __name__ == "__main__":
    main()
