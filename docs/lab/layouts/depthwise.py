"""Convolutions of each channel, row-major and with channels last: what the model says, and what they take.

.venv/bin/python docs/lab/layouts/depthwise.py
"""

from __future__ import annotations

import time

import griotte as gt
import numpy as np

LAST = "{1,3,2,0}"
SHAPES = (
    (960, 7, 7, 5, 1),
    (144, 28, 28, 5, 1),
    (240, 14, 14, 3, 1),
    (64, 112, 112, 3, 2),
    (88, 3, 96, 5, 1),
    (200, 2, 96, 5, 1),
    (672, 14, 14, 5, 2),
)
GHZ = 3.7  # of the machine


def lying(array: np.ndarray, is_last: bool) -> np.ndarray:
    return np.ascontiguousarray(array.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2) if is_last else array


def timed(text: str) -> tuple[float, float]:
    """Microseconds by the model, and as timed."""
    program = gt.synthesize(text)
    kernel, rng = program.compile(), np.random.default_rng(0)
    is_last = lambda t: t.minor_to_major == (1, 3, 2, 0)
    given = [lying(rng.standard_normal(t.shape, np.float32), is_last(t)) for t in program.spec.inputs]
    out = lying(np.empty(program.spec.output.shape, np.float32), is_last(program.spec.output))
    call, best = kernel.bind(*given, out=out), []
    for _ in range(5):
        started, count = time.perf_counter(), 0
        while time.perf_counter() - started < 0.03:
            call()
            count += 1
        best.append((time.perf_counter() - started) / count)
    return program.cost / GHZ / 1e3, min(best) * 1e6


def main() -> None:
    for channels, h, w, k, stride in SHAPES:
        for layout in ("", LAST):
            x = f"f32[1,{channels},{h},{w}]{layout}"
            conv = f"conv2d({x}, const f32[{channels},1,{k},{k}], padding={k // 2}, groups={channels}, stride={stride})"
            y = f"f32[1,{channels},{-(-h // stride)},{-(-w // stride)}]{layout}"
            said, took = timed(f"relu(add({conv}, const f32[{channels},1,1])) -> {y}")
            name = f"{channels}x{h}x{w}, {k}x{k}, stride {stride}, {'channels last' if layout else 'row-major'}"
            print(f"{name:<50} model {said:7.1f} us, took {took:7.1f} us, {said / took:.2f}")


if __name__ == "__main__":
    main()
