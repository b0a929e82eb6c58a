"""Maps whose result begins so many bytes after their input within a page: how long they take, over 2048 bytes on
(README.md, Results beside their inputs).

    python docs/lab/prices/placed.py
"""

from __future__ import annotations

import numpy as np
from griotte.compiler.session import Session
from griotte.compiler.synthesis import searched
from griotte.lang.nests.family import PAGE
from griotte.lang.text.text import parse
from griotte.machine import resolve
from griotte.runtime.calibrate.timing import Stopwatch, arrays_of, opened, undisturbed
from griotte.runtime.toolchain import compile_shared

SPECS = (
    ("relu(f32[500,500])", 1),
    ("exp(f32[256,1024])", 1),
    ("tanh(f32[500,500])", 1),
    ("add(f32[1000,1000], f32[1000])", 1),
    ("exp(f32[1024,1024])", 2),
    ("add(f32[1000,1000], f32[1000])", 2),
)
INPUT, AFTER, ROUNDS = 16, (0, 16, 48, 112, 240, 496, 1008, 2032, 3056, 4080), 5


def at(array: np.ndarray, start: int) -> np.ndarray:
    """The array, which begins so many bytes into a page."""
    room = np.empty(array.nbytes + 2 * PAGE, np.uint8)
    begin = (start - room.ctypes.data) % PAGE
    found = room[begin : begin + array.nbytes].view(array.dtype)
    found[...] = array
    return found


def main() -> None:
    target, watch, rng = resolve("native"), Stopwatch(), np.random.default_rng(0)
    print(f"{'bytes after its input':36}" + "".join(f"{after:7}" for after in AFTER))
    for text, threads in SPECS:
        program = searched(parse(text), Session(target, threads, "none"))
        *inputs, output = arrays_of(parse(text), rng)
        kernel = opened(compile_shared(program.to_c(), target.flags), program.function, len(inputs) + 1)
        inputs = [at(each, INPUT) for each in inputs]
        outputs = [at(output, INPUT + after) for after in AFTER]
        rounds = [[min(watch.cycles(kernel, [*inputs, y]) or [np.nan]) for y in outputs] for _ in range(ROUNDS)]
        took = np.array([undisturbed(found, 0.5) for found in zip(*rounds)])
        print(f"{text + f' @{threads}':36}" + "".join(f"{x:7.2f}" for x in took / took[AFTER.index(2032)]))


if __name__ == "__main__":
    main()
