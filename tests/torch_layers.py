"""Layers of torch.nn, each with what it is called with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch_models import drawn, torch

nn = torch.nn
ROW, LINE, IMAGE, SOLID = (2, 5), (2, 4, 9), (2, 4, 8, 8), (1, 2, 4, 6, 6)
TARGETS = torch.tensor([1, 3])
MASK = torch.tensor([[False, False, True], [False, False, False]])


class Called(nn.Module):
    """A layer that is called as a function says."""

    def __init__(self, layer: Any, how: Callable[..., Any]) -> None:
        super().__init__()
        self.layer, self.how = layer, how

    def forward(self, *inputs: Any) -> Any:
        return self.how(self.layer, *inputs)


def _each(names: str, shape: tuple[int, ...], *arguments: Any, **how: Any) -> dict[str, tuple[Any, ...]]:
    """Layers by name, made of the same arguments."""
    return {name: (getattr(nn, name)(*arguments, **how), drawn(*shape)) for name in names.split()}


def _encoder(**how: Any) -> Any:
    return nn.TransformerEncoderLayer(8, 2, 16, **{"batch_first": True, **how})


def _losses() -> dict[str, tuple[Any, ...]]:
    x, y, scores = drawn(*ROW), drawn(*ROW, seed=1), drawn(2, 4)
    found = {
        name: (getattr(nn, name)(), x, y)
        for name in ("L1Loss", "MSELoss", "HuberLoss", "SmoothL1Loss", "TripletMarginLoss")
    }
    found["TripletMarginLoss"] += (drawn(*ROW, seed=2),)
    found |= {name: (getattr(nn, name)(), x, y.sign()) for name in ("HingeEmbeddingLoss", "SoftMarginLoss")}
    return found | {
        "CrossEntropyLoss": (nn.CrossEntropyLoss(label_smoothing=0.1), scores, TARGETS),
        "NLLLoss": (nn.NLLLoss(), scores.log_softmax(1), TARGETS),
        "KLDivLoss": (nn.KLDivLoss(reduction="batchmean"), scores.log_softmax(1), scores.softmax(1)),
        "BCELoss": (nn.BCELoss(), x.sigmoid(), y.sigmoid()),
        "BCEWithLogitsLoss": (nn.BCEWithLogitsLoss(), x, y.sigmoid()),
        "PoissonNLLLoss": (nn.PoissonNLLLoss(), x, y.abs()),
        "GaussianNLLLoss": (nn.GaussianNLLLoss(), x, y, y.abs()),
        "MarginRankingLoss": (nn.MarginRankingLoss(), x, y, x.sign()),
        "MultiMarginLoss": (nn.MultiMarginLoss(), scores, TARGETS),
        "MultiLabelMarginLoss": (nn.MultiLabelMarginLoss(), scores, torch.tensor([[3, 0, -1, 1], [1, 2, -1, 0]])),
        "MultiLabelSoftMarginLoss": (nn.MultiLabelSoftMarginLoss(), x, (y > 0).float()),
        "CosineEmbeddingLoss": (nn.CosineEmbeddingLoss(), x, y, torch.tensor([1.0, -1.0])),
        "CTCLoss": (
            nn.CTCLoss(),
            drawn(6, 2, 5).log_softmax(2),
            torch.tensor([[1, 2], [3, 1]]),
            torch.tensor([6, 6]),
            torch.tensor([2, 2]),
        ),
        "AdaptiveLogSoftmaxWithLoss": (nn.AdaptiveLogSoftmaxWithLoss(5, 10, [3]), x, torch.tensor([1, 4])),
    }


def _recurrences() -> dict[str, tuple[Any, ...]]:
    deep = {"num_layers": 2, "bidirectional": True, "batch_first": True, "dropout": 0.5}
    found: dict[str, tuple[Any, ...]] = {}
    for name in ("RNN", "LSTM", "GRU"):
        of = getattr(nn, name)
        first = drawn(1, 2, 4)
        found[name] = (of(5, 4), drawn(6, 2, 5))
        found[f"{name}, two layers, both ways, batch first"] = (of(5, 4, **deep), drawn(2, 6, 5))
        found[f"{name} without biases"] = (of(5, 4, bias=False), drawn(6, 2, 5))
        found[f"{name} of one sequence"] = (of(5, 4), drawn(6, 5))
        found[f"{name} from states"] = (of(5, 4), drawn(6, 2, 5), (first, first) if name == "LSTM" else first)
        found[f"{name}Cell"] = (getattr(nn, f"{name}Cell")(5, 4), drawn(2, 5))
    found["RNN of relu"] = (nn.RNN(5, 4, nonlinearity="relu"), drawn(6, 2, 5))
    found["LSTM with projections"] = (nn.LSTM(5, 4, proj_size=3), drawn(6, 2, 5))
    return found


def _attention() -> dict[str, tuple[Any, ...]]:
    x, memory, heads = drawn(2, 3, 8), drawn(2, 4, 8), {"batch_first": True}
    causal = nn.Transformer.generate_square_subsequent_mask(3)
    other = {"kdim": 5, "vdim": 5, "add_bias_kv": True, "add_zero_attn": True, **heads}
    decoder = nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)
    both = lambda m, x, a, b: m(x, src_mask=a, src_key_padding_mask=b)
    return {
        "MultiheadAttention": (Called(nn.MultiheadAttention(8, 2, **heads), lambda m, x: m(x, x, x)), x),
        "MultiheadAttention without weights": (
            Called(nn.MultiheadAttention(8, 2, **heads), lambda m, x: m(x, x, x, need_weights=False)),
            x,
        ),
        "MultiheadAttention of others": (
            Called(nn.MultiheadAttention(8, 2, **other), lambda m, x, y: m(x, y, y)),
            x,
            drawn(2, 4, 5),
        ),
        "TransformerEncoderLayer": (_encoder(), x),
        "TransformerEncoderLayer of gelu": (_encoder(activation="gelu"), x),
        "TransformerEncoderLayer, norms first": (_encoder(norm_first=True), x),
        "TransformerEncoderLayer, batch second": (_encoder(batch_first=False), x),
        "TransformerEncoderLayer with src_mask": (Called(_encoder(), lambda m, x, a: m(x, src_mask=a)), x, causal),
        "TransformerEncoderLayer with both masks": (Called(_encoder(), both), x, causal.isinf(), MASK),
        "TransformerEncoder": (nn.TransformerEncoder(_encoder(), 2), x),
        "TransformerDecoderLayer": (decoder, x, memory),
        "TransformerDecoder": (nn.TransformerDecoder(decoder, 2), x, memory),
        "Transformer": (nn.Transformer(8, 2, 1, 1, 16, batch_first=True), x, memory),
    }


def layers() -> dict[str, tuple[Any, ...]]:
    """By its name a layer in eval, and its inputs."""
    torch.manual_seed(0)
    found = _each(
        "Identity Flatten ReLU ReLU6 ELU SELU CELU GELU SiLU Mish Sigmoid Tanh LogSigmoid Softplus Softsign Softshrink"
        " Hardshrink Tanhshrink Hardsigmoid Hardswish Hardtanh LeakyReLU PReLU RReLU Dropout AlphaDropout"
        " FeatureAlphaDropout",
        ROW,
    )
    found |= _each("Softmax LogSoftmax Softmin", ROW, 1) | _each("LayerNorm RMSNorm BatchNorm1d", ROW, 5)
    found |= {
        "Linear": (nn.Linear(5, 3), drawn(*ROW)),
        "Bilinear": (nn.Bilinear(5, 5, 3), drawn(*ROW), drawn(*ROW, seed=1)),
        "Unflatten": (nn.Unflatten(1, (5, 1)), drawn(*ROW)),
        "Threshold": (nn.Threshold(0.1, 2.0), drawn(*ROW)),
        "GLU": (nn.GLU(1), drawn(2, 6)),
        "GroupNorm": (nn.GroupNorm(2, 4), drawn(*LINE)),
        "Embedding": (nn.Embedding(7, 4), torch.tensor([[1, 2], [3, 6]])),
        "EmbeddingBag": (nn.EmbeddingBag(7, 4), torch.tensor([[1, 2], [3, 6]])),
        "CosineSimilarity": (nn.CosineSimilarity(), drawn(*ROW), drawn(*ROW, seed=1)),
        "PairwiseDistance": (nn.PairwiseDistance(), drawn(*ROW), drawn(*ROW, seed=1)),
        "Fold": (nn.Fold((6, 6), 3), drawn(1, 18, 16)),
        "CrossMapLRN2d": (nn.CrossMapLRN2d(2), drawn(*IMAGE)),
        "LocalResponseNorm": (nn.LocalResponseNorm(2), drawn(*IMAGE)),
        "BatchNorm2d": (nn.BatchNorm2d(4), drawn(*IMAGE)),
        "BatchNorm3d": (nn.BatchNorm3d(2), drawn(*SOLID)),
    }
    found |= _each("Softmax2d", IMAGE) | _each("PixelShuffle PixelUnshuffle ChannelShuffle", IMAGE, 2)
    found |= _each("UpsamplingNearest2d UpsamplingBilinear2d", IMAGE, scale_factor=2) | _each("Unfold", IMAGE, 3)
    for mode in ("nearest", "bilinear", "bicubic"):
        found[f"Upsample, {mode}"] = (nn.Upsample(scale_factor=2, mode=mode), drawn(*IMAGE))
    for n, shape in ((1, LINE), (2, IMAGE), (3, SOLID)):
        at, channels = f"{n}d", shape[1]
        found |= _each(f"Conv{at}", shape, channels, 6, 3, padding=1)
        found |= _each(f"ConvTranspose{at}", shape, channels, 6, 3, 2)
        found |= _each(f"MaxPool{at} AvgPool{at}", shape, 2) | _each(f"LPPool{at}", shape, 2, 2)
        found |= _each(f"AdaptiveAvgPool{at} AdaptiveMaxPool{at}", shape, 2)
        found |= _each(f"ReflectionPad{at} ReplicationPad{at} ZeroPad{at} CircularPad{at}", shape, 1)
        found |= _each(f"ConstantPad{at}", shape, 1, 3.0) | _each(f"Dropout{at}", shape)
        found |= _each(f"InstanceNorm{at}", shape, channels, affine=True)
        pooled, places = getattr(nn, f"MaxPool{at}")(2, return_indices=True)(drawn(*shape))
        found[f"MaxUnpool{at}"] = (getattr(nn, f"MaxUnpool{at}")(2), pooled, places)
        if n > 1:
            found |= _each(f"FractionalMaxPool{at}", shape, 2, output_size=(2,) * n)
    found |= _attention() | _recurrences() | _losses()
    return {name: (layer.eval(), *inputs) for name, (layer, *inputs) in found.items()}
