"""Conversions of integers and floats of fewer than 16 bits, in C and in the reference, on all their values."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from features import skip_without
from griotte.engine.vectors.library import VectorLibrary
from griotte.lang.types.dtypes import DTYPES, TINY, convert, limits
from vector_data import floats
from vector_harness import CONFIGS, compile_c

PARTS = ("u2", "s2", "u4", "s4")
WIDE = ("f32", "f64", "f16", "bf16", "s8", "u8", "s32", "s64", "u64")
PAIRS = [pair for narrow in (*PARTS, *TINY) for wide in WIDE for pair in ((narrow, wide), (wide, narrow))]
PAIRS += [("f8e4m3fn", "f8e5m2fnuz"), ("f8e5m2", "s4"), ("u4", "f4e2m1fn"), ("s2", "u4"), ("f8e4m3fnuz", "pred")]


def source(config) -> str:
    library, loops = VectorLibrary(config.features), []
    for source, to in PAIRS:
        lanes = config.lanes(source, to)
        call = library.convert(source, to, lanes)
        load = library.load(source, lanes)
        store = library.store(to, lanes)
        loops.append(
            f"void {source}_{to}(const {library.scalar(source)} *a, {library.scalar(to)} *out, int64_t count)\n"
            f"{{ for (int64_t k = 0; k < count; k += {lanes}) {store}(out + k, {call}({load}(a + k))); }}"
        )
    return library.definitions() + "\n".join(loops)


@pytest.fixture(scope="module", params=CONFIGS)
def loops(request, tmp_path_factory):
    config = CONFIGS[request.param]
    skip_without(config.features)
    folder = tmp_path_factory.mktemp("narrow")
    return ctypes.CDLL(
        str(compile_c(source(config), folder, f"{config.name}.so", "-O1", "-shared", "-fPIC", *config.flags))
    )


def values(name: str) -> np.ndarray:
    """All of 16 bits and fewer; of the integers of fewer than 8 with anything in the rest of their byte."""
    row = DTYPES[name]
    if row.bytes <= 2:
        kind = f"u{row.bytes}"
        found = np.arange(1 << 8 * row.bytes).astype(kind)
        return (found % (1 << row.bits) if row.kind == "float" and row.bits < 8 else found).view(row.numpy)
    if row.kind == "float":
        return floats(name)
    near = np.arange(-600, 600)
    low, high = limits(name)
    ends = [low, low + 1, high - 1, high, *(2**k + d for k in range(15, row.bits - 1) for d in (-1, 0, 1))]
    return np.array([*(near.astype(object) if low else np.abs(near)), *ends], row.numpy)


def number(array: np.ndarray, name: str) -> np.ndarray:
    """What values are, in f64."""
    row = DTYPES[name]
    if row.kind == "float" or row.bits >= 8:
        return array.astype(np.float64)
    whole = array.view(np.uint8).astype(int) % (1 << row.bits)
    return (whole - (whole >= 1 << row.bits - 1) * (row.kind == "signed") * (1 << row.bits)).astype(np.float64)


def nearest(exact: np.ndarray, name: str) -> np.ndarray:
    """Patterns of the nearest values of a dtype, found among them all; of two as near the even one."""
    row = DTYPES[name]
    patterns = np.arange(1 << row.bits - 1).astype(np.uint8)
    magnitudes = patterns.view(row.numpy).astype(np.float64)
    patterns, magnitudes = patterns[np.isfinite(magnitudes)], magnitudes[np.isfinite(magnitudes)]
    step = magnitudes[-1] - magnitudes[-2]
    edges = np.append(magnitudes, magnitudes[-1] + step)  # what would be next
    size = np.minimum(np.abs(exact), edges[-1])
    above = np.clip(np.searchsorted(edges, size), 1, len(edges) - 1)
    down, up = size - edges[above - 1], edges[above] - size
    found = np.where((up < down) | (up == down) & (above % 2 == 0), above, above - 1)
    beyond = np.inf if name == "f8e5m2" else magnitudes[-1] if row.bits == 4 else np.nan
    values = np.append(magnitudes, beyond)[found]
    return np.where(np.isnan(exact), np.nan, np.copysign(values, exact))


@pytest.mark.parametrize("name", TINY)
def test_a_cast_to_few_bits_gives_the_nearest(name):
    for given in ("f32", "f64"):
        array = values(given)
        with np.errstate(invalid="ignore"):
            exact = array.astype(np.float64)
            found, wanted = convert(array, name).astype(np.float64), nearest(exact, name)
        wrong = (found != wanted) & ~(np.isnan(found) & np.isnan(wanted))
        if name == "f4e2m1fn":
            wrong &= ~np.isnan(exact)
        assert not wrong.any(), (exact[wrong][:5], found[wrong][:5], wanted[wrong][:5])


@pytest.mark.parametrize(("given", "to"), PAIRS, ids="-".join)
def test_the_c_of_a_cast_is_the_reference(loops, given, to):
    array = values(given)
    padded = np.ascontiguousarray(np.pad(array.view(f"u{array.itemsize}"), (0, -len(array) % 64)))
    out = np.empty(len(padded), f"u{DTYPES[to].bytes}")
    loop = loops[f"{given}_{to}"]
    loop(*(ctypes.c_void_p(a.ctypes.data) for a in (padded, out)), ctypes.c_int64(len(padded)))
    whole = number(array, given).astype(np.int64) if given in PARTS else array
    wanted, found = convert(whole, to), out[: len(array)].view(DTYPES[to].numpy)
    if to in PARTS:  # what the rest of a byte holds is not said
        same = number(found, to) == number(wanted, to)
    else:
        same = found.view(out.dtype) == wanted.view(out.dtype)
    if DTYPES[to].kind == "float":
        same |= np.isnan(found.astype(np.float64)) & np.isnan(wanted.astype(np.float64))
    assert same.all(), (array[~same][:5], found[~same][:5], wanted[~same][:5])
