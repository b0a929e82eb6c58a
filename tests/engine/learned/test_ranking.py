"""Programs in a model's order: what it has not seen is left to the price; what parts two programs is told."""

import griotte as gt
import numpy as np
import pytest
from griotte.engine.learned.features import NAMES
from griotte.engine.learned.model import Prediction
from griotte.engine.learned.ranking import Ranked, model_of
from griotte.machine.detect import fingerprint
from priced_otherwise import model

SPEC = "matmul(f32[8,20], f32[20,24])"


@pytest.fixture(scope="module")
def programs():
    return gt.synthesize(SPEC, "portable", table="none").alternatives(20)


def ranked(programs, by):
    return Ranked.of(by, [each.root for each in programs], programs[0].target, 1)


def test_the_order_is_by_corrected_price(programs):
    found = ranked(programs, model(leaf_vectors=-0.5))
    vectors = found.features[:, NAMES.index("leaf_vectors")]
    assert np.allclose(found.logarithm, np.log(found.price) - 0.5 * vectors)
    assert [found.logarithm[place] for place in found.order] == sorted(found.logarithm)
    assert found.decides and found.order != ranked(programs, model()).order == list(range(len(programs)))


def test_where_nothing_is_known_the_price_decides(programs):
    found = ranked(programs, model(limit=0.0, leaf_vectors=-0.5))
    assert not found.decides and found.order == list(range(len(programs)))
    facts = found.facts(3)
    assert not facts["known"] and facts["terms"] == [] and facts["uncertainty"] == 0.1
    assert facts["predicted"] == pytest.approx(programs[3].cost)


def test_the_terms_add_up_to_what_parts_the_predictions(programs):
    found = ranked(programs, model(leaf_vectors=-0.5, spine_loops=0.1, iterations=0.02))
    place = found.order[-1]
    terms = found.terms(place, found.order[0], most=len(NAMES))
    correction = found.prediction.correction
    assert len(terms) >= 2
    total = sum(np.log1p(term["effect"]) for term in terms)
    assert total == pytest.approx(correction[place] - correction[found.order[0]], abs=2e-3)
    assert found.terms(place, place) == []


def test_a_machine_that_the_model_has_seen_has_microseconds(programs):
    seen = model()
    assert ranked(programs, seen).facts(0)["predicted_us"] is None
    seen.origin.clock[f"{fingerprint()}, gcc 12"] = np.log(0.5)
    facts = ranked(programs, seen).facts(0)
    assert facts["predicted_us"] == pytest.approx(programs[0].cost / 2)


def test_a_model_is_a_path_or_itself(tmp_path):
    own = model(spine_loops=0.25)
    own.save(tmp_path / "m.gtm")
    for given in (tmp_path / "m.gtm", str(tmp_path / "m.gtm"), own):
        assert model_of(given).text() == own.text()
    assert model_of(None) is None
    with pytest.raises(gt.SpecError, match="expected a path or a PerformanceModel as model, found 3; name a file"):
        model_of(3)


def test_the_first_by_price_stays_first_unless_more_is_promised_than_is_uncertain():
    price, known = np.array([100.0, 101.0, 102.0]), np.ones(3, bool)
    order = lambda gain: (
        Prediction(np.array([0, 0, -gain]), np.full(3, 0.05), known).logarithm(price).argsort().tolist()
    )
    assert order(0.0) == [0, 1, 2]
    assert order(0.06) == [0, 2, 1]  # promised to gain 4 %
    assert order(0.08) == [2, 0, 1]  # 6 %
