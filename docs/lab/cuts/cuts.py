"""How Specs of several calls that are more than one search are cut, and how long that takes, by the griotte that is
imported: run it with the sources of each of two versions, and compare the lines.

    PYTHONPATH=src:tests python docs/lab/cuts/cuts.py [NAME ..] [--threads 1] [--run]

A line for each Spec: cycles by the model, seconds of all threads and of the clock from nothing, and the parts.
"""

from __future__ import annotations

import argparse
import json
import time

import griotte as gt
import numpy as np
from griotte.compiler.session import Session
from griotte.compiler.synthesis import program_of
from griotte.lang.meaning.agreement import compare, tolerance
from griotte.lang.meaning.samples import sample
from griotte.machine import resolve
from specs import SPECS


def one(text: str, target: str, threads: int, most: float | None, is_run: bool) -> dict:
    session = Session(resolve(target), threads, "none", work=most)
    cpu, clock = time.process_time(), time.perf_counter()
    program = program_of(gt.parse(text), session)
    found = {"cpu_s": round(time.process_time() - cpu, 2), "s": round(time.perf_counter() - clock, 2)}
    found |= {"cost": round(float(program.cost), 1)}
    found["parts"] = [program.title(part) for part in program.called] if program.is_partitioned else ["one"]
    if is_run:
        arrays = sample("random", program.spec, np.random.default_rng(0))
        near = tolerance(program.spec, arrays, random=True)
        found["right"] = bool(compare(program.spec, arrays, program.compile()(*arrays), near)[1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--run", action="store_true", help="is what it gives right?")
    options = parser.parse_args()
    gt.synthesize("softmax(matmul(f32[8,8], f32[8,8]))", "native", table="none")  # loads the loops
    for name in options.names or SPECS:
        text, target, most = SPECS[name]
        print(json.dumps({"name": name, **one(text, target, options.threads, most, options.run)}), flush=True)


if __name__ == "__main__":
    main()
