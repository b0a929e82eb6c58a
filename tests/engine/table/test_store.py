"""The table as a file: what is kept, what is believed, and what happens when the file or the disk is bad."""

import ctypes
import errno
import os
import resource
import sqlite3
import subprocess
import sys
import textwrap
import warnings
from contextlib import closing
from functools import cache

import griotte as gt
import numpy as np
import pytest
from griotte.engine.table import Table, database
from griotte.engine.table.contents import reading
from griotte.engine.table.file import TableWarning, opened
from griotte.engine.table.store import Store
from griotte.support.errors import TableError
from machines import machine
from tables import Family, patch

SPEC = "matmul(f32[9,7], f32[7,20])"
TARGET = machine("avx2")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "t.griotte"


@pytest.fixture
def store(path):
    return Store(path, TARGET)


def told(recwarn) -> list[str]:
    """What was told since this was last asked."""
    found = [str(w.message) for w in recwarn if issubclass(w.category, TableWarning)]
    recwarn.clear()
    return found


def decisions(store, key="a1" * 16):
    return [p.boxes.dense().tolist() for p in store.load(key)]


KEY = "a1" * 16


def test_what_is_kept_is_there_for_the_next_who_opens(path, store):
    store.keep((KEY, Family, patch([1, 2, 3])))
    store.file.close()
    assert decisions(Store(path, TARGET)) == [[1, 2, 3]]


def test_a_file_that_is_closed_is_let_go_of_whoever_still_holds_its_connection(path, store):
    held = []
    store.file.write(held.append)
    assert store.file.log_bytes > 0
    store.file.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        held[0].execute("SELECT 1")
    assert not os.path.exists(f"{path}-wal") and store.file.rows("SELECT 1") == []


def test_another_target_or_key_sees_nothing_of_it(path, store):
    store.keep((KEY, Family, patch([1, 2, 3])))
    assert not decisions(store, "b2" * 16)
    assert not decisions(Store(path, machine("avx512")))


def test_a_covering_patch_takes_the_place_of_what_it_covers(store):
    store.keep((KEY, Family, patch([1, 2], (1, 2))))
    store.keep((KEY, Family, patch([4, 5], (3, 5))))
    store.keep((KEY, Family, patch([1, 2, 3], (1, 2, 4))))
    assert decisions(store) == [[1, 2, 3], [4, 5]]


def test_choices_are_kept(path, store):
    assert store.choice("c") is None
    store.choose("c", "[1]")
    store.choose("c", "[2]")
    assert Store(path, TARGET).choice("c") == "[2]"


def test_a_goal_is_remembered_for_its_number_of_threads(path, store):
    store.remember("exp(f32[8]) -> f32[8]", 2)
    again = Store(path, TARGET)
    assert [again.remembers("exp(f32[8]) -> f32[8]", threads) for threads in (1, 2, 4)] == [False, True, False]
    assert not again.remembers("exp(f32[9]) -> f32[9]", 2)
    assert not Store(path, machine("avx512")).remembers("exp(f32[8]) -> f32[8]", 2)


def test_one_connection_serves_all_who_name_the_file(path):
    assert opened(path) is opened(str(path)) is Store(path, TARGET).file


def test_a_file_that_was_replaced_is_opened_anew(path, store):
    store.keep((KEY, Family, patch([1, 2, 3])))
    for name in (path, f"{path}-wal", f"{path}-shm"):
        os.unlink(name)
    assert decisions(Store(path, TARGET)) == []


# ---- damage ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("column", ["data", "digest", "key"])
def test_a_changed_row_is_told_dropped_and_never_answers(path, store, column, recwarn):
    store.keep((KEY, Family, patch([1, 2, 3])))
    store.keep(("b2" * 16, Family, patch([4, 5, 6])))
    change = {
        "data": "data = CAST(substr(data, 1, length(data) - 2) || x'0000' AS BLOB)",
        "digest": "digest = 'x'",
        "key": "key = 'c3'",
    }[column]
    store.file.write(lambda db: db.execute(f"UPDATE patch SET {change} WHERE id = 1"))
    key = "c3" if column == "key" else KEY
    assert decisions(store, key) == [] and decisions(store, "b2" * 16) == [[4, 5, 6]]
    assert [m for m in told(recwarn) if "expected whole rows in the table" in m and "solved again" in m]
    assert len(store.file.rows("SELECT id FROM patch")) == 1


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """(bytes of a table with a solved problem, the program)."""
    path = tmp_path_factory.mktemp("solved") / "t.griotte"
    program = gt.synthesize(SPEC, TARGET, table=path)
    opened(path).close()
    return path.read_bytes(), program


def again(path, data) -> gt.Program:
    path.write_bytes(data)
    try:
        return gt.synthesize(SPEC, TARGET, table=path)
    finally:
        opened(path).close()


def test_asking_again_is_a_lookup_of_the_same_program(path, solved):
    data, program = solved
    found = again(path, data)
    assert found.stats["specs_solved"] == 0 < program.stats["specs_solved"]
    assert str(found) == str(program) and found.cost == program.cost


def test_after_a_search_all_is_in_the_file_and_its_log_is_empty(path, solved):
    program = gt.synthesize(SPEC, TARGET, table=path)
    log = path.with_name(path.name + "-wal")
    assert not log.exists() or log.stat().st_size == 0
    assert program.stats["table_bytes"] >= path.stat().st_size > 10_000


@pytest.mark.parametrize("part", [0.0, 0.001, 0.1, 0.5, 0.9, 0.999])
def test_a_file_cut_short_answers_nothing_wrong(path, solved, part):
    data, program = solved
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        cut = data[: int(part * len(data))]
        assert str(again(path, cut)) == str(program)
    unread = not cut or part == 0.999  # of an empty file there is nothing to say; nor of a page that no one asked for
    assert unread or any("damaged" in str(w.message) and "solved again" in str(w.message) for w in found)


@pytest.mark.parametrize("seed", range(40))
def test_flipped_bits_answer_nothing_wrong(path, solved, seed):
    data, program = solved
    rng = np.random.default_rng(seed)
    flipped = np.frombuffer(data, np.uint8).copy()
    for _ in range(1 + seed % 5 * 20):
        flipped[rng.integers(0, len(flipped) if seed % 2 else 4096)] ^= 1 << rng.integers(0, 8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            assert str(again(path, flipped.tobytes())) == str(program)
        except TableError as error:  # its head says it is another kind of file, or of a later version
            assert "expected a" in str(error)


@pytest.mark.parametrize("seed", range(10))
def test_pages_overwritten_with_noise_answer_nothing_wrong(path, solved, seed):
    data, program = solved
    rng = np.random.default_rng(seed)
    page = 4096 * int(rng.integers(1, len(data) // 4096))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert str(again(path, data[:page] + rng.bytes(4096) + data[page + 4096 :])) == str(program)


# ---- files of other kinds --------------------------------------------------------------------------------------------


def test_a_text_file_is_refused_and_left_alone(path):
    path.write_text("notes " * 50)
    with pytest.raises(
        TableError, match="expected a griotte table, found another kind of file: .*; name a table or a new file"
    ):
        gt.synthesize(SPEC, TARGET, table=path)
    assert path.read_text() == "notes " * 50


def test_another_database_is_refused_and_left_alone(path):
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE mail (text)")
    before = path.read_bytes()
    with pytest.raises(TableError, match="another kind of file"):
        gt.synthesize(SPEC, TARGET, table=path)
    assert path.read_bytes() == before


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(TableError, match="expected a table file, found a folder: .*; name a file in it"):
        gt.synthesize(SPEC, TARGET, table=tmp_path)


def test_a_place_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(
        TableError, match="expected a place for a table, found none at .*; name a file in a folder that can be written"
    ):
        gt.synthesize(SPEC, TARGET, table=tmp_path / "no" / "t.griotte")


def test_a_table_of_a_later_schema_is_refused(path, store):
    store.file.write(lambda db: db.execute("PRAGMA user_version = 99"))
    store.file.close()
    with pytest.raises(
        TableError, match="expected a table of schema 1 or before, found 99: a later griotte wrote .*t.griotte"
    ):
        Store(path, TARGET)


@pytest.mark.parametrize("table", [3, ("a",), True])
def test_what_is_no_path_is_refused(table):
    with pytest.raises(TableError, match="expected a path, None or 'none' as table, found"):
        gt.synthesize(SPEC, TARGET, table=table)


# ---- disks that are full, or may not be written ----------------------------------------------------------------------


def test_a_full_disk_costs_the_keeping_and_nothing_else(path, solved, recwarn):
    store = Store(path, TARGET)
    # no page beyond those it has: SQLite then finds the disk full
    warnings.simplefilter("always")
    for _ in range(2):
        store.file._db.execute("PRAGMA max_page_count = 1")
        assert str(gt.synthesize(SPEC, TARGET, table=path)) == str(solved[1])
        store = Store(path, TARGET)  # which tries anew
        store.choose("a", "small row that still finds room")
    lines = [line for line in told(recwarn) if line.startswith("expected to write the table")]
    assert len(lines) == 1 and "full" in lines[0] and "make room" in lines[0], lines
    assert [gt.synthesize(SPEC, TARGET, table=path).stats["specs_solved"] > 0 for _ in range(2)] == [True, False]
    store = Store(path, TARGET)
    store.file._db.execute("PRAGMA max_page_count = 1")
    gt.synthesize("sum(f32[40,50], axis=0)", TARGET, table=path)
    assert len(told(recwarn)) == 1, "full again, and not told"


def full(*_):
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise error


def test_a_table_that_cannot_be_made_for_want_of_room_is_made_once_there_is_some(path, solved, monkeypatch, recwarn):
    warnings.simplefilter("always")
    with monkeypatch.context() as patched:
        patched.setattr(database, "transaction", full)
        for _ in range(2):
            assert str(gt.synthesize(SPEC, TARGET, table=path)) == str(solved[1])
    (line,) = told(recwarn)
    assert line.startswith(f"expected to write the table {path}, found: database or disk is full; ")
    assert [gt.synthesize(SPEC, TARGET, table=path).stats["specs_solved"] > 0 for _ in range(2)] == [True, False]
    assert not told(recwarn) and not list(path.parent.glob("*.damaged"))


def test_where_a_folder_has_room_for_no_file_the_table_is_left_out(path, solved, monkeypatch, recwarn):
    def refuse(*_, **__):
        raise OSError(errno.EDQUOT, "Disk quota exceeded")

    monkeypatch.setattr(database, "_connect", full)
    monkeypatch.setattr(database.tempfile, "TemporaryFile", refuse)
    assert str(gt.synthesize(SPEC, TARGET, table=path)) == str(solved[1])
    assert len(told(recwarn)) == 1 and not path.exists()


def test_a_table_whose_making_was_stopped_by_a_full_disk_is_told_by_its_verbs(path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(database, "transaction", full)
        failing = pytest.raises(TableError, match="expected a table that can be read and written, found: .* is full")
        with failing, reading(path, new=True):
            pass
    with reading(path) as contents:
        assert contents.contexts() == []


def in_a_process(code: str, *words, before=None) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-W", "always", "-c", textwrap.dedent(code), *map(str, words)],
        capture_output=True,
        text=True,
        preexec_fn=before,
        timeout=120,
    )


ASK = """
    import sys, griotte as gt
    program = gt.synthesize(sys.argv[1], sys.argv[2], table=sys.argv[3])
    print(program.cost, program.stats["specs_solved"])
"""


@cache
def without_a_table() -> str:
    """What a process answers that keeps nothing."""
    return in_a_process(ASK, SPEC, "avx2", "none").stdout


@pytest.mark.parametrize("most", [1_000, 20_000, 100_000])
def test_a_file_that_may_not_grow_costs_the_keeping_and_nothing_else(path, most):
    """As on a full disk: the system refuses every byte of a file beyond so many, while the table is made or later."""
    wanted = without_a_table()
    found = in_a_process(ASK, SPEC, "avx2", path, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most,) * 2))
    assert found.stdout == wanted and "expected to write the table" in found.stderr, found.stderr
    assert gt.synthesize(SPEC, "avx2", table=path).cost == float(wanted.split()[0])
    assert gt.synthesize(SPEC, "avx2", table=path).stats["specs_solved"] == 0


def as_any_user() -> None:
    """In a new process: root loses the power to write where the permissions say no (CAP_DAC_OVERRIDE leaves the set
    that an exec may gain); another user never had it."""
    if os.getuid() == 0 and ctypes.CDLL(None).prctl(24, 1, 0, 0, 0):  # PR_CAPBSET_DROP
        os._exit(99)


@pytest.mark.parametrize("log", ["without", "with"])
def test_a_read_only_table_is_read(tmp_path, log):
    """With a log beside it, or without: then the folder has no index of the log, and cannot get one."""
    folder = tmp_path / "shared"
    folder.mkdir()
    path = folder / "t.griotte"
    gt.synthesize(SPEC, "avx2", table=path)
    if log == "without":
        opened(path).close()
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    try:
        found = in_a_process(ASK, SPEC, "avx2", path, before=as_any_user)
        assert found.returncode != 99, "expected a system where root can give up its powers"
        assert found.stdout.split()[1:] == ["0"] and not found.stderr, found.stderr
        other = in_a_process(ASK, "sum(f32[40,50], axis=0)", "avx2", path, before=as_any_user)
        assert int(other.stdout.split()[1]) > 0
        assert (
            other.stderr.count("expected to write the table /") == 1
            and "readonly" in other.stderr
            and "not kept" in other.stderr
        )
    finally:
        folder.chmod(0o755)
        opened(path).close()


def test_choices_of_many_sizes_are_written_together(tmp_path, monkeypatch):
    target = machine("two")
    store = Store(tmp_path / "t.griotte", target)
    table, written = Table(target, 1, {}, store), []
    choose_all = store.choose_all
    monkeypatch.setattr(store, "choose_all", lambda chosen: (written.append(dict(chosen)), choose_all(chosen)))
    table.choose("a", "1")
    with pytest.raises(ValueError, match="stopped"), table.together():
        table.choose("b", "2")
        table.choose("c", "3")
        table.choose("d", "4")
        table.unchoose("d")
        with table.together():
            table.choose("b", "5")
        assert table.choice("b") == "5" and store.choice("b") is None
        raise ValueError("stopped")
    table.choose("e", "6")
    assert written == [{"a": "1"}, {"b": "5", "c": "3"}, {"e": "6"}]
    again = Table(target, 1, {}, Store(tmp_path / "t.griotte", target))
    assert [again.choice(key) for key in "abcde"] == ["1", "5", "3", None, "6"]
