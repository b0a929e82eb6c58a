"""Many Specs into one table: lists, resuming, several processes, and a worker that is killed half-way."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time

import dask
import griotte as gt
import pytest
from distributed import Client, LocalCluster
from griotte.compiler.session import session_of
from griotte.engine.table.contents import reading
from griotte.engine.table.whole_files import check, merge
from griotte.machine import named
from griotte.support.errors import SpecError, TableError, ToolchainError
from griotte.tools.scale import Goal, cluster, fill, goals
from griotte.tools.scale.cluster import solve_away, token
from griotte.tools.scale.fill import on_cluster, solve
from griotte.tools.scale.goals import presets
from tables import digests

PORTABLE = named("portable")
APART = tuple(str(gt.parse(f"matmul({t}[64,48], {t}[48,64])")) for t in ("f32", "f64"))  # they share no family


def into(path, **asked):
    return session_of(**{"target": "portable", "table": str(path), **asked})


def of(*specs):
    return [Goal(str(gt.parse(spec))) for spec in specs]


# Lists of Specs ----------------------------------------------------------------------------


def test_presets_are_specs():
    assert {"small", "matmul-2048"} <= set(presets())
    assert all(goals(name) and preset["about"] for name, preset in presets().items())


def test_a_list_names_specs_and_threads(tmp_path):
    path = tmp_path / "specs.toml"
    path.write_text(
        '[[spec]]\ntext = "exp(f32[8])"\nthreads = [1, 2]\n[[spec]]\ntext = "exp(f32[9])"\n[[spec]]\ntext = "exp('
        ' f32[9] )"\n'
    )
    nine = "exp(f32[9]) -> f32[9]"
    assert goals(str(path), 4) == [Goal("exp(f32[8]) -> f32[8]", 1), Goal("exp(f32[8]) -> f32[8]", 2), Goal(nine, 4)]


@pytest.mark.parametrize(
    "text, part",
    [
        ("", "expected Specs in"),
        ("[[spec]", "expected TOML, found"),
        ("\xff", "expected TOML, found"),
        ("spec = 3", "expected Specs in"),
        ("[[spec]]\nname = 'x'", "[[spec]] 1 of"),
        (
            "[[spec]]\ntext = 'exp(f32[8])'\nthreads = [0]",
            "expected threads as a list of integers from 1 to 1024, found [0]",
        ),
        ("[[spec]]\ntext = 'exp(f32[8])'\n[[spec]]\ntext = 'exp(q8[8])'", "([[spec]] 2 of"),
        ("#" * (1 << 20) + "\n", "at most 1048576 bytes"),
    ],
)
def test_a_wrong_list_is_told(tmp_path, text, part):
    path = tmp_path / "specs.toml"
    path.write_bytes(text.encode("latin1"))
    with pytest.raises(SpecError) as error:
        goals(str(path))
    assert part in str(error.value)


def test_a_missing_list_names_the_presets():
    with pytest.raises(SpecError, match="a preset .small, matmul-2048.*no-such.toml"):
        goals("no-such.toml")


# In this process -----------------------------------------------------------------------------


def test_it_goes_on_where_it_stopped(tmp_path):
    path, wanted = tmp_path / "t.griotte", of("exp(f32[33])", "matmul(f32[9,8], f32[8,17])")
    first = next(fill(wanted, into(path)))
    assert first.specs_solved > 0 and not first.skipped
    again = list(fill(wanted, into(path)))
    assert [r.skipped for r in again] == [True, False] and again[1].specs_solved > 0
    assert all(r.skipped for r in fill(wanted, into(path)))


def test_a_killed_run_is_taken_up(tmp_path, undisturbed):
    path, specs = tmp_path / "t.griotte", tmp_path / "specs.toml"
    specs.write_text("".join(f'[[spec]]\ntext = "{spec}"\n' for spec in APART))
    make_empty(path)
    code = "from griotte.tools.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "table", "precompute", str(path), str(specs), "--target", "portable"],
        stdout=subprocess.DEVNULL,
    ) as process:
        deadline = time.monotonic() + 30
        while families_of(path, "f32") < 5 and time.monotonic() < deadline:
            time.sleep(0.005)
        process.kill()
    there = digests(path)
    assert 0 < len(there) < len(undisturbed) and there <= undisturbed
    assert sum(r.specs_known for r in fill(of(*APART), into(path))) > 0
    assert digests(path) == undisturbed and check(path).problems == []


def test_what_is_precomputed_is_a_lookup(tmp_path):
    path = tmp_path / "t.griotte"
    list(fill([Goal("matmul(f32[24,16], f32[16,24]) -> f32[24,24]", threads) for threads in (1, 2)], into(path)))
    for threads in (1, 2):
        assert (
            gt.synthesize("matmul(f32[24,16], f32[16,24])", "portable", threads, table=str(path)).stats["families"] == 0
        )


def test_a_goal_is_solved_for_each_number_of_threads(tmp_path):
    path, spec = tmp_path / "t.griotte", "matmul(f32[24,16], f32[16,24]) -> f32[24,24]"
    first, other, again = fill([Goal(spec, threads) for threads in (1, 2, 1)], into(path))
    assert not first.skipped and not other.skipped and again.skipped
    with reading(path) as contents:
        assert sorted((text, threads) for _, text, threads in contents.goals()) == [(spec, 1), (spec, 2)]


def test_a_bound_on_memory_changes_no_row(tmp_path, undisturbed):
    path = tmp_path / "t.griotte"
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10  # the process of the tests before has some by now
    list(fill(of(*APART), into(path, memory=f"{held + 2048}MiB")))
    assert digests(path) == undisturbed


def test_a_goal_answered_by_a_larger_one_is_still_solved_whole(tmp_path):
    """A lookup finds one program; precompute wants all that the goal's ladders hold."""
    path = tmp_path / "t.griotte"
    list(fill(of("exp(f32[96])"), into(path)))
    (report,) = fill(of("exp(f32[48])"), into(path))
    assert report.specs_known > 0 and not report.skipped


def test_a_goal_without_a_program_stops_no_other(tmp_path):
    machine = tmp_path / "machine.toml"
    machine.write_text('name = "maps"\nbase = "portable"\nkernels = ["map", "pack"]\n[[levels]]\nname = "memory"\n')
    reports = list(
        fill(of("matmul(f32[9,8], f32[8,17])", "exp(f32[33])"), into(tmp_path / "t.griotte", target=str(machine)))
    )
    assert "expected a program" in reports[0].error and reports[1].error is None


def test_a_file_that_is_no_table_is_refused_first(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("to do")
    with pytest.raises(TableError, match="another kind of file"):
        next(fill(of("exp(f32[8])"), into(path), workers=2))


def test_without_dask(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    wanted = of("exp(f32[33])")
    with pytest.raises(ToolchainError, match=r"expected Dask for more than one worker.*griotte\[scale\]"):
        next(fill(wanted, into(tmp_path / "t.griotte"), workers=2))
    assert next(fill(wanted, into(tmp_path / "t.griotte"))).error is None


def test_no_scheduler_at_an_address(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_S", 0.2)
    with pytest.raises(ToolchainError, match="expected a Dask scheduler at tcp://127.0.0.1:1, found none"):
        next(fill(of("exp(f32[33])"), into(tmp_path / "t.griotte"), scheduler="tcp://127.0.0.1:1"))


# Away -------------------------------------------------------------------------------------


def test_a_worker_without_the_file_sends_its_own(tmp_path):
    path, (goal,) = tmp_path / "t.griotte", of("exp(f32[33])")
    path.touch()
    _, data = solve_away(solve, goal, into(path), ("elsewhere", *token(str(path))[1:]))
    assert path.stat().st_size == 0
    (tmp_path / "back.griotte").write_bytes(data)
    assert merge(path, [tmp_path / "back.griotte"]).added == len(digests(tmp_path / "back.griotte")) > 0
    assert next(fill([goal], into(path))).skipped


# On a real cluster ------------------------------------------------------------------------


def local(workers):
    return LocalCluster(
        n_workers=workers, threads_per_worker=1, memory_limit=0, dashboard_address=None, silence_logs=50
    )


def make_empty(path):
    assert list(fill([], into(path))) == [] and digests(path) == set()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("undisturbed") / "t.griotte"
    list(fill(of(*APART), into(path)))
    return digests(path)


def families_of(path, dtype):
    with reading(path) as contents:
        return sum(f"({dtype}@" in text for _, _, _, text in contents.families())


def kill_once_busy(client, path, enough, told):
    """Kill a worker at work, as soon as the table has so many families of each goal."""
    pids = client.run(os.getpid)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        busy = [worker for worker, tasks in client.processing().items() if tasks]
        there = [families_of(path, dtype) for dtype in ("f32", "f64")]
        if busy and min(there) >= enough:
            os.kill(pids[busy[0]], signal.SIGKILL)
            told.append(sum(there))
            return
        time.sleep(0.005)


@pytest.mark.long
def test_a_killed_worker_costs_no_result(tmp_path, undisturbed, monkeypatch):
    path, told, merge, sent = tmp_path / "t.griotte", [], cluster._merge, []
    monkeypatch.setattr(cluster, "_merge", lambda path, data: (sent.append(data), merge(path, data)))
    with local(2) as machines, Client(machines) as client:
        make_empty(path)
        killer = threading.Thread(target=kill_once_busy, args=(client, path, 5, told))
        killer.start()
        reports = list(on_cluster(client, of(*APART), into(path), 1))
        killer.join()
        assert told and told[0] < len(undisturbed), "killed too late"
        assert len(reports) == 2 and all(r.error is None for r in reports) and not sent
        assert any(r.specs_known for r in reports), "the second worker began from nothing"
        assert digests(path) == undisturbed and check(path).problems == []

        monkeypatch.setattr(cluster, "token", lambda path: ("elsewhere", 0, 0))  # the same cluster, as if elsewhere
        reports = list(fill(of(*APART), into(tmp_path / "away.griotte"), scheduler=machines.scheduler_address))
        assert len(reports) == len(sent) == 2 and digests(tmp_path / "away.griotte") == undisturbed


def test_a_goal_that_kills_every_worker_is_told(tmp_path):
    path, told = tmp_path / "t.griotte", []
    make_empty(path)
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        local(1) as machines,
        Client(machines) as client,
    ):
        killer = threading.Thread(target=kill_once_busy, args=(client, path, 0, told))
        killer.start()
        (report,) = on_cluster(client, of(APART[0]), into(path), 1)
        killer.join()
    assert told and "expected workers to live while they solve matmul(f32[64,48]" in report.error
