"""Which of a calibration's rounds should count: parameters by quantiles of the probes' cycles, on a machine that does
nothing else and beside processes that go through 64 MiB each.

    quantiles.py                two processes beside
    quantiles.py --beside 1     so many
    quantiles.py --pitches      instead: what a stretch of 256 bytes in L2 takes beyond its lines, by the distance of
                                rows

Of each quantile: the mean over parameters of how far two quiet runs are apart, and a quiet one and one beside others,
as a logarithm. Nothing else should run. Not a row of run.py: it has no bar.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

import numpy as np
from griotte.machine import best, build, detect
from griotte.runtime.calibrate.measure import Runner
from griotte.runtime.calibrate.parameters import parameters
from griotte.runtime.calibrate.probes import Probe, probes, working_sets

QUANTILES, SECONDS, LEAST = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5), 7.0, 1e-9
PITCHES, TIMES, QUIET = (4096, 4160, 4224, 4608), 60, 0.1
BUSY = "import numpy as np\na = np.ones(1 << 24, np.float32)\nwhile True: a *= 1.0"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", type=int, default=2, metavar="PROCESSES")
    parser.add_argument("--pitches", action="store_true")
    asked = parser.parse_args()
    cpu = detect()
    target = build(best(cpu), cpu, whole=True)
    runner = Runner(target, 1)
    by_pitch(runner, target) if asked.pitches else by_quantile(runner, target, asked.beside)


def by_quantile(runner: Runner, target, beside: int) -> None:
    quiet, again = (rounds(runner, target) for _ in range(2))
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(beside)]
    try:
        loud = rounds(runner, target)
    finally:
        for other in others:
            other.kill()
    for quantile in QUANTILES:
        first, second, third = (
            parameters({name: np.nanquantile(found, quantile) for name, found in each.items()})
            for each in (quiet, again, loud)
        )
        print(
            f"{quantile:5}   two quiet runs {apart(first, second):.3f}   quiet and beside {beside}"
            f" {apart(first, third):.3f}"
        )


def rounds(runner: Runner, target) -> dict[str, np.ndarray]:
    asked, found, until = probes(target), [], time.monotonic() + SECONDS
    while not found or time.monotonic() < until:
        found.append(runner.round(asked))
    return {name: np.array([each[name] for each in found]) for name in found[0]}


def apart(one: dict, other: dict) -> float:
    return float(np.mean([abs(np.log(max(LEAST, other[name]) / max(LEAST, one[name]))) for name in one]))


def by_pitch(runner: Runner, target) -> None:
    size = working_sets(target)["L2"]
    line = np.nanquantile([runner.run(Probe("read", "read", size)) for _ in range(TIMES)], QUIET)
    for pitch in PITCHES:
        stretch = np.nanquantile(
            [runner.run(Probe("stretches", "stretches", size, pitch)) for _ in range(TIMES)], QUIET
        )
        print(f"rows {pitch} bytes apart: {stretch - 4 * line:.2f} cycles a stretch beyond its four lines")


if __name__ == "__main__":
    main()
