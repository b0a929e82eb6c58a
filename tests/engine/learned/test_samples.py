"""Samples: rows and groups."""

import numpy as np
from griotte.engine.learned.samples import Group, Samples

GROUPS = tuple(Group(f"relu(f32[{n}])", "relu", 1, "portable", "a CPU") for n in (8, 9))


def samples() -> Samples:
    row = np.arange(4.0)
    return Samples(1, GROUPS, np.array([0, 0, 1, 1]), row[:, None], row, row + 1, row + 2, row)


def test_rows_are_taken_by_a_mask_or_by_numbers():
    found = samples()
    assert len(found) == 4
    assert found.of(found.price > 1).warm.tolist() == found.of([2, 3]).warm.tolist() == [3, 4]


def test_rows_of_a_group():
    found = samples().of_groups([1])
    assert found.group.tolist() == [1, 1] and found.features.tolist() == [[2], [3]] and found.groups == GROUPS
