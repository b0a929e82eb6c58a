"""A whole calibration of tiny Specs: the verb, its target file, its samples, and what is held out."""

import math
from dataclasses import replace

import numpy as np
import pytest
from griotte.calibrate import measure, rounds, specs, timing
from griotte.calibrate.samples import Sample, read
from griotte.frontends.text import parse
from griotte.targets import COEFFICIENTS, resolve
from verbs import refused, run, run_json


@pytest.fixture
def tiny(monkeypatch):
    """Specs that are found and timed in milliseconds, on a machine that may have other work."""
    monkeypatch.setattr(measure, "FOREIGN", math.inf)
    monkeypatch.setattr(timing, "_interruptions", lambda: 0)
    monkeypatch.setattr(rounds, "TIMINGS", 2)
    monkeypatch.setattr(rounds, "PROGRAMS", 6)
    monkeypatch.setattr(specs, "KINDS", ((lambda draw: f"sum(f32[{draw.size(20, 90)},{draw.size(20, 200)}], axis={draw.of((0, 1))})", 4),))


def test_the_verb_writes_a_target_that_loads(tiny, tmp_path):
    found = run_json("calibrate", "-o", f"{tmp_path}/here.toml", "--samples", f"{tmp_path}/s", "--minutes", "0.01", "--threads", "2")
    target = resolve(f"{tmp_path}/here.toml")
    assert replace(target, name="native", coefficients=()) == replace(resolve("native"), coefficients=())
    assert all(x >= 0 for x in target.coefficient.values()) and set(target.coefficient) == set(COEFFICIENTS)
    assert found["samples"] == len(read(tmp_path / "s")) > 3
    assert found["changed"] and all(target.coefficient[name] == pytest.approx(new) for name, (_, new) in found["changed"].items())
    assert set(found["before"]) == set(found["after"]) and found["after"]["all"]["specs"] >= 1
    assert found["before"]["all"]["programs"] == found["after"]["all"]["programs"]
    run("compile", "exp(f32[33])", "--target", f"{tmp_path}/here.toml", "--emit", "c")


def test_samples_are_added_to(tiny, tmp_path):
    words = ("calibrate", "-o", f"{tmp_path}/here.toml", "--samples", f"{tmp_path}/s", "--minutes", "0.01", "--threads", "1")
    run(*words)
    first = read(tmp_path / "s")
    text = run(*words)
    assert read(tmp_path / "s")[: len(first)] == first and len(read(tmp_path / "s")) > len(first)
    assert "tau" in text and f"wrote {tmp_path}/here.toml" in text


def test_a_machine_with_other_work_is_told(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(measure, "FOREIGN", -1)
    assert "expected a machine that does nothing else" in refused("calibrate", "-o", f"{tmp_path}/here.toml", "--minutes", "0.01")
    assert not (tmp_path / "here.toml").exists()


def test_bad_input_is_told_before_anything_is_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(rounds.Calibration, "run", lambda *_: pytest.fail("measured"))
    assert "expected a file that ends in .toml after -o" in refused("calibrate", "-o", f"{tmp_path}/here.json")
    assert "expected a folder that can be written" in refused("calibrate", "-o", f"{tmp_path}/no/here.toml")
    (tmp_path / "s").write_text("something else")
    assert "expected a file of samples" in refused("calibrate", "-o", f"{tmp_path}/here.toml", "--samples", f"{tmp_path}/s")
    assert "expected a number from 0.01 to 600 for --minutes" in refused("calibrate", "--minutes", "0")


def test_a_third_of_the_specs_are_held_out_by_their_text():
    texts = [f"exp(f32[{n}])" for n in range(1, 1000)]
    held = [rounds.held_out(Sample(text, 1, ("map along i",))) for text in texts]
    assert 280 < sum(held) < 390
    assert held == [rounds.held_out(Sample(text, 2, ("map along j",))) for text in texts]


@pytest.mark.parametrize("seed", range(3))
def test_specs_are_read_and_bounded(seed):
    found = specs.specs(np.random.default_rng(seed), 4)
    drawn = [next(found) for _ in range(60)]
    assert {threads for _, threads in drawn} == {1, 4} and len({text for text, _ in drawn}) > 50
    for text, _ in drawn:
        spec = parse(text)
        assert max(t.elements for t in spec.tensors) <= specs.ELEMENTS
