"""Models fitted to made-up programs: they find how the price errs, shrink to it where it does not, and know how far
they are off."""

from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from griotte.engine.learned.learners import beside
from griotte.engine.learned.model import PerformanceModel
from griotte.support.errors import GriotteError
from griotte.tools.learn import fit as fitting
from griotte.tools.learn.fit import HeldOut, cautious, chosen, fit
from griotte.tools.learn.learners import fit_ridge
from griotte.tools.learn.splits import folds, member
from griotte.tools.learn.training import digest, joined, training
from timed_programs import NAMES, timed

SAMPLES = timed()
HELD_OUT = timed(seed=1)
needs_lightgbm = pytest.mark.skipif(find_spec("lightgbm") is None, reason="LightGBM is an extra: griotte[learn]")


def left(model, samples=HELD_OUT):
    """The standard deviation within Specs of what a model leaves of prices' errors."""
    found, _ = training(samples)
    said = np.zeros(len(samples))
    for number in np.unique(samples.group):
        here = samples.group == number
        said[here] = model.predict(samples.features[here], samples.price[here]).correction
    return float(np.std(found.apart(found.value - said)))


def test_ridge_finds_how_the_price_errs():
    model = fit(SAMPLES, NAMES, "ridge")
    found, _ = training(HELD_OUT)
    assert left(model) < 0.4 * np.std(found.apart(found.value))
    assert model.learner.word == "ridge" and model.shrink > 0.9
    said = dict(zip(NAMES, model.learner.terms(model.seen.scale)))
    assert max(said, key=lambda name: abs(said[name])) == "share_line"


@needs_lightgbm
def test_trees_find_what_is_not_linear(tmp_path):
    bent = lambda samples: replace(samples, warm=samples.warm * np.exp(0.2 * (samples.features[:, 3] == 4)))
    samples, other = bent(SAMPLES), bent(HELD_OUT)
    model = fit(samples, NAMES, "trees")
    assert left(model, other) < 0.6 * left(fit(samples, NAMES, "ridge"), other)
    model.save(tmp_path / "m.gtm")
    again = PerformanceModel.load(tmp_path / "m.gtm")
    one, other = (each.predict(HELD_OUT.features, HELD_OUT.price) for each in (model, again))
    assert np.allclose(one.correction, other.correction, atol=1e-3)  # as the file has their leaves


@needs_lightgbm
def test_trees_find_what_a_program_has_more_of_than_the_cheapest():
    """Programs of a Spec err by how far a feature is from the cheapest one's, whatever that is."""

    def drawn(seed):
        rng, samples = np.random.default_rng(seed), timed(seed=seed)
        order = np.lexsort((samples.price, samples.group))
        first = order[np.searchsorted(samples.group[order], samples.group)]
        features = samples.features.copy()
        features[:, 3] = rng.integers(0, 100, len(samples.groups))[samples.group] + rng.integers(0, 8, len(samples))
        error = 0.2 * np.sign(features[:, 3] - features[first, 3])
        return replace(samples, features=features, warm=samples.price * np.exp(error - 8))

    model, other = fit(drawn(0), NAMES, "trees"), drawn(1)
    found, _ = training(other)
    assert left(model, other) < 0.5 * np.std(found.apart(found.value))


def test_rows_stand_beside_the_cheapest_of_their_spec():
    found, _ = training(SAMPLES)
    some = found.of(np.arange(found.groups) % 2 == 0)
    for number in np.unique(some.group):
        here = some.group == number
        assert np.array_equal(some.wide[here], beside(some.features[here], np.exp(some.log[here])))


@needs_lightgbm
def test_trees_say_what_lightgbm_says():
    import lightgbm
    from griotte.tools.learn.learners import _Nodes

    features, value = SAMPLES.features, SAMPLES.features[:, 1] * (SAMPLES.features[:, 3] < 3)
    booster = lightgbm.train({"verbosity": -1, "boost_from_average": False}, lightgbm.Dataset(features, value), 5)
    nodes = _Nodes()
    for tree in booster.dump_model()["tree_info"]:
        nodes.tree(tree["tree_structure"], 0)
    assert np.allclose(nodes.forest().members(features)[0], booster.predict(features))


def test_trees_without_lightgbm_are_refused(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "lightgbm", None)
    with pytest.raises(
        GriotteError, match=r"expected LightGBM to fit trees, found none; pip install 'griotte\[learn\]'"
    ):
        fit(SAMPLES, NAMES, "trees")


def test_auto_is_ridge_without_lightgbm(monkeypatch):
    monkeypatch.setattr(fitting.learners, "is_installed", lambda: False)
    assert fit(SAMPLES, NAMES).learner.word == "ridge"


def test_the_simplest_that_orders_as_well_is_taken():
    right, wrong = {"first": 0.02, "five": 0.01}, {"first": 0.03, "five": 0.01}
    price = {"first": 0.001, "five": 0.0}  # it is no learner
    assert chosen({"price": price, "ridge": right, "trees": right}) == "ridge"
    assert chosen({"price": price, "ridge": wrong, "trees": right, "network": right}) == "trees"
    assert chosen({"trees": wrong, "network": right}) == "network"


def test_first_by_price_stays_where_that_lost_less():
    """Of corrections that say nothing the most caution is taken; of right ones none is needed, and none costs."""
    found, _ = training(SAMPLES)
    rng = np.random.default_rng(5)
    rows = len(found.value)
    noise = rng.normal(0, np.std(found.value), rows)
    for correction, is_right in ((found.value, True), (noise, False)):
        held = HeldOut(correction, np.full(rows, 0.01), np.zeros(rows))
        heard = fitting._Heard.of(SAMPLES, found, held)
        price = fitting._earned(SAMPLES, np.log(SAMPLES.price))
        if is_right:
            assert heard.earned["first"] < 0.5 * price["first"] and heard.shrink > 0.9
        else:
            assert heard.earned["first"] <= 1.02 * price["first"] and heard.shrink < 0.2


def test_one_spec_does_not_make_a_model_bold():
    """What is gained in one Spec of many is no gain; what is gained in most of them is one."""
    price = np.full(30, 0.05)
    one, most = price.copy(), price.copy()
    one[0], most[::2] = 0.0, 0.02
    assert cautious({0.0: one, 1.0: one, 4.0: price}) == 4.0
    assert cautious({0.0: most, 1.0: most, 4.0: price}) == 1.0
    assert cautious({0.0: price + 0.1, 4.0: price}) == cautious({0.0: price[:0], 4.0: price[:0]}) == 4.0


def test_a_spec_unlike_all_others_takes_nothing_from_what_counts():
    """Of one Spec of fifty a feature is out of all bounds, and a linear function says there what has no sense."""
    samples = timed(groups=50)
    features = samples.features.copy()
    features[samples.group == 7, 2] = 1e3 * np.arange(15)
    assert fit(replace(samples, features=features), NAMES, "ridge").shrink > 0.9


def test_a_price_that_is_right_is_left_alone():
    """Accuracy that no feature tells: what is fitted to them does not count."""
    rng = np.random.default_rng(3)
    samples = replace(SAMPLES, warm=SAMPLES.price * np.exp(rng.normal(-8, 0.05, len(SAMPLES))))
    model = fit(samples, NAMES, "ridge")
    correction = model.shrink * model.learner.members(samples.features).mean(0)
    assert np.std(training(samples)[0].apart(correction)) < 0.005


def test_spreads_are_as_large_as_errors():
    model = fit(SAMPLES, NAMES, "ridge")
    found, _ = training(HELD_OUT)
    said = model.predict(HELD_OUT.features, HELD_OUT.price)
    off = found.apart(found.value - said.correction)
    assert 0.7 < np.sqrt(np.mean(off**2)) / np.sqrt(np.mean(said.spread**2)) < 1.4
    assert model.accuracy.price > np.sqrt(np.mean(said.spread**2)) > model.accuracy.noise


def test_what_is_held_out_is_mostly_known():
    assert fit(SAMPLES, NAMES, "ridge").predict(HELD_OUT.features, HELD_OUT.price).known.mean() > 0.9


def test_one_seed_one_model():
    one, other, third = (fit(SAMPLES, NAMES, "ridge", seed) for seed in (0, 0, 1))
    assert one.text() == other.text() != third.text()


def test_each_machine_has_its_clock():
    clock = fit(timed(machines=2), NAMES, "ridge").origin.clock
    assert set(clock) == {"machine 0", "machine 1"}
    assert clock["machine 1"] - clock["machine 0"] == pytest.approx(0.5, abs=0.15)


def test_specs_are_held_out_whole():
    """Two groups of one Spec, on one and two threads, are in one part; a member does not see all."""
    groups = tuple(g._replace(spec=f"a Spec {n // 2}", threads=1 + n % 2) for n, g in enumerate(SAMPLES.groups))
    found, _ = training(replace(SAMPLES, groups=groups))
    parts = folds(found, 0)
    assert np.sum(parts, 0).tolist() == [1] * len(groups)
    assert all((part[::2] == part[1::2]).all() for part in parts)
    drawn = member(found, parts[0], 0, 0)
    assert 0 < drawn.sum() < parts[0].sum() and not (drawn & ~parts[0]).any()


def test_differences_within_a_spec_count_more_than_its_mean():
    """A Spec that errs as a whole moves a member less than programs that err beside others of their Spec."""
    found, _ = training(SAMPLES)
    assert (found.theta > 0.5).all() and (found.theta < 1).all()
    shifted = replace(found, value=found.value + 5.0 * (found.group == 0))
    before, after = (fit_ridge(each, members=1).members(found.features)[0] for each in (found, shifted))
    assert np.std(found.apart(after - before)) < 0.1


@pytest.mark.parametrize(
    "samples, message",
    [
        (SAMPLES.of([0, 1]), "expected 20 timed programs or more, found 2"),
        (timed(1, 40), "expected timed programs of two Specs or more, found one"),
        (replace(SAMPLES, warm=SAMPLES.warm * 0), "times and prices above 0, found 450 programs without"),
        (replace(SAMPLES, price=np.full(450, np.nan)), "found 450 programs without"),
    ],
)
def test_too_little_is_told(samples, message):
    with pytest.raises(GriotteError, match=message):
        fit(samples, NAMES, "ridge")


def test_an_unknown_learner_is_told():
    with pytest.raises(GriotteError, match=r"expected a learner \(auto, ridge, trees, network\), found 'oracle'"):
        fit(SAMPLES, NAMES, "oracle")


def test_files_are_joined():
    one, other = SAMPLES.of_groups([0, 1]), timed(32).of_groups([1, 31])
    found = joined([one, other])
    assert len(found) == len(one) + len(other) and len(set(found.groups)) == len(found.groups) == 32
    assert [found.groups[n].spec for n in found.group[[0, -1]]] == ["matmul(f32[1])", "relu(f32[32])"]
    with pytest.raises(GriotteError, match=r"expected features of one version, found versions \[1, 2\]"):
        joined([one, replace(other, version=2)])


def test_data_have_a_digest():
    assert digest(SAMPLES) == digest(timed()) != digest(HELD_OUT)
