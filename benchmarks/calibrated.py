"""No program that is chosen after a calibration is slower than the one before it: 64 Specs of all kinds.

    calibrated.py BEFORE AFTER [AFTER ..]      targets as priced.py names them: `native`, a target file, or
                                               `like:FILE.toml`, this machine as a file of machines prices it
    calibrated.py --prepare FOLDER BEFORE ..   only search, compile and check, for a machine that is busy now
    calibrated.py --time FOLDER                only time what was prepared

A ratio is the time of AFTER's program to that of BEFORE's, the median of turns in which all programs of a Spec are
timed one after the other; 1 where both are the same C. Ends with the worst and the geometric mean of each AFTER.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

EACH = 4  # Specs of a kind
ROUNDS, BATCH = 11, 0.01  # turns, and seconds of a program's turn


def specs(seed: int = 57) -> list[str]:
    """SPEC@THREADS, drawn: four of each of sixteen kinds, among them the step of a decoder, and products whose rows
    begin anywhere."""
    drawn = random.Random(seed)

    def size(least: int, most: int, step: int = 1) -> int:
        return round(least * (most / least) ** drawn.random() / step) * step

    def some(*words):
        return drawn.choice(words)

    def product(rows: int, columns: int, depth: int, more: str = "") -> str:
        return f"matmul(f32[{rows},{depth}], {more}f32[{depth},{columns}])"

    kinds: list[Callable[[], str]] = [
        lambda: product(size(1, 8), size(256, 2048, 64), size(256, 2048, 64)) + "@1",
        lambda: product(size(4, 128), size(200, 1000) | 1, size(500, 2000) | 1) + "@1",
        lambda: product(size(32, 640), size(32, 640), size(32, 640)) + "@1",
        lambda: _batched(size(2, 12), size(32, 128, 8), size(32, 128, 8), size(32, 128, 8)),
        lambda: product(size(1, 64), size(128, 1024, 32), size(128, 1024, 32))[:-1] + "{0,1})@1",
        lambda: _attended(size(4, 32), 1, size(100, 1000), some(64, 128)),
        lambda: _attended(size(2, 6), size(32, 160), size(32, 160), 64),
        lambda: _layer(product(size(8, 256), columns := size(128, 768), size(128, 768), "const "), columns),
        lambda: _convolved(size(8, 48, 8), size(12, 40), size(12, 40), size(8, 64, 8)),
        lambda: f"{some('exp', 'gelu', 'tanh', 'sigmoid')}(f32[{size(64, 1024)},{size(64, 1024)}])@1",
        lambda: f"add(f32[{size(64, 2000)},{(columns := size(64, 2000))}], f32[{columns}])@1",
        lambda: f"{some('sum', 'max')}(f32[{size(64, 2000)},{size(64, 2000)}], axis={some(0, 1)})@1",
        lambda: f"softmax(f32[{size(16, 512)},{size(64, 2000)}])@1",
        lambda: f"transpose(f32[{size(64, 1500)},{size(64, 1500)}])@1",
        lambda: _of_bf16(size(8, 256, 8), size(64, 512, 32), size(64, 512, 32)),
        lambda: product(size(64, 640), size(64, 640), size(64, 640)) + "@2",
    ]
    return [kind() for _ in range(EACH) for kind in kinds]


def _batched(batch: int, rows: int, columns: int, depth: int) -> str:
    return f"matmul(f32[{batch},{rows},{depth}], f32[{batch},{depth},{columns}])@1"


def _layer(product: str, columns: int) -> str:
    return f"relu(add({product}, f32[{columns}]))@1"


def _convolved(channels: int, height: int, width: int, filters: int) -> str:
    return f"conv2d(f32[1,{channels},{height},{width}], f32[{filters},{channels},3,3])@1"


def _of_bf16(rows: int, columns: int, depth: int) -> str:
    return f"matmul(bf16[{rows},{depth}], bf16[{depth},{columns}]) -> f32[{rows},{columns}]@1"


def _attended(heads: int, queries: int, keys: int, width: int) -> str:
    others = f"f32[{heads},{keys},{width}]"
    return f"attention(f32[{heads},{queries},{width}], {others}, {others})@1"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--prepare", metavar="FOLDER", type=Path)
    parser.add_argument("--time", metavar="FOLDER", type=Path)
    parser.add_argument("--count", type=int, default=64, help="of the Specs, so many from the first on  [64]")
    parser.add_argument("--at-once", type=int, default=1, help="processes that prepare  [1]")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as own:
        folder = asked.time or asked.prepare or Path(own)
        if not asked.time:
            prepare(specs()[: asked.count], asked.targets, folder, asked.at_once)
        if not asked.prepare:
            report(sorted(folder.glob("*/goal.json")))


def prepare(goals: list[str], targets: list[str], folder: Path, at_once: int) -> None:
    """A folder for each Spec, with the different programs of the targets, compiled; of a folder that is there, what is
    not there yet."""
    with ProcessPoolExecutor(at_once) as pool:
        work = [(goal, targets, str(folder / f"{number:02}")) for number, goal in enumerate(goals)]
        for goal, taken in zip(goals, pool.map(made, *zip(*work))):
            print(goal, taken, flush=True)


def made(goal: str, targets: list[str], place: str) -> list[int]:
    """Which program each target takes, by number; each is saved in a folder of that number."""
    import griotte as gt
    from priced import target_named

    text, _, threads = goal.rpartition("@")
    told = Path(place, "goal.json")
    found = json.loads(told.read_text()) if told.exists() else {"goal": goal, "taken": {}, "code": []}
    for name in targets:
        if name in found["taken"]:
            continue
        target = replace(target_named(name), name="one")  # C says its target's
        program = gt.synthesize(text, target=target, threads=int(threads), table="none")
        digest = hashlib.sha256(_uncommented(program.to_c()).encode()).hexdigest()
        if digest not in found["code"]:
            program.compile().save(f"{place}/{len(found['code'])}")
            found["code"].append(digest)
        found["taken"][name] = found["code"].index(digest)
    told.write_text(json.dumps(found))
    return [found["taken"][name] for name in targets]


def _uncommented(code: str) -> str:
    """C without what it says of its price and its target."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", code, flags=re.S)


def report(found: list[Path]) -> None:
    ratios: list[list[float]] = []
    names: list[str] = []
    for path in found:
        read = json.loads(path.read_text())
        names, taken = list(read["taken"]), list(read["taken"].values())
        several = len(set(taken)) > 1
        times = timed(read["goal"], str(path.parent), sorted(set(taken))) if several else {}
        row = [
            statistics.median(a / b for a, b in zip(times[number], times[taken[0]])) if number != taken[0] else 1.0
            for number in taken
        ]
        ratios.append(row)
        least = min(times[taken[0]]) * 1e6 if several else 0.0
        print(f"{read['goal']:88}{least:10.1f} us  {'  '.join(f'{ratio:.3f}' for ratio in row[1:])}", flush=True)
    for name, column in zip(names[1:], list(zip(*ratios))[1:]):
        print(
            f"{name} after {names[0]}: {sum(ratio != 1 for ratio in column)} of {len(column)} are another program;"
            f" geometric mean {statistics.geometric_mean(column):.3f}, worst {max(column):.3f}, best {min(column):.3f},"
            f" above 1.05: {sum(ratio > 1.05 for ratio in column)}"
        )


def timed(goal: str, place: str, numbers: list[int]) -> dict[int, list[float]]:
    """Seconds of a call of each program, turn after turn; one thread by CPU time, more by the clock."""
    import tuning

    text, _, threads = goal.rpartition("@")
    clock = time.thread_time if threads == "1" else time.perf_counter
    runs = list(tuning.bound(text, place, tuple(numbers), 16).values())
    return {number: list(times) for number, times in zip(numbers, zip(*_turns(runs, clock)))}


def _turns(runs, clock) -> Iterator[list[float]]:
    from priced import calls, seconds

    counts = [max(1, int(calls(run, clock) * BATCH / 0.015)) for run in runs]
    for number in range(ROUNDS):
        order = range(len(runs)) if number % 2 else reversed(range(len(runs)))
        found = {which: seconds(runs[which], counts[which], clock) for which in order}
        yield [found[which] for which in range(len(runs))]


if __name__ == "__main__":
    main()
