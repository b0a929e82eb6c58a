"""Thirty everyday functions of NumPy: each jitted, compared with NumPy, and timed in turns with it.

    python benchmarks/everyday.py --list
    python benchmarks/everyday.py --only softmax --only rms --rounds 15
    python benchmarks/everyday.py --overhead
    EVERYDAY_THREADS=2 python benchmarks/everyday.py --wait

Beside NumPy stand Numba, where it compiles the very function (on several threads also with parallel=True), and numexpr,
where it is installed and a function has an expression. All run on as many threads. A figure is the median of the ratios
within rounds, rival over griotte: above 1 griotte is faster; the last line is their geometric mean, of the best rival
of each. `--overhead` times a jitted call beside its kernel's own. `--wait` compiles all, and times them once there is a
line on standard input: on a machine that other work shares, when that has been stopped.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import geometric_mean, median
from typing import Any

THREADS = os.environ.get("EVERYDAY_THREADS", "1")
for variable in (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
):
    os.environ.setdefault(variable, THREADS)

import griotte as gt  # noqa: E402
import numpy as np  # noqa: E402

F = np.float32


@dataclass(frozen=True)
class Everyday:
    """A function and what it is tried at.

    Attributes:
        name: of the function.
        function: of NumPy's arrays.
        shapes: of its inputs, floats about 1; `n` is multiplied by what is asked for.
        expression: the same for numexpr; "" where it has none.
    """

    name: str
    function: Callable[..., Any]
    shapes: tuple[tuple[int | str, ...], ...]
    expression: str = ""

    def inputs(self, n: int) -> list[np.ndarray]:
        """Arrays of these shapes, of which an "n" is that many."""
        rng = np.random.default_rng(0)
        sizes = [tuple(n if each == "n" else int(each) for each in shape) for shape in self.shapes]
        return [rng.uniform(0.1, 1.9, size).astype(F) for size in sizes]


EVERY: list[Everyday] = []


def everyday(
    *shapes: tuple[int | str, ...], expression: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare one."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        EVERY.append(Everyday(function.__name__, function, shapes, expression))
        return function

    return declare


@everyday(("n", 32), (40, 32))
def pairwise_distances(x, y):
    return np.sqrt(np.maximum((x * x).sum(1)[:, None] + (y * y).sum(1)[None] - 2 * x @ y.T, 0))


@everyday(("n", 16), (8, 16))
def kmeans_step(x, centres):
    nearest = np.argmin(((x[:, None] - centres[None]) ** 2).sum(-1), axis=1)
    member = (nearest[:, None] == np.arange(8)).astype(x.dtype)
    return member.T @ x / np.maximum(member.sum(0), 1)[:, None]


@everyday(("n", 20), (20, 10), (10,))
def softmax_regression(x, w, b):
    z = x @ w + b
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@everyday(("n", 64))
def rms_of_windows(x):
    return np.sqrt(np.mean(x * x, axis=-1))


@everyday(("n", 48))
def box_filter(image):
    p = np.pad(image, 1, mode="edge")
    return (p[:-2, :-2] + p[:-2, 1:-1] + p[:-2, 2:] + p[1:-1, :-2] + p[1:-1, 1:-1] + p[1:-1, 2:]
            + p[2:, :-2] + p[2:, 1:-1] + p[2:, 2:]) / 9  # fmt: skip


@everyday(("n", 48))
def sobel(image):
    p = np.pad(image, 1)
    gx = p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:] - p[:-2, :-2] - 2 * p[1:-1, :-2] - p[2:, :-2]
    gy = p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:] - p[:-2, :-2] - 2 * p[:-2, 1:-1] - p[:-2, 2:]
    return np.sqrt(gx**2 + gy**2)


@everyday(("n", 32))
def standardised(x):
    return (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-6)


@everyday(("n", 16), (16, 16))
def whitened(x, w):
    return (x - x.mean(axis=0)) @ w


@everyday(("n", 16))
def covariance(x):
    d = x - x.mean(axis=0)
    return d.T @ d / (len(x) - 1)


@everyday((4, "n", 16), (4, "n", 16), (4, "n", 16))
def attention(q, k, v):
    s = np.einsum("hqd,hkd->hqk", q, k) / np.sqrt(np.float32(16))
    s = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("hqk,hkd->hqd", s / s.sum(-1, keepdims=True), v)


@everyday(("n", 40))
def rolling_mean(x):
    c = np.cumsum(np.pad(x, ((0, 0), (1, 0))), axis=1)
    return (c[:, 8:] - c[:, :-8]) / 8


@everyday(("n", 40))
def moving_average(x):
    return np.lib.stride_tricks.sliding_window_view(x, 5, axis=1).mean(axis=-1)


@everyday((4, "n", 16), (4, "n", 16))
def causal_scores(q, k):
    n = q.shape[1]
    return np.where(np.tri(n, dtype=bool), q @ np.swapaxes(k, 1, 2), np.float32(-1e9))


@everyday(("n", 32), (32,), (32,))
def layer_norm(x, gain, bias):
    d = x - x.mean(-1, keepdims=True)
    return d / np.sqrt((d * d).mean(-1, keepdims=True) + 1e-5) * gain + bias


@everyday(("n", 32), (24, 32))
def cosine_similarity(x, y):
    return (x / np.linalg.norm(x, axis=1, keepdims=True)) @ (y / np.linalg.norm(y, axis=1, keepdims=True)).T


@everyday(("n", 8))
def polynomial_features(x):
    return np.concatenate([np.ones_like(x[:, :1]), x, x**2, x**3], axis=1)


@everyday(("n", 24), (24,), (24,))
def batch_norm(x, gain, bias):
    return (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5) * gain + bias


@everyday(("n", 30), expression="where(a > 0, a, exp(a) - 1)")
def elu(a):
    return np.where(a > 0, a, np.exp(a) - 1)


@everyday(("n", 30), expression="0.5 * a * (1 + tanh(0.79788456 * (a + 0.044715 * a**3)))")
def gelu_by_tanh(a):
    return 0.5 * a * (1 + np.tanh(0.79788456 * (a + 0.044715 * a**3)))


@everyday(("n", 30), ("n", 30), expression="exp(-((a - b)**2) / 2) / 2.5066283")
def gaussian(a, b):
    return np.exp(-((a - b) ** 2) / 2) / 2.5066283


@everyday(("n", 12), (12,))
def logistic_loss(x, w):
    return np.log1p(np.exp(-np.abs(x @ w))).mean()


@everyday(("n", 10), ("n", 10))
def cross_entropy(logits, target):
    z = logits - logits.max(1, keepdims=True)
    return -(target * (z - np.log(np.exp(z).sum(1, keepdims=True)))).sum(1).mean()


@everyday(("n", 3), ("n", 3))
def angles(x, y):
    c = (x * y).sum(1) / (np.sqrt((x * x).sum(1)) * np.sqrt((y * y).sum(1)))
    return np.arccos(np.clip(c, -1, 1))


@everyday(("n", 2))
def haversine(x):
    d = np.diff(x, axis=0)
    a = np.sin(d[:, 0] / 2) ** 2 + np.cos(x[1:, 0]) * np.cos(x[:-1, 0]) * np.sin(d[:, 1] / 2) ** 2
    return 12742 * np.arcsin(np.sqrt(np.clip(a, 0, 1)))


@everyday(("n", 30))
def min_max_scaled(x):
    low, high = x.min(0), x.max(0)
    return (x - low) / (high - low + 1e-9)


@everyday(("n", 30), (30,))
def weighted_mean(x, w):
    return np.average(x, axis=1, weights=w)


@everyday(("n", 16), (16, 32), (32, 8))
def mlp(x, w1, w2):
    return np.maximum(x @ w1, 0) @ w2


@everyday(("n", 12), (12,), ("n",))
def gradient_step(x, w, y):
    return w - 0.1 * x.T @ (x @ w - y) / len(x)


@everyday(("n", 20))
def top_class(x):
    return np.argmax(x, axis=1), np.max(x, axis=1)


@everyday(("n", 24))
def differences(x):
    return np.sqrt((np.diff(x, axis=1) ** 2).mean(axis=1)), np.abs(np.diff(x, axis=1)).max()


@everyday((8, "n"), (8, "n"))
def correlation(x, y):
    x, y = x - x.mean(1, keepdims=True), y - y.mean(1, keepdims=True)
    return (x * y).sum(1) / np.sqrt((x * x).sum(1) * (y * y).sum(1))


@everyday((3, "n", 48))
def luminance(image):
    return np.tensordot(np.array([0.299, 0.587, 0.114], F), image, 1) ** F(1 / 2.2)


def rivals(each: Everyday, arrays: list[np.ndarray]) -> dict[str, Callable[[], Any]]:
    """What runs the same, by name."""
    found: dict[str, Callable[[], Any]] = {"numpy": lambda: each.function(*arrays)}
    for parallel in (False, True)[: int(THREADS)]:
        try:
            import numba

            compiled = numba.njit(each.function, parallel=parallel)
            check(compiled(*arrays), each.function(*arrays))
        except Exception:  # what Numba lacks it says in many ways
            continue
        found["numba, parallel" if parallel else "numba"] = lambda run=compiled: run(*arrays)
    if each.expression:
        try:
            import numexpr
        except ImportError:
            return found
        names = dict(zip("ab", arrays))
        check(numexpr.evaluate(each.expression, names), each.function(*arrays))
        found["numexpr"] = lambda: numexpr.evaluate(each.expression, names)
    return found


def check(found: Any, wanted: Any) -> None:
    """AssertionError where results differ."""
    for one, other in zip(*(x if isinstance(x, tuple) else (x,) for x in (found, wanted)), strict=True):
        np.testing.assert_allclose(one, other, 1e-4, 1e-4)


@dataclass(frozen=True)
class Prepared:
    """A function that griotte has right, with all that is timed beside it."""

    name: str
    ours: Callable[[], Any]
    theirs: dict[str, Callable[[], Any]]


def prepared(each: Everyday, size: int) -> Prepared | str:
    """It, compiled by all; or why griotte has none."""
    arrays = each.inputs(size)
    ours = gt.jit(threads=int(THREADS))(each.function)
    try:
        check(ours(*arrays), each.function(*arrays))
    except gt.GriotteError as error:
        return f"refused: {error}"
    except AssertionError as error:
        return f"wrong: {error}"
    return Prepared(each.name, lambda: ours(*arrays), rivals(each, arrays))


def per_call(run: Callable[[], Any], seconds: float = 0.01) -> float:
    """Seconds of a call, over a turn."""
    count, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        run()
        count += 1
    return spent / count


def ratios(
    ours: Callable[[], Any], theirs: dict[str, Callable[[], Any]], rounds: int
) -> tuple[float, dict[str, float]]:
    """Microseconds of a call of ours, and for each rival the median of the ratios within rounds."""
    own, others = [], {name: [] for name in theirs}
    for _ in range(rounds):
        own.append(per_call(ours))
        for name, run in theirs.items():
            others[name].append(per_call(run) / own[-1])
    return median(own) * 1e6, {name: median(found) for name, found in others.items()}


def overhead(rounds: int) -> None:
    """A jitted call beside its kernel's own, of three small arrays."""
    function = gt.jit(lambda x, y, z: x + y * z)
    arrays = [np.ones(8, F)] * 3
    function(*arrays)
    (run,) = function._classes.values()
    kernel = run.kernel
    bound = kernel.bind(*arrays)
    took = {"jitted": lambda: function(*arrays), "kernel": lambda: kernel(*arrays), "bound": bound}
    times = {name: median(per_call(each) for _ in range(rounds)) * 1e6 for name, each in took.items()}
    print(" ".join(f"{name} {us:.2f} us" for name, us in times.items()))


def compared(every: list[Prepared], rounds: int) -> None:
    """A line for each, and the mean."""
    best = []
    for each in every:
        us, found = ratios(each.ours, each.theirs, rounds)
        best.append(min(found.values()))
        rows = (f"{name} {ratio:.2f}" for name, ratio in found.items())
        print(f"{each.name:22} {us:9.1f} us  best {best[-1]:.2f} ", *rows, flush=True)
    print(f"{len(best)} functions, {THREADS} threads, over the best of the others {geometric_mean(best):.2f}")


def main() -> None:
    """Time what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--overhead", action="store_true")
    parser.add_argument("--wait", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--size", type=int, default=512)
    given = parser.parse_args()
    every = [each for each in EVERY if not given.only or any(part in each.name for part in given.only)]
    if given.list:
        return print(*(f"{each.name} {each.shapes}" for each in every), sep="\n")
    found = {} if given.overhead else {each.name: prepared(each, given.size) for each in every}
    for name, each in found.items():
        print(name, each) if isinstance(each, str) else None
    if given.wait:
        print("ready", flush=True)
        sys.stdin.readline()
    if given.overhead:
        return overhead(given.rounds)
    compared([each for each in found.values() if isinstance(each, Prepared)], given.rounds)


if __name__ == "__main__":
    main()
