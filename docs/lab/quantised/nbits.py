"""One row by 4096x4096 weights of 4 bits in groups of 32, f32 scales: griotte by each kind of activations,
onnxruntime's MatMulNBits by each accuracy level, and a plain sum over as many bytes; in turns, each call on the next of
some copies, so that weights come from memory.

    PYTHONPATH=benchmarks python docs/lab/quantised/nbits.py [--threads 1] [--rounds 15] [--copies 8] [--table FILE]

With a table the second run searches nothing. onnxruntime's level 1 is f32, level 4 takes activations as s8.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable
from typing import Any

import griotte as gt
import numpy as np
import onnxruntime
from griotte.lang.meaning.agreement import compare, tolerance
from griotte.lang.meaning.samples import random_arrays
from griotte.machine import resolve
from griotte.runtime.timing import read_bandwidth
from onnx import TensorProto, helper
from speed import turns

N, GROUPS, SIZE = 4096, 128, 32
SPEC = "group_matmul(f32[1,4096], const s4[4096,128,32], const f32[4096,128]{more})"
OURS = {"f32": "", "s24": ", activations=s24", "s8": ", activations=s8"}
LEVELS = {"onnxruntime, f32": 1, "onnxruntime, s8": 4}


def ours(more: str, threads: int, copies: int, table: str) -> Callable[[], Any]:
    """Calls of one program on copies of its weights in turn, once its result is right."""
    spec = gt.parse(SPEC.format(more=more))
    program = gt.synthesize(spec, threads=threads, table=table)
    arrays = random_arrays(spec, np.random.default_rng(0))
    out = program.compile()(*arrays)
    if complaint := compare(spec, arrays, out, tolerance(spec, arrays))[2]:
        raise ArithmeticError(complaint)
    bound = [program.compile().bind(*(a.copy(order="K") for a in arrays), out=out) for _ in range(copies)]
    return cycled(bound)


def theirs(level: int, threads: int, copies: int) -> Callable[[], Any]:
    """Calls of sessions in turn, each with weights of its own."""
    random, found = np.random.default_rng(0), []
    for _ in range(copies):
        packed = random.integers(0, 256, (N, GROUPS, SIZE // 2), np.uint8)
        scales = random.random((N * GROUPS,), np.float32)
        initializers = [
            helper.make_tensor("w", TensorProto.UINT8, packed.shape, packed.tobytes(), raw=True),
            helper.make_tensor("s", TensorProto.FLOAT, scales.shape, scales.tobytes(), raw=True),
        ]
        named = {"K": GROUPS * SIZE, "N": N, "bits": 4, "block_size": SIZE, "accuracy_level": level}
        node = helper.make_node("MatMulNBits", ["x", "w", "s"], ["y"], domain="com.microsoft", **named)
        x, y = (
            helper.make_tensor_value_info(n, TensorProto.FLOAT, [1, k]) for n, k in (("x", GROUPS * SIZE), ("y", N))
        )
        graph = helper.make_graph([node], "product", [x], [y], initializers)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        model = helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        binding = session.io_binding()
        row = random.random((1, GROUPS * SIZE), np.float32)
        binding.bind_cpu_input("x", row)
        binding.bind_output("y")
        found.append(lambda session=session, binding=binding: session.run_with_iobinding(binding))
    return cycled(found)


def cycled(calls: list[Callable[[], Any]]) -> Callable[[], Any]:
    """The next of these at each call."""
    each = itertools.cycle(calls)
    return lambda: next(each)()  # noqa: PLW0108 - each call takes the next


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--copies", type=int, default=8)
    parser.add_argument("--table", default="none")
    parser.add_argument("--prepare", action="store_true", help="search and compile alone")
    asked = parser.parse_args()
    calls = {name: ours(more, asked.threads, asked.copies, asked.table) for name, more in OURS.items()}
    if asked.prepare:
        return
    calls |= {name: theirs(level, asked.threads, asked.copies) for name, level in LEVELS.items()}
    read = N * GROUPS * (SIZE // 2 + 4)
    probe = read_bandwidth(asked.copies * read, resolve("native"), asked.threads)
    work = dict.fromkeys(calls, read)
    found = turns(calls | {"read": probe}, asked.rounds, asked.threads, work=work | {"read": probe.work})
    for name, us in found["median_us"].items():
        of = read if name != "read" else probe.work
        print(f"{name}: {us * read / of:.0f} us, {of / us / 1e3:.1f} GB/s", flush=True)


if __name__ == "__main__":
    main()
