"""What the machine can do, measured in turns with the contestants: multiply-adds in registers, tile multiplications, a read of as many bytes."""

from __future__ import annotations

import functools
from types import SimpleNamespace

from griotte.runtime.timing import fma_peak, read_bandwidth
from griotte.targets import resolve
from racing.contestant import Skip, Way
from racing.rivals import shim

LARGE = 4 << 20  # bytes of weights from which a read rate is worth knowing


def _peak(problem, a, b, threads):
    """Vector multiply-adds of the problem's dtype; `work` in flop."""
    if problem.dtype == "f32":
        probe = fma_peak(resolve("native"), threads)
        yield Way("f32 multiply-add", probe, None, work=probe.work)
        return
    yield from _counted(0, problem, a, b, threads, "vector dot products", "this CPU has no such dot product")


def _tiles(problem, a, b, threads):
    if problem.dtype == "f32":
        raise Skip("no tiles of f32")
    yield from _counted(1, problem, a, b, threads, "tile products", "this CPU has no tile registers")


def _counted(way, problem, a, b, threads, name, why_not):
    library = shim.library("probes.c")
    state = library.make(way, shim.DTYPES[problem.dtype], 1, 1, 1, 1, 0, 0, threads, *[shim._FFI.NULL] * 3)
    if state == shim._FFI.NULL:
        raise Skip(why_not)
    work = shim._FFI.cast("double *", state)[0]
    yield Way(name, functools.partial(library.run, state), None, work=work, release=functools.partial(library.done, state))


def _read(problem, a, b, threads):
    if problem.m > 16 or problem.weight_bytes < LARGE:
        raise Skip("not a matter of reading")
    probe = read_bandwidth(problem.weight_bytes, resolve("native"), threads)
    yield Way("sum", probe, None, work=probe.work)


def _versions() -> dict:
    return {}


peak, tiles, read = (SimpleNamespace(ways=ways, versions=_versions) for ways in (_peak, _tiles, _read))
