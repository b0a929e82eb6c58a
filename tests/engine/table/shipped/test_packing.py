"""What is packed of tables: the points that were read, and no others."""

from dataclasses import replace

import numpy as np
import pytest
from griotte.engine.table import FREE
from griotte.engine.table.patch import Damaged
from griotte.engine.table.shipped.layout import CHUNK, packed, patches_of, read, written
from griotte.engine.table.shipped.packing import ReadPoint, patches_over
from hypothesis import given
from hypothesis import strategies as st

LADDERS = ((1, 2, 3, 4, 6, 8, 12, 16), (1, 2, 4, 5, 8, 16), (1, 2, 3, 4, 6, 7))


def cell(sizes, steps, ladder, decision, levels=(1,)):
    return ReadPoint(sizes, steps, tuple(tuple(t for t in ladder if t < n) for n in sizes), levels, decision)


cells = st.lists(
    st.builds(
        cell,
        st.tuples(st.integers(1, 17), st.integers(1, 17)),
        st.tuples(st.integers(0, 5)),
        st.sampled_from(LADDERS),
        st.integers(-1, 300),
    ),
    max_size=12,
    unique_by=lambda c: (c.sizes, c.steps, c.tiles),
)


@given(cells)
def test_each_cell_is_answered_and_no_other(cells):
    patches = patches_of(written(patches_over(cells)))
    ask = lambda c: [found for p in patches if (found := p.decision(c.sizes, c.steps, c.tiles)) != FREE]
    for each in cells:
        assert ask(each) == [each.decision]
    asked = {(c.sizes, c.steps, c.tiles) for c in cells}
    for sizes in {c.sizes for c in cells} | {(5, 5)}:
        for step in range(6):
            for ladder in LADDERS:
                other = cell(sizes, (step,), ladder, 0)
                assert (other.sizes, other.steps, other.tiles) in asked or not ask(other)


def test_a_family_without_sizes_or_limits():
    (patch,) = patches_of(written(patches_over([ReadPoint((), (), (), (), 7)])))
    assert patch.decision((), (), ()) == 7


def test_records_are_found_by_their_keys_and_others_are_not():
    rng = np.random.default_rng(0)
    records = {f"{n * 7919:032x}"[::-1]: rng.bytes(n % 97) for n in range(1, 3000)}
    layout = read(packed({"space": "s"}, records))
    assert len(layout.chunks) > 1 and sum(map(len, records.values())) > CHUNK
    assert all(layout.record(key) == record for key, record in records.items())
    assert layout.record("0" * 32) is None and layout.record("f" * 32) is None


def test_an_empty_table():
    assert read(packed({"space": "s"}, {})).record("0" * 32) is None


def test_two_keys_that_begin_alike_are_told():
    with pytest.raises(AssertionError, match="two keys"):
        packed({}, {"0" * 32: b"", "0" * 31 + "1": b""})


def test_a_record_beyond_its_chunk_is_damaged():
    layout = read(packed({"space": "s"}, {"0" * 32: b"abc"}))
    longer = replace(layout, places=layout.places + np.array([0, 0, 1], np.uint32))
    with pytest.raises(Damaged, match="beyond its chunk"):
        longer.record("0" * 32)
