"""TVM: a matmul scheduled by MetaSchedule. A shape is tuned when it is first met; what was found is kept under .rivals/tvm/tuned."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import numpy as np
import tvm
from racing.contestant import Skip, Way, aligned
from tvm import te
from tvm.s_tir import meta_schedule

TRIALS = int(os.environ.get("RACE_TVM_TRIALS", "128"))
TUNED = Path(sys.prefix) / "tuned"


def ways(problem, a, b, threads):
    if problem.dtype != "f32" or problem.batch > 1:
        raise Skip("f32 products alone are declared here")
    swapped = problem.layout == "col"
    given = b.T if swapped else b
    target = tvm.target.Target({"kind": "llvm", "mcpu": _cpu(), "num-cores": threads})
    folder = TUNED / f"{problem.m}x{problem.k}x{problem.n}-{problem.layout}-{threads}t-{TRIALS}"
    declared = _declared(problem.m, problem.k, problem.n, swapped)
    database = _database(declared, target, folder)
    schedule = meta_schedule.tir_integration.compile_tir(database, declared, target)
    if schedule is None:
        raise Skip(f"{TRIALS} trials found no schedule")
    product = tvm.compile(schedule.mod, target=target)["main"]
    c = aligned((problem.m, problem.n), np.float32)
    held = [tvm.runtime.from_dlpack(x) for x in (a, given, c)]
    yield Way(f"MetaSchedule, {TRIALS} trials", lambda: product(*held), lambda: c)


def _declared(m: int, k: int, n: int, swapped: bool):
    x = te.placeholder((m, k), "float32", name="x")
    w = te.placeholder((n, k) if swapped else (k, n), "float32", name="w")
    r = te.reduce_axis((0, k), name="r")
    y = te.compute((m, n), lambda i, j: te.sum(x[i, r] * (w[j, r] if swapped else w[r, j]), axis=r), name="y")
    return te.create_prim_func([x, w, y])


def _database(declared, target, folder: Path):
    done = folder / "done"
    if done.exists():
        return meta_schedule.database.JSONDatabase(work_dir=str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    found = meta_schedule.tune_tir(mod=declared, target=target, work_dir=str(folder), max_trials_global=TRIALS, num_trials_per_iter=min(TRIALS, 32), num_tuning_cores=os.cpu_count() or 1)
    done.touch()
    return found


def _cpu() -> str:
    """LLVM's name of a CPU with what this one has."""
    text = Path("/proc/cpuinfo").read_text()
    for flag, name in (("amx_bf16", "sapphirerapids"), ("avx512_bf16", "cooperlake"), ("avx512_vnni", "cascadelake"), ("avx512f", "skylake-avx512"), ("avx2", "haswell")):
        if re.search(rf"\b{flag}\b", text):
            return name
    return "x86-64"


def versions() -> dict:
    return {"tvm": tvm.__version__}
