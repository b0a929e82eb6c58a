"""How long a model still takes, told from what its parts took."""

import json
from pathlib import Path

import pytest
from griotte.models.forecast import ASKED, MORE, WRITTEN_S, Atom, Forecast

TRACES = Path(__file__).parent / "traces"
TOLD = {  # of recorded models the share of moments, from a third on, at which the time left is told within 30 % or 2 s
    "bert_layer": 0.3,
    "direction": 0.75,
    "lenet": 1.0,
    "magika": 1.0,
    "mlp": 1.0,
    "resnet18": 0.25,
    "silero_16k": 0.85,
    "silero_half": 1.0,
    "wake_embedding": 0.8,
    "wake_jarvis": 1.0,
    "wake_mycroft": 0.75,
    "wake_spectrogram": 1.0,
    "wake_timer": 1.0,
}

CONV, ADD, POOL = Atom(0, True), Atom(1, False), Atom(2, False)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


def took(forecast: Forecast, clock: Clock, kind, seconds: float, key: object = "a") -> None:
    forecast.asked(None, kind)
    forecast.began(key, kind)
    clock.now += seconds
    forecast.done(key)


def test_nothing_is_left_where_nothing_is_asked(clock):
    assert Forecast(2, clock).left() == 0


def test_what_waits_is_shared_out_and_no_search_is(clock):
    forecast = Forecast(2, clock)
    took(forecast, clock, (CONV,), 4.0)
    for _ in range(3):
        forecast.asked(None, (CONV,))
    assert forecast.left() == pytest.approx(6.0)
    forecast = Forecast(4, clock)
    took(forecast, clock, (CONV,), 4.0)
    forecast.asked(None, (CONV,))
    assert forecast.left() == pytest.approx(4.0)


def test_what_runs_counts_for_what_is_left_of_it(clock):
    forecast = Forecast(1, clock)
    took(forecast, clock, (CONV,), 4.0)
    forecast.asked(None, (CONV,))
    forecast.began("b", (CONV,))
    clock.now += 3.0
    assert forecast.left() == pytest.approx(1.0)
    clock.now += 7.0  # longer than it should: nobody knows, so some more
    assert forecast.left() == pytest.approx(3.0)
    forecast.done("b")
    assert forecast.left() == 0


def test_searches_like_it_tell_of_one_that_nobody_has_seen(clock):
    forecast = Forecast(1, clock)
    before = forecast.expected((ADD,))
    for n in range(200):
        took(forecast, clock, (Atom(10 + n, False),), 9.0)
    assert before < 1 and forecast.expected((ADD,)) == pytest.approx(9.0, rel=0.1)
    assert forecast.expected((CONV,)) == Forecast(1, clock).expected((CONV,))  # it has a product


def test_several_atoms_take_as_many_times_what_they_take_as_others_did(clock):
    forecast = Forecast(1, clock)
    for atom, seconds in ((CONV, 2.0), (ADD, 1.0), (POOL, 1.0)):
        took(forecast, clock, (atom,), seconds)
    for _ in range(100):
        took(forecast, clock, (CONV, ADD), 15.0)
    assert forecast.expected((CONV, ADD)) == pytest.approx(15.0)
    assert forecast.expected((CONV, ADD, POOL)) == pytest.approx(20.0, rel=0.1)


def test_before_bounds_few_of_what_there_is_are_expected(clock):
    forecast = Forecast(1, clock)
    took(forecast, clock, (CONV,), 2.0)
    forecast.begins("cut", 10, [(CONV,)] * 100)
    alone = forecast.left()
    forecast.begins("cut", 0, [(CONV, CONV)] * 100)
    assert 0 < forecast.left() < 2 * alone and ASKED[True] < ASKED[False] < 1


def test_what_a_cut_looks_for_is_expected_until_it_is_asked(clock):
    forecast = Forecast(1, clock)
    took(forecast, clock, (CONV,), 2.0)
    forecast.begins("cut", 1, [(CONV,)] * 100)
    forecast.may_ask("cut", [(CONV,), (CONV,)], 8)
    all_of_it = forecast.left() - WRITTEN_S  # 4 in the geometric mean, some more times
    forecast.asked("cut", (CONV,))
    each = all_of_it / (4 * MORE)
    assert forecast.left() - WRITTEN_S == pytest.approx(all_of_it - each + 2.0) and each >= 2.0
    forecast.began("a", (CONV,))
    clock.now += 2.0
    forecast.done("a")
    forecast.ends("cut")
    assert forecast.left() == pytest.approx(WRITTEN_S)  # the C of its atom


def test_cuts_within_a_cut_add_up(clock):
    forecast = Forecast(1, clock)
    forecast.begins("outer", 1, [(CONV,)] * 4)
    outer = forecast.left()
    forecast.begins("inner", 1, [(CONV,)] * 4)
    assert forecast.left() == pytest.approx(2 * outer)
    forecast.ends("inner")
    assert forecast.left() == pytest.approx(outer + WRITTEN_S)


def test_a_search_that_nobody_asked_for_is_no_fault(clock):
    forecast = Forecast(1, clock)
    forecast.done("never")
    forecast.began("a", ())
    forecast.done("a")
    forecast.ends("no cut")
    assert forecast.left() == 0 and forecast.expected(()) == 0


def test_the_pace_of_rounds_is_learnt(clock):
    forecast = Forecast(1, clock)
    took(forecast, clock, (CONV,), 1.0)
    forecast.begins("cut", 0, [])
    told = []
    for _ in range(30):  # that last ten times as long as their searches take
        forecast.may_ask("cut", [(CONV,)] * 4, 4)
        told.append(forecast.left())
        took(forecast, clock, (CONV,), 1.0)
        forecast.asked("cut", (CONV,))
        forecast.began("b", (CONV,))
        clock.now += 9.0
        forecast.done("b")
    assert told[-1] > 2 * told[0]


def replayed(trace: dict) -> list[tuple[float, float, float]]:
    """(seconds so far, those that are left, those that are told) at each moment at which somebody is told."""
    kinds, clock = [tuple(Atom(*atom) for atom in kind) for kind in trace["kinds"]], Clock()
    forecast, found = Forecast(trace["workers"], clock), []
    for now, what, *given in trace["events"]:
        clock.now = now
        if what == "begins":
            forecast.begins(given[0], given[1], [kinds[k] for k in given[2]])
        elif what == "may_ask":
            forecast.may_ask(given[0], [kinds[k] for k in given[1]], given[2])
        elif what in ("asked", "began"):
            getattr(forecast, what)(given[0], kinds[given[1]])
        else:
            getattr(forecast, what)(given[0])
        if what in ("began", "done", "ends"):
            found.append((now, trace["end"] - now, forecast.left()))
    return found


@pytest.mark.parametrize("name", TOLD)
def test_the_time_left_of_recorded_models(name):
    """By benchmarks/cold.py --traces, on the clock of a quiet machine of two workers."""
    trace = json.loads((TRACES / f"{name}.json").read_text())
    late = [(left, told) for now, left, told in replayed(trace) if now >= trace["end"] / 3]
    near = sum(abs(told - left) <= max(0.3 * left, 2.0) for left, told in late) / len(late)
    assert len(late) >= 3 and near >= TOLD[name], near


def test_every_trace_is_replayed():
    assert {file.stem for file in TRACES.glob("*.json")} == {*TOLD}
