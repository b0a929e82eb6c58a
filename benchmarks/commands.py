"""How long a person waits: `import griotte`, `griotte --help`, `make test` on a fresh clone."""

from __future__ import annotations

import functools
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from child import clean_environment
from row import Result, Row, Run

ROOT = Path(__file__).resolve().parent.parent
IMPORT = (sys.executable, "-c", "import griotte")
HELP = (str(Path(sys.executable).parent / "griotte"), "--help")
MAKE_TEST_MINUTES = 15.0


def rows() -> list[Row]:
    return [
        Row("import", "import griotte", "<= 0.3 s", functools.partial(_best, IMPORT, 0.3)),
        Row("help", "griotte --help", "<= 0.5 s", functools.partial(_best, HELP, 0.5)),
        Row("make-test", "make test on a fresh clone", f"<= {MAKE_TEST_MINUTES:g} min", _make_test, on_request=True),
    ]


def _best(command: tuple[str, ...], bar: float, run: Run) -> Result:
    """Best of 5 wall times of a fresh process, the start of Python included."""
    bare = min(_seconds((sys.executable, "-c", "pass")) for _ in range(5))
    times = [_seconds(command) for _ in range(5)]
    return Result(
        f"{min(times):.2f} s ({bare:.2f} s of it Python's)",
        min(times) <= bar,
        {"seconds": times, "bare_python_s": bare},
    )


def _seconds(command: tuple[str, ...]) -> float:
    started = time.perf_counter()
    done = subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=clean_environment(), text=True
    )
    seconds = time.perf_counter() - started
    if done.returncode:
        raise RuntimeError(
            f"{' '.join(command[1:])} ended with status {done.returncode}:"
            f" {(done.stderr.strip().splitlines() or ['no message'])[-1]}"
        )
    return seconds


def _make_test(run: Run) -> Result:
    """Clone, virtual environment, tests: everything that a new reader waits for. What is not committed does not
    count."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        subprocess.run(["git", "clone", "-q", str(ROOT), f"{folder}/griotte"], check=True)
        env = {**clean_environment(), "GRIOTTE_CACHE": f"{folder}/cache"}
        done = subprocess.run(["make", "test"], cwd=f"{folder}/griotte", env=env, capture_output=True, text=True)
        minutes = (time.perf_counter() - started) / 60
    last = (done.stdout.strip().splitlines() or ["no output"])[-1]
    return Result(
        f"{minutes:.1f} min: {last}",
        done.returncode == 0 and minutes <= MAKE_TEST_MINUTES,
        {"minutes": minutes, "status": done.returncode},
    )
