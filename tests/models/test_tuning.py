"""A model's parts timed with so many runs in all. The clock of these tests is made up."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.compiler.session import session_of
from griotte.models import parse_graph, tuning
from griotte.models.budget import Budget
from griotte.models.pool import Pool
from griotte.models.solving import least_cost, solve
from griotte.models.timed_parts import parts_of, spend
from griotte.runtime import timing
from griotte.runtime.timing import Timing
from priced_otherwise import model
from verbs import run_json

RUNS = 10
SESSION = session_of(target="portable", table="none", effort=1)
ARRAYS = [np.random.default_rng(0).random(shape, np.float32) for shape in ((12, 20), (20, 20))]
WHOLES = {"by price": 40.0, "tuned": 30.0}  # microseconds

TEXT = """model(%x: f32[12,20], %w: f32[20,20]) {
  %a = matmul(%x, %w) -> f32[12,20]
  %b = softmax(%a, axis=1) -> f32[12,20]
  %c = matmul(%b, %w) -> f32[12,20]
  %y = softmax(%c, axis=1) -> f32[12,20]
  return y=%y
}
"""


@pytest.fixture
def graph():
    """Two products and two softmaxes, of which all are parts of their own at effort 1."""
    return parse_graph(TEXT)


@pytest.fixture
def turns(monkeypatch):
    """What is timed together. A program at place n takes 100 - n us: the last of those that are timed wins; and of
    wholes the tuned one."""
    found = []

    def interleaved(functions, seconds=1.0):
        found.append([int(name) for name in functions if name not in WHOLES])
        return {name: Timing(WHOLES.get(name) or 100.0 - int(name), 1.0, 3) for name in functions}

    monkeypatch.setattr(timing, "interleaved", interleaved)
    return found


@pytest.fixture
def slower(turns, monkeypatch):
    """By the clock the tuned whole is the slower one."""
    monkeypatch.setitem(WHOLES, "tuned", 50.0)


@pytest.fixture
def no_clock(monkeypatch):
    monkeypatch.setattr(timing, "interleaved", None)


def synthesize(graph, table="none", **more):
    return gt.synthesize(graph, "portable", table=str(table), effort=1, **more)


def test_winners_are_kept_and_found_again(graph, turns, tmp_path, monkeypatch):
    table = tmp_path / "t.griotte"
    by_price, program = synthesize(graph), synthesize(graph, table, tune=RUNS)
    told = program.stats["tuned"]
    assert 2 <= told["runs"] <= told["of"] == RUNS and told["median_us"] < told["model_us"]
    assert str(program) != str(by_price) and program.cost >= by_price.cost
    assert [part.part.text for part in program.parts] == [part.part.text for part in by_price.parts]
    assert f"tuned: {told['parts']} part" in program.explain()
    assert (told["whole_us"], told["whole_by_price_us"], told["taken"]) == (30.0, 40.0, "tuned")
    assert (
        "tuned: the whole takes 30 us a call, 40 by price alone, in turns; the one that was tuned" in program.explain()
    )
    monkeypatch.setattr(timing, "interleaved", None)
    assert str(synthesize(graph, table, tune=1)) == str(by_price)  # whatever the table remembers
    again = synthesize(graph, table)
    assert str(again) == str(program) and again.stats["tuned"]["median_us"] == told["median_us"]
    assert np.allclose(again.compile()(*ARRAYS), by_price.compile()(*ARRAYS), rtol=1e-4)


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    """A cache of the user's, with a table."""
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path))
    monkeypatch.setenv("GRIOTTE_TABLE", str(tmp_path / "own.griotte"))  # tests have no table of the user's


def test_the_users_cache_keeps_the_tuned_kernel(graph, turns, own_cache, monkeypatch):
    ways = {"target": "portable", "effort": 1}
    plain, tuned = gt.compile(graph, **ways), gt.compile(graph, **ways, tune=RUNS)
    assert "tuned" not in plain.stats and tuned.stats["tuned"]["of"] == RUNS and tuned.source != plain.source
    monkeypatch.setattr(timing, "interleaved", None)
    for again in ({}, {"tune": RUNS}, {"tune": 3}):
        assert gt.compile(graph, **ways, **again).source == tuned.source
    assert gt.compile(graph, **ways, tune=1).source == plain.source


def test_a_tuned_whole_that_is_slower_is_not_taken(graph, slower, tmp_path, monkeypatch):
    table = tmp_path / "t.griotte"
    by_price, program = synthesize(graph), synthesize(graph, table, tune=RUNS)
    told = program.stats["tuned"]
    assert str(program) == str(by_price) and told["taken"] == "by price" and told["median_us"] < told["model_us"]
    assert "the one by price is taken" in program.explain()
    again = synthesize(graph, table)
    assert str(again) == str(by_price) and again.stats["tuned"] == {"taken": "by price"}
    assert "faster by price alone, as the table remembers" in again.explain()
    monkeypatch.setitem(WHOLES, "tuned", 30.0)
    assert synthesize(graph, table, tune=RUNS).stats["tuned"]["taken"] == "tuned"
    assert str(synthesize(graph, table)) != str(by_price)


def test_the_users_cache_keeps_the_faster_whole(graph, slower, own_cache, monkeypatch):
    ways = {"target": "portable", "effort": 1}
    plain, tuned = gt.compile(graph, **ways), gt.compile(graph, **ways, tune=RUNS)
    assert tuned.source == plain.source and tuned.stats["tuned"]["taken"] == "by price"
    monkeypatch.setattr(timing, "interleaved", None)
    assert gt.compile(graph, **ways).source == plain.source


def test_wholes_that_are_the_same_are_not_timed(graph, no_clock):
    program = synthesize(graph)
    assert tuning.race(program, synthesize(graph)) is None


def test_wholes_are_timed_by_the_clock(graph):
    by_price, other = synthesize(graph), synthesize(graph, model=model(spine_loops=0.5))
    found = tuning.race(other, by_price)
    assert found.tuned > 0 and found.by_price > 0
    assert found.taken == ("tuned" if found.tuned <= found.by_price else "by price")


def test_without_a_table_it_holds_for_the_call(graph, turns):
    assert synthesize(graph, tune=RUNS).stats["tuned"]["runs"] > 1
    assert "tuned" not in synthesize(graph).stats


def test_parts_alike_are_one_and_count_as_often_as_they_run(graph):
    program = solve(graph, Pool(SESSION))
    parts = parts_of(program, lambda spec: None)
    assert [part.turns for part in parts] == [2, 2] and len(program.parts) == 4
    assert parts[0].us(1.0) == 2 * parts[0].program.cost > parts[1].us(1.0)


def test_parts_of_a_dynamic_size_are_left_out():
    sized = TEXT.replace("12,", "<=12,")
    assert parts_of(solve(parse_graph(sized), Pool(SESSION)), lambda spec: None) == []


def test_the_budget_is_kept(graph, turns):
    program = solve(graph, Pool(SESSION))
    told = []
    parts = parts_of(program, lambda spec: gt.synthesize(spec, "portable", table="none"))
    assert spend(parts, Budget(3), None, told.append) == 3 == len({place for batch in turns[:1] for place in batch})
    assert all(part.is_done and part.picking is None for part in parts)  # what it took to time them is let go
    assert [progress.of for progress in told] == ["runs"] and told[0].known == 3


def test_a_cut_does_not_depend_on_what_was_timed(turns, tmp_path):
    table = str(tmp_path / "t.griotte")
    plain = gt.synthesize("matmul(f32[8,20], f32[20,24])", "portable", table=table, tune=1)
    tuned = gt.synthesize("matmul(f32[8,20], f32[20,24])", "portable", table=table, tune=4)
    assert tuned.cost > plain.cost == pytest.approx(least_cost(tuned)) == least_cost(plain)


def test_a_model_orders_the_programs_of_parts(graph, no_clock):
    by = model(spine_loops=0.5)
    program = synthesize(graph, model=by)
    told = program.stats["model"]
    assert told["parts"] == 4 and told["known"] > 0 and told["others"] > 0
    assert program.cost > synthesize(graph).cost
    assert f"model {told['digest']}: it has seen the like of {told['known']} of 4 searched parts" in program.explain()


def test_what_is_asked_is_checked(graph):
    with pytest.raises(gt.SpecError, match="expected a number of runs of 1 or more to tune, found 0; ask for some"):
        synthesize(graph, tune=0)
    with pytest.raises(gt.SpecError, match="expected no tune for a model with a host, found 3; leave it out"):
        gt.compile(graph, "portable", table="none", tune=3, host="numpy")
    with pytest.raises(gt.GriotteError, match="expected a performance model, found No such file"):
        synthesize(graph, model="none.gtm")


def test_the_verbs_tune_models(turns, tmp_path):
    (tmp_path / "m.txt").write_text(TEXT)
    words = f"@{tmp_path / 'm.txt'}", "--target", "portable", "--table", str(tmp_path / "t.griotte"), "--effort", "1"
    found = run_json("compile", *words, "--tune", str(RUNS))["tuned"]
    assert found["of"] == RUNS and found["parts"] >= 1
    model(spine_loops=0.5).save(tmp_path / "m.gtm")
    again = run_json("explain", *words, "--model", str(tmp_path / "m.gtm"))
    assert again["tuned"]["median_us"] == found["median_us"] and again["model"]["parts"] == 4
