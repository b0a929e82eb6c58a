"""interpolate to the nearest gives torch's elements, which it counts in f32."""

import griotte as gt
import numpy as np
import pytest
from griotte.models import reference

torch = pytest.importorskip("torch")

PAIRS = [(n, m) for n in range(1, 65) for m in range(1, 65)]


class Resized(torch.nn.Module):
    """All of these sizes, along the last axis."""

    def __init__(self, pairs, rank: int, mode: str, by_scales: bool):
        super().__init__()
        self.pairs, self.rank, self.mode, self.by_scales = pairs, rank, mode, by_scales

    def forward(self, row):
        found = []
        for n, m in self.pairs:
            x = row[..., :n]
            ones = (1,) * (self.rank - 3)
            how = {"scale_factor": (*(float(i) for i in ones), m / n)} if self.by_scales else {"size": (*ones, m)}
            found.append(torch.nn.functional.interpolate(x, mode=self.mode, **how))
        return tuple(found)


def _some(pairs, by_scales: bool):
    """Without those of which torch makes nothing: a product that is rounded below 1."""
    return [(n, m) for n, m in pairs if not by_scales or int(n * (m / n)) > 0]


def _examined(pairs, rank: int, mode: str, by_scales: bool, dtype) -> None:
    pairs = _some(pairs, by_scales)
    module = Resized(pairs, rank, mode, by_scales)
    row = torch.arange(64).to(dtype).reshape((1,) * (rank - 1) + (64,))
    wanted = module(row)
    found = reference.interpret(gt.from_torch(module, row), row.numpy())
    for pair, y, right in zip(pairs, found, wanted):
        np.testing.assert_array_equal(y, right.numpy(), err_msg=f"{pair} {rank} {mode} {by_scales} {dtype}")


@pytest.mark.parametrize("rank", [3, 4, 5])
@pytest.mark.parametrize("mode", ["nearest", "nearest-exact"])
def test_elements_are_those_of_torch(rank: int, mode: str) -> None:
    """Among them sizes at which f32 and fractions differ."""
    pairs = [*PAIRS[rank::311], (47, 47), (39, 33), (2, 47), (48, 37), (16, 48)]
    for by_scales in (False, True):
        _examined(pairs, rank, mode, by_scales, torch.float32)
    _examined(pairs, rank, mode, False, torch.float64)


@pytest.mark.long
@pytest.mark.parametrize("rank", [3, 4, 5])
@pytest.mark.parametrize("mode", ["nearest", "nearest-exact"])
@pytest.mark.parametrize("by_scales", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_all_elements_are_those_of_torch(rank: int, mode: str, by_scales: bool, dtype) -> None:
    for first in range(8):
        _examined(PAIRS[first::8], rank, mode, by_scales, dtype)
