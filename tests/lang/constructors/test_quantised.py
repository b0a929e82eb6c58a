"""Quantised operations: the reference, and what compiled programs give, against whole numbers counted by hand in NumPy,
on ties and far out of range."""

from functools import lru_cache

import griotte as gt
import numpy as np
import pytest
from checked import later
from features import skip_without
from griotte import synthesize
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret
from griotte.engine.rewrites import edges
from griotte.engine.rewrites.fuse import Finish
from griotte.engine.search.problem import problem
from griotte.lang.types.dtypes import DTYPES, limits
from griotte.lang.types.expr import Arg, As, Call, calls, computed_in, uses
from griotte.support.errors import SpecError
from machines import machine

MACHINES = ["portable", "avx2", "avx512"]


def saturated(values, dtype: str) -> np.ndarray:
    low, high = limits(dtype)
    return np.clip(np.nan_to_num(values.astype(np.float64), nan=0.0), low, high).astype(DTYPES[dtype].numpy)


def by_hand(values, scale, zero, dtype: str, *, multiply: bool = False) -> np.ndarray:
    with np.errstate(all="ignore"):
        wide = np.asarray(values).astype(np.float32)
        moved = wide * scale if multiply else wide / scale
        return saturated(np.rint(moved) + zero.astype(np.float32), dtype)


def results(text: str, arrays, name: str, right) -> None:
    """What the reference, the interpreted program and the compiled one make of `arrays` is `right`."""
    of_program(best_program(text, name), arrays, right)


@lru_cache(4)  # other arrays come next
def best_program(text: str, name: str) -> gt.Program:
    return synthesize(gt.parse(text), machine(name), table="none")


def of_program(program, arrays, right) -> None:
    right(gt.interpret(program.spec, *arrays))
    right(interpret(program.root, program.spec, *arrays, target=program.target))
    skip_without(program.target.features)
    later(program, arrays, right)


def equal(expected):
    return lambda found: np.testing.assert_array_equal(found, expected)


def near(expected):
    return lambda found: np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


TIES = np.concatenate(
    [
        np.arange(-300, 300) * 0.5,
        [np.inf, -np.inf, np.nan, 1e30, -1e30, -0.0, 2.0**23 + 0.5, 8388609.0, 0.49999997, -0.49999997, 1e-45],
    ]
).astype(np.float32)


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("dtype", ["s8", "u8"])
@pytest.mark.parametrize("scale", [1.0, 0.25, 3.7, 1e-40])
def test_values_are_rounded_half_to_even_and_saturate(name, dtype, scale):
    zero, scale = np.array(3, DTYPES[dtype].numpy), np.float32(scale)
    x = TIES * scale if scale > 1e-30 else TIES
    expected = by_hand(x, scale, zero, dtype)
    results(f"quantize(f32[{len(x)}], f32[], {dtype}[])", (x, np.asarray(scale), zero), name, equal(expected))


@pytest.mark.parametrize("name", MACHINES)
def test_each_channel_has_its_own_scale_and_zero(name):
    rng = np.random.default_rng(1)
    x, scale, zero = (
        rng.normal(size=(7, 37)).astype(np.float32),
        rng.uniform(0.001, 0.1, 37).astype(np.float32),
        rng.integers(0, 255, 37).astype(np.uint8),
    )
    q = by_hand(x, scale, zero, "u8")
    results("quantize(f32[7,37], f32[37], u8[37])", (x, scale, zero), name, equal(q))
    back = (q.astype(np.float32) - zero.astype(np.float32)) * scale
    results("dequantize(u8[7,37], f32[37], u8[37])", (q, scale, zero), name, equal(back))


def products(rng, m, k, n, a_dtype="u8", b_dtype="s8"):
    return tuple(
        rng.integers(*limits(d), shape, endpoint=True).astype(DTYPES[d].numpy)
        for d, shape in ((a_dtype, (m, k)), (b_dtype, (k, n)))
    )


@pytest.mark.parametrize("name", MACHINES)
def test_sums_are_requantised_exactly(name):
    """By a power of two: so half of the odd sums are ties."""
    a, b = products(np.random.default_rng(2), 17, 33, 40)
    whole = a.astype(np.int64) @ b
    zero = np.array(-7, np.int8)
    for scale in (0.5, 2.0**-9, 1.0):
        scales = np.full(40, scale, np.float32)
        expected = by_hand(whole, scales, zero, "s8", multiply=True)
        text = "requantize(matmul(u8[17,33], s8[33,40]), f32[40], s8[])"
        results(text, (a, b, scales, zero), name, equal(expected))


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("kinds", [("u8", "s8", "u8"), ("s8", "s8", "s8"), ("u8", "u8", "s8")])
@pytest.mark.parametrize("per_channel", [False, True])
def test_zeros_are_taken_off_both_operands(name, kinds, per_channel):
    rng, (m, k, n) = np.random.default_rng(3), (9, 21, 18)
    a, b = products(rng, m, k, n, *kinds[:2])
    draw = lambda dtype, shape: rng.integers(*limits(dtype), shape, endpoint=True).astype(DTYPES[dtype].numpy)
    shape, mark = ((n,), f"[{n}]") if per_channel else ((), "[]")
    a_zero, b_zero, y_zero = draw(kinds[0], ()), draw(kinds[1], shape), draw(kinds[2], ())
    scales = np.float32(0.02), rng.uniform(0.01, 0.02, shape).astype(np.float32), np.float32(0.3)
    whole = (a.astype(np.int64) - int(a_zero)) @ (b.astype(np.int64) - b_zero.astype(np.int64))
    expected = by_hand(whole, np.float32(scales[0] * scales[1]) / scales[2], y_zero, kinds[2], multiply=True)
    text = (
        f"qmatmul({kinds[0]}[{m},{k}], f32[], {kinds[0]}[], {kinds[1]}[{k},{n}], f32{mark}, {kinds[1]}{mark}, f32[],"
        f" {kinds[2]}[])"
    )
    given = (a, np.asarray(scales[0]), a_zero, b, np.asarray(scales[1]), b_zero, np.asarray(scales[2]), y_zero)
    results(text, given, name, equal(expected))


def convolved(x, w, stride=(1, 1), dilation=(1, 1), groups=1) -> np.ndarray:
    """Of whole numbers of any size, [n, o, h, w]; windows lie within x."""
    (n, _, *size), (o, c, *window) = x.shape, w.shape
    places = [(length - (k - 1) * d - 1) // s + 1 for length, k, s, d in zip(size, window, stride, dilation)]
    found = np.zeros((n, o, *places), np.int64)
    for k, i, j in np.ndindex(o, *window):
        g = k // (o // groups)
        rows, columns = (np.arange(count) * s + at * d for count, s, at, d in zip(places, stride, (i, j), dilation))
        found[:, k] += np.einsum(
            "nchw,c->nhw",
            x[:, g * c : (g + 1) * c][:, :, rows][:, :, :, columns].astype(np.int64),
            w[k, :, i, j].astype(np.int64),
        )
    return found


CONVOLUTIONS = (  # x, its layout, w, numbers, and whether there is a bias
    ((1, 5, 7, 6), "", (6, 5, 3, 3), {"padding": 1}, False),
    ((2, 4, 7, 9), "{1,3,2,0}", (8, 4, 3, 2), {"stride": (2, 1), "padding": (1, 2)}, True),
    ((1, 6, 9, 5), "", (4, 3, 3, 3), {"padding": (2, 0), "dilation": (2, 1), "groups": 2}, True),
    ((1, 4, 6, 6), "{1,3,2,0}", (4, 1, 3, 3), {"stride": 2, "padding": (0, 1), "groups": 4}, False),
    ((2, 8, 5, 4), "{1,3,2,0}", (9, 8, 1, 1), {}, True),
)


def convolution(
    case,
    kinds=("u8", "s8", "u8"),
    per_channel: bool = True,
    seed: int = 0,
    ties: bool = False,
    known: str = "",
    w_zero: int | None = None,
):
    """(text, arrays, what they give by hand): zeros in the inner half of their dtypes, so that most of what is beyond x
    would count; some results saturate. `ties`: scales are powers of two. `known`: whose zeros, of x, w and y, are
    numbers of the text."""
    shape, order, window, numbers, has_bias = case
    rng, o = np.random.default_rng(seed), window[0]
    x, w = (
        rng.integers(*limits(dtype), size, endpoint=True).astype(DTYPES[dtype].numpy)
        for dtype, size in zip(kinds, (shape, window))
    )
    x = np.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2) if order else x
    zeros = [np.asarray(sum(limits(dtype)) // 2 + rng.integers(-60, 60), DTYPES[dtype].numpy) for dtype in kinds]
    if w_zero is not None:
        zeros[1] = np.asarray(w_zero, DTYPES[kinds[1]].numpy)
    bias = rng.integers(-5000, 5000, o).astype(np.int32)
    given = {
        key: value if isinstance(value, tuple) or key == "groups" else (value, value) for key, value in numbers.items()
    }
    around = given.pop("padding", (0, 0))
    padded = np.pad(x.astype(np.int64) - int(zeros[0]), ((0, 0), (0, 0), *((p, p) for p in around)))
    sums = convolved(padded, w.astype(np.int64) - int(zeros[1]), **given) + (bias[:, None, None] if has_bias else 0)
    largest = 2.0 ** np.ceil(np.log2(np.abs(sums).max() / 200))
    scales = [
        np.asarray(1 if ties else 0.013, np.float32),
        np.asarray(
            rng.choice([0.5, 1, 2], o * per_channel or None) if ties else rng.uniform(0.5, 2, (o,) * per_channel),
            np.float32,
        ),
    ]
    scales.append(np.asarray(largest if ties else 0.0137 * largest, np.float32))
    factor = scales[0] * scales[1] / scales[2]
    expected = by_hand(sums, factor[:, None, None] if per_channel else factor, zeros[2], kinds[2], multiply=True)
    attributes = (
        *(f"{key}={str(value).replace(' ', '')}" for key, value in numbers.items()),
        *[f"bias=s32[{o}]"] * has_bias,
    )
    mark, tail = f"[{o}]" if per_channel else "[]", "".join(f", {each}" for each in attributes)
    of = [str(zero) if name in known else f"{dtype}[]" for name, dtype, zero in zip("xwy", kinds, zeros)]
    text = (
        f"qconv2d({kinds[0]}[{','.join(map(str, shape))}]{order}, f32[], {of[0]}, const"
        f" {kinds[1]}[{','.join(map(str, window))}], f32{mark}, {of[1]}, f32[], {of[2]}{tail})"
    )
    text += f" -> {kinds[2]}[{','.join(map(str, expected.shape))}]{order}"
    arrays = (
        x,
        scales[0],
        *zeros[:1] * ("x" not in known),
        w,
        scales[1],
        *zeros[1:2] * ("w" not in known),
        scales[2],
        *zeros[2:] * ("y" not in known),
        *((bias,) if has_bias else ()),
    )
    return text, arrays, expected


@pytest.mark.parametrize("case", CONVOLUTIONS)
@pytest.mark.parametrize("kinds", [("u8", "s8", "u8"), ("s8", "s8", "s8"), ("u8", "u8", "s8")])
@pytest.mark.parametrize("per_channel", [False, True])
def test_a_convolution_counts_nothing_beyond_its_input(case, kinds, per_channel):
    for seed, ties in enumerate((False, True)):
        text, arrays, expected = convolution(case, kinds, per_channel, seed, ties)
        spec = gt.parse(text)
        np.testing.assert_array_equal(gt.interpret(spec, *arrays), expected)
        assert len(np.unique(expected)) > 8 and gt.parse(str(spec)) == spec


@pytest.mark.parametrize("case", CONVOLUTIONS)
@pytest.mark.parametrize("known", ["x", "w", "y", "xw", "xwy"])
@pytest.mark.parametrize("w_zero", [0, 5])
def test_a_zero_may_be_a_number(case, known, w_zero):
    """What lies beyond x is then its border, and of 0 nothing is summed."""
    text, arrays, expected = convolution(case, seed=3, known=known, w_zero=w_zero)
    spec = gt.parse(text)
    np.testing.assert_array_equal(gt.interpret(spec, *arrays), expected)
    assert gt.parse(str(spec)) == spec
    names = {nest.operation.name for nest in canonical_form(spec).operation.nests}
    assert (
        ("pad" in names) == ("x" not in known and "padding" in case[3])
        and ("of_windows" in names) == ("w" not in known or w_zero != 0)
        and "of_channels" in names
    )


@pytest.mark.parametrize("name, case", [("avx512", 0), ("avx2", 1), ("portable", 3)])
def test_convolutions_of_known_zeros_as_programs(name, case):
    text, arrays, expected = convolution(CONVOLUTIONS[case], seed=7, known="xwy", w_zero=0)
    program = synthesize(gt.parse(text), machine(name), table="none")
    assert ("dpbusd" in program.to_c()) == (name == "avx512")
    of_program(program, arrays, equal(expected))


@pytest.mark.parametrize("known", [(0,), (1,), (0, 1)])
def test_products_of_known_zeros(known):
    rng, (m, k, n) = np.random.default_rng(5), (5, 13, 18)
    a, b = products(rng, m, k, n)
    zeros = [np.uint8(0 if known == (0, 1) else 131), np.int8(0 if 1 in known else -3)]
    whole = (a.astype(np.int64) - int(zeros[0])) @ (b.astype(np.int64) - int(zeros[1]))
    expected = by_hand(
        whole, np.float32(np.float32(0.02) * np.float32(0.01)) / np.float32(0.3), np.uint8(7), "u8", multiply=True
    )
    of = [str(zero) if i in known else f"{dtype}[]" for i, (zero, dtype) in enumerate(zip(zeros, ("u8", "s8")))]
    spec = gt.parse(f"qmatmul(u8[{m},{k}], f32[], {of[0]}, s8[{k},{n}], f32[], {of[1]}, f32[], 7)")
    scales = [np.asarray(scale, np.float32) for scale in (0.02, 0.01, 0.3)]
    given = (
        a,
        scales[0],
        *[np.asarray(zeros[0])] * (0 not in known),
        b,
        scales[1],
        *[np.asarray(zeros[1])] * (1 not in known),
        scales[2],
    )
    np.testing.assert_array_equal(gt.interpret(spec, *given), expected)
    sums = [nest.operation.name for nest in canonical_form(spec).operation.nests].count("sum")
    assert gt.parse(str(spec)) == spec and sums == sum(zero != 0 or i not in known for i, zero in enumerate(zeros))


@pytest.mark.parametrize("name, case", [("portable", 0), ("avx2", 2), ("avx512", 0), ("avx512", 1), ("portable", 4)])
def test_quantised_convolutions_as_programs(name, case):
    """By dot instructions where there are some, in either order of axes."""
    text, arrays, expected = convolution(CONVOLUTIONS[case], seed=7)
    program = synthesize(gt.parse(text), machine(name), table="none")
    assert ("dpbusd" in program.to_c()) == (name == "avx512")
    of_program(program, arrays, equal(expected))


def test_a_quantised_convolution_is_made_in_python_as_in_text():
    scale, zero, bias = gt.tensor((), "f32"), gt.tensor((), "u8"), gt.tensor((6,), "s32")
    x, w = gt.tensor((1, 4, 5, 5), "u8"), gt.tensor((6, 2, 3, 3), "s8", constant=True)
    made = gt.qconv2d(
        x,
        scale,
        zero,
        w,
        gt.tensor((6,), "f32"),
        gt.tensor((), "s8"),
        scale,
        zero,
        2,
        (1, 0),
        groups=2,
        bias=bias,
        dtype="s8",
    )
    text = (
        "qconv2d(u8[1,4,5,5], f32[], u8[], const s8[6,2,3,3], f32[6], s8[], f32[], u8[], stride=2, padding=(1,0),"
        " groups=2, bias=s32[6]) -> s8[1,6,3,2]"
    )
    assert made == gt.parse(text) and gt.parse(str(made)) == made and made.inputs[3].constant
    known = gt.qconv2d(x, scale, 128, w, gt.tensor((6,), "f32"), 0, scale, 3, 2, (1, 0), groups=2, bias=bias)
    assert (
        known
        == gt.parse(
            "qconv2d(u8[1,4,5,5], f32[], 128, const s8[6,2,3,3], f32[6], 0, f32[], 3, stride=2, padding=(1,0),"
            " groups=2, bias=s32[6])"
        )
        and len(known.inputs) == 6
    )


@pytest.mark.parametrize("name", MACHINES)
def test_the_sums_of_a_convolution_are_requantised_exactly(name):
    """By a power of two: so half of the odd sums are ties. Where there are zeros beyond x, and no zero to be taken
    off."""
    rng = np.random.default_rng(8)
    x, w = rng.integers(0, 256, (1, 8, 5, 6)).astype(np.uint8), rng.integers(-128, 128, (6, 8, 3, 3)).astype(np.int8)
    whole, scale, zero = (
        convolved(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), w),
        np.full((6, 1, 1), 2.0**-9, np.float32),
        np.array(-7, np.int8),
    )
    text = "requantize(conv2d(u8[1,8,5,6], const s8[6,8,3,3], padding=1), f32[6,1,1], s8[])"
    results(text, (x, w, scale, zero), name, equal(by_hand(whole, scale, zero, "s8", multiply=True)))


MIXED = (
    "mul(cast(f32[5,33]) -> s8[5,33], f32[33])",  # cut to a whole number on the way
    "mul(mul(s8[5,33], s8[5,33]) -> s8[5,33], f32[33])",  # saturates on the way
    "relu(matmul(s8[5,40], s8[40,33]) -> s8[5,33])",
    "add(matmul(s8[5,40], s8[40,33]) -> s8[5,33], f32[5,33])",
    "add(relu(quantize(f32[5,33], f32[], s8[])), f32[33])",
    "dequantize(requantize(matmul(s8[5,40], s8[40,33]), f32[], s8[]), f32[33], s8[])",
)


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("text", MIXED)
def test_what_is_rounded_between_calls_stays_rounded(name, text):
    """Where calls of integers and of floats are made one nest."""
    spec, rng = gt.parse(text), np.random.default_rng(4)
    arrays = [
        (
            (rng.normal(size=t.shape) * 40).astype(np.float32)
            if t.dtype == "f32"
            else rng.integers(-128, 128, t.shape).astype(np.int8)
        )
        for t in spec.inputs
    ]
    if "quantize" in text:
        arrays = [np.asarray(np.abs(a) + 1, a.dtype) if t.dtype == "f32" else a for a, t in zip(arrays, spec.inputs)]
    results(text, arrays, name, equal(gt.interpret(spec, *arrays)))


def test_sums_are_requantised_in_registers():
    """Finished in f32 though they are summed in s32, and in one nest."""
    spec = canonical_form(gt.parse("requantize(matmul(u8[16,64], s8[64,32]), f32[32], u8[])"))
    family = problem(spec, machine("avx512")).goal
    (finish,) = [edge for edge in edges(family, machine("avx512")) if isinstance(edge.rewrite, Finish)]
    (child,) = finish.children
    assert child.family.accumulator == "s32" and computed_in(child.family.nest.finish, "s32") == "f32"
    assert calls(child.family.nest.finish) == ("as", "mul", "round", "add")


def test_expressions_say_in_which_dtype_they_take_each_input():
    mixed = Call("mul", (As("s32", "f32", Call("add", (Arg(0), Arg(1)))), Arg(1)))
    assert uses(mixed, "f32") == ((0, "s32"), (1, "s32"), (1, "f32"))
    assert computed_in(mixed, "") == "f32" and computed_in(Arg(0), "s32") == "s32"
    assert str(mixed) == "mul(f32(add(x0, x1)), x1)"


@pytest.mark.parametrize(
    "text, why",
    [
        ("quantize(f32[4], f32[], f32[])", "expects a zero of s8, u8 or s4"),
        ("quantize(s8[4], f32[], s8[])", "expects an operand of f32"),
        (
            "quantize(f32[4], f32[], 3)",
            "the type of its result where the zero is a number, found none beside 3; write it after the call",
        ),
        ("quantize(f32[4], f32[], 300) -> u8[4]", "a zero of u8, 0 to 255, found 300"),
        ("quantize(f32[4], f32[], 0.5) -> u8[4]", "expected a whole number, found '0.5' at column 25"),
        ("quantize(f32[4], 3, u8[])", "expected an operand, found '3'"),
        (
            "qmatmul(u8[4,8], f32[], -1, s8[8,4], f32[], 0, f32[], 0)",
            "qmatmul expects a zero of u8, 0 to 255, found -1",
        ),
        (
            "qmatmul(u8[4,8], f32[], 0, s8[7,4], f32[], 0, f32[], 0)",
            r"qmatmul expects operands \[..., m, k\] and \[..., k, n\] of one k, found u8\[4,8\] and s8\[7,4\]",
        ),
        (
            "qmatmul(u8[4,8], f32[3], 0, s8[8,5], f32[5], 0, f32[], 0)",
            r"qmatmul expects scales and zeros that broadcast to \[4, 5\], found f32\[3\]",
        ),
        (
            "qconv2d(u8[1,4,4,4], f32[], 0, s8[2,4,1,1], f32[], 128, f32[], 0)",
            "qconv2d expects a zero of s8, -128 to 127, found 128",
        ),
        (
            "qconv2d(u8[2,4,<=4,4], f32[], 0, s8[2,4,3,3], f32[], 0, f32[], 0)",
            (
                r"expected a dynamic axis of which each element is met in turn, found axis 2 of u8\[2,4,<=4,4\]; write"
                r" the bound as the size"
            ),
        ),
        ("requantize(s32[4], s32[], s8[])", "expects scales of f32"),
        ("qmatmul(f32[4,4], f32[], u8[], s8[4,4], f32[], s8[], f32[], u8[])", "expects operands of s8"),
        (
            "qconv2d(f32[1,4,4,4], f32[], u8[], s8[2,4,1,1], f32[], s8[], f32[], u8[])",
            "qconv2d expects operands of s8, u8 or s4",
        ),
        (
            "qconv2d(u8[1,4,4,4], f32[], s32[], s8[2,4,1,1], f32[], s8[], f32[], u8[])",
            "qconv2d expects zeros of s8, u8 or s4",
        ),
        ("qconv2d(u8[1,4,4,4], f32[], s8[], s8[2,4,1,1], f32[], s8[], f32[], u8[])", "an x_zero of x's dtype"),
        ("qconv2d(u8[1,4,4,4], f64[], u8[], s8[2,4,1,1], f32[], s8[], f32[], u8[])", "qconv2d expects scales of f32"),
        ("qconv2d(u8[4,4,4], f32[], u8[], s8[2,4,1,1], f32[], s8[], f32[], u8[])", r"qconv2d expects \[n, c, h, w\]"),
        (
            "qconv2d(u8[1,4,4,4], f32[], u8[], s8[2,3,1,1], f32[], s8[], f32[], u8[])",
            "qconv2d expects windows of c / groups = 4 channels",
        ),
        (
            "qconv2d(u8[1,4,4,4], f32[], u8[], s8[2,4,7,1], f32[], s8[], f32[], u8[], padding=1)",
            "qconv2d expects a window within",
        ),
        (
            "qconv2d(u8[1,4,4,4], f32[], u8[], s8[2,4,1,1], f32[], s8[2], f32[], u8[])",
            r"scalars for scales and zeros, or w_scale \[2\], found s8\[2\]; write s8\[\]",
        ),
        (
            "qconv2d(u8[1,4,4,4], f32[], u8[], s8[2,4,1,1], f32[4], s8[], f32[], u8[])",
            r"scalars for scales and zeros, or w_scale \[2\], found f32\[4\] for it; write f32\[\] or f32\[2\]",
        ),
        ("qconv2d(u8[1,4,4,4], f32[], u8[], s8[2,4,1,1], f32[2], s8[], f32[], u8[], bias=f32[2])", r"a bias s32\[2\]"),
        ("qconv2d(u8[1,4,4,4], f32[], u8[], s8[2,4,1,1], f32[2], s8[], f32[], u8[], bias=s32[4])", r"a bias s32\[2\]"),
        ("qconv2d(u8[1,4,4,4], f32[], u8[], s8[2,4,1,1], f32[2], s8[], f32[])", "8 operands for qconv2d"),
        (
            "qconv2d(u8[1,4,4,4], f32[], u8[], s8[2,4,1,1], f32[2], s8[], f32[], u8[], window=2)",
            "it takes: stride padding dilation groups bias",
        ),
    ],
)
def test_what_is_refused(text, why):
    with pytest.raises(SpecError, match=why):
        gt.parse(text)


# ---- weights with a scale for each group -----------------------------------------------------------------------------


def weights(rng, n: int, groups: int, size: int, dtype: str):
    """Every weight there is, often; scales of both signs."""
    w = rng.integers(*limits(dtype), (n, groups, size), endpoint=True).astype(np.int8).astype(DTYPES[dtype].numpy)
    return w, (rng.uniform(0.1, 1, (n, groups)) * rng.choice([-1, 1], (n, groups))).astype(np.float32)


GROUPED = ((1, 40, 3, 32, "s4"), (3, 17, 2, 16, "s4"), (2, 70, 5, 8, "s4"), (1, 33, 4, 12, "s4"), (2, 24, 3, 32, "s8"))


def grouped(case, x_dtype: str, scale_dtype: str) -> tuple[str, tuple, np.ndarray]:
    """(text, arrays, what it should give), of whole numbers, so that sums are exact but for the scales."""
    m, n, groups, size, dtype = case
    rng = np.random.default_rng(5)
    w, scales = weights(rng, n, groups, size, dtype)
    scales = scales.astype(DTYPES[scale_dtype].numpy)
    x = rng.integers(-3, 4, (m, groups * size)).astype(DTYPES[x_dtype].numpy)
    sums = np.einsum("mgs,ngs->mng", x.astype(np.float64).reshape(m, groups, size), w.astype(np.float64))
    text = (
        f"group_matmul({x_dtype}[{m},{groups * size}], const {dtype}[{n},{groups},{size}], const"
        f" {scale_dtype}[{n},{groups}]) -> f32[{m},{n}]"
    )
    return text, (x, w, scales), np.einsum("mng,ng->mn", sums, scales.astype(np.float64))


@pytest.mark.parametrize("name", MACHINES)
def test_weights_are_scaled_group_by_group(name):
    ways = (("f32", "f32"), ("bf16", "f16"), ("f32", "bf16"))
    for text, arrays, expected in (grouped(case, *dtypes) for case in GROUPED for dtypes in ways):
        results(text, arrays, name, near(expected))


@pytest.mark.parametrize("name", MACHINES)
def test_activations_are_quantised_group_by_group(name):
    m, n, groups, size = 2, 37, 3, 32
    rng = np.random.default_rng(6)
    w, scales = weights(rng, n, groups, size, "s4")
    x = rng.normal(size=(m, groups, size)).astype(np.float32)
    x[0, 1] = 0  # no largest magnitude to divide by
    x[1, 2] = np.arange(size) - 15.5  # ties, were it not for the division
    own = np.abs(x).max(axis=-1) * np.float32(1 / 127)
    with np.errstate(invalid="ignore"):
        whole = saturated(np.rint(x / own[..., None]), "s8").astype(np.float64)
    expected = np.einsum(
        "mgs,ngs,ng,mg->mn", whole, w.astype(np.float64), scales.astype(np.float64), own.astype(np.float64)
    )
    text = (
        f"group_matmul(f32[{m},{groups * size}], const s4[{n},{groups},{size}], const f32[{n},{groups}],"
        " activations=s8)"
    )
    results(text, (x.reshape(m, -1), w, scales), name, near(expected))


BY_24 = "group_matmul(f32[{m},{k}], const s4[{n},{groups},{size}], const f32[{n},{groups}], activations=s24)"


@pytest.mark.parametrize("name", MACHINES)
def test_activations_of_24_bits_are_as_exact_as_f32(name):
    """Of the largest of each group; a group of zeros gives none, one of tiny numbers no more than it holds."""
    m, n, groups, size = 3, 37, 4, 32
    rng = np.random.default_rng(7)
    w, scales = weights(rng, n, groups, size, "s4")
    x = rng.normal(size=(m, groups, size)).astype(np.float32)
    x[0, 1], x[1, 2], x[2] = 0, np.float32(1e-39), 0
    x[0, 0, 3], x[2, 3] = 1000, np.float32(3e-39)
    expected = np.einsum("mgs,ngs,ng->mn", *(each.astype(np.float64) for each in (x, w, scales)))
    off = np.abs(x).max(axis=-1) / 8.2e6 / 2 + 2.0**-126
    bound = np.einsum("mg,ngs,ng->mn", off, *(np.abs(each.astype(np.float64)) for each in (w, scales)))
    text = BY_24.format(m=m, k=groups * size, n=n, groups=groups, size=size)

    def right(found):
        assert (np.abs(found - expected) <= bound + 2e-6 * np.abs(expected).max(axis=-1, keepdims=True)).all()

    results(text, (x.reshape(m, -1), w, scales), name, right)


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_activations_of_24_bits_that_are_not_finite_give_nan(name, value):
    rng = np.random.default_rng(8)
    w, scales = weights(rng, 37, 2, 16, "s4")
    x = np.ones((2, 32), np.float32)
    x[1, 20] = value

    def right(found):
        assert np.isfinite(found[0]).all() and np.isnan(found[1]).all()

    results(BY_24.format(m=2, k=32, n=37, groups=2, size=16), (x, w, scales), name, right)


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("dtype, size", [("s8", 16), ("u8", 8), ("s8", 6)])
def test_eight_bit_weights_take_quantised_activations(name, dtype, size):
    """As far from 0 as they may be, of both signs: no sum on the way may saturate. Groups of 6 are no whole words."""
    m, n, groups = 2, 21, 2
    rng = np.random.default_rng(9)
    w, scales = weights(rng, n, groups, size, "s8")
    w = np.where(rng.random(w.shape) < 0.5, *limits(dtype)).astype(DTYPES[dtype].numpy)
    x = (rng.choice([-1, 1], (m, groups, size)) * rng.choice([1, 127], (m, groups, size))).astype(np.float32)
    x[..., 0] = 127
    expected = np.einsum("mgs,ngs,ng->mn", x.astype(np.float64), w.astype(np.float64), scales.astype(np.float64))
    text = (
        f"group_matmul(f32[{m},{groups * size}], const {dtype}[{n},{groups},{size}], const f32[{n},{groups}],"
        " activations=s8)"
    )
    results(text, (x.reshape(m, -1), w, scales), name, near(expected))


@pytest.mark.parametrize("dtype", ["s8", "u8"])
def test_eight_bit_weights_go_through_dot_instructions(dtype):
    text = f"group_matmul(f32[1,64], const {dtype}[32,2,32], const f16[32,2], activations=s8)"
    source = synthesize(gt.parse(text), machine("avx512"), table="none").to_c()
    assert f"grouped_{dtype}((__m512)" in source and "dpbusd" in source


def test_four_bits_take_half_a_byte():
    """Packed ahead of the call, and read as words."""
    program = synthesize(
        gt.parse("group_matmul(f32[1,256], const s4[64,8,32], const f32[64,8])"), machine("avx512"), table="none"
    )
    source = program.to_c()
    assert "nibbles_f32" in source and "uint32_t *const x1 = packed_x1" in source


@pytest.mark.parametrize(
    "text",
    [
        "group_matmul(f32[1,64], s4[8,2,16], f32[8,2])",
        "group_matmul(f32[1,32], s4[8,2,16], f32[8,3])",
        "group_matmul(f32[1,32], s4[8,32], f32[8,2])",
        "group_matmul(f32[1,32], s16[8,2,16], f32[8,2])",
        "group_matmul(f32[1,32], s4[8,2,16], f32[8,2], activations=s16)",
    ],
)
def test_groups_that_do_not_fit_are_refused(text):
    with pytest.raises(SpecError, match="group_matmul expects"):
        gt.parse(text)
