"""Products by hand beside the search's own and NumPy's, all on the same arrays, in turns: rows of the second matrix
side by side over its whole width, as schedules and in C, and GotoBLAS's five loops (README.md).

    export PYTHONPATH=benchmarks OPENBLAS_NUM_THREADS=1
    python docs/lab/products/beside.py KERNELS 1x3072x768 777x777x777 [--target NAME]   searches, compiles, keeps
    taskset -c 1 python docs/lab/products/beside.py KERNELS 1x3072x768 777x777x777 --time

Two steps, so that nothing but kernels runs while kernels are timed. NAME is a target as benchmarks/priced.py has it.
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import griotte as gt
import numpy as np
from griotte.runtime import load
from griotte.support.errors import GriotteError
from priced import target_named

MOST_STEPS, STEPS = 256, 200  # of a reduction that a schedule may split it into, and those of a part where it is longer
WARM, TURN, ROUNDS = 0.004, 0.012, 7  # seconds of a turn that do not count and that do, and turns of each


def rows_side_by_side(text: str, k: int, rows: int, columns: int, target: Any) -> Any:
    """So many rows of the second matrix at once, over its whole width, so many columns to a leaf."""
    s = gt.schedule(text, target=target)
    s = s.split("k", rows * STEPS) if k // rows > MOST_STEPS else s
    return gt.synthesize(s.split("k", rows).tile("n", columns), threads=1, table="none")


def five_loops(text: str, leaf: tuple[int, int], depth: int, height: int, target: Any) -> Any:
    """Panels of the second matrix in L3, slivers of the first in L2, a panel in L1, tiles of registers."""
    rows, columns = leaf
    s = gt.schedule(text, target=target).split("k", depth).move(1, "L3", panel=columns).tile("m", height)
    s = s.move(0, "L2", panel=rows).tile("n", columns).move(1, "L1").tile("m", rows)
    return gt.synthesize(s.move("y", "registers", lanes="n").select("multiply_add"), threads=1, table="none")


def by_hand(k: int, n: int, rows: int, columns: int, ahead: int) -> str:
    """C of one row by a matrix: so many of its rows side by side, so many columns a step, asked for bytes ahead."""
    vectors, sums = range(columns // 8), range(rows)
    ask = [
        f"__builtin_prefetch((const char *)(b{r} + j) + {ahead + at}, 0, 3);"
        for r in sums
        for at in range(0, 4 * columns, 64)
        if ahead
    ]
    add = [f"c{v} = _mm256_fmadd_ps(a{r}, _mm256_loadu_ps(b{r} + j + {8 * v}), c{v});" for r in sums for v in vectors]
    begin = [f"__m256 c{v} = k ? _mm256_loadu_ps(y + j + {8 * v}) : _mm256_setzero_ps();" for v in vectors]
    end = [f"_mm256_storeu_ps(y + j + {8 * v}, c{v});" for v in vectors]
    last = " + ".join(f"x[k + {r}] * b{r}[j]" for r in sums)
    given = [f"const float *b{r} = b + (k + {r}) * {n}L; const __m256 a{r} = _mm256_set1_ps(x[k + {r}]);" for r in sums]
    return "\n".join((
        "#include <immintrin.h>",
        "void f(const float *restrict x, const float *restrict b, float *restrict y)",
        f"{{ for (long k = 0; k < {k}; k += {rows}) {{",
        *given,
        f"long j = 0; for (; j + {columns} <= {n}; j += {columns}) {{",
        *(*ask, *begin, *add, *end),
        f"}} for (; j < {n}; j++) y[j] = (k ? y[j] : 0) + {last};",
        "} }",
    ))  # fmt: skip


def contestants(m: int, k: int, n: int, target: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What takes part: programs, and C as text."""
    text = f"matmul(f32[{m},{k}], f32[{k},{n}])"
    yield "search", lambda: gt.synthesize(text, target, threads=1, table="none")
    if m == 1:
        for rows in (4, 8, 12):
            for columns in (16, 32, 48, 64, 96):
                name = f"rows {rows} by {columns}"
                yield name, lambda r=rows, c=columns: rows_side_by_side(text, k, r, c, target)
        for rows, columns, ahead in ((r, c, a) for r in (4, 8) for c in (16, 32, 64) for a in (0, 128) if k % r == 0):
            yield f"C {rows} by {columns} ahead {ahead}", lambda w=(rows, columns, ahead): by_hand(k, n, *w)
    else:
        for leaf, depth, height in (((6, 16), 256, 96), ((6, 16), 256, 144), ((6, 16), 192, 192), ((4, 24), 160, 144)):
            name = f"five loops {leaf[0]}x{leaf[1]} {depth} {height}"
            yield name, lambda w=(leaf, depth, height): five_loops(text, *w, target)


def prepared(folder: Path, sizes: tuple[int, int, int], target: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, made in contestants(*sizes, target):
        path = folder / name.replace(" ", "-")
        try:
            found = made()
        except GriotteError as why:
            print(f"{folder.name} {name}: {why}")
            continue
        if isinstance(found, str):
            path.with_suffix(".c").write_text(found)
            flags = ["-O3", "-march=native", "-shared", "-fPIC"]
            subprocess.run(["gcc", *flags, "-o", path.with_suffix(".so"), path.with_suffix(".c")], check=True)
        else:
            found.compile().save(path)
            print(f"{folder.name} {name}: {found.cost:.4g} cycles by the model", flush=True)


def bound(path: Path, arrays: tuple[np.ndarray, ...]) -> Callable[[], Any]:
    if path.is_dir():
        return load(path).bind(*arrays[:2], out=arrays[2])
    call, where = ctypes.CDLL(str(path)).f, [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    return lambda: call(*where)


def timed(folder: Path, sizes: tuple[int, int, int]) -> None:
    m, k, n = sizes
    rng = np.random.default_rng(0)
    x, b = (rng.standard_normal(shape, dtype=np.float32) for shape in ((m, k), (k, n)))
    y, right = np.empty((m, n), np.float32), x.astype(np.float64) @ b
    runs = {p.stem: bound(p, (x, b, y)) for p in sorted(folder.iterdir()) if p.is_dir() or p.suffix == ".so"}
    for name, run in runs.items():
        run()
        assert np.abs(y - right).max() < 1e-4 * np.abs(right).max(), f"{folder.name} {name} is wrong"
    runs["numpy"] = lambda: np.matmul(x, b, out=y)
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(ROUNDS):
        for name in sorted(runs, reverse=number % 2 == 1):
            taken[name].append(_turn(runs[name]))
    print(folder.name)
    for name, seconds in sorted(taken.items(), key=lambda found: statistics.median(found[1])):
        ratio = statistics.median(a / b for a, b in zip(taken["numpy"], seconds))
        print(f"    {name:28} {1e6 * statistics.median(seconds):9.1f} us, NumPy's over it {ratio:.2f}")


def _turn(run: Callable[[], Any]) -> float:
    began, seconds = time.perf_counter(), []
    while time.perf_counter() - began < WARM:
        run()
    began = before = time.perf_counter()
    while before - began < TURN:
        run()
        now = time.perf_counter()
        seconds.append(now - before)
        before = now
    return statistics.median(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", type=Path)
    parser.add_argument("sizes", nargs="+", metavar="MxKxN")
    parser.add_argument("--target", default="native")
    parser.add_argument("--time", action="store_true")
    given = parser.parse_args()
    for text in given.sizes:
        m, k, n = map(int, text.split("x"))
        if given.time:
            timed(given.kernels / text, (m, k, n))
        else:
            prepared(given.kernels / text, (m, k, n), target_named(given.target))


if __name__ == "__main__":
    main()
