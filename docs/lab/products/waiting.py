"""Tiles of registers that walk down panels in L1 and in L2: cycles of a step, what `tied` says of the latter with
`slack`, and what it says where all tiles are alike (waiting.md).

    PYTHONPATH=benchmarks python docs/lab/products/waiting.py [--rounds 60]

Of the least of all rounds, and of a tenth of them; then `hidden` of each level, with `slack` and without.
"""

from __future__ import annotations

import argparse

import numpy as np
from griotte.engine.cost.ports import tied
from griotte.machine.machine import SLACK
from griotte.runtime.calibrate import parameters, probes, source
from griotte.runtime.calibrate.measure import Runner
from griotte.runtime.calibrate.probes import Probe
from priced import target_named

TILES = ((1, 4), (2, 4), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (3, 3), (4, 3))
LEVELS = ("L2", "L3", "memory")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=60)
    options = parser.parse_args()
    target = target_named("native")
    usual = [each for each in probes.probes(target, 1) if each.name.startswith(("panel.", "beside.", "plain."))]
    sizes = {at: next(each.first for each in usual if each.name.startswith(f"panel.{at}.")) for at in ("L1", "L2")}
    more = [Probe(f"panel.{at}.{r}x{w}", f"panel{r}x{w}", size) for at, size in sizes.items() for r, w in TILES]
    source.PANELS = TILES
    runner = Runner(target, 1)
    rounds = [runner.round((*usual, *more)) for _ in range(options.rounds)]
    for share in (0.0, 0.1):
        cycles = {name: np.asarray(np.nanquantile([each[name] for each in rounds], share)) for name in rounds[0]}
        fits = [{at: fitted(cycles, at, slack) for at in LEVELS} for slack in (SLACK, 0.0)]
        print(f"quantile {share}: hidden", *(f"{at} {fits[0][at]:.3f} ({fits[1][at]:.3f})" for at in LEVELS))
        for rows, wide in TILES:
            alone, both = (cycles[f"panel.{at}.{rows}x{wide}"] for at in ("L1", "L2"))
            computes = min(1.0, rows * cycles["panel.L1.6x2"] / 6 / alone)
            said = [
                tied((2 - fit["L2"]) ** (computes**slack), alone, cycles["plain.L2"])
                for fit, slack in zip(fits, (SLACK, 0.0))
            ]
            lines = wide * target.vector_bytes / target.spans.line
            print(f"  {rows}x{wide * target.vector_bytes // 4}", *(f"{lines * n:.2f}" for n in (alone, both, *said)))


def fitted(cycles: dict[str, np.ndarray], level: str, slack: float) -> float:
    """The parameter `hidden` of a level by such a power."""
    parameters.SLACK = slack
    return float(parameters.hidden(cycles, level))


if __name__ == "__main__":
    main()
