"""Floats of 8 bits and fewer, integers of 4 and 2 bits, u64 and functions of bits, in compiled kernels."""

import griotte as gt
import numpy as np
import pytest
from checked import check


@pytest.mark.parametrize(
    "text",
    [
        "add(f8e4m3fn[8,40], f8e4m3fn[8,40])",
        "concat(f8e5m2fnuz[5,7], f8e5m2fnuz[5,9], axis=1)",
        "matmul(f8e4m3fn[8,16], const f8e4m3fn[16,24]) -> f32[8,24]",
        "cast(s64[99]) -> f8e5m2[99]",
        "cast(f64[99]) -> f4e2m1fn[99]",
        "transpose(s2[16,48], perm=(1,0))",
        "take(u4[7,33], s32[5])",
        "matmul(u64[9,17], u64[17,12])",
        "max(u64[9,33], axis=1)",
    ],
)
def test_a_kernel_of_them_gives_what_the_reference_does(text):
    check(text)


@pytest.mark.parametrize("name", ["and", "or", "xor"])
def test_bits_are_those_of_numpy(name):
    meaning = getattr(np, f"bitwise_{name}")
    check(f"bitwise_{name}(u64[3,33], u64[33])", meaning)
    check(f"bitwise_{name}(s8[37], s8[37])", meaning)
    with pytest.raises(gt.SpecError, match=rf"bitwise_{name} expects integers, found f32\[2\]; cast first"):
        gt.parse(f"bitwise_{name}(f32[2], f32[2])")


def test_rows_are_told_by_whole_bytes_that_are_signed_numbers_or_narrower():
    for kind in ("u4", "s2", "u64"):
        with pytest.raises(gt.SpecError, match=f"of 8 bits and more but u64, found {kind}"):
            gt.parse(f"take(f32[9,4], {kind}[3])")


def test_numbers_beyond_s64_are_no_negative_ones():
    x = np.array([[2**63 + 5, 3, 7, 1], [1, 2**62, 9, 2**63]], np.uint64)
    calls = {
        "mean": lambda a: a.sum(1) // np.uint64(4),
        "max": lambda a: a.max(1),
        "argmax": lambda a: a.argmax(1).astype(np.int32),
    }
    for call, meaning in calls.items():
        text = f"{call}(u64[2,4], axis=1)"
        for found in (gt.interpret(text, x), gt.compile(text, "portable", table="none")(x)):
            assert np.array_equal(found, meaning(x))
