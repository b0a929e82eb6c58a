"""The team that all kernels of a process share: its threads as the system sees them, forks, callers at once."""

import os

import pytest
from own_process import run

pytestmark = pytest.mark.skipif(
    not os.path.exists("/proc/self/task") or len(os.sched_getaffinity(0)) < 2,
    reason="expected /proc and two CPUs, found less",
)


def test_kernels_share_one_team_that_takes_no_signals():
    run("""
    exp, log = shared("exp(f32[256,512])"), shared("sqrt(f32[256,512])")
    before = helpers()
    exp(x), log(x), exp(x)
    (made,) = helpers() - before
    status = open(f"/proc/self/task/{made}/status").read()
    blocked = int(next(line.split()[1] for line in status.splitlines() if line.startswith("SigBlk")), 16)
    assert blocked >> signal.SIGINT - 1 & 1 and blocked >> signal.SIGTERM - 1 & 1, status
    """)


def test_a_child_of_a_fork_has_a_team_of_its_own():
    """Also where another thread is within a call as the process forks."""
    run("""
    exp = shared("exp(f32[256,512])")
    expected, going, ends = exp(x), True, []

    def calls():
        while going:
            exp(x)

    thread = threading.Thread(target=calls)
    for number in range(20):
        if number == 10:
            thread.start()
        if (child := os.fork()) == 0:
            signal.alarm(150)
            before = helpers()
            right = all((exp(x) == expected).all() for _ in range(3))
            os._exit(0 if right and len(helpers() - before) == 1 else 1)
        ends.append(os.waitpid(child, 0)[1])
    going = False
    thread.join()
    assert ends == [0] * 20, ends
    assert (exp(x) == expected).all()
    """)


def test_callers_at_once_are_right():
    run("""
    exp = shared("exp(f32[256,512])")
    expected, wrong = exp(x), []

    def calls():
        for _ in range(200):
            if not (exp(x) == expected).all():
                wrong.append(1)

    threads = [threading.Thread(target=calls) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    """)


def test_a_saved_kernel_brings_a_team(tmp_path):
    """Where the shared one cannot be compiled."""
    run(f"""
    shared("exp(f32[256,512])").save({str(tmp_path)!r})
    os.environ["CC"] = "no-such-compiler"
    os.environ["GRIOTTE_CACHE"] = {str(tmp_path / "none")!r}
    from griotte.runtime import load, team
    team.load_team.cache_clear()
    before, kernel = helpers(), load({str(tmp_path)!r})
    assert np.allclose(kernel(x), np.exp(x), rtol=1e-5)
    """)
