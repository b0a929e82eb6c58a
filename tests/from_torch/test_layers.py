"""Common layers of torch.nn in eval: which are kernels, by the table in the docs."""

from __future__ import annotations

from pathlib import Path

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from torch_layers import layers
from torch_models import Of, agree, agree_each, drawn, flat, read, require_near, torch

backend = pytest.importorskip("griotte.torch.backend")
choosing = pytest.importorskip("griotte.torch.choosing")

DOCS = Path(__file__).parents[2] / "docs/reference/torch-layers.md"
LAYERS = layers()
QUICK = (
    "TransformerEncoderLayer with both masks",
    "MultiheadAttention without weights",
    "RNN, two layers, both ways, batch first",
    "RNN of relu",
    "LSTM with projections",
    "LSTM from states",
    "GRU of one sequence",
    "RReLU",
)
WHYS = {  # why one is torch's, by what is said of it
    "LeftToTorchError": "torch decomposes it otherwise than it computes it: eager runs it",
    "torch.export reads": "torch.export cannot read it",
    "drawn by chance": "it draws by chance, in eval too",
}


def outcome(name: str) -> str:
    """What the table says of a layer; fails where its kernel is wrong."""
    layer, *inputs = LAYERS[name]
    try:
        graph = gt.from_torch(layer, *inputs)
        graph.require_covered()
    except gt.GriotteError as why:
        return next(told for part, told in WHYS.items() if part in f"{type(why).__name__} {why}")
    with torch.no_grad():
        wanted = flat_of(layer(*inputs))
    for found, other in zip(interpret(graph, *(each.numpy() for each in flat(inputs))), wanted, strict=True):
        require_near(np.asarray(found), other, name)
    return "a kernel"


def flat_of(found) -> list:
    """Tensors of tuples in tuples, without what is None."""
    if isinstance(found, torch.Tensor):
        return [found]
    return [each for part in found if part is not None for each in flat_of(part)]


def written() -> dict[str, str]:
    """The table of the docs: by each layer what becomes of it."""
    rows = (line.strip("| \n").split(" | ") for line in DOCS.read_text().splitlines() if line.startswith("| `"))
    return {name: told for names, told in rows for name in names.strip("`").split("`, `")}


@pytest.mark.parametrize("name", QUICK)
def test_a_layer_is_a_kernel(name):
    assert outcome(name) == written()[name] == "a kernel"


@pytest.mark.long
@pytest.mark.parametrize("name", LAYERS)
def test_each_layer_is_as_the_table_says(name):
    assert outcome(name) == written()[name]


def test_the_table_has_all_layers():
    assert set(written()) == set(LAYERS)


@pytest.mark.parametrize("name", ("TransformerEncoderLayer of gelu", "LSTM, two layers, both ways, batch first"))
def test_torch_compile_makes_a_kernel_of_it(name, monkeypatch):
    monkeypatch.setenv("GRIOTTE_TORCH", "all")
    monkeypatch.setattr(choosing, "_CHOICES", [])
    torch.compiler.reset()
    layer, *inputs = LAYERS[name]
    with torch.no_grad():
        found = flat_of(torch.compile(layer, backend=gt.torch.griotte, dynamic=False)(*inputs))
        wanted = flat_of(layer(*inputs))
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)
    assert [each.runs for each in gt.torch.report()] == ["griotte"]


def test_packed_sequences_are_torchs(monkeypatch):
    monkeypatch.setenv("GRIOTTE_TORCH", "all")
    torch.compiler.reset()
    lstm = torch.nn.LSTM(5, 4).eval()

    def padded(x, lengths):
        packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths)
        return torch.nn.utils.rnn.pad_packed_sequence(lstm(packed)[0])[0]

    given = drawn(6, 2, 5), torch.tensor([6, 4])
    with torch.no_grad():
        torch.testing.assert_close(torch.compile(padded, backend=gt.torch.griotte)(*given), padded(*given))


def test_attention_as_torch_takes_it_whole():
    own = torch.nn.MultiheadAttention(8, 2, batch_first=True).eval().requires_grad_(False)
    weights = own.in_proj_weight, own.in_proj_bias, own.out_proj.weight, own.out_proj.bias
    x, mask = drawn(2, 3, 8), torch.tensor([[False, False, True], [False, False, False]])
    whole = torch._native_multi_head_attention
    agree(Of(lambda x: whole(x, x, x, 8, 2, *weights, None, False, True, None)[0]), x)
    for is_mean in (True, False):
        agree(Of(lambda x, is_mean=is_mean: whole(x, x, x, 8, 2, *weights, mask, True, is_mean, 1)), x)


def trained(norm):
    """A norm whose running numbers are not those that it begins with."""
    with torch.no_grad():
        for n, each in enumerate([*norm.parameters(), *norm.buffers()]):
            if each.is_floating_point():
                each.copy_(drawn(*each.shape, seed=n).abs() + 0.5)
    return norm


NORMS = {
    "batch": (torch.nn.BatchNorm2d(4), (2, 4, 5, 3)),
    "batch of rows": (torch.nn.BatchNorm1d(4), (6, 4)),
    "batch, plain": (torch.nn.BatchNorm2d(4, affine=False), (2, 4, 5, 3)),
    "batch of its own": (torch.nn.BatchNorm2d(4, track_running_stats=False), (2, 4, 5, 3)),
    "group": (torch.nn.GroupNorm(2, 4), (2, 4, 5, 3)),
    "instance": (torch.nn.InstanceNorm2d(4, affine=True), (2, 4, 5, 3)),
    "layer": (torch.nn.LayerNorm((5, 3)), (2, 4, 5, 3)),
    "RMS": (torch.nn.RMSNorm(3), (2, 4, 5, 3)),
}


def test_norms():
    agree_each({name: (trained(module), shape) for name, (module, shape) in NORMS.items()})


RECURRENCES = {
    "LSTM": (torch.nn.LSTM(3, 4, batch_first=True), (6, 5, 3)),
    "LSTM of two layers": (torch.nn.LSTM(3, 4, num_layers=2), (6, 5, 3)),
    "LSTM in two directions": (torch.nn.LSTM(3, 4, bidirectional=True, bias=False), (6, 5, 3)),
    "GRU": (torch.nn.GRU(3, 4, num_layers=2, batch_first=True, bidirectional=True), (6, 5, 3)),
    "RNN": (torch.nn.RNN(3, 4), (6, 5, 3)),
}


def test_recurrences():
    agree_each(RECURRENCES)


def test_a_long_recurrence_is_a_loop():
    graph = read(torch.nn.LSTM(3, 4), drawn(50, 1, 3))
    assert len(graph.calls) < 40 and "scan" in {value.call for value in graph.calls}


def test_attention_of_several_heads():
    agree(torch.nn.MultiheadAttention(8, 2, batch_first=True), *[drawn(2, 5, 8, seed=n) for n in range(3)])


def test_an_encoder_of_a_transformer():
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, activation="gelu", batch_first=True)
    agree(torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), drawn(2, 5, 8))
