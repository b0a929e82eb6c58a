"""model=: the drafts in a model's order, and which of them are timed. The clock of these tests is made up."""

import dataclasses

import griotte as gt
import pytest
from griotte.compiler import tuning
from griotte.engine.learned.features import VERSION
from griotte.engine.learned.ranking import Ranked
from griotte.runtime import timing
from griotte.runtime.timing import Timing
from priced_otherwise import model
from verbs import refused, run, run_json

SPEC, K = "matmul(f32[8,20], f32[20,24])", 6
FEWER_LOOPS = {"spine_loops": 0.5}


@pytest.fixture
def table(tmp_path):
    return str(tmp_path / "t.griotte")


@pytest.fixture
def turns(monkeypatch):
    """What is timed together: a list of the places of each turn. A program at place n takes 100 + n us."""
    found = []

    def interleaved(functions, seconds=1.0):
        places = [int(name) if name.isdigit() else 0 for name in functions]
        found.append(places)
        return {name: Timing(100.0 + place, 1.0, 3) for name, place in zip(functions, places)}

    monkeypatch.setattr(timing, "interleaved", interleaved)
    return found


@pytest.fixture
def no_clock(monkeypatch):
    monkeypatch.setattr(timing, "interleaved", None)


def synthesize(table="none", by=None, **more):
    return gt.synthesize(SPEC, "portable", table=table, model=by, **more)


def drafted(count=tuning.DRAFTS):
    program = synthesize()
    return tuning.drafts(program, program._search, count)


def test_drafts_are_different_programs_the_best_first():
    found = drafted()
    assert len({each.to_c().partition("*/")[2] for each in found}) == len(found) > 10
    assert str(found[0]) == str(synthesize()) and all(p.cost >= found[0].cost for p in found)
    assert max(p.cost for p in found) <= tuning.DEAREST * found[0].cost
    assert [str(p) for p in drafted(3)] == [str(p) for p in found[:3]]


def test_each_draft_can_be_remembered(table):
    """A path leads to it, and to no other of its cost."""
    program = synthesize(table)
    for draft in drafted():
        tuning.keep(program, program._search, draft.root, 2, 1.0, 2.0)
        assert str(synthesize(table)) == str(draft)


def test_the_first_by_the_model_is_taken_without_a_run(no_clock):
    program = synthesize(by=model(**FEWER_LOOPS))
    costs = {str(p): p.cost for p in drafted()}
    assert costs[str(program)] == program.cost > synthesize().cost
    told = program.stats["model"]
    assert told["decides"] and told["place"] > 0 and told["of"] == len(costs)
    assert [term["feature"] for term in told["terms"]] == ["spine_loops"] and told["terms"][0]["effect"] < 0


def test_a_model_that_knows_nothing_changes_nothing(no_clock):
    program = synthesize(by=model(limit=0.0, **FEWER_LOOPS))
    assert str(program) == str(synthesize()) and not program.stats["model"]["decides"]


def test_alternatives_come_in_the_models_order(no_clock):
    program, by = synthesize(), model(**FEWER_LOOPS)
    found = program.alternatives(20, model=by)
    assert sorted(map(str, found)) == sorted(map(str, program.alternatives(20)))
    predicted = [p.stats["model"]["predicted"] for p in found]
    assert predicted == sorted(predicted) and [p.cost for p in found] != sorted(p.cost for p in found)


def test_the_model_picks_what_is_timed(turns, table):
    by, among = model(**FEWER_LOOPS), drafted(tuning.DRAFTED * K)
    believed = Ranked.of(by, [p.root for p in among], among[0].target, 1).order
    program = synthesize(table, by, tune=K)
    assert turns[0][0] == 0 and turns[0][1] == believed[0] != 0 and len(turns[0]) == 4
    assert all(batch[0] == 0 for batch in turns)
    assert len({place for batch in turns for place in batch}) == program.stats["model"]["runs"] <= K
    assert program.stats["tuned"]["of"] == K and program.stats["tuned"]["speedup"] == 1  # here 0 is the fastest
    assert str(program) == str(synthesize())


def test_a_draft_that_is_faster_wins_and_is_remembered(monkeypatch, table):
    among = drafted(tuning.DRAFTED * K)
    last = Ranked.of(model(), [p.root for p in among], among[0].target, 1).order[-1]
    monkeypatch.setattr(tuning.Picking, "next", lambda picking, most: [] if picking.timed else [0, 1, last])
    monkeypatch.setattr(
        timing, "interleaved", lambda runs, _: {n: Timing(50.0 if n == str(last) else 100.0, 1.0, 3) for n in runs}
    )
    program = synthesize(table, model(), tune=K)
    assert str(program) == str(among[last]) and program.stats["tuned"]["speedup"] == 2
    monkeypatch.setattr(timing, "interleaved", None)
    for again in ({}, {"tune": K}, {"by": model(**FEWER_LOOPS)}):
        found = synthesize(table, **again)
        assert str(found) == str(program) and found.stats["tuned"] == program.stats["tuned"]
    assert found.stats["model"]["predicted"] > 0


def test_nothing_more_is_timed_where_nothing_is_to_be_gained(turns, table):
    """Whoever believes in the price within a tenth of a percent needs no clock."""
    sure = model()
    sure = dataclasses.replace(sure, accuracy=sure.accuracy._replace(floor=1e-4))
    synthesize(table, sure, tune=40)
    assert len({place for batch in turns for place in batch}) < 15


def test_a_wrong_draft_is_told_and_counts_as_slow(turns, table, monkeypatch):

    right, seen = tuning.compare, []

    def compare(*args):
        seen.append(args)
        return (1.0, False, "expected 1, found 2") if len(seen) == 2 else right(*args)

    monkeypatch.setattr(tuning, "compare", compare)
    with pytest.warns(RuntimeWarning, match="expected the right result of a program for .*; it is left out"):
        synthesize(table, model(), tune=K)
    assert len(turns[0]) == 3


def test_what_has_no_drafts_is_refused(tmp_path):
    by = model()
    with pytest.raises(gt.SpecError, match="expected a Spec beside model, found a schedule; leave model out"):
        gt.synthesize(gt.schedule(SPEC, "portable"), model=by)
    with pytest.raises(gt.SpecError, match="expected a Spec of fixed sizes beside model, found .*; leave model out"):
        gt.synthesize("matmul(f32[<=8,8], f32[8,8])", "portable", table="none", model=by)
    with pytest.raises(gt.GriotteError, match="expected a performance model, found No such file"):
        synthesize(by=tmp_path / "none.gtm")
    other = dataclasses.replace(by, version=VERSION + 1)
    with pytest.raises(gt.GriotteError, match=f"expected a performance model of version {VERSION} of the features"):
        synthesize(by=other)


def test_the_verbs_tell_what_the_model_says(tmp_path, turns, table, monkeypatch):
    monkeypatch.setattr(gt.Program, "_counted", lambda program: 1.0)
    path = str(tmp_path / "m.gtm")
    model(**FEWER_LOOPS).save(path)
    words = SPEC, "--target", "portable", "--table", table, "--model", path
    found = run_json("compile", *words)
    assert found["model"]["decides"] and found["predicted"] > found["cost"] and found["uncertainty"] == 0.05
    told = run("explain", *words, "--alternatives", "3")
    assert "predicted, uncertain by 5.0%, where the price is" in told and "  spine_loops 1, of the first" in told
    assert "cycles     x best  predicted  where" in told
    assert run_json("bench", *words, "--against", "none", "--tune", str(K))["tuned"]["of"] == K
    model(limit=0.0).save(path)
    assert "it has not seen such programs (uncertain by 10.0%); the price decides" in run("explain", *words)
    assert "expected a performance model" in refused("explain", SPEC, "--model", table)
