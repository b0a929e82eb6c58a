"""What a leaf that reduces needs of registers."""

import griotte as gt
import pytest
from griotte.engine.program.nodes import KernelCall, walk
from griotte.support.errors import NoProgramError
from machines import machine

ODD = "matmul(f32[40,48], f32[48,23])"


def leaf(target, rows, **panel):
    begun = gt.schedule(ODD, target)
    begun = begun.move(1, "L1", **panel) if panel else begun
    return gt.synthesize(begun.tile("m", rows).move(2, "registers", lanes="n"), table="none")


def test_a_part_of_a_vector_takes_a_register_besides():
    """4 rows of 23 columns by vectors of 8 are 12 accumulators, three vectors and an element, all of 16 registers: none
    is left for the last vector's parts."""
    with pytest.raises(NoProgramError):
        leaf(machine("avx2"), 4)
    assert "registers y 3x23" in str(leaf(machine("avx2"), 3))


def test_a_panel_is_padded_and_a_mask_has_a_register_of_its_own():
    assert "registers y 4x23" in str(leaf(machine("avx2"), 4, panel=24))
    assert "registers y 12x23" in str(leaf(machine("avx512"), 12)), "24 accumulators, two vectors and an element of 32"


@pytest.mark.parametrize("text, taken", [
    ("group_matmul(f32[1,256], const s4[64,8,32], const f32[64,8])", True),
    ("group_matmul(f32[1,256], const s4[64,256,1], const f32[64,256])", False),
])  # fmt: skip
def test_what_a_step_takes_once_for_a_group_is_one_number_along_it(text, taken):
    target = machine("avx512")
    once = {kernel.name for kernel in target.kernels if kernel.single}
    program = gt.synthesize(text, target, table="none")
    assert any(isinstance(node, KernelCall) and node.kernel in once for node in walk(program.root)) is taken
