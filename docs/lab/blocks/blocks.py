"""Convolutions whose images lie row-major, with channels last, and with channels in blocks of lanes: what the model
says, and what they take, in turns.

PYTHONPATH=benchmarks .venv/bin/python docs/lab/blocks/blocks.py [pointwise|depthwise] [--rounds 7] [--lanes 16]
"""

from __future__ import annotations

import argparse

import griotte as gt
import numpy as np
from griotte.lang.calls.spec import Spec
from griotte.lang.constructors.nesting import nest
from griotte.lang.nests.access import Border
from griotte.lang.nests.operation import Operation
from griotte.lang.types.expr import Arg, Call
from speed import turns

LAST = (1, 3, 2, 0)
POINTWISE = ((64, 56, 256), (256, 56, 64), (512, 28, 128), (1024, 14, 256), (256, 14, 1024), (512, 7, 2048))
DEPTHWISE = ((960, 7, 5, 1), (144, 28, 5, 1), (240, 14, 3, 1), (64, 112, 3, 2), (672, 14, 5, 2))
PRODUCT = Call("mul", (Arg(0), Arg(1)))


def stated(channels: int, size: int, out: int, window: int, stride: int, order: tuple[int, ...]) -> Spec:
    """A convolution of the language; of as many channels as it gives where `out` is 0."""
    x = gt.tensor((1, channels, size, size), layout=order)
    weights = (channels, 1, window, window) if not out else (out, channels, window, window)
    w = gt.tensor(weights, constant=True)
    return gt.conv2d(x, w, stride, window // 2, groups=1 if out else channels, layout=order)


def blocked(channels: int, size: int, out: int, window: int, stride: int, lanes: int) -> Spec:
    """The same over blocks of channels: x [c / lanes, h, w, lanes]."""
    places = -(-size // stride)
    sizes = {"d": channels // lanes, "c": lanes, "y": places, "x": places, "i": window, "j": window}
    image = gt.tensor((channels // lanes, size, size, lanes))
    rows, columns = (f"{a}*{stride}+{b}" for a, b in ("yi", "xj"))
    half = window // 2
    reach = half, (places - 1) * stride + window - size - half
    border = Border(((0, 0), reach, reach, (0, 0)), 0.0)
    if not out:
        w = gt.tensor((channels // lanes, lanes, window, window), constant=True)
        reads = f"d {rows} {columns} c", "d c i j"
        operation = Operation.of("blocks", "d y x c i j", reads, "d y x c", PRODUCT, "add")
        return nest(operation, sizes, (image, w), "f32", border=border)
    assert window == stride == 1
    sizes = {"p": size * size, "d": channels // lanes, "c": lanes, "e": out // lanes, "o": lanes}
    image = gt.tensor((channels // lanes, size * size, lanes))
    w = gt.tensor((channels // lanes, lanes, out // lanes, lanes), constant=True)
    operation = Operation.of("blocks", "e p o d c", ("d p c", "d c e o"), "e p o", PRODUCT, "add")
    return nest(operation, sizes, (image, w), "f32")


def call_of(spec: Spec, rng: np.random.Generator):
    """The program's cost in cycles, and a call of it."""
    program = gt.synthesize(spec, table="none")
    kernel = program.compile()
    drawn = [rng.standard_normal(t.shape).astype(np.float32) for t in (*spec.inputs, spec.output)]
    lying = []
    for array, t in zip(drawn, (*spec.inputs, spec.output)):
        order = t.minor_to_major[::-1]
        lying.append(np.ascontiguousarray(array.transpose(order)).transpose(np.argsort(order)))
    return program.cost, kernel.bind(*lying[:-1], out=lying[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", nargs="?", choices=("pointwise", "depthwise"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--lanes", type=int, default=16)
    options = parser.parse_args()
    rng, shares = np.random.default_rng(0), []
    kinds = {
        "pointwise": [(c, s, o, 1, 1) for c, s, o in POINTWISE],
        "depthwise": [(c, s, 0, k, t) for c, s, k, t in DEPTHWISE],
    }
    for channels, size, out, window, stride in (
        each for kind in kinds if options.kind in (None, kind) for each in kinds[kind]
    ):
        specs = {
            "row-major": stated(channels, size, out, window, stride, (3, 2, 1, 0)),
            "channels last": stated(channels, size, out, window, stride, LAST),
            "blocks": blocked(channels, size, out, window, stride, options.lanes),
        }
        made = {name: call_of(spec, rng) for name, spec in specs.items()}
        found = turns({name: call for name, (_, call) in made.items()}, options.rounds, 1)["median_us"]
        shares.append(found["channels last"] / found["blocks"])
        print(
            f"{channels}x{size}x{size}" + (f" to {out}" if out else f", {window}x{window} each, stride {stride}"),
            *(f"{name} {made[name][0] / 3.7e3:.1f} us by the model, {found[name]:.1f} taken;" for name in specs),
            f"channels last over blocks {shares[-1]:.2f}",
            flush=True,
        )
    print(f"geometric mean {np.exp(np.mean(np.log(shares))):.3f}")


if __name__ == "__main__":
    main()
