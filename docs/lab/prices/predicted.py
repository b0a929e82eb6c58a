"""Prices beside the clock, of Specs that no target was looked at with: each target's program of each Spec, predicted
and measured, and what each target's own choice takes beside the others' (README.md, Predicted).

    export PYTHONPATH=benchmarks
    python docs/lab/prices/predicted.py KEPT here.toml avx2     searches and compiles; keeps what it has in KEPT
    python docs/lab/prices/predicted.py KEPT --time             times all of it, in turns, and prints

Two steps, so that nothing but kernels runs while kernels are timed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from math import exp, log
from pathlib import Path

import numpy as np
from griotte.compiler.session import Session
from griotte.compiler.synthesis import searched
from griotte.lang.text.text import parse
from griotte.runtime.calibrate.timing import Stopwatch, arrays_of, opened, undisturbed
from griotte.runtime.toolchain import compile_shared
from griotte.tools.check import SPECS, tau
from priced import target_named

HELD_OUT = (
    ("matmul(f32[96,96], f32[96,96])", 1),
    ("matmul(f32[300,300], f32[300,300])", 1),
    ("matmul(f32[1000,400], f32[400,700])", 1),
    ("matmul(f32[8,2048], f32[2048,512])", 1),
    ("matmul(f32[2,1500], f32[1500,1500])", 1),
    ("matmul(f32[1,1024], f32[1024,1024])", 1),
    ("matmul(f32[1,4096], f32[4096,4096])", 1),
    ("matmul(f32[1,768], f32[768,3072]{0,1})", 1),
    ("exp(f32[64,300])", 1),
    ("exp(f32[2000,2000])", 1),
    ("tanh(f32[512,768])", 1),
    ("add(f32[300,300], f32[300])", 1),
    ("add(f32[1000,1000], f32[1000,1000])", 1),
    ("cast(f32[1000,1000]) -> bf16[1000,1000]", 1),
    ("transpose(f32[256,256])", 1),
    ("transpose(f32[2000,1500])", 1),
    ("sum(f32[197,768], axis=1)", 1),
    ("sum(f32[4000,2000], axis=1)", 1),
    ("sum(f32[777,768], axis=0)", 1),
    ("max(f32[3000,1000], axis=1)", 1),
    ("softmax(f32[197,1536], axis=-1)", 1),
    ("layer_norm(f32[512,768], f32[768], f32[768])", 1),
    ("conv2d(f32[1,64,28,28], f32[64,64,3,3])", 1),
    ("conv2d(f32[1,128,14,14], f32[256,128,1,1])", 1),
    ("attention(f32[1,32,1,128], f32[1,32,777,128], f32[1,32,777,128])", 1),
    ("attention(f32[1,12,1,64], f32[1,12,2048,64], f32[1,12,2048,64])", 1),
    ("matmul(f32[32,1,128], f32[32,128,777]{1,2,0})", 1),
    ("sum(mul(f32[32,777,128], f32[32,1,128]), axis=2)", 1),
    ("matmul(f32[768,768], f32[768,768])", 2),
    ("matmul(f32[1,2048], f32[2048,4096])", 2),
    ("exp(f32[512,512])", 2),
    ("add(f32[2000,1000], f32[1000])", 2),
    ("sum(f32[2000,2000], axis=1)", 2),
    ("softmax(f32[1000,1000], axis=-1)", 2),
)
"""Of the kinds of the check's twelve, in other sizes; what is made of them, as a decoder's step with strided keys; and
on two threads."""

SIDES = ((500, 500), (1000, 1000), (1500, 2000), (4000, 2000))
ROWS = ((1000, 100), (250, 400), (100, 1000), (8000, 100), (2000, 400), (800, 1000), (200, 4000), (1000, 500))
LONG_ROWS = ((50000, 100), (12000, 500), (8000, 1000), (2000, 4000))
KINDS = (
    *((f"add(f32[{m},{n}], f32[{n}])", t) for m, n in SIDES for t in (1, 2)),
    *((f"mul(f32[{m},{n}], f32[{m},{n}])", 1) for m, n in SIDES),
    *((f"relu(f32[{m},{n}])", t) for m, n in SIDES for t in (1, 2)),
    *((f"{f}(f32[{m},{n}])", t) for f in ("exp", "tanh") for m, n in SIDES[:3] for t in (1, 2)),
    *((f"{f}(f32[{m},{n}], axis=1)", 1) for f in ("sum", "max") for m, n in (*ROWS, *LONG_ROWS)),
    *((f"sum(f32[{m},{n}], axis=1)", 2) for m, n in ((2000, 400), (8000, 1000))),
    *((f"softmax(f32[{m},{n}], axis=-1)", 1) for m, n in (ROWS[1], ROWS[4], ROWS[5], LONG_ROWS[2])),
    *((f"mean(f32[{m},{n}], axis=0)", 1) for m, n in (ROWS[0], ROWS[5], LONG_ROWS[2])),
)
"""Maps and sums of one kind by sizes, from L2, L3 and memory: what lines cost, whatever the shape."""

TURNED = (
    *(
        (f"transpose(f32[{m},{n}])", 1)
        for m, n in ((120, 150), (200, 200), (300, 257), (500, 500), (700, 900), (900, 700))
    ),
    *((f"transpose(f32[{m},{n}])", 1) for m, n in ((1000, 1000), (2000, 1500), (3000, 2900))),
    *((f"transpose(f32[{m},{n}])", 1) for m, n in ((64, 3000), (3000, 60), (100, 6000), (6000, 100))),
    *((f"transpose({dtype}[700,900])", 1) for dtype in ("u8", "bf16", "f64")),
    ("transpose(f32[8,100,700], perm=(0,2,1))", 1),
)
"""Transposes by size and dtype."""

ROUNDS, GIVEN, SHORT = 7, 0.8, 1.25


def prepared(kept: Path, names: list[str], specs) -> None:
    """Each target's program of each Spec: its cost and its C; those that are there already are left."""
    found = json.loads(kept.read_text()) if kept.exists() else {}
    for name in names:
        target = target_named(name)
        of = found.setdefault(name, {})
        for text, threads in specs:
            if f"{text} @{threads}" in of:
                continue
            program = searched(parse(text), Session(target, threads, "none"))
            of[f"{text} @{threads}"] = {
                "cost": float(program.cost),
                "function": program.function,
                "c": program.to_c(),
                "flags": list(target.flags),
                "program": str(program),
            }
            compile_shared(program.to_c(), target.flags)
            kept.write_text(json.dumps(found))


def timed(kept: Path, specs, seconds: float) -> dict[str, dict[str, float]]:
    """Cycles of each program, those of a Spec in turns."""
    found, rng, watch, cycles = json.loads(kept.read_text()), np.random.default_rng(0), Stopwatch(), {}
    for text, threads in specs:
        key, spec = f"{text} @{threads}", parse(text)
        arrays, kernels = arrays_of(spec, rng), {}
        for name, of in found.items():
            if key in of:
                label = hashlib.sha256(of[key]["c"].encode()).hexdigest()
                kernels.setdefault(label, []).append(name)
        runs = {
            label: opened(
                compile_shared(found[names[0]][key]["c"], tuple(found[names[0]][key]["flags"])),
                found[names[0]][key]["function"],
                len(arrays),
            )
            for label, names in kernels.items()
        }
        rounds = [{label: min(watch.cycles(k, arrays) or [np.nan]) for label, k in runs.items()} for _ in range(ROUNDS)]
        for label, names in kernels.items():
            for name in names:
                cycles.setdefault(name, {})[key] = undisturbed((r[label] for r in rounds), 0.5)
    return cycles


def shown(kept: Path, cycles: dict[str, dict[str, float]], specs) -> None:
    """Of each Spec and target what was predicted over what was measured, and its time over the best target's."""
    found, names = json.loads(kept.read_text()), list(cycles)
    keys = [f"{text} @{threads}" for text, threads in specs]
    print(f"{'':72}" + "".join(f"{Path(n).stem:>28}" for n in names))
    print(f"{'spec, threads':72}" + f"{'cycles':>12}{'ratio':>8}{'slower':>8}" * len(names))
    for key in keys:
        best = min(cycles[n].get(key, np.inf) for n in names)
        print(f"{key:72}", end="")
        for n in names:
            took, cost = cycles[n].get(key, np.nan), found[n].get(key, {}).get("cost", np.nan)
            print(f"{took:12.0f}{cost / took:8.2f}{took / best:8.2f}", end="")
        print()
    for n in names:
        known = [k for k in keys if k in cycles[n] and not np.isnan(cycles[n][k])]
        ratios = [found[n][k]["cost"] / cycles[n][k] for k in known]
        order = tau([found[n][k]["cost"] for k in known], [cycles[n][k] for k in known])
        slower = [cycles[n][k] / min(cycles[m].get(k, np.inf) for m in names) for k in known]
        print(
            f"{Path(n).stem}: {sum(GIVEN <= r <= SHORT for r in ratios)} of {len(ratios)} within {GIVEN} to {SHORT},"
            f" {min(ratios):.2f} to {max(ratios):.2f}, tau {order:.2f}; slower than the best target's program"
            f" {exp(sum(map(log, slower)) / len(slower)):.3f} times in the mean, {max(slower):.2f} at most"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kept", type=Path)
    parser.add_argument("targets", nargs="*", help="names or TOML files")
    parser.add_argument("--time", action="store_true")
    parser.add_argument("--only", default="", help="Specs that have this in their text")
    parser.add_argument("--set", choices=("check", "held", "kinds", "turned", "all"), default="all")
    given = parser.parse_args()
    of = {"check": SPECS, "held": HELD_OUT, "kinds": KINDS, "turned": TURNED, "all": (*SPECS, *HELD_OUT, *KINDS)}[
        given.set
    ]
    specs = [(text, threads) for text, threads in of if given.only in f"{text} @{threads}"]
    if given.targets:
        prepared(given.kept, given.targets, specs)
    if given.time:
        shown(given.kept, timed(given.kept, specs, 0), specs)


if __name__ == "__main__":
    main()
