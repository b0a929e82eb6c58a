"""What is asked of a search, as one object."""

import pickle
from dataclasses import fields, replace

import griotte as gt
import pytest
from griotte.compiler.session import NOTHING, WORK, Session, session_of
from griotte.engine.table.store import CachedStore
from griotte.machine import named
from griotte.support.cpus import usable
from griotte.support.memory import LEAST

PORTABLE = named("portable")


def test_a_session_has_few_fields():
    assert len(fields(Session)) <= 10


def test_the_arguments_of_a_door_are_its_session():
    found = session_of(target="portable", threads=2, table="none", memory="1GiB", effort=3, tune=5, denormals="flush")
    assert (found.target, found.threads, found.effort, found.denormals) == (PORTABLE, 2, 3, "flush")
    assert found.tuning.runs == 5 and found.tuning.is_timed and found.store is None and found.costs.bounded
    plain = session_of(target="portable")
    assert plain.tuning == NOTHING and not plain.tuning.is_timed and not plain.costs.bounded
    assert plain.most == WORK[2] and found.most == WORK[3]


def test_what_is_opened_is_opened_once_and_not_pickled(tmp_path):
    session = Session(PORTABLE, table=tmp_path / "t.griotte", memory=2 * LEAST)
    assert session.store is session.store and session.costs is session.costs
    again = pickle.loads(pickle.dumps(session))
    assert again == session and not {"store", "costs"} & set(vars(again))
    assert replace(session, effort=3).store is not session.store


def test_the_table_that_is_not_named_is_that_of_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIOTTE_TABLE", str(tmp_path / "own.griotte"))
    gt.synthesize("exp(f32[8])", "portable")
    assert (tmp_path / "own.griotte").exists() and Session(PORTABLE, table="none").store is None
    monkeypatch.setenv("GRIOTTE_TABLE", "none")
    assert Session(PORTABLE).store is None
    monkeypatch.setenv("GRIOTTE_TABLE", "")
    assert isinstance(Session(PORTABLE).store, CachedStore)


def test_how_much_one_search_may_be_is_that_of_the_environment(monkeypatch):
    monkeypatch.setenv("GRIOTTE_WORK", "1e6")
    assert session_of(target="portable").most == 1e6 and session_of(target="portable", effort=1).most == WORK[1]
    text = "softmax(matmul(relu(matmul(f32[3,4], f32[4,5])), f32[5,4]), axis=-1)"
    assert gt.synthesize(text, "portable", table="none").is_partitioned


@pytest.mark.parametrize("name, ask", [("GRIOTTE_WORK", session_of), ("GRIOTTE_WORKERS", usable)])
@pytest.mark.parametrize("given", ["much", "0", "-1", "nan"])
def test_what_the_environment_says_is_checked(name, ask, given, monkeypatch):
    monkeypatch.setenv(name, given)
    with pytest.raises(gt.GriotteError, match=f"in {name}, found '{given}'; write"):
        ask()


def test_the_cpus_are_those_of_the_environment(monkeypatch):
    monkeypatch.setenv("GRIOTTE_WORKERS", "3")
    assert usable() == 3


@pytest.mark.parametrize("wrong", [{"threads": 0}, {"effort": 4}, {"denormals": "none"}], ids=str)
def test_what_no_search_is_of_is_refused(wrong):
    with pytest.raises(gt.SpecError, match="expected"):
        Session(PORTABLE, **wrong)
