"""`python -m drawn`."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from drawn import __main__ as drawing
from drawn.graphs import random_graph, random_outputs


def run(*words, status=0):
    result = CliRunner().invoke(drawing.main, [*words, "--target", "portable"])
    assert result.exit_code == status, result.output + str(result.exception)
    return result.stdout


def test_specs_of_dynamic_sizes_are_drawn_and_right():
    found = json.loads(run("3", "--dynamic", "--seed", "5", "--json"))
    assert (found["right"], found["wrong"]) == (3, 0) and any("<=" in r["spec"] for r in found["results"])


def test_specs_are_drawn_and_right():
    found = json.loads(run("2", "--seed", "5", "--json"))
    assert found["right"] == 2 and len(found["results"]) == 2 and found["p95_s"] >= found["median_s"] > 0
    text = run("2", "--seed", "5")
    assert "2 of 2 right (seed 5)" in text and "\x1b" not in text


def test_graphs_are_drawn_and_right(monkeypatch):
    monkeypatch.setattr(drawing, "WITH_OUTPUTS", 3)
    found = json.loads(run("3", "--graphs", "--seed", "1", "--json"))
    specs = [result["spec"] for result in found["results"]]
    assert found["right"] == 3 and specs[2].startswith("outputs(") and sum(map(str.count, specs, "(" * 3)) > 6


def test_models_are_drawn_and_right():
    found = json.loads(run("3", "--models", "--seed", "2", "--json"))
    assert (found["right"], found["wrong"]) == (3, 0) and all("model(" in r["spec"] for r in found["results"])


def test_a_seed_draws_graphs_and_every_eighth_has_several_outputs():
    rng = np.random.default_rng(4)
    assert drawing.texts(9, True, False, 4) == [
        *(random_graph(rng) for _ in range(7)),
        random_outputs(rng),
        random_graph(rng),
    ]


@pytest.mark.parametrize("flag", [(), ("--json",)])
def test_a_wrong_result_is_status_1(monkeypatch, flag):
    wrong = lambda subject, *_: {"spec": str(subject), "ok": False, "error": "off by one"}
    monkeypatch.setattr(drawing.SpecSubject, "check", wrong)
    text = run("2", *flag, status=1)
    assert "off by one" in text and ('"wrong": 2' in text or "0 of 2 right" in text)


def test_what_is_no_number_is_refused():
    result = CliRunner().invoke(drawing.main, ["many"])
    assert result.exit_code == 2 and "expected an integer from 1" in result.stderr
