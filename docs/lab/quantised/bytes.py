"""Programs of bytes that two versions of griotte find, timed in turns on the same arrays (README.md).

    export PYTHONPATH=src:benchmarks
    PYTHONPATH=OLD/src:benchmarks python docs/lab/quantised/bytes.py KERNELS/old [--target like:FILE]   searches
    python docs/lab/quantised/bytes.py KERNELS/new [--target like:FILE]
    python docs/lab/quantised/bytes.py KERNELS/old KERNELS/new --time                            old time over new

Targets are as benchmarks/priced.py names them. Programs whose C is the same are not timed.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path

import griotte as gt
import numpy as np
from griotte.runtime import load
from in_turns import seconds_in_turns
from priced import target_named

SQUARES = [(n, n, n) for n in (64, 128, 256, 512)]
OTHERS = [
    *((30, 48, 150), (100, 300, 77), (333, 200, 129), (4, 512, 512), (1, 1024, 1024), (2, 777, 512), (8, 96, 40)),
    *((197, 384, 384), (12, 64, 64), (49, 576, 64), (1000, 7, 64), (64, 3000, 10)),
]
PRODUCTS = [*SQUARES, *OTHERS]


def product(size: tuple[int, int, int], first: str = "u8", second: str = "s8") -> str:
    m, k, n = size
    return f"matmul({first}[{m},{k}], {second}[{k},{n}]) -> s32[{m},{n}]"


def convolution(channels: int, size: int, filters: int, window: int, more: str) -> str:
    """Zeros are known."""
    inputs = f"u8[1,{channels},{size},{size}], const f32[], 128"
    weights = f"const s8[{filters},{1 if 'groups' in more else channels},{window},{window}], const f32[{filters}], 0"
    return f"qconv2d({inputs}, {weights}, const f32[], 128{more})"


SPECS = [
    *map(product, PRODUCTS),
    *(product(size, second="const s8") for size in PRODUCTS[1:9]),
    *(product(size, *dtypes) for size in PRODUCTS[1:10:2] for dtypes in (("s8", "s8"), ("u8", "u8"))),
    "requantize(matmul(u8[256,256], const s8[256,256]), const f32[256], const u8[])",
    "requantize(matmul(u8[21,776], const s8[776,216]), const f32[216], const u8[])",
    convolution(64, 56, 64, 3, ", padding=1"),
    convolution(256, 14, 256, 1, ""),
    convolution(96, 56, 96, 3, ", padding=1, groups=96"),
    convolution(32, 14, 32, 3, ", padding=1"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="KERNELS")
    parser.add_argument("--target", default="native")
    parser.add_argument("--time", action="store_true")
    options = parser.parse_args()
    if not options.time:
        for i, spec in enumerate(SPECS):
            make(spec, options.folders[0] / str(i), options.target)
        return
    ratios = [ratio for i in range(len(SPECS)) if (ratio := compared(i, *options.folders)) is not None]
    print(
        f"{len(ratios)} of {len(SPECS)} differ: mean {statistics.geometric_mean(ratios):.3f}, least {min(ratios):.3f}"
    )


def make(spec: str, folder: Path, target: str) -> None:
    program = gt.synthesize(spec, target_named(target), 1, table="none")
    folder.parent.mkdir(parents=True, exist_ok=True)
    program.compile().save(folder)
    (folder / "program.txt").write_text(str(program))
    print(spec, round(program.cost), flush=True)


def compared(i: int, old: Path, new: Path) -> float | None:
    """The old program's time over the new one's, the median of the turns; None where they are one."""
    if (old / str(i) / "program.txt").read_text() == (new / str(i) / "program.txt").read_text():
        return None
    kernels = [load(folder / str(i)) for folder in (old, new)]
    rng, spec = np.random.default_rng(0), gt.parse(SPECS[i])
    arrays = [drawn(rng, x.shape, x.dtype) for x in spec.inputs]
    results = [kernel(*arrays) for kernel in kernels]
    assert np.array_equal(*results), SPECS[i]
    runs = [kernel.bind(*arrays, out=result) for kernel, result in zip(kernels, results)]
    seconds = seconds_in_turns({"old": runs[0], "new": runs[1]})
    ratio = statistics.median(o / n for o, n in zip(*seconds.values()))
    print(f"{SPECS[i]}: {min(seconds['new']) * 1e6:.1f} us, {ratio:.3f}", flush=True)
    return ratio


def drawn(rng: np.random.Generator, shape: tuple[int, ...], name: str) -> np.ndarray:
    """Bytes of all values; scales that leave results in the range of a byte."""
    if name == "f32":
        return (rng.random(shape) * 0.01 + 0.001).astype(np.float32)
    kind = {"u8": np.uint8, "s8": np.int8}[name]
    return rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, kind, endpoint=True)


if __name__ == "__main__":
    main()
