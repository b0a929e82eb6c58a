"""What the machine can do, measured in turns with the contestants: multiply-adds in registers, tile multiplications, a
read of as many bytes."""

from __future__ import annotations

import functools
import time
from types import SimpleNamespace

from griotte.machine import resolve
from griotte.runtime.timing import fma_peak, read_bandwidth

from racing.contestant import Skip, Way
from racing.rivals import shim


def _peak(problem, a, b, threads):
    """Multiply-adds of the problem's dtype in vector registers; `work` in flop.

    Of bf16: by dot products, or widened to f32, whichever is faster; there are CPUs on which the dot product has half
    the rate.
    """
    probe = fma_peak(resolve("native"), threads)
    found = [Way("f32 multiply-add", probe, None, work=probe.work)] if problem.dtype != "u8s8" else []
    if problem.dtype != "f32":
        found += _counted(0, problem, threads, "dot product")
    if not found:
        raise Skip("this CPU has no such dot product")
    yield max(found, key=_rate)


def _tiles(problem, a, b, threads):
    if problem.dtype == "f32":
        raise Skip("no tiles of f32")
    found = _counted(1, problem, threads, "tile product")
    if not found:
        raise Skip("this CPU has no tile registers")
    yield from found


def _rate(way: Way) -> float:
    way.run()
    started = time.perf_counter()
    for _ in range(5):
        way.run()
    return way.work / (time.perf_counter() - started)


def _counted(way, problem, threads, name) -> list[Way]:
    library = shim.library("probes.c")
    state = library.make(way, shim.DTYPES[problem.dtype], 1, 1, 1, 1, 0, 0, threads, *[shim._FFI.NULL] * 3)
    if state == shim._FFI.NULL:
        return []
    work = shim._FFI.cast("double *", state)[0]
    return [
        Way(
            name, functools.partial(library.run, state), None, work=work, release=functools.partial(library.done, state)
        )
    ]


def _read(problem, a, b, threads):
    if not problem.is_read:
        raise Skip("not a matter of reading")
    probe = read_bandwidth(problem.weight_bytes, resolve("native"), threads)
    yield Way("sum", probe, None, work=probe.work)


def _versions() -> dict:
    return {}


def _probe(ways) -> SimpleNamespace:
    return SimpleNamespace(
        ways=ways, graphs=lambda problem, arrays, threads: ways(problem, None, None, threads), versions=_versions
    )


peak, tiles, read = map(_probe, (_peak, _tiles, _read))
