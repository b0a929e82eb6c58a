import numpy as np
from griotte.frontends.text import parse
from griotte.spec import random_arrays
from hypothesis import given, settings
from strategies import seeds, specs


@given(specs(), seeds)
@settings(max_examples=60, deadline=None)
def test_arrays_have_the_declared_layout(spec, seed):
    for array, type in zip(random_arrays(spec, np.random.default_rng(seed), hostile=True), spec.inputs):
        assert (array.shape, array.dtype.itemsize * np.array(type.strides())).__repr__() == (type.shape, np.array(array.strides)).__repr__()


def test_hostile_data_is_hostile():
    (array,) = random_arrays(parse("exp(f32[100,100])"), np.random.default_rng(0), hostile=True)
    assert np.isnan(array).any() and np.isposinf(array).any() and ((array == 0) & np.signbit(array)).any()
    assert ((array != 0) & (np.abs(array) < np.finfo(np.float32).tiny)).any()


def test_plain_data_is_finite_and_small():
    (array,) = random_arrays(parse("exp(f32[100,100])"), np.random.default_rng(0))
    assert np.abs(array).max() < 10
