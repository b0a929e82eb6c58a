"""Kernels of two threads on a machine that others use: the mean time of a call beside one busy process, over the quiet
one; how long a call takes by griotte's team and by OpenMP; NumPy's call right after one of griotte's; and calls with
pauses between them.

    python benchmarks/shared_machine.py
    taskset -c 0,1 python benchmarks/shared_machine.py --rounds 21

Each contestant is a process of its own, which waits while others have their turn; in each round it runs quiet, then
beside a process that is busy on the second of the CPUs. A figure is the median over rounds. To be read from a quiet
machine: what else runs is busy too, in both turns. 1.33 would be a fair share of two CPUs among three threads.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import child
import machine

SIZES = (288, 400, 544)  # f32 squares: 0.2 to 2 ms on two threads of today's cores
CONTESTANTS = ("griotte", "openmp", "numpy", "torch")
BAR = 2.0
PAUSES, SMALL = (0, 30, 100, 300, 3000), 96  # microseconds between two calls; of so large squares
THREADS = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "2")
REST = 0.05  # seconds in which waiting threads of others fall asleep
BUSY = "import os, sys; os.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.4, help="of a turn")
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    options = parser.parse_args()
    print("\n".join(machine.lines(machine.describe())))
    print(f"{options.rounds} rounds of {options.seconds} s; load average {os.getloadavg()[0]:.2f}\n")
    print(f"{'f32':>5} {'':9}{'quiet us':>9}{'busy us':>9}{'busy/quiet':>12}{'99 % us':>9}")
    for size in options.sizes:
        _beside(size, options.rounds, options.seconds)
    ratio = child.call("shared_machine:after", options.rounds, env=THREADS)
    print(f"\nNumPy's 256^3 right after griotte's on two threads, of after griotte's on one: {ratio:.2f}")
    print(f"\n{SMALL}^3, us of a call, so many us after the one before: {', '.join(map(str, PAUSES))}")
    for threads_by in ("team", "openmp"):
        for threads in (2, 1):
            found = child.call("shared_machine:paused", threads, threads_by, options.rounds, env=THREADS)
            print(f"{threads} threads, {threads_by:6} " + "".join(f"{us:>8.1f}" for us in found), flush=True)


def _beside(size: int, rounds: int, seconds: float) -> None:
    """The lines of one problem."""
    runners = {name: runner for name in CONTESTANTS if (runner := Runner.started(name, size)) is not None}
    found: dict[str, list[tuple[dict, dict]]] = {name: [] for name in runners}
    for number in range(rounds):
        for name in sorted(runners, reverse=number % 2 == 1):
            time.sleep(REST)
            quiet = runners[name].run(seconds)
            with _busy():
                found[name].append((quiet, runners[name].run(seconds)))
    for runner in runners.values():
        runner.end()
    for name, turns in found.items():
        ratio = statistics.median(b["mean"] / q["mean"] for q, b in turns)
        quiet, busy = (statistics.median(turn[i]["mean"] for turn in turns) for i in (0, 1))
        late = statistics.median(b["late"] for _, b in turns)
        bar = f"  bar {BAR}: {'ok' if ratio <= BAR else 'missed'}" if name == "griotte" else ""
        print(f"{size:>5} {name:9}{quiet:>9.0f}{busy:>9.0f}{ratio:>12.2f}{late:>9.0f}{bar}", flush=True)
    if "openmp" in found:
        pairs = zip(found["openmp"], found["griotte"])
        gain = statistics.median(o[0]["median"] / g[0]["median"] for o, g in pairs)
        print(f"{size:>5} quiet, a call by OpenMP over one by the team: {gain:.3f}")


@contextmanager
def _busy():
    """A process that computes on the second CPU."""
    cpu = sorted(os.sched_getaffinity(0))[1]
    process = subprocess.Popen([sys.executable, "-c", BUSY, str(cpu)])
    time.sleep(REST)
    try:
        yield
    finally:
        process.kill()
        process.wait()


class Runner:
    """A contestant in a process of its own."""

    def __init__(self, process: subprocess.Popen) -> None:
        self.process = process

    @classmethod
    def started(cls, name: str, size: int) -> Runner | None:
        """None where it is not installed."""
        environment = {**child.clean_environment(), **THREADS, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        if "GRIOTTE_CACHE" in os.environ:
            environment["GRIOTTE_CACHE"] = os.environ["GRIOTTE_CACHE"]
        process = subprocess.Popen(
            [sys.executable, str(Path(__file__)), "--run", name, str(size)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert process.stdout is not None
        ready = process.stdout.readline().strip()
        if ready == "ready":
            return cls(process)
        process.wait()
        return None

    def run(self, seconds: float) -> dict[str, float]:
        """Microseconds of a call: mean, median, and what one in a hundred takes longer than."""
        assert self.process.stdin is not None and self.process.stdout is not None
        print(seconds, file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


# In a child
# --------------------------------------------------------------------------------------------------------------


def _serve(name: str, size: int) -> None:
    try:
        call = _call(name, size)
    except ImportError:
        print("missing", flush=True)
        return
    print("ready", flush=True)
    for line in sys.stdin:
        times, end = [], time.perf_counter() + float(line)
        before = time.perf_counter()
        while before < end:
            call()
            after = time.perf_counter()
            times.append(1e6 * (after - before))
            before = after
        times.sort()
        answer = {
            "mean": statistics.fmean(times),
            "median": statistics.median(times),
            "late": times[len(times) * 99 // 100],
        }
        print(json.dumps(answer), flush=True)


def _call(name: str, size: int) -> Callable[[], Any]:
    """A call of a contestant on arrays of its own, warm."""
    import numpy as np

    rng = np.random.default_rng(0)
    a, b = rng.random((2, size, size), np.float32)
    out = np.empty((size, size), np.float32)
    if name == "torch":
        import torch

        torch.set_num_threads(2)
        x, y, z = map(torch.from_numpy, (a, b, out))
        call = lambda: torch.mm(x, y, out=z)
    elif name == "numpy":
        call = lambda: np.matmul(a, b, out=out)
    else:
        kernel = _kernel(size, 2, "openmp" if name == "openmp" else "team")
        call = kernel.bind(a, b, out=out)
    call()
    assert np.allclose(out, a @ b, rtol=1e-3)
    return call


def _kernel(size: int, threads: int, threads_by: str = "team"):
    import griotte as gt
    from griotte.runtime.kernel import kernel_of

    program = gt.synthesize(f"matmul(f32[{size},{size}], f32[{size},{size}])", threads=threads)
    return kernel_of(program.build(threads_by))


def paused(threads: int, threads_by: str, rounds: int) -> list[float]:
    """Microseconds of a small kernel's call, by PAUSES, in which the calling thread is busy; medians of rounds."""
    import numpy as np

    a, b = np.random.default_rng(0).random((2, SMALL, SMALL), np.float32)
    call = _kernel(SMALL, threads, threads_by).bind(a, b, out=np.empty((SMALL, SMALL), np.float32))
    times: dict[int, list[float]] = {pause: [] for pause in PAUSES}
    for pause in PAUSES * rounds:
        spent, count = 0.0, max(20, 20000 // (pause + 20))
        for _ in range(count):
            then = time.perf_counter() + pause / 1e6
            while time.perf_counter() < then:
                pass
            start = time.perf_counter()
            call()
            spent += time.perf_counter() - start
        times[pause].append(spent / count)
    return [statistics.median(each) * 1e6 for each in times.values()]


def after(rounds: int) -> float:
    """NumPy's call after griotte's kernel of two threads, over that after the one of one thread; medians."""
    import numpy as np

    size = 256
    a, b = np.random.default_rng(0).random((2, size, size), np.float32)
    out = np.empty((size, size), np.float32)
    kernels = {threads: _kernel(size, threads).bind(a, b, out=out) for threads in (1, 2)}
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for threads, call in kernels.items():
            for _ in range(200):
                call()
                start = time.perf_counter()
                np.matmul(a, b, out=out)
                times[threads].append(time.perf_counter() - start)
    return statistics.median(times[2]) / statistics.median(times[1])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        _serve(sys.argv[2], int(sys.argv[3]))
    else:
        main()
