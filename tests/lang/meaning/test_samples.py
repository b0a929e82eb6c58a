import numpy as np
from griotte.lang.meaning.agreement import tolerance
from griotte.lang.meaning.samples import random_arrays, whole_arrays
from griotte.lang.text.text import parse
from griotte.lang.types.dtypes import dtype, limits
from hypothesis import given
from strategies import examples, seeds, specs


@given(specs(), seeds)
@examples(60)
def test_arrays_have_the_declared_layout(spec, seed):
    for array, type in zip(random_arrays(spec, np.random.default_rng(seed), hostile=True), spec.inputs):
        assert (array.shape, array.dtype.itemsize * np.array(type.strides())).__repr__() == (
            type.shape,
            np.array(array.strides),
        ).__repr__()


def test_hostile_data_is_hostile():
    (array,) = random_arrays(parse("exp(f32[100,100])"), np.random.default_rng(0), hostile=True)
    assert np.isnan(array).any() and np.isposinf(array).any() and ((array == 0) & np.signbit(array)).any()
    assert ((array != 0) & (np.abs(array) < np.finfo(np.float32).tiny)).any()


def test_plain_data_is_finite_and_small():
    (array,) = random_arrays(parse("exp(f32[100,100])"), np.random.default_rng(0))
    assert np.abs(array).max() < 10


@given(specs(40), seeds)
@examples(60)
def test_whole_numbers_are_whole_and_their_sums_exact(spec, seed):
    arrays = whole_arrays(spec, np.random.default_rng(seed))
    for array, type in zip(arrays, spec.inputs, strict=True):
        assert array.shape == type.shape and (np.trunc(array.astype(np.float64)) == array).all()
    if spec.operation.combine == "add" and spec.operation.name not in ("mean", "avg_pool2d"):  # those divide
        bounds = tolerance(spec, arrays)
        terms = np.prod([spec.size[d] for d in spec.operation.reduction])
        # else a sum of as many ones saturates
        has_room = dtype(spec.output.dtype).kind == "float" or terms <= limits(spec.output.dtype)[1] / 4
        assert (bounds.low == bounds.high).all() and (not has_room or all((array != 0).all() for array in arrays))


def test_every_term_is_the_largest_of_some_result():
    (array,) = whole_arrays(parse("max(f32[30,20], axis=1)"), np.random.default_rng(0))
    assert set(array.argmax(axis=1)) == set(range(20)) and array[0].argmax() == 19


def test_hostile_data_leaves_most_long_sums_finite_but_not_all():
    spec = parse("sum(f32[50001])")
    assert (
        20
        < sum(
            np.isfinite(random_arrays(spec, np.random.default_rng(seed), hostile=True)[0]).all() for seed in range(40)
        )
        < 40
    )
