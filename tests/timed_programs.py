"""Timed programs for tests of performance models: made up, of a price that errs in a known way."""

import numpy as np
from griotte.engine.learned.samples import Group, Samples

NAMES = ("log work", "share_line", "share_call", "tile", "tail", "constant")
OPERATIONS = ("matmul", "relu", "graph:softmax")


def timed(groups: int = 30, rows: int = 15, seed: int = 0, noise: float = 0.003, error: float = 0.5, machines: int = 1):
    """Samples in which lines take 1 + `error` times their price, and small tiles a little longer: what a model
    has to find. Each Spec has one work, and errs as a whole by some."""
    rng = np.random.default_rng(seed)
    found = [
        Group(f"{OPERATIONS[n % 3]}(f32[{n + 1}])", OPERATIONS[n % 3], 1, "portable", f"machine {n % machines}")
        for n in range(groups)
    ]
    group = np.repeat(np.arange(groups), rows)
    work = rng.uniform(8, 14, groups)[group]
    far, calls = rng.uniform(0, 0.6, groups * rows), rng.uniform(0, 0.3, groups * rows)
    tile, tail = rng.integers(1, 8, groups * rows).astype(float), rng.uniform(0, 0.3, groups * rows)
    features = np.column_stack([work, far, calls, tile, tail, np.ones(len(group))])
    price = np.exp(work + rng.normal(0, 0.08, len(group)))
    bias = rng.normal(0, 0.1, groups)[group]
    log = np.log(price * (1 + error * far)) + 0.1 * error * (tile < 3) + bias - 8.2 + 0.5 * (group % machines)
    warm = np.exp(log + rng.normal(0, noise, len(group)))
    spread = np.abs(rng.normal(0, 2 * noise, len(group)))
    return Samples(1, tuple(found), group, features, price, warm, np.full(len(group), np.nan), spread)
