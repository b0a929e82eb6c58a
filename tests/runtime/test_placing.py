"""Where results begin, beside inputs that begin as a C library lays arrays out."""

import griotte as gt
import numpy as np
import pytest
from griotte.lang.nests.family import LINE, PAGE
from griotte.runtime import placing

ADDRESSES = (0, 16, LINE, PAGE // 2, PAGE - 16, 7 * PAGE + 48)
INPUT = 16  # bytes into a page, where an array begins that has pages of its own


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("count", [1, PAGE, placing.MAPPED - 1, placing.MAPPED, 100 * PAGE])
def test_a_result_begins_on_a_line_within_its_span(address, count):
    start = placing.start(address, count)
    assert (address + start) % LINE == 0
    assert 0 <= start < placing.span(count)


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_large_result_begins_far_from_where_inputs_do_within_a_page(address):
    ahead = (address + placing.start(address, placing.MAPPED) - INPUT) % PAGE
    assert PAGE // 4 < ahead < PAGE - PAGE // 4


@pytest.mark.parametrize("rows", [64, 256])
def test_kernels_place_their_results_so_however_they_are_called(rows):
    x = np.ones((rows, 1024), np.float32)
    kernel = gt.compile(f"relu(f32[{rows},1024])")
    for found in (kernel(x), kernel.bind(x)()):
        assert found.ctypes.data % PAGE == PAGE // 2
