"""What is known of an access along each of its dimensions."""

from itertools import product

import pytest
from griotte.lang.nests.access import Access

TERMS = (), (("a", 1),), (("b", 2),), (("a", 1), ("b", 3)), (("b", 1), ("b", 2), ("c", 1))


@pytest.mark.parametrize("rank", (0, 1, 2, 3))
def test_axes_of_dimensions_and_whether_their_tiles_overlap(rank):
    for axes in product(TERMS, repeat=rank):
        access = Access(axes)
        for dim in "abcz":
            moved = [i for i, axis in enumerate(axes) if any(d == dim for d, _ in axis)]
            assert access.axis_of(dim) == (moved[0] if moved else -1)
            assert access.is_apart(dim) == all(len(axes[i]) == 1 for i in moved)
