"""Parts timed within a budget: the clock of these tests is made up, and goes on as programs are drafted and timed."""

from __future__ import annotations

import griotte as gt
import pytest
from griotte.compiler import tuning as compiler_tuning
from griotte.compiler.session import session_of
from griotte.models import parse_graph, tuning
from griotte.models.budget import PACE, RACE, Budget, CompileRate, TooLate, stopped
from griotte.models.pool import Pool
from griotte.models.solving import solve
from griotte.models.timed_parts import FIRST, SharedPart, cost, parts_of, spend
from griotte.models.trials import Remembered
from griotte.runtime import timing
from griotte.runtime.timing import Timing
from griotte.support.cpus import usable
from verbs import run_json

TEXT = """model(%x: f32[12,20], %w: f32[20,20]) {
  %a = matmul(%x, %w) -> f32[12,20]
  %b = softmax(%a, axis=1) -> f32[12,20]
  %y = matmul(%b, %w) -> f32[12,20]
  return y=%y
}
"""
DRAFTING, TIMING = 1.5, 0.6  # seconds


@pytest.fixture
def clock(monkeypatch):
    """Seconds, in a list of one. A program at place n takes 100 - 4 n us; wholes take 40 us by price, 30 tuned."""
    now = [0.0]

    def interleaved(functions, seconds=1.0):
        now[0] += TIMING
        wholes = {"by price": 40.0, "tuned": 30.0}
        return {name: Timing(wholes.get(name) or 100.0 - 4 * int(name), 1.0, 3) for name in functions}

    drafted = compiler_tuning.drafts

    def drafts(*given):
        now[0] += DRAFTING
        return drafted(*given)

    monkeypatch.setattr(timing, "interleaved", interleaved)
    monkeypatch.setattr(compiler_tuning, "drafts", drafts)
    monkeypatch.setattr(tuning, "now", lambda: now[0])
    return now


@pytest.fixture
def graph():
    return parse_graph(TEXT)


def session(table):
    return session_of(target="portable", table=str(table), effort=1)


def parts_in(graph, table):
    asked = session(table)
    program = solve(graph, Pool(asked))
    search = lambda spec: gt.synthesize(spec, "portable", table=str(table))
    return parts_of(program, search, Remembered(asked.store, 1))


def synthesize(graph, table, **more):
    return gt.synthesize(graph, "portable", table=str(table), effort=1, **more)


@pytest.mark.parametrize("seconds", (8.0, 12.0, 20.0, 40.0))
def test_a_budget_in_seconds_is_kept(graph, clock, tmp_path, seconds):
    parts = parts_in(graph, tmp_path / "t.griotte")
    budget = Budget(None, seconds, 1.0, clock=lambda: clock[0])
    spend(parts, budget)
    assert 0 < budget.spent <= 1.1 * seconds - 1.0
    assert sum(part.spent for part in parts) == pytest.approx(budget.spent)


def test_what_is_too_little_for_a_trial_times_nothing(graph, clock, tmp_path):
    parts = parts_in(graph, tmp_path / "t.griotte")
    assert spend(parts, Budget(None, FIRST + RACE, 0.1, clock=lambda: clock[0])) == 0 == clock[0]


def test_who_is_interrupted_keeps_what_was_found(graph, clock, tmp_path):
    table = tmp_path / "t.griotte"
    parts, trials = parts_in(graph, table), []

    def interrupt(seconds):
        trials.append(seconds)
        if len(trials) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        spend(parts, Budget(None, 100.0, clock=lambda: clock[0], note=interrupt))
    timed = {part.name: part.trials for part in parts if part.is_timed}
    assert timed and {part.name: part.trials for part in parts_in(graph, table) if part.is_timed} == timed
    told = synthesize(graph, table).stats["tuned"]
    assert told["median_us"] < told["model_us"]


def test_a_later_run_goes_on_where_an_earlier_one_stopped(graph, clock, tmp_path):
    table = tmp_path / "t.griotte"
    parts = parts_in(graph, table)
    timed = spend(parts, Budget(4))
    assert timed == 4
    again = parts_in(graph, table)
    assert [part.trials for part in again] == [part.trials for part in parts]
    spend(again, Budget(8))
    for before, after in zip(parts, again):
        assert before.trials.times.items() <= after.trials.times.items()
        assert len(after.trials.times) == len(before.trials.times) + after.runs  # none of them twice


def test_two_at_once_keep_the_trials_of_both(graph, clock, tmp_path):
    table = tmp_path / "t.griotte"
    one, other = parts_in(graph, table), parts_in(graph, table)
    spend(one[:1], Budget(4))
    spend(other, Budget(8))
    for part, beside in zip(parts_in(graph, table), one):
        assert part.trials.times.keys() >= beside.trials.times.keys()


def test_what_parts_gained_is_what_others_are_expected_to(graph, clock, tmp_path):
    table = tmp_path / "t.griotte"
    spend(parts_in(graph, table), Budget(8))
    known = Remembered(session(table).store, 1)
    gains = [known.gains(sort) for sort in ("product", "other")]
    assert sum(each.count for each in gains) >= 1 and all(0 <= each.total <= each.count for each in gains)


def test_a_model_is_tuned_for_so_many_seconds(graph, clock, tmp_path):
    table = tmp_path / "t.griotte"
    program = synthesize(graph, table, tune_seconds=30)
    told = program.stats["tuned"]
    assert told["taken"] == "tuned" and 0 < told["spent_s"] <= 33 and told["seconds"] == 30
    assert {"part", "share", "doubt", "runs", "seconds", "gain"} == set(told["by_part"][0])
    assert sum(part["seconds"] for part in told["by_part"]) <= told["spent_s"]
    assert sum(part["share"] for part in told["by_part"]) <= 1 + 1e-9
    assert f"tuned: {told['spent_s']:.1f} s were spent" in program.explain()


def test_seconds_count_in_all_runs(graph, clock, tmp_path, monkeypatch):
    table = tmp_path / "t.griotte"
    first = synthesize(graph, table, tune_seconds=20)
    spent = clock[0]
    again = synthesize(graph, table, tune_seconds=20)
    assert str(again) == str(first) and clock[0] == spent and again.stats["tuned"]["seconds"] == 20
    more = synthesize(graph, table, tune_seconds=32).stats["tuned"]
    assert more["seconds"] == 32 and more["spent_s"] <= 1.1 * 12


def test_the_verbs_take_seconds(graph, clock, tmp_path):
    (tmp_path / "m.txt").write_text(TEXT)
    words = f"@{tmp_path / 'm.txt'}", "--target", "portable", "--table", str(tmp_path / "t.griotte"), "--effort", "1"
    told = run_json("explain", *words, "--tune-seconds", "20")["tuned"]
    assert told["seconds"] == 20 and told["by_part"]


def test_what_is_asked_is_checked(graph):
    with pytest.raises(gt.SpecError, match="expected tune_seconds above 0, found 0; ask for some, such as"):
        synthesize(graph, "none", tune_seconds=0)
    with pytest.raises(gt.SpecError, match="expected tune or tune_seconds, found both, 3 and 5; leave one of them out"):
        synthesize(graph, "none", tune=3, tune_seconds=5)
    with pytest.raises(gt.SpecError, match="expected no tune_seconds for a Spec, found 5; ask for a few programs"):
        gt.synthesize("exp(f32[8])", "portable", table="none", tune_seconds=5)
    with pytest.raises(gt.SpecError, match="expected no tune_seconds for a model with a host, found 5; leave it out"):
        gt.compile(graph, "portable", table="none", tune_seconds=5, host="numpy")


def test_a_part_of_one_program_needs_no_run(monkeypatch):
    monkeypatch.setattr(compiler_tuning, "drafts", lambda program, *given: [program])
    small = gt.synthesize("exp(f32[8])", "portable", table="none")
    one = SharedPart(small, 1, lambda: small)
    assert spend([one], Budget(5)) == 0 and one.is_done


@pytest.fixture
def steps(clock, monkeypatch):
    """The clock goes on by so many seconds with each draft, and with each program that is compiled; the counts of
    both."""
    took, counts = {"draft": 0.0, "compile": 0.0}, {"draft": 0, "compile": 0}
    found, compiled = compiler_tuning._drafted, gt.Program.compile

    def drafted(*given):
        for root in found(*given):
            clock[0] += took["draft"]
            counts["draft"] += 1
            yield root

    def compile(program, *given):
        clock[0] += took["compile"]
        counts["compile"] += 1
        return compiled(program, *given)

    monkeypatch.setattr(compiler_tuning, "_drafted", drafted)
    monkeypatch.setattr(gt.Program, "compile", compile)
    return took, counts


@pytest.mark.parametrize("draft, compile", [(4.0, 0.0), (0.0, 4.0), (2.0, 3.0), (20.0, 0.0)])
@pytest.mark.parametrize("seconds", (12.0, 20.0, 40.0))
def test_a_trial_that_takes_longer_than_expected_is_cut_short(graph, clock, steps, tmp_path, draft, compile, seconds):
    parts = parts_in(graph, tmp_path / "t.griotte")
    steps[0].update(draft=draft, compile=compile)
    budget = Budget(None, seconds, 1.0, clock=lambda: clock[0])
    spend(parts, budget)
    longest = max(draft, compile * usable())  # what is begun is done
    assert budget.spent <= seconds - 1.0 + longest


def test_what_is_drafted_in_time_is_timed(graph, clock, steps, tmp_path):
    parts = parts_in(graph, tmp_path / "t.griotte")
    steps[0].update(draft=3.0)
    assert spend(parts, Budget(None, 20.0, 1.0, clock=lambda: clock[0])) >= 2
    assert steps[1]["draft"] < 6 and any(part.is_timed for part in parts)


def test_a_search_is_stopped_where_it_is_late(clock):
    spec = "matmul(f32[36,44], f32[44,52])"
    with pytest.raises(TooLate), stopped(lambda: True):
        gt.synthesize(spec, "portable", table="none")
    with stopped(lambda: False):
        assert gt.synthesize(spec, "portable", table="none").cost > 0


def test_a_part_whose_search_came_late_is_done_for_now(graph, tmp_path):
    part = parts_in(graph, tmp_path / "t.griotte")[0]
    again, part.again = part.again, lambda: gt.synthesize("matmul(f32[36,44], f32[44,52])", "portable", table="none")
    part.begin(None, lambda: True)
    assert part.is_done and not part.is_timed
    part.again, part.is_done = again, False
    part.begin(None)
    assert not part.is_done


def test_what_compilers_take_is_as_much_as_was_seen():
    rate = CompileRate()
    assert rate.of(1000) == pytest.approx(1000 * PACE)
    rate.saw(1000, 1e-9)  # it was in the cache
    assert rate.of(1000) == pytest.approx(1000 * PACE)
    rate.saw(1000, 5.0)
    assert rate.of(2000) == pytest.approx(10.0)
    late = Budget(None, 12.0, 1.0, 2000, clock=lambda: 0.0, rate=rate).late(0, kept=0.5)
    assert not late()
    rate.saw(1000, 6.0)
    assert late()


def test_a_second_trial_is_expected_to_take_what_the_first_did_without_its_drafts(graph, clock, tmp_path):
    parts = parts_in(graph, tmp_path / "t.griotte")
    budget = Budget(None, 100.0, clock=lambda: clock[0])
    one, other = parts[:2]
    assert cost(one, parts, budget) == FIRST
    one.begin(None)
    one.drafting, one.last = 30.0, 2.0
    assert cost(one, parts, budget) == 2.0 and cost(other, parts, budget) == 32.0
