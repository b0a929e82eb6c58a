"""Attention of a prompt to itself, of any length up to so many tokens, beside the kernel of each length: what a dynamic size of two dimensions costs a call.

    python benchmarks/prompt.py [--heads 12] [--most 512] [--causal] [--seconds 3] [--kept DIR]

Kernels that are in DIR, by the names that it gives them there, are not found anew.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import griotte as gt
import numpy as np
from decode import on_a_page
from griotte.runtime import load, timing

WIDTH, LENGTHS = 64, (1, 16, 100, 128, 300)


def kept(folder: Path, name: str, text: str):
    """The kernel of a Spec, from a folder where it is there, else found and put there."""
    if not (folder / name).exists():
        gt.compile(text, table="none").save(folder / name)
    return load(folder / name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heads", type=int, default=12)
    parser.add_argument("--most", type=int, default=512)
    parser.add_argument("--causal", action="store_true")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--lengths", type=int, nargs="*")
    parser.add_argument("--kept", type=Path, default=Path(tempfile.gettempdir()) / "prompts")
    asked = parser.parse_args()
    heads, most, folder = asked.heads, asked.most, asked.kept
    array = f"f32[{heads},{{n}},{WIDTH}]"
    text = f"attention({array}, {array}, {array}{', causal=true' * asked.causal})"
    name = f"{heads}-{{n}}{'-causal' * asked.causal}"
    whole = [on_a_page(heads, most, WIDTH) for _ in range(4)]
    dynamic = kept(folder, name.format(n=f"to-{most}"), text.format(n=f"<={most}"))
    for n in asked.lengths or (*(n for n in LENGTHS if n < most), most):
        own = [on_a_page(heads, n, WIDTH) for _ in range(4)]
        for mine, theirs in zip(own, whole):
            mine[...] = theirs[:, :n]
        *inputs, out = (a[:, :n] for a in whole)
        calls = {"dynamic": dynamic.bind(*inputs, out=out), "fixed": kept(folder, name.format(n=n), text.format(n=n)).bind(*own[:3], out=own[3])}
        times = timing.interleaved(calls, asked.seconds)
        assert np.allclose(out, own[3], atol=1e-4)
        took = {which: f"{t.median_us:.1f} us median, {t.min_us:.1f} least" for which, t in times.items()}
        print(f"{n:5} tokens   dynamic {took['dynamic']}   fixed {took['fixed']}   ratio of medians {times['dynamic'].median_us / times['fixed'].median_us:.3f}, of least {times['dynamic'].min_us / times['fixed'].min_us:.3f}", flush=True)


if __name__ == "__main__":
    main()
