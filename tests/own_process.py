"""Scripts that run in a process of their own, which has one thread but for those that they make."""

import os
import subprocess
import sys
import textwrap

BEGIN = """
import os, signal, sys, threading
import griotte as gt, numpy as np

signal.alarm(200)  # what stalls fails

def helpers():
    return set(os.listdir("/proc/self/task"))

def shared(text):
    program = gt.synthesize(text, target="portable", threads=2, table="none")
    assert "parallel" in str(program), program
    return program.compile()

x = np.random.default_rng(0).random((256, 512), np.float32)
"""


def run(script: str, threads: int = 1) -> None:
    """Run one; fails where it does. `threads`: of OpenBLAS and Numba."""
    variables = "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + textwrap.dedent(script)],
        capture_output=True,
        text=True,
        env={**os.environ, **dict.fromkeys(variables, str(threads))},
        timeout=240,
    )
    assert done.returncode == 0, done.stderr[-3000:]
