"""How many CPUs a process may use."""

import os

import pytest
from griotte.support.cpus import usable


@pytest.mark.parametrize(
    "said, most",
    [
        ("150000 100000", 2),
        ("100000 100000", 1),
        ("10000 100000", 1),
        ("max 100000", None),
        ("nonsense", None),
        ("1 0", None),
    ],
)
def test_no_more_than_the_control_group_gives_time_for(tmp_path, said, most):
    (tmp_path / "cpu.max").write_text(said)
    allowed = len(os.sched_getaffinity(0))
    assert usable(tmp_path / "cpu.max") == min(allowed, most or allowed)


def test_without_a_control_group_those_it_may_run_on(tmp_path):
    allowed = os.sched_getaffinity(0)
    assert usable(tmp_path / "none") == len(allowed)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert usable(tmp_path / "none") == 1
    finally:
        os.sched_setaffinity(0, allowed)
