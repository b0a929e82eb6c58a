"""A machine that no file fits: measured before the first search, once, or in turns where it is not quiet; and who is
never measured. Nothing is timed here: what probes say is written down."""

import errno
import subprocess
import sys
from dataclasses import replace

import griotte as gt
import pytest
from griotte.compiler import session
from griotte.machine import best, detect, measured, named, places
from griotte.machine.machine import DEFAULTS
from griotte.runtime.calibrate import functions, measure, turns, unasked
from griotte.runtime.calibrate.measure import Measurement
from griotte.support.errors import TargetError, ToolchainError

QUIET, NOISY = ({"rounds": [{"apart": apart}], "curve": [{"line": 1.0}]} for apart in (0.01, 0.5))
READ = 12.25  # `page` as it is "measured"
HOLDER = """
import sys
from griotte.engine.table.claims import Claims
with Claims(sys.argv[1]).claim("0", wait=True):
    print("held", flush=True)
    sys.stdin.readline()
    open(sys.argv[1] + ".toml", "w").write(sys.argv[2])
"""


class Probes:
    """Stands for the probes: what rounds say next, and how often they were compiled and run."""

    def __init__(self):
        self.compiled, self.rounds, self.says = 0, 0, (QUIET, 1.0)

    def runner(self, target, threads):
        self.compiled += 1

    def turn(self, seconds):
        self.rounds += 1
        return self.says

    def summary(self, rounds, line):
        apart = max(each["apart"] for each in rounds)
        return {
            name: Measurement(value, value, value * (1 - apart / 2), value * (1 + apart / 2))
            for name, value in (DEFAULTS | {"page": READ}).items()
        }


@pytest.fixture
def probes(monkeypatch, tmp_path):
    """A CPU that no file fits, an empty cache, a process that has not searched."""
    found = Probes()
    monkeypatch.setenv("GRIOTTE_CPU", "unknown")
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(places.CALIBRATE, places.NOW)
    monkeypatch.delenv(places.GIVEN, raising=False)
    monkeypatch.setattr(places, "config", lambda: tmp_path / "config")
    monkeypatch.setattr(measure, "Runner", found.runner)
    monkeypatch.setattr(measure, "summary", found.summary)
    monkeypatch.setattr(measure, "curve", lambda rounds: {})
    monkeypatch.setattr(functions, "measure", lambda target: target)
    monkeypatch.setattr(measure, "capacities", lambda runner, goal: [])
    monkeypatch.setattr(turns, "probes", lambda target, threads: ())
    monkeypatch.setattr(turns._Measuring, "rounds", lambda measuring, seconds: found.turn(seconds))
    monkeypatch.setattr(unasked, "REST_S", 0.0)
    anew(monkeypatch)
    return found


@pytest.fixture
def waits(probes, monkeypatch):
    """The same, by a person at a terminal: it is measured where it is quiet."""
    monkeypatch.delenv(places.CALIBRATE)
    monkeypatch.setattr(unasked, "reason", lambda said: "")
    return probes


def anew(monkeypatch):
    """As another process."""
    monkeypatch.setattr(turns, "_unkept", {})
    monkeypatch.setattr(unasked, "_here", unasked.OfProcess())
    monkeypatch.setattr(measured, "_own", {})
    monkeypatch.setattr(measured, "_keeps", [*measured._keeps, "anew"])


def read_price():
    return session.session_of().target.coefficient["pages"]


def fingerprint():
    return places.fingerprint(detect(), best(detect()))


def files(tmp_path, pattern="*.toml"):
    return sorted((tmp_path / "cache" / places.KEPT).glob(pattern))


def test_the_first_search_measures_once_and_takes_what_it_finds(probes, tmp_path, monkeypatch, capsys):
    assert read_price() == read_price() == READ and (probes.compiled, probes.rounds) == (1, 1)
    (path,), told = files(tmp_path), capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and "no file fits this machine" in told.err
    found = measured.load(path)
    assert found.fits(detect()) and found.prices.parameters.keys() == DEFAULTS.keys() and found.when
    anew(monkeypatch)
    assert read_price() == READ and probes.compiled == 1 and capsys.readouterr().err == ""


def test_off_is_as_if_nothing_had_been_measured(probes, monkeypatch):
    monkeypatch.setenv(places.CALIBRATE, places.OFF)
    before = session.session_of().target
    anew(monkeypatch)
    monkeypatch.setenv(places.CALIBRATE, places.NOW)
    assert session.session_of().target != before
    anew(monkeypatch)
    monkeypatch.setenv(places.CALIBRATE, places.OFF)
    assert session.session_of().target == before == replace(named("native"), leaves=before.leaves)
    assert probes.compiled == 1


@pytest.mark.parametrize("says", [(NOISY, 1.0), (QUIET, 0.5)], ids=["quartiles", "core"])
def test_a_machine_that_is_not_quiet_is_measured_in_later_turns(says, waits, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(turns, "ENOUGH_S", 1e-12)
    waits.says = says
    before = session.session_of().target
    assert waits.rounds == 1 and not files(tmp_path)
    session.session_of()  # a turn that is not quiet says nothing
    assert waits.rounds == 2 and not files(tmp_path, "*.rounds")
    waits.says = (QUIET, 1.0)
    session.session_of()
    assert files(tmp_path, "*.rounds") and not files(tmp_path) and turns.kept_rounds(fingerprint())[1] > 0
    assert session.session_of().target == before and files(tmp_path) and not files(tmp_path, "*.rounds")
    assert session.session_of().target == before, "a process stays with the prices that it began with"
    assert capsys.readouterr().err == "" and waits.rounds == 3
    anew(monkeypatch)
    assert read_price() == READ


def test_turns_of_processes_add_up(waits, tmp_path, monkeypatch):
    monkeypatch.setattr(turns, "ENOUGH_S", 1e9)
    for number in range(1, 4):
        anew(monkeypatch)
        waits.says = (NOISY, 1.0)
        session.session_of()
        waits.says = (QUIET, 1.0)
        session.session_of()
        assert len(turns.kept_rounds(fingerprint())[0]["rounds"]) == number


def test_a_file_of_rounds_that_cannot_be_read_is_none(waits, tmp_path, monkeypatch):
    waits.says = (NOISY, 1.0)
    session.session_of()
    waits.says = (QUIET, 1.0)
    session.session_of()
    (path,) = files(tmp_path, "*.rounds")
    for text in ("", "[]", '{"seconds": 1}', '{"seconds": 1, "rounds": {"rounds": [{"a": 1}, {"b": 1}]}}'):
        path.write_text(text)
        anew(monkeypatch)
        assert turns.kept_rounds(fingerprint()) == ({}, 0.0)


def test_a_process_takes_turns_with_rests_between(waits, monkeypatch):
    monkeypatch.setattr(unasked, "REST_S", 1e9)
    waits.says = (NOISY, 1.0)
    for _ in range(5):
        session.session_of()
    assert waits.rounds == 1


@pytest.mark.parametrize("target", ["portable", "native"])
def test_a_target_that_is_no_name_is_taken_as_it_is(target, probes):
    given = named(target)
    assert session.session_of(target=given).target == given and probes.compiled == 0


@pytest.mark.parametrize("kept", ["nowhere", "full"])
def test_where_nothing_can_be_kept_it_lasts_for_the_process(kept, probes, tmp_path, monkeypatch):
    def full(path, data, mode=0o666):
        raise OSError(errno.ENOSPC, "No space left on device")

    if kept == "full":
        monkeypatch.setattr(turns, "write_atomically", full)
    else:
        for room in (unasked, turns, places):
            monkeypatch.setattr(room, "kept_dir", lambda name: None)
    assert read_price() == read_price() == READ and probes.compiled == 1 and not files(tmp_path)


def test_without_a_compiler_it_is_searched_as_before(probes, monkeypatch):
    def none(target, threads):
        raise ToolchainError("expected a C compiler, found none; install one")

    monkeypatch.setattr(measure, "Runner", none)
    known = named("native")  # whose tiles are those of any compiler
    assert session.session_of().target == known and unasked._here.settled
    assert session.session_of().target == known


def test_two_processes_measure_once(probes, tmp_path, monkeypatch):
    """Another one has begun; this one waits, and reads what that found."""
    read_price()
    (path,) = files(tmp_path)
    text = path.read_text()
    path.unlink()
    anew(monkeypatch)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path.with_suffix("")), text],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout.readline() == "held\n"
        claim = unasked.Claims.claim

        def telling(self, key, wait):
            other.stdin.write("go on\n")
            other.stdin.flush()
            return claim(self, key, wait)

        monkeypatch.setattr(unasked.Claims, "claim", telling)
        assert read_price() == READ and probes.compiled == 1
    assert other.returncode == 0


def test_a_kept_file_that_is_broken_is_measured_anew(probes, tmp_path, monkeypatch):
    read_price()
    (path,) = files(tmp_path)
    path.write_text("vendor = ")
    anew(monkeypatch)
    assert read_price() == READ and measured.load(path).fits(detect()) and probes.compiled == 2


def test_a_file_that_a_fleet_gives_goes_before(probes, tmp_path, monkeypatch):
    read_price()
    (path,) = files(tmp_path)
    given = tmp_path / "image"
    given.mkdir()
    path.rename(given / "fleet.toml")
    for place in (given, given / "fleet.toml"):
        anew(monkeypatch)
        monkeypatch.setenv(places.GIVEN, str(place))
        assert read_price() == READ and probes.compiled == 1
        assert measured.nearest(detect(), named("native").vector_bytes).path == given / "fleet.toml"
    monkeypatch.setenv(places.GIVEN, str(tmp_path / "nowhere"))
    with pytest.raises(TargetError, match="expected folders or files of machines in GRIOTTE_MACHINES, found .*nowhere"):
        session.session_of()
    monkeypatch.delenv(places.GIVEN)
    given.rename(places.config())
    anew(monkeypatch)
    assert read_price() == READ and probes.compiled == 1


def test_a_machine_that_a_file_fits_is_not_measured(probes, monkeypatch):
    here = detect()
    monkeypatch.setattr(unasked, "is_fitted", lambda machine: machine == here)
    session.session_of()
    assert probes.compiled == 0 and unasked._here.settled


def test_a_word_that_is_none_is_an_error(monkeypatch):
    monkeypatch.setenv(places.CALIBRATE, "never")
    with pytest.raises(TargetError, match="expected off or now in GRIOTTE_CALIBRATE, found 'never'; write one of them"):
        gt.synthesize("exp(f32[8])")


class Terminal:
    def __init__(self, answer):
        self.isatty = lambda: answer


@pytest.mark.parametrize(
    "said, terminal, test, ci, says",
    [
        ("", True, "", "", ""),
        ("", False, "", "", "standard error is no terminal"),
        ("", True, "a test", "", "this is a test"),
        ("", True, "", "true", "CI is set"),
        ("off", True, "", "", "GRIOTTE_CALIBRATE is off"),
        ("now", False, "a test", "true", ""),
    ],
)
def test_who_is_never_measured(said, terminal, test, ci, says, monkeypatch):
    monkeypatch.delitem(sys.modules, "pytest")
    monkeypatch.setattr(sys, "stderr", Terminal(terminal))
    for name, value in (("PYTEST_CURRENT_TEST", test), ("CI", ci)):
        monkeypatch.setenv(name, value) if value else monkeypatch.delenv(name, raising=False)
    assert unasked.reason(said) == says


def test_tests_are_not_measured(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    assert unasked.reason("") == "this is a test"


DOORS = {
    "synthesize": lambda: gt.synthesize("exp(f32[8])", table="none"),
    "compile": lambda: gt.compile("exp(f32[8])", table="none"),
    "schedule": lambda: gt.schedule("exp(f32[8])"),
    "graph": lambda: gt.compile(gt.graph(gt.exp, gt.tensor((8,), "f32")), table="none"),
    "jit": lambda: gt.jit(lambda x: x + 1)(__import__("numpy").ones(8, "f4")),
    "explain": lambda: _verb("explain", "exp(f32[8])", "--table", "none"),
    "bench": lambda: _verb("bench", "exp(f32[8])", "--against", "numpy", "--table", "none"),
}


def _verb(*words):
    from click.testing import CliRunner
    from griotte.tools.cli import main

    assert CliRunner().invoke(main, words).exit_code == 0


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_each_door_asks_before_it_searches(door, monkeypatch):
    asked = []
    monkeypatch.setattr(session, "before_search", asked.append)
    door()
    assert "native" in asked
