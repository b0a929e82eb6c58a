"""What it takes that weights written behind torch's back are seen: torch.compile by griotte beside itself frozen.

    python benchmarks/torch_held.py [NAME ..] [--clock cpu] [--ways frozen,watched,shared,digested,placed]

Each model is compiled so many times: "frozen" packs all weights and looks at none again (as with
torch._inductor.config.freezing), "watched" is what the backend does; "shared" is that of weights that NumPy made, whose
memory cannot be watched, which is one of these: "digested" packs them and takes a digest of all at each call, "placed"
reads them where they lie. Times are medians of calls, in turns, on one thread.
"""

from __future__ import annotations

import argparse
import copy
import os
import statistics
from collections.abc import Callable
from typing import Any

import torch
import torch_racing
from model_zoo import ZOO, settled
from torch import nn

Made = tuple[nn.Module, tuple[torch.Tensor, ...]]
WAYS = ("frozen", "watched", "shared", "digested", "placed")


def mlp(batch: int, width: int) -> Made:
    layers = [each for _ in range(3) for each in (nn.Linear(width, width), nn.ReLU())]
    return nn.Sequential(*layers).eval(), (torch.randn(batch, width),)


def convolutions(channels: int, size: int, batch: int = 1) -> Made:
    layers = [each for _ in range(3) for each in (nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU())]
    return nn.Sequential(*layers).eval(), (torch.randn(batch, channels, size, size),)


def of_zoo(name: str) -> Made:
    module, inputs = ZOO[name]()
    settled(module)
    return module.eval(), inputs


MODELS: dict[str, Callable[[], Made]] = {
    "mlp 512, batch 1": lambda: mlp(1, 512),
    "mlp 512, batch 32": lambda: mlp(32, 512),
    "mlp 2048, batch 1": lambda: mlp(1, 2048),
    "mlp 2048, batch 32": lambda: mlp(32, 2048),
    "conv 64x56": lambda: convolutions(64, 56),
    "conv 256x14": lambda: convolutions(256, 14),
    "conv 512x7": lambda: convolutions(512, 7),
    "bert_layer": lambda: of_zoo("bert_layer"),
    "mobilenet_v3": lambda: of_zoo("mobilenet_v3"),
    "resnet18": lambda: of_zoo("resnet18"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MODELS)}")
    parser.add_argument("--clock", choices=list(torch_racing.CLOCKS), default="wall")
    parser.add_argument("--ways", default=",".join(WAYS))
    given = parser.parse_args()
    import griotte as gt
    from griotte.torch import held

    os.environ["GRIOTTE_TORCH"] = "all"
    torch.set_num_threads(1)
    ratios: dict[str, list[float]] = {}
    shares = {"shared": held.SHARE, "digested": 1e9, "placed": -1.0}
    for name in given.names or MODELS:
        torch._dynamo.reset()
        torch.manual_seed(0)
        module, inputs = MODELS[name]()
        runs: dict[str, Any] = {}
        with torch.no_grad():
            wanted = module(*inputs)
            for which in given.ways.split(","):
                held.SHARE = shares.get(which, 0.0)
                own = torch_racing.own_code(which, copy.deepcopy(module))
                if which in shares:
                    for each in own.parameters():
                        each.data = torch.from_numpy(each.numpy().copy())
                runs[which] = torch.compile(own, backend=gt.torch.griotte, dynamic=False)
                with torch._inductor.config.patch(freezing=which == "frozen"):
                    assert torch_racing.off(runs[which](*inputs), wanted) < 1e-4
            us = torch_racing.timed(runs, inputs, given.clock)
        for which in us:
            ratios.setdefault(which, []).append(us["frozen"] / us[which])
        told = ", ".join(f"{which} {each:.0f} us ({us['frozen'] / each:.3f})" for which, each in us.items())
        print(f"{name}: {told}; {gt.torch.report()[-1].runs}", flush=True)
    print("mean", ", ".join(f"{which} {statistics.geometric_mean(each):.3f}" for which, each in ratios.items()))


if __name__ == "__main__":
    main()
