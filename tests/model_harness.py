"""Runs the C of a whole model by itself, under sanitizers: a main() around it, each array in memory of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import launched
import numpy as np
import pytest
from features import skip_without
from generated_harness import SANITIZE, skip_without_sanitizers
from griotte.lang.types.dtypes import dtype
from griotte.lang.types.tensor import TensorType
from griotte.models.program import ModelProgram
from griotte.runtime.compilers import find_compiler
from headers import precompiled

FLAGS = ("-O1", "-g0", "-std=gnu11", "-D_GNU_SOURCE")
MEMORY, THREADS = (*SANITIZE, "-D_Thread_local="), ("-fsanitize=thread", "-pthread")
"""What is looked for: accesses beyond an array (static, one has red zones); accesses of two threads at once."""
MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "kernel.c"

static void *held(const char *name, size_t bytes)
{
    void *data; /* its end is that of the array */
    if (posix_memalign(&data, 64, bytes)) exit(3);
    FILE *file = name ? fopen(name, "rb") : NULL;
    if (file && (fread(data, 1, bytes, file) != bytes || fclose(file))) exit(2);
    return data;
}

int main(void)
{
    char *weights = held(NULL, WEIGHTS);
    FILE *out = fopen("out", "wb");
"""


def ran(
    program: ModelProgram, arrays: Sequence[np.ndarray], folder: Path, sanitize: tuple[str, ...] = MEMORY
) -> list[np.ndarray]:
    """What the C of a model gives, in a program of its own, under sanitizers."""
    skip_without(program.target.features)
    skip_without_sanitizers()
    unit = program._unit
    size = unit.packs[0].bytes
    (folder / "kernel.c").write_text(unit.source)
    lines = [MAIN]
    for n, (value, array) in enumerate(zip(program.constants, program.arrays())):
        lines.append(f"{unit.function}_pack({n}, {_held(folder, f'w{n}', value.type, array)}, weights);")
    inputs = [
        _held(folder, f"x{n}", value.type, array) for n, (value, array) in enumerate(zip(program.graph.inputs, arrays))
    ]
    results = [value.type for _, value in program.graph.results]
    lines += [f"void *y{n} = held(NULL, {type.bytes});" for n, type in enumerate(results)]
    given = ", ".join((*inputs, *(f"y{n}" for n in range(len(results)))))
    calls = f"for (int n = 0; n < {50 if sanitize == THREADS else 1}; n++)"  # a thread that wakes late has no share
    lines.append(f"{calls} {unit.function}(weights, {given});")
    lines += [f"fwrite(y{n}, 1, {type.bytes}, out);" for n, type in enumerate(results)]
    (folder / "all.c").write_text("\n".join([*lines, "return fclose(out);", "}"]))
    compiler = find_compiler()
    flags = (*FLAGS, *sanitize, *program.target.flags)
    flags += (*precompiled(compiler, flags, unit.source), f"-DWEIGHTS={max(1, size)}")
    for command in ([*compiler.command, *flags, "all.c", "-o", "all", "-lm"], [*launched.BEFORE, "./all"]):
        environment = os.environ | {"ASAN_OPTIONS": "detect_leaks=0"}
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, timeout=300)
        if sanitize == THREADS and ("FATAL: ThreadSanitizer" in done.stderr or "cannot find" in done.stderr):
            pytest.skip(f"expected a sanitizer of threads, found {done.stderr[-200:]}")
        assert done.returncode == 0, done.stderr[-3000:]
    content, ends = (folder / "out").read_bytes(), np.cumsum([type.bytes for type in results])
    return [_array(content[end - type.bytes : end], type) for type, end in zip(results, ends)]


def _held(folder: Path, name: str, type: TensorType, array: np.ndarray) -> str:
    """C for an array that is kept in a file."""
    (folder / name).write_bytes(array.transpose(type.minor_to_major[::-1]).tobytes())
    return f'held("{name}", {type.bytes})'


def _array(content: bytes, type: TensorType) -> np.ndarray:
    slowest_first = type.minor_to_major[::-1]
    ordered = np.frombuffer(content, dtype(type.dtype).numpy).reshape([type.shape[a] for a in slowest_first])
    return ordered.transpose(np.argsort(slowest_first).astype(int))
