"""What tells a busy machine: how far the quartiles of each parameter are apart, and how much of the time the thread
that measures has a core, beside processes that stream through memory.

    python docs/lab/asked/busy.py [SECONDS [BURNERS ..]]
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from griotte.machine import best, build, detect
from griotte.runtime.calibrate.measure import Runner, summary
from griotte.runtime.calibrate.probes import probes

BURNER = "import numpy as np; a = np.ones(1 << 24, np.float32)\nwhile True: a *= 1.0"


def main() -> None:
    seconds, *counts = map(float, sys.argv[1:] or ["2"])
    cpu = detect()
    goal = build(best(cpu), cpu, "native", whole=True)
    found = {}
    for count in map(int, counts or (0, 1, 2, 4)):
        burners = [subprocess.Popen([sys.executable, "-c", BURNER]) for _ in range(count)]
        time.sleep(1.0 if count else 0.0)
        runner = Runner(goal, 2)
        asked = probes(goal, 2 if runner.has_company() else 1)
        wall, own, rounds = time.monotonic(), time.thread_time(), []
        while time.monotonic() - wall < seconds:
            rounds.append(runner.round(asked))
        share = (time.thread_time() - own) / (time.monotonic() - wall)
        for burner in burners:
            burner.kill()
            burner.wait()
        found[count] = summary(rounds)
        spreads = sorted((m.high - m.low) / max(abs(m.value), 1e-9) for m in found[count].values())
        print(
            f"{count} beside: {len(rounds)} rounds, {share:.2f} of a core, median spread"
            f" {statistics.median(spreads):.3f}"
        )
    for name in found[min(found)]:
        each = [of[name] for of in found.values() if name in of]
        print(f"{name:16}", *(f"{m.value:9.3f} ({(m.high - m.low) / max(abs(m.value), 1e-9):6.3f})" for m in each))


if __name__ == "__main__":
    main()
