"""Operators of ONNX one by one, at two ordinary sizes each, beside onnxruntime.

    python benchmarks/operators.py [NAME ..] [--threads 1,2] [--effort 1] [--json FILE]

Each is a model of one node: its result is compared with onnxruntime's, then both are timed in turns on the same data,
inputs and outputs bound ahead. A ratio is onnxruntime's median time over griotte's.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

TURNS, TURN_S = 7, 0.04
F32, S64 = np.float32, np.int64


@dataclass(frozen=True)
class Node:
    """An operator's node: inputs as shapes of random f32, or arrays that are constants."""

    operator: str
    inputs: tuple[Any, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    kind: Any = F32
    outputs: int = 1


def axes(*numbers: int) -> np.ndarray:
    return np.array(numbers, S64)


def sizes(operator: str, one: tuple, other: tuple, **attributes: Any) -> list[Node]:
    return [Node(operator, one, attributes), Node(operator, other, attributes)]


SMALL, LARGE = (8, 128, 256), (32, 256, 512)
IMAGE, WIDE = (1, 64, 56, 56), (1, 32, 112, 112)


def _scattered(rows: int, width: int, count: int) -> tuple:
    rng = np.random.default_rng(3)
    return (rows, width), rng.integers(0, rows, (count, 1)), (count, width)


def _elements(rows: int, width: int, count: int) -> tuple:
    rng = np.random.default_rng(3)
    return (rows, width), rng.integers(0, rows, (count, width)), (count, width)


NODES: dict[str, list[Node]] = {
    **{
        name: sizes(name, (SMALL,), (LARGE,))
        for name in "Floor Ceil Round Sign Sin Cos Tan Atan Sinh Asinh Erf".split()
    },
    "Pow": sizes("Pow", (SMALL, (256,)), (LARGE, (512,))),
    "Mod": sizes("Mod", (SMALL, (256,)), (LARGE, (512,)), fmod=1),
    "Less": sizes("Less", (SMALL, SMALL), (LARGE, LARGE)),
    "Where": [Node("Where", (np.random.default_rng(1).random(shape) < 0.5, shape, shape)) for shape in (SMALL, LARGE)],
    "ReduceProd": sizes("ReduceProd", (SMALL, axes(2)), (LARGE, axes(1))),
    "ReduceL2": sizes("ReduceL2", (SMALL, axes(2)), (LARGE, axes(1))),
    "ReduceLogSumExp": sizes("ReduceLogSumExp", (SMALL, axes(2)), (LARGE, axes(1))),
    "CumSum": sizes("CumSum", (SMALL, axes(2)), (LARGE, axes(2))),
    "Pad": sizes("Pad", (IMAGE, axes(0, 0, 3, 3, 0, 0, 3, 3)), (WIDE, axes(0, 0, 1, 1, 0, 0, 1, 1))),
    "Pad reflect": sizes(
        "Pad", (IMAGE, axes(0, 0, 3, 3, 0, 0, 3, 3)), (WIDE, axes(0, 0, 1, 1, 0, 0, 1, 1)), mode="reflect"
    ),
    "Resize nearest": sizes(
        "Resize",
        (IMAGE, None, np.array([1, 1, 2, 2], F32)),
        (WIDE, None, np.array([1, 1, 2, 2], F32)),
        mode="nearest",
        coordinate_transformation_mode="asymmetric",
        nearest_mode="floor",
    ),
    "Resize linear": sizes(
        "Resize",
        (IMAGE, None, np.array([1, 1, 2, 2], F32)),
        (WIDE, None, np.array([1, 1, 0.5, 0.5], F32)),
        mode="linear",
    ),
    "ConvTranspose": sizes(
        "ConvTranspose",
        ((1, 64, 28, 28), np.ones((64, 32, 2, 2), F32)),
        ((1, 32, 40, 40), np.ones((32, 16, 4, 4), F32)),
        strides=[2, 2],
    ),
    "Conv1d": sizes(
        "Conv", ((1, 64, 1000), np.ones((64, 64, 3), F32)), ((1, 80, 3000), np.ones((128, 80, 3), F32)), pads=[1, 1]
    ),
    "DepthToSpace": sizes("DepthToSpace", (IMAGE,), (WIDE,), blocksize=2),
    "SpaceToDepth": sizes("SpaceToDepth", (IMAGE,), (WIDE,), blocksize=2),
    "Gather": sizes(
        "Gather",
        ((4096, 256), np.random.default_rng(1).integers(0, 4096, (512,))),
        ((512, 1024), np.random.default_rng(1).integers(0, 512, (300,))),
    ),
    "Gather along 1": sizes(
        "Gather",
        ((512, 1024), np.random.default_rng(1).integers(0, 1024, (300,))),
        ((8, 128, 256), np.random.default_rng(1).integers(0, 128, (64,))),
        axis=1,
    ),
    "ScatterND": sizes("ScatterND", _scattered(1024, 256, 300), _scattered(4096, 64, 1000)),
    "ScatterElements": sizes("ScatterElements", _elements(256, 128, 64), _elements(1024, 64, 256), reduction="add"),
    "TopK": [
        Node("TopK", ((64, 1000), axes(5)), outputs=2),
        Node("TopK", ((8, 8400), axes(100)), outputs=2),
    ],
    "Trilu": sizes("Trilu", ((8, 128, 128),), ((4, 512, 512),), upper=0),
    "Einsum": sizes("Einsum", ((8, 64, 64), (8, 64, 64)), ((4, 128, 64), (4, 64, 256)), equation="bij,bjk->bik"),
    "GroupNormalization": sizes(
        "GroupNormalization",
        (IMAGE, np.ones(64, F32), np.zeros(64, F32)),
        (WIDE, np.ones(32, F32), np.zeros(32, F32)),
        num_groups=8,
    ),
    "InstanceNormalization": sizes(
        "InstanceNormalization",
        (IMAGE, np.ones(64, F32), np.zeros(64, F32)),
        (WIDE, np.ones(32, F32), np.zeros(32, F32)),
    ),
    "LRN": sizes("LRN", (IMAGE,), (WIDE,), size=5),
    "GlobalLpPool": sizes("GlobalLpPool", (IMAGE,), (WIDE,), p=2),
    "MaxPool": sizes("MaxPool", (IMAGE,), (WIDE,), kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
    "AveragePool": sizes("AveragePool", (IMAGE,), (WIDE,), kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
    "GridSample": [
        Node("GridSample", ((1, 32, 56, 56), np.random.default_rng(2).uniform(-1, 1, (1, 40, 40, 2)).astype(F32))),
        Node("GridSample", ((1, 16, 112, 112), np.random.default_rng(2).uniform(-1, 1, (1, 80, 80, 2)).astype(F32))),
    ],
}


def model(node: Node) -> tuple[Any, dict[str, np.ndarray]]:
    """The file of one node, and what it is given."""
    import onnx
    from onnx import helper, numpy_helper

    rng, names, given, values, known = np.random.default_rng(0), [], {}, [], []
    for i, each in enumerate(node.inputs):
        name = "" if each is None else f"x{i}"
        names.append(name)
        if isinstance(each, np.ndarray):
            known.append(numpy_helper.from_array(each, name))
        elif each is not None:
            given[name] = rng.standard_normal(each).astype(node.kind)
            values.append(
                helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(node.kind)), each)
            )
    results = [f"y{i}" for i in range(node.outputs)]
    made = helper.make_node(node.operator, names, results, **node.attributes)
    told = [helper.make_empty_tensor_value_info(name) for name in results]
    graph = helper.make_graph([made], "one", values, told, known)
    version = 21 if node.operator == "GroupNormalization" else 20
    file = helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)], ir_version=10)
    return onnx.shape_inference.infer_shapes(file), given


def session(file: Any, threads: int) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(file.SerializeToString(), options, providers=["CPUExecutionProvider"])


def bound(session: Any, given: dict[str, np.ndarray], outputs: tuple[np.ndarray, ...]) -> Any:
    """A call with inputs and outputs bound."""
    import onnxruntime

    binding, kept = session.io_binding(), []
    for name, array in given.items():
        value = onnxruntime.OrtValue.ortvalue_from_numpy(array)
        kept.append(value)
        binding.bind_ortvalue_input(name, value)
    for value, array in zip(session.get_outputs(), outputs):
        kept.append(onnxruntime.OrtValue.ortvalue_from_numpy(np.empty_like(array)))
        binding.bind_ortvalue_output(value.name, kept[-1])
    return lambda kept=kept: session.run_with_iobinding(binding)


def turn(call: Any) -> float:
    call()
    times, until = [], time.perf_counter() + TURN_S
    while len(times) < 5 or time.perf_counter() < until:
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def off(ours: Any, theirs: Any) -> float:
    """The largest difference in parts of the largest element, of all outputs."""
    worst = 0.0
    for a, b in zip(ours, theirs, strict=True):
        a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
        worst = max(worst, float(np.max(np.abs(a - b), initial=0) / max(1e-30, np.max(np.abs(b), initial=0))))
    return worst


def timed(node: Node, threads: int, effort: int) -> dict[str, Any]:
    import griotte as gt

    file, given = model(node)
    theirs = session(file, threads)
    wanted = tuple(theirs.run(None, given))
    graph = gt.from_onnx(file)
    if refused := graph.unsupported():
        return {"refused": str(refused[0])}
    started = time.perf_counter()
    kernel = gt.compile(graph, threads=threads, effort=effort)
    found_s = time.perf_counter() - started
    arrays = [given[value.name] for value in graph.inputs]
    got = kernel(*arrays)
    got = got if isinstance(got, tuple) else (got,)
    ours, rival = kernel.bind(*arrays), bound(theirs, given, wanted)
    times: dict[str, list[float]] = {"griotte": [], "onnxruntime": []}
    for _ in range(TURNS):
        for name, call in (("griotte", ours), ("onnxruntime", rival)):
            times[name].append(turn(call))
            time.sleep(0.15 * (threads > 1))
    us = {name: 1e6 * statistics.median(each) for name, each in times.items()}
    return {"off": off(got, wanted), "us": us, "ratio": us["onnxruntime"] / us["griotte"], "found_s": found_s}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--effort", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    os.environ.setdefault("GRIOTTE_CACHE", tempfile.mkdtemp())
    rows, ratios = [], []
    print(f"{'operator':<24}{'size':>6}{'threads':>9}{'off':>10}{'griotte us':>12}{'onnxruntime':>13}{'ratio':>8}")
    for name in options.names or NODES:
        for size, node in enumerate(NODES[name]):
            for threads in map(int, options.threads.split(",")):
                try:
                    row = timed(node, threads, options.effort)
                except Exception as error:
                    row = {"error": f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"}
                rows.append({"operator": name, "size": size, "threads": threads, **row})
                head = f"{name:<24}{size:>6}{threads:>9}"
                if "us" not in row:
                    print(f"{head}  {row.get('refused') or row.get('error')}", flush=True)
                    continue
                ratios.append(row["ratio"])
                us = row["us"]
                print(
                    f"{head}{row['off']:>10.1e}{us['griotte']:>12.1f}{us['onnxruntime']:>13.1f}{row['ratio']:>8.2f}",
                    flush=True,
                )
    if ratios:
        mean = statistics.geometric_mean(ratios)
        print(
            f"{len(ratios)} rows: mean {mean:.2f}, least {min(ratios):.2f}, below 0.7: {sum(r < 0.7 for r in ratios)}"
        )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    sys.exit(0)


if __name__ == "__main__":
    main()
