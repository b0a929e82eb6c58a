"""Patches: what they answer, where they meet other products of sizes, and bytes that are none."""

import json
import zlib
from itertools import product

import numpy as np
import pytest
from griotte.engine.table import FREE, Boxes, Damaged, Patch, cover
from griotte.engine.table.runs import Runs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples


def patch_of(block: np.ndarray, sizes, tiles, holes=(), levels=()) -> Patch:
    """A patch that holds a dense block over sizes (and, for each level, six steps, or the first of them)."""
    points = int(np.prod([len(axis) for axis in sizes]))
    rows, slot = np.arange(points), np.arange(points, dtype=np.int32)
    boxes = cover(rows, slot, block.reshape(points, int(np.prod(block.shape[len(sizes) :]))), block.shape)
    return Patch(tuple(map(tuple, sizes)), tuple(map(tuple, tiles)), levels, 6, block.size, boxes, holes)


def numbered(*shape) -> np.ndarray:
    return np.arange(np.prod(shape), dtype=np.int16).reshape(shape)


SIZES, TILES = ((1, 2, 3, 4), (1, 2, 5)), ((1, 2, 3), (1, 2))
BLOCK = numbered(4, 3, 6)
PATCH = patch_of(BLOCK, SIZES, TILES, levels=(1,))


def test_each_point_has_its_decision():
    for i, m in enumerate(SIZES[0]):
        for j, n in enumerate(SIZES[1]):
            for step in range(6):
                assert PATCH.decision((m, n), (step,), TILES) == BLOCK[i, j, step]


@pytest.mark.parametrize("point", [(5, 1), (1, 3), (7, 7)])
def test_other_sizes_are_not_known(point):
    assert PATCH.decision(point, (0,), TILES) == FREE


def test_a_decision_holds_where_the_tiles_below_the_size_are_the_same():
    more = ((1, 2, 3, 4), (1, 2))  # a tile of 4 is no tile of a loop over 4
    less = ((1, 3), (1, 2))
    assert PATCH.decision((4, 5), (0,), more) == BLOCK[3, 2, 0]
    assert PATCH.decision((2, 5), (0,), less) == BLOCK[1, 2, 0]
    assert PATCH.decision((3, 5), (0,), less) == FREE


def test_it_says_nothing_in_its_holes():
    patch = patch_of(BLOCK, SIZES, TILES, holes=(((1, 2), (0,)),), levels=(1,))
    assert patch.decision((2, 1), (0,), TILES) == FREE == patch.decision((3, 1), (5,), TILES)
    assert patch.decision((2, 2), (0,), TILES) == BLOCK[1, 1, 0]
    found = patch.gather([np.arange(4), np.arange(3)])
    assert (found[1:3, 0] == FREE).all() and np.count_nonzero(found == FREE) == 12
    assert np.array_equal(patch.gather([np.array([2, 3]), np.array([1, 2])]), BLOCK[2:, 1:])


def solved(block: np.ndarray, sizes, tiles, holes=(), levels=()) -> Patch:
    """As `patch_of`, in memory; its last point has no row."""
    points = int(np.prod([len(axis) for axis in sizes]))
    slot = np.append(np.arange(points - 1), -1).astype(np.int32)
    runs = Runs.of(slot, block.reshape(points, -1)[:-1], block.shape)
    return Patch(tuple(map(tuple, sizes)), tuple(map(tuple, tiles)), levels, 6, block.size, runs, holes)


@pytest.mark.parametrize("make", (patch_of, solved))
@pytest.mark.parametrize("tiles", (TILES, ((1, 3), (1, 2)), ((1, 2, 3, 4), (1, 3)), ((), ())))
@pytest.mark.parametrize("holes", ((), (((1, 2), (0,)), ((0,), (1, 2)))))
def test_sizes_of_one_dimension_have_the_decisions_that_each_has(make, tiles, holes):
    patch, sizes, told = make(BLOCK // 3, SIZES, TILES, holes, (1,)), np.array([4, 1, 7, 2, 2, 3, 5]), set()
    for step, other in product((0, 5), (1, 2, 3, 4, 5)):
        for row in (None, other), (other, None):
            found = patch.decisions(row, sizes, (step,), tiles)
            points = (tuple(n if size is None else size for size in row) for n in sizes.tolist())
            assert found.tolist() == [patch.decision(point, (step,), tiles) for point in points]
            told |= set(found.tolist())
    assert FREE in told and len(told) > 2


@settings(deadline=None)
@given(
    st.sets(st.integers(1, 9), min_size=1),
    st.sets(st.integers(1, 9), min_size=1),
    st.sets(st.integers(1, 9)),
    st.sets(st.integers(1, 9)),
)
def test_what_two_products_share_is_what_single_points_say(old, new, old_tiles, new_tiles):
    old, new, old_tiles, new_tiles = (tuple(sorted(s)) for s in (old, new, old_tiles, new_tiles))
    patch = patch_of(numbered(len(old)), (old,), (old_tiles,))
    here, there = patch.shared((new,), (new_tiles,))
    found = dict(zip(there[0], patch.gather(here)))
    for i, size in enumerate(new):
        assert found.get(i, FREE) == patch.decision((size,), (), (new_tiles,))


def test_a_bigger_product_covers_a_smaller_one_and_not_the_other_way():
    small = patch_of(numbered(2), ((1, 2),), ((1,),))
    assert patch_of(numbered(3), ((1, 2, 4),), ((1, 2),)).covers(small)
    assert not small.covers(patch_of(numbered(3), ((1, 2, 4),), ((1, 2),)))
    assert not patch_of(numbered(3), ((1, 2, 4),), ((1, 2),), holes=(((0,),),)).covers(small)
    assert not patch_of(numbered(3), ((1, 2, 4),), ((),)).covers(small)  # other tiles below 2


# ---- bytes -----------------------------------------------------------------------------------------------------------


def same(a: Patch, b: Patch) -> bool:
    fields = ("sizes", "tiles", "levels", "steps", "points", "holes")
    return all(getattr(a, f) == getattr(b, f) for f in fields) and np.array_equal(a.boxes.dense(), b.boxes.dense())


@pytest.mark.parametrize(
    "patch",
    [
        PATCH,
        patch_of(BLOCK, SIZES, TILES, holes=(((1,), (0, 2)),), levels=(2,)),
        patch_of(numbered(), (), ()),
        patch_of(numbered(0), ((),), ((),)),
        patch_of(BLOCK[..., :2], SIZES, TILES, levels=(1,)),  # two of six steps are met
    ],
)
def test_bytes_give_the_patch_back(patch):
    assert same(Patch.decode(patch.encode()), patch)


def test_what_is_met_at_few_steps_covers_no_more_than_these_also_from_bytes():
    few, more = (solved(BLOCK[..., :n], SIZES, TILES, levels=(1,)) for n in (2, 3))
    for a, b in product((few, Patch.decode(few.encode())), (more, Patch.decode(more.encode()))):
        assert b.covers(a) and not a.covers(b) and a.covers(few) and not a.covers(PATCH)
        assert a.decision((1, 1), (1,), TILES) == BLOCK[0, 0, 1] and a.decision((1, 1), (2,), TILES) == FREE


def test_every_shorter_piece_is_refused():
    data = PATCH.encode()
    for n in range(len(data)):
        with pytest.raises(Damaged):
            Patch.decode(data[:n])


@examples(400)
@given(st.data())
def test_changed_bytes_are_refused_or_are_a_patch_that_can_be_read(data):
    """The store's digest tells changes; without it, what comes in stays within its own grid."""
    raw = bytearray(PATCH.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        patch = Patch.decode(bytes(raw))
    except Damaged:
        return
    assert patch.boxes.dense().shape == patch.boxes.shape


def packed(header: dict, columns: np.ndarray) -> bytes:
    text = json.dumps(header).encode()
    return b"grio" + len(text).to_bytes(4, "little") + text + zlib.compress(columns.astype("<u2").tobytes())


GOOD = {"sizes": [[1, 2]], "tiles": [[1]], "levels": [], "steps": 6, "points": 2, "boxes": 1, "holes": []}


@pytest.mark.parametrize(
    "change, columns",
    [
        ({}, [0, 3, 7]),  # past the grid
        ({}, [1, 1, 7]),  # empty box
        ({}, [0, 2]),  # a column short
        ({}, [0, 2, 7, 7]),  # one too many
        ({"boxes": 3}, [0, 2, 7]),
        ({"boxes": -1}, [0, 2, 7]),
        ({"sizes": [[2, 1]]}, [0, 2, 7]),
        ({"sizes": [[0, 1]]}, [0, 2, 7]),
        ({"sizes": "ab"}, [0, 2, 7]),
        ({"tiles": []}, [0, 2, 7]),
        ({"holes": [[[0], [0]]]}, [0, 2, 7]),
        ({"steps": 1e9}, [0, 2, 7]),
        ({"levels": ["L1"]}, [0, 2, 7]),
        ({"met": [2]}, [0, 2, 7]),  # of no level
        ({"met": 2}, [0, 2, 7]),
        ({"met": [7], "levels": [1]}, [0, 0, 2, 1, 7]),  # of more steps than there are
        ({"met": [0], "levels": [1]}, [0, 0, 2, 1, 7]),
        ({"met": [True], "levels": [1]}, [0, 0, 2, 1, 7]),
    ],
)
def test_wrong_numbers_are_refused(change, columns):
    assert Patch.decode(packed(GOOD, np.array([0, 2, 7]))).boxes.value.tolist() == [7]
    with pytest.raises(Damaged):
        Patch.decode(packed(GOOD | change, np.array(columns)))


def test_a_bomb_is_not_unpacked():
    text = json.dumps(GOOD).encode()
    bomb = b"grio" + len(text).to_bytes(4, "little") + text + zlib.compress(bytes(50_000_000))
    with pytest.raises(Damaged, match="bytes"):
        Patch.decode(bomb)


def test_boxes_know_no_coordinate_beyond():
    assert isinstance(PATCH.boxes, Boxes) and PATCH.boxes.at((9, 9, 9)) == FREE


def overlapping(count: int, reach: int) -> Patch:
    """Boxes over the first `reach` sizes of each axis, all over one another, on a grid of 3,000 by 3,000 sizes."""
    sizes = (tuple(range(1, 3001)),) * 2
    high = np.full((count, 2), reach, np.uint16)
    boxes = Boxes((3000, 3000), np.zeros_like(high), high, np.zeros(count, np.int16))
    return Patch(sizes, ((1,), (1,)), (), 6, count, boxes)


def test_boxes_that_hold_more_cells_than_there_are_are_refused():
    assert Patch.decode(overlapping(1, 3000).encode()).points == 1
    with pytest.raises(Damaged, match="2 boxes that overlap"):
        Patch.decode(overlapping(2, 3000).encode())


def test_boxes_that_overlap_where_they_are_read_are_refused():
    """Of a large grid they may have few cells, and be more than the cells that are asked for."""
    patch = Patch.decode(overlapping(100, 10).encode())
    with pytest.raises(Damaged, match="100 boxes that overlap"):
        patch.gather([np.arange(5), np.arange(5)])
    assert (Patch.decode(overlapping(1, 10).encode()).gather([np.arange(5), np.arange(5)]) == 0).all()


def test_more_holes_than_are_ever_gone_through_are_refused():
    for count, match in ((5000, "tiles and holes"), (1 << 20, "its header has")):
        with pytest.raises(Damaged, match=match):
            Patch.decode(patch_of(BLOCK, SIZES, TILES, holes=(((0,), (0,)),) * count, levels=(1,)).encode())
