"""Kernels of two trees side by side: `PYTHONPATH=TREE/src python kernels.py write FOLDER` in each tree, then
`python kernels.py time FOLDER FOLDER`. The Specs are the race's first sixty rows of one thread whose constants are not
packed ahead. C that is equal but for its comments is not timed: it is the same kernel."""

import ctypes
import hashlib
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
ROUNDS, LEAST_S, LARGEST = 25, 2e-3, 3e9


def specs() -> list[str]:
    from racing.problems import chosen

    found = []
    for problem in chosen([]):
        text = problem.spec
        if "const" not in text and getattr(problem, "door", "python") == "python" and text not in found:
            flops = getattr(problem, "flops", 0.0)
            if flops <= LARGEST:
                found.append(text)
    return found[:60]


def write(folder: Path) -> None:
    import griotte as gt

    folder.mkdir(parents=True, exist_ok=True)
    for i, text in enumerate(specs()):
        program = gt.synthesize(text, table="none")
        source = program.to_c()
        (folder / f"{i}.c").write_text(source)
        body = re.sub(r"griotte_\w+|0x[0-9a-f]+", "", re.sub(r"/\*.*?\*/", "", source, flags=re.S))
        told = {
            "spec": text,
            "cost": program.cost,
            "digest": hashlib.sha256(body.encode()).hexdigest(),
            "function": program.function,
            "flags": list(program.target.flags),
            "shapes": [(list(t.shape), t.dtype) for t in (*program.spec.inputs, program.spec.output)],
        }
        (folder / f"{i}.json").write_text(json.dumps(told))
        print(i, text, told["cost"], flush=True)


def loaded(folder: Path, i: int, told: dict) -> ctypes.CDLL:
    path = folder / f"{i}.so"
    flags = "-O3 -std=gnu11 -fPIC -pthread -fwrapv -ffp-contract=fast -fno-math-errno -shared".split()
    subprocess.run(["gcc", *flags, *told["flags"], f"{folder}/{i}.c", "-o", path, "-lm"], check=True)
    return getattr(ctypes.CDLL(str(path)), told["function"])


def compare(*folders: Path) -> None:
    ratios, equal = [], 0
    for i in range(len(list(folders[0].glob("*.json")))):
        told = [json.loads((folder / f"{i}.json").read_text()) for folder in folders]
        if told[0]["digest"] == told[1]["digest"]:
            equal += 1
            ratios.append(1.0)
            continue
        calls = [loaded(folder, i, each) for folder, each in zip(folders, told)]
        rng = np.random.default_rng(0)
        arrays = [_array(rng, shape, dtype) for shape, dtype in told[0]["shapes"]]
        pointers = [ctypes.c_void_p(a.ctypes.data) for a in arrays]
        began = time.perf_counter()
        calls[0](*pointers)
        count = max(1, int(LEAST_S / (time.perf_counter() - began)))
        taken: list[list[float]] = [[], []]
        for turn in range(2 * ROUNDS):
            which = turn % 2
            began = time.perf_counter()
            for _ in range(count):
                calls[which](*pointers)
            taken[which].append(time.perf_counter() - began)
        ratios.append(min(taken[1]) / min(taken[0]))
        print(f"{told[0]['spec']}: {ratios[-1]:.3f}, cost {told[1]['cost'] / told[0]['cost']:.4f}", flush=True)
    print(f"{equal} of {len(ratios)} are the same C; time in the mean {np.exp(np.mean(np.log(ratios))):.3f}")


def _array(rng: np.random.Generator, shape: list[int], dtype: str) -> np.ndarray:
    if dtype == "bf16":
        return (rng.standard_normal(shape, np.float32).view(np.uint32) >> 16).astype(np.uint16)
    kind = {"f": "float", "s": "int", "u": "uint"}[dtype[0]] + dtype[1:]
    return rng.integers(0, 100, shape).astype(kind) if dtype[0] != "f" else rng.standard_normal(shape).astype(kind)


if __name__ == "__main__":
    write(Path(sys.argv[2])) if sys.argv[1] == "write" else compare(*map(Path, sys.argv[2:]))
