"""The rivals of a model's kernel: onnxruntime and OpenVINO, each in several settings. The quickest setting counts.

Each maker gives contestants by the words of their settings, or none where the library is not there; it raises what the
library raises where that does not run the model.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Feeds = Mapping[str, np.ndarray]
LARGEST = 1 << 31  # bytes of a model that is passed as such: protobuf's limit


@dataclass(frozen=True)
class Contestant:
    """A model that is ready to run: `run` computes it anew, `results` are what it gave last, in the model's order."""

    run: Callable[[], Any]
    results: Callable[[], list[np.ndarray]]


def onnxruntime(path: Path, arrays: Feeds, outputs: list[str], threads: int) -> dict[str, Contestant]:
    """By onnxruntime: all optimisations, one call at a time, threads that spin; inputs and outputs bound ahead. In
    turns: with its arena and without."""
    if importlib.util.find_spec("onnxruntime") is None:
        return {}
    import onnxruntime as library

    def contestant(has_arena: bool) -> Contestant:
        options = library.SessionOptions()
        options.graph_optimization_level = library.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.execution_mode = library.ExecutionMode.ORT_SEQUENTIAL
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.log_severity_level, options.enable_cpu_mem_arena = 4, has_arena
        for pool in ("intra", "inter"):
            options.add_session_config_entry(f"session.{pool}_op.allow_spinning", "1")
        session = library.InferenceSession(_model(path, arrays), options, providers=["CPUExecutionProvider"])
        binding = session.io_binding()
        wanted = {each.name for each in session.get_inputs()}
        for name, array in arrays.items():
            if name in wanted:
                binding.bind_cpu_input(name, np.ascontiguousarray(array))
        session_outputs = [each.name for each in session.get_outputs()]
        for name in session_outputs:
            binding.bind_output(name)

        def results() -> list[np.ndarray]:
            given = dict(zip(session_outputs, binding.copy_outputs_to_cpu()))
            return [given[name] for name in outputs]

        return Contestant(lambda: session.run_with_iobinding(binding), results)

    return {"arena": contestant(True), "no arena": contestant(False)}


def openvino(path: Path, arrays: Feeds, outputs: list[str], threads: int) -> dict[str, Contestant]:
    """By OpenVINO: for latency, one stream, floats in f32. In turns: threads that keep to their CPUs, and that do
    not."""
    if importlib.util.find_spec("openvino") is None:
        return {}
    import openvino as library

    def contestant(is_pinned: bool) -> Contestant:
        core = library.Core()
        model = core.read_model(_model(path, arrays))
        settings = {
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_NUM_THREADS": threads,
            "INFERENCE_PRECISION_HINT": "f32",
            "NUM_STREAMS": 1,
            "ENABLE_CPU_PINNING": is_pinned,
        }
        compiled = core.compile_model(model, "CPU", settings)
        request = compiled.create_infer_request()
        for given in compiled.inputs:
            name = next(each for each in given.names if each in arrays)
            request.set_tensor(given, library.Tensor(np.ascontiguousarray(arrays[name]), shared_memory=True))

        def results() -> list[np.ndarray]:
            return [np.array(request.get_tensor(name).data) for name in outputs]

        return Contestant(lambda: request.infer(share_outputs=True), results)

    return {"pinned": contestant(True), "not pinned": contestant(False)}


Maker = Callable[[Path, Feeds, list[str], int], dict[str, Contestant]]
MODEL_CONTESTANTS: dict[str, Maker] = {"onnxruntime": onnxruntime, "openvino": openvino}


def quickest(found: dict[str, Contestant], seconds: float) -> tuple[str, Contestant]:
    """The settings that are the quickest, all tried in turns for so long, and the contestant."""
    least = dict.fromkeys(found, float("inf"))
    for each in found.values():
        each.run()
    until = time.perf_counter() + seconds * len(found)
    while True:
        for words, each in found.items():
            started = time.perf_counter()
            each.run()
            least[words] = min(least[words], time.perf_counter() - started)
        if time.perf_counter() >= until:
            break
    best = min(found, key=lambda words: least[words])
    return best, found[best]


def _model(path: Path, arrays: Feeds) -> Any:
    """The model with the sizes that the arrays have, so that all that follows from them is known before the clock runs;
    its path where it is too large to be passed."""
    import onnx

    proto = onnx.load(str(path))
    for given in proto.graph.input:
        if given.name in arrays:
            sizes = given.type.tensor_type.shape
            del sizes.dim[:]
            for n in arrays[given.name].shape:
                sizes.dim.add().dim_value = n
    return proto.SerializeToString() if proto.ByteSize() < LARGEST else str(path)
