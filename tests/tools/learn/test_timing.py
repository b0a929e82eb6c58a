"""Programs are timed in a process of their own; one that kills its process is told, and others follow."""

import os
import signal
import subprocess
import sys
import time

import griotte as gt
import numpy as np
import pytest
from griotte.lang.meaning.timed import timed_arrays
from griotte.lang.text.text import parse
from griotte.support.errors import ToolchainError
from griotte.tools.learn import timing
from griotte.tools.learn.elsewhere.turns import Pace

PACE = Pace(1e-4, 4, 2)


def killed(*_):
    os.kill(os.getpid(), 9)


def test_a_process_of_their_own(monkeypatch):
    program = gt.synthesize("exp(f32[12,30])", "portable", table="none")
    libraries = [program.build()] * 2
    with timing.TimingProcess() as apart:
        with monkeypatch.context() as patched:
            patched.setattr(timing, "measured", killed)
            with pytest.raises(ToolchainError, match="found that the process died which timed those of exp"):
                apart.measured(program.spec, libraries, 1, 0, PACE)
        found = apart.measured(program.spec, libraries, 1, 0, PACE)
    assert found.right == (True, True) and all(0 < times.low < 1e4 for times in found.warm)
    assert len(found.cold) == 2 and found.load >= 0 and found.seconds > 0


@pytest.mark.parametrize("text", ["f32[3,1,5]{0,2,1}", "bf16[7]", "f64[]", "u8[2,3]"])
def test_arrays_begin_on_a_line(text):
    (array,) = timed_arrays(parse(f"copy({text})"), np.random.default_rng(0))
    found = timing.on_a_line(array)
    assert found.ctypes.data % 64 == 0 and np.array_equal(found, array) and found.dtype == array.dtype
    wide = [axis for axis in range(array.ndim) if array.shape[axis] > 1]  # steps along others say nothing
    assert [found.strides[axis] for axis in wide] == [array.strides[axis] for axis in wide]


ABANDONED = """
import os, signal
from griotte.tools.learn.timing import TimingProcess

if __name__ == "__main__":
    print(TimingProcess()._pool.submit(os.getpid).result(), flush=True)
    os.kill(os.getpid(), signal.SIGTERM)
"""


def test_it_ends_with_the_process_that_asked(tmp_path):
    script = tmp_path / "abandoned.py"
    script.write_text(ABANDONED)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, env=_environment())
    assert done.returncode == -signal.SIGTERM
    for _ in range(200):
        if not _runs(int(done.stdout)):
            return
        time.sleep(0.05)
    raise AssertionError("expected the process that times to end, found it running")


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def _runs(pid: int) -> bool:
    """Whether a process runs; one that ended, and was not yet asked for, does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
