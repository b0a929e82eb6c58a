"""griotte learn fit, eval and show as a user meets them."""

import json
from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from griotte.engine.learned import features
from griotte.machine import described, resolve
from griotte.tools.commands.learn import models
from griotte.tools.learn.records import Records, Timed, TimedGoal
from timed_programs import NAMES, timed
from verbs import refused, run, run_json

SAMPLES, READ = timed(12, 10), models.timed


@pytest.fixture(autouse=True)
def data(monkeypatch):
    """Timed programs in place of a file's: those of `other` were not fitted to."""
    monkeypatch.setattr(models, "timed", lambda paths: (timed(12, 10, seed=int("other" in paths)), NAMES))


@pytest.fixture
def model(tmp_path):
    run("learn", "fit", "data", "-o", str(tmp_path / "m.gtm"), "--learner", "ridge")
    return str(tmp_path / "m.gtm")


@pytest.mark.parametrize("verb", ["fit", "eval", "show"])
def test_help_fits_a_screen(verb):
    lines = run("learn", verb, "--help").splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 80


def test_fit_tells_what_it_made(tmp_path):
    path, target = str(tmp_path / "m.gtm"), str(tmp_path / "t.toml")
    text = run("learn", "fit", "data", "-o", path, "--learner", "ridge", "--prices", target)
    assert text.startswith("ridge, fitted to 120 programs of 12 groups") and f"wrote {path}\nwrote {target}\n" in text
    found = gt.synthesize("exp(f32[8])", target).target
    plain = gt.synthesize("exp(f32[8])", "portable").target
    assert found.coefficient["line.L2"] > 1.2 * plain.coefficient["line.L2"]
    assert run_json("learn", "fit", "data", "-o", path, "--learner", "ridge")["programs"] == 120


def test_show_tells_terms_and_what_it_earned(model):
    text = run("learn", "show", model)
    assert "largest terms" in text and "\n  share_line " in text and "\n  price " in text and "\n  ridge " in text
    found = run_json("learn", "show", model)
    assert found["earned"]["ridge"]["first"] < found["earned"]["price"]["first"] and found["groups"] == 12


def test_eval_prints_tables(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- by griotte learn eval --by spec -->\n<!-- end -->\n")
    plot = str(tmp_path / "p.html")
    words = ("learn", "eval", "data", "--learner", "ridge", "--seeds", "1", "--plot", plot, "--docs", str(page))
    text = run(*words)
    assert "| all | 12 |" in text and f"wrote {plot}\nwrote {page}\n" in text and "| all | 12 |" in page.read_text()
    found = run_json(*words[:7])
    assert found["by"] == "spec" and found["ways"]["model"]["all"]["first"] < found["ways"]["price"]["all"]["first"]


def test_eval_of_a_model_is_by_other_programs(model):
    assert "a model that was fitted to other programs" in run("learn", "eval", "other", "--model", model)
    assert "found those that it was" in refused("learn", "eval", "data", "--model", model)
    assert "expected --model or --by" in refused("learn", "eval", "other", "--model", model, "--by", "spec")


def test_a_model_of_other_features_is_refused(model, tmp_path):
    data = json.loads((tmp_path / "m.gtm").read_text())
    data["features"]["version"] = 7
    (tmp_path / "m.gtm").write_text(json.dumps(data))
    assert "expected a performance model of version 1 of the features, found one of" in refused(
        "learn", "eval", "other", "--model", model
    )


def test_wrong_words_are_told(tmp_path):
    assert "expected M.gtm after griotte learn show" in refused("learn", "show")
    assert "No such file" in refused("learn", "show", str(tmp_path / "none.gtm"))
    assert "found 'weather'" in refused("learn", "eval", "data", "--by", "weather")
    assert "expected to write" in refused("learn", "fit", "data", "-o", str(tmp_path / "none" / "m.gtm"))


def test_corrected_prices_are_of_one_target(monkeypatch, tmp_path):
    groups = tuple(g._replace(target="avx2" if n % 2 else "portable") for n, g in enumerate(SAMPLES.groups))
    monkeypatch.setattr(models, "timed", lambda paths: (replace(SAMPLES, groups=groups), NAMES))
    words = ("learn", "fit", "data", "-o", str(tmp_path / "m.gtm"), "--learner", "ridge", "--prices", "t.toml")
    assert "expected programs of one target for --prices, found those of avx2 portable" in refused(*words)
    assert not (tmp_path / "m.gtm").exists()


def test_data_are_files_of_records(tmp_path):
    """Two files of one Spec and of another, as `griotte learn collect` keeps them, are read as one."""
    rng, target = np.random.default_rng(0), described.text(resolve("portable"))
    paths = [str(tmp_path / f"{n}.gtr") for n in range(2)]
    for n, path in enumerate(paths):
        spec = f"exp(f32[{n + 8}])"
        programs = tuple(
            Timed("", "best", rng.random(len(features.NAMES)), 100.0 + i, 1.0, 1.0, 2.0, 2.0, 0.0) for i in range(15)
        )
        with Records(path) as records:
            records.add(TimedGoal(spec, "exp", 1, target, "a CPU", "gcc", 0.0, 0.0, 1.0, programs))
    samples, names = READ(tuple(paths))
    assert len(samples) == 30 and names == features.NAMES and samples.features.shape[1] == len(names)
    assert [samples.groups[n].spec for n in samples.group[[0, -1]]] == ["exp(f32[8])", "exp(f32[9])"]
    with pytest.raises(gt.GriotteError, match="expected files of timed programs as DATA, found none"):
        READ(())
