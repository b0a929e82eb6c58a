"""Hostile values of every dtype, and what conversions must make of them: NumPy and exact integers, nothing of
griotte's."""

from __future__ import annotations

import functools
from fractions import Fraction

import numpy as np
from vector_harness import HELD, MEANT

INTEGERS = {
    "s4": (-8, 7),
    "s8": (-128, 127),
    "u8": (0, 255),
    "s16": (-(2**15), 2**15 - 1),
    "u16": (0, 2**16 - 1),
    "pred": (0, 1),
    "s32": (-(2**31), 2**31 - 1),
    "u32": (0, 2**32 - 1),
    "s64": (-(2**63), 2**63 - 1),
    "u64": (0, 2**64 - 1),
}
EDGES = sorted({bound for pair in INTEGERS.values() for bound in pair} | {2**k for k in range(64)} | {0, 3, 5, 100})


def floats(dtype: str) -> np.ndarray:
    """f32 or f64: every special value, integers' bounds and their neighbours, f16 and bf16 limits, all exponents at
    random."""
    kind = HELD[dtype]
    info = np.finfo(kind)
    base = [
        0.0,
        0.5,
        1.0,
        1.5,
        2.5,
        1 / 3,
        65504,
        65519,
        65520,
        65536,
        2.0**-24,
        2.0**-25,
        2.0**-14,
        3.38953139e38,
        3.39e38,
        1e300,
    ]
    base += [float(info.tiny), float(info.smallest_subnormal), float(info.max), np.inf, *map(float, EDGES)]
    with np.errstate(over="ignore"):
        positive = np.array(base, kind)
        around = [positive, np.nextafter(positive, kind(np.inf)), np.nextafter(positive, kind(0)), positive + kind(0.5)]
    unsigned = np.uint32 if dtype == "f32" else np.uint64
    random = np.random.default_rng(1)
    patterns = random.integers(0, np.iinfo(unsigned).max, 20_000, unsigned, endpoint=True).view(kind)
    nans = np.array([np.nan, -np.nan], kind)
    low_payload = np.array([int(np.array(np.inf, kind).view(unsigned)) + 1, np.iinfo(unsigned).max], unsigned).view(
        kind
    )
    ranges = [(random.standard_normal(2000) * scale).astype(kind) for scale in (1e-6, 1, 30, 2e2, 4e4, 3e9, 1e19)]
    values = np.concatenate([*around, patterns, nans, low_payload, *ranges])
    return np.concatenate([values, -values])


@functools.cache
def values(dtype: str) -> np.ndarray:
    """Hostile and random values in the held type: all of them for 16 bits and less."""
    if dtype in ("f32", "f64"):
        return floats(dtype)
    if dtype in ("f16", "bf16"):
        return np.arange(1 << 16, dtype=np.uint16)
    low, high = INTEGERS[dtype]
    if high - low < 1 << 16:
        return np.arange(low, high + 1).astype(HELD[dtype])
    near = {sign * edge + step for edge in EDGES for sign in (1, -1) for step in (-2, -1, 0, 1, 2)}
    halfway = {
        sign * ((2 * m + 1) << k) + step
        for m in range(128, 136)
        for k in range(53)
        for step in (-1, 0, 1)
        for sign in (1, -1)
    }
    random = np.random.default_rng(2).integers(low, high, 5000, HELD[dtype], endpoint=True)
    chosen = sorted(value for value in near | halfway if low <= value <= high)
    return np.concatenate([np.array(chosen, HELD[dtype]), random, random >> 9])


def meaning(array: np.ndarray, dtype: str) -> np.ndarray:
    """Held values as f64 (exact for all floats) or as they are (integers)."""
    if dtype not in ("f16", "bf16"):
        return array
    with np.errstate(invalid="ignore"):
        return array.view(MEANT[dtype]).astype(np.float64)


@functools.cache
def converted(source: str, to: str) -> np.ndarray:
    """The reference conversion of `values(source)`, in the held type of `to`."""
    exact = meaning(values(source), source)
    if source in INTEGERS:
        return _integer_to_half(exact, to) if to in ("f16", "bf16") else _integer_to(exact, to)
    if to in INTEGERS:
        return _float_to_integer(exact, to)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        if to == "bf16":
            return _to_bf16(exact.astype(np.float64))
        return exact.astype(MEANT[to]).view(HELD[to])


def _integer_to(exact: np.ndarray, to: str) -> np.ndarray:
    if to in ("f32", "f64", "s32", "u32", "s64", "u64"):
        return exact.astype(HELD[to])
    low, high = INTEGERS[to]
    return np.array([min(max(int(value), low), high) for value in exact], HELD[to])


def _integer_to_half(exact: np.ndarray, to: str) -> np.ndarray:
    if to == "bf16":
        return np.array([_bf16_of_integer(int(value)) for value in exact], np.uint16)
    with np.errstate(over="ignore"):
        return exact.astype(np.float64).astype(np.float16).view(np.uint16)  # what f64 cannot hold is infinite here


def _bf16_of_integer(value: int) -> int:
    """Round a whole number to 8 significant bits, ties to even, and put the pattern together."""
    magnitude, sign = abs(value), (value < 0) << 15
    if magnitude == 0:
        return 0
    shift = magnitude.bit_length() - 8
    significand = round(Fraction(magnitude, 2**shift) if shift >= 0 else Fraction(magnitude * 2**-shift))
    if significand == 256:
        significand, shift = 128, shift + 1
    return sign | ((shift + 7 + 127) << 7) | (significand - 128)


def _to_bf16(exact: np.ndarray) -> np.ndarray:
    """The nearest bf16 to an f64, by comparing the two neighbours: their distances to it are exact in f64."""
    single = np.abs(exact).astype(np.float32)
    below = single.view(np.uint32) >> 16
    too_high = (below.astype(np.uint32) << 16).view(np.float32).astype(np.float64) > np.abs(exact)
    below = below - too_high
    low, high = (((below + step) << 16).astype(np.uint32).view(np.float32).astype(np.float64) for step in (0, 1))
    high = np.where(np.isinf(high), 2.0**128, high)
    down, up = np.abs(exact) - low, high - np.abs(exact)
    nearest = below + ((up < down) | ((up == down) & (below & 1 == 1)))
    nearest = np.where(np.isinf(exact), 0x7F80, np.where(np.isnan(exact), 0x7FC0, nearest))
    return (nearest | (np.signbit(exact) << 15)).astype(np.uint16)


def _float_to_integer(exact: np.ndarray, to: str) -> np.ndarray:
    if to == "pred":
        return (exact != 0).astype(np.uint8)
    low, high = INTEGERS[to]
    whole = [
        0 if np.isnan(value) else low if value <= low else high if value >= high else int(value) for value in exact
    ]
    return np.array(whole, HELD[to])
