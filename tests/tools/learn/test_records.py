"""Records are kept whole, merged, and made samples of; what is damaged or foreign is told in a line."""

import json
import sqlite3
from dataclasses import replace

import numpy as np
import pytest
from griotte.compiler.session import Session
from griotte.engine.learned.features import features
from griotte.lang.text.text import parse
from griotte.machine import described, resolve
from griotte.support.errors import TableError
from griotte.tools.learn import records as module
from griotte.tools.learn.drafts import Drafting
from griotte.tools.learn.records import Records, Timed, TimedGoal

PORTABLE = resolve("portable")
TEXT = "exp(f32[12,30]) -> f32[12,30]"


@pytest.fixture(scope="module")
def goal():
    drafts = Drafting(parse(TEXT), Session(PORTABLE), most=4).drafts()
    rows = features([draft.root for draft in drafts], PORTABLE, 1)
    programs = tuple(
        Timed(draft.decisions, draft.source, row, draft.root.cost, 1.0 + n, 2.0 + n, np.nan if n else 3.0, np.nan, 0.01)
        for n, (draft, row) in enumerate(zip(drafts, rows))
    )
    return TimedGoal(TEXT, "exp", 1, described.text(PORTABLE), "a CPU", "gcc 12", 0.5, 1e9, 2.0, programs)


def test_what_is_kept_is_read_back(tmp_path, goal):
    with Records(tmp_path / "r.gtr") as records:
        assert goal.key not in records
        assert records.add(goal) and not records.add(goal)
        assert goal.key in records and (records.goals, len(records)) == (1, 4)
    with Records(tmp_path / "r.gtr", writable=False) as records:
        (again,) = records.read()
        assert replace(again, programs=()) == replace(goal, programs=())
        for mine, its in zip(goal.programs, again.programs):
            assert np.array_equal(mine.features, its.features)
            assert (mine.decisions, mine.price, mine.warm, mine.source) == (
                its.decisions,
                its.price,
                its.warm,
                its.source,
            )
        samples = records.samples()
        assert list(samples.warm) == [1, 2, 3, 4] and np.isnan(samples.cold).tolist() == [False, True, True, True]
        assert samples.groups[0].target == "portable" and samples.groups[0].machine == "a CPU, gcc 12"


def test_an_empty_file_has_no_samples(tmp_path):
    with Records(tmp_path / "r.gtr") as records:
        assert len(records.samples()) == 0 and records.samples().groups == ()


def test_features_of_another_version_are_made_anew(tmp_path, goal):
    old = replace(goal, programs=tuple(replace(p, version=0, features=np.zeros(3)) for p in goal.programs))
    with Records(tmp_path / "r.gtr") as records:
        records.add(old)
        assert np.array_equal(records.samples().features, np.array([p.features for p in goal.programs]))
        assert records.samples(0).features.shape == (4, 3)
        with pytest.raises(TableError, match="expected features of version"):
            records.samples(7)


def test_a_price_that_is_not_the_programs_is_told(tmp_path, goal):
    programs = tuple(replace(p, version=0, price=2 * p.price) for p in goal.programs)
    with Records(tmp_path / "r.gtr") as records:
        records.add(replace(goal, programs=programs))
        with pytest.raises(TableError, match="a program of .* cycles that has"):
            records.samples()


def test_files_merge(tmp_path, goal):
    other = replace(goal, machine="another CPU")
    for name, kept in (("a.gtr", [goal]), ("b.gtr", [goal, other])):
        with Records(tmp_path / name) as records:
            for each in kept:
                records.add(each)
    with Records(tmp_path / "a.gtr") as records:
        assert records.merge([tmp_path / "b.gtr"]) == 1
        assert records.merge([tmp_path / "b.gtr"]) == 0
        assert [each.machine for each in records.read()] == ["a CPU", "another CPU"]


def test_a_goal_that_fails_half_way_leaves_nothing(tmp_path, goal):
    broken = replace(goal, programs=(*goal.programs, replace(goal.programs[0], price=None)))
    with Records(tmp_path / "r.gtr") as records:
        with pytest.raises(TableError):
            records.add(broken)
        assert records.goals == 0 and records.add(goal)


def fill(path, content):
    path.write_bytes(content)


def with_sql(path, goal, sql):
    with Records(path) as records:
        records.add(goal)
    db = sqlite3.connect(path)
    db.executescript(sql)
    db.close()


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\x00" + b"\xff" * 4096])
def test_a_file_of_something_else_is_refused(tmp_path, content):
    path = tmp_path / "r.gtr"
    path.write_bytes(content)
    with pytest.raises(TableError, match="expected a file of records") as told:
        Records(path)
    assert "\n" not in str(told.value) and path.read_bytes() == content


def test_another_database_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "r.gtr"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE mine (x)")
    db.commit()
    db.close()
    with pytest.raises(TableError, match="another database"):
        Records(path)
    with pytest.raises(TableError, match="no such file"):
        Records(tmp_path / "none.gtr", writable=False)


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TRIGGER t AFTER INSERT ON goal BEGIN DELETE FROM program; END",
        "CREATE VIEW v AS SELECT * FROM goal",
        "PRAGMA user_version = 9",
    ],
)
def test_other_tables_are_refused(tmp_path, goal, sql):
    with_sql(tmp_path / "r.gtr", goal, sql)
    with pytest.raises(TableError, match="expected a file of records"):
        Records(tmp_path / "r.gtr")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE program SET features = x'00'",
        "UPDATE program SET features = zeroblob(8)",
        "UPDATE program SET warm = -1",
        "UPDATE program SET price = 'much'",
        "UPDATE program SET spread = 9e999",
        "UPDATE program SET decisions = x'00'",
        "UPDATE goal SET threads = 0",
        "UPDATE goal SET spec = x'ff'",
        "UPDATE target SET text = 'name = 3'",
        "UPDATE program SET version = 0, decisions = '[]'",
        "UPDATE program SET version = 0; UPDATE goal SET spec = 'exp('",
        "UPDATE program SET version = 0; UPDATE goal SET spec = 'exp(f32[12,31])'",
    ],
)
def test_rows_that_say_something_else_are_told_in_a_line(tmp_path, goal, sql):
    with_sql(tmp_path / "r.gtr", goal, sql)
    with pytest.raises(TableError, match="expected") as told, Records(tmp_path / "r.gtr") as records:
        records.samples()
    assert "\n" not in str(told.value)


def test_targets_are_read_back_equal():
    assert module.target_of(described.text(PORTABLE)) == PORTABLE
    assert json.loads(json.dumps(described.text(PORTABLE)))
