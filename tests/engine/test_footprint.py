"""How much of a cache a tile takes up."""

import numpy as np
from griotte.engine.footprint import abreast, begun, known, latest, lines, passing, resident, runs, unkept
from griotte.lang.nests.access import Access, Mesh
from griotte.lang.nests.family import USUAL, Layout, Occupied, Operand, given_layout
from griotte.lang.types.tensor import TensorType
from hypothesis import given
from hypothesis import strategies as st

ROWS, COLUMNS = Layout((1, 0), given=True), Layout((0, 1), given=True)
ACCESS = Access.of("k n")
SIZE = {"m": 1, "k": 8, "n": 4096}


def test_what_is_used_once_takes_a_line_of_each_row():
    assert resident(ACCESS, Operand("f32", 2, ROWS), SIZE, USUAL, reduced=True) == 8
    assert resident(ACCESS, Operand("f32", 2, COLUMNS), SIZE, USUAL, reduced=True) == 4096
    assert resident(ACCESS, Operand("bf16", 2, ROWS), {**SIZE, "n": 5}, USUAL, reduced=True) == 8


def test_what_is_used_again_takes_all_of_its_lines():
    operand = Operand("f32", 2, ROWS)
    assert (
        resident(ACCESS, operand, {**SIZE, "m": 2}, USUAL, reduced=True) == lines(ACCESS, operand, SIZE, 64) == 8 * 256
    )
    assert resident(ACCESS, operand, SIZE, USUAL) == 8 * 256  # a map
    windows = Access.of("y+i n")
    assert resident(windows, operand, {"y": 6, "i": 3, "n": 64}, USUAL, reduced=True) == lines(
        windows, operand, {"y": 6, "i": 3, "n": 64}, 64
    )


def test_a_large_tile_that_is_walked_down_passes():
    operand, many = Operand("f32", 3, ROWS), {**SIZE, "k": 32}
    assert passing(ACCESS, operand, many, 1024.0, 8.0, 64) == 32 * 256 * (1 - 8 / 32)
    assert passing(ACCESS, operand, many, 32 * 256.0, 8.0, 64) == 0  # there is room for all of it
    assert passing(ACCESS, operand, SIZE, 1024.0, 8.0, 64) == 0  # its rows come side by side
    assert (
        passing(ACCESS, operand, {**many, "m": 2}, 1024.0, 8.0, 64) == 0
    )  # it is used again, and takes all of its lines


def test_rows_that_fold_onto_the_same_lines_of_a_page_take_more():
    folded = Operand("f32", 2, Layout((1, 0), given=True, alias=4096))
    assert resident(ACCESS, folded, SIZE, USUAL, reduced=True) == 8 * 64
    assert resident(ACCESS, folded, {**SIZE, "k": 1}, USUAL, reduced=True) == 1


def test_rows_that_nearly_fold_take_more_until_they_have_drifted_apart():
    """Rows of 513 f32 begin 4 bytes further on within half a page: 64 of them on little more lines than those of 512,
    and 512 of them wherever they would."""
    of = lambda elements, rows: float(resident(ACCESS, rows_of(elements), {"m": 4, "k": rows, "n": 16}, USUAL))
    assert of(500, 64) == of(529, 64) < of(513, 64) < of(512, 64)
    assert of(513, 2048) == of(529, 2048)
    assert of(513, 1) == of(529, 1)
    lost = lambda elements, rows: float(unkept(ACCESS, rows_of(elements), {"k": rows, "n": 24}, 512.0, USUAL))
    assert 0 == lost(1025, 8) < lost(1025, 64) < lost(1024, 64)


@given(st.integers(1, 1 << 14), st.integers(2, 64))
def test_no_row_is_said_to_fold_that_meets_other_sets(elements, rows):
    """By counting: rows of f32 that begin on a line meet no fewer positions than is said of them."""
    layout = rows_of(elements).layout
    if layout.alias:
        met = {row * elements * 4 % USUAL.page // USUAL.line for row in range(rows)}
        drifted = (rows - 1) * layout.drift / USUAL.line
        assert len(met) <= USUAL.page // layout.alias * (1 + np.ceil(drifted))


def rows_of(elements: int) -> Operand:
    return Operand("f32", 2, given_layout(TensorType("f32", (64, elements), (1, 0))))


def test_of_rows_on_few_sets_those_beyond_its_ways_are_not_kept():
    """L1 of 512 lines, 8 to a set: 8 rows of a page's pitch, twice as many of half a page's."""
    of = lambda rows, **layout: float(
        unkept(ACCESS, Operand("f32", 2, Layout((1, 0), given=True, **layout)), {"k": rows, "n": 24}, 512.0, USUAL)
    )
    assert [of(rows, alias=4096) for rows in (1, 8, 16, 32)] == [0, 0, 1 / 2, 3 / 4]
    assert [of(rows, alias=2048) for rows in (8, 16, 32)] == [0, 0, 1 / 2]
    assert of(512, alias=0) == 0


def test_long_rows_that_are_taken_whole_begin_where_the_row_before_ended():
    named = Operand("f32", 3, Layout((1, 0), given=True, row=500))
    of = lambda columns, operand=named: [
        float(count(ACCESS, operand, {"k": 12, "n": columns})) for count in (runs, begun, abreast)
    ]
    assert of(500) == [12, 0, 12]
    assert of(499) == [12, 12, 0]
    assert of(500, Operand("f32", 3, ROWS)) == [12, 12, 0]  # of which nothing is known
    assert of(100, Operand("f32", 3, Layout((1, 0), given=True, row=100))) == [1, 1, 0]  # short ones are one stretch


def test_parts_of_rows_take_up_of_l1_what_comes_behind_them():
    """64 bytes begin within a line and so lie on nearly two; the core fetches a third."""
    size, occupied = {"m": 4, "k": 128, "n": 16}, Occupied(64, 4096, beside=1.0, part=2 / 3)
    of = lambda level, size=size, spans=occupied, **layout: float(
        resident(ACCESS, Operand("f32", level, Layout((1, 0), given=True, **layout)), size, spans)
    )
    assert of(1) == of(1, split=True) == 2 / 3 * 128 * (1 + 60 / 64 + 1)
    assert of(1, spans=USUAL) == of(2) == 128
    assert of(1, row=32) == 2 / 3 * 128 * 2  # no more than the rows in full
    assert of(1, {**size, "n": 512}) == 128 * 32  # no less than its own lines


def test_each_size_of_an_array_counts_for_itself():
    found = resident(ACCESS, Operand("f32", 2, ROWS), {**SIZE, "m": np.array([1, 2])}, USUAL, reduced=True)
    assert found.tolist() == [8, 8 * 256]


def test_over_a_mesh_all_that_is_known_is_kept_or_the_latest_alone():
    mesh, counted = Mesh({"m": np.arange(1, 5)}), []

    def count(kept, key):
        def noted():
            counted.append(key)
            return np.full(4, key)

        return kept(mesh, (key,), noted) if kept is known else kept(mesh, "what", (key,), noted)

    for kept, expected in ((known, [1, 2]), (latest, [1, 2, 1])):
        counted.clear()
        for key in (1, 1, 2, 2, 1):
            assert (count(kept, key) == key).all()
        assert counted == expected
    assert latest(mesh, "else", (1,), lambda: 7) == 7 and (count(latest, 1) == 1).all()  # each `what` has its own
    assert counted == [1, 2, 1]
    assert [latest({"m": 3}, "what", (1,), lambda n=n: n) for n in (5, 6)] == [5, 6]  # of sizes nothing is kept
