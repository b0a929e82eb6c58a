"""Rows of an input that several windows meet: how many there are, who meets them, and what a leaf reads."""

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from griotte.engine.leaves.reduce import price
from griotte.engine.leaves.reduce.sweep import HELD, PLAIN, SWEPT, Sweep, reads, sweep_of, way
from griotte.engine.program.nodes import KernelCall, walk
from hypothesis import given
from hypothesis import strategies as st
from machines import machine

counts, steps = st.integers(1, 9), st.integers(1, 5)


@given(counts, counts, steps, steps)
def test_who_meets_which_row(rows, window, stride, dilation):
    sweep, size = Sweep("y", "i", "j", stride, dilation), {"y": rows, "i": window}
    found = sweep.meetings(size)
    assert len(found) == sweep.met(size) and list(found) == sorted(found)
    met = [(y, i) for row in found.values() for y, i in row.items()]
    assert len(met) == len(set(met)) == rows * window
    for r, row in found.items():
        assert all(y * stride + i * dilation == r for y, i in row.items())
    for y in range(rows):  # each result takes its terms in the order of its window
        assert [i for row in found.values() for at, i in row.items() if at == y] == list(range(window))


def leaf(text: str, target):
    """(kernel, lane, family) of the leaf that sums in the program of a text."""
    kernels = {kernel.name: kernel for kernel in target.kernels}
    found = next(
        node
        for node in walk(gt.synthesize(text, target, table="none").root)
        if isinstance(node, KernelCall) and node.state.family.output.level == 0
    )
    return kernels[found.kernel], found.lane, found.state.family


POOL, DEPTHWISE = "max_pool2d(f32[1,3,30,40], window=3, stride=1)", "conv2d(f32[1,3,30,40], f32[3,1,3,3], groups=3)"


def sizes(found, rows, columns, window=3):
    """Of a tile of so many rows and columns of one image, by square windows."""
    kernel, lane, family = found
    sweep = sweep_of(kernel, family, lane)
    own = {sweep.row: rows, lane: columns, sweep.window: window, sweep.inner: window}
    return dict.fromkeys(family.operation.dims, 1) | own


AVX512 = machine("avx512")


@pytest.fixture(scope="module")
def leaves():
    """By text, the leaf that sums in its program."""
    return {text: leaf(text, AVX512) for text in (POOL, DEPTHWISE)}


def asked(found, *size, target=AVX512):
    """The way of a leaf at a size, and by input what it reads of each vector that steps would take."""
    kernel, lane, family = found
    given = kernel, family, lane, target, sizes(found, *size)
    return way(*given), reads(*given)


@pytest.mark.parametrize("rows, columns, taken, read", [
    (1, 21, PLAIN, 1), (2, 21, SWEPT, 4 / 6), (13, 21, SWEPT, 15 / 39), (13, 9, SWEPT, 15 / 39),
])  # fmt: skip
def test_a_pool_reads_the_rows_that_its_windows_meet(leaves, rows, columns, taken, read):
    assert asked(leaves[POOL], rows, columns) == (taken, [pytest.approx(read)])


@pytest.mark.parametrize("registers, rows, columns, window, taken, weights", [
    (32, 4, 16, 3, HELD, 1), (32, 12, 32, 3, HELD, 1), (16, 6, 32, 3, HELD, 1), (16, 4, 48, 3, SWEPT, 4),
    (16, 4, 16, 4, PLAIN, 1),
])  # fmt: skip
def test_weights_are_held_where_there_are_registers_and_else_read_again_if_that_is_less(
    leaves, registers, rows, columns, window, taken, weights
):
    """Of 16 registers 6 sums of three rows that are begun leave nine for weights and one for x. 9 sums in three vectors
    a row leave too few, and weights are read for each result: 36 of them and 54 vectors of x, where 9 and 108 would be
    read. In one vector a row that would be more than there is to gain."""
    target, shared = replace(AVX512, registers=registers), (rows + window - 1) / (window * rows)
    found = asked(leaves[DEPTHWISE], rows, columns, window, target=target)
    assert found == (taken, [pytest.approx(1 if taken == PLAIN else shared), pytest.approx(weights)])


@given(counts, counts, steps, steps)
def test_how_many_results_are_begun(rows, window, stride, dilation):
    sweep, size = Sweep("y", "i", "j", stride, dilation), {"y": rows, "i": window}
    begun, most = set(), 0
    for met in sweep.meetings(size).values():
        begun |= set(met)
        most = max(most, len(begun))
        begun -= {y for y, i in met.items() if i == window - 1}
    assert most <= sweep.begun(size)


def test_no_more_is_written_out_than_the_target_says(leaves):
    for most, taken in ((9 * 12, SWEPT), (9 * 12 - 1, PLAIN)):
        target = replace(AVX512, writing=replace(AVX512.writing, swept=most))
        assert asked(leaves[POOL], 6, 32, target=target)[0] == taken
    assert asked(leaves[POOL], 2, 16, 12)[0] == PLAIN, "sums go on to others after 128 terms"


@pytest.mark.parametrize("text", [POOL, DEPTHWISE])
def test_sizes_at_once_are_as_each_by_itself_and_a_larger_tile_costs_no_less(leaves, text):
    kernel, lane, family = leaves[text]
    rows, columns = (each.ravel() for each in np.meshgrid(np.arange(1, 24), np.arange(1, 40), indexing="ij"))
    size = sizes(leaves[text], rows, columns)
    ways = np.broadcast_to(way(kernel, family, lane, AVX512, size), rows.shape)
    cycles = np.broadcast_to(price.cycles(kernel, lane, family, AVX512, size), rows.shape)
    for n in range(0, len(rows), 7):
        one = sizes(leaves[text], int(rows[n]), int(columns[n]))
        assert ways[n] == way(kernel, family, lane, AVX512, one)
        assert cycles[n] == pytest.approx(float(price.cycles(kernel, lane, family, AVX512, one)))
    grid = cycles.reshape(23, 39)
    assert len(set(ways.tolist())) > 1 and (np.diff(grid, axis=0) >= -1e-9).all() and (np.diff(grid) >= -1e-9).all()
