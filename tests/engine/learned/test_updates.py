"""What to time next: beliefs, expected improvement, and when nothing is to be gained."""

import numpy as np
import pytest
from griotte.engine.learned.updates import Updated, _normal
from griotte.support.errors import GriotteError
from griotte.tools.learn.fit import fit
from timed_programs import NAMES, timed

SAMPLES = timed(12, 8)


def belief(price=(1.0, 1.05, 1.1, 3.0), features=None, **options):
    rows = np.eye(len(price)) if features is None else np.asarray(features, float)
    return Updated(None, rows, np.asarray(price), **options)


def test_the_first_is_the_cheapest_by_price():
    found = belief().next()
    assert found[0] == 0 and 3 not in found  # three times the price is not worth a run


def test_times_in_any_unit_are_believed():
    for unit in (1e-6, 1.0, 1e9):
        model = belief()
        model.tell([0, 1], [unit, unit * 0.9])
        mean, deviation = model.believed()
        assert np.allclose(mean[:2], np.log([unit, unit * 0.9]), atol=0.02) and (deviation > 0).all()
        assert model.best() == 1


def test_a_program_like_a_slow_one_is_believed_slow():
    model = belief((1.0, 1.0, 1.0, 1.0), [[0], [0], [9], [9]])
    model.tell([0, 2], [1.0, 1.3])
    mean, _ = model.believed()
    assert mean[1] < mean[3] and mean[1] < 0.08 and mean[3] > 0.2
    assert model.next(1) == [1]


def test_nothing_is_timed_where_the_gain_is_below_the_noise():
    model = belief((1.0, 2.0, 3.0))
    assert model.gain() == float("inf")
    model.tell([0], [1.0])
    assert model.next() == [] and 0 <= model.gain() < model.noise
    assert model.next(2, least=-1.0) == [1, 2]


def test_all_are_timed_in_the_end():
    model = belief()
    model.tell([0, 1, 2, 3], [4.0, 3.0, 2.0, 1.0])
    assert model.next(least=0.0) == [] and model.gain() == 0.0 and model.best() == 3


def test_a_batch_is_of_different_programs():
    """Of alike programs one is enough: the second is taken to be as believed."""
    model = belief((1.0, 1.0, 1.0, 1.0, 1.01), [[0, 0]] * 4 + [[9, 9]])
    found = model.next(4)
    assert len(found) == len(set(found)) and 4 in found[:2]


def test_a_model_says_what_is_believed_first():
    fitted, rows = fit(timed(12, 8, error=1.0), NAMES, "ridge"), np.flatnonzero(SAMPLES.group == 3)
    part = timed(12, 8, error=1.0).of(rows)
    by_model = Updated(fitted, part.features, part.price)
    assert by_model.next(1) == [int(np.argmin(fitted.predict(part.features, part.price).logarithm(part.price)))]
    by_model.tell([0], [part.warm[0]])
    said = by_model.believed()[0] - np.log(part.warm)
    by_price = Updated(None, part.features, part.price)
    by_price.tell([0], [part.warm[0]])
    assert said.std() < 0.5 * (by_price.believed()[0] - np.log(part.warm)).std()


def test_expected_improvement_is_that_of_a_normal_belief():
    x = np.linspace(-5, 5, 11)
    draws = np.random.default_rng(0).normal(size=200_000)
    assert np.allclose(_normal(x), [(draws < each).mean() for each in x], atol=4e-3)


@pytest.mark.parametrize("rows, times", [([9], [1.0]), ([-1], [1.0]), ([0, 1], [1.0]), ([0], [0.0]), ([0], [np.nan])])
def test_what_cannot_be_told_is_refused(rows, times):
    with pytest.raises(GriotteError, match="expected"):
        belief().tell(rows, times)


def test_no_best_without_times():
    with pytest.raises(GriotteError, match="expected times first, found none"):
        belief().best()
