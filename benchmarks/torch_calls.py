"""What a call of a kernel as an operator of torch takes beside one of torch's own, on so little that the call is all.

    python benchmarks/torch_calls.py [--rounds 40] [--clock cpu]

Each takes exp of f32[64], in turns of 500 calls: the kernel by torch.library, past torch's dispatcher (as the backend
of torch.compile calls it) and on NumPy's arrays, torch.exp, and an operator of torch.library, in Python, that makes a
tensor and fills none. It needs torch.
"""

from __future__ import annotations

import argparse
import statistics
import time

import torch

CALLS = 500
CLOCKS = {"wall": time.perf_counter, "cpu": time.thread_time}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--clock", choices=list(CLOCKS), default="wall")
    given = parser.parse_args()
    now = CLOCKS[given.clock]
    import griotte as gt
    from griotte.models.text import parse_graph

    torch.set_num_threads(1)
    kernel = gt.compile(parse_graph("model(\n%x: f32[64],\n) {\n%y = exp(%x) -> f32[64]\nreturn y=%y\n}"))
    library = torch.library.Library("griotte_nothing", "DEF")
    library.define("nothing(Tensor x) -> Tensor")
    library.impl("nothing", lambda x: torch.empty((64,)), "CPU")
    x = torch.ones(64)
    array = x.numpy()
    calls = {
        "by torch.library": (kernel.torch(), x),
        "past the dispatcher": (kernel.on_tensors(), x),
        "on arrays": (kernel, array),
        "torch.exp": (torch.exp, x),
        "an operator of nothing": (torch.ops.griotte_nothing.nothing.default, x),
    }
    times: dict[str, list[float]] = {name: [] for name in calls}
    with torch.no_grad():
        for _ in range(given.rounds + 1):
            for name, (call, what) in calls.items():
                started = now()
                for _ in range(CALLS):
                    call(what)
                times[name].append((now() - started) / CALLS * 1e6)
    print(", ".join(f"{name} {statistics.median(each[1:]):.2f} us" for name, each in times.items()))


if __name__ == "__main__":
    main()
