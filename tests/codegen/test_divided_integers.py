"""Integers divided by 0, and the lowest by -1: generated C of each width, by itself, under sanitizers. A processor ends
the process at either."""

import itertools

import numpy as np
import pytest
from generated_harness import Case, run
from griotte import synthesize
from griotte.lang.calls.spec import Spec
from griotte.lang.meaning.reference import interpret
from griotte.lang.text.text import parse
from griotte.lang.types.dtypes import dtype as row
from machines import machine

INTEGERS = ("s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64")
CALLS = ("div", "mod", "fmod")


def hostile(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of the ends of a dtype, and of small numbers of both signs."""
    held = row(dtype).numpy
    least, most = int(np.iinfo(held).min), int(np.iinfo(held).max)
    numbers = {least, most, least + 1, 0, 1, 2, 7} | ({-1, -2, -7} if least else set())
    return tuple(np.array(each, held) for each in zip(*itertools.product(sorted(numbers), repeat=2)))


def quotients(spec: Spec, call: str, x: np.ndarray, y: np.ndarray) -> list[int]:
    """By Python's integers: x / 0 is all ones, and what is too large wraps. Narrow integers are divided in 32 bits, and
    take what comes of that as any sum of theirs does: so says the reference."""
    bits, signed = 8 * x.itemsize, x.dtype.kind == "i"
    if bits < 32:
        return interpret(spec, *(x, y)[: len(spec.inputs)]).tolist()
    half, found = 1 << bits - 1, []
    wrapped = lambda n: (n + half) % (1 << bits) - half if signed else n % (1 << bits)
    for a, b in zip(x.tolist(), y.tolist()):
        whole = -1 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        rest = wrapped(a - whole * b)
        if call == "mod" and b and rest and (rest < 0) != (b < 0):
            rest += b
        found.append(wrapped(whole) if call == "div" else rest)
    return found


@pytest.mark.parametrize("name", ("portable", "avx2", "avx512"))
def test_no_division_ends_the_process(name, tmp_path):
    target, cases, wanted = machine(name), [], []
    for dtype, call in itertools.product(INTEGERS, CALLS):
        x, y = hostile(dtype)
        of = f"{dtype}[{len(x)}]"
        spec = parse(f"{call}({of}, {of})")
        cases.append(Case(synthesize(spec, target, table="none").root, spec, (x, y)))
        wanted.append(quotients(spec, call, x, y))
    for case, found, right in zip(cases, run(cases, target, tmp_path), wanted):
        assert found.tolist() == right, str(case.spec)


@pytest.mark.parametrize("divisor", (0, -1))
def test_nor_does_one_by_a_number(divisor, tmp_path):
    target, cases, wanted = machine("avx2"), [], []
    for dtype, call in itertools.product(INTEGERS, CALLS):
        if divisor < 0 and dtype[0] == "u":
            continue
        x, y = hostile(dtype)
        spec = parse(f"{call}({dtype}[{len(x)}], {divisor})")
        cases.append(Case(synthesize(spec, target, table="none").root, spec, (x,)))
        wanted.append(quotients(spec, call, x, np.full_like(y, divisor)))
    for case, found, right in zip(cases, run(cases, target, tmp_path), wanted):
        assert found.tolist() == right, str(case.spec)
