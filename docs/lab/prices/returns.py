"""Columns of a result, strip by strip, down so many rows: what is asked for of a row, and what its page costs when a
loop comes back to it.

    python docs/lab/prices/returns.py [ROWS ..]

Of each height of a block of a product's result: microseconds (CPU time) where rows are 3,968 bytes apart, 4,000, so
that half of them begin within a line, and 1,984; and the price.
"""

import sys
import time

import griotte as gt
import numpy as np

ROWS = (14, 28, 56, 98, 196, 392, 784)
WIDE, LEAF = 32, 14


def program(rows: int, columns: int, high: int) -> gt.Program:
    text = f"matmul(f32[{rows},48], f32[48,{columns}])"
    s = gt.schedule(text)
    s = s.tile("m", high) if high < rows else s
    s = s.tile("n", WIDE)
    s = s.tile("m", LEAF) if high > LEAF else s
    return gt.synthesize(s.move("y", "registers", lanes="n").select("multiply_add"))


def microseconds(calls: list, rounds: int = 30) -> list[float]:
    times: list[list[float]] = [[] for _ in calls]
    for turn in range(rounds):
        for i in range(len(calls)) if turn % 2 else reversed(range(len(calls))):
            began = time.process_time()
            calls[i]()
            times[i].append(1e6 * (time.process_time() - began))
    return [float(np.quantile(each, 0.2)) for each in times]


def main() -> None:
    heights = tuple(map(int, sys.argv[1:])) or ROWS
    rng = np.random.default_rng(0)
    for columns in (992, 1000, 496):
        found = [program(784, columns, high) for high in heights]
        a, b = rng.standard_normal((784, 48), np.float32), rng.standard_normal((48, columns), np.float32)
        kernels = [each.compile() for each in found]
        times = microseconds([k.bind(a, b) for k in kernels])
        for high, each, us in zip(heights, found, times):
            print(f"{columns:5} columns, {high:4} rows down: {us:8.1f} us, priced {each.cost:12,.0f} cycles")


if __name__ == "__main__":
    main()
