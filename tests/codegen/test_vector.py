"""The helpers of `VectorLibrary`, compiled for each instruction set that this machine has, on hostile data."""

from __future__ import annotations

import ctypes
import itertools
import math
import subprocess

import numpy as np
import pytest
from features import skip_without
from griotte.engine.vectors.library import VectorLibrary
from griotte.lang.functions import COMBINERS, FUNCTIONS, over_vectors
from griotte.lang.functions.kit import COMPUTE
from vector_data import INTEGERS, converted, meaning, values
from vector_harness import CONFIGS, DTYPES, HELD, Config, Kernels, Source, built, compile_c, tail_lanes

GUARD = 0xA5


@pytest.fixture(scope="module", params=CONFIGS)
def kernels(request, shared_folder) -> Kernels:
    return built(CONFIGS[request.param], shared_folder)


def assert_same(found: np.ndarray, expected: np.ndarray, dtype: str, *inputs: np.ndarray) -> None:
    """Bit for bit, zeros' signs too; any NaN equals any other."""
    found_meant, expected_meant = meaning(found, dtype), meaning(expected, dtype)
    wrong = found.view(f"u{found.itemsize}") != expected.view(f"u{found.itemsize}")
    if dtype not in INTEGERS:
        wrong &= ~(np.isnan(found_meant) & np.isnan(expected_meant))
    where = np.flatnonzero(wrong)[:5]
    assert not where.size, [([x[i] for x in inputs], found_meant[i], expected_meant[i]) for i in where]


def pairs(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Every hostile value against a few, and random pairs."""
    array = values(dtype)
    random = np.random.default_rng(3)
    few = array[: 5 * 80 : 5] if len(array) > 400 else array
    left, right = np.meshgrid(few, np.concatenate([few, values(dtype)[-40:]]))
    chosen = random.integers(0, len(array), (2, 20_000))
    return np.concatenate([left.ravel(), array[chosen[0]]]), np.concatenate([right.ravel(), array[chosen[1]]])


# --- conversions


@pytest.mark.parametrize("source", DTYPES)
def test_convert_every_pair(kernels, source):
    array = values(source)
    for to, form in itertools.product(DTYPES, ("convert", "convert_one")):
        assert_same(kernels.over(f"{form}_{source}_{to}", [array], to), converted(source, to), to, array)


def test_bf16_nan_does_not_round_to_infinity(kernels):
    array = np.array([0x7F800001, 0xFF800001, 0x7FFFFFFF, 0xFFFFFFFF], np.uint32).view(np.float32)
    assert np.isnan(meaning(kernels.over("convert_f32_bf16", [array], "bf16"), "bf16")).all()


# --- memory


def guarded(count: int, kind: type) -> tuple[np.ndarray, np.ndarray]:
    """`count` elements at an odd address, inside a page of guard bytes: (all bytes, the elements)."""
    size = count * np.dtype(kind).itemsize
    raw = np.full(size + 257, GUARD, np.uint8)
    start = 129 if raw.ctypes.data % 2 == 0 else 128
    return raw, raw[start : start + size].view(kind)


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def every_tail(config: Config):
    for dtype in DTYPES:
        for lanes in tail_lanes(config, dtype):
            for n in range(lanes + 1):
                yield dtype, lanes, n


KNOWN = pytest.mark.parametrize("kind", ["tail", "known"])  # when it runs, or when it is compiled


@KNOWN
def test_load_tail_gives_zeros_beyond_n(kernels, kind):
    for dtype, lanes, n in every_tail(kernels.config):
        _, data = guarded(lanes, HELD[dtype])
        data.view(np.uint8)[:] = np.arange(1, data.nbytes + 1)
        _, out = guarded(lanes, HELD[dtype])
        kernels[f"load_{kind}_{dtype}_{lanes}"](pointer(data), pointer(out), n)
        expected = data.copy()
        expected[n:] = 0
        assert np.array_equal(out.view(np.uint8), expected.view(np.uint8)), (dtype, lanes, n)


@KNOWN
def test_store_tail_leaves_the_rest_alone(kernels, kind):
    for dtype, lanes, n in every_tail(kernels.config):
        _, data = guarded(lanes, HELD[dtype])
        data.view(np.uint8)[:] = np.arange(1, data.nbytes + 1)
        raw, out = guarded(lanes, HELD[dtype])
        expected = raw.copy()
        kernels[f"store_{kind}_{dtype}_{lanes}"](pointer(data), pointer(out), n)
        start = out.ctypes.data - raw.ctypes.data
        expected[start : start + n * out.itemsize] = data.view(np.uint8)[: n * out.itemsize]
        assert np.array_equal(raw, expected), (dtype, lanes, n)


@pytest.mark.parametrize("stride", [1, 3, -2])
def test_strided(kernels, stride):
    for dtype, lanes, n in every_tail(kernels.config):
        _, spread = guarded(abs(stride) * lanes, HELD[dtype])
        spread.view(np.uint8)[:] = np.arange(spread.nbytes) * 7 + 1
        first = spread if stride > 0 else spread[-1:]
        touched = np.arange(n) * stride + (0 if stride > 0 else len(spread) - 1)
        _, out = guarded(lanes, HELD[dtype])
        kernels[f"load_strided_{dtype}_{lanes}"](pointer(first), pointer(out), ctypes.c_int64(stride), n)
        expected = np.zeros(lanes, HELD[dtype])
        expected[:n] = spread[touched]
        assert np.array_equal(out.view(np.uint8), expected.view(np.uint8)), (dtype, lanes, n)
        _, data = guarded(lanes, HELD[dtype])
        data.view(np.uint8)[:] = np.arange(1, data.nbytes + 1)
        wanted = spread.copy()
        wanted[touched] = data[:n]
        kernels[f"store_strided_{dtype}_{lanes}"](pointer(data), pointer(first), ctypes.c_int64(stride), n)
        assert np.array_equal(spread.view(np.uint8), wanted.view(np.uint8)), (dtype, lanes, n)


def test_splat_fills_every_lane(kernels):
    scalars = {"f64": ctypes.c_double, "f32": ctypes.c_float}
    for dtype, value in itertools.product(DTYPES, (-math.inf, -0.0, 1)):
        if dtype not in scalars and value != 1:
            continue
        out = np.empty(kernels.config.lanes(dtype), HELD[dtype])
        given = scalars[dtype](value) if dtype in scalars else ctypes.c_int64(value)
        kernels[f"splat_{dtype}"](given, pointer(out))
        assert_same(out, np.full_like(out, value), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_held_stays_as_it_is(kernels, dtype):
    array = np.random.default_rng(5).integers(0, 256, 4096, np.uint8).view(HELD[dtype])
    assert np.array_equal(kernels.over(f"hold_{dtype}", [array], dtype).view(np.uint8), array.view(np.uint8))


def test_select(kernels):
    for dtype in DTYPES:
        left = values(dtype)[:4096]
        right = left[::-1].copy()
        chosen = (np.arange(len(left)) * 37 % 5).astype(np.uint8) // 2 * 127  # 0, 127, 254: any nonzero byte is true
        assert_same(kernels.over(f"select_{dtype}", [chosen, left, right], dtype), np.where(chosen, left, right), dtype)


@pytest.mark.parametrize("dtype", COMPUTE)
@pytest.mark.parametrize("test", [f.name for f in FUNCTIONS.values() if f.test])
def test_select_by_a_test(kernels, test, dtype):
    left = values(dtype)[:4096]
    right = np.where(np.arange(len(left)) % 3 == 0, left, np.roll(left, 1))  # a third are equal, NaN among them
    holds = {"lt": np.less, "le": np.less_equal, "eq": np.equal}[test](left, right)
    found = kernels.over(f"select_{test}_{dtype}", [left, right, left[::-1].copy(), right[::-1].copy()], dtype)
    assert_same(found, np.where(holds, left[::-1], right[::-1]), dtype)


# --- arithmetic


def quotient(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """XLA's integer division: toward zero, all ones for x / 0, the lowest value over -1 wraps."""
    answers = []
    for x, y in zip(left.tolist(), right.tolist(), strict=True):
        answers.append(-1 if y == 0 else (abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1))
    width = 8 * left.itemsize
    return np.array([answer & ((1 << width) - 1) for answer in answers], f"u{left.itemsize}").view(left.dtype)


REFERENCES = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
}


@pytest.mark.parametrize(
    ("name", "dtype"), [(n, d) for d in COMPUTE for n in REFERENCES if d in INTEGERS or not FUNCTIONS[n].integers_only]
)
def test_binary(kernels, name, dtype):
    left, right = pairs(dtype)
    found = kernels.over(f"{name}_{dtype}", [left, right], dtype)
    with np.errstate(all="ignore"):
        expected = quotient(left, right) if name == "div" and dtype in INTEGERS else REFERENCES[name](left, right)
    if name in ("maximum", "minimum") and dtype not in INTEGERS:
        found[found == 0], expected[expected == 0] = 0, 0  # of two zeros either may win
    assert_same(found, expected, dtype, left, right)


@pytest.mark.parametrize("dtype", sorted(set(COMPUTE) & set(INTEGERS)))
def test_integer_unary(kernels, dtype):
    array = values(dtype)
    with np.errstate(all="ignore"):
        expected = {"neg": np.negative(array), "abs": np.abs(array), "relu": np.maximum(array, 0)}
    assert set(expected) == set(over_vectors(1, integers=True))
    for name, answer in expected.items():
        assert_same(kernels.over(f"{name}_{dtype}", [array], dtype), answer, dtype, array)


@pytest.mark.parametrize("dtype", COMPUTE)
@pytest.mark.parametrize("combine", COMBINERS)
def test_reduce(kernels, combine, dtype):
    lanes = kernels.config.lanes(dtype)
    random = np.random.default_rng(4)
    rows = random.integers(0, 1000, (512, lanes)).astype(HELD[dtype])  # sums are exact in any order
    if combine == "mul":
        rows = rows % 3  # and so are products
    if dtype not in INTEGERS and combine in ("maximum", "minimum"):
        rows = rows - 500
        rows[:lanes] = np.where(np.eye(lanes), np.nan, rows[:lanes])
    found = kernels.over(f"reduce_{combine}_{dtype}", [rows.ravel()], dtype, per=lanes)
    operation = {"add": np.add, "mul": np.multiply, "maximum": np.maximum, "minimum": np.minimum}[combine]
    assert_same(found, operation.reduce(rows, axis=1, dtype=HELD[dtype]), dtype)


def test_identities_compile_to_the_neutral_value(tmp_path):
    library = VectorLibrary(frozenset())
    wanted, lines = [], []
    for combine, dtype in itertools.product(COMBINERS, COMPUTE):
        low, high = INTEGERS.get(dtype, (-math.inf, math.inf))
        wanted.append({"add": 0, "mul": 1, "maximum": low, "minimum": high}[combine])
        lines.append(
            f'{{ {library.scalar(dtype)} v = {library.identity(combine, dtype)}; printf("%.21Lg\\n", (long'
            " double)v); }"
        )
    text = library.definitions() + "#include <stdio.h>\nint main(void) {" + "\n".join(lines) + "return 0; }"
    printed = subprocess.run(
        [compile_c(text, tmp_path, "identities")], capture_output=True, text=True, check=True
    ).stdout
    assert [np.longdouble(line) for line in printed.split()] == [np.longdouble(str(value)) for value in wanted]


# --- the library itself


def test_only_what_was_asked_for_is_defined():
    library = VectorLibrary(frozenset())
    assert library.load("bf16", 8) == "load_u16x8" == library.load("f16", 8)
    assert "store" not in library.definitions()
    assert "immintrin" not in library.definitions()


def test_intrinsics_only_with_their_features():
    library = VectorLibrary(CONFIGS["avx512"].features)
    library.load("f32", 16)
    assert "immintrin" not in library.definitions()
    library.load_tail("f32", 16)
    assert "immintrin" in library.definitions()
    library = VectorLibrary(frozenset({"avx512f"}))
    library.store_tail("u8", 64)  # byte masks need another extension
    assert "immintrin" not in library.definitions()


def test_the_same_requests_give_the_same_text():
    assert Source(CONFIGS["avx512"]).text() == Source(CONFIGS["avx512"]).text()


@pytest.mark.parametrize("ask", [("exp", "s32"), ("exp", "bf16"), ("sinh", "f32")])
def test_unknown_requests_say_what_is_known(ask):
    with pytest.raises(ValueError, match="expected .*found"):
        VectorLibrary(frozenset()).unary(*ask, 8)


def test_identity_conversions_need_no_call():
    library = VectorLibrary(frozenset())
    assert [library.convert("bf16", "bf16", 8), library.convert("pred", "u8", 8)] == ["", ""]
    assert library.convert("s4", "s8", 8)  # the high half of an s4's byte is not said
    assert library.convert("f16", "u16", 8)


# --- sanitizers

SANITIZERS = ("-g0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def sanitized_main(config: Config, known: bool) -> str:
    """A program that runs every loop on random bytes, and every tail inside blocks that are exactly as long as they may
    be; or the tails of `known` length alone."""
    source, lines = Source(config), []
    source.exported = [text for text in source.exported if ("_known_" in text) == known]
    for text in source.exported:
        name = text.split("(")[0].removeprefix("void ")
        if name.startswith(("load_", "store_")):
            lines += _tail_calls(name)
        elif not name.startswith("splat_"):
            arguments = ", ".join(["(void *)bytes"] * (text.split(")")[0].count("*") - 1))
            lines.append(f"{name}({arguments}, (void *)result, 64);")
    calls = "\n".join(lines)
    return f"""#include <stdlib.h>
{source.text()}
static uint8_t bytes[4096], result[4096];
int main(void)
{{
    for (int i = 0; i < 4096; i++) bytes[i] = (uint8_t)rand();
{calls}
    return 0;
}}
"""


def _tail_calls(name: str) -> list[str]:
    side, kind, dtype, lanes = name.split("_")
    size, stride = np.dtype(HELD[dtype]).itemsize, "1, " if kind == "strided" else ""
    inside = "block, (void *)result" if side == "load" else "(void *)bytes, block"
    return [
        (
            f"for (int n = 0; n <= {lanes}; n++) {{ void *block = calloc(n, {size}); {name}({inside}, {stride}n);"
            " free(block); }"
        )
    ]


@pytest.mark.parametrize(
    "name, known",
    [
        pytest.param(name, known, marks=[pytest.mark.long] * (known == (name == "avx2")))
        for name in CONFIGS
        for known in (False, True)
    ],
)
def test_sanitizers_find_nothing(name, known, tmp_path):
    config = CONFIGS[name]
    skip_without(config.features)
    flags = "-O1" if known else "-O0", *SANITIZERS, *config.flags  # a length is known once its helper is inlined
    program = compile_c(sanitized_main(config, known), tmp_path, "sanitized", *flags)
    done = subprocess.run([program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:3000]
