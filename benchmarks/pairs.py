"""Rounds of every producer before every consumer (tests/drawn/pairs.py), compared with the reference.

    python benchmarks/pairs.py --rounds 3 --target native --seed 0

Each Spec of a round is drawn anew and solved without a table. Exit status 1 where a result is wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from drawing import pairs  # isort: split

import together  # of tests/, which is on the path now

SLOWEST = 10  # searches that are told
KILLED = "a kernel killed its process; this one, or one before or beside it"


def main() -> None:
    options = _options()
    wrong = 0
    for seed in range(options.seed, options.seed + options.rounds):
        started, found = time.perf_counter(), []
        drawn = [pair for pair in pairs.drawn_round(seed) if options.only in str(pair)]
        for pair, result in _examined(drawn, options, seed):
            found.append(result)
            if result.verdict != together.RIGHT:
                print(f"{result.verdict:10}  {pair}\n            {result.why}", flush=True)
        _tell(seed, options.target, found, time.perf_counter() - started)
        wrong += sum(result.verdict == together.WRONG for result in found)
    sys.exit(wrong > 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0, help="of the first round; the next has the next")
    parser.add_argument("--target", default="native", help="a name, or a TOML file")
    parser.add_argument("--prices", action="store_true", help="draw the target's prices, for every few programs anew")
    parser.add_argument("--only", default="", help='pairs whose line, "producer > consumer, threads: text", has this')
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


def _examined(
    round_: list[pairs.Pair], options: argparse.Namespace, seed: int
) -> Iterator[tuple[pairs.Pair, together.Found]]:
    """What came of each pair, in order. A kernel that kills its process takes all of its unit with it."""
    groups = [round_[i : i + together.UNIT] for i in range(0, len(round_), together.UNIT)]
    with ProcessPoolExecutor(options.processes) as pool:
        prices = [(seed, i) if options.prices else None for i in range(len(groups))]
        tasks = [pool.submit(_of_group, group, options.target, drawn) for group, drawn in zip(groups, prices)]
        for task, group in zip(tasks, groups):
            try:
                yield from zip(group, task.result())
            except BrokenProcessPool:
                yield from ((pair, together.Found(pair.text, together.WRONG, KILLED)) for pair in group)


def _of_group(group: list[pairs.Pair], name: str, prices: tuple[int, int] | None) -> list[together.Found]:
    from griotte.machine import resolve

    target = together.repriced(resolve(name), prices) if prices else resolve(name)
    return list(together.examined([(pair.text, pair.threads) for pair in group], target))


def _tell(seed: int, target: str, found: list[together.Found], seconds: float) -> None:
    print(f"slowest searches, of {sum(result.seconds for result in found):.0f} s of CPU in all:")
    for result in sorted(found, key=lambda result: -result.seconds)[:SLOWEST]:
        print(f"{result.seconds:8.1f} s  {result.text}")
    count = Counter(result.verdict for result in found)
    told = ", ".join(f"{count[verdict]} {verdict}" for verdict in together.VERDICTS)
    print(f"seed {seed}, {target}: {told}; {len(found)} pairs in {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
