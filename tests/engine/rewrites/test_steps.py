"""What loops step by, so that no tile begins within a panel or a group of a packed operand."""

import griotte as gt
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.rewrites.steps import cuts, step_of
from griotte.engine.search.problem import problem
from griotte.lang.nests.family import Layout, Operand
from machines import machine

GOAL = problem(canonical_form(gt.parse("matmul(bf16[9,20], bf16[20,40]) -> f32[9,40]")), machine("avx512")).goal


def test_loops_step_by_whole_panels_and_whole_groups():
    packed = GOAL.with_operand(1, Operand("bf16", 1, Layout((1, 0), panel=(1, 16), group=(0, 2))))
    assert [step_of(GOAL, d, 40) for d in "mnk"] == [1, 1, 1]
    assert [step_of(packed, d, 40) for d in "mnk"] == [1, 16, 2]
    assert [step_of(packed, d, 16) for d in "mnk"] == [1, 1, 2]  # parts of one panel, but not of a group
    assert [(tile, cuts(packed, "k", tile)) for tile in (2, 3, 4)] == [(2, False), (3, True), (4, False)]
