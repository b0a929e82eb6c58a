"""What lies between the parts of a model: each part finds what was left to it, also where a result is left in the place
of what it is computed of."""

from __future__ import annotations

from functools import cache

import griotte as gt
import numpy as np
from griotte.engine.program.sequence import Sequence
from griotte.models import reference
from griotte.models.graph import GraphBuilder, ModelGraph
from griotte.models.program import ModelProgram
from model_harness import ran


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


@cache
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


def test_each_part_finds_what_was_left_to_it():
    for seed in range(12):
        program = solved(seed)
        sequence = program.sequence
        walked(sequence)
        held = program.held
        assert held["live_bytes"] <= held["workspace_bytes"] <= 1.2 * held["live_bytes"], seed
        assert (
            held["workspace_bytes"]
            <= held["intermediates_bytes"]
            == sum(-(-sequence.types[t].bytes // 64) * 64 for t in sequence.places)
        ), seed


def test_results_take_the_place_of_what_they_are_computed_of(tmp_path):
    """The C is right under sanitizers, with results in place, and without where a transpose forbids it."""
    chosen = [seed for seed in range(12) if in_place(solved(seed))]
    assert len(chosen) >= 3, chosen
    for seed in chosen[:3]:
        program = solved(seed)
        x = np.random.default_rng(seed).standard_normal((12, 12)).astype(np.float32)
        found = ran(program, (x,), tmp_path)
        for mine, right in zip(found, reference.interpret(program.graph, x), strict=True):
            np.testing.assert_allclose(mine, right, rtol=2e-5, atol=2e-5)
        kernel = solved(seed, threads=2).compile()
        for mine, right in zip(found, kernel(x), strict=True):
            np.testing.assert_allclose(mine, right, rtol=2e-5, atol=2e-5)


def in_place(program: ModelProgram) -> list[int]:
    return [n for n, part in enumerate(program.sequence.called) if program.sequence.in_place(part)]
