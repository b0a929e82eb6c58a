"""What lies between the parts of a model: each part finds what was left to it, also where a result is left in the place
of what it is computed of."""

from __future__ import annotations

import os
import subprocess

import griotte as gt
import numpy as np
import pytest
from features import skip_without
from generated_harness import SANITIZE, skip_without_sanitizers
from griotte.models import reference
from griotte.models.graph import GraphBuilder, ModelGraph
from griotte.models.program import ModelProgram
from griotte.program.sequence import Sequence
from griotte.runtime.toolchain import find_compiler

FLAGS = ("-O1", "-g0", "-std=gnu11", "-D_GNU_SOURCE", "-D_Thread_local=")  # static, an array has red zones
MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "kernel.c"

static void *held(const char *name, size_t bytes)
{
    void *data = aligned_alloc(64, (bytes + 63) / 64 * 64);
    FILE *file = name ? fopen(name, "rb") : NULL;
    if (file && (fread(data, 1, bytes, file) != bytes || fclose(file))) exit(2);
    return data;
}

int main(void)
{
    char *weights = held(NULL, WEIGHTS);
    FILE *out = fopen("out", "wb");
"""


def graph(seed: int) -> ModelGraph:
    """Products and maps; what a map reads is mostly read by others before, or by a product later."""
    rng, b = np.random.default_rng(seed), GraphBuilder()
    values = [b.input(gt.tensor((12, 12)), "x")]
    for n in range(8):
        x, z = (values[i] for i in rng.integers(max(0, len(values) - 3), len(values), 2))
        weights = b.constant(rng.standard_normal((12, 12)).astype(np.float32) / 4)
        kind = ["matmul", "tanh", "mul", "transposed", "softmax", "cast"][rng.integers(6)] if n else "matmul"
        if kind == "matmul":
            values.append(b.call("matmul", x, weights))
        elif kind == "transposed":
            values.append(b.call("mul", x, b.call("transpose", z, perm=(1, 0))))
        elif kind == "cast":
            values.append(b.call("cast", b.call("cast", x, dtype="bf16"), dtype="f32"))
        else:
            values.append(b.call(kind, x, z) if kind == "mul" else b.call(kind, x))
    return b.graph({"y": b.call("sum", values[-1], axis=1), "z": b.call("relu", values[-2])})


def solved(seed: int, threads: int = 1) -> ModelProgram:
    return gt.synthesize(graph(seed), target="avx2", threads=threads, effort=1)


def walked(sequence: Sequence) -> None:
    """Programs one after the other, each byte with the tensor that it is of."""
    owner = np.full(sequence.workspace, -1)
    here = lambda t: slice(sequence.places[t], sequence.places[t] + sequence.types[t].bytes)
    for part in sequence.called:
        between = [t for t in map(sequence.source, part.reads) if t in sequence.places]
        assert all((owner[here(t)] == t).all() for t in between)
        for t in map(sequence.source, part.gives):
            if t in sequence.places:
                # of what it reads itself it leaves alone what is not in place
                assert all(part.spec.tensors[i].dtype == part.spec.output.dtype for i in sequence.in_place(part))
                kept = [r for r in between if not sequence.in_place(part) or here(r) != here(t)]
                owner[here(t)] = t
                assert all((owner[here(r)] == r).all() for r in kept)


@pytest.mark.parametrize("seed", range(12))
def test_each_part_finds_what_was_left_to_it(seed):
    program = solved(seed)
    sequence = program.sequence
    walked(sequence)
    held = program.held
    assert held["live_bytes"] <= held["workspace_bytes"] <= 1.2 * held["live_bytes"]
    assert (
        held["workspace_bytes"]
        <= held["intermediates_bytes"]
        == sum(-(-sequence.types[t].bytes // 64) * 64 for t in sequence.places)
    )


def test_results_take_the_place_of_what_they_are_computed_of(tmp_path):
    """The C is right under sanitizers, with results in place, and without where a transpose forbids it."""
    chosen = [seed for seed in range(12) if in_place(solved(seed))]
    assert len(chosen) >= 3, chosen
    for seed in chosen[:3]:
        program = solved(seed)
        x = np.random.default_rng(seed).standard_normal((12, 12)).astype(np.float32)
        found = ran(program, x, tmp_path)
        for mine, right in zip(found, reference.interpret(program.graph, x), strict=True):
            np.testing.assert_allclose(mine, right, rtol=2e-5, atol=2e-5)
        kernel = solved(seed, threads=2).compile()
        for mine, right in zip(found, kernel(x), strict=True):
            np.testing.assert_allclose(mine, right, rtol=2e-5, atol=2e-5)


def in_place(program: ModelProgram) -> list[int]:
    return [n for n, part in enumerate(program.sequence.called) if program.sequence.in_place(part)]


def ran(program: ModelProgram, x: np.ndarray, folder) -> list[np.ndarray]:
    """What the C of a model gives, in a program of its own, under sanitizers."""
    skip_without(program.target.features)
    skip_without_sanitizers()
    unit, size = program.written()
    (folder / "kernel.c").write_text(unit.source)
    lines = [MAIN]
    for n, array in enumerate(program.arrays()):
        (folder / f"{n}.in").write_bytes(np.ascontiguousarray(array).tobytes())
        lines.append(f'{unit.function}_pack({n}, held("{n}.in", {array.nbytes}), weights);')
    (folder / "x.in").write_bytes(x.tobytes())
    results = [value.type for _, value in program.graph.results]
    lines += [f"void *y{n} = held(NULL, {type.bytes});" for n, type in enumerate(results)]
    given = ", ".join(f"y{n}" for n in range(len(results)))
    lines.append(f'{unit.function}(weights, held("x.in", {x.nbytes}), {given});')
    lines += [f"fwrite(y{n}, 1, {type.bytes}, out);" for n, type in enumerate(results)]
    (folder / "all.c").write_text("\n".join([*lines, "return fclose(out);", "}"]))
    compiler = find_compiler()
    flags = (*FLAGS, f"-DWEIGHTS={max(1, size)}", *SANITIZE, *program.target.flags)
    for command in ([*compiler.command, *flags, "all.c", "-o", "all", "-lm"], ["./all"]):
        environment = os.environ | {"ASAN_OPTIONS": "detect_leaks=0"}
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, timeout=300)
        assert done.returncode == 0, done.stderr[-3000:]
    content, ends = (folder / "out").read_bytes(), np.cumsum([type.bytes for type in results])
    return [
        np.frombuffer(content[end - type.bytes : end], np.float32).reshape(type.shape)
        for type, end in zip(results, ends)
    ]
