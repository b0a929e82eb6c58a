"""Long sums go on to other accumulators, in leaves and in the loops around them."""

import griotte as gt
import numpy as np
import pytest
from features import skip_without
from griotte.engine.leaves.reduce.tile import Levels
from griotte.engine.rewrites import DoesNotApply
from griotte.lang.functions.combiners import RUN, longest
from griotte.machine import BUILT_IN

LONG = (
    "sum(f32[300007])",
    "sum(f32[70001,3], axis=0)",
    "mean(f32[40003,5], axis=0)",
    "sum(f32[3,70000], axis=1)",
    "sum(f32[3,50,9,170], axis=(1,2,3))",
    "sum(exp(f32[60000])) -> f32[]",
)


@pytest.mark.parametrize("target", ("portable", "avx2", "avx512"))
@pytest.mark.parametrize("text", LONG)
def test_a_sum_of_equal_numbers_errs_as_its_levels(text, target):
    """Each addition to a running sum errs to the same side: of 70,000 terms it is 1e-4 off and more."""
    skip_without(BUILT_IN[target].features)
    spec = gt.parse(text)
    x = np.full(spec.inputs[0].shape, 0.1, np.float32)
    found, right = np.float64(gt.compile(spec, target)(x)), np.float64(gt.interpret(spec, x))
    np.testing.assert_allclose(found, right, rtol=4e-6)


def test_softmax_by_pairs_has_levels():
    rows = gt.synthesize(gt.schedule("softmax(f32[2,60000])", "portable").tile("i0", 1).pairs(), table="none")
    found = rows.compile()(np.full((2, 60000), 2, np.float32))
    np.testing.assert_allclose(found, 1 / 60000, rtol=1e-6)


def written(run: int, trips: int) -> str:
    levels = Levels(run, "f32x4", [["c"]])
    return "\n".join(levels.around(levels.loop("i", trips * 4, 4, trips, ["c += x[i];"])))


def test_a_loop_as_long_as_a_run_is_one_loop():
    assert written(8, 8).count("for") == 1 and "c_1" not in written(8, 8)
    assert written(8, 9).count("for") == 2 and written(8, 64).count("for") == 2 and written(8, 65).count("for") == 3
    assert written(0, 1000).count("for") == 1


def test_levels_of_a_sum():
    assert [longest(n, 256) for n in (1, 256, 257, 1 << 16, (1 << 16) + 1, 21_000_000)] == [1, 256, 257, 512, 768, 1024]


def test_a_loop_adds_to_a_sum_of_floats_no_more_often_than_a_run():
    summed = gt.schedule("sum(f32[4,2570], axis=1)", "portable")
    assert summed.tile("i1", 11).holes
    with pytest.raises(DoesNotApply, match=f"expected {RUN} tiles of i1 at most, whose sums are added up, found 257"):
        summed.tile("i1", 10)
    assert gt.schedule("sum(s32[4,2570], axis=1)", "portable").tile("i1", 10).holes
