"""Which parameters move decisions: what programs lose that are chosen with one parameter at its value of the nearest
known machine, and all others as they were measured.

    python docs/lab/asked/moves.py MEASURED.toml [SPEC@THREADS ..]

MEASURED is a file of `griotte calibrate`. The loss is by the prices of MEASURED, so nothing is timed: of each Spec the
price of the program that is chosen with the one parameter unmeasured, over that of the one that is chosen with all.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import griotte as gt
from griotte.engine.search.recorded import Misfit, written
from griotte.lang.text.text import parse
from griotte.machine import Target, resolve
from griotte.machine.machine import DEFAULTS, applied
from griotte.support.errors import GriotteError
from griotte.tools.learn.drafts import SpecSpace

SPECS = (
    "matmul(f32[4,1024], f32[1024,1024])@1",
    "matmul(f32[1,2048], f32[2048,2048]{0,1})@1",
    "matmul(f32[16,1999], f32[1999,768])@1",
    "attention(f32[4,1,128], f32[4,777,128], f32[4,777,128])@1",
    "matmul(f32[256,256], f32[256,256])@1",
    "transpose(f32[700,900])@1",
    "sum(f32[1000,500], axis=0)@1",
    "add(f32[2000,2000], f32[2000])@1",
    "matmul(f32[12,128,64], f32[12,64,128])@1",
    "matmul(f32[384,384], f32[384,384])@2",
    "layer_norm(f32[128,768], f32[768], f32[768])@1",
    "softmax(f32[256,1000])@1",
    "conv2d(f32[1,32,30,30], f32[64,32,3,3])@1",
    "relu(add(matmul(f32[256,512], f32[512,256]), f32[256]))@1",
    "add(exp(f32[512,1024]), f32[1024])@2",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("measured", type=Path)
    parser.add_argument("specs", nargs="*", default=SPECS, metavar="SPEC@THREADS")
    asked = parser.parse_args()
    target = replace(resolve(asked.measured), leaves=None)
    given = tomllib.loads(asked.measured.read_text())["machine"]
    others = {name: without(target, given, name) for name in given}
    lost: dict[str, list[float]] = {name: [] for name in given}
    for spec in asked.specs:
        for name, ratio in losses(spec, target, others).items():
            lost[name].append(ratio)
        told = {name: round(of[-1], 3) for name, of in lost.items() if of and of[-1] != 1}
        print(spec, told, flush=True)
    print(f"\n{'parameter':16}{'measured':>10}{'default':>10}{'mean loss':>11}{'most':>8}{'moved':>7}")
    for name in sorted(given, key=lambda name: -sum(lost[name])):
        of = lost[name] or [1.0]
        moved = sum(ratio != 1 for ratio in of)
        print(
            f"{name:16}{given[name]:10.3f}{DEFAULTS[name]:10.3f}{sum(of) / len(of) - 1:10.2%}{max(of):8.2f}"
            f"{moved:4} of {len(of)}"
        )


def without(target: Target, given: Mapping[str, float], name: str) -> Target:
    """The target as if this parameter had not been measured."""
    return applied(target, {**given, name: DEFAULTS[name]}, {})


def losses(goal: str, target: Target, others: Mapping[str, Target]) -> dict[str, float]:
    text, _, threads = goal.rpartition("@")
    found: dict[str, float] = {}
    try:
        space = SpecSpace(parse(text), target, int(threads))
        best = gt.synthesize(text, target=target, threads=int(threads), table="none").cost
    except GriotteError as error:
        print(f"{goal}: {error}", file=sys.stderr)
        return found
    for name, other in others.items():
        try:
            chosen = gt.synthesize(text, target=other, threads=int(threads), table="none")
            found[name] = space.rebuilt(written(chosen.root)).cost / best
        except (Misfit, GriotteError) as error:
            print(f"{goal}, {name}: {error}", file=sys.stderr)
    return found


if __name__ == "__main__":
    main()
