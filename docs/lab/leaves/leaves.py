"""Tiles of registers in L1 as they are measured, beside what the ports say of them; and what those of panels take more
where these come from L2.

    python docs/lab/leaves/leaves.py [f32 bf16 ..] [--target native] [--worst 8]

For each form: the median of measured to predicted, its deciles, Kendall's tau over all tiles of the cycles at 96 steps,
and of the cycles of a multiply-add, which choices between tiles turn on. Then the tiles that are farthest from the
median. Not a row of run.py: it has no bar.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import replace

import numpy as np
from griotte.codegen.nests import LeafNest
from griotte.lang.nests.family import LINE
from griotte.machine import Target, resolve
from griotte.runtime.calibrate import leaves
from griotte.tools.check import tau

STEPS = 96


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dtypes", nargs="*", default=["f32"], metavar="DTYPE")
    parser.add_argument("--target", default="native")
    parser.add_argument("--worst", type=int, default=8)
    asked = parser.parse_args()
    target = resolve(asked.target)
    by_form: dict[str, list[tuple[LeafNest, float, float]]] = defaultdict(list)
    pairs = list(leaves.pairs(target, asked.dtypes))
    found = leaves.cycles([nest for pair in pairs for nest in pair], target)
    for (few, many), least, most in zip(pairs, found[::2], found[1::2]):
        tile, nest = leaves.line(few, many, least, most, target), replace(few, steps=STEPS)
        by_form[few.form].append((nest, tile.intercept + STEPS * tile.slope, leaves.modelled(nest, target)))
    for form, tiles in by_form.items():
        shown(form, tiles, asked.worst)
    from_l2(target)


def shown(form: str, tiles: list[tuple[LeafNest, float, float]], worst: int) -> None:
    ratios = np.array([measured / predicted for _, measured, predicted in tiles])
    updates = np.array([nest.rows * nest.vectors for nest, *_ in tiles])
    measured, predicted = (np.array([row[i] for row in tiles]) for i in (1, 2))
    print(
        f"{form}: {len(tiles)} tiles, measured to predicted {np.median(ratios):.3f} ({np.quantile(ratios, 0.1):.3f} .."
        f" {np.quantile(ratios, 0.9):.3f}), tau {tau(predicted, measured):.3f}, of a multiply-add"
        f" {tau(predicted / updates, measured / updates):.3f}"
    )
    for i in np.argsort(-np.abs(np.log(ratios / np.median(ratios))))[:worst]:
        print(
            f"    {tiles[i][0].rows} x {tiles[i][0].vectors}: {measured[i]:.0f} cycles at {STEPS} steps,"
            f" {predicted[i]:.0f} predicted, {ratios[i]:.2f}"
        )


def from_l2(target: Target) -> None:
    """One leaf for each panel: cycles more for each line of it, from L2, than from L1."""
    kernel = next(k for k in target.kernels if k.name == "multiply_add")
    tiles = [
        LeafNest(kernel, ("f32", "f32"), "f32", "panel", rows, 2, 64, 1) for rows in (1, 2, 3, 4, 6, 8, 10, 12, 14)
    ]
    tiles = [nest for nest in tiles if nest.fits(target)]
    near, far = leaves.cycles(tiles, target), leaves.cycles(tiles, target, target.levels[2].capacity // 2)
    for nest, one, other in zip(tiles, near, far):
        lines = nest.steps * nest.vectors * target.vector_bytes / LINE
        print(
            f"panel from L2, {nest.rows} x {nest.vectors}: {one / nest.steps:.2f} cycles a step from L1,"
            f" {(other - one) / lines:.2f} cycles a line more; predicted {target.coefficient['line.L2']:.2f}"
        )


if __name__ == "__main__":
    main()
