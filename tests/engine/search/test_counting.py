"""The block engine counts the programs that brute force counts one by one."""

from math import log10

import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.counting import programs_log10
from griotte.engine.search.oracle import Oracle
from griotte.engine.search.problem import problem
from griotte.lang.text.text import parse
from machines import machine
from spaces import by_turns

SPECS = (
    "matmul(f32[2,5], f32[5,7])",
    "matmul(bf16[2,4], bf16[4,3]{0,1})",
    "matmul(f32[2,3,4], f32[2,4,5])",
    "matmul(f32[2,5], const f32[5,7])",
    "matmul(f32[2,3,4], const f32[2,4,5])",
    "add(f32[8,5], f32[8,5]{0,1})",
    "sum(f32[6,7], axis=1)",
    "exp(f32[9])",
)


@pytest.mark.parametrize("text, name", by_turns(SPECS, ("plain", "narrow", "avx2", "avx512")))
def test_count_equals_brute_force(text, name):
    target, spec = machine(name), parse(text)
    start = problem(canonical_form(spec), target)
    wanted = Oracle(target, start.home, start.ladders).count(start.goal, start.sizes)
    assert programs_log10(spec, target) == pytest.approx(log10(wanted), rel=1e-5, abs=1e-5)


def test_a_bigger_problem_has_more_programs():
    target = machine("avx2")
    assert programs_log10(parse("matmul(f32[8,8], f32[8,8])"), target) < programs_log10(
        parse("matmul(f32[16,8], f32[8,8])"), target
    )
