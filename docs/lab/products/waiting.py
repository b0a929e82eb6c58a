"""Tiles of registers that walk down panels in L1 and in L2: cycles of a step, the least and a tenth, and what `tied`
says of the latter (waiting.md).

    PYTHONPATH=benchmarks python docs/lab/products/waiting.py [--rounds 60]
"""

from __future__ import annotations

import argparse

import numpy as np
from griotte.engine.cost.ports import tied
from griotte.machine.machine import SLACK
from griotte.runtime.calibrate import probes, source
from griotte.runtime.calibrate.measure import Runner
from griotte.runtime.calibrate.parameters import hidden
from griotte.runtime.calibrate.probes import Probe
from priced import target_named

USUAL = probes.PANELS  # by which `hidden` goes, the last of them busy in all cycles
TILES = ((1, 4), (2, 4), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (3, 3), (4, 3))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=60)
    options = parser.parse_args()
    source.PANELS = TILES
    target = target_named("native")
    runner, sets = Runner(target, 1), probes.working_sets(target)
    filled = int(probes.FILLED * target.levels[2].capacity)
    asked = tuple(
        Probe(f"panel.{at}.{rows}x{wide}", f"panel{rows}x{wide}", size)
        for at, size in (("L1", sets["L1"]), ("L2", filled))
        for rows, wide in TILES
    )
    asked += (
        Probe("plain.L2", "plain", sets["L2"]),
        *(Probe(f"beside.L2.{n}", f"beside{n}", sets["L2"]) for n in (4, 8)),
    )
    rounds = [runner.round(asked) for _ in range(options.rounds)]
    for share in (0.0, 0.1):
        cycles = {probe.name: np.quantile([each[probe.name] for each in rounds], share) for probe in asked}
        of_all = cycles | {f"beside.L2.{n}": cycles["beside.L2.8"] for n in probes.BESIDE}
        ratio = 2 - float(hidden({name: np.asarray(found) for name, found in of_all.items()}, "L2"))
        print(f"quantile {share}: hidden.L2 {2 - ratio:.3f}")
        of_row = cycles["panel.L1.6x2"] / 6
        for rows, wide in TILES:
            lines = wide * target.vector_bytes / target.spans.line
            alone, both = (cycles[f"panel.{at}.{rows}x{wide}"] for at in ("L1", "L2"))
            said = tied(ratio ** (min(1.0, rows * of_row / alone) ** SLACK), alone, cycles["plain.L2"])
            print(f"  {rows}x{wide * target.vector_bytes // 4}", *(f"{lines * n:.3f}" for n in (alone, both, said)))


if __name__ == "__main__":
    main()
