"""Two versions of griotte side by side: the kernel that each finds for a model, timed in turns on the same data.

    model_versions.py OLD NEW [NAME ..] [--zoo FOLDER] [--threads 1] [--caches FOLDER] [--clock cpu] [--turns 7]
                      [--find old|new]

OLD and NEW are folders with src/griotte in them, or revisions of this repository; NAME is as in models.py. Each side
is a process of its own, with a cache of its own in `--caches` (OLD/ and NEW/), so that a second run finds nothing anew.
A ratio above 1 is for NEW. `--clock cpu` takes the process's CPU seconds: for one thread beside other work. `--find`
only fills that side's cache. The table ends with the geometric and the arithmetic mean.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import models
from child import clean_environment
from versions import trees

CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "cpu": time.process_time}
SIDES = ("OLD", "NEW")
ROOM = "32GiB"  # of each cache: weights of 23 models are more than a user's 1 GiB, beyond which the oldest go


class Side:
    """A process that holds one version's kernel of a model, and runs it when it is asked to."""

    def __init__(self, tree: Path, cache: Path, *asked: object):
        path = os.pathsep.join([str(tree / "src"), str(Path(__file__).parent)])
        environment = {**clean_environment(), "PYTHONPATH": path}
        environment |= {"GRIOTTE_CACHE": str(cache), "GRIOTTE_CACHE_SIZE": ROOM}
        code = "import sys, model_versions; model_versions.serve(*sys.argv[1:])"
        command, pipe = [sys.executable, "-c", code, *map(str, asked)], subprocess.PIPE
        self._process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)

    def answer(self) -> dict[str, Any]:
        """The next line that it prints; an error where it ended."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return json.loads(line) if line else {"error": f"ended with status {self._process.wait()}"}

    def turn(self) -> float:
        """The median seconds of a call, over one turn."""
        assert self._process.stdin is not None
        self._process.stdin.write("turn\n")
        self._process.stdin.flush()
        return self.answer()["s"]

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def serve(path: str, shapes: str, threads: str, clock: str) -> None:
    """In a process of its own: find a model's kernel, then time it, a turn for each line that comes in."""
    started = time.time()
    import griotte as gt

    graph = gt.from_onnx(path, shapes={name: tuple(shape) for name, shape in json.loads(shapes).items()})
    kernel = gt.compile(graph, threads=int(threads))
    given = models.arrays(graph, Path(path))
    outs = kernel(*given)
    print(json.dumps({"found_s": time.time() - started}), flush=True)
    for _ in sys.stdin:
        print(json.dumps({"s": models.turn(lambda: kernel(*given, out=outs), CLOCKS[clock])}), flush=True)


def _raced(sides: dict[str, Side], turns: int) -> tuple[dict[str, float], float]:
    """Each side's median over turns, and the median ratio of two turns that follow each other."""
    times: dict[str, list[float]] = {name: [] for name in SIDES}
    for n in range(turns):
        for name in SIDES if n % 2 else SIDES[::-1]:
            time.sleep(models.RESTS_S)
            times[name].append(sides[name].turn())
    ratio = statistics.median(old / new for old, new in zip(times["OLD"], times["NEW"]))
    return {name: statistics.median(each) for name, each in times.items()}, ratio


def _one(name: str, model: tuple[Path, dict], found: dict[str, Path], options: argparse.Namespace) -> float | None:
    path, shapes = model
    asked = path, json.dumps(shapes), options.threads, options.clock
    # One after the other: two searches at once are one search's time and twice its memory.
    sides, told = {}, {}
    try:
        for side in [options.find.upper()] if options.find else SIDES:
            sides[side] = Side(found[side], options.caches / side, *asked)
            told[side] = sides[side].answer()
        words = "  ".join(f"{each.get('error') or format(each['found_s'], '.1f')}" for each in told.values())
        if options.find or any("error" in each for each in told.values()):
            print(f"{name:<22} found in {words}", flush=True)
            return None
        medians, ratio = _raced(sides, options.turns)
        took = "  ".join(f"{medians[side] * 1e3:10.3f} ms" for side in SIDES)
        print(f"{name:<22}{took}   {ratio:.3f}   found in {words}", flush=True)
        return ratio
    finally:
        for each in sides.values():
            each.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--zoo", type=Path, default=Path(tempfile.gettempdir()) / "zoo")
    parser.add_argument("--caches", type=Path, default=Path(tempfile.gettempdir()) / "model_versions")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    parser.add_argument("--turns", type=int, default=models.TURNS)
    parser.add_argument("--find", choices=[side.lower() for side in SIDES])
    options = parser.parse_intermixed_args()
    with trees({"OLD": options.old, "NEW": options.new}) as found:
        ratios = [
            _one(name, model, found, options) for name, model in models.models(options.names, options.zoo).items()
        ]
    ratios = [ratio for ratio in ratios if ratio is not None]
    if ratios:
        print(
            f"\n{len(ratios)} models, OLD's time over NEW's: geometric mean {statistics.geometric_mean(ratios):.3f},"
            f" arithmetic {statistics.fmean(ratios):.3f}, least {min(ratios):.3f}"
        )


if __name__ == "__main__":
    main()
