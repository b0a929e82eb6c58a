"""Programs are timed in turns, what takes longer is told to; in a process of their own: one that kills its process is
told, and others follow."""

import ctypes
import os
import signal
import subprocess
import sys
import time

import griotte as gt
import numpy as np
import pytest
from griotte.lang.meaning.samples import timed_arrays
from griotte.lang.text.text import parse
from griotte.runtime import placing
from griotte.support.errors import ToolchainError
from griotte.tools.learn import timing
from griotte.tools.learn.elsewhere import timing as elsewhere
from griotte.tools.learn.elsewhere import turns
from griotte.tools.learn.elsewhere.turns import Pace

PACE, SLOWER = Pace(1e-4, 4, 2), Pace(2e-4, 6, 3)


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


@pytest.mark.parametrize("text, beyond", [("f32[3,1,5]", 0), ("f32[200,300]{0,1}", 2048)])
def test_results_begin_where_those_of_a_call_do(text, beyond):
    (array,) = timed_arrays(parse(f"copy({text})"), np.random.default_rng(0))
    found = timing.as_result(array)
    assert found.ctypes.data % (4096 if beyond else 64) == beyond
    assert np.array_equal(found, array) and found.strides == array.strides


@pytest.mark.parametrize("size", [100, (1 << 17) - 1, 1 << 17, 300_001])
def test_results_elsewhere_begin_where_those_of_a_call_do(size):
    assert placing.start(ctypes.addressof(elsewhere.result_room(size)), size) == 0


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


def work(size):
    return np.ones(size).sum


def test_the_longer_call_takes_longer():
    short, long = timing.timed_warm([work(10_000), work(200_000)], 1, SLOWER)
    assert 2 < long.low / short.low < 200
    assert short.low <= short.median and short.spread >= 0


def test_two_threads_are_timed_by_the_wall():
    (times,) = timing.timed_warm([lambda: time.sleep(2e-3)], 2, SLOWER)
    assert times.low > 1500


def test_calls_with_operands_in_memory_are_timed_one_by_one():
    array, calls = np.ones(1 << 15), []
    found = timing.timed_cold([lambda: calls.append(array.sum())], 1, SLOWER, [array])
    assert len(calls) in (0, SLOWER.cold)
    (low, median) = found[0]
    assert np.isnan(low) or 0 < low <= median


def test_halves_that_differ_are_run_anew_by_the_same_clock(monkeypatch):
    given = [(1.0, 0.5), (2.0, 0.0), (1.5, 0.02), (2.4, 0.01), (4.0, 0.0), (3.0, 0.0)]  # the second time half as fast
    found, asked = iter([turns.Times(low, low, spread) for low, spread in given]), []

    def in_turns(runs, pace):
        asked.append(len(runs))
        return [next(found) for _ in runs]

    monkeypatch.setattr(turns, "in_turns", in_turns)
    first, second, third = timing.timed_warm([work(1), work(2), work(3)], 1, SLOWER)
    assert asked == [3, 3] and first == turns.Times(1.2, 1.2, 0.01)
    assert second.low == 2.0 and third.low == 1.5


def test_where_none_is_steady_all_count_as_they_are(monkeypatch):
    found = iter([turns.Times(1.0, 1.0, 0.5), turns.Times(1.2, 1.2, 0.01)])
    monkeypatch.setattr(turns, "in_turns", lambda runs, pace: [next(found) for _ in runs])
    assert timing.timed_warm([work(1)], 1, SLOWER) == [turns.Times(1.2, 1.2, 0.01)]


def test_what_a_round_took_longer_by_most_of_its_programs_is_taken_out():
    alone = [1.0, 2.0, 3.0, 4.0, 5.0]
    clock = [1.0, 1.4, 1.0, 1.4, 1.0, 1.0]
    rounds = [[x * by for x in alone] for by in clock]
    rounds[2][3] = 6.0  # one was disturbed
    found = turns.levelled(rounds)
    assert found[0] == pytest.approx(alone) and found[1] == pytest.approx(alone) and found[2][3] == 6.0
    few = [each[:3] for each in rounds]
    assert turns.levelled(few) == few


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 1.0])
@pytest.mark.parametrize("count", [1, 2, 5, 24])
def test_quantiles_are_those_of_numpy(count, share):
    values = np.random.default_rng(count).random(count).tolist()
    assert turns.quantile(values, share) == pytest.approx(np.quantile(values, share), rel=1e-12)
