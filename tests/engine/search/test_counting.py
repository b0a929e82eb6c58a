"""The block engine counts the programs that brute force counts one by one. Families and Specs are counted without
solving any, so that a space that grows is seen."""

from math import log10

import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.counting import programs_log10
from griotte.engine.search.oracle import Oracle
from griotte.engine.search.problem import problem
from griotte.engine.search.solve import Solver
from griotte.engine.search.work import Statistics
from griotte.engine.table import Table
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


class Outline(Solver):
    """A Solver that lays out every block, and prices none."""

    def _found(self, node):
        return None

    def _relax(self, block):
        pass

    def _close(self, block):
        pass

    def _keep(self, block):
        pass


def extent(text: str, target) -> Statistics:
    start = problem(canonical_form(parse(text)), target)
    return Outline(Table(target, start.home, start.ladders), workers=1).solve(start.goal)


# as counted on avx512, where the product of seven ladders had 984 families and 1,314 million Specs
# (docs/explanation/narrowings.md)
CONVOLUTIONS = {
    "conv2d(f32[1,64,58,58]{1,3,2,0}, f32[64,64,3,3]) -> f32[1,64,56,56]{1,3,2,0}": (358, 5.31e6),
    "conv2d(f32[1,64,58,58], const f32[64,64,3,3])": (343, 17.97e6),
}


@pytest.mark.parametrize(
    "text, families, specs", [(text, *most) for text, most in CONVOLUTIONS.items()], ids=("NHWC", "NCHW")
)
def test_the_space_of_a_convolution_stays_cut(text, families, specs):
    """A tenth more is a matter of a ladder; of what was cut off, any one dimension would be more."""
    found = extent(text, machine("avx512"))
    assert found.families <= 1.1 * families and found.specs_solved <= 1.1 * specs


def test_what_is_laid_out_is_what_is_solved():
    target, text = machine("avx2"), "conv2d(f32[1,2,5,6], const f32[8,2,3,3], padding=1)"
    start = problem(canonical_form(parse(text)), target)
    solved = Solver(Table(target, start.home, start.ladders)).solve(start.goal)
    assert (
        found := extent(text, target)
    ).families == solved.families and found.specs_solved == solved.specs_solved > 1000
