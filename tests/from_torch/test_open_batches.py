"""torch.compile of batches whose size changes: what a kernel of any size gives is eager's, row for row."""

from __future__ import annotations

import griotte as gt
import pytest
from torch_models import Of, drawn, torch

F = torch.nn.functional

JOINED = {
    "joined": lambda x: torch.cat([x.relu(), -x], 1),
    "joined in the end": lambda x: torch.cat([x.view(-1, 3, 4).relu(), -x.view(-1, 3, 4)], -1),
    "joined channels": lambda x: torch.cat([x.view(-1, 3, 4), x.view(-1, 3, 4) + 1], 1),
    "joined twice": lambda x: torch.cat([torch.cat([x, x * 2], 1), x], 1),
    "joined and multiplied": lambda x: torch.cat([x, -x], 1) @ torch.ones(24, 5),
    "halves": lambda x: torch.cat([-x[:, 6:], x[:, :6]], 1),
    "chunks": lambda x: torch.cat(x.chunk(3, 1)[::-1], 1),
    "stacked within": lambda x: torch.stack([x.relu(), -x], 1),
}
ORDERED = {
    "largest": lambda x: x.topk(3, 1),
    "least": lambda x: x.relu().topk(6, 1, largest=False)[0],
    "sorted": lambda x: x.sort(1)[0],
    "largest of each column": lambda x: (x * 2).topk(2, 0),
    "place of the largest": lambda x: x.argmax(1),
}
MOVED = {
    "flipped": lambda x: x.flip(1),
    "rolled": lambda x: x.roll(2, 1),
    "picked": lambda x: x[:, [2, 0, 1, 1]],
    "padded": lambda x: F.pad(x, (1, 2)),
    "repeated": lambda x: x.repeat(1, 2),
    "widened": lambda x: F.interpolate(x.view(-1, 1, 3, 4), scale_factor=2),
    "pooled": lambda x: F.max_pool2d(x.view(-1, 1, 3, 4), 2),
    "softmax": lambda x: x.softmax(1),
    "mean of columns": lambda x: x.mean(0),
    "itself": lambda x: x.exp(),
}


@pytest.mark.parametrize("table", [JOINED, *(pytest.param(each, marks=pytest.mark.long) for each in (ORDERED, MOVED))])
def test_a_kernel_of_any_size_gives_eagers_rows(griotte_alone, table):
    module = Of(*table.values()).eval()
    run = torch.compile(module, backend=gt.torch.griotte)
    with torch.no_grad():
        for n in (5, 3, 2, 7, 16):
            torch.testing.assert_close(run(drawn(n, 12)), module(drawn(n, 12)), rtol=1e-5, atol=1e-6)
    told = [each.why.partition(":")[0] for each in gt.torch.report()]
    assert "for sizes up to 16" in told or "for sizes up to 8" in told, told
    torch.compiler.reset()
