"""ONNX's tests of nodes with each axis in turn open: refused, or as of a number, with nothing written beyond."""

from __future__ import annotations

from collections import Counter

import pytest
from open_nodes import opened
from open_sizes import REFUSED, RIGHT, WRONG, examined

SOME = 197  # of so many nodes one is tried


def require_none_wrong(every: int) -> None:
    found = list(examined(opened(every)))
    assert not [each for each in found if each.verdict == WRONG]
    count = Counter(each.verdict for each in found)
    assert count[RIGHT] and count[REFUSED]


def test_some_are_refused_or_right():
    require_none_wrong(SOME)


@pytest.mark.long
def test_all_are_refused_or_right():
    require_none_wrong(1)
