"""Fresh processes: `call("speed:against_numpy", ...)` runs that function of benchmarks/speed.py in one and answers its
JSON.

A measurement that shares a process with another shares its caches, thread pools and peak memory; these do not. The
process that prints the table imports neither NumPy nor griotte.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

STEERING = (
    "OPENBLAS_",
    "OMP_",
    "GOMP_",
    "GOTO_",
    "MKL_",
    "KMP_",
    "NUMBA_",
    "GRIOTTE_",
    "CC",
)  # what would change a figure unseen


class ChildFailed(Exception):
    """A child that did not answer; the text is the end of its standard error."""


def call(function: str, *args, env: dict[str, str] | None = None):
    """The answer of `function`, in a fresh process with `env` added to an environment without STEERING."""
    answers = list(stream(function, *args, env=env, is_single=True))
    if not answers:
        raise ChildFailed(f"expected an answer from {function}, found none")
    return answers[-1]


def stream(function: str, *args, env: dict[str, str] | None = None, is_single: bool = False) -> Iterator:
    """What a generator function yields, as it comes; ChildFailed where the process dies."""
    command = [sys.executable, __file__, function, json.dumps(args), "single" if is_single else "many"]
    seen = {"PYTHONPATH": os.pathsep.join(sys.path[:1] + os.environ.get("PYTHONPATH", "").split(os.pathsep))}
    with tempfile.TemporaryFile("w+") as errors:
        with subprocess.Popen(
            command,
            env={**clean_environment(), **seen, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process:
            try:
                for line in process.stdout:
                    yield json.loads(line)
            finally:
                if process.poll() is None and sys.exc_info()[0] is not None:
                    process.kill()
        if process.returncode:
            errors.seek(0)
            last = (errors.read().strip().splitlines() or ["no message"])[-1]
            raise ChildFailed(f"{function} ended with status {process.returncode}: {last}")


def clean_environment() -> dict[str, str]:
    """The environment without what steers BLAS, OpenMP, Numba and griotte."""
    return {name: value for name, value in os.environ.items() if not name.startswith(STEERING)}


def peak_mib() -> float:
    """Peak resident memory of this process in MiB.

    Not ru_maxrss where /proc has better: Linux lets a child start from its parent's peak.
    """
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


class Watched:
    """While this runs, the most memory that a process and all that it started hold together: `peak` in MiB, the sum of
    their resident pages, sampled. A page that two of them share, and one of a mapped file, counts for each: the true
    peak is at most this. `held` counts each page once, and is sampled less often, for it takes longer."""

    EVERY_S, ONCE = 0.1, 5

    def __init__(self, pid: int) -> None:
        self.pid, self.peak, self.held = pid, 0.0, 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Watched:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        turn = 0
        while not self._done.wait(self.EVERY_S):
            self.peak = max(self.peak, sum(map(resident_mib, family(self.pid))))
            turn += 1
            if turn % self.ONCE == 0:
                self.held = max(self.held, sum(map(held_mib, family(self.pid))))


def family(pid: int) -> list[int]:
    """A process and what it started, directly or not."""
    found = [pid]
    for each in found:
        for file in Path(f"/proc/{each}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, file.read_text().split())
    return found


def held_mib(pid: int) -> float:
    """The memory that a process holds in MiB, of a page that others hold too a share; 0 of one that has ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as rollup:
            return next(int(line.split()[1]) for line in rollup if line.startswith("Pss:")) / 1024
    except (OSError, StopIteration):
        return 0.0


def resident_mib(pid: int) -> float:
    """The resident memory of a process in MiB; 0 of one that has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize() / (1 << 20)
    except (OSError, IndexError):
        return 0.0


def _main() -> None:
    name, args, shape = sys.argv[1:]
    module, function = name.split(":")
    answer = getattr(importlib.import_module(module), function)(*json.loads(args))
    for item in [answer] if shape == "single" else answer:
        print(json.dumps(item), flush=True)


if __name__ == "__main__":
    _main()
