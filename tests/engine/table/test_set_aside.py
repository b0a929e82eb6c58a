"""A damaged table file: it gets another name, all is solved again, and a new file takes its place."""

import multiprocessing
import os
import sqlite3
import warnings
from contextlib import closing

import griotte as gt
import pytest
from griotte.engine.table.file import File, opened
from griotte.engine.table.whole_files import check
from griotte.support.errors import TableWarning
from tables import SPECS, change, made

SPEC = SPECS[0]
PAGE = 4096


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = made(tmp_path_factory.mktemp("table") / "t.griotte")
    change(path, "PRAGMA journal_mode = WAL")  # as every open table is
    return path.read_bytes()


@pytest.fixture(scope="module")
def alone():
    return gt.synthesize(SPEC, "portable", table="none")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "t.griotte"


def ask(path):
    """(program, what was told)"""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        program = gt.synthesize(SPEC, "portable", table=path)
    return program, [str(w.message) for w in found if issubclass(w.category, TableWarning)]


def header(data):
    data[:16] = b"x" * 16


def schema(data):
    data[100:PAGE] = b"\x55" * (PAGE - 100)


def schema_that_is_no_text(data):
    """SQLite's message quotes it."""
    at = data.index(b"CREATE TABLE context")
    data[at : at + 6] = b"\xc5\xc5\xc5\xc5\xc5\xc5"


def all_but_the_first_page(data):
    data[PAGE:] = b"\xff" * (len(data) - PAGE)


def cut_short(data):
    del data[len(data) // 2 :]


HARMS = header, schema, schema_that_is_no_text, all_but_the_first_page, cut_short


def harmed(path, whole, harm=header) -> bytes:
    data = bytearray(whole)
    harm(data)
    path.write_bytes(data)
    return bytes(data)


@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_file_is_set_aside_and_a_new_one_serves(path, whole, alone, harm):
    data = harmed(path, whole, harm)
    program, told = ask(path)
    kept = path.with_name("t.griotte.damaged")
    assert str(program) == str(alone) and program.cost == alone.cost
    (line,) = told
    assert line.startswith(f"expected a whole table, found a damaged one: {path} (") and f"set aside as {kept}" in line
    assert kept.read_bytes() == data
    for _ in range(2):  # damage that is met half-way costs what that search would have kept
        program, told = ask(path)
        assert str(program) == str(alone) and told == []
    assert program.stats["specs_solved"] == 0 and check(path).problems == []


def test_the_last_damaged_file_is_kept(path, whole):
    harmed(path, whole)
    ask(path)
    opened(path).close()
    data = harmed(path, whole, schema)
    assert len(ask(path)[1]) == 1 and path.with_name("t.griotte.damaged").read_bytes() == data


def test_a_link_to_a_damaged_file_stays_a_link(path, whole, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    there = tmp_path / "elsewhere" / "t.griotte"
    data = harmed(there, whole)
    path.symlink_to(there)
    ask(path)
    assert path.is_symlink() and there.with_name("t.griotte.damaged").read_bytes() == data
    assert ask(path)[0].stats["specs_solved"] == 0


def test_a_damaged_file_that_cannot_be_renamed_is_left_out(path, whole, alone, monkeypatch):
    data = harmed(path, whole)

    def refuse(*names):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("griotte.engine.table.file.os.replace", refuse)
    for _ in range(2):
        program, told = ask(path)
        assert str(program) == str(alone) and path.read_bytes() == data
        assert len(told) == 1 and "left out" in told[0] and "cannot be renamed (Permission denied)" in told[0]


def test_what_fails_for_other_reasons_than_damage_is_not_set_aside(path, whole, recwarn):
    path.write_bytes(whole)
    file = File(path)
    failed = sqlite3.OperationalError("disk I/O error")
    failed.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
    file._give_up(failed)
    assert "expected to read the table" in str(recwarn.pop(TableWarning).message) and path.read_bytes() == whole
    assert not path.with_name("t.griotte.damaged").exists()


@pytest.mark.parametrize("code, message", [(sqlite3.SQLITE_FULL, "disk is full"), (sqlite3.SQLITE_BUSY, "is locked")])
def test_a_file_without_room_or_in_use_is_no_damaged_one_and_is_opened_once(path, whole, monkeypatch, code, message):
    """Who is waited for is not waited for twice."""
    path.write_bytes(whole)
    tries = []

    def fail(path, tell):
        tries.append(path)
        error = sqlite3.OperationalError(message)
        error.sqlite_errorcode = code
        raise error

    monkeypatch.setattr("griotte.engine.table.file.connect", fail)
    with pytest.warns(TableWarning, match=f"found: {message}; what is solved now is not kept"):
        File(path)
    assert tries == [path] and path.read_bytes() == whole


def malformed():
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def test_who_finds_damage_later_leaves_the_new_file_alone(path, whole, recwarn):
    path.write_bytes(whole)
    early, late = File(path), File(path)
    early._give_up(malformed())
    gt.synthesize(SPEC, "portable", table=path)
    late._give_up(malformed())
    assert path.with_name("t.griotte.damaged").read_bytes() == whole
    assert not late.current() and check(path).problems == []
    assert gt.synthesize(SPEC, "portable", table=path).stats["specs_solved"] == 0


def test_who_has_the_file_open_keeps_its_log_and_leaves_the_new_one(path, whole, recwarn):
    path.write_bytes(whole)
    early, late = File(path), File(path)
    write = lambda name: lambda db: db.execute("INSERT INTO context (target, space, name) VALUES ('t', ?, ?)", name)
    late.write(write(("s", "before")))
    early._give_up(malformed())
    gt.synthesize(SPEC, "portable", table=path)
    late.write(write(("s2", "after")))
    assert late.rows("SELECT name FROM context WHERE target = 't'") == [("before",), ("after",)]
    assert path.with_name("t.griotte.damaged-wal").stat().st_size > 0
    late.close()
    assert check(path).problems == [] and opened(path).rows("SELECT name FROM context") == [("portable",)]


def search(path, ready, found):
    ready.wait()
    program, told = ask(path)
    found.put((str(program), len(told)))


@pytest.mark.parametrize("harm", [header, all_but_the_first_page])
def test_processes_that_find_damage_at_once_set_the_file_aside_once(path, whole, alone, harm):
    """Each is right; the damaged file is the one that was, and the new one is whole and is what the next will ask."""
    fork = multiprocessing.get_context("fork")
    for _ in range(2):
        data = harmed(path, whole, harm)
        ready, found = fork.Barrier(3), fork.Queue()
        searches = [fork.Process(target=search, args=(path, ready, found)) for _ in range(3)]
        for process in searches:
            process.start()
        answers = [found.get(timeout=100) for _ in searches]
        for process in searches:
            process.join()
        assert {program for program, _ in answers} == {str(alone)} and sum(told for _, told in answers) >= 1
        assert path.with_name("t.griotte.damaged").read_bytes() == data
        with closing(sqlite3.connect(path)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert ask(path)[1] == [] and ask(path)[0].stats["specs_solved"] == 0
        opened(path).close()
        for file in path.parent.glob("t.griotte*"):
            os.unlink(file)
