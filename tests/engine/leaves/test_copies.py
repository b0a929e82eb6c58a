"""What leaves that copy take of the ports: packs, windows, blocks turned in registers."""

from dataclasses import replace

import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.leaves import price, transpose
from griotte.engine.leaves import window as windows
from griotte.engine.rewrites.move import copy_family
from griotte.lang.nests.family import Layout, Operand
from griotte.lang.text.text import parse
from griotte.machine.core import Ports
from machines import described, machine, three

TARGET = machine("avx2")
ACCESS = canonical_form(parse("transpose(f32[48,80])")).operation.inputs[0]
ROWS, COLUMNS = (Operand("f32", 2, Layout(order)) for order in ((1, 0), (0, 1)))
PANELS = Operand("f32", 2, Layout((1, 0), panel=(1, 16)))


def cycles(form: str, to: Operand, source: Operand = ROWS, **ports: float) -> float:
    """The port model's cycles of a copy, on ports of which some are given."""
    family, target = copy_family(ACCESS, source, to), replace(TARGET, ports=replace(Ports(), **ports))
    kernel = next(k for k in target.kernels if k.form == form)
    found = price.features(kernel, "", family, target, dict(zip(family.operation.dims, (48, 80))))
    return float(found["pack"])


@pytest.mark.parametrize("copied", [1.5, 2.0, 3.0])
def test_what_is_packed_as_it_is_takes_as_long_as_it_is_stored(copied):
    vectors, starts = 48 * 80 / 8, 48 * 80 / 16
    assert cycles("pack", PANELS, copied=copied) == pytest.approx(vectors * copied + starts, rel=0.1)


def test_what_is_converted_as_it_is_packed_takes_the_longer_of_the_two():
    halves = replace(ROWS, dtype="bf16")
    plain, starts = 48 * 80 / 8 * 1.5, 48 * 80 / 16
    assert cycles("pack", PANELS, halves, copied=1.5, converting=1.0) == pytest.approx(plain + starts, rel=0.1)
    slow = cycles("pack", PANELS, halves, copied=1.5, converting=1.0, arithmetic=0.1, adders=0.1)
    assert slow == pytest.approx(48 * 80 / 8 * 5 + starts, rel=0.1)


def test_blocks_are_turned_as_fast_as_vectors_are_shuffled():
    assert (
        cycles("transpose", COLUMNS, shuffle=0.5)
        == 2 * cycles("transpose", COLUMNS)
        == 2 * cycles("transpose", COLUMNS, copied=9.0)
    )


def test_rows_that_lie_across_their_panels_are_turned_as_blocks_are():
    assert cycles("pack", PANELS, COLUMNS, shuffle=0.5) == 2 * cycles("pack", PANELS, COLUMNS) > 0


def test_groups_that_lie_side_by_side_are_moved_whole_and_converted_one_by_one():
    fours = replace(PANELS, layout=replace(PANELS.layout, group=(0, 4)))
    elements, handling = 48 * 80, TARGET.handling
    assert cycles("pack", fours, COLUMNS) == elements / 4 * handling.group
    assert cycles("pack", fours, replace(COLUMNS, dtype="f16")) == elements * handling.element


def window(order: tuple[int, ...], beyond: tuple[int, ...]) -> float:
    """The port model's cycles of a window of 48 x 80 that may reach beyond its tensor along some axes."""
    source = replace(ROWS, layout=replace(ROWS.layout, order=order, beyond=beyond))
    family = copy_family(ACCESS, source, replace(ROWS, layout=Layout(order)))
    kernel = next(k for k in TARGET.kernels if k.form == "window")
    return float(windows.cycles(kernel, "", family, TARGET, dict(zip(family.operation.dims, (48, 80)))))


def test_a_row_whose_length_is_known_takes_no_look_at_it():
    """Beyond the tensor all of a row is, or it may be a part of it."""
    rows, handling = 48, TARGET.handling
    known, looked = window((1, 0), (0,)), window((1, 0), (1,))
    assert looked - known == rows * (2 * handling.row - handling.known)
    assert window((1, 0), (0, 1)) == looked


def test_a_strip_has_no_more_rows_than_a_cache_keeps_lines_of():
    """Rows of the result on few sets: of those of L1, and where it keeps too few of those of L2, three quarters."""
    target = described(f'name = "sets"\nbase = "avx2"\n{three(32 << 10, 512 << 10)}')
    columns = lambda pitch, source: transpose.strip_of(pitch, 4, target, source)
    assert columns(4 * 311, 400) == target.writing.strip  # on all sets
    assert columns(1024, 400) == 24  # four lines of a page, each in eight ways
    pages = [kib << 10 for kib in (8, 16, 32)]
    assert [columns(pitch, 4096) for pitch in pages] == [48, 24, 12]  # L2 has 64, 32 and 16 lines so far apart
    assert [columns(pitch, 400) for pitch in pages] == [8] * 3  # the source is elsewhere: all eight ways
    assert columns(512 << 10, 4096) == target.writing.strip  # one line


@pytest.mark.parametrize("strip", [8, 24, 64])
@pytest.mark.parametrize("element", [1, 2, 4, 8])
def test_parts_of_a_transpose_are_all_rows_and_their_strips_stay_in_l2(strip, element):
    """Parts are in steps of a block, about as long as each other, and no more than two caches keep."""
    near, far, step, line = 32 << 10, 512 << 10, 8, 64
    target = described(f'name = "parts"\nbase = "avx2"\n{three(near, far)}')
    found = [transpose.rows_at_once(rows, step, strip, element, target) for rows in range(1, 9000, 7)]
    for rows, at_once in zip(range(1, 9000, 7), found):
        assert at_once == rows or at_once % step == 0 and at_once < rows
        most = far // 2 // (2 * strip * element + 2 * line)
        assert at_once <= most + step
        assert strip * element >= line or at_once * (strip * element + line) <= near + step * line
    assert any(at_once < rows for rows, at_once in zip(range(1, 9000, 7), found))
    none = described(
        'name = "none"\nbase = "avx2"\n[[levels]]\nname = "L1"\ncapacity = 32768\n[[levels]]\nname = "memory"'
    )
    assert transpose.rows_at_once(5000, step, strip, element, none) == 5000
