"""What a matrix of columns (im2col) could gain a convolution: its product alone, the matrix given, beside the
convolution; and a copy of as many bytes.

    im2col.py                   of the race's convolutions that sum over channels
    im2col.py --threads 2 --target avx2

Not a row of run.py: it has no bar. Where the product alone takes as long as the convolution, making the matrix first
cannot pay (docs/explanation/convolution.md).
"""

from __future__ import annotations

import argparse
from math import prod

from speed import turns

CONVOLUTIONS = (  # channels, rows and columns, channels of the result, window, stride, padding
    (64, 56, 64, 3, 1, 1),
    (128, 28, 128, 3, 1, 1),
    (256, 14, 256, 3, 1, 1),
    (512, 7, 512, 3, 1, 1),
    (64, 56, 128, 3, 2, 1),
    (3, 224, 64, 7, 2, 3),
    (16, 12, 32, 5, 1, 0),
)


def main() -> None:
    import griotte as gt
    import numpy as np

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--target", default="native")
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    rng = np.random.default_rng(0)

    def bound(text: str):
        """A call of the program for a Spec, on arrays of its own."""
        spec = gt.parse(text)
        arrays = [rng.standard_normal(t.shape, np.float32) for t in spec.inputs]
        kernel = gt.synthesize(spec, asked.target, threads=asked.threads, table="none").compile()
        return kernel.bind(*arrays, out=kernel(*arrays))

    print(f"{'convolution':44} {'convolution':>12} {'product alone':>14} {'of it':>6} {'and a copy':>11} {'of it':>6}")
    for c, size, o, window, stride, padding in CONVOLUTIONS:
        text = (
            f"conv2d(f32[1,{c},{size},{size}], const f32[{o},{c},{window},{window}], stride={stride},"
            f" padding={padding})"
        )
        pixels, steps = prod(gt.parse(text).output.shape[2:]), c * window * window
        ways = {
            "convolution": bound(text),
            "product": bound(f"matmul(const f32[{o},{steps}], f32[{steps},{pixels}])"),
            "copy": bound(f"copy(f32[{steps},{pixels}])"),
        }
        us = turns(ways, asked.rounds, asked.threads)["min_us"]
        whole = us["product"] + us["copy"]
        print(
            f"{text[7:-1]:44} {us['convolution']:12.1f} {us['product']:14.1f} {us['product'] / us['convolution']:6.2f}"
            f" {whole:11.1f} {whole / us['convolution']:6.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
