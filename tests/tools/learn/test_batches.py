"""A batch is made here, timed by a script that needs nothing of griotte, and read back; what is wrong with one is
told in a line."""

import json
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from griotte.compiler.session import Session
from griotte.lang.text.text import parse
from griotte.machine import resolve
from griotte.machine.detect import fingerprint
from griotte.runtime.compilers import find_compiler
from griotte.support.errors import GriotteError
from griotte.tools.learn import batches, collecting
from griotte.tools.learn.collecting import Collecting
from griotte.tools.learn.elsewhere.turns import Pace
from griotte.tools.learn.records import Records
from griotte.tools.learn.returned import Returned
from verbs import refused, run, run_json

PORTABLE = resolve("portable")
SPECS = [
    parse("matmul(f32[9,8], const f32[8,17]{0,1})"),
    parse("prod(f16[200,30]{0,1}, axis=0)"),
]
QUICK = Collecting(most=3, pace=Pace(1e-4, 4, 2))


def prepared(folder: Path, specs=SPECS, threads=1) -> Path:
    reports = list(batches.prepare(specs, Session(PORTABLE, threads), folder, how=QUICK))
    assert all(report.programs and not report.error for report in reports)
    return folder


def measured(folder: Path, *words: str, cc: str = "") -> str:
    """Time a batch there: by a Python that sees no packages."""
    command = [sys.executable, "-E", "-s", "-S", str(folder / "measure.py"), *words]
    environment = {**os.environ, "CC": cc} if cc else None
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def timed(tmp_path_factory) -> Path:
    folder = prepared(tmp_path_factory.mktemp("batch") / "b")
    measured(folder)
    return folder


@pytest.fixture
def batch(timed, tmp_path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(timed, tmp_path / "b"))


def read(folder: Path, to: Path):
    with Records(to) as records:
        reports = list(Returned(folder).into(records))
        return reports, list(records.read()), records.samples()


def changed(path: Path, change) -> None:
    found = json.loads(path.read_text())
    change(found)
    path.write_text(json.dumps(found))


def changed_times(folder: Path, change, line: int = 1) -> None:
    """Change a line of what was timed: the first of the machine, or that of a Spec."""
    path = folder / "times.jsonl"
    lines = [json.loads(each) for each in path.read_text().splitlines()]
    change(lines[line])
    path.write_text("".join(f"{json.dumps(each)}\n" for each in lines))


def error_of(folder: Path, tmp_path: Path) -> str:
    """Why the first Spec of a batch is not taken."""
    reports, goals, _ = read(folder, tmp_path / "r.gtr")
    assert not reports[0].programs and len(goals) < len(SPECS)
    assert "\n" not in reports[0].error
    return reports[0].error


def test_what_is_timed_elsewhere_is_on_record(timed, tmp_path):
    reports, goals, samples = read(timed, tmp_path / "r.gtr")
    assert [report.error for report in reports] == ["", ""] and not any(report.wrong for report in reports)
    assert [goal.spec for goal in goals] == [str(spec) for spec in SPECS]
    # this machine was the one elsewhere: it is named as it names itself
    assert {(goal.machine, goal.compiler) for goal in goals} == {(fingerprint(), find_compiler().version)}
    assert len(samples) == sum(report.programs for report in reports) and (samples.warm > 0).all()
    again, _, _ = read(timed, tmp_path / "r.gtr")
    assert all(report.known for report in again)


def test_a_run_that_was_stopped_goes_on(batch, tmp_path):
    whole = (batch / "times.jsonl").read_text()
    before = whole.splitlines()[:2]
    (batch / "times.jsonl").write_text(whole[:-20])  # within the last line
    reports, _, _ = read(batch, tmp_path / "half.gtr")
    assert reports[0].programs and "found none yet; run measure.py to its end" in reports[1].error
    told = measured(batch)
    assert "2 of 2" in told and "1 of 2" not in told and "2 Specs timed, 0 failed" in told
    assert (batch / "times.jsonl").read_text().splitlines()[:2] == before
    assert all(report.programs for report in read(batch, tmp_path / "r.gtr")[0])


def test_what_is_built_before_is_not_compiled_again(tmp_path):
    folder, log = prepared(tmp_path / "b", SPECS[:1]), tmp_path / "log"
    cc = tmp_path / "cc"
    cc.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {" ".join(find_compiler().command)} "$@"\n')
    cc.chmod(0o755)
    assert "programs; python measure.py times them" in measured(folder, "--build", cc=str(cc))
    count = len(json.loads((folder / "batch.json").read_text())["specs"][0]["programs"])
    assert len(list((folder / "built").iterdir())) == count and log.read_text().count("/c/0_") == count
    log.unlink()
    measured(folder, "--build", cc=str(cc))
    measured(folder, cc=str(cc))
    assert "driver.c" in log.read_text() and "/c/0_" not in log.read_text()
    assert read(folder, tmp_path / "r.gtr")[0][0].programs == count


def test_what_measure_is_asked_is_checked(batch):
    done = subprocess.run([sys.executable, str(batch / "measure.py"), "--biuld"], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr == "measure.py: expected --build or nothing, found --biuld\n"


def test_c_that_fails_is_told_and_the_next_spec_taken(tmp_path):
    folder = prepared(tmp_path / "b")
    (folder / "c" / "0_0.c").write_text("int broken(\n")
    assert "failed: expected C that" in measured(folder)
    reports, _, _ = read(folder, tmp_path / "r.gtr")
    assert "found that it failed there: expected C that" in reports[0].error and reports[1].programs


def test_a_program_that_dies_is_told(tmp_path):
    folder = prepared(tmp_path / "b", SPECS[:1])
    for path in (folder / "c").iterdir():
        name = path.read_text().partition("_check(void)")[0].rpartition(" *")[2]
        path.write_text(f"const char *{name}_check(void) {{ __builtin_trap(); }}\n")
    assert "failed: its process died" in measured(folder)


def test_threads_share_a_team(tmp_path):
    folder = prepared(tmp_path / "b", [parse("matmul(f32[64,32], f32[32,48])")], threads=2)
    assert "1 Specs timed" in measured(folder)
    reports, goals, _ = read(folder, tmp_path / "r.gtr")
    assert reports[0].programs and goals[0].threads == 2


def test_wrong_results_are_left_out(batch, tmp_path):
    def change(times):
        first = times["programs"][0]
        first["results"] = ["7f" * len(bytes.fromhex(results)) for results in first["results"]]

    changed_times(batch, change)
    reports, _, _ = read(batch, tmp_path / "r.gtr")
    assert reports[0].wrong == 1 and reports[0].programs and not reports[1].wrong


HOSTILE = {
    "expected times of the C that decisions of matmul": lambda s: s["programs"][0].update(c="0" * 64),
    "times of other programs of matmul": lambda s: s["programs"].pop(),
    "no number as a time": lambda s: s["programs"][0].update(warm=[float("nan"), 1.0, 0.0]),
    "no times of matmul": lambda s: s["programs"][0].update(warm=[0.0, 1.0, 0.0]),
    "no times of": lambda s: s["programs"][0].update(cold=[1.0]),
    "no results of matmul": lambda s: s["programs"][0].update(results=7),
    "other results than were asked for": lambda s: s["programs"][0].update(results=["zz"]),
    "no number as a time of matmul": lambda s: s.update(load="1"),
    "failed there: \\x1b[2J": lambda s: s.update(error="\x1b[2J"),
}


@pytest.mark.parametrize("told", HOSTILE)
def test_hostile_times_are_told(batch, tmp_path, told):
    changed_times(batch, HOSTILE[told])
    assert told in error_of(batch, tmp_path)


WRONG = {
    "times of another batch": lambda t: t.update(batch="0"),
    "one of another format": lambda t: t.update(format=7),
    "no machine": lambda t: t.update(machine={"cpuinfo": "x", "caches": [["Data", "1", 2]], "cores": 1}),
    "no text as compiler": lambda t: t.update(compiler=["gcc"]),
}


@pytest.mark.parametrize("told", WRONG)
def test_a_folder_that_is_no_batch_is_refused(batch, told):
    changed_times(batch, WRONG[told], 0)
    with pytest.raises(GriotteError, match=f"expected a batch of griotte learn collect --prepare, found {told}"):
        Returned(batch)


@pytest.mark.parametrize("text", [b"", b"[" * 100_000 + b"\n", b"[]\n", b"\0\n", b"\xff\n", b"{}"])
def test_times_that_are_no_objects_are_refused(batch, text):
    (batch / "times.jsonl").write_bytes(text)
    with pytest.raises(GriotteError, match="found no lines of JSON objects"):
        Returned(batch)


def test_a_batch_that_is_no_object_is_refused(batch):
    (batch / "batch.json").write_text("[]")
    with pytest.raises(GriotteError, match="found no JSON object"):
        Returned(batch)


def test_times_of_another_machine_are_not_gone_on_with(batch):
    changed_times(batch, lambda own: own.update(compiler="tcc"), 0)
    command = [sys.executable, str(batch / "measure.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and done.stderr.startswith("measure.py: expected no times.jsonl, or one of this batch")


BATCHES = {
    "the digest of its C": (
        "times of the C",
        lambda s: s["programs"][0].update(decisions=s["programs"][1]["decisions"]),
    ),
    "decisions": ("a record of choices", lambda s: s["programs"][0].update(decisions="[[")),
    "a Spec": ("expected", lambda s: s.update(spec="matmul(f32[")),
    "a large Spec": ("expected a Spec of 1024 MiB", lambda s: s.update(spec="matmul(f32[99999,9], f32[9,99999])")),
    "a long Spec": ("operations at most in a batch", lambda s: s.update(spec="matmul(f32[9999,9999], f32[9999,9999])")),
    "data": ("expected the data of", lambda s: s.update(data="0")),
}


@pytest.mark.parametrize("what", BATCHES)
def test_a_batch_that_was_changed_is_told(batch, tmp_path, what):
    told, change = BATCHES[what]
    changed(batch / "batch.json", lambda made: change(made["specs"][0]))
    digest = sha256((batch / "batch.json").read_bytes()).hexdigest()
    changed_times(batch, lambda own: own.update(batch=digest), 0)
    assert told in error_of(batch, tmp_path)


def test_data_here_are_those_there(timed):
    """What the driver fills an input with, in C, is what `filled` makes of the palette."""
    import ctypes

    made = json.loads((timed / "batch.json").read_text())
    for spec, told in zip(SPECS, made["specs"]):
        ours = batches.filled(spec, batches.palettes_of(spec, made["seed"]), made["seed"])
        library = _driver(timed)
        for array, each in zip(ours, told["inputs"]):
            theirs = np.empty(array.size, array.dtype)
            palette = (timed / each["palette"]).read_bytes()
            values = each["elements"], each["size"], palette, len(palette) // each["size"], each["seed"]
            kinds = ctypes.c_int64, ctypes.c_int64, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64
            library.fill(ctypes.c_void_p(theirs.ctypes.data), *(kind(value) for kind, value in zip(kinds, values)))
            assert np.array_equal(theirs, batches.in_memory(array))


def _driver(folder: Path):
    import ctypes

    from griotte.runtime.toolchain import compile_shared

    return ctypes.CDLL(str(compile_shared((folder / "elsewhere" / "driver.c").read_text())))


def test_memory_is_a_view():
    array = np.zeros((3, 1, 4), np.float32).transpose(2, 0, 1)
    batches.in_memory(array)[...] = np.arange(12)
    assert array[1, 2, 0] == 9


def test_a_batch_needs_an_empty_folder(timed, tmp_path):
    with pytest.raises(GriotteError, match="expected an empty folder for a batch, found batch.json"):
        list(batches.prepare(SPECS, Session(PORTABLE), timed))
    (tmp_path / "file").write_text("")
    with pytest.raises(GriotteError, match="expected to write a batch"):
        list(batches.prepare(SPECS, Session(PORTABLE), tmp_path / "file"))


def test_a_spec_that_fails_is_told(tmp_path):
    many = parse("add(add(add(add(f32[8], f32[8]), f32[8]), add(f32[8], f32[8])), add(add(f32[8], f32[8]), f32[8]))")
    first, second, third = batches.prepare(
        [parse("exp(f32[<=8,9])"), many, SPECS[0]], Session(PORTABLE), tmp_path / "b"
    )
    assert "expected a Spec of fixed sizes" in first.error and third.programs
    assert "expected a Spec of 8 tensors at most in a batch, found 9" in second.error


def test_the_verb_prepares_and_reads(tmp_path, monkeypatch):
    monkeypatch.setattr(collecting, "Collecting", lambda **more: QUICK)
    folder, out = str(tmp_path / "b"), str(tmp_path / "r.gtr")
    words = "learn", "collect", str(SPECS[0]), "--target", "portable"
    found = run_json(*words, "--prepare", folder)
    assert found["specs"] == 1 and found["programs"] == found["results"][0]["programs"] > 1 and not found["failed"]
    assert "run measure.py there, and bring its folder back" in refused("learn", "collect", "--read", folder)
    measured(Path(folder))
    assert run_json("learn", "collect", "--read", folder, "--out", out)["timed"] == found["programs"]
    assert "known    matmul" in run("learn", "collect", "--read", folder, "--out", out)
    assert "expected an empty folder" in refused(*words, "--prepare", folder)
    assert "expected one of --prepare, --read, --ready, --time, found --prepare and --read" in refused(
        *words, "--prepare", folder, "--read", folder
    )
    assert "expected no SPEC beside --read" in refused("learn", "collect", "exp(f32[8])", "--read", folder)
