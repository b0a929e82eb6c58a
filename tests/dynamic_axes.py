"""Specs of three and four axes of which one or two have the dynamic size: each has a program on every target, and a
right one.

    python -m dynamic_axes --target avx2 portable --every 7 --only transpose     from this folder: what came of each
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import combinations

import griotte as gt
from griotte.engine.canonical.canonical import canonical_form
from griotte.lang.calls.spec import Spec

BOUND = 5
FIXED = (6, 20, 3, 34)
"""Sizes of fixed axes, by place: under the lanes of a vector, and over them on every target."""
CALLS = {
    "copy": "copy({x})",
    "turned": "copy({x}) -> {x}{{{rows}}}",
    "map": "exp({x})",
    "beside": "add({x}, {x}{{{rows}}})",
    "of the last": "mul({x}, {last})",
    "of the first": "add({x}, {first})",
    "transpose": "transpose({x}, perm=({back}))",
    "swap": "transpose({x}, perm=({swap}))",
    "sum of the first": "sum({x}, axis=0)",
    "sum of the middle": "sum({x}, axis=1)",
    "sum of the last": "sum({x}, axis=-1)",
    "argmax": "argmax({x}, axis=1)",
    "softmax": "softmax({x}, axis=-1)",
    "softmax down": "softmax({x}, axis=1)",
    "norm": "rms_norm({x}, {last})",
    "product": "matmul({x}, {y})",
    "product and map": "relu(matmul({x}, {y}))",
    "product of columns": "matmul({x}, {y}{{{columns}}})",
}
CONVOLUTIONS = {
    "convolution": "conv2d(f32[{n},{c},6,7], f32[{o},{c},3,3], padding=1)",
    "convolution by pixels": "conv2d(f32[{n},{c},6,7]{{1,3,2,0}}, f32[{o},{c},3,3], stride=2)",
    "convolution and map": "relu(conv2d(f32[{n},{c},6,7], f32[{o},{c},1,1]))",
}


def texts() -> Iterator[tuple[str, str]]:
    """(name, text) of all calls, whether or not they may be of that dynamic size."""
    for rank in (3, 4):
        for open_axes in axes_of(rank):
            for name, call in CALLS.items():
                yield f"{name} {''.join('.<'[axis in open_axes] for axis in range(rank))}", _text(call, rank, open_axes)
    for open_axes in axes_of(3):
        n, c, o = (f"<={BOUND}" if axis in open_axes else str(FIXED[axis]) for axis in range(3))
        for name, call in CONVOLUTIONS.items():
            yield f"{name} {''.join('.<'[axis in open_axes] for axis in range(3))}", call.format(n=n, c=c, o=o)


def axes_of(rank: int) -> list[tuple[int, ...]]:
    """The axes that have the dynamic size: one or two."""
    return [axes for count in (1, 2) for axes in combinations(range(rank), count)]


def _text(call: str, rank: int, open_axes: Sequence[int]) -> str:
    sizes = [f"<={BOUND}" if axis in open_axes else str(FIXED[axis]) for axis in range(rank)]
    shape = lambda *parts: f"f32[{','.join(parts)}]"
    numbers = list(map(str, range(rank)))
    return call.format(
        x=shape(*sizes),
        y=shape(*sizes[:-2], sizes[-1], "9"),
        last=shape(sizes[-1]),
        first=shape(sizes[0], *["1"] * (rank - 1)),
        rows=",".join(numbers),
        back=",".join(reversed(numbers)),
        swap=",".join([*numbers[:-2], numbers[-1], numbers[-2]]),
        columns=",".join([numbers[-2], numbers[-1], *reversed(numbers[:-2])]),
    )


def specs(every: int = 1, only: str = "", first: int = 0) -> Iterator[tuple[str, Spec]]:
    """One of so many, from the first on, that may be of that dynamic size."""
    found = [(name, text) for name, text in texts() if re.search(only, name)]
    for name, text in found[first::every]:
        try:
            spec = gt.parse(text)
            canonical_form(spec)
        except gt.SpecError:
            continue
        yield name, spec


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", nargs="+", default=["portable", "neon", "avx2", "avx512"])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="", help="those in whose name this pattern is found")
    options = parser.parse_args()
    failed = 0
    for target in options.target:
        started, count = time.perf_counter(), 0
        for name, spec in specs(options.every, options.only):
            count += 1
            try:
                gt.synthesize(spec, target, table="none")
            except gt.NoProgramError as error:
                failed += 1
                print(f"{target:9} {name}: {spec}: {error}", flush=True)
        print(f"{target}: {count} Specs, {time.perf_counter() - started:.0f} s", flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
