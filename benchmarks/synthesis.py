"""Cold synthesis: seconds, CPU seconds and peak memory, each in a fresh process, of products and of the race's graphs;
and the first call ever, Numba's compilation included."""

from __future__ import annotations

import functools
import os
import statistics
import tempfile
import time
import tomllib
from pathlib import Path

import child
from row import Result, Row, Run

HEADLINE = "matmul(bf16[1,2048], bf16[2048,16384]{0,1}) -> f32[1,16384]"
SMALL = "matmul(f32[64,64], f32[64,64])"
PROBLEMS = (
    ("f32-1024", "f32 1024^3", "matmul(f32[1024,1024], f32[1024,1024])", 10.0, 3.0),
    ("f32-4096", "f32 4096^3", "matmul(f32[4096,4096], f32[4096,4096])", 20.0, 4.0),
    ("headline", "bf16 1x2048x16384", HEADLINE, 20.0, 4.0),
    ("f32-1000x777x513", "f32 1000x777x513", "matmul(f32[1000,777], f32[777,513])", 20.0, 4.0),
    ("u8s8s32-512", "u8 s8 s32 512^3", "matmul(u8[512,512], s8[512,512]) -> s32[512,512]", 20.0, 4.0),
)
GRAPHS = Path(__file__).parent / "racing" / "problems.toml"
OF_GRAPHS = {
    "epilogue": 30.0,
    "quantised": 30.0,
    "mlp": 30.0,
    "softmax": 30.0,
    "norm": 30.0,
    "convolution": 30.0,
    "chain": 30.0,
    "weights": 30.0,
    "attention": 30.0,
    "block": 60.0,
}  # seconds of each graph of these sets
CAUSAL = ("causal-8x96x32", "attention(f32[8,96,32], f32[8,96,32], f32[8,96,32], causal=true)")
REQUANTISED = (
    "requantised-3x3-64x56x56",
    "requantize(conv2d(u8[1,64,56,56], const s8[64,64,3,3], padding=1), f32[64,1,1], u8[])",
)
GRAPH_GIB = 4.0
FIRST_CALL_SECONDS = 40.0


def rows() -> list[Row]:
    cold = [
        Row(
            f"synthesis-{name}",
            f"cold synthesis, {title}",
            f"<= {seconds:g} s, {gib:g} GiB",
            functools.partial(_cold, text, seconds, gib),
        )
        for name, title, text, seconds, gib in (*PROBLEMS, *_graphs())
    ]
    return [*cold, Row("first-call", "first call ever, search compiled", f"<= {FIRST_CALL_SECONDS:g} s", _first_call)]


def _graphs() -> list[tuple[str, str, str, float, float]]:
    """Those of the race, one that has many families for its size, and one that has many Specs for its families."""
    sets = tomllib.loads(GRAPHS.read_text())
    found = [
        (f"{kind}-{label}", text, seconds)
        for kind, seconds in OF_GRAPHS.items()
        for label, text in sets[kind]["specs"].items()
    ]
    return [
        (name, name, text, seconds, GRAPH_GIB)
        for name, text, seconds in (*found, (*CAUSAL, OF_GRAPHS["attention"]), (*REQUANTISED, OF_GRAPHS["epilogue"]))
    ]


def _cold(text: str, seconds: float, gib: float, run: Run) -> Result:
    _warm_numba()
    found = [child.call("synthesis:synthesize", text) for _ in range(1 if run.quick else 3)]
    took = statistics.median(f["seconds"] for f in found)
    peak = max(f["peak_mib"] for f in found) / 1024
    is_warm = not any(f["numba_compiled"] for f in found)
    cpu, one = statistics.median(f["cpu_s"] for f in found), found[0]
    size = f"{one['families']:,} families, {one['specs_solved'] / 1e6:.0f} million Specs"
    measured = f"{took:.1f} s ({cpu:.1f} of CPU), {peak:.2f} GiB, {size}" + (
        "" if is_warm else " (Numba's cache was not warm)"
    )
    return Result(measured, took <= seconds and peak <= gib, {"spec": text, "runs": found})


@functools.cache
def _warm_numba() -> None:
    """Numba's cache on disk holds the search from here on."""
    child.call("synthesis:synthesize", SMALL)


def synthesize(text: str) -> dict:
    """In a child: text -> Program, from nothing."""
    import griotte as gt

    started, cpu = time.perf_counter(), time.process_time()
    program = gt.synthesize(text, table="none")
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    return {
        "seconds": seconds,
        "cpu_s": cpu,
        "peak_mib": child.peak_mib(),
        "numba_compiled": _numba_compiled(),
        **program.stats,
    }


def _numba_compiled() -> int:
    """How many functions of the search Numba had to compile in this process."""
    from griotte.engine.search import kernels

    return sum(sum(f.stats.cache_misses.values()) for f in vars(kernels).values() if hasattr(f, "stats"))


def _first_call(run: Run) -> Result:
    with tempfile.TemporaryDirectory() as numba, tempfile.TemporaryDirectory() as cache:
        started = time.perf_counter()
        found = child.call("synthesis:compile_and_call", SMALL, env={"NUMBA_CACHE_DIR": numba, "GRIOTTE_CACHE": cache})
        seconds = time.perf_counter() - started
        cached = sum(name.endswith(".nbc") for _, _, names in os.walk(numba) for name in names)
    measured = f"{seconds:.1f} s, start of Python included"
    if not found["numba_compiled"]:
        return Result("not measured: Numba compiled nothing", False, found)
    return Result(
        measured, seconds <= FIRST_CALL_SECONDS, {"spec": SMALL, "seconds": seconds, "numba_files": cached, **found}
    )


def compile_and_call(text: str) -> dict:
    """In a child: text -> result of the first call."""
    started = time.perf_counter()
    import griotte as gt
    import numpy as np

    imported = time.perf_counter()
    kernel = gt.compile(text, table="none")
    kernel(*(np.ones(arg.shape, np.float32) for arg in kernel.signature.inputs))
    seconds = time.perf_counter() - imported
    return {
        "import_s": imported - started,
        "compile_and_call_s": seconds,
        "numba_compiled": _numba_compiled(),
        **kernel.metadata,
    }
