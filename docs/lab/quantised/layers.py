"""Quantised convolutions of ResNet-18 and MobileNetV3 by themselves, channels last and row-major: what the model says,
and what they take.

    python docs/lab/quantised/layers.py [--seconds 4] [--orders last,rows] [NAME ..]
"""

from __future__ import annotations

import argparse
import time

import griotte as gt
import numpy as np
from griotte.lang.types.dtypes import dtype

LAYERS = {  # channels, those of the result (0: each by itself), size, window, stride, zero
    "64 to 64 at 56, 3x3": (64, 64, 56, 3, 1, 0),
    "64 to 128 at 56, 3x3, stride 2": (64, 128, 56, 3, 2, 0),
    "128 to 128 at 28, 3x3": (128, 128, 28, 3, 1, 0),
    "256 to 256 at 14, 3x3": (256, 256, 14, 3, 1, 0),
    "512 to 512 at 7, 3x3": (512, 512, 7, 3, 1, 0),
    "16 to 64 at 112, 1x1": (16, 64, 112, 1, 1, 0),
    "24 to 72 at 56, 1x1": (24, 72, 56, 1, 1, 0),
    "480 to 112 at 14, 1x1": (480, 112, 14, 1, 1, 0),
    "160 to 960 at 7, 1x1": (160, 960, 7, 1, 1, 0),
    "16 each at 112, 3x3": (16, 0, 112, 3, 1, 27),
    "64 each at 112, 3x3, stride 2": (64, 0, 112, 3, 2, 0),
    "72 each at 56, 3x3": (72, 0, 56, 3, 1, 0),
    "72 each at 56, 5x5, stride 2": (72, 0, 56, 5, 2, 0),
    "120 each at 28, 5x5": (120, 0, 28, 5, 1, 0),
    "240 each at 28, 3x3, stride 2": (240, 0, 28, 3, 2, 113),
    "480 each at 14, 3x3": (480, 0, 14, 3, 1, 100),
    "960 each at 7, 5x5": (960, 0, 7, 5, 1, 100),
}
ORDERS = {"last": "{1,3,2,0}", "rows": ""}
LEAST, MOST = {"f32": 0.001, "s32": -1000}, {"f32": 0.002, "s32": 1000}


def text(layer: tuple[int, ...], order: str) -> str:
    channels, outputs, size, window, stride, zero = layer
    given, groups = (1, channels) if not outputs else (channels, 1)
    outputs, padding = outputs or channels, window // 2
    left = (size + 2 * padding - window) // stride + 1
    return (
        f"qconv2d(u8[1,{channels},{size},{size}]{order}, f32[], {zero}, const s8[{outputs},{given},{window},{window}],"
        f" f32[{outputs}], 0, f32[], 0, stride={stride}, padding={padding}, groups={groups}, bias=const s32[{outputs}])"
        f" -> u8[1,{outputs},{left},{left}]{order}"
    )


def drawn(type: gt.TensorType, rng: np.random.Generator) -> np.ndarray:
    least, most = LEAST.get(type.dtype, 0), MOST.get(type.dtype, 20)
    order = type.minor_to_major[::-1]
    lying = rng.uniform(least, most, [type.shape[axis] for axis in order]).astype(dtype(type.dtype).numpy)
    return lying.transpose(np.argsort(order)) if order else lying


def took(program: gt.Program, seconds: float) -> float:
    """Microseconds of the quickest call; a rest now and then, so that calls begin with a whole share of a core."""
    kernel, rng = program.compile(), np.random.default_rng(0)
    given = [drawn(type, rng) for type in program.spec.inputs]
    call, best, until = kernel.bind(*given, out=kernel(*given)), np.inf, time.perf_counter() + seconds
    while time.perf_counter() < until:
        time.sleep(0.002)
        for _ in range(100):
            started = time.perf_counter()
            call()
            best = min(best, time.perf_counter() - started)
    return best * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(LAYERS))
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--orders", default="last,rows")
    options = parser.parse_args()
    for name in options.names:
        for order in options.orders.split(","):
            program = gt.synthesize(text(LAYERS[name], ORDERS[order]))
            us = took(program, options.seconds)
            print(f"{name:32} {order:4} {program.cost / 1e3:8.1f} kcycles by price, {us:7.1f} us", flush=True)


if __name__ == "__main__":
    main()
