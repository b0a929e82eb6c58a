"""Instructions that products take on Arm, griotte's beside OpenBLAS's: counted by QEMU's emulator (count.c).

OpenBLAS is Debian's for arm64, unpacked into a folder (it need not be installed):

    dpkg --add-architecture arm64 && apt-get update
    cd FOLDER && apt-get download libopenblas0-pthread:arm64 libgfortran5:arm64 libgcc-s1:arm64
    for f in *.deb; do dpkg -x "$f" .; done

    python docs/lab/arm/instructions.py FOLDER [--target TOML] [--keep OUT] [--only NAME]

Each count is of the second of two calls: what three calls take less what one takes, halved. One thread, and all that
either does to its inputs in a call, packing too.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import griotte as gt

CC, EMULATOR, ROOT = "aarch64-linux-gnu-gcc", "qemu-aarch64", "/usr/aarch64-linux-gnu"
FLAGS = ("-O3", "-std=gnu11", "-ffp-contract=fast")
CORES = ("NEOVERSEN1", "ARMV8")


class Case(NamedTuple):
    """A product of m x k and k x n as griotte is asked for it; `turned` where its first input is the weights."""

    spec: str
    m: int
    n: int
    k: int
    turned: bool = False


CASES = {
    "256^3": Case("matmul(f32[256,256], f32[256,256])", 256, 256, 256),
    "512^3": Case("matmul(f32[512,512], f32[512,512])", 512, 512, 512),
    "conv 1x1 64>64 56x56": Case("conv2d(f32[1,64,56,56], f32[64,64,1,1])", 64, 56 * 56, 64, True),
    "conv 1x1 256>64 56x56": Case("conv2d(f32[1,256,56,56], f32[64,256,1,1])", 64, 56 * 56, 256, True),
    "conv 1x1 512>256 14x14": Case("conv2d(f32[1,512,14,14], f32[256,512,1,1])", 256, 14 * 14, 512, True),
}

MAIN = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
extern void {function}(const float *, const float *, float *);
extern void cblas_sgemm(
    int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);
enum {{ M = {m}, N = {n}, K = {k} }};
static float a[M * K] __attribute__((aligned(64))), b[K * N] __attribute__((aligned(64))),
    y[M * N] __attribute__((aligned(64)));

int main(int count, char **words)
{{
    for (int i = 0; i < M * K; i++) a[i] = (float)(i % 13) - 6;
    for (int i = 0; i < K * N; i++) b[i] = (float)(i % 7) - 3;
    for (int i = count > 1 ? atoi(words[1]) : 1; i--;)
#ifdef BLAS
        cblas_sgemm(101, 111, 111, M, N, K, 1, a, K, b, N, 0, y, N);
#else
        {function}({first}, {second}, y);
#endif
    double sum = 0;
    for (int i = 0; i < M * N; i++) sum += y[i] * (i % 11);
    printf("sum %.17g\\n", sum);
    return 0;
}}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--target", default="neon")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    blas = next(given.folder.rglob("libopenblas*-r*.so")).resolve()
    with tempfile.TemporaryDirectory() as made:
        folder = given.keep or Path(made)
        folder.mkdir(exist_ok=True)
        plugin = folder / "count.so"
        run("gcc", "-O2", "-shared", "-fPIC", str(Path(__file__).with_name("count.c")), "-o", str(plugin))
        print(
            f"{'product':24} {'multiply-adds':>13} {'griotte':>10} " + " ".join(f"{core:>11} ratio" for core in CORES)
        )
        for name, case in CASES.items():
            if given.only in name:
                print(row(name, case, given.target, blas, folder, plugin))


def row(name: str, case: Case, target: str, blas: Path, folder: Path, plugin: Path) -> str:
    source, driver, program = (folder / f"{re.sub('[^a-z0-9]+', '_', name)}{end}" for end in (".c", "_main.c", ""))
    kernel = gt.synthesize(case.spec, target, table="none")
    source.write_text(kernel.to_c())
    (function,) = re.findall(
        r"^void (griotte_\w+)\(const float \*x0, const float \*x1, float \*y\)", source.read_text(), re.M
    )
    first, second = ("b", "a") if case.turned else ("a", "b")
    driver.write_text(MAIN.format(function=function, first=first, second=second, **case._asdict()))
    own, other = f"{program}_own", f"{program}_blas"
    run(CC, *FLAGS, str(driver), str(source), "-lm", "-o", own)
    run(CC, *FLAGS, "-DBLAS", str(driver), str(blas), "-Wl,--unresolved-symbols=ignore-all", "-lm", "-o", other)
    beside = libraries(blas)
    mine, result = counted(own, plugin, beside, CORES[0])
    text = f"{name:24} {case.m * case.n * case.k // 4:13,} {mine:10,} "
    for core in CORES:
        theirs, expected = counted(other, plugin, beside, core)
        assert abs(result - expected) <= 1e-6 * abs(expected), (result, expected)
        text += f" {theirs:11,} {mine / theirs:5.3f}"
    return text


def libraries(blas: Path) -> str:
    """Where the emulated program finds shared libraries: OpenBLAS's, and what it was unpacked with."""
    return f"{blas.parent}:{blas.parent.parent}:{ROOT}/lib"


def counted(program: str, plugin: Path, beside: str, core: str) -> tuple[int, float]:
    """(instructions of one more call, what its results add up to)."""
    found = []
    for calls in (1, 3):
        words = [EMULATOR, "-L", ROOT, "-plugin", str(plugin), "-d", "plugin"]
        for name, value in (("LD_LIBRARY_PATH", beside), ("OPENBLAS_CORETYPE", core), ("OPENBLAS_NUM_THREADS", "1")):
            words += ["-E", f"{name}={value}"]
        done = run(*words, program, str(calls))
        found.append(int(re.findall(r"instructions (\d+)", done)[0]))
    return (found[1] - found[0]) // 2, float(re.findall(r"sum (\S+)", done)[0])


def run(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ)
    assert not done.returncode, f"{' '.join(words)}\n{done.stderr}"
    return done.stdout + done.stderr


if __name__ == "__main__":
    main()
