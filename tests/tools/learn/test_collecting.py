"""Programs are compiled, checked, timed and kept; a run that was stopped goes on."""

import griotte as gt
import numpy as np
import pytest
from griotte.compiler.session import Session
from griotte.engine.learned.features import NAMES
from griotte.lang.text.text import parse
from griotte.machine import resolve
from griotte.machine.architecture import Intrinsics
from griotte.machine.architectures import intrinsics_of
from griotte.runtime.compilers import find_compiler
from griotte.runtime.kernel import kernel_of
from griotte.runtime.toolchain import compile_shared
from griotte.tools.learn import collecting, timing
from griotte.tools.learn.collecting import Collecting, Compiling, operation
from griotte.tools.learn.elsewhere.turns import Pace
from griotte.tools.learn.records import Records
from verbs import refused, run, run_json

PORTABLE = resolve("portable")
SPECS = [parse("matmul(f32[9,8], f32[8,17])"), parse("exp(f32[12,30])")]


QUICK = Collecting(most=5, pace=Pace(1e-4, 4, 2))  # a few programs of each, and few turns


def collect(*given, **more):
    return collecting.collect(*given, **more, how=QUICK)


@pytest.fixture
def quick(monkeypatch):
    """The verb at that pace, in this process."""
    monkeypatch.setattr(collecting, "Collecting", lambda **more: QUICK)


def test_programs_are_timed_and_kept(tmp_path):
    with Records(tmp_path / "r.gtr") as records:
        first, second = collect(SPECS, Session(PORTABLE), records)
        assert (first.programs, second.programs, records.goals, len(records)) == (5, 5, 2, 10)
        assert not first.wrong and not first.error
        samples = records.samples()
        assert samples.features.shape == (10, len(NAMES)) and list(np.bincount(samples.group)) == [5, 5]
        assert [group.operation for group in samples.groups] == ["matmul", "exp"]
        assert (samples.warm > 0).all() and (samples.warm < 1e4).all()
        assert np.isnan(samples.cold).all() or (samples.cold > 0).all()
        assert all(report.known for report in collect(SPECS, Session(PORTABLE), records))


def test_a_wrong_result_is_left_out(tmp_path, monkeypatch):
    compared, calls = timing.compare, []

    def every_other(*given):
        calls.append(given)
        found = compared(*given)
        return (found[0], found[1] and len(calls) % 2 == 1, found[2])

    monkeypatch.setattr(timing, "compare", every_other)
    with Records(tmp_path / "r.gtr") as records:
        (report,) = collect(SPECS[:1], Session(PORTABLE), records)
    assert (report.programs, report.wrong) == (3, 2)


def test_a_spec_that_fails_is_told_and_the_next_one_taken(tmp_path):
    with Records(tmp_path / "r.gtr") as records:
        first, second = collect([parse("exp(f32[<=8,9])"), SPECS[1]], Session(PORTABLE), records)
    assert first.error.startswith("expected a Spec of fixed sizes") and second.programs == 5


def test_no_spec_begins_after_the_time_is_up(tmp_path):
    with Records(tmp_path / "r.gtr") as records:
        assert list(collect(SPECS, Session(PORTABLE), records, until=0.0)) == []


def test_the_verb_goes_on_where_it_stopped(tmp_path, quick):
    out = str(tmp_path / "r.gtr")
    words = ["learn", "collect", *map(str, SPECS), "--target", "portable", "--out", out]
    found = run_json(*words)
    assert (found["timed"], found["specs"], found["goals"]) == (10, 2, 2)
    assert run_json(*words)["known"] == 2
    assert "0 programs of 0 Specs timed" in run(*words) and "it has 10 programs of 2" in run(*words)


def test_what_is_timed_is_kept_when_it_is_stopped(tmp_path, quick, monkeypatch):
    whole = collecting.collect

    def stopped(*given):
        yield next(whole(*given))
        raise KeyboardInterrupt

    monkeypatch.setattr(collecting, "collect", stopped)
    out = str(tmp_path / "r.gtr")
    found = run_json("learn", "collect", *map(str, SPECS), "--target", "portable", "--out", out, status=130)
    assert found["stopped"] and (found["timed"], found["specs"], found["programs"]) == (5, 1, 5)


def test_of_a_model_the_parts_are_timed(tmp_path, quick):
    path = tmp_path / "m.txt"
    path.write_text("model(\n  %x: f32[2,3],\n) {\n  %y = exp(%x) -> f32[2,3]\n  return y=%y\n}\n")
    found = run_json("learn", "collect", f"@{path}", "--target", "portable", "--out", str(tmp_path / "r.gtr"))
    assert (found["specs"], found["failed"]) == (1, 0)
    assert found["results"][0]["spec"] == "exp(f32[2,3]) -> f32[2,3]"


def test_a_wrong_verb_is_told():
    assert "expected a verb (collect" in refused("learn", "colect")


@pytest.mark.parametrize(
    "text, name",
    [
        ("matmul(f32[2,3], f32[3,4])", "matmul"),
        ("softmax(f32[2,3])", "softmax"),
        ("relu(add(matmul(f32[2,3], f32[3,4]), f32[4]))", "graph:matmul"),
        ("sum(exp(f32[2,30]), axis=1)", "graph:sum"),
        ("exp(add(f32[2,3], f32[3]))", "graph:exp"),
    ],
)
def test_operations_are_named(text, name):
    assert operation(parse(text)) == name


def test_drafts_are_compiled_as_their_programs_are():
    program = gt.synthesize("matmul(f32[9,8], const f32[8,17])", "portable", table="none")
    x, w = np.ones((9, 8), np.float32), np.ones((8, 17), np.float32)
    with Compiling(program.target) as compiling:
        first, second = compiling.libraries(program.alternatives(2))
    for library in (first, second):
        assert np.array_equal(kernel_of(library)(x, w), np.full((9, 17), 8, np.float32))
    alone = program.build()
    assert first.signature == alone.signature
    assert first.source.partition("*/")[2] == alone.source.partition("*/")[2]


def test_a_header_is_read_once_and_the_code_is_the_same():
    target = resolve("avx2")
    program = gt.synthesize("exp(f32[12,30])", target, table="none")
    with Compiling(target) as compiling:
        (library,) = compiling.libraries([program])
        more = library.build.more
    assert f"<{intrinsics_of(target.features).header}>" in library.source
    assert bool(more) == (find_compiler().kind == "gcc")
    assert library.path.read_bytes() == compile_shared(library.source, target.flags).read_bytes()


def test_without_the_header_it_is_read_each_time(monkeypatch):
    monkeypatch.setattr("griotte.tools.learn.collecting.intrinsics_of", lambda features: Intrinsics("none.h"))
    program = gt.synthesize("exp(f32[12,30])", "avx2", table="none")
    with Compiling(program.target) as compiling:
        assert compiling.libraries([program])[0].build.more == ()
