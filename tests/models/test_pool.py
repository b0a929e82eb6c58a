"""Specs solved in processes of their own."""

from __future__ import annotations

import griotte as gt
import pytest
from griotte.models.pool import Pool
from griotte.models.worker import Settings
from griotte.programs import Program
from griotte.runtime.leaves import resolved

JOBS = [(gt.parse(f"add(f32[{n}], f32[{n}])"), 1) for n in (8, 9, 10)]


@pytest.mark.parametrize("workers", [1, 2])
def test_programs_are_those_of_one_process(workers: int):
    target = resolved("portable")
    with Pool(Settings(target, 1, "none"), workers) as pool:
        found = dict(pool.solve(JOBS))
    for job in JOBS:
        answer = found[job]
        assert isinstance(answer, Program)
        assert str(answer) == str(gt.synthesize(job[0], target, table="none"))


def test_what_has_no_program_is_an_error_and_the_others_are_solved():
    wrong = gt.parse("matmul(f32[8,8], f32[8,8])")
    with Pool(Settings(resolved("portable"), 0, "none"), 2) as pool:
        answers = dict(pool.solve([(wrong, 1), *JOBS]))
    assert all(isinstance(answer, gt.GriotteError) for answer in answers.values())


def test_workers_solve_into_one_table(tmp_path):
    path = tmp_path / "t.griotte"
    with Pool(Settings(resolved("portable"), 1, str(path)), 2) as pool:
        first = dict(pool.solve(JOBS))
    with Pool(Settings(resolved("portable"), 1, str(path)), 1) as pool:
        again = dict(pool.solve(JOBS))
    assert any(answer.stats["specs_solved"] for answer in first.values())
    assert not any(answer.stats["specs_solved"] for answer in again.values())
