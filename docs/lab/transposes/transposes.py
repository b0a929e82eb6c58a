"""Transposes beside NumPy's, torch's, and a copy that turns nothing.

    python docs/lab/transposes/transposes.py TARGET BEGIN DTYPE:ROWS:COLUMNS ..

Microseconds of CPU time, the 0.2 quantile of 21 turns, one thread. Arrays begin BEGIN bytes into a page: 0, or 16 as
large ones of NumPy do. torch's is left out where it is not installed.
"""

import sys
import time

import griotte as gt
import numpy as np

try:
    import torch
except ImportError:
    torch = None

PAGE = 4096
TURNS = 21
DTYPES = {"u8": np.uint8, "s16": np.int16, "f32": np.float32, "f64": np.float64}


def array(rows: int, columns: int, dtype, begin: int) -> np.ndarray:
    count = rows * columns * np.dtype(dtype).itemsize
    room = np.zeros(count + 2 * PAGE, np.uint8)
    at = -room.ctypes.data % PAGE + begin
    return room[at : at + count].view(dtype).reshape(rows, columns)


def calls(text: str, target: str, begin: int) -> dict:
    """What is timed, by name."""
    name, rows, columns = text.split(":")
    m, n, dtype = int(rows), int(columns), DTYPES[name]
    kernel = gt.compile(f"transpose({name}[{m},{n}])", target, table="none")
    x, y, z = (array(*shape, dtype, begin) for shape in ((m, n), (n, m), (m, n)))
    x[...] = np.random.default_rng(0).integers(0, 99, (m, n))
    assert (kernel(x) == x.T).all()
    found = {
        "griotte": lambda: kernel(x, out=y),
        "numpy": lambda: np.copyto(y, x.T),
        "a plain copy": lambda: np.copyto(z, x),
    }
    if torch:
        torch.set_num_threads(1)
        here, there = torch.from_numpy(x), torch.from_numpy(y)
        found |= {"torch copy_": lambda: there.copy_(here.t()), "torch contiguous": lambda: here.t().contiguous()}
    return found


def seconds(call, count: int) -> float:
    begun = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - begun) / count


def main(target: str, begin: str, *texts: str) -> None:
    for text in texts:
        timed = calls(text, target, int(begin))
        counts = {
            name: max(1, int(1e-3 / (1e-9 + max(seconds(call, 2), seconds(call, 2))))) for name, call in timed.items()
        }
        times: dict[str, list[float]] = {name: [] for name in timed}
        for turn in range(TURNS):
            for name in timed if turn % 2 else reversed(timed):
                times[name].append(seconds(timed[name], counts[name]))
        print(f"{text:16s}" + "  ".join(f"{name} {1e6 * np.quantile(each, 0.2):.2f}" for name, each in times.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
