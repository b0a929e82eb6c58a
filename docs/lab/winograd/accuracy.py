"""How far minimal filtering of 3x3 rounds sums, by where polynomials are evaluated.

.venv/bin/python docs/lab/winograd/accuracy.py
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from griotte.models.custom.winograd import transforms

TRIED = (
    "0 1 -1",
    "0 1 -1 2 -2",
    "0 1 -1 1/2 -1/2",
    "0 1 -1 1/2 -2",
    "0 1/2 -1/2 3/2 -3/2",
    "0 2/3 -2/3 4/3 -4/3",
    "0 5/8 -5/8 5/4 -5/4",
    "0 5/8 -5/8 3/2 -3/2",
    "0 3/4 -3/4 3/2 -3/2",
)


def off(points: tuple[Fraction, ...], channels: int, tiles: int = 100) -> float:
    """The largest difference of tiles' results from f64, in parts of the largest result."""
    r, m = 3, len(points) - 1
    transforms.POINTS[len(points)] = points
    transforms.filtering.cache_clear()
    f = transforms.filtering(m, r)
    exact = [np.array([[float(x) for x in row] for row in rows]) for rows in (f.outputs, f.weights, f.inputs)]
    a, _, b = (each.astype(np.float32) for each in exact)
    worst = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        d = rng.standard_normal((tiles, channels, f.n, f.n)).astype(np.float32)
        w = rng.standard_normal((channels, r, r)).astype(np.float32)
        u = (exact[1] @ w.astype(float) @ exact[1].T).astype(np.float32)
        got = a @ (u * ((b @ d) @ b.T)).sum(1, dtype=np.float32) @ a.T
        wanted = np.empty((tiles, m, m))
        for i in range(m):
            for j in range(m):
                wanted[:, i, j] = (d[:, :, i : i + r, j : j + r].astype(float) * w).sum((1, 2, 3))
        worst.append(np.abs(got - wanted).max() / np.abs(wanted).max())
    return float(np.mean(worst))


def main() -> None:
    for text in TRIED:
        points = tuple(map(Fraction, text.split()))
        found = [off(points, channels) for channels in (64, 512)]
        print(f"tiles of {len(points) - 1}, points {text:<22} 64 channels {found[0]:.1e}   512 channels {found[1]:.1e}")


if __name__ == "__main__":
    main()
