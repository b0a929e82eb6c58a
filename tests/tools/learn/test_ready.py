"""Programs are made ready beside other work, timed later, and either goes on where it was; what fails is told."""

import json
from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from griotte.compiler.session import Session
from griotte.lang.text.text import parse
from griotte.machine import resolve
from griotte.support.errors import GriotteError, ToolchainError
from griotte.tools.learn import ready as module
from griotte.tools.learn.collecting import Collecting
from griotte.tools.learn.drafts import Drafting
from griotte.tools.learn.elsewhere.turns import Pace
from griotte.tools.learn.networks import parts_of
from griotte.tools.learn.ready import make_ready, time_ready
from griotte.tools.learn.records import Records
from verbs import refused, run, run_json

PORTABLE = resolve("portable")
SESSION = Session(PORTABLE)
TEXTS = ("matmul(f32[9,8], const f32[8,17])", "softmax(f32[12,30])")
SPECS = [parse(text) for text in TEXTS]
QUICK = Collecting(most=5, pace=Pace(1e-4, 4, 0), networks={str(SPECS[0]): "small"})


class Here:
    """In the place of a process of its own."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def run(self, function, *given):
        return function(*given)


@pytest.fixture
def here(monkeypatch):
    monkeypatch.setattr(module, "OwnProcess", Here)


def made(folder, **more):
    return list(make_ready(SPECS, SESSION, folder, 2, how=QUICK, **more))


def test_what_is_ready_is_timed_once(tmp_path, here):
    reports = made(tmp_path / "ready")
    assert [report.programs for report in reports] == [5, 5] and not any(r.error or r.wrong for r in reports)
    assert all(report.known for report in made(tmp_path / "ready"))
    with Records(tmp_path / "r.gtr") as records:
        timed = list(time_ready(tmp_path / "ready", records, how=QUICK))
        assert [report.programs for report in timed] == [5, 5]
        assert not list(time_ready(tmp_path / "ready", records, how=QUICK))
        samples = records.samples()
        goals = list(records.read())
    assert (samples.warm > 0).all() and np.isnan(samples.cold).all() and all(samples.trees)
    assert sorted(group.network for group in samples.groups) == ["", "small"]
    for goal in goals:  # as a collector of one Spec after the other has them
        drafts = Drafting(parse(goal.spec), SESSION, 0, 5, sparing=True).drafts()
        assert {timed.decisions for timed in goal.programs} == {draft.decisions for draft in drafts}
        assert [timed.price for timed in goal.programs] == [draft.root.cost for draft in drafts]


def test_nothing_begins_later(tmp_path, here):
    assert made(tmp_path / "ready", until=0.0) == []
    made(tmp_path / "ready")
    with Records(tmp_path / "r.gtr") as records:
        assert not list(time_ready(tmp_path / "ready", records, until=0.0, how=QUICK)) and not len(records)


def test_a_stopped_run_goes_on(tmp_path, here):
    made(tmp_path / "ready")
    first, second = sorted((tmp_path / "ready").glob("*.json"))
    first.unlink()  # as where the library was there and no word of it
    assert sorted(report.known for report in made(tmp_path / "ready")) == [False, True]
    assert first.exists() and second.exists()


def test_wrong_results_are_left_out(tmp_path, here, monkeypatch):
    compared = []

    def never(*given):
        compared.append(given)
        return 0.0, len(compared) > 1, ""

    monkeypatch.setattr(module, "compare", never)
    monkeypatch.setattr(module, "_equal", lambda one, other: False)
    reports = made(tmp_path / "ready")
    assert sum(report.wrong for report in reports) == 1
    monkeypatch.setattr(module, "compare", lambda *_: (1.0, False, ""))
    found = list(make_ready(SPECS[:1], SESSION, tmp_path / "other", 1, how=QUICK))
    assert "expected a program with the right result" in found[0].error


def test_a_result_that_equals_a_right_one_is_not_compared_again(tmp_path, here, monkeypatch):
    compared, compare = [], module.compare
    monkeypatch.setattr(module, "compare", lambda *given: compared.append(given) or compare(*given))
    reports = made(tmp_path / "ready")
    assert 2 <= len(compared) < sum(report.programs for report in reports)


def test_a_process_that_dies_is_told(tmp_path, here, monkeypatch):
    def dies(self, function, *given):
        raise ToolchainError("expected programs that run")

    made(tmp_path / "ready")
    monkeypatch.setattr(Here, "run", dies)
    assert [report.error for report in made(tmp_path / "again")] == ["expected programs that run"] * 2
    with Records(tmp_path / "r.gtr") as records:
        assert [r.error for r in time_ready(tmp_path / "ready", records, how=QUICK)] == [
            "expected programs that run"
        ] * 2


def test_another_file_is_refused(tmp_path, here):
    made(tmp_path / "ready")
    path = next((tmp_path / "ready").glob("*.json"))
    for text in ("", "[]", json.dumps({**json.loads(path.read_text()), "format": 0}), "{}"):
        path.write_text(text)
        with Records(tmp_path / "r.gtr") as records, pytest.raises(GriotteError, match="made, found another file"):
            list(time_ready(tmp_path / "ready", records, how=QUICK))


def test_the_verb_with_processes_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIOTTE_WORKERS", "1")
    folder, out = str(tmp_path / "ready"), str(tmp_path / "r.gtr")
    said = run_json("learn", "collect", *TEXTS, "--target", "portable", "--most", "3", "--ready", folder)
    assert (said["specs"], said["programs"], said["failed"]) == (2, 6, 0)
    said = run_json("learn", "collect", "--time", folder, "--out", out)
    assert (said["specs"], said["timed"], said["programs"]) == (2, 6, 6)
    small = str(tmp_path / "small.npz")
    said = run_json("learn", "prune", out, "-o", small)
    assert said["programs"] == 6 and said["bytes"] < 100_000
    assert "6 programs of 2" in run("learn", "prune", small, "-o", str(tmp_path / "again.npz"))
    assert "expected a file of the name .npz" in refused("learn", "prune", out, "-o", str(tmp_path / "small"))
    assert "expected one of --prepare, --read" in refused("learn", "collect", "--ready", folder, "--time", folder)
    assert "expected no SPEC beside --time" in refused("learn", "collect", TEXTS[0], "--time", folder)


def test_parts_of_a_network():
    graph = gt.graph(
        lambda x, w, v: gt.softmax(gt.matmul(gt.relu(gt.matmul(x, w)), v)), "f32[9,8]", "f32[8,7]", "f32[7,6]"
    )
    found = list(map(str, parts_of(graph, replace(SESSION, table="none"))))
    assert len(found) == len(set(found)) and "softmax(f32[9,6], axis=-1) -> f32[9,6]" in found
    assert any("softmax(matmul" in text for text in found) and all(str(parse(text)) == text for text in found)
