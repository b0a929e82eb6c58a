"""Whole models: found, right, and timed beside onnxruntime and OpenVINO.

    python benchmarks/models.py [NAME ..] [--zoo FOLDER] [--threads 1,2] [--rivals onnxruntime,openvino] [--effort 2]
                                [--cache FOLDER] [--json FILE]

NAME is a file, one of the models that wheels bring (direction, recognition, detection, text_lines_old, magika, and
onnx's own light networks, light_resnet50 ..), or of those that benchmarks/model_zoo.py left in the zoo. Of each: the
seconds and the memory that it takes to find with an empty cache (of all processes together), the seconds from the start
of a second process to its first result, the largest difference from onnxruntime's result in parts of its largest
element, and for each number of threads the rivals' median time over griotte's, interleaved in turns on the same data.
It needs onnx and onnxruntime, and for the wheels' models rapidocr-onnxruntime, ddddocr and magika; what is lacking is
left out, and said.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from child import Watched

RESTS_S = 0.15  # between turns: until the other's threads sleep
TURNS, TURN_S = 7, 0.25

WHEELS = {
    "direction": ("rapidocr_onnxruntime", "models/ch_ppocr_mobile_v2.0_cls_infer.onnx", {"x": (1, 3, 48, 192)}),
    "recognition": ("rapidocr_onnxruntime", "models/ch_PP-OCRv4_rec_infer.onnx", {"x": (1, 3, 48, 320)}),
    "detection": ("rapidocr_onnxruntime", "models/ch_PP-OCRv4_det_infer.onnx", {"x": (1, 3, 640, 640)}),
    "text_lines_old": ("ddddocr", "common_old.onnx", {"input1": (1, 1, 64, 160)}),
    "magika": ("magika", "models/standard_v3_3/model.onnx", {"bytes": (1, 2048)}),
}
LIGHT = "alexnet densenet121 inception_v1 inception_v2 resnet50 shufflenet squeezenet vgg19 zfnet512".split()


def folder_of(package: str) -> Path | None:
    found = importlib.util.find_spec(package)
    return Path(found.submodule_search_locations[0]) if found and found.submodule_search_locations else None


def models(names: list[str], zoo: Path) -> dict[str, tuple[Path, dict[str, tuple[int, ...]]]]:
    """Each model's file, and the shapes of inputs that it leaves open."""
    known: dict[str, tuple[Path, dict[str, tuple[int, ...]]]] = {}
    for name, (package, path, shapes) in WHEELS.items():
        if folder := folder_of(package):
            known[name] = folder / path, shapes
    if folder := folder_of("onnx"):
        for name in LIGHT:
            file = "bvlc_alexnet" if name == "alexnet" else name
            known[f"light_{name}"] = folder / f"backend/test/data/light/light_{file}.onnx", {}
    known |= {path.stem: (path, {}) for path in sorted(zoo.glob("*.onnx"))}
    wanted = names or list(known)
    return {name: known.get(name, (Path(name), {})) for name in wanted}


def arrays(graph: Any, path: Path) -> list[np.ndarray]:
    """What a model is run on: the inputs that lie beside it, else those that griotte times models on."""
    beside = path.with_suffix(".npz")
    if beside.exists():
        kept = np.load(beside)
        if all(value.name in kept for value in graph.inputs):
            return [np.ascontiguousarray(kept[value.name]) for value in graph.inputs]
    from griotte.models.reference import arrays_of

    return arrays_of(graph, "timed", np.random.default_rng(0))


def found(path: str, shapes: str, threads: str, effort: str) -> None:
    """In a process of its own: compile a model, call it once, and print how long that took."""
    started = float(os.environ["STARTED"])
    import griotte as gt

    graph = gt.from_onnx(path, shapes={k: tuple(v) for k, v in json.loads(shapes).items()})
    if refused := graph.unsupported():
        print(json.dumps({"error": f"{len(refused)} nodes refused: {refused[0]}"}))
        return
    kernel = gt.compile(graph, threads=int(threads), effort=int(effort))
    kernel(*arrays(graph, Path(path)))
    print(json.dumps({"s": time.time() - started, **kernel.stats}, default=float))


def in_process(cache: str, *args: object) -> dict[str, Any]:
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import models; models.found(*sys.argv[1:])"
    environment = os.environ | {"GRIOTTE_CACHE": cache, "STARTED": str(time.time())}
    command, pipe = [sys.executable, "-c", code, *map(str, args)], subprocess.PIPE
    process = subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True)
    with process, Watched(process.pid) as watched:
        out, errors = process.communicate()
    if process.returncode:
        return {"error": (errors.strip().splitlines() or ["no word"])[-1][:300]}
    return {"peak_mb": watched.peak, **json.loads(out.strip().splitlines()[-1])}


# ---- rivals ----------------------------------------------------------------------------------------------------------


def by_onnxruntime(path: Path, threads: int, feed: dict[str, np.ndarray]) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, feed)


def by_openvino(path: Path, threads: int, feed: dict[str, np.ndarray]) -> Any:
    import openvino

    core = openvino.Core()
    model = core.read_model(str(path))
    model.reshape({name: list(array.shape) for name, array in feed.items()})
    hints = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    request = core.compile_model(model, "CPU", hints).create_infer_request()
    tensors = {name: openvino.Tensor(array, shared_memory=True) for name, array in feed.items()}
    for name, each in tensors.items():
        request.set_tensor(name, each)
    return request.infer


RIVALS = {"onnxruntime": by_onnxruntime, "openvino": by_openvino}


def turn(call: Any, clock: Callable[[], float] = time.perf_counter) -> float:
    """The median seconds of a call by a clock, over one turn."""
    call()
    call()
    times: list[float] = []
    until = time.perf_counter() + TURN_S
    while len(times) < 5 or time.perf_counter() < until:
        started = clock()
        call()
        times.append(clock() - started)
    return statistics.median(times)


def raced(calls: dict[str, Any]) -> dict[str, float]:
    """The median over turns of each one's median."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(TURNS):
        for name, call in calls.items():
            time.sleep(RESTS_S)
            times[name].append(turn(call))
    return {name: statistics.median(each) for name, each in times.items()}


def off(ours: Any, theirs: Any) -> float:
    """The largest difference, in parts of the largest element, of all outputs."""
    worst = 0.0
    for a, b in zip(ours if isinstance(ours, tuple) else (ours,), theirs, strict=True):
        a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
        worst = max(worst, float(np.max(np.abs(a - b)) / max(1e-30, np.max(np.abs(b)))))
    return worst


def timed(path: Path, shapes: dict[str, Any], threads: int, rivals: list[str], effort: int) -> dict[str, Any]:
    import griotte as gt

    graph = gt.from_onnx(path, shapes=shapes)
    kernel = gt.compile(graph, threads=threads, effort=effort)
    given = arrays(graph, path)
    feed = {value.name: array for value, array in zip(graph.inputs, given)}
    outs = kernel(*given)
    calls = {"griotte": lambda: kernel(*given, out=outs)}
    result: dict[str, Any] = {}
    for name in rivals:
        try:
            calls[name] = RIVALS[name](path, threads, feed)
        except Exception as error:
            result[f"{name}_error"] = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    if "onnxruntime" in calls:
        result["off"] = off(kernel(*given), calls["onnxruntime"]())
    medians = raced(calls)
    return result | {"ms": {name: s * 1e3 for name, s in medians.items()}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--zoo", type=Path, default=Path(tempfile.gettempdir()) / "zoo")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rivals", default="onnxruntime,openvino")
    parser.add_argument("--effort", type=int, default=2)
    parser.add_argument("--cache", help="a folder that keeps what is found; without it each model is found anew")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    told = {}
    print(
        "model               threads   found s   peak MB  again s  parts      off   griotte ms  "
        + "  ".join(f"{name:>17}" for name in options.rivals.split(","))
    )
    for name, (path, shapes) in models(options.names, options.zoo).items():
        for threads in map(int, options.threads.split(",")):
            with tempfile.TemporaryDirectory() as own:
                cache = options.cache or own
                os.environ["GRIOTTE_CACHE"] = cache
                asked = str(path), json.dumps(shapes), threads, options.effort
                first = in_process(cache, *asked)
                if "error" in first:
                    print(f"{name:<20}{threads:>7}   {first['error']}")
                    told[f"{name} {threads}"] = first
                    break
                again = in_process(cache, *asked)
                ran = timed(path, shapes, threads, options.rivals.split(","), options.effort)
            told[f"{name} {threads}"] = {"found": first, "again": again, **ran}
            ours = ran["ms"]["griotte"]
            others = "  ".join(
                f"{ran['ms'][rival]:>8.3f} ({ran['ms'][rival] / ours:5.2f})" if rival in ran["ms"] else f"{'-':>17}"
                for rival in options.rivals.split(",")
            )
            print(
                f"{name:<20}{threads:>7}{first['s']:>10.1f}{first['peak_mb']:>10.0f}"
                f"{again['s']:>9.2f}{first['parts']:>7.0f}{ran.get('off', float('nan')):>9.1e}{ours:>13.3f}  {others}",
                flush=True,
            )
            if options.json:
                options.json.write_text(json.dumps(told, indent=1, default=float))


if __name__ == "__main__":
    main()
