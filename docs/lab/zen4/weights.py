"""Products of a row with quantised weights, beside a plain sum over as many bytes as the packed weights and their
scales have.

    PYTHONPATH=benchmarks python docs/lab/zen4/weights.py [--threads 1 2] [--rounds 15] [--copies 8]

One copy of them may lie in a large L3; a model's weights, of which each is read once for a word, come from memory: with
`--copies` each call takes the next of so many, and the sum runs over all.
"""

from __future__ import annotations

import argparse
import itertools

from speed import turns

SPECS = {
    "4 bits, f32": ("group_matmul(f32[1,4096], const s4[4096,128,32], const {scale}[4096,128])", 0.5),
    "4 bits, s8": ("group_matmul(f32[1,4096], const s4[4096,128,32], const {scale}[4096,128], activations=s8)", 0.5),
    "4 bits, s24": ("group_matmul(f32[1,4096], const s4[4096,128,32], const {scale}[4096,128], activations=s24)", 0.5),
    "8 bits, f32": ("group_matmul(f32[1,4096], const s8[4096,128,32], const {scale}[4096,128])", 1.0),
    "8 bits, s8": ("group_matmul(f32[1,4096], const s8[4096,128,32], const {scale}[4096,128], activations=s8)", 1.0),
}


def share(text: str, weight_bytes: float, threads: int, rounds: int, copies: int) -> dict:
    import griotte as gt
    import numpy as np
    from griotte.lang.meaning.agreement import compare, tolerance
    from griotte.lang.meaning.samples import random_arrays
    from griotte.machine import resolve
    from griotte.runtime.timing import read_bandwidth

    spec = gt.parse(text)
    program = gt.synthesize(spec, threads=threads, table="none")
    arrays = random_arrays(spec, np.random.default_rng(0))
    kernel = program.compile()
    out = kernel(*arrays)
    complaint = compare(spec, arrays, out, tolerance(spec, arrays))[2]
    if complaint:
        raise ArithmeticError(complaint)
    n, groups, size = spec.inputs[1].shape
    read = n * groups * size * weight_bytes + spec.inputs[2].bytes
    probe = read_bandwidth(copies * int(read), resolve("native"), threads)
    bound = itertools.cycle(
        [
            (kernel if i == 0 else program.compile()).bind(*(a.copy(order="K") for a in arrays), out=out)
            for i in range(copies)
        ]
    )

    def one() -> None:
        next(bound)()

    found = turns({"griotte": one, "read": probe}, rounds, threads, work={"griotte": read, "read": probe.work})
    return {
        "us": found["median_us"]["griotte"],
        "gbps": read / found["median_us"]["griotte"] / 1e3,
        "share": found["ratio"]["median"],
        "synthesis_s": program.stats["synthesis_s"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--scales", nargs="+", default=["f32", "f16"])
    options = parser.parse_args()
    for name, (text, weight_bytes) in SPECS.items():
        for scale in options.scales:
            for threads in options.threads:
                found = share(text.format(scale=scale), weight_bytes, threads, options.rounds, options.copies)
                print(
                    f"{name}, scales {scale}, threads {threads}: "
                    + ", ".join(f"{key} {value:.3g}" for key, value in found.items()),
                    flush=True,
                )


if __name__ == "__main__":
    main()
