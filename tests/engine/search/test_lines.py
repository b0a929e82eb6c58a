"""Sums over channels in blocks: the channels of a block lie within a line, and are not cut."""

import griotte as gt
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search import ladder as ladders
from griotte.engine.search.division import solving
from griotte.lang.calls.spec import Spec
from griotte.lang.constructors.operations import reshape, transpose
from griotte.lang.types.tensor import tensor
from machines import machine

TARGET = machine("avx512")


def product(channels: int, block: int, filters: int = 5, pixels: int = 9, dtype: str = "f32") -> Spec:
    """A convolution of single pixels, of an image whose channels lie in blocks."""
    x = tensor((1, channels // block, pixels, pixels, block), dtype)
    image = reshape(transpose(x, (0, 1, 4, 2, 3)), shape=(1, channels, pixels, pixels))
    return gt.conv2d(image, tensor((filters, channels, 1, 1), dtype, constant=True))


def lengths(spec: Spec) -> dict[str, list[int]]:
    """The tiles of the dimensions that a Spec sums along."""
    start = solving(canonical_form(spec), TARGET).start
    return {d: list(start.ladders[d].tiles) for d in start.goal.operation.nests[0].operation.reduction}


def test_the_channels_of_a_block_are_not_cut():
    blocks, lanes = lengths(product(channels=672, block=16)).values()
    assert blocks == [1, 2, 3, 4, 6, 8, 12, 16, 24, 32] and lanes == []


def test_what_is_longer_than_a_line_is_cut():
    assert all(lengths(product(channels=96, block=32)).values())


def test_channels_beside_a_window_are_cut():
    tiles = lengths(gt.parse("conv2d(f32[1,16,9,9]{1,3,2,0}, const f32[5,16,3,3])"))
    assert [1, 2, 3, 4, 6, 8, 12, 16] in tiles.values()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("channels, block, filters, pixels", [(48, 16, 8, 11), (32, 16, 24, 9), (40, 8, 33, 7)])
def test_no_program_is_dearer_for_that(channels, block, filters, pixels, threads, monkeypatch):
    canonical = canonical_form(product(channels, block, filters, pixels))
    found = solving(canonical, TARGET, threads)
    monkeypatch.setattr(ladders, "_is_part_of_lines", lambda *_: False)
    whole = solving(canonical, TARGET, threads)
    assert found.best.cost == whole.best.cost
    assert found.statistics.specs_solved < whole.statistics.specs_solved
