"""What a part of a row takes, all in L2, by how many rows a leaf reads side by side: rows that begin on one set of L1
beside rows that do not (README.md, Parts of rows on one set).

    python docs/lab/prices/visits.py

Cycles at 2.45 GHz of a row's part of one leaf, for each leaf and each length of rows; the least of 9 turns.
"""

import time

import griotte as gt
import numpy as np

LEAVES = ((1, 16), (1, 48), (2, 32), (4, 16), (4, 24), (6, 16))
STEPS, COLUMNS = (8, 16, 32, 64), (1008, 1024, 1056)
HERTZ, CALL = 2.45e9, 500  # cycles of a call from Python


def within(shape: tuple[int, int]) -> np.ndarray:
    """Ones that begin 16 bytes into a line, as NumPy's arrays do."""
    room = np.empty(4 * shape[0] * shape[1] + 64, np.uint8)
    start = (16 - room.ctypes.data) % 64
    found = room[start : start + 4 * shape[0] * shape[1]].view(np.float32).reshape(shape)
    found[...] = 1
    return found


def bound(rows: int, steps: int, columns: int, wide: int):
    """A call of a product by leaves of so many rows and columns, each down all its steps."""
    s = gt.schedule(f"matmul(f32[{rows},{steps}], f32[{steps},{columns}])").tile("n", wide)
    program = gt.synthesize(s.move("y", "registers", lanes="n").select("multiply_add"))
    return program.compile().bind(within((rows, steps)), within((steps, columns)))


def main() -> None:
    cases = [(rows, steps, n, wide) for rows, wide in LEAVES for steps in STEPS for n in COLUMNS]
    calls = {case: bound(*case) for case in cases}
    least = dict.fromkeys(cases, float("inf"))
    for _ in range(9):
        for case, call in calls.items():
            rows, steps, n, _ = case
            count = max(4, 300_000 // (rows * steps * n))
            call()
            began = time.perf_counter()
            for _ in range(count):
                call()
            least[case] = min(least[case], (time.perf_counter() - began) / count)
    print(f"{'leaf':8} {'k':>3}", *(f"{n:>8}" for n in COLUMNS))
    for rows, wide in LEAVES:
        for steps in STEPS:
            taken = [(HERTZ * least[rows, steps, n, wide] - CALL) / (steps * n / wide) for n in COLUMNS]
            print(f"{f'{rows}x{wide}':8} {steps:3}", *(f"{cycles:8.1f}" for cycles in taken))


if __name__ == "__main__":
    main()
