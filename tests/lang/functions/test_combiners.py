"""Every declared combiner: it is complete, its identity changes nothing, and its bounds hold in any order of terms."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from checked import agrees
from griotte.engine.vectors.library import VectorLibrary
from griotte.lang.functions import COMBINERS, FUNCTIONS
from griotte.lang.functions.kit import COMPUTE, literal
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.samples import random_arrays, sample
from griotte.lang.types.dtypes import dtype
from vector_data import values

DTYPES = {name: dtype(name).numpy for name in COMPUTE}


@pytest.mark.parametrize("name", COMBINERS)
def test_it_is_a_function_of_two_arguments(name):
    combiner, function = COMBINERS[name], FUNCTIONS[name]
    assert combiner.name == name and len(function.arguments) == 2 and function.helper
    x, y = np.random.default_rng(0).standard_normal((2, 50))
    assert np.array_equal(combiner.ufunc(x, y), function.meaning(x, y))
    assert (combiner.errors is None) == (function.ulps == 0)


@pytest.mark.parametrize("of", DTYPES)
@pytest.mark.parametrize("name", COMBINERS)
def test_the_identity_changes_nothing(name, of):
    combiner, x = COMBINERS[name], values(of)
    identity = combiner.identity(DTYPES[of])
    assert identity.dtype == DTYPES[of]
    with np.errstate(all="ignore"):
        assert np.array_equal(combiner.ufunc(x, identity), x, equal_nan=of[0] == "f")
    assert VectorLibrary(frozenset()).identity(name, of) == literal(of, identity.item())


@pytest.mark.parametrize("name", [name for name, combiner in COMBINERS.items() if combiner.call])
@pytest.mark.parametrize("kind", ["random", "whole-number", "hostile"])
def test_any_order_of_terms_is_right_and_a_lost_term_is_not(name, kind):
    combiner = COMBINERS[name]
    spec, rng = gt.parse(f"{combiner.call}(f32[31,64], axis=1)"), np.random.default_rng(3)
    (x,) = sample(kind, spec, rng)
    for _ in range(3):
        found = combiner.ufunc.reduce(rng.permuted(x, axis=1), axis=1)
        agrees(spec, [x], found)
    if kind != "hostile":
        assert not compare(spec, [x], combiner.ufunc.reduce(np.sort(x, axis=1)[:, 1:-1], axis=1))[1]


def test_a_combiner_without_a_bound_is_exact():
    spec = gt.parse("max(f32[31,64], axis=1)")
    (x,) = random_arrays(spec, np.random.default_rng(0))
    assert not compare(spec, [x], np.nextafter(x.max(axis=1), np.float32(9)))[1]
