"""Seconds to the first right result by `gt.compile(g, first="fast")`, and how long calls of the first kernel take
beside those of the whole search's and onnxruntime's. Each model in a process of its own.

    python benchmarks/first.py model.onnx other.onnx --shape x=1,3,48,192 [--whole] [--empty] [--threads 2]

`--whole` waits for the search as well. Seconds are from the file's path to the result, after imports of griotte, onnx
and onnxruntime; CPU seconds count the C compiler's processes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SECONDS = 2.0  # of calls of each, in turns
RIGHT = 1e-3  # of the largest magnitude of a result


def cpu_seconds() -> float:
    """Of this process and of those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def shapes_of(texts: list[str]) -> dict[str, tuple[int, ...]]:
    """`x=1,3,48,192` as the sizes of x."""
    pairs = (text.rpartition("=") for text in texts)
    return {name: tuple(map(int, sizes.split(","))) for name, _, sizes in pairs}


def measured(path: str, shapes: dict[str, tuple[int, ...]], threads: int, whole: bool) -> dict[str, Any]:
    """One model, in this process."""
    import griotte as gt
    import numpy as np
    import onnx  # noqa: F401
    import onnxruntime
    from griotte.models.reference import arrays_of
    from griotte.runtime import timing

    began, used = time.perf_counter(), cpu_seconds()
    graph = gt.from_onnx(path, shapes=shapes)
    kernel = gt.compile(graph, threads=threads, first="fast")
    made = time.perf_counter() - began
    arrays = arrays_of(graph, "timed", np.random.default_rng(0))
    called = time.perf_counter()
    kernel(*arrays)
    found = {"first_s": made + time.perf_counter() - called, "cpu_s": cpu_seconds() - used, "calls": len(graph.calls)}
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    given = {value.name: array for value, array in zip(graph.inputs, arrays)}
    expected = session.run([name for name, _ in graph.results], given)
    results = kernel(*arrays)
    pairs = zip(results if isinstance(results, tuple) else (results,), expected)
    found["off"] = max(_off(a, b) for a, b in pairs if b.size)
    calls = {"first": kernel.kernel.bind(*arrays), "onnxruntime": lambda: session.run(None, given)}
    if whole:
        began = time.perf_counter()
        kernel.wait()
        found["whole_s"] = time.perf_counter() - began
        calls["whole"] = kernel.kernel.bind(*arrays)
    else:
        kernel._search.stop() if kernel._search is not None else None
    times = timing.interleaved(calls, SECONDS)
    found |= {name: each.median_us for name, each in times.items()}
    return found


def _off(result: Any, expected: Any) -> float:
    """The largest difference by the largest magnitude; what is NaN has to be so in both."""
    import numpy as np

    numbers = ~np.isnan(expected)
    if not np.array_equal(numbers, ~np.isnan(result)):
        return float("inf")
    most = np.max(np.abs(expected[numbers]), initial=0) or 1
    return float(np.max(np.abs(result[numbers] - expected[numbers]), initial=0) / most)


def in_own_process(path: str, asked: argparse.Namespace) -> dict[str, Any]:
    """The same, in a fresh one with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"GRIOTTE_CACHE": folder} if asked.empty else dict(os.environ)
        command = [sys.executable, __file__, path, "--here", "--threads", str(asked.threads)]
        command += [word for shape in asked.shape for word in ("--shape", shape)] + ["--whole"] * asked.whole
        done = subprocess.run(command, stdout=subprocess.PIPE, env=environment, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def told(name: str, row: dict[str, Any]) -> str:
    """A line of the table."""
    whole = f"{row['first'] / row['whole']:.2f} x" if "whole" in row else "-"
    ratio = row["first"] / row["onnxruntime"]
    return (
        f"{name:24} {row['calls']:5} calls  {row['first_s']:6.2f} s  {row['cpu_s']:6.2f} CPU s  off {row['off']:.0e}"
        f"  {row['first']:9.1f} us  {whole:>7} of the search's  {ratio:.2f} x of onnxruntime's"
    )


def main() -> None:
    """Measure, and print a line for each model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--shape", action="append", default=[])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--whole", action="store_true", help="wait for the whole search as well")
    parser.add_argument("--empty", action="store_true", help="with an empty cache: Numba's loops are compiled anew")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.here:
        print(json.dumps(measured(asked.models[0], shapes_of(asked.shape), asked.threads, asked.whole)))
        return
    for path in asked.models:
        row = in_own_process(path, asked)
        assert row["off"] < RIGHT, f"{path}: {row}"
        print(told(Path(path).stem, row), flush=True)


if __name__ == "__main__":
    main()
