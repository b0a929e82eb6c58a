"""Claims: one process at a time for each key, however many threads ask."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import griotte as gt
import pytest
from griotte.engine.search.solve import Solver
from griotte.engine.table import claims as module
from griotte.engine.table.claims import Claims
from griotte.engine.table.file import File
from griotte.support.errors import TableWarning

KEY = "0123456789abcdef"


def granted(table, keys, found):
    claims = Claims(table)
    with ThreadPoolExecutor(len(keys)) as pool:
        found.put(list(pool.map(lambda key: _ask(claims, key), keys)))


def _ask(claims, key):
    with claims.claim(key, wait=False) as is_granted:
        return is_granted


def in_another_process(table, keys):
    context = multiprocessing.get_context("fork")
    found = context.Queue()
    process = context.Process(target=granted, args=(table, keys, found))
    process.start()
    answer = found.get(timeout=60)
    process.join()
    return answer


def test_a_claim_holds_against_other_processes_until_it_ends(tmp_path):
    claims = Claims(tmp_path / "t.griotte")
    with claims.claim(KEY, wait=False) as is_granted:
        assert is_granted
        assert in_another_process(tmp_path / "t.griotte", [KEY, "f" * 16]) == [False, True]
    assert in_another_process(tmp_path / "t.griotte", [KEY]) == [True]


def test_others_may_read_the_file_as_far_as_the_umask_lets_them(tmp_path):
    """As any file that is made by opening it."""
    (tmp_path / "made").touch(mode=0o644)
    with Claims(tmp_path / "t.griotte").claim(KEY, wait=False):
        assert (tmp_path / "t.griotte-claims").stat().st_mode == (tmp_path / "made").stat().st_mode


def test_no_thread_goes_on_without_a_claim_while_another_opens_the_file(tmp_path, monkeypatch):
    """The first claims of a process come from several threads at once, and opening a file takes its time."""
    opening = os.open
    with Claims(tmp_path / "t.griotte").claim(KEY, wait=False):
        monkeypatch.setattr(os, "open", lambda *a, **k: (time.sleep(0.1), opening(*a, **k))[1])
        assert in_another_process(tmp_path / "t.griotte", [KEY] * 4) == [False] * 4


def test_where_the_folder_cannot_hold_the_file_every_claim_succeeds(tmp_path):
    with Claims(tmp_path / "missing" / "t.griotte").claim(KEY, wait=False) as is_granted:
        assert is_granted


def test_where_there_are_no_locks_every_claim_succeeds(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "fcntl", None)
    for claims in (Claims(tmp_path / "t.griotte"), Claims(tmp_path / "t.griotte")):
        with claims.claim(KEY, wait=False) as is_granted:
            assert is_granted


# A process that holds a claim and goes on no more -----------------------------------------------


def hold(act, held):
    act(lambda: (held.set(), time.sleep(600)))


@contextmanager
def holding(act):
    """The id of a process that has something for itself, `act` around what it is given, and is stopped."""
    context = multiprocessing.get_context("fork")
    held = context.Event()
    process = context.Process(target=hold, args=(act, held))
    process.start()
    try:
        assert held.wait(60)
        os.kill(process.pid, signal.SIGSTOP)
        yield process.pid
    finally:
        process.kill()
        process.join()


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(module, "TELL_S", 0.2)
    monkeypatch.setattr(module, "BOUND_S", 0.5)
    monkeypatch.setattr(module, "_passed", set())


def test_who_holds_a_claim_is_told_and_waited_for_no_longer_than_the_bound(tmp_path, impatient):
    path, told = tmp_path / "t.griotte", []
    claims = Claims(path, told.append)

    def claiming(then):
        with Claims(path).claim(KEY, wait=True):
            then()

    with holding(claiming) as pid:
        for _ in range(2):
            with claims.claim(KEY, wait=True) as is_granted:
                assert is_granted
        assert module._passed == {pid}
        with claims.claim(KEY, wait=False) as is_granted:
            assert not is_granted
        with claims.claim(KEY, wait=True, stopped=lambda: True) as is_granted:
            assert not is_granted
    (line,) = told
    assert f"found process {pid} at it, in the table {path}; " in line
    with claims.claim(KEY, wait=True) as is_granted:
        assert is_granted
    with holding(claiming) as other:  # one that lets go is waited for again
        os.kill(other, signal.SIGKILL)
        with claims.claim(KEY, wait=True):
            assert module._passed == {pid}


def searching(path, then):
    """Search until the first family is claimed."""
    solve = Solver._solve_family
    Solver._solve_family = lambda *words: (then(), solve(*words))[1]
    gt.synthesize("exp(f32[33])", "portable", table=path)


def test_a_search_goes_on_beside_a_process_that_was_stopped_in_its_own(tmp_path, impatient):
    path, text = tmp_path / "t.griotte", "exp(f32[33])"

    with (
        holding(partial(searching, path)) as pid,
        pytest.warns(TableWarning, match=f"found process {pid} at it") as caught,
    ):
        assert gt.synthesize(text, "portable", table=path).stats["specs_solved"] > 0
        assert gt.synthesize(text, "portable", table=path).stats["specs_solved"] == 0
    assert len(caught) == 1


def test_a_process_that_was_stopped_as_it_wrote_holds_up_nobody(tmp_path, impatient, recwarn):
    path = tmp_path / "t.griotte"
    write = lambda db: db.execute("INSERT INTO context (target, space, name) VALUES ('t', 's', 'n')")
    File(path).close()

    def writing(then):
        File(path).write(lambda db: (write(db), then()))

    with holding(writing) as pid:
        file = File(path)
        file.write(write)
        assert file.rows("SELECT * FROM context") == []
        first, second = (str(w.message) for w in recwarn if w.category is TableWarning)
        assert f"free to use within 0 s, found process {pid} at it" in first and "database is locked" in second
    file = File(path)
    file.write(write)
    assert len(file.rows("SELECT * FROM context")) == 1


def test_an_interrupt_ends_a_wait_at_once(tmp_path):
    """Not of the thread that waits, but of the one that waits for it."""
    path = tmp_path / "t.griotte"
    code = (
        "import signal, sys, griotte as gt; from griotte.engine.table import claims; claims.TELL_S = 0;"
        "signal.signal(signal.SIGINT, signal.default_int_handler);"  # which a shell's background ignores
        "gt.synthesize('exp(f32[33])', 'portable', table=sys.argv[1])"
    )

    with (
        holding(partial(searching, path)),
        subprocess.Popen([sys.executable, "-c", code, str(path)], stderr=subprocess.PIPE, text=True) as waiting,
    ):
        assert "found process" in waiting.stderr.readline()
        waiting.send_signal(signal.SIGINT)
        assert waiting.wait(timeout=module.BOUND_S / 2) == -signal.SIGINT
        assert "KeyboardInterrupt" in waiting.stderr.read()
