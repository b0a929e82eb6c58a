import ml_dtypes
import numpy as np
import pytest
from griotte.lang.types.dtypes import DTYPES, compute_dtype, convert, from_numpy, is_within, limits, promote
from griotte.support.errors import SpecError


@pytest.mark.parametrize("name", DTYPES)
def test_numpy_names_round_trip(name):
    assert from_numpy(DTYPES[name].numpy) == name


def test_a_dtype_is_within_another_that_holds_all_its_numbers():
    held = {(a, b) for a in DTYPES for b in DTYPES if is_within(a, b)}
    assert {("u8", "s16"), ("s8", "s16"), ("u4", "u8"), ("pred", "s8"), ("s32", "s32")} <= held
    assert held.isdisjoint(
        {("u8", "s8"), ("s8", "u8"), ("u16", "s16"), ("s16", "f32"), ("bf16", "f32"), ("s32", "s16")}
    )
    for narrow, wide in held:
        ends = np.array(limits(narrow), DTYPES[narrow].numpy)
        assert [int(x) for x in convert(ends, wide)] == [int(x) for x in ends]


def test_unknown_numpy_dtype_is_named():
    with pytest.raises(SpecError, match="found NumPy dtype complex64"):
        from_numpy(np.complex64)


@pytest.mark.parametrize(
    "names, wider",
    [
        (("s8", "u8"), "s8"),
        (("bf16", "f16"), "f32"),
        (("s64", "bf16"), "bf16"),
        (("f32", "f64"), "f64"),
        (("pred", "s4"), "s4"),
        (("u4", "s4"), "s4"),
        (("u64", "s32"), "u64"),
        (("f8e5m2", "s64"), "f8e5m2"),
        (("f8e5m2", "f16"), "f16"),
        (("f8e5m2", "f8e4m3fn"), "f32"),
    ],
)
def test_promote(names, wider):
    assert promote(*names) == wider


def test_compute_dtype():
    assert [compute_dtype(n) for n in ("s4", "u8", "u32", "s64", "bf16", "f64")] == "s32 s32 u32 s64 f32 f64".split()


@pytest.mark.parametrize(
    "to, values, wanted",
    [
        ("s8", [1.9, -1.9, 127.5, 300.0, -300.0, np.nan, np.inf, -np.inf], [1, -1, 127, 127, -128, 0, 127, -128]),
        ("u8", [-1.0, 255.9, 256.0, np.nan], [0, 255, 255, 0]),
        ("s32", [2147483520.0, 2147483648.0, -3e9], [2147483520, 2147483647, -2147483648]),
        ("u32", [4294967040.0, 4294967296.0, -1.0], [4294967040, 4294967295, 0]),
        ("s64", [2.0**62, 2.0**63, -(2.0**63), 1e30], [2**62, 2**63 - 1, -(2**63), 2**63 - 1]),
        ("s4", [7.9, 8.0, -9.0], [7, 7, -8]),
        ("u4", [15.9, 16.0, -1.0], [15, 15, 0]),
        ("s2", [1.9, 2.0, -9.0], [1, 1, -2]),
        ("pred", [0.0, -0.0, 0.3, np.nan], [False, False, True, True]),
    ],
)
def test_float_to_integer_truncates_and_saturates(to, values, wanted):
    for source in (np.float32, np.float64):
        assert convert(np.array(values, source), to).astype(np.int64).tolist() == wanted


def test_what_s64_does_not_hold_is_of_u64():
    found = convert(np.array([2.0**63, 2.0**64 - 2**11, 2.0**64, -1.0, np.nan]), "u64")
    assert found.tolist() == [2**63, 2**64 - 2**11, 2**64 - 1, 0, 0]
    large = np.array([2**64 - 1, 2**63, 5], np.uint64)
    assert convert(large, "s64").tolist() == [-1, -(2**63), 5] and convert(large, "u8").tolist() == [255, 255, 5]
    assert convert(np.array([-1], np.int32), "u64").tolist() == [2**64 - 1]


def test_integers_saturate_below_32_bits_and_wrap_above():
    assert convert(np.array([300, -300], np.int32), "s8").tolist() == [127, -128]
    assert convert(np.array([300, -300], np.int32), "u16").tolist() == [300, 0]
    assert convert(np.array([2**32 + 5, -1], np.int64), "s32").tolist() == [5, -1]
    assert convert(np.array([-1], np.int32), "u32").tolist() == [2**32 - 1]


def test_f64_to_bf16_rounds_once():
    half = 2.0**-8  # of the last place of a bf16 near 1
    just_above, just_below = 1 + half + 2.0**-40, 1 + 3 * half - 2.0**-40
    values = np.array([just_above, just_below, 1 + half, -just_above, 1e39, 1e-50, -1e-50, np.inf, 3.397e38])
    got = convert(values, "bf16").astype(np.float64)
    assert got.tolist() == [1 + 2 * half, 1 + 2 * half, 1, -(1 + 2 * half), np.inf, 0, 0, np.inf, np.inf]
    assert np.signbit(got[6]) and np.isnan(convert(np.array([np.nan]), "bf16").astype(np.float32))[0]


def test_f64_to_bf16_is_ml_dtypes_where_that_rounds_once():
    values = np.random.default_rng(0).standard_normal(10000).astype(np.float32)
    assert (convert(values.astype(np.float64), "bf16") == values.astype(ml_dtypes.bfloat16)).all()
