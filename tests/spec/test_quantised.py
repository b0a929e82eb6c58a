"""Quantised operations: the reference, and what compiled programs give, against whole numbers counted by hand in NumPy, on ties and far out of range."""

import griotte as gt
import numpy as np
import pytest
from features import skip_without
from griotte.errors import SpecError
from griotte.program.interpret import interpret
from griotte.rewrites import edges
from griotte.rewrites.fuse import Finish
from griotte.search.problem import problem
from griotte.spec.dtypes import DTYPES, limits
from griotte.spec.expr import Arg, As, Call, calls, computed_in, uses
from griotte.synthesis import synthesize
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


def results(text: str, arrays, name: str):
    """What the reference, the interpreted program and the compiled one make of `arrays`."""
    spec, target = gt.parse(text), machine(name)
    program = synthesize(spec, target, table="none")
    yield gt.interpret(spec, *arrays)
    yield interpret(program.root, spec, *arrays, target=target)
    skip_without(target.features)
    yield program.compile()(*arrays)


TIES = np.concatenate([np.arange(-300, 300) * 0.5, [np.inf, -np.inf, np.nan, 1e30, -1e30, -0.0, 2.0**23 + 0.5, 8388609.0, 0.49999997, -0.49999997, 1e-45]]).astype(np.float32)


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("dtype", ["s8", "u8"])
@pytest.mark.parametrize("scale", [1.0, 0.25, 3.7, 1e-40])
def test_values_are_rounded_half_to_even_and_saturate(name, dtype, scale):
    zero, scale = np.array(3, DTYPES[dtype].numpy), np.float32(scale)
    x = TIES * scale if scale > 1e-30 else TIES
    for found in results(f"quantize(f32[{len(x)}], f32[], {dtype}[])", (x, np.asarray(scale), zero), name):
        np.testing.assert_array_equal(found, by_hand(x, scale, zero, dtype))


@pytest.mark.parametrize("name", MACHINES)
def test_each_channel_has_its_own_scale_and_zero(name):
    rng = np.random.default_rng(1)
    x, scale, zero = rng.normal(size=(7, 37)).astype(np.float32), rng.uniform(0.001, 0.1, 37).astype(np.float32), rng.integers(0, 255, 37).astype(np.uint8)
    for q in results("quantize(f32[7,37], f32[37], u8[37])", (x, scale, zero), name):
        np.testing.assert_array_equal(q, by_hand(x, scale, zero, "u8"))
    for back in results("dequantize(u8[7,37], f32[37], u8[37])", (q, scale, zero), name):
        np.testing.assert_array_equal(back, (q.astype(np.float32) - zero.astype(np.float32)) * scale)


def products(rng, m, k, n, a_dtype="u8", b_dtype="s8"):
    return tuple(rng.integers(*limits(d), shape, endpoint=True).astype(DTYPES[d].numpy) for d, shape in ((a_dtype, (m, k)), (b_dtype, (k, n))))


@pytest.mark.parametrize("name", MACHINES)
def test_sums_are_requantised_exactly(name):
    """By a power of two: so half of the odd sums are ties."""
    a, b = products(np.random.default_rng(2), 17, 33, 40)
    whole = a.astype(np.int64) @ b
    zero = np.array(-7, np.int8)
    for scale in (0.5, 2.0**-9, 1.0):
        scales = np.full(40, scale, np.float32)
        for found in results("requantize(matmul(u8[17,33], s8[33,40]), f32[40], s8[])", (a, b, scales, zero), name):
            np.testing.assert_array_equal(found, by_hand(whole, scales, zero, "s8", multiply=True))


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("kinds", [("u8", "s8", "u8"), ("s8", "s8", "s8"), ("u8", "u8", "s8")])
@pytest.mark.parametrize("per_channel", [False, True])
def test_zeros_are_taken_off_both_operands(name, kinds, per_channel):
    rng, (m, k, n) = np.random.default_rng(3), (9, 21, 18)
    a, b = products(rng, m, k, n, *kinds[:2])
    draw = lambda dtype, shape: rng.integers(*limits(dtype), shape, endpoint=True).astype(DTYPES[dtype].numpy)  # noqa: E731
    shape, mark = ((n,), f"[{n}]") if per_channel else ((), "[]")
    a_zero, b_zero, y_zero = draw(kinds[0], ()), draw(kinds[1], shape), draw(kinds[2], ())
    scales = np.float32(0.02), rng.uniform(0.01, 0.02, shape).astype(np.float32), np.float32(0.3)
    whole = (a.astype(np.int64) - int(a_zero)) @ (b.astype(np.int64) - b_zero.astype(np.int64))
    expected = by_hand(whole, np.float32(scales[0] * scales[1]) / scales[2], y_zero, kinds[2], multiply=True)
    text = f"qmatmul({kinds[0]}[{m},{k}], f32[], {kinds[0]}[], {kinds[1]}[{k},{n}], f32{mark}, {kinds[1]}{mark}, f32[], {kinds[2]}[])"
    given = (a, np.asarray(scales[0]), a_zero, b, np.asarray(scales[1]), b_zero, np.asarray(scales[2]), y_zero)
    for found in results(text, given, name):
        np.testing.assert_array_equal(found, expected)


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
    arrays = [(rng.normal(size=t.shape) * 40).astype(np.float32) if t.dtype == "f32" else rng.integers(-128, 128, t.shape).astype(np.int8) for t in spec.inputs]
    if "quantize" in text:
        arrays = [np.asarray(np.abs(a) + 1, a.dtype) if t.dtype == "f32" else a for a, t in zip(arrays, spec.inputs)]
    expected, *found = results(text, arrays, name)
    for result in found:
        np.testing.assert_array_equal(result, expected)


def test_sums_are_requantised_in_registers():
    """Finished in f32 though they are summed in s32, and in one nest."""
    spec = gt.parse("requantize(matmul(u8[16,64], s8[64,32]), f32[32], u8[])").canonical()
    family = problem(spec, machine("avx512")).goal
    (finish,) = [edge for edge in edges(family, machine("avx512")) if isinstance(edge.rewrite, Finish)]
    (child,) = finish.children
    assert child.family.accumulator == "s32" and computed_in(child.family.operation.finish, "s32") == "f32"
    assert calls(child.family.operation.finish) == ("as", "mul", "round", "add")


def test_expressions_say_in_which_dtype_they_take_each_input():
    mixed = Call("mul", (As("s32", "f32", Call("add", (Arg(0), Arg(1)))), Arg(1)))
    assert uses(mixed, "f32") == ((0, "s32"), (1, "s32"), (1, "f32"))
    assert computed_in(mixed, "") == "f32" and computed_in(Arg(0), "s32") == "s32"
    assert str(mixed) == "mul(f32(add(x0, x1)), x1)"


@pytest.mark.parametrize(
    "text, why",
    [
        ("quantize(f32[4], f32[], f32[])", "expects a zero of s8, u8 or s4"),
        ("quantize(s8[4], f32[], s8[])", "expects scales of f32"),
        ("requantize(s32[4], s32[], s8[])", "expects scales of f32"),
        ("qmatmul(f32[4,4], f32[], u8[], s8[4,4], f32[], s8[], f32[], u8[])", "expects operands of s8"),
    ],
)
def test_what_is_refused(text, why):
    with pytest.raises(SpecError, match=why):
        gt.parse(text)


# ---- weights with a scale for each group ------------------------------------------------------------------------------


def weights(rng, n: int, groups: int, size: int, dtype: str):
    """Every weight there is, often; scales of both signs."""
    w = rng.integers(*limits(dtype), (n, groups, size), endpoint=True).astype(np.int8).astype(DTYPES[dtype].numpy)
    return w, (rng.uniform(0.1, 1, (n, groups)) * rng.choice([-1, 1], (n, groups))).astype(np.float32)


GROUPED = ((1, 40, 3, 32, "s4"), (3, 17, 2, 16, "s4"), (2, 70, 5, 8, "s4"), (1, 33, 4, 12, "s4"), (2, 24, 3, 32, "s8"))


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("case", GROUPED)
@pytest.mark.parametrize("x_dtype, scale_dtype", [("f32", "f32"), ("bf16", "f16"), ("f32", "bf16")])
def test_weights_are_scaled_group_by_group(name, case, x_dtype, scale_dtype):
    """Of whole numbers, so that sums are exact but for the scales."""
    m, n, groups, size, dtype = case
    rng = np.random.default_rng(5)
    w, scales = weights(rng, n, groups, size, dtype)
    scales = scales.astype(DTYPES[scale_dtype].numpy)
    x = rng.integers(-3, 4, (m, groups * size)).astype(DTYPES[x_dtype].numpy)
    sums = np.einsum("mgs,ngs->mng", x.astype(np.float64).reshape(m, groups, size), w.astype(np.float64))
    expected = np.einsum("mng,ng->mn", sums, scales.astype(np.float64))
    text = f"group_matmul({x_dtype}[{m},{groups * size}], const s4[{n},{groups},{size}], const {scale_dtype}[{n},{groups}]) -> f32[{m},{n}]".replace("s4", dtype)
    for found in results(text, (x, w, scales), name):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


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
    expected = np.einsum("mgs,ngs,ng,mg->mn", whole, w.astype(np.float64), scales.astype(np.float64), own.astype(np.float64))
    text = f"group_matmul(f32[{m},{groups * size}], const s4[{n},{groups},{size}], const f32[{n},{groups}], activations=s8)"
    for found in results(text, (x.reshape(m, -1), w, scales), name):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


def test_four_bits_take_half_a_byte():
    """Packed ahead of the call, and read as words."""
    program = synthesize(gt.parse("group_matmul(f32[1,256], const s4[64,8,32], const f32[64,8])"), machine("avx512"), table="none")
    source = program.to_c()
    assert "nibbles_f32" in source and "uint32_t *const x1 = packed_x1" in source


@pytest.mark.parametrize(
    "text",
    ["group_matmul(f32[1,64], s4[8,2,16], f32[8,2])", "group_matmul(f32[1,32], s4[8,2,16], f32[8,3])", "group_matmul(f32[1,32], s4[8,32], f32[8,2])", "group_matmul(f32[1,32], s16[8,2,16], f32[8,2])"],
)
def test_groups_that_do_not_fit_are_refused(text):
    with pytest.raises(SpecError, match="group_matmul expects"):
        gt.parse(text)
