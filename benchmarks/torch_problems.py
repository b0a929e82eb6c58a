"""Small PyTorch modules through griotte: a convolution or a product, and three to five operations after it.

    python benchmarks/torch_problems.py                    # by the language's reference: right, refused, wrong
    python benchmarks/torch_problems.py --kernel NAME ..   # by a kernel
    python benchmarks/torch_problems.py --race NAME ..     # beside torch and inductor, in turns, on as many threads

Each module is drawn from one seed. Right is within 1e-4 of the largest of torch's results. Run it where torch is.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

SEED, WITHIN, ROUNDS, SPAN = 0, 1e-4, 9, 0.05


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


IMAGE, ROWS, VOLUME = (2, 8, 14, 14), (16, 64), (1, 4, 6, 8, 8)


def conv(out: int = 16, k: int = 3, **how: Any) -> nn.Module:
    return nn.Conv2d(8, out, k, **how)


def transposed(out: int = 8, **how: Any) -> nn.Module:
    return nn.ConvTranspose2d(8, out, 3, **{"stride": 2, "padding": 1, "output_padding": 1, **how})


def linear(out: int = 64) -> nn.Module:
    return nn.Linear(64, out)


MODULES: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...]]] = {
    "conv-relu-bias": (lambda: Chain(conv(), without(F.relu), lambda x, p: x + p, p=(16, 1, 1)), IMAGE),
    "conv-bn-relu-pool": (lambda: Chain(conv(), nn.BatchNorm2d(16), F.relu, nn.MaxPool2d(2)), IMAGE),
    "conv-mish-mish": (lambda: Chain(conv(), lambda x: x - 0.5, F.mish, F.mish), IMAGE),
    "conv-tanh-scale-bias-pool": (
        lambda: Chain(conv(), without(torch.tanh), lambda x, p: x * 2 + p, without(nn.MaxPool2d(2)), p=(16, 1, 1)),
        IMAGE,
    ),
    "conv-hardswish-relu": (lambda: Chain(conv(), F.hardswish, F.relu), IMAGE),
    "conv-hardswish-pool-mish": (lambda: Chain(conv(), lambda x: F.hardswish(x - 0.5), nn.MaxPool2d(2), F.mish), IMAGE),
    "conv-groupnorm-scale-pool-clamp": (
        lambda: Chain(
            conv(),
            without(nn.GroupNorm(4, 16)),
            lambda x, p: x * p,
            without(lambda x: F.max_pool2d(x, 2).clamp(0, 1)),
            p=(16, 1, 1),
        ),
        IMAGE,
    ),
    "conv-instancenorm-divide": (lambda: Chain(conv(), nn.InstanceNorm2d(16), lambda x: x / 2), IMAGE),
    "conv-min-tanh-tanh": (
        lambda: Chain(conv(), lambda x: x.min(1, keepdim=True).values, torch.tanh, torch.tanh),
        IMAGE,
    ),
    "conv-avgpool-sigmoid-sum": (
        lambda: Chain(conv(), nn.AvgPool2d(4), torch.sigmoid, lambda x: x.sum((1, 2, 3))),
        IMAGE,
    ),
    "conv-gelu-globalpool": (lambda: Chain(conv(), F.gelu, lambda x: F.adaptive_avg_pool2d(x, 1).flatten(1)), IMAGE),
    "conv-softplus-tanh-mul-bn": (
        lambda: Chain(conv(), lambda x: torch.tanh(F.softplus(x)) * x, nn.BatchNorm2d(16)),
        IMAGE,
    ),
    "conv-logsumexp-relu": (lambda: Chain(conv(), lambda x: x.logsumexp(1, keepdim=True), F.relu), IMAGE),
    "conv-leakyrelu-mul-leakyrelu-max": (
        lambda: Chain(
            conv(), without(F.leaky_relu), lambda x, p: F.leaky_relu(x * p), without(nn.MaxPool2d(2)), p=(16, 1, 1)
        ),
        IMAGE,
    ),
    "conv-norm-tanh-hardswish-residual-logsumexp": (
        lambda: Chain(
            conv(), lambda x: x + F.hardswish(torch.tanh(F.group_norm(x, 4))), lambda x: x.logsumexp(1, keepdim=True)
        ),
        IMAGE,
    ),
    "conv-sub-sub-mish": (lambda: Chain(conv(), lambda x: F.mish(x - 0.5 - 0.2)), IMAGE),
    "depthwise-pointwise": (lambda: Chain(conv(8, groups=8, padding=1), nn.Conv2d(8, 16, 1), F.relu6), IMAGE),
    "squeeze-excite": (
        lambda: Chain(conv(), lambda x: x * torch.sigmoid(F.adaptive_avg_pool2d(F.relu(x), 1)), F.silu),
        IMAGE,
    ),
    "residual": (lambda: Chain(conv(8, padding=1), nn.BatchNorm2d(8), lambda x: F.relu(x + x.flip(1))), IMAGE),
    "pixel-shuffle": (lambda: Chain(conv(16), lambda x: F.pixel_shuffle(x, 2), nn.PReLU()), IMAGE),
    "upsample": (lambda: Chain(conv(), lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), F.elu), IMAGE),
    "transposed-bias-clamp": (
        lambda: Chain(
            transposed(), lambda x, p: (x + p).clamp(0, 1) * 2, without(lambda x: x.clamp(0, 1) / 2), p=(8, 1, 1)
        ),
        IMAGE,
    ),
    "transposed-pool-hardtanh-mean-tanh": (
        lambda: Chain(transposed(), nn.MaxPool2d(2), F.hardtanh, lambda x: torch.tanh(x.mean((2, 3), keepdim=True))),
        IMAGE,
    ),
    "transposed-softmax-bias-sigmoid": (
        lambda: Chain(
            transposed(), without(lambda x: x.softmax(1)), lambda x, p: (x + p) * 2, without(torch.sigmoid), p=(8, 1, 1)
        ),
        IMAGE,
    ),
    "transposed-gelu-groupnorm": (lambda: Chain(transposed(), F.gelu, nn.GroupNorm(4, 8)), IMAGE),
    "transposed-add-min-sum-gelu-add": (
        lambda: Chain(transposed(), lambda x: F.gelu(x.min(1, keepdim=True).values.sum(2, keepdim=True)) + 1),
        IMAGE,
    ),
    "conv3d-groupnorm-relu-mean": (
        lambda: Chain(nn.Conv3d(4, 8, 3), nn.GroupNorm(2, 8), F.relu, lambda x: x.mean((1, 2, 3, 4))),
        VOLUME,
    ),
    "conv3d-relu-leakyrelu-gelu-sigmoid": (
        lambda: Chain(nn.Conv3d(4, 8, 3), lambda x: torch.sigmoid(F.gelu(F.leaky_relu(F.relu(x))))),
        VOLUME,
    ),
    "conv3d-min-softmax": (lambda: Chain(nn.Conv3d(4, 8, 3), lambda x: x.min(2).values.softmax(1)), VOLUME),
    "conv3d-divide-max-globalpool-sum": (
        lambda: Chain(nn.Conv3d(4, 8, 3), lambda x: F.max_pool3d(x / 2, 2), lambda x: x.mean((2, 3, 4)).sum(1)),
        VOLUME,
    ),
    "linear-relu-divide": (lambda: Chain(linear(), F.relu, lambda x: x / 2), ROWS),
    "linear-swish-divide-clamp-tanh-clamp": (
        lambda: Chain(linear(), lambda x: torch.tanh((F.silu(x) / 2).clamp(-1, 1)).clamp(-1, 1)),
        ROWS,
    ),
    "linear-sum-max-mean-logsumexp": (
        lambda: Chain(linear(), lambda x: x.sum(1, keepdim=True).logsumexp(1, keepdim=True)),
        ROWS,
    ),
    "linear-bn-bias-divide-swish": (lambda: Chain(linear(), nn.BatchNorm1d(64), lambda x: F.silu((x + 1) / 2)), ROWS),
    "linear-groupnorm-leakyrelu-sum": (
        lambda: Chain(linear(), nn.GroupNorm(8, 64), lambda x: F.leaky_relu(x) * 2),
        ROWS,
    ),
    "linear-scale-hardtanh-gelu": (lambda: Chain(linear(), lambda x: F.gelu(F.hardtanh(x * 0.5))), ROWS),
    "linear-mish-mish": (lambda: Chain(linear(), F.mish, F.mish), ROWS),
    "linear-maxpool-sum-scale": (
        lambda: Chain(linear(), lambda x: F.max_pool1d(x[:, None], 2)[:, 0].sum(1) * 0.5),
        ROWS,
    ),
    "linear-avgpool-gelu-scale-max": (
        lambda: Chain(linear(), lambda x: (F.gelu(F.avg_pool1d(x[:, None], 4)[:, 0]) * 2).max(1).values),
        ROWS,
    ),
    "linear-softmax-bias": (
        lambda: Chain(linear(), without(lambda x: x.softmax(1)), lambda x, p: x + p, p=(64,)),
        ROWS,
    ),
    "linear-layernorm-residual": (lambda: Chain(linear(), nn.LayerNorm(64), lambda x: x + torch.sigmoid(x)), ROWS),
    "linear-dropout-softmax": (lambda: Chain(linear(), nn.Dropout(0.2), lambda x: x.softmax(1)), ROWS),
    "mlp": (lambda: Chain(linear(128), F.gelu, nn.Linear(128, 64), nn.LayerNorm(64)), ROWS),
    "linear-topk": (lambda: Chain(linear(), lambda x: x.topk(4).values.softmax(1)), ROWS),
}


def made(name: str) -> tuple[nn.Module, torch.Tensor]:
    """The module of a name, and what it is called with."""
    torch.manual_seed(SEED)
    make, shape = MODULES[name]
    return make().eval(), torch.randn(shape)


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


def raced(name: str) -> str:
    """Microseconds of a call, medians of rounds in turns: of a kernel by itself, and of both as torch.compile calls
    them."""
    import griotte as gt

    module, x = made(name)
    own = gt.compile(gt.from_torch(module, x), threads=torch.get_num_threads()).torch()
    os.environ["GRIOTTE_TORCH"] = "all"
    torch.compiler.reset()
    runs = {
        "kernel": own,
        "griotte": torch.compile(module, backend=gt.torch.griotte, dynamic=False),
        "inductor": torch.compile(module, dynamic=False),
        "eager": module,
    }
    times: dict[str, list[float]] = {which: [] for which in runs}
    with torch.no_grad():
        assert torch.allclose(own(x), module(x), rtol=1e-3, atol=1e-4)
        counts = {which: _count(run, x) for which, run in runs.items()}
        for turn in range(ROUNDS):
            for which in list(runs)[:: 1 if turn % 2 else -1]:
                times[which].append(_timed(runs[which], x, counts[which]))
    found = {which: statistics.median(each) * 1e6 for which, each in times.items()}
    told = ", ".join(f"{which} {us:.1f} us" for which, us in found.items())
    return f"{told}; griotte by inductor {found['griotte'] / found['inductor']:.2f}"


def _count(run: Callable[..., Any], x: Any) -> int:
    """Calls in about SPAN seconds, once it is warm."""
    for _ in range(5):
        run(x)
    return max(1, int(SPAN / _timed(run, x, 10)))


def _timed(run: Callable[..., Any], x: Any, count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        run(x)
    return (time.perf_counter() - start) / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="modules; all where none is named")
    parser.add_argument("--kernel", action="store_true", help="compile each")
    parser.add_argument("--race", action="store_true", help="time each beside torch and inductor")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    warnings.filterwarnings("ignore")
    counts: dict[str, int] = {}
    for name in given.names or MODULES:
        if given.race:
            print(f"{name}: {raced(name)}", flush=True)
            continue
        verdict, more = tried(name, given.kernel)
        counts[verdict] = counts.get(verdict, 0) + 1
        print(f"{verdict:8} {name}: {more}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))


if __name__ == "__main__":
    main()
