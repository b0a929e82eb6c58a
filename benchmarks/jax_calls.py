"""What a call of a kernel within jax.jit takes beside one of an operation of XLA, on so little that the call is all.

    python benchmarks/jax_calls.py [--rounds 40]

Both negate f32[2] in a program of their own, in turns of 500 calls, each waited for. It needs jax.
"""

from __future__ import annotations

import argparse
import statistics
import time

CALLS = 500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=40)
    rounds = parser.parse_args().rounds
    import griotte as gt
    import jax

    kernel, x = gt.compile("neg(f32[2])").jax(), jax.numpy.ones(2)
    programs = {"kernel": jax.jit(kernel.traced), "XLA": jax.jit(lambda x: -x)}
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(rounds + 1):
        for name, program in programs.items():
            started = time.perf_counter()
            for _ in range(CALLS):
                program(x).block_until_ready()
            times[name].append((time.perf_counter() - started) / CALLS * 1e6)
    us = {name: statistics.median(each[1:]) for name, each in times.items()}
    more = statistics.median(a - b for a, b in zip(times["kernel"][1:], times["XLA"][1:]))
    print(f"kernel {us['kernel']:.2f} us, XLA {us['XLA']:.2f} us; more, of each round: {more:.2f} us")


if __name__ == "__main__":
    main()
