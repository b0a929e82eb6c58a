"""Specs solved in processes of their own."""

from __future__ import annotations

import griotte as gt
import pytest
from griotte.compiler.programs import Program
from griotte.compiler.session import Session
from griotte.models import worker
from griotte.models.pool import Pool, grouped
from griotte.models.worker import Job, run
from griotte.runtime.leaves import resolved

JOBS = [Job(gt.parse(f"add(f32[{n}], f32[{n}])"), 1, 1) for n in (8, 9, 10)]


class Noted:
    """Hears which searches begin, and how far they are."""

    def __init__(self, began):
        self.began, self.far = began, {}

    def went_on(self, spec, progress):
        self.far.setdefault(spec, []).append(progress)


@pytest.mark.parametrize("workers", [1, 2])
def test_programs_are_those_of_one_process(workers: int):
    target = resolved("portable")
    with Pool(Session(target, 1, "none"), workers) as pool:
        found = dict(pool.solve(JOBS))
    for job in JOBS:
        answer = found[job]
        assert isinstance(answer, Program)
        assert str(answer) == str(gt.synthesize(job.spec, target, table="none"))
        assert answer._search is None, "a table is held, which may be larger than all programs"


def test_what_has_no_program_is_an_error_and_the_others_are_solved():
    wrong = Job(gt.parse("reshape(reshape(f32[2,3,4]) -> f32[24]) -> f32[4,2,3]"), 1, 1, as_one=True)
    with Pool(Session(resolved("portable"), 1, "none"), 2) as pool:
        answers = dict(pool.solve([wrong, *JOBS]))
    assert isinstance(answers[wrong], gt.NoProgramError)
    assert all(isinstance(answers[job], Program) for job in JOBS)


def test_workers_solve_into_one_table(tmp_path):
    path = tmp_path / "t.griotte"
    with Pool(Session(resolved("portable"), 1, str(path)), 2) as pool:
        first = dict(pool.solve(JOBS))
    with Pool(Session(resolved("portable"), 1, str(path)), 1) as pool:
        again = dict(pool.solve(JOBS))
    assert any(answer.stats["specs_solved"] for answer in first.values())
    assert not any(answer.stats["specs_solved"] for answer in again.values())


def test_a_search_that_does_not_fit_takes_what_it_takes(monkeypatch):
    """Where no bound is given there is one, which gives way; one that is given holds."""
    monkeypatch.setattr("griotte.models.worker.ROOM", 1 << 20)
    target = resolved("portable")
    assert isinstance(run(Session(target, 1, "none"), JOBS[0]), Program)
    assert "expected --memory of at least" in str(run(Session(target, 1, "none", "1MiB"), JOBS[0]))


def test_a_search_begins_once_its_process_has_started(monkeypatch):
    """Nothing is noted of a process that ends before; its Spec has an error, and another process goes on."""
    started, noted = Pool._started, []

    def lost(pool: Pool, number: int):
        process = started(pool, number)
        if not noted:
            noted.append(None)
            process.kill()
        return process

    monkeypatch.setattr(Pool, "_started", lost)
    monkeypatch.setattr("griotte.models.pool.PATIENCE_S", 0.0)
    with Pool(Session(resolved("portable"), 1, "none"), 2) as pool:
        answers = dict(pool.solve(JOBS, Noted(noted.append)))
    failed = [job for job, answer in answers.items() if not isinstance(answer, Program)]
    assert len(answers) == 3 and len(failed) == 1 and "the process which solved it ended" in str(answers[failed[0]])
    assert sorted(map(str, noted[1:])) == sorted(str(job.spec) for job in JOBS if job not in failed)


@pytest.mark.parametrize("patience", [0.0, 600.0])
def test_how_far_searches_are_is_told(patience, monkeypatch):
    monkeypatch.setattr("griotte.models.pool.PATIENCE_S", patience)
    noted = Noted(lambda spec: None)
    with Pool(Session(resolved("portable"), 1, "none"), 2) as pool:
        assert len(dict(pool.solve(JOBS, noted))) == len(JOBS)
    assert {*noted.far} == {job.spec for job in JOBS}
    for told in noted.far.values():
        assert told == sorted(told) and all(0 < done < known for done, known in told[:1])
        assert all(done <= known * (1 + 1e-9) for done, known in told)


def test_searches_that_take_less_than_a_process_starts_in_are_done_here(monkeypatch):
    """To the last of them: no process starts for it alone."""
    monkeypatch.setattr(Pool, "_started", lambda pool, number: pytest.fail("a process is started"))
    monkeypatch.setattr("griotte.models.pool.PATIENCE_S", 600.0)
    noted = []
    with Pool(Session(resolved("portable"), 1, "none"), 2) as pool:
        answers = dict(pool.solve(JOBS, Noted(noted.append)))
    assert noted == [job.spec for job in JOBS] and all(isinstance(each, Program) for each in answers.values())


def test_searches_that_differ_by_numbers_are_one_after_the_other(monkeypatch, tmp_path):
    """In one process: the table answers those after the first."""
    monkeypatch.setattr("griotte.models.pool.PATIENCE_S", 0.0)
    text = "mul(add(f32[{0},{0}], {1}), {2})"
    jobs = [Job(gt.parse(text.format(n, *numbers)), 2, 1) for numbers in ((7, 3), (9, 5), (11, 11)) for n in (8, 9)]
    assert [[jobs.index(job) for job in group] for group in grouped(jobs)] == [[0, 2], [1, 3], [4], [5]]
    target = resolved("portable")
    with Pool(Session(target, 1, str(tmp_path / "t.griotte")), 2) as pool:
        answers = dict(pool.solve(jobs))
    assert len(answers) == len(jobs)
    assert not any(answers[jobs[n]].stats["specs_solved"] for n in (2, 3))
    for job in jobs:
        assert str(answers[job]) == str(gt.synthesize(job.spec, target, table="none"))


@pytest.fixture
def own_cache(monkeypatch, tmp_path):
    """A session's table is the one of the user's cache, which is here."""
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GRIOTTE_SHIPPED", "none")
    monkeypatch.delenv("GRIOTTE_TABLE", raising=False)


@pytest.mark.parametrize(
    "text",
    (
        "matmul(f32[9,12]{0}, f32[12,10]{1})",
        "relu(add(matmul(f32[9,12]{0}, f32[12,10]{1}), f32[10]))",  # several calls
        "matmul(softmax(matmul(f32[2,9,12]{0}, f32[2,12,10]), axis=2), f32[2,10,4]{1})",
    ),
)
def test_what_stands_beside_a_job_is_solved_with_it(text, own_cache):
    """Once, by the same process: the table answers for it then."""
    rank = 3 if "[2," in text else 2
    turned = f"{{{','.join(map(str, (rank - 2, *range(rank - 2), rank - 1)))}}}"
    first, second, third = (
        gt.parse(text.replace("{0}", own).replace("{1}", other))
        for own, other in ((turned, ""), ("", turned), (turned, turned))
    )
    other = gt.parse("exp(f32[9,13])")
    jobs = [Job(first, 2, 1, beside=(second, third)), Job(other, 2, 1), Job(second, 2, 1, beside=(third,))]
    assert [[jobs.index(job) for job in group] for group in grouped(jobs)] == [[0, 2], [1]]
    target = resolved("portable")
    with Pool(Session(target, 1), 1) as pool:
        answers = dict(pool.solve(jobs))
    assert answers[jobs[0]].stats["specs_solved"] > 0 and not answers[jobs[2]].stats["specs_solved"]
    for job in jobs:
        alone = gt.synthesize(job.spec, target, table="none")
        assert (str(answers[job]), answers[job].cost) == (str(alone), alone.cost)


def test_what_stands_beside_a_job_and_is_no_search_is_left_to_who_asks_for_it(own_cache):
    wrong = [gt.parse("reshape(reshape(f32[2,3,4]) -> f32[24]) -> f32[4,2,3]"), gt.parse("exp(f32[3])")]
    jobs = [Job(gt.parse("relu(add(f32[8,3], f32[8,3]))"), 2, 1, beside=(*wrong,))]
    with Pool(Session(resolved("portable"), 1), 1) as pool:
        (_, answer), *_ = pool.solve(jobs)
    assert str(answer) == str(gt.synthesize(jobs[0].spec, "portable", table="none"))


def test_without_a_table_each_search_is_by_itself():
    jobs = [Job(gt.parse(f"mul(add(f32[8], {n}), 3)"), 2, 1) for n in (7, 9)]
    with Pool(Session(resolved("portable"), 1, "none"), 2) as pool:
        assert pool._shared(jobs) == ([], [[job] for job in jobs])


def test_cycles_are_looked_for_where_a_process_grew(monkeypatch):
    sizes, collected = iter([worker.GROWN, worker.GROWN + 2, 5]), []
    monkeypatch.setattr(worker, "held", lambda: next(sizes))
    monkeypatch.setattr(worker.gc, "collect", lambda: collected.append(1))
    assert worker.swept(1) == 1 and not collected
    assert worker.swept(1) == 5 and collected == [1]
