"""Operators that move elements beside torch."""

from __future__ import annotations

import griotte as gt
from torch_models import Of, agree_all, drawn, torch

F = torch.nn.functional


SHAPES = {
    "view": lambda x: x.view(4, -1),
    "permute": lambda x: x.permute(2, 0, 1),
    "transpose": lambda x: x.transpose(0, 2),
    "mT": lambda x: x.mT,
    "unsqueeze": lambda x: x.unsqueeze(1),
    "squeeze": lambda x: x[:, :1].squeeze(1),
    "expand": lambda x: x[:1].expand(3, 3, 6),
    "repeat": lambda x: x.repeat(2, 1, 1, 2),
    "repeat_interleave": lambda x: x.repeat_interleave(2, dim=1),
    "slice": lambda x: x[1:, ::2, -3:],
    "select": lambda x: x[:, 1],
    "split": lambda x: x.split([2, 4], dim=2),
    "chunk": lambda x: x.chunk(2, dim=2),
    "unbind": lambda x: x.unbind(1),
    "unfold of a scalar": lambda x: (x[0, 0, 0] + 1).unfold(0, 1, 1),
    "unbind, of equal sizes": lambda x: torch.unbind_copy(x[:, :4, :4], 1),
    "cat": lambda x: torch.cat([x, x + 1], dim=-1),
    "stack": lambda x: torch.stack([x, x * 2], dim=1),
    "flip": lambda x: x.flip((0, 2)),
    "roll": lambda x: x.roll((1, -2), (0, 2)),
    "roll of all": lambda x: x.roll(5),
    "diagonal": lambda x: x.diagonal(1, 1, 2),
    "tril": torch.tril,
    "triu": lambda x: x.triu(1),
    "pad": lambda x: F.pad(x, (1, 2, 0, 1), value=0.5),
    "crop": lambda x: F.pad(x, (-1, 1)),
    "reflect": lambda x: F.pad(x, (2, 1), mode="reflect"),
    "replicate": lambda x: F.pad(x, (2, 1), mode="replicate"),
    "circular": lambda x: F.pad(x, (2, 1), mode="circular"),
    "unfold": lambda x: x.unfold(2, 3, 2),
    "as_strided": lambda x: x.as_strided((2, 5), (3, 4), 1),
    "movedim": lambda x: x.movedim(0, -1),
    "flatten": lambda x: x.flatten(1),
    "contiguous": lambda x: x.transpose(1, 2).contiguous().view(2, -1),
    "arange": lambda x: x + torch.arange(6),
    "linspace": lambda x: x + torch.linspace(0, 1, 6),
    "ones_like": lambda x: x + torch.ones_like(x),
    "full": lambda x: torch.full((3,), 2.5) * x[0, :, 0],
    "new_zeros": lambda x: x.new_zeros(2, 3),
    "select_scatter": lambda x: x.select_scatter(x[:, 0] * 2, 1, 2),
    "slice_scatter": lambda x: x.slice_scatter(x[:, :1], 1, 2, 3),
    "einsum": lambda x: torch.einsum("abc,dbc->ad", x, x),
    "meshgrid": lambda x: torch.meshgrid(x[0, 0], x[0, 1], indexing="ij"),
    "outer": lambda x: torch.outer(x[0, 0], x[0, 1]),
    "kron": lambda x: torch.kron(x[0], x[1]),
}


def test_shapes():
    agree_all(SHAPES, drawn(4, 3, 6))


def test_what_has_no_elements_is_given_as_it_is():
    graph = gt.from_torch(Of(lambda x: x[:0] * 2, lambda x: x + 1), drawn(3, 4))
    assert graph.unsupported() == []
    assert [tuple(empty.shape) for empty in graph.empty] == [(0, 4)]


def test_draws_are_refused():
    import griotte as gt

    graph = gt.from_torch(Of(lambda x: F.dropout(x, 0.5, training=True), torch.exp), drawn(4, 5))
    (refused,) = graph.unsupported()
    assert "drawn by chance; call module.eval() first" in refused.why and len(graph.outputs) == 1
