"""Slots of functions on Arm: what a program computes for each vector of four f32, loads, stores and addresses aside,
counted by QEMU's emulator (count.c).

    python docs/lab/arm/functions.py [--only exp log]

As on a Neoverse N1 (its Software Optimization Guide, ASIMD floating-point instructions; LLVM's scheduling model of it)
a division or a root keeps one of the two ports for 7 cycles, and a conversion, a rounding or a product of integers for
two: in `slots` they count for these cycles, times two ports.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

import griotte as gt
from griotte.lang.functions import FUNCTIONS

CC, EMULATOR, ROOT = "aarch64-linux-gnu-gcc", "qemu-aarch64", "/usr/aarch64-linux-gnu"
FLAGS = ("-O3", "-std=gnu11", "-ffp-contract=fast", "-static")
LENGTH, LANES, BUSY = 4096, 4, 7
FROM = {"asin": -1.0, "acos": -1.0, "log": 0.01, "sqrt": 0.01, "rsqrt": 0.01, "power": 0.01}
TO = {"asin": 1.0, "acos": 1.0}
CALLS = {"gelu_tanh": f"gelu(f32[{LENGTH}], approximate=tanh)"}
"""Functions that are called by another name."""

MAIN = """
#include <stdio.h>
#include <stdlib.h>
extern void {function}({takes});
static float a[{length}], b[{length}], y[{length}];
int main(int count, char **words)
{{
    for (int i = 0; i < {length}; i++)
        a[i] = {low}f + ({high}f - {low}f) * (float)i / {length}, b[i] = 0.5f + (float)(i % 7) / 4;
    for (int i = atoi(words[count - 1]); i--;) {function}(a, {second}y);
    return 0;
}}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[])
    names = parser.parse_args().only or [n for n, f in FUNCTIONS.items() if not f.integers_only]
    names = [name for name in names if name in CALLS or name not in ("as", "lt", "le", "eq", "where", "weigh")]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        run("gcc", "-O2", "-shared", "-fPIC", str(Path(__file__).with_name("count.c")), "-o", str(folder / "count.so"))
        print(f"{'function':12} {'computed':>8} {'divided':>8} {'single':>8} {'slots':>6}")
        for name in names:
            print(row(name, folder))


def row(name: str, folder: Path) -> str:
    function = FUNCTIONS[name]
    count = len(function.arguments)
    call = CALLS.get(name, f"{name}({', '.join([f'f32[{LENGTH}]'] * count)})")
    kernel = gt.synthesize(call, "neon", table="none")
    source = kernel.to_c()
    (symbol,) = re.findall(r"^void (griotte_\w+)\(const float \*x0", source, re.M)
    driver = MAIN.format(
        function=symbol,
        takes="const float *, " * count + "float *",
        second="b, " * (count - 1),
        length=LENGTH,
        low=FROM.get(name, -4.0),
        high=TO.get(name, 4.0),
    )
    (folder / "kernel.c").write_text(source)
    (folder / "main.c").write_text(driver)
    program = str(folder / "program")
    run(CC, *FLAGS, str(folder / "main.c"), str(folder / "kernel.c"), "-lm", "-o", program)
    once, thrice = (counted(program, folder, calls) for calls in ("1", "3"))
    computed, divided, single = ((b - a) / 2 / (LENGTH / LANES) for a, b in zip(once, thrice))
    found = round(computed + (2 * BUSY - 1) * divided + 3 * single)
    return f"{name:12} {computed:8.2f} {divided:8.2f} {single:8.2f} {found:6}"


def counted(program: str, folder: Path, calls: str) -> list[int]:
    text = run(EMULATOR, "-L", ROOT, "-plugin", str(folder / "count.so"), "-d", "plugin", program, calls)
    return [int(re.findall(rf"{word} (\d+)", text)[0]) for word in ("computed", "divided", "single")]


def run(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True)
    assert not done.returncode, f"{' '.join(words)}\n{done.stderr}"
    return done.stdout + done.stderr


if __name__ == "__main__":
    main()
