"""How long a model still takes, told from what its parts took."""

import json
from pathlib import Path

import pytest
from griotte.models.forecast import (
    ASKED,
    JOINED,
    LATE,
    LINKED_S,
    MORE,
    OVERDUE,
    PACE_S,
    SHORT,
    WIDE,
    WRITTEN_S,
    Atom,
    Forecast,
)

TRACES = Path(__file__).parent / "traces"
TOLD = {  # of recorded models the share of moments, from a third on, at which the time left is told within 30 % or 2 s
    "basic_pitch": 0.7,
    "bert_layer": 0.9,
    "direction": 0.55,
    "gpt2_step": 0.65,
    "gpt2_step_small": 1.0,
    "lenet": 1.0,
    "llama_block": 0.95,
    "magika": 1.0,
    "mlp": 1.0,
    "mobilenet_v3": 0.85,
    "resnet18": 1.0,
    "silero_16k": 1.0,
    "swift_f0": 0.75,
    "unet": 0.6,
    "wake_embedding": 1.0,
    "wake_jarvis": 1.0,
    "wake_mycroft": 1.0,
    "wake_timer": 1.0,
    "whisper_tiny": 0.95,
}

CONV, ADD, POOL = Atom(0, True), Atom(1, False), Atom(2, False)
C = LINKED_S + WRITTEN_S[1]  # of an atom with a product


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
    assert forecast.left() - C == pytest.approx(6.0)
    forecast = Forecast(4, clock)
    took(forecast, clock, (CONV,), 4.0)
    forecast.asked(None, (CONV,))
    assert forecast.left() - C == pytest.approx(4.0)


def test_what_runs_counts_for_what_is_left_of_it(clock):
    forecast = Forecast(1, clock)
    took(forecast, clock, (CONV,), 4.0)
    forecast.asked(None, (CONV,))
    forecast.began("b", (CONV,))
    clock.now += 1.0
    assert forecast.left() - C == pytest.approx(3.0)
    clock.now += 3.0  # and has met no families yet: that takes a third of a search at most
    assert forecast.left() - C == pytest.approx(4.0 * OVERDUE)
    forecast.done("b")
    assert forecast.left() == pytest.approx(C)


def test_a_search_that_tells_its_work_is_told_by_that(clock):
    forecast = Forecast(1, clock)
    forecast.began("a", (CONV,))
    clock.now += 0.5
    forecast.went_on("a", 1e9, 10e9)
    by_pace, by_itself = 9e9 * PACE_S, 9 * 0.5
    assert forecast.left() == pytest.approx(0.1 * by_itself + 0.9 * by_pace)
    told = forecast.left()
    clock.now += 0.25  # nothing is heard meanwhile
    assert forecast.left() == pytest.approx(told - 0.25)
    clock.now += 8.25
    forecast.went_on("a", 9e9, 10e9)
    assert forecast.left() == pytest.approx(0.9 * 1.0 + 0.1 * 1e9 * PACE_S)
    forecast.went_on("a", 10e9, 10e9)
    assert forecast.left() == 0
    forecast.went_on("nobody began it", 1.0, 2.0)
    assert forecast.left() == 0


def test_a_search_that_was_long_to_meet_its_families_may_have_others_behind_it(clock):
    forecast = Forecast(1, clock)
    forecast.began("a", (CONV,))
    clock.now += 4.0
    forecast.went_on("a", 1.0, 1.0)
    assert forecast.left() == pytest.approx(4.0 * OVERDUE)
    clock.now += 5.0
    assert forecast.left() == pytest.approx(4.0 * OVERDUE - 5.0)


def test_the_pace_of_searches_is_learnt_from_their_work(clock):
    forecast = Forecast(1, clock)
    for _ in range(50):  # a machine half as fast
        forecast.began("a", (CONV,))
        forecast.went_on("a", 0.1e9, 1e9)
        clock.now += 2e9 * PACE_S
        forecast.done("a")
    forecast.began("b", (CONV,))
    forecast.went_on("b", 1.0, 8e9)
    assert forecast.left() == pytest.approx(16e9 * PACE_S, rel=0.03)


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


def test_before_bounds_most_of_what_there_is_are_expected(clock):
    forecast = Forecast(1, clock)
    took(forecast, clock, (CONV,), 2.0)
    forecast.begins("cut", 10, [(CONV,)] * 100)
    atoms = 10 * WRITTEN_S[0] + C
    assert forecast.left() == pytest.approx(100 * 2.0 * ASKED[False] + atoms)
    forecast.begins("cut", 0, [(CONV, CONV)] * 100)
    assert forecast.left() == pytest.approx(100 * 4.0 * JOINED * ASKED[True] + atoms)


def test_what_may_make_a_cut_cheaper_is_expected_until_it_is_asked(clock):
    forecast = Forecast(1, clock)
    took(forecast, clock, (CONV,), 2.0)
    forecast.begins("cut", 1, [(CONV,)] * 100)
    forecast.may_ask("cut", [(CONV,)] * 40, 0.1)
    written = WRITTEN_S[0] + C
    count = MORE * 40**WIDE * 0.1**SHORT
    assert forecast.left() - written == pytest.approx(count * LATE * 2.0) and 1 < count < 40
    forecast.asked("cut", (CONV,))
    assert forecast.left() - written == pytest.approx((count - 1) * LATE * 2.0 + 2.0)
    forecast.began("a", (CONV,))
    clock.now += 2.0
    forecast.done("a")
    forecast.ends("cut")
    assert forecast.left() == pytest.approx(written)  # the C of its atom


def test_of_a_cut_that_searches_settle_soon_fewer_are_expected(clock):
    left = []
    for settled in (1, 5):
        forecast = Forecast(1, clock)
        took(forecast, clock, (CONV,), 1.0)
        for rest in (40 + 4 * settled, 40):
            forecast.may_ask("cut", [(CONV,)] * rest, 0.1)
            for _ in range(4 if rest > 40 else 0):
                forecast.asked("cut", (CONV,))
                forecast.began("a", (CONV,))
                clock.now += 1.0
                forecast.done("a")
        left.append(forecast.left())
    assert left[1] < 0.6 * left[0]
    forecast.may_ask("cut", [], 0.1)
    assert forecast.left() == pytest.approx(C)


def test_cuts_within_a_cut_add_up(clock):
    forecast = Forecast(1, clock)
    forecast.begins("outer", 1, [(ADD,)] * 4)
    outer = forecast.left()
    forecast.begins("inner", 1, [(ADD,)] * 4)
    assert forecast.left() == pytest.approx(2 * outer - LINKED_S)
    forecast.ends("inner")
    assert forecast.left() == pytest.approx(outer + WRITTEN_S[0])
    forecast.ends("outer")
    forecast.begins("third", 0, [(CONV,), (CONV, POOL)])
    forecast.ends("third")
    assert forecast.left() == pytest.approx(2 * WRITTEN_S[0] + C), "equal atoms are written once"


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
        forecast.may_ask("cut", [(CONV,)] * 4, 0.1)
        told.append(forecast.left())
        forecast.asked("cut", (CONV,))
        forecast.began("b", (CONV,))
        clock.now += 1.0
        forecast.done("b")
        clock.now += 9.0
    assert told[-1] > 3 * told[0]


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
            getattr(forecast, what)(*given)
        if what in ("began", "went_on", "done", "ends"):
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
