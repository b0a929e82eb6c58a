"""The cheapest way to cut is that of brute force over all runs."""

from math import inf

import griotte as gt
import numpy as np
import pytest
from drawn.networks import random_network
from griotte.partition import CallList
from griotte.partition.cuts import CALL, Cutter


def price(calls, groups):
    return sum(0 if calls.is_view(g) else calls.moved(g) + CALL for g in groups)


def ways(count):
    """All ways to cut so many calls into runs."""
    for mask in range(1 << (count - 1)):
        ends = [i + 1 for i in range(count - 1) if mask >> i & 1]
        yield list(zip([0, *ends], [*ends, count]))


@pytest.mark.parametrize("seed", range(12))
def test_it_is_the_least_of_all_ways(seed):
    rng = np.random.default_rng(seed)
    calls = next(c for c in (CallList(gt.parse(random_network(rng, 4))) for _ in range(100)) if 3 <= len(c) <= 12)
    cutter, refused = Cutter(calls), []
    for _ in range(3):
        least = inf
        for runs in ways(len(calls)):
            groups = [g for run in runs for g in calls.joined(range(*run))]
            if not any(len(set(g) & set(steps)) > most and len(g) > 1 for g in groups for steps, most in refused):
                least = min(least, price(calls, groups))
        found = cutter.cheapest()
        assert price(calls, found) == least
        assert sorted(s for g in found for s in g) == list(range(len(calls)))
        largest = max(found, key=len)
        refused.append((largest, max(1, len(largest) - 1)))
        cutter.refuse(*refused[-1])


def test_each_group_reads_what_comes_before_it():
    calls = CallList(gt.parse("add(exp(%x: neg(f32[64])), mul(%y: abs(f32[64]), softmax(add(%x, %y), axis=0)))"))
    cutter = Cutter(calls)
    cutter.refuse(tuple(range(len(calls))), 2)
    there = set(range(calls.inputs))
    for steps in cutter.cheapest():
        assert set(calls.reads(steps)) <= there and len(steps) <= 2
        there.update(calls.inputs + s for s in steps)
    assert len(there) == len(calls.types)


def test_no_group_gives_what_is_known_ahead_and_what_is_not():
    calls = CallList(gt.parse("matmul(matmul(f32[3,4], %w: exp(const f32[4,4])), %w)"))
    assert calls.is_split_in_time((0, 1)) and not any(map(calls.is_split_in_time, ((0,), (1,), (1, 2), (0, 1, 2))))
    assert Cutter(calls)._of_group((0, 1)) == inf
