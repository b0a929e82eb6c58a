"""Small PyTorch modules through griotte: a convolution or a product, and three to five operations after it.

    python benchmarks/torch_problems.py                    # by the language's reference: right, refused, wrong
    python benchmarks/torch_problems.py --kernel NAME ..   # by a kernel
    python benchmarks/torch_problems.py --race NAME ..     # beside torch and inductor, in turns, on as many threads

`--sizes large` has images and matrices of about a millisecond. How modules race is told in torch_racing.py.

Each module is drawn from one seed. Right is within 1e-4 of the largest of torch's results. Run it where torch is.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
import torch_racing
from torch import nn
from torch_racing import WITHIN

SEED = 0


class Chain(nn.Module):
    """One module, then functions of its result, which may read the module's own parameter `p`."""

    def __init__(self, first: nn.Module, *then: Callable[..., Any], p: tuple[int, ...] = ()) -> None:
        super().__init__()
        self.first, self.then = first, then
        self.modules_of = nn.ModuleList(each for each in then if isinstance(each, nn.Module))
        self.p = nn.Parameter(torch.randn(p)) if p else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.first(x)
        for each in self.then:
            x = each(x) if self.p is None or isinstance(each, nn.Module) else each(x, self.p)
        return x


def without(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function in a chain that has a parameter, which it does not read."""
    return lambda x, p: function(x)


@dataclass
class Sizes:
    """How large modules are: images [batch, into, side, side], which have `out` channels after a convolution, rows
    [rows, width], volumes [.., into, depth, side, side]."""

    batch: int
    into: int
    out: int
    side: int
    rows: int
    width: int
    volume: tuple[int, ...]


SIZES = {
    "small": Sizes(2, 8, 16, 14, 16, 64, (1, 4, 6, 8, 8)),
    "large": Sizes(4, 16, 32, 30, 128, 512, (1, 8, 10, 16, 16)),
}
OF = replace(SIZES["small"])  # those of this run


def conv(out: int = 0, k: int = 3, **how: Any) -> nn.Module:
    return nn.Conv2d(OF.into, out or OF.out, k, **how)


def transposed(**how: Any) -> nn.Module:
    return nn.ConvTranspose2d(OF.into, OF.into, 3, **{"stride": 2, "padding": 1, "output_padding": 1, **how})


def volumes() -> nn.Module:
    return nn.Conv3d(OF.volume[1], 2 * OF.volume[1], 3)


def linear(out: int = 0) -> nn.Module:
    return nn.Linear(OF.width, out or OF.width)


def image() -> tuple[int, ...]:
    return (OF.batch, OF.into, OF.side, OF.side)


def rows() -> tuple[int, ...]:
    return (OF.rows, OF.width)


def volume() -> tuple[int, ...]:
    return OF.volume


MODULES: dict[str, tuple[Callable[[], nn.Module], Callable[[], tuple[int, ...]]]] = {
    "conv-relu-bias": (lambda: Chain(conv(), without(F.relu), lambda x, p: x + p, p=(OF.out, 1, 1)), image),
    "conv-bn-relu-pool": (lambda: Chain(conv(), nn.BatchNorm2d(OF.out), F.relu, nn.MaxPool2d(2)), image),
    "conv-mish-mish": (lambda: Chain(conv(), lambda x: x - 0.5, F.mish, F.mish), image),
    "conv-tanh-scale-bias-pool": (
        lambda: Chain(conv(), without(torch.tanh), lambda x, p: x * 2 + p, without(nn.MaxPool2d(2)), p=(OF.out, 1, 1)),
        image,
    ),
    "conv-hardswish-relu": (lambda: Chain(conv(), F.hardswish, F.relu), image),
    "conv-hardswish-pool-mish": (lambda: Chain(conv(), lambda x: F.hardswish(x - 0.5), nn.MaxPool2d(2), F.mish), image),
    "conv-groupnorm-scale-pool-clamp": (
        lambda: Chain(
            conv(),
            without(nn.GroupNorm(4, OF.out)),
            lambda x, p: x * p,
            without(lambda x: F.max_pool2d(x, 2).clamp(0, 1)),
            p=(OF.out, 1, 1),
        ),
        image,
    ),
    "conv-instancenorm-divide": (lambda: Chain(conv(), nn.InstanceNorm2d(OF.out), lambda x: x / 2), image),
    "conv-min-tanh-tanh": (
        lambda: Chain(conv(), lambda x: x.min(1, keepdim=True).values, torch.tanh, torch.tanh),
        image,
    ),
    "conv-avgpool-sigmoid-sum": (
        lambda: Chain(conv(), nn.AvgPool2d(4), torch.sigmoid, lambda x: x.sum((1, 2, 3))),
        image,
    ),
    "conv-gelu-globalpool": (lambda: Chain(conv(), F.gelu, lambda x: F.adaptive_avg_pool2d(x, 1).flatten(1)), image),
    "conv-softplus-tanh-mul-bn": (
        lambda: Chain(conv(), lambda x: torch.tanh(F.softplus(x)) * x, nn.BatchNorm2d(OF.out)),
        image,
    ),
    "conv-logsumexp-relu": (lambda: Chain(conv(), lambda x: x.logsumexp(1, keepdim=True), F.relu), image),
    "conv-leakyrelu-mul-leakyrelu-max": (
        lambda: Chain(
            conv(), without(F.leaky_relu), lambda x, p: F.leaky_relu(x * p), without(nn.MaxPool2d(2)), p=(OF.out, 1, 1)
        ),
        image,
    ),
    "conv-norm-tanh-hardswish-residual-logsumexp": (
        lambda: Chain(
            conv(), lambda x: x + F.hardswish(torch.tanh(F.group_norm(x, 4))), lambda x: x.logsumexp(1, keepdim=True)
        ),
        image,
    ),
    "conv-sub-sub-mish": (lambda: Chain(conv(), lambda x: F.mish(x - 0.5 - 0.2)), image),
    "depthwise-pointwise": (
        lambda: Chain(conv(OF.into, groups=OF.into, padding=1), nn.Conv2d(OF.into, OF.out, 1), F.relu6),
        image,
    ),
    "squeeze-excite": (
        lambda: Chain(conv(), lambda x: x * torch.sigmoid(F.adaptive_avg_pool2d(F.relu(x), 1)), F.silu),
        image,
    ),
    "residual": (
        lambda: Chain(conv(OF.into, padding=1), nn.BatchNorm2d(OF.into), lambda x: F.relu(x + x.flip(1))),
        image,
    ),
    "pixel-shuffle": (lambda: Chain(conv(), lambda x: F.pixel_shuffle(x, 2), nn.PReLU()), image),
    "upsample": (lambda: Chain(conv(), lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), F.elu), image),
    "transposed-bias-clamp": (
        lambda: Chain(
            transposed(), lambda x, p: (x + p).clamp(0, 1) * 2, without(lambda x: x.clamp(0, 1) / 2), p=(OF.into, 1, 1)
        ),
        image,
    ),
    "transposed-pool-hardtanh-mean-tanh": (
        lambda: Chain(transposed(), nn.MaxPool2d(2), F.hardtanh, lambda x: torch.tanh(x.mean((2, 3), keepdim=True))),
        image,
    ),
    "transposed-softmax-bias-sigmoid": (
        lambda: Chain(
            transposed(),
            without(lambda x: x.softmax(1)),
            lambda x, p: (x + p) * 2,
            without(torch.sigmoid),
            p=(OF.into, 1, 1),
        ),
        image,
    ),
    "transposed-gelu-groupnorm": (lambda: Chain(transposed(), F.gelu, nn.GroupNorm(4, OF.into)), image),
    "transposed-add-min-sum-gelu-add": (
        lambda: Chain(transposed(), lambda x: F.gelu(x.min(1, keepdim=True).values.sum(2, keepdim=True)) + 1),
        image,
    ),
    "conv3d-groupnorm-relu-mean": (
        lambda: Chain(volumes(), nn.GroupNorm(2, 2 * OF.volume[1]), F.relu, lambda x: x.mean((1, 2, 3, 4))),
        volume,
    ),
    "conv3d-relu-leakyrelu-gelu-sigmoid": (
        lambda: Chain(volumes(), lambda x: torch.sigmoid(F.gelu(F.leaky_relu(F.relu(x))))),
        volume,
    ),
    "conv3d-min-softmax": (lambda: Chain(volumes(), lambda x: x.min(2).values.softmax(1)), volume),
    "conv3d-divide-max-globalpool-sum": (
        lambda: Chain(volumes(), lambda x: F.max_pool3d(x / 2, 2), lambda x: x.mean((2, 3, 4)).sum(1)),
        volume,
    ),
    "linear-relu-divide": (lambda: Chain(linear(), F.relu, lambda x: x / 2), rows),
    "linear-swish-divide-clamp-tanh-clamp": (
        lambda: Chain(linear(), lambda x: torch.tanh((F.silu(x) / 2).clamp(-1, 1)).clamp(-1, 1)),
        rows,
    ),
    "linear-sum-max-mean-logsumexp": (
        lambda: Chain(linear(), lambda x: x.sum(1, keepdim=True).logsumexp(1, keepdim=True)),
        rows,
    ),
    "linear-bn-bias-divide-swish": (
        lambda: Chain(linear(), nn.BatchNorm1d(OF.width), lambda x: F.silu((x + 1) / 2)),
        rows,
    ),
    "linear-groupnorm-leakyrelu-sum": (
        lambda: Chain(linear(), nn.GroupNorm(8, OF.width), lambda x: F.leaky_relu(x) * 2),
        rows,
    ),
    "linear-scale-hardtanh-gelu": (lambda: Chain(linear(), lambda x: F.gelu(F.hardtanh(x * 0.5))), rows),
    "linear-mish-mish": (lambda: Chain(linear(), F.mish, F.mish), rows),
    "linear-maxpool-sum-scale": (
        lambda: Chain(linear(), lambda x: F.max_pool1d(x[:, None], 2)[:, 0].sum(1) * 0.5),
        rows,
    ),
    "linear-avgpool-gelu-scale-max": (
        lambda: Chain(linear(), lambda x: (F.gelu(F.avg_pool1d(x[:, None], 4)[:, 0]) * 2).max(1).values),
        rows,
    ),
    "linear-softmax-bias": (
        lambda: Chain(linear(), without(lambda x: x.softmax(1)), lambda x, p: x + p, p=(OF.width,)),
        rows,
    ),
    "linear-layernorm-residual": (
        lambda: Chain(linear(), nn.LayerNorm(OF.width), lambda x: x + torch.sigmoid(x)),
        rows,
    ),
    "linear-dropout-softmax": (lambda: Chain(linear(), nn.Dropout(0.2), lambda x: x.softmax(1)), rows),
    "mlp": (
        lambda: Chain(linear(2 * OF.width), F.gelu, nn.Linear(2 * OF.width, OF.width), nn.LayerNorm(OF.width)),
        rows,
    ),
    "linear-topk": (lambda: Chain(linear(), lambda x: x.topk(4).values.softmax(1)), rows),
}


def made(name: str) -> tuple[nn.Module, torch.Tensor]:
    """The module of a name, and what it is called with."""
    torch.manual_seed(SEED)
    make, shape = MODULES[name]
    return make().eval(), torch.randn(shape())


def example(name: str) -> torch_racing.Made:
    """The same, as it is raced."""
    module, x = made(name)
    return module, (x,)


def tried(name: str, by_kernel: bool) -> tuple[str, str]:
    """right, refused or wrong; and more of it."""
    import griotte as gt
    from griotte.models.reference import interpret

    module, x = made(name)
    graph = gt.from_torch(module, x)
    if lacking := graph.unsupported():
        return "refused", "; ".join(map(str, lacking))
    found = gt.compile(graph)(x.numpy()) if by_kernel else interpret(graph, x.numpy())[0]
    with torch.no_grad():
        wanted = module(x).numpy()
    apart = float(np.abs(found - wanted).max() / np.abs(wanted).max())
    right = found.shape == wanted.shape and apart <= WITHIN
    return "right" if right else "wrong", f"{apart:.1e} of the largest"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="modules; all where none is named")
    parser.add_argument("--kernel", action="store_true", help="compile each")
    parser.add_argument("--race", action="store_true", help="time each beside torch and inductor")
    parser.add_argument("--sizes", choices=list(SIZES), default="small")
    torch_racing.arguments(parser)
    given = parser.parse_args()
    vars(OF).update(vars(SIZES[given.sizes]))
    names = given.names or list(MODULES)
    if given.race:
        return torch_racing.race("torch_problems.py", {name: partial(example, name) for name in names}, given)
    counts: dict[str, int] = {}
    for name in names:
        verdict, more = tried(name, given.kernel)
        counts[verdict] = counts.get(verdict, 0) + 1
        print(f"{verdict:8} {name}: {more}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))


if __name__ == "__main__":
    main()
