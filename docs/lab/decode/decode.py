"""A kernel of a dynamic size beside the kernel of each size: what a dynamic size costs a call. As it is: attention of
the last queries, of a decoding step one, against a cache of up to so many keys.

    python docs/lab/decode/decode.py [--heads 8] [--queries 1] [--most 512] [--seconds 3]
    python docs/lab/decode/decode.py --spec "layer_norm(f32[64,{n}], f32[{n}], f32[{n}])"

Several queries are causal. In another Spec {n} stands for the size.
"""

from __future__ import annotations

import argparse
import time

import griotte as gt
import numpy as np
from griotte.lang.types.dtypes import DTYPES
from griotte.runtime import timing

WIDTH, PAGE = 64, 4096


def on_a_page(tensor) -> np.ndarray:
    """Normal numbers that begin on a page, so that both kernels read arrays that begin alike."""
    raw = np.empty(tensor.bytes + PAGE, np.uint8)
    start = -raw.ctypes.data % PAGE
    array = raw[start : start + tensor.bytes].view(DTYPES[tensor.dtype].numpy).reshape(tensor.shape)
    array[...] = np.random.default_rng(0).standard_normal(tensor.shape)
    return array


def first(array: np.ndarray, tensor, n: int) -> np.ndarray:
    """The first n along the dynamic axes of an array of the bound."""
    return array[tuple(slice(n) if axis in tensor.dynamic_axes else slice(None) for axis in range(tensor.rank))]


def compared(text: str, spec, dynamic, whole: list[np.ndarray], n: int, seconds: float) -> tuple[dict, float]:
    """The times of both kernels at size n, in turns, and the price of the one of that size."""
    one = gt.synthesize(text.format(n=n))
    parts = [first(array, tensor, n) for array, tensor in zip(whole, (*spec.inputs, spec.output))]
    dense = [on_a_page(tensor) for tensor in (*one.spec.inputs, one.spec.output)]
    for array, part in zip(dense, parts):
        array[...] = part
    times = timing.interleaved(
        {"dynamic": dynamic.bind(*parts[:-1], out=parts[-1]), "fixed": one.compile().bind(*dense[:-1], out=dense[-1])},
        seconds,
    )
    assert np.allclose(parts[-1], dense[-1], atol=1e-5 * max(1.0, float(np.abs(dense[-1]).max())))
    return times, one.cost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--queries", type=int, default=1)
    parser.add_argument("--most", type=int, default=512)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--spec")
    asked = parser.parse_args()
    keys = f"f32[{asked.heads},{{n}},{WIDTH}]"
    text = asked.spec or f"attention(f32[{asked.heads},{asked.queries},{WIDTH}], {keys}, {keys}, causal=true)"
    started = time.process_time()
    program = gt.synthesize(text.format(n=f"<={asked.most}"))
    spent, spec = time.process_time() - started, program.spec
    dynamic, whole = program.compile(), [on_a_page(tensor) for tensor in (*spec.inputs, spec.output)]
    print(
        f"{spec}   {len(program.groups)} groups, {spent:.1f} s of a core to find them, {len(program.to_c()) / 1e3:.0f}"
        " kB of C",
        flush=True,
    )
    for n in (*(n for n in (1, 16, 100, 300) if n < asked.most), asked.most):
        times, cost = compared(text, spec, dynamic, whole, n, asked.seconds)
        took = {name: f"{t.median_us:.3f} us median, {t.min_us:.3f} least" for name, t in times.items()}
        ratio = times["dynamic"].median_us / times["fixed"].median_us
        print(
            f"{n:5}   dynamic {took['dynamic']}   fixed {took['fixed']}   ratio of medians {ratio:.2f}, of costs"
            f" {program.at(n).cost / cost:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
