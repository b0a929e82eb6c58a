import time
from itertools import pairwise

import pytest
from griotte.machine import named
from griotte.runtime.timing import fma_peak, interleaved, read_bandwidth


def test_times_are_of_one_call():
    times = interleaved({"short": lambda: None, "long": lambda: time.sleep(0.002)}, seconds=0.1)
    assert times["short"].median_us < 5 and times["long"].median_us >= 2000
    assert all(t.min_us <= t.median_us and t.runs >= 3 for t in times.values())


def test_contestants_take_turns():
    order = []
    interleaved(
        {"a": lambda: order.append("a") or time.sleep(0.005), "b": lambda: order.append("b") or time.sleep(0.005)},
        seconds=0.08,
    )
    changes = sum(x != y for x, y in pairwise(order))
    assert changes >= 4


def test_a_slow_one_runs_three_times():
    assert interleaved({"slow": lambda: time.sleep(0.01)}, seconds=0.001)["slow"].runs >= 3


@pytest.mark.parametrize("threads", [1, 2])
def test_probes_measure_something(threads):
    target = named("portable")
    probes = {"fma": fma_peak(target, threads), "read": read_bandwidth(1 << 16, target, threads)}
    times = interleaved(probes, seconds=0.05)
    assert probes["fma"].rate(times["fma"].median_us) > 0.1 and probes["read"].rate(times["read"].median_us) > 0
    assert probes["read"].work == 1 << 16
