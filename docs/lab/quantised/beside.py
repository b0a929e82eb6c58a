"""Models beside onnxruntime and OpenVINO by CPU time, on a machine that others use: calls in turns, each after a rest.

    python docs/lab/quantised/beside.py ZOO NAME [--threads 1] [--seconds 30] [--layers]

`--layers`: OpenVINO's own counters, the least of each layer. Of several threads CPU time is that of all together, which
says nothing of how long a call takes: wall time is told besides.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import griotte as gt
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
from models import RIVALS, arrays

REST_S, CALLS = 0.004, 3


def told(kind: str, times: dict[str, list[float]]) -> None:
    found = {name: (min(each) * 1e3, statistics.median(each) * 1e3) for name, each in times.items()}
    least, median = found["griotte"]
    beside = (
        f"{name} {a:.3f} {b:.3f} ms ({a / least:.2f} {b / median:.2f})"
        for name, (a, b) in found.items()
        if name != "griotte"
    )
    print(f"{kind}, least and median: griotte {least:.3f} {median:.3f} ms;", "; ".join(beside), flush=True)


def raced(path: Path, threads: int, seconds: float) -> None:
    graph = gt.from_onnx(path)
    kernel, given = gt.compile(graph, threads=threads), arrays(graph, path)
    feed, outs = {value.name: array for value, array in zip(graph.inputs, given)}, kernel(*given)
    calls = {"griotte": lambda: kernel(*given, out=outs)}
    calls |= {name: made(path, threads, feed) for name, made in RIVALS.items()}
    cpu, wall = ({name: [] for name in calls} for _ in range(2))
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        for name, call in calls.items():
            call()
            for _ in range(CALLS):
                time.sleep(REST_S)
                began, started = time.process_time(), time.perf_counter()
                call()
                wall[name].append(time.perf_counter() - started)
                cpu[name].append(time.process_time() - began)
    told("CPU", cpu)
    told("wall", wall)


def by_layer(path: Path, threads: int, seconds: float) -> None:
    import openvino

    hints = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "PERF_COUNT": "YES"}
    core, kept = openvino.Core(), np.load(path.with_suffix(".npz"))
    model = core.read_model(str(path))
    request = core.compile_model(model, "CPU", hints | {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
    for value in model.inputs:
        request.set_tensor(value.get_any_name(), openvino.Tensor(np.ascontiguousarray(kept[value.get_any_name()])))
    least: dict[str, tuple[float, str]] = {}
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        request.infer()
        for each in request.profiling_info:
            us = each.real_time.total_seconds() * 1e6
            least[each.node_name] = min(least.get(each.node_name, (np.inf, "")), (us, each.exec_type))
    for name, (us, kind) in least.items():
        print(f"{us:8.1f} us  {kind:28} {name}")
    print(f"{sum(us for us, _ in least.values()):8.1f} us in sum")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("zoo", type=Path)
    parser.add_argument("name")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--layers", action="store_true")
    options = parser.parse_args()
    (by_layer if options.layers else raced)(options.zoo / f"{options.name}.onnx", options.threads, options.seconds)


if __name__ == "__main__":
    main()
