"""Recurrences beside onnxruntime: right, and timed.

    python benchmarks/recurrences.py [NAME ..] [--steps 100] [--calls 15] [--cache FOLDER] [--json FILE]

NAME is like lstm_512_b8, gru_256_b1, lstm_512_b1_two (directions) or lstm_256_b1_x2 (layers on top of each other);
without one LSTMs of 256 and 512, batch 1 and 8, one direction and two, and the same GRUs. Inputs are as wide as the
state, weights are constants. One thread, whose CPU time is told, so that it does not count where others run instead;
what they leave in the caches hits both, for calls of the two alternate. The ratio is of their medians, theirs over
ours, and beside it that of the quickest calls. It needs onnx and onnxruntime.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from models import by_onnxruntime, off

GATES = {"lstm": 4, "gru": 3, "rnn": 1}
ALL = [
    f"{kind}_{size}_b{batch}{two}"
    for kind, size, batch, two in product(["lstm", "gru"], [256, 512], [1, 8], ["", "_two"])
]


def made(name: str, steps: int) -> Any:
    """The ONNX model of a name."""
    import onnx
    from onnx import helper, numpy_helper

    found = re.fullmatch(r"(lstm|gru|rnn)_(\d+)_b(\d+)(_two)?(?:_x(\d+))?", name)
    if found is None:
        raise SystemExit(f"expected a name like lstm_512_b8_two_x2, found {name}")
    kind, size, batch, layers = found[1], int(found[2]), int(found[3]), int(found[5] or 1)
    ways, rng = 1 + bool(found[4]), np.random.default_rng(0)
    draw = lambda *shape: (rng.uniform(-1, 1, shape) / np.sqrt(size)).astype(np.float32)
    nodes, known, last, width = [], {}, "x", size
    for n in range(layers):
        shapes = {"w": (GATES[kind] * size, width), "r": (GATES[kind] * size, size), "b": (2 * GATES[kind] * size,)}
        known |= {f"{key}{n}": draw(ways, *shape) for key, shape in shapes.items()}
        if n:
            nodes += [
                helper.make_node("Transpose", [last], [f"t{n}"], perm=[0, 2, 1, 3]),
                helper.make_node("Reshape", [f"t{n}", f"shape{n}"], [f"x{n}"]),
            ]
            known[f"shape{n}"] = np.array([steps, batch, width])
            last = f"x{n}"
        more = {"direction": "bidirectional" if ways == 2 else "forward", "hidden_size": size}
        more |= {"linear_before_reset": 1} if kind == "gru" else {}
        nodes.append(helper.make_node(kind.upper(), [last, f"w{n}", f"r{n}", f"b{n}"], [f"y{n}"], **more))
        last, width = f"y{n}", ways * size
    typed = lambda name, shape: helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
    tensors = [numpy_helper.from_array(array, key) for key, array in known.items()]
    outputs = [typed(last, (steps, ways, batch, size))]
    graph = helper.make_graph(nodes, name, [typed("x", (steps, batch, size))], outputs, tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    return model


def alternated(calls: list[Any], count: int) -> list[list[float]]:
    """Seconds of CPU of so many calls of each, in turns."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(count + 2):
        for call, own in zip(calls, times):
            started = time.thread_time()
            call()
            own.append(time.thread_time() - started)
    return [own[2:] for own in times]


def timed(name: str, steps: int, count: int) -> dict[str, Any]:
    """One recurrence: how long it takes to find, how far off it is, and milliseconds of both."""
    import griotte as gt
    import onnx

    proto = made(name, steps)
    started = time.perf_counter()
    kernel = gt.compile(gt.from_onnx(proto))
    found = time.perf_counter() - started
    shape = tuple(d.dim_value for d in proto.graph.input[0].type.tensor_type.shape.dim)
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        onnx.save(proto, path)
        theirs = by_onnxruntime(path, 1, {"x": x})
    ours, theirs_s = alternated([kernel.bind(x), theirs], count)
    ms = {who: [statistics.median(s) * 1e3, min(s) * 1e3] for who, s in (("griotte", ours), ("onnxruntime", theirs_s))}
    ratios = [their / our for our, their in zip(ms["griotte"], ms["onnxruntime"])]
    return {"found_s": found, "off": off(kernel(x), theirs()), "ms": ms, "ratio": ratios[0], "of_quickest": ratios[1]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--calls", type=int, default=15)
    parser.add_argument("--cache", help="a folder that keeps what is found")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.cache:
        os.environ["GRIOTTE_CACHE"] = options.cache
    print(f"{options.steps} steps, 1 thread\n{'':<20}found s      off  griotte ms  onnxruntime ms  ratio  of quickest")
    told = {}
    for name in options.names or ALL:
        told[name] = row = timed(name, options.steps, options.calls)
        ours, theirs = row["ms"]["griotte"][0], row["ms"]["onnxruntime"][0]
        print(
            f"{name:<20}{row['found_s']:>7.1f}{row['off']:>9.1e}{ours:>12.3f}{theirs:>16.3f}{row['ratio']:>7.2f}"
            f"{row['of_quickest']:>13.2f}",
            flush=True,
        )
        if options.json:
            options.json.write_text(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
