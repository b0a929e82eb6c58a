"""Networks of plain PyTorch with random weights, exported to ONNX: what models are measured and checked on.

    benchmarks/.rivals/torch/bin/python benchmarks/model_zoo.py FOLDER [NAME ..] [--script]

Each NAME (all of `ZOO` where none is given) becomes FOLDER/NAME.onnx, with FOLDER/NAME.npz beside it: its inputs and
what PyTorch gives of them. `--script` takes the older exporter, which walks TorchScript. It needs torch, onnx and
onnxscript, and is run by an interpreter that has them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

Made = tuple[nn.Module, tuple[Tensor, ...]]


# ---- of images -------------------------------------------------------------------------------------------------------


def normed(given: int, out: int, window: int, stride: int = 1, groups: int = 1, act: nn.Module | None = None):
    """A convolution, a batch norm and an activation."""
    conv = nn.Conv2d(given, out, window, stride, window // 2, groups=groups, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(out), *([] if act is None else [act]))


class LeNet(nn.Sequential):
    def __init__(self):
        super().__init__(
            *(nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2)),
            *(nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()),
            *(nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10)),
        )


class Residual(nn.Module):
    """Two convolutions beside what comes in."""

    def __init__(self, given: int, out: int, stride: int):
        super().__init__()
        self.body = nn.Sequential(normed(given, out, 3, stride, act=nn.ReLU()), normed(out, out, 3))
        self.beside = nn.Identity() if given == out and stride == 1 else normed(given, out, 1, stride)

    def forward(self, x):
        return F.relu(self.body(x) + self.beside(x))


class ResNet18(nn.Sequential):
    def __init__(self):
        sizes = [(64, 64, 1), (64, 64, 1), (64, 128, 2), (128, 128, 1), (128, 256, 2), (256, 256, 1)]
        sizes += [(256, 512, 2), (512, 512, 1)]
        super().__init__(
            *(normed(3, 64, 7, 2, act=nn.ReLU()), nn.MaxPool2d(3, 2, 1)),
            *(Residual(*each) for each in sizes),
            *(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000)),
        )


class Gate(nn.Module):
    """Channels times what follows from all their means."""

    def __init__(self, channels: int):
        super().__init__()
        within = max(8, (channels // 4 + 4) // 8 * 8)
        self.less, self.more = nn.Conv2d(channels, within, 1), nn.Conv2d(within, channels, 1)

    def forward(self, x):
        means = F.adaptive_avg_pool2d(x, 1)
        return x * F.hardsigmoid(self.more(F.relu(self.less(means))))


class Inverted(nn.Module):
    """Wider, along h and w channel by channel, narrow again."""

    def __init__(self, given: int, window: int, within: int, out: int, gated: bool, hard: bool, stride: int):
        super().__init__()
        act = nn.Hardswish() if hard else nn.ReLU()
        self.adds = given == out and stride == 1
        self.body = nn.Sequential(
            *([normed(given, within, 1, act=act)] if within != given else []),
            normed(within, within, window, stride, within, act),
            *([Gate(within)] if gated else []),
            normed(within, out, 1),
        )

    def forward(self, x):
        return x + self.body(x) if self.adds else self.body(x)


class MobileNetV3(nn.Sequential):
    """The large one."""

    ROWS = (
        *((3, 16, 16, 0, 0, 1), (3, 64, 24, 0, 0, 2), (3, 72, 24, 0, 0, 1), (5, 72, 40, 1, 0, 2)),
        *((5, 120, 40, 1, 0, 1), (5, 120, 40, 1, 0, 1), (3, 240, 80, 0, 1, 2), (3, 200, 80, 0, 1, 1)),
        *((3, 184, 80, 0, 1, 1), (3, 184, 80, 0, 1, 1), (3, 480, 112, 1, 1, 1), (3, 672, 112, 1, 1, 1)),
        *((5, 672, 160, 1, 1, 2), (5, 960, 160, 1, 1, 1), (5, 960, 160, 1, 1, 1)),
    )

    def __init__(self):
        given, blocks = 16, []
        for window, within, out, gated, hard, stride in self.ROWS:
            blocks.append(Inverted(given, window, within, out, bool(gated), bool(hard), stride))
            given = out
        super().__init__(
            *(normed(3, 16, 3, 2, act=nn.Hardswish()), *blocks, normed(160, 960, 1, act=nn.Hardswish())),
            *(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(960, 1280), nn.Hardswish(), nn.Linear(1280, 1000)),
        )


class UNet(nn.Module):
    """Down four times and up again, beside what was there on the way."""

    def __init__(self, widths: tuple[int, ...] = (32, 64, 128, 256, 512)):
        super().__init__()
        twice = lambda a, b: nn.Sequential(normed(a, b, 3, act=nn.ReLU()), normed(b, b, 3, act=nn.ReLU()))
        self.down = nn.ModuleList(twice(a, b) for a, b in zip((3, *widths), widths))
        pairs = list(zip(widths[:0:-1], widths[-2::-1]))
        self.up = nn.ModuleList(nn.ConvTranspose2d(a, b, 2, 2) for a, b in pairs)
        self.join = nn.ModuleList(twice(a, b) for a, b in pairs)
        self.last = nn.Conv2d(widths[0], 2, 1)

    def forward(self, x):
        met = []
        for block in self.down:
            x = block(x if not met else F.max_pool2d(x, 2))
            met.append(x)
        for up, join, beside in zip(self.up, self.join, met[-2::-1]):
            x = join(torch.cat([up(x), beside], 1))
        return self.last(x)


# ---- of tokens -------------------------------------------------------------------------------------------------------


class Attention(nn.Module):
    """Heads of queries over keys, of which several may share one; turned by angles where they are given."""

    def __init__(self, width: int, heads: int, shared: int = 1, bias: bool = True, key_bias: bool = True):
        super().__init__()
        self.heads, self.shared, self.depth = heads, shared, width // heads
        self.q = nn.Linear(width, width, bias)
        self.k = nn.Linear(width, width // shared, bias and key_bias)
        self.v = nn.Linear(width, width // shared, bias)
        self.out = nn.Linear(width, width, bias)

    def apart(self, x, heads: int):
        return x.view(*x.shape[:2], heads, self.depth).transpose(1, 2)

    def forward(self, x, mask=None, cache=None, angles=None):
        q = self.apart(self.q(x), self.heads)
        k, v = (self.apart(each(x), self.heads // self.shared) for each in (self.k, self.v))
        if angles is not None:
            q, k = turned(q, *angles), turned(k, *angles)
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        given = k, v
        if self.shared > 1:
            k, v = repeated(k, self.shared), repeated(v, self.shared)
        scores = q @ k.transpose(-1, -2) / self.depth**0.5
        weights = torch.softmax(scores if mask is None else scores + mask, -1)
        return self.out((weights @ v).transpose(1, 2).reshape(x.shape)), given


class Fused(Attention):
    """The same, by PyTorch's own attention."""

    def forward(self, x, mask=None, cache=None, angles=None):
        q, k, v = (self.apart(each(x), self.heads) for each in (self.q, self.k, self.v))
        found = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(found.transpose(1, 2).reshape(x.shape)), (k, v)


def turned(x, cos, sin):
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat([-second, first], -1) * sin


def repeated(x, times: int):
    batch, heads, tokens, depth = x.shape
    return x[:, :, None].expand(batch, heads, times, tokens, depth).reshape(batch, heads * times, tokens, depth)


class BertLayer(nn.Module):
    """Attention and two linear layers, a norm after each."""

    def __init__(self, width: int = 768, heads: int = 12, attention: type[Attention] = Attention):
        super().__init__()
        self.attention = attention(width, heads)
        self.norms = nn.ModuleList(nn.LayerNorm(width, 1e-12) for _ in range(2))
        self.more, self.less = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, mask):
        x = self.norms[0](x + self.attention(x, mask)[0])
        return self.norms[1](x + self.less(F.gelu(self.more(x))))


class Bert(nn.Module):
    """Tokens, where they are, and layers; the mask is 1 where there is a token."""

    def __init__(self, layers: int = 12, width: int = 768, words: int = 30522):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(512, width)
        self.kinds = nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width, 1e-12)
        self.layers = nn.ModuleList(BertLayer(width) for _ in range(layers))

    def forward(self, tokens, seen, kinds):
        x = self.words(tokens) + self.places.weight[: tokens.shape[1]] + self.kinds(kinds)
        x, mask = self.norm(x), (1.0 - seen[:, None, None, :].to(torch.float32)) * torch.finfo(torch.float32).min
        for layer in self.layers:
            x = layer(x, mask)
        return x


class GptBlock(nn.Module):
    """A norm before attention, and one before two linear layers."""

    def __init__(self, width: int, heads: int, attention: type[Attention] = Attention, tanh: bool = True):
        super().__init__()
        self.attention, self.tanh = attention(width, heads), tanh
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.more, self.less = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, mask=None, cache=None):
        found, cache = self.attention(self.norms[0](x), mask, cache)
        x = x + found
        within = self.more(self.norms[1](x))
        if self.tanh:  # as it is written in GPT-2
            within = 0.5 * within * (1.0 + torch.tanh((2 / torch.pi) ** 0.5 * (within + 0.044715 * within.pow(3.0))))
        else:
            within = F.gelu(within)
        return x + self.less(within), cache


class Gpt2Step(nn.Module):
    """One token after those that a cache is of; the words' table is that of the last product as well."""

    def __init__(self, layers: int = 12, width: int = 768, heads: int = 12, words: int = 50257):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(1024, width)
        self.blocks = nn.ModuleList(GptBlock(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, token, place, *caches):
        x, given = self.words(token) + self.places(place), []
        for i, block in enumerate(self.blocks):
            x, cache = block(x, None, caches[2 * i : 2 * i + 2])
            given += cache
        return self.norm(x) @ self.words.weight.T, *given


class GptCausal(nn.Module):
    """A block over all of a text, where no token sees one after it."""

    def __init__(self, width: int = 768, heads: int = 12, tokens: int = 128):
        super().__init__()
        self.block = GptBlock(width, heads)
        self.register_buffer("mask", torch.full((tokens, tokens), torch.finfo(torch.float32).min).triu(1))

    def forward(self, x):
        return self.block(x, self.mask)[0]


class RmsNorm(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


class LlamaBlock(nn.Module):
    """RMS norms, rotary angles, heads that share keys, and a gated linear layer."""

    def __init__(self, width: int = 1024, heads: int = 16, shared: int = 4, within: int = 2816):
        super().__init__()
        self.attention = Attention(width, heads, shared, bias=False)
        self.norms = nn.ModuleList(RmsNorm(width) for _ in range(2))
        self.gate, self.more = (nn.Linear(width, within, bias=False) for _ in range(2))
        self.less = nn.Linear(within, width, bias=False)
        half = torch.arange(0, width // heads, 2) / (width // heads)
        self.register_buffer("speeds", 10000.0**-half)

    def forward(self, x, places):
        angles = (self.speeds[None, :, None] @ places[:, None, :].to(torch.float32)).transpose(1, 2)
        angles = torch.cat([angles, angles], -1)
        tokens = x.shape[1]
        mask = torch.full((tokens, tokens), torch.finfo(torch.float32).min).triu(1)
        turns = angles.cos()[:, None], angles.sin()[:, None]
        x = x + self.attention(self.norms[0](x), mask, None, turns)[0]
        given = self.norms[1](x)
        return x + self.less(F.silu(self.gate(given)) * self.more(given))


class WhisperEncoder(nn.Module):
    """Two convolutions along time, places, and blocks: of the tiny one 4."""

    def __init__(self, layers: int = 4, width: int = 384, heads: int = 6):
        super().__init__()
        self.first, self.second = nn.Conv1d(80, width, 3, padding=1), nn.Conv1d(width, width, 3, 2, 1)
        self.places = nn.Parameter(torch.randn(1500, width) * 0.02)
        self.blocks = nn.ModuleList(GptBlock(width, heads, Fused, tanh=False) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        x = F.gelu(self.second(F.gelu(self.first(x)))).transpose(1, 2) + self.places
        for block in self.blocks:
            x = block(x)[0]
        return self.norm(x)


# ---- all -------------------------------------------------------------------------------------------------------------


def mlp() -> Made:
    body = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 10))
    return body, (torch.randn(1, 784),)


def bert_layer() -> Made:
    seen = (torch.arange(128) < 100).to(torch.float32)
    return BertLayer(), (torch.randn(1, 128, 768), (1 - seen)[None, None, None] * torch.finfo(torch.float32).min)


def bert(layers: int, width: int) -> Made:
    tokens = torch.randint(0, 30522, (1, 128))
    return Bert(layers, width), (tokens, (torch.arange(128) < 100).long()[None], torch.zeros_like(tokens))


def gpt2(layers: int, width: int, heads: int, past: int = 127) -> Made:
    caches = [torch.randn(1, heads, past, width // heads) for _ in range(2 * layers)]
    return Gpt2Step(layers, width, heads), (torch.tensor([[11]]), torch.tensor([[past]]), *caches)


ZOO: dict[str, Callable[[], Made]] = {
    "mlp": mlp,
    "lenet": lambda: (LeNet(), (torch.randn(1, 1, 28, 28),)),
    "resnet18": lambda: (ResNet18(), (torch.randn(1, 3, 224, 224),)),
    "mobilenet_v3": lambda: (MobileNetV3(), (torch.randn(1, 3, 224, 224),)),
    "bert_layer": bert_layer,
    "bert_base": lambda: bert(12, 768),
    "gpt2_step": lambda: gpt2(12, 768, 12),
    "gpt2_step_small": lambda: gpt2(2, 128, 4),
    "gpt2_causal": lambda: (GptCausal(), (torch.randn(1, 128, 768),)),
    "llama_block": lambda: (LlamaBlock(), (torch.randn(1, 64, 1024), torch.arange(64)[None])),
    "whisper_tiny": lambda: (WhisperEncoder(), (torch.randn(1, 80, 3000),)),
    "unet": lambda: (UNet(), (torch.randn(1, 3, 256, 256),)),
}


def export(name: str, folder: Path, script: bool = False) -> None:
    """One network, and what it gives of its inputs."""
    torch.manual_seed(0)
    model, inputs = ZOO[name]()
    model.eval()
    settled(model)
    with torch.no_grad():
        results = model(*inputs)
        names = [f"x{i}" for i in range(len(inputs))]
        path = folder / f"{name}.onnx"
        more = {} if script else {"external_data": False, "verbose": False}
        torch.onnx.export(model, inputs, str(path), input_names=names, dynamo=not script, **more)
    given = {name: each.numpy() for name, each in zip(names, inputs)}
    found = results if isinstance(results, tuple) else (results,)
    np.savez(folder / f"{name}.npz", **given, **{f"y{i}": each.numpy() for i, each in enumerate(found)})


def settled(model: nn.Module) -> None:
    """Batch norms that have seen something: means and variances of their own."""
    for each in model.modules():
        if isinstance(each, nn.BatchNorm2d):
            each.running_mean.normal_(0, 0.1)
            each.running_var.uniform_(0.5, 1.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ZOO)}")
    parser.add_argument("--script", action="store_true", help="by the older exporter")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for name in given.names or ZOO:
        export(name, given.folder, given.script)
        print(name, f"{(given.folder / f'{name}.onnx').stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
