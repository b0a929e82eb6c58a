"""Division by numbers that are known: as products to the bit, in C of each instruction set that this machine has.
Integers divided by 0, and the lowest by -1, of each width, under sanitizers: a processor ends the process at either."""

from __future__ import annotations

import ctypes
import itertools

import numpy as np
import pytest
from features import skip_without
from generated_harness import Case, assert_right, both_kinds, run
from griotte import synthesize
from griotte.engine.vectors.library import VectorLibrary
from griotte.lang.calls.spec import Spec
from griotte.lang.functions import reciprocal
from griotte.lang.meaning.reference import interpret
from griotte.lang.text.text import parse
from griotte.lang.types.dtypes import dtype as row
from griotte.runtime.leaves import resolved
from machines import machine
from vector_data import floats
from vector_harness import CONFIGS, HELD, compile_c

WINDOWS = (3.0, 6.0, 9.0, 25.0, 49.0)
DIVISORS = (*WINDOWS, -7.0, 100.0, 0.1, 1e-7, 3.3e9, 1 / 3, 4.0, -0.125, 0.0, np.inf, np.nan, 1e30)


@pytest.fixture(scope="module", params=CONFIGS)
def divided(request, tmp_path_factory):
    """The quotients of x by one of DIVISORS, in C."""
    config, kinds = CONFIGS[request.param], ("f32", "f64")
    skip_without(config.features)
    library, loops = VectorLibrary(config.features), []
    for dtype in kinds:
        lanes = config.lanes(dtype)
        load, store, scalar = library.load(dtype, lanes), library.store(dtype, lanes), library.scalar(dtype)
        for n, divisor in enumerate(DIVISORS):
            loops.append(
                f"void {dtype}_{n}(const {scalar} *a, {scalar} *out, int64_t count)\n{{ for (int64_t k = 0; k < count;"
                f" k += {lanes}) {store}(out + k, {library.divided(f'{load}(a + k)', divisor, dtype, lanes)}); }}"
            )
    text = library.definitions() + "\n".join(loops)
    assert ("times_both_f32" in text) == ("avx512f" in config.features)
    folder = tmp_path_factory.mktemp("divided")
    built = ctypes.CDLL(str(compile_c(text, folder, f"{config.name}.so", "-O2", "-shared", "-fPIC", *config.flags)))

    def quotients(x: np.ndarray, divisor: float) -> np.ndarray:
        x = np.pad(x, (0, -len(x) % 64))
        dtype = next(kind for kind in kinds if HELD[kind] == x.dtype)
        out = np.empty_like(x)
        at = (array.ctypes.data_as(ctypes.c_void_p) for array in (x, out))
        getattr(built, f"{dtype}_{DIVISORS.index(divisor)}")(*at, ctypes.c_int64(len(x)))
        return out

    return quotients


def by_numpy(x: np.ndarray, divisor: float) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.pad(x, (0, -len(x) % 64)) / x.dtype.type(divisor)


@pytest.mark.parametrize("divisor", (9.0, 49.0, 0.1))
def test_each_fraction_is_divided_to_the_bit(divided, divisor):
    x = np.arange(0x3F800000, 0x40000000, dtype=np.uint32).view(np.float32)
    np.testing.assert_array_equal(divided(x, divisor), by_numpy(x, divisor))


@pytest.mark.parametrize("dtype", ("f32", "f64"))
@pytest.mark.parametrize("divisor", DIVISORS)
def test_so_are_all_numbers_but_small_ones(divided, divisor, dtype):
    """Infinities, NaN, zeros of both signs and the largest as well; others may be off by 2.5 units."""
    x, products = floats(dtype), reciprocal(divisor, dtype)
    found, wanted = divided(x, divisor), by_numpy(x, divisor)
    np.testing.assert_array_equal(np.signbit(found[wanted == 0]), np.signbit(wanted[wanted == 0]))
    if products is None or products.low == 0:
        np.testing.assert_array_equal(found, wanted)
        return
    x = np.pad(x, (0, -len(x) % 64))
    held = np.dtype(f"u{x.itemsize}")
    small = (x != 0) & (x.view(held) & held.type(products.large) == 0)
    np.testing.assert_array_equal(found[~small], wanted[~small])
    assert (np.abs(found[small] - wanted[small]) / np.spacing(np.abs(wanted[small])) < 2.5).all()


@pytest.mark.parametrize("name", ["portable", "avx2", "avx512"])
def test_programs_divide_by_products(name, tmp_path):
    """Maps, what is stored of sums, pools, and what is rounded to fewer bits."""
    skip_without(machine(name).features)
    texts = [
        *(f"div({kind}[5,37], {divisor})" for kind in ("f32", "f64", "bf16") for divisor in ("9", "-0.125", "0.3")),
        "div(s32[40], 3)",
        "div(add(f32[5,37], f32[37]), 7)",
        "mean(f32[9,45], axis=1)",
        "mean(f32[7,40], axis=0)",
        "mean(bf16[7,40], axis=0)",
        "avg_pool2d(f32[1,3,9,40], window=3, stride=1)",
        "avg_pool2d(f32[1,2,11,21], window=(1,5), stride=2)",
    ]
    rng = np.random.default_rng(0)
    cases = []
    for text in texts:
        program = synthesize(text, machine(name), table="none")
        assert ("times_both" in program.to_c()) == (name == "avx512" and "s32" not in text and "-0.1" not in text)
        cases += both_kinds(program, rng)
    assert_right(cases, machine(name), tmp_path)


def test_strict_programs_divide(tmp_path):
    strict, x = resolved(machine("avx512"), "strict"), np.float32([1e-30, 3e-38, 1e-40, 7.0, -1e-31])
    skip_without(strict.features)
    program = synthesize("div(f32[5], 3)", strict, table="none")
    assert "times_both" not in program.to_c()
    [found] = run([Case(program.root, program.spec, (x,))], strict, tmp_path)
    np.testing.assert_array_equal(found, x / np.float32(3))


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
