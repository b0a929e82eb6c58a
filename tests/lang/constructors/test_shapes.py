"""reshape and broadcast mean what NumPy's do."""

import griotte as gt
import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.support.errors import SpecError
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

FACTORS = st.lists(st.integers(1, 4), min_size=1, max_size=4)


def grouped(factors, cuts) -> tuple[int, ...]:
    """Neighbours among the factors multiplied together, as the cuts say."""
    shape = [1]
    for factor, cut in zip(factors, (True, *cuts)):
        shape = [*shape, factor] if cut else [*shape[:-1], shape[-1] * factor]
    return tuple(shape[1:])


@examples(60)
@given(FACTORS, st.data())
def test_reshape_keeps_the_order_of_elements(factors, data):
    cuts = st.lists(st.booleans(), min_size=len(factors) - 1, max_size=len(factors) - 1)
    before, after = (grouped(factors, data.draw(cuts)) for _ in range(2))
    x = np.arange(np.prod(before), dtype=np.float32).reshape(before)
    np.testing.assert_array_equal(gt.interpret(gt.reshape(gt.tensor(before), after), x), x.reshape(after))


@pytest.mark.parametrize(
    "text, axis",
    [
        ("reshape(f32[2,<=4,6]) -> f32[2,<=4,2,3]", 1),
        ("reshape(f32[6,<=4]) -> f32[3,2,<=4]", 2),
        ("reshape(f32[2,3,<=4,5]) -> f32[6,1,<=4,5]", 2),
        ("reshape(f32[1,<=1,6]) -> f32[<=1,2,3]", 0),
    ],
)
def test_a_reshape_may_keep_a_dynamic_axis(text, axis):
    spec = gt.parse(text)
    assert (
        gt.parse(str(spec)) == spec
        and spec.output.dynamic == axis == gt.reshape(spec.inputs[0], spec.output.shape).output.dynamic
    )
    assert canonical_form(spec).dynamic.bound == spec.dynamic.bound
    for n in range(1, spec.dynamic.bound + 1):
        x = np.arange(np.prod(spec.at(n).inputs[0].shape), dtype=np.float32).reshape(spec.at(n).inputs[0].shape)
        np.testing.assert_array_equal(gt.interpret(spec, x), x.reshape(spec.at(n).output.shape))


def test_a_shape_may_say_which_axis_is_dynamic():
    x = gt.tensor(("<=8", 6))
    assert gt.reshape(x, ("<=8", 2, 3)) == gt.reshape(x, (8, 2, 3)) == gt.parse("reshape(f32[<=8,6]) -> f32[<=8,2,3]")
    assert gt.broadcast(x, (4, "<=8", 6)).output.dynamic == 1
    with pytest.raises(
        gt.SpecError, match=r"reshape expects <= at a dynamic axis of its result, f32\[<=8,2,3\], found \[8, '<=2', 3\]"
    ):
        gt.reshape(x, (8, "<=2", 3))
    for wrong in ((8, 0, 3), ("<=0", 6), (8, "two", 3)):
        with pytest.raises(gt.SpecError):
            gt.reshape(x, wrong)


def test_a_reshape_of_dense_rows_is_a_copy_of_one_run():
    assert canonical_form(gt.parse("reshape(f32[4,6]) -> f32[8,3]")).sizes == (24,)


def test_broadcast():
    x = np.arange(3, dtype=np.float32).reshape(3, 1)
    np.testing.assert_array_equal(
        gt.interpret(gt.parse("broadcast(f32[3,1]) -> f32[2,3,4]"), x), np.broadcast_to(x, (2, 3, 4))
    )


@pytest.mark.parametrize(
    "text, message",
    (
        ("reshape(f32[4,6]) -> f32[5,5]", "of the 24 elements"),
        (
            "reshape(f32[<=4,6]) -> f32[24]",
            r"keeps the dynamic axis 0 of f32\[<=4,6\] as it is, found \[24\]; write the bound",
        ),
        ("reshape(f32[<=4,6]) -> f32[4,2,3]", r"expected f32\[<=4,2,3\] as the result of reshape"),
        ("reshape(f32[<=4,6]) -> f32[2,2,6]", "keeps the dynamic axis 0"),
        ("reshape(f32[4,6])", "expected '->'"),
        (
            "broadcast(f32[3]) -> f32[2,4]",
            r"a shape that f32\[3\] broadcasts to, found \[2, 4\]; from the last axis on",
        ),
        ("broadcast(f32[2,3]) -> f32[3]", "broadcasts to"),
    ),
)
def test_what_does_not_fit_is_refused(text, message):
    with pytest.raises(SpecError, match=message):
        gt.parse(text)


@pytest.mark.parametrize(
    "given, wanted",
    (
        ("f32[2,3]", (3, 2)),
        ("f32[2,3,4]", (4, 2, 3)),
        ("f32[5,2,3,7]", (5, 3, 14)),
        ("f32[6,1,2]", (4, 3, 1)),
        ("f32[4,6]{0,1}", (6, 4)),
        ("f32[1,6,4]", (8, 1, 3)),
    ),
)
def test_shapes_of_other_sizes_go_through_one_axis(given, wanted):
    text = f"reshape({given}) -> f32[{','.join(map(str, wanted))}]"
    spec = gt.parse(text)
    assert str(spec) == text and gt.parse(str(spec)) == spec
    x = np.arange(spec.inputs[0].elements, dtype=np.float32).reshape(spec.inputs[0].shape)
    assert np.array_equal(gt.interpret(spec, x), x.reshape(wanted))
    assert np.array_equal(gt.compile(spec, "portable", table="none")(as_laid_out(x, spec)), x.reshape(wanted))


def as_laid_out(x, spec):
    return np.asfortranarray(x) if "{0,1}" in str(spec.inputs[0]) else x
