"""Attention of the last queries, of a decoding step one, against a cache of up to so many keys, beside the kernel of each number of them: what a dynamic size costs a call. Several queries are causal.

    python benchmarks/decode.py [--heads 8] [--queries 1] [--most 512] [--seconds 3]
"""

from __future__ import annotations

import argparse
import time

import griotte as gt
import numpy as np
from griotte.runtime import timing

WIDTH, PAGE = 64, 4096


def on_a_page(*shape: int) -> np.ndarray:
    """Normal numbers that begin on a page, so that both kernels read arrays that begin alike."""
    count = 4 * int(np.prod(shape))
    raw = np.empty(count + PAGE, np.uint8)
    start = -raw.ctypes.data % PAGE
    array = raw[start : start + count].view(np.float32).reshape(shape)
    array[...] = np.random.default_rng(0).standard_normal(shape)
    return array


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--queries", type=int, default=1)
    parser.add_argument("--most", type=int, default=512)
    parser.add_argument("--seconds", type=float, default=3.0)
    asked = parser.parse_args()
    heads, queries, most = asked.heads, asked.queries, asked.most
    text = f"attention(f32[{heads},{queries},{WIDTH}], f32[{heads},{{n}},{WIDTH}], f32[{heads},{{n}},{WIDTH}], causal=true)"
    q, k, v = on_a_page(heads, queries, WIDTH), on_a_page(heads, most, WIDTH), on_a_page(heads, most, WIDTH)
    started = time.perf_counter()
    program = gt.synthesize(text.format(n=f"<={most}"))
    found = time.perf_counter() - started
    dynamic = program.compile()
    print(f"{program.spec}   {len(program.groups)} groups, found in {found:.1f} s, {len(program.to_c()) / 1e3:.0f} kB of C", flush=True)
    for n in (*(n for n in (1, 16, 100, 300) if n < most), most):
        one = gt.synthesize(text.format(n=n))
        keys, values = (k, v) if n == most else (on_a_page(heads, n, WIDTH), on_a_page(heads, n, WIDTH))
        keys[...], values[...] = k[:, :n], v[:, :n]
        out, other = np.empty_like(q), np.empty_like(q)
        calls = {"dynamic": dynamic.bind(q, k[:, :n], v[:, :n], out=out), "fixed": one.compile().bind(q, keys, values, out=other)}
        times = timing.interleaved(calls, asked.seconds)
        assert np.allclose(out, other, atol=1e-5)
        took = {name: f"{t.median_us:.3f} us median, {t.min_us:.3f} least" for name, t in times.items()}
        print(f"{n:5} keys   dynamic {took['dynamic']}   fixed {took['fixed']}   ratio of medians {times['dynamic'].median_us / times['fixed'].median_us:.2f}, of costs {program.at(n).cost / one.cost:.3f}", flush=True)


if __name__ == "__main__":
    main()
