"""Which leaves serve: every form says what it refuses and has a price; what is asked of sizes holds for arrays as for
each of them."""

import numpy as np
import pytest
from griotte.engine.leaves.conditions import of_one
from griotte.engine.leaves.forms import FORMS, fits
from griotte.machine import NAMES, named
from machines import machine
from products import leaf_of


def test_each_kernel_has_a_form():
    assert {kernel.form for name in NAMES for kernel in named(name).kernels} <= {form.name for form in FORMS}


def test_a_leaf_fits_where_all_that_it_asks_holds():
    """3 rows of 23 columns by vectors of 8 are 9 accumulators, 4 are 12, and of 16 registers none is left for the parts
    of the last vector, which 24 columns do not have."""
    target = machine("avx2")
    kernel, family = leaf_of("matmul(f32[40,48], f32[48,24])", target)
    size = {"m": np.array([3, 4, 4, 6]), "n": np.array([23, 23, 24, 24]), "k": np.array([48, 48, 48, 48])}
    found = fits(kernel, "n", family, target, size)
    assert found.tolist() == [True, False, True, False]
    assert found.tolist() == [
        bool(fits(kernel, "n", family, target, {d: int(values[i]) for d, values in size.items()})) for i in range(4)
    ]


@pytest.mark.parametrize(
    "size, holds",
    [
        ({"m": 1, "n": 5}, [True, False]),
        ({"m": np.array([1, 2]), "n": np.array([1, 1])}, [[True, False], [True, True]]),
    ],
)
def test_dimensions_of_one(size, holds):
    found = of_one(["m", "n"], size, "a leaf runs along k alone")
    assert [np.asarray(ok).tolist() for ok, _ in found] == holds
    assert found[1][1] == "n = 1, for a leaf runs along k alone; tile n by 1"
