"""Fresh processes: `call("speed:against_numpy", ...)` runs that function of benchmarks/speed.py in one and answers its
JSON.

A measurement that shares a process with another shares its caches, thread pools and peak memory; these do not. The
process that prints the table imports neither NumPy nor griotte.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

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
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _main() -> None:
    name, args, shape = sys.argv[1:]
    module, function = name.split(":")
    answer = getattr(importlib.import_module(module), function)(*json.loads(args))
    for item in [answer] if shape == "single" else answer:
        print(json.dumps(item), flush=True)


if __name__ == "__main__":
    _main()
