"""take: its reference against NumPy, what stands for numbers beyond the rows there are, and what is refused."""

import griotte as gt
import numpy as np
import pytest
from checked import check
from griotte.engine.program.interpret import interpret as run
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.samples import picked_from, random_arrays, sample
from griotte.support.errors import SpecError
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, seeds

sizes = st.lists(st.integers(1, 6), max_size=2).map(tuple)
numbers = st.sampled_from(("s8", "u8", "s16", "u16", "s32", "u32", "s64"))


@given(sizes, st.integers(1, 7), sizes, numbers, st.sampled_from(("f32", "bf16", "s8", "pred")), seeds)
def test_rows_are_those_of_numpy(index, rows, inner, of, name, seed):
    spec = gt.take(gt.tensor((rows, *inner), name), gt.tensor(index, of))
    assert gt.parse(str(spec)) == spec and spec.output.shape == (*index, *inner)
    for hostile in (False, True):
        x, i = random_arrays(spec, np.random.default_rng(seed), hostile)
        expected = np.take(x, np.clip(i.astype(np.int64), 0, rows - 1), axis=0)
        assert gt.interpret(spec, x, i).tobytes() == np.asarray(expected).tobytes()


@examples(30)
@given(sizes, st.integers(1, 7), sizes, st.data(), seeds)
def test_a_program_takes_the_same_rows(index, rows, inner, data, seed):
    layouts = [data.draw(st.permutations(range(n))) for n in (1 + len(inner), len(index) + len(inner))]
    spec = gt.take(
        gt.tensor((rows, *inner), layout=tuple(layouts[0])), gt.tensor(index, "s32"), layout=tuple(layouts[1])
    )
    arrays = random_arrays(spec, np.random.default_rng(seed), hostile=True)
    found = run(gt.synthesize(spec, "portable", table="none").root, spec, *arrays)
    assert compare(spec, arrays, found)[1], compare(spec, arrays, found)[2]


@pytest.mark.parametrize("index", [(), (4,), (2, 3)])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_rows_along_any_axis_are_those_of_numpy(index, axis):
    spec = gt.take(gt.tensor((5, 7, 3)), gt.tensor(index, "s32"), axis=axis)
    size = (5, 7, 3)[axis]
    check(str(spec), lambda x, i: np.take(x, np.clip(i, 0, size - 1), axis=axis))


def test_numbers_beyond_the_rows_stand_for_the_first_and_the_last():
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    i = np.array([-1, -(2**63), 0, 2, 3, 2**63 - 1], np.int64)
    for target in ("portable", "native"):
        np.testing.assert_array_equal(
            gt.compile("take(f32[3,2], s64[6])", target, table="none")(x, i), x[[0, 0, 0, 2, 2, 2]]
        )
    u = np.array([0, 2**31, 2**32 - 1], np.uint32)
    np.testing.assert_array_equal(
        gt.compile("take(f32[3], u32[3])", "portable", table="none")(x[:, 0].copy(), u), x[[0, 2, 2], 0]
    )


@pytest.mark.parametrize("text", ("take(f32[9,4], s32[40])", "add(take(f32[9,4], s8[40]), f32[4])"))
@pytest.mark.parametrize("kind", ("random", "whole-number"))
def test_samples_have_every_row_and_some_beyond(text, kind):
    spec = gt.parse(text)
    assert picked_from(spec) == {1: 9}
    found = np.concatenate([sample(kind, spec, np.random.default_rng(seed))[1] for seed in range(5)])
    assert {*range(-1, 10)} == {*found.tolist()}


def test_only_what_is_picked_must_move():
    spec = gt.parse("take(f32[1000,16], s32[10])")
    assert spec.bytes == 10 * (64 + 4 + 64)
    assert gt.parse("exp(take(f32[1000,16], s32[10]))").bytes == spec.bytes
    assert gt.parse("add(take(%x: f32[10,16], s32[10]), %x)").bytes == 10 * (64 + 4 + 64)
    assert gt.parse("take(f32[8,16], s32[100])").bytes == 8 * 64 + 100 * (4 + 64)


def test_a_table_of_rows_is_read_where_it_lies():
    """What is computed of each row is computed as it is picked; the rows are not copied, and what of them is brought
    nearer is counted as so many rows."""
    program = gt.synthesize("add(take(f32[100000,64], s32[50]), f32[64])", "avx2", table="none")
    more = gt.synthesize("add(take(f32[200000,64], s32[50]), f32[64])", "avx2", table="none")
    assert program.cost == more.cost


@pytest.mark.parametrize("text, message", (
    ("take(f32[4,4], f32[2])", r"row numbers of an integer dtype.*cast first: cast\(f32\[2\]\) -> s32\[2\]"),
    ("take(f32[4,4], s4[2])", "of 8 bits and more"),
    ("take(f32[4,4], pred[2])", "integer dtype"),
    ("take(f32[], s32[2])", r"expects x \[r, ...\]"),
    ("take(f32[4,4])", "expected 2 operands for take"),
    ("take(f32[4,4], s32[2], axis=2)", "take expects axes from -2 to 1, found 2"),
    ("take(f32[4,4], s32[2]) -> f32[2,5]", r"expected f32\[2,4\] as the result of take"),
))  # fmt: skip
def test_what_is_not_supported_is_refused(text, message):
    with pytest.raises(SpecError, match=message) as error:
        gt.parse(text)
    assert "\n" not in str(error.value)


def padded(mode, before, after, **value):
    return lambda x: np.pad(x, list(zip(before, after)), mode=mode, **value)


@pytest.mark.parametrize(
    "text, meaning",
    [
        ("pad(f32[5,7], before=(1,0), after=(2,3))", padded("constant", (1, 0), (2, 3))),
        # rows of one element, which are as the result's only beyond it
        ("pad(f32[2,8,1], before=(0,1,0), after=(1,0,2))", padded("constant", (0, 1, 0), (1, 0, 2))),
        (
            "add(pad(f32[8,1], before=(1,1), after=(0,1)), f32[9,3])",
            lambda x, y: padded("constant", (1, 1), (0, 1))(x) + y,
        ),
        (
            "pad(f32[5,7], before=(1,0), after=(2,3), value=-inf)",
            padded("constant", (1, 0), (2, 3), constant_values=-np.inf),
        ),
        (
            "pad(pred[5,7], before=(1,0), after=(2,3), value=1)",
            padded("constant", (1, 0), (2, 3), constant_values=True),
        ),
        (
            "pad(s8[5,7], before=(1,-2), after=(2,3), value=-7)",
            lambda x: np.pad(x[:, 2:], ((1, 2), (0, 3)), constant_values=-7),
        ),
        ("pad(bf16[5], before=(1,), after=(2,), value=0.5)", padded("constant", (1,), (2,), constant_values=0.5)),
        ("pad(f32[5,7], before=(1,9), after=(0,3), mode=edge)", padded("edge", (1, 9), (0, 3))),
        ("pad(f32[5,7], before=(4,6), after=(4,3), mode=reflect)", padded("reflect", (4, 6), (4, 3))),
        ("pad(f32[5,7], before=(0,7), after=(0,3), mode=wrap)", padded("wrap", (0, 7), (0, 3))),
        ("pad(s32[5], before=(-1,), after=(2,), mode=edge)", lambda x: np.pad(x, (0, 2), mode="edge")[1:]),
        ("pad(f32[3,2], before=(0,0), after=(0,0), mode=edge)", lambda x: x),
    ],
)
def test_it_is_numpys(text, meaning):
    check(text, meaning)


def test_calls_nest_around_it():
    check("exp(pad(neg(f32[3,5]), before=(1,0), after=(0,2), value=1))")


@pytest.mark.parametrize(
    "text, message",
    [
        (
            "pad(f32[5], before=(1,), after=(1,), mode=mirror)",
            "expects a mode of constant edge reflect wrap, found mirror",
        ),
        ("pad(f32[5], before=(1,2), after=(1,))", "expects numbers before and after each axis of"),
        ("pad(f32[5], before=(-3,), after=(-2,))", "expects to leave an element of"),
        (
            "pad(f32[5], before=(5,), after=(0,), mode=reflect)",
            "expects no more than x has of elements in the mode reflect",
        ),
        (
            "pad(s8[5], before=(5,), after=(0,), value=0.5)",
            "expected a number that s8 holds, found 0.5, for value of pad",
        ),
        ("pad(f32[<=5], before=(5,), after=(0,))", "expects a fixed size along axis 0"),
    ],
)
def test_what_does_not_go_together_is_said(text, message):
    with pytest.raises(SpecError, match=message):
        gt.parse(text)
