"""What a table remembers of trials is data from outside: read with care."""

from __future__ import annotations

import json

import pytest
from griotte.compiler.session import session_of
from griotte.models.trials import Gains, Remembered, Trials

TRIALS = Trials(12.5, 0.01, {"a": 1.0, "b": 0.75})


def test_trials_are_read_as_they_were_written():
    assert Trials.decode(TRIALS.encode()) == TRIALS and TRIALS.gain == 0.25 and Trials().gain == 0.0


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "[",
        "[]",
        "{}",
        "[" * 100_000,
        json.dumps({"first_us": 0, "doubt": 0.1, "times": {"a": 1.0}}),
        json.dumps({"first_us": 1.0, "doubt": "x", "times": {"a": 1.0}}),
        json.dumps({"first_us": 1.0, "doubt": 0.1, "times": {"a": -1.0}}),
        json.dumps({"first_us": 1.0, "doubt": 0.1, "times": {"a": float("nan")}}),
        json.dumps({"first_us": 1.0, "doubt": 0.1, "times": [1.0]}),
        json.dumps({"first_us": 1.0, "doubt": 0.1, "times": {str(n): 1.0 for n in range(2000)}}),
    ],
)
def test_what_is_no_trials_is_none(text):
    assert Trials.decode(text) == Trials()


@pytest.mark.parametrize("text", [None, "1", "[1]", "[-1, 0]", "[1, 2]", '["a", 0]', "[1, null]", "[true, 0]"])
def test_what_is_no_gain_is_none(text):
    assert Gains.decode(text) == Gains()


def test_a_table_remembers(tmp_path):
    store = lambda: session_of(target="portable", table=str(tmp_path / "t.griotte")).store
    known = Remembered(store(), 1)
    known.keep_trials("x", TRIALS)
    known.keep_trials("x", Trials(13.0, 0.005, {"c": 0.5}))
    known.add_gain("product", 0.25)
    known.add_gain("product", 0.0)
    known.keep_seconds("m", 12.0)
    again = Remembered(store(), 1)
    assert again.trials("x") == Trials(13.0, 0.005, {"a": 1.0, "b": 0.75, "c": 0.5})
    assert again.gains("product") == Gains(2, 0.25) and again.gains("other") == Gains() and again.seconds("m") == 12.0
    other = Remembered(store(), 2)  # threads
    assert other.trials("x") == Trials() and other.seconds("m") == 0.0


def test_without_a_table_nothing_is_remembered():
    known = Remembered(None, 1)
    known.keep_trials("x", TRIALS)
    known.add_gain("product", 0.5)
    assert known.trials("x") == Trials() and known.gains("product") == Gains() and known.seconds("m") == 0.0
