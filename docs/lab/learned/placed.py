"""The first choice of Specs that were timed, compiled so that its code begins elsewhere: how far apart the clock sees
what is one program.

    python docs/lab/learned/placed.py RECORDS [SPECS]

Of each Spec: microseconds (CPU time, 0.2 quantile of 24 turns), and by how much the slowest of four places takes longer
than the fastest.
"""

import ctypes
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.text.text import parse
from griotte.runtime.compilers import BASE_FLAGS
from griotte.tools.learn.drafts import SpecSpace
from griotte.tools.learn.records import Records, TimedGoal, target_of

PLACES = (0, 16, 32, 48)  # bytes
TURNS = 24


def microseconds(goal: TimedGoal) -> list[float]:
    """Of the program of least price, by place."""
    space = SpecSpace(parse(goal.spec), target_of(goal.target), 1)
    least = min(goal.programs, key=lambda timed: timed.price)
    program = space.program(space.rebuilt(least.decisions))
    arrays = random_arrays(space.spec, np.random.default_rng(0))
    results = [np.zeros(out.bytes + 64, np.uint8) for out in space.spec.outputs]
    pointers = [ctypes.c_void_p(each.ctypes.data) for each in (*arrays, *results)]
    with tempfile.TemporaryDirectory() as folder:
        calls = [compiled(program, Path(folder), place) for place in PLACES]
        count = max(1, int(1e-3 / max(1e-7, seconds(calls[0], pointers, 3))))
        times: list[list[float]] = [[] for _ in calls]
        for turn in range(TURNS):
            for i in range(len(calls)) if turn % 2 else reversed(range(len(calls))):
                times[i].append(seconds(calls[i], pointers, count))
    return [1e6 * float(np.quantile(each, 0.2)) for each in times]


def compiled(program, folder: Path, place: int):
    skipped = f'__asm__(".text\\n.skip {place}, 0x90\\n");\n'
    source, library = folder / f"{place}.c", folder / f"{place}.so"
    source.write_text(program.to_c().replace("#include <stddef.h>\n", f"#include <stddef.h>\n{skipped}", 1))
    flags = (*BASE_FLAGS, *program.target.flags, "-shared", "-w")
    subprocess.run(["cc", *flags, source, "-o", library, "-lm"], check=True)
    return getattr(ctypes.CDLL(str(library)), program.function)


def seconds(call, pointers: list, count: int) -> float:
    began = time.process_time()
    for _ in range(count):
        call(*pointers)
    return (time.process_time() - began) / count


def main() -> None:
    path, *most = sys.argv[1:]
    with Records(path, writable=False) as records:
        goals = [goal for goal in records.read() if goal.threads == 1 and "const" not in goal.spec]
    chosen = np.random.default_rng(0).permutation(len(goals))[: int(most[0]) if most else 24]
    apart = []
    for goal in (goals[i] for i in chosen):
        found = microseconds(goal)
        apart.append(max(found) / min(found) - 1)
        print(f"{min(found):9.2f} us, {100 * apart[-1]:5.2f} % apart: {goal.spec[:80]}", flush=True)
    print(f"in the mean {100 * np.mean(apart):.2f} %, most {100 * max(apart):.2f} %")


if __name__ == "__main__":
    main()
