"""How long a model still takes, told from what its parts took."""

import pytest
from griotte.models.forecast import ASKED, MORE, WRITTEN_S, Atom, Forecast

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
    for n in range(50):
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
    forecast.may_ask("cut", [(CONV,), (CONV,)])
    both = forecast.left() - WRITTEN_S
    forecast.asked("cut", (CONV,))
    assert forecast.left() - WRITTEN_S == pytest.approx(both / 2 + 2.0) and MORE >= 1
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
