"""cumsum: NumPy's, in either direction, with each element and without."""

import griotte as gt
import numpy as np
import pytest
from checked import check
from griotte.support.errors import SpecError


@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("of", ["s32", "f64"])
def test_it_is_numpys(axis, of):
    kinds = (False,) if of == "f64" else (False, True)
    check(f"cumsum({of}[5,33], axis={axis})", lambda x: x.cumsum(axis), 1e-10, kinds)


def test_directions():
    check("cumsum(s32[5,7], axis=0, exclusive=true)", lambda x: x.cumsum(0) - x)
    check("cumsum(s32[5,33], axis=-1, reverse=true)", lambda x: x[:, ::-1].cumsum(1)[:, ::-1])
    check("cumsum(s8[9], exclusive=true, reverse=true) -> s32[9]", lambda x: x[::-1].astype(int).cumsum()[::-1] - x)


def test_what_comes_after_counts_nothing():
    x = np.array([1, 2, np.inf, np.nan, 5], np.float32)
    assert np.array_equal(gt.compile("cumsum(f32[5])", table="none")(x), [1, 3, np.inf, np.nan, np.nan], equal_nan=True)


def test_what_does_not_go_together_is_said():
    with pytest.raises(SpecError, match="cumsum expects an axis"):
        gt.parse("cumsum(f32[])")
    with pytest.raises(SpecError, match="expects a fixed size along axis 0"):
        gt.parse("cumsum(f32[<=5,3], axis=0)")
