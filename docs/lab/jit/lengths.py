"""Seconds that a jitted function takes, called with many lengths in a drawn order: what each kernel took, and all.

GRIOTTE_CACHE=$(mktemp -d) python docs/lab/jit/lengths.py [mlp|block] ..   (the same folder again: a second process)
"""

import sys
import time

import griotte as gt
import numpy as np

WIDTH, COUNT = 64, 30
RNG = np.random.default_rng(3)
LENGTHS = [int(n) for n in RNG.permutation(np.arange(5, 200))[:COUNT]]
W = [(RNG.standard_normal((WIDTH, WIDTH)) / 8).astype("f4") for _ in range(4)]
W1, W2 = ((RNG.standard_normal(shape) / 8).astype("f4") for shape in ((WIDTH, 128), (128, WIDTH)))


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def mlp(x):
    return softmax(np.maximum(x @ W1, 0) @ W2)


def block(x):
    q, k, v = (x @ w for w in W[:3])
    y = x + softmax(q @ np.swapaxes(k, -1, -2) / 8) @ v @ W[3]
    return (y - y.mean(axis=-1, keepdims=True)) / np.sqrt(y.var(axis=-1, keepdims=True) + 1e-5)


FUNCTIONS = {"mlp": (mlp, lambda n: (n, WIDTH)), "block": (block, lambda n: (1, n, WIDTH))}


def main(*names: str) -> None:
    for name in names or FUNCTIONS:
        function, shape = FUNCTIONS[name]
        jitted = gt.jit(function)
        began, cpu = time.perf_counter(), time.process_time()
        for n in LENGTHS:
            x, started = RNG.standard_normal(shape(n)).astype("f4"), time.perf_counter()
            found = jitted(x)
            if (took := time.perf_counter() - started) > 0.2:
                print(f"{name} at {n}: {took:.1f} s")
            assert np.abs(found - function(x)).max() < 1e-3
        took = f"{time.perf_counter() - began:.1f} s, {time.process_time() - cpu:.1f} of CPU here"
        print(f"{name}: {COUNT} lengths, {len({id(run.kernel) for run in jitted._classes.values()})} kernels, {took}")


if __name__ == "__main__":
    main(*sys.argv[1:])
