"""What a leaf that reduces needs of registers, and what its steps take of the ports."""

from dataclasses import replace

import griotte as gt
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.leaves.reduce import price
from griotte.engine.leaves.reduce.serve import chains
from griotte.engine.program.nodes import KernelCall, walk
from griotte.engine.search.problem import problem
from griotte.lang.nests.family import Layout, Operand, Vector
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


def weights_of_4_bits(**ports):
    target = machine("avx2")
    ports = replace(target.ports, arithmetic=2.0, issue=64.0, load=64.0, broadcast=64.0, **ports)
    begun = gt.schedule("group_matmul(f32[1,64], const s4[32,2,32], const f32[32,2])", replace(target, ports=ports))
    begun = begun.ahead(1, panel=32, group=8).ahead(2, panel=32).move(3, "registers", lanes="n")
    program = gt.synthesize(begun.select("nibbles_f32_f32"), table="none")
    return next(node for node in walk(program.root) if isinstance(node, KernelCall) and node.kernel != "pack").cost


def test_ports_that_add_unpack_weights_beside_those_that_multiply():
    """4 vectors by 8 groups of 8 steps: 10 multiply-adds and 25 slots of shifts, masks and conversions each. Without
    adders 17.5 cycles of two ports, with two of them 8.75 of four; with many the 5 of the multiply-adds are left."""
    alone, beside, many = (weights_of_4_bits(adders=adders) for adders in (0.0, 2.0, 62.0))
    assert alone - beside == pytest.approx(4 * 8 * (17.5 - 8.75))
    assert beside - many == pytest.approx(4 * 8 * (8.75 - 5.0))


def of_bytes(first: str, target):
    """The kernel and the family of a leaf of bytes with AVX2, its second input in panels of pairs."""
    text = f"matmul({first}[40,64], s8[64,16]) -> s32[40,16]"
    family = replace(problem(canonical_form(gt.parse(text)), target).goal, ahead=())
    family = family.with_operand(2, Operand("s32", 0, family.output.layout, Vector("n", 8)))
    panels = Operand("s8", 1, Layout((1, 0), panel=(1, 16), group=(0, 2)))
    return next(k for k in target.kernels if k.name == f"madd_{first}s8"), family.with_operand(1, panels)


def cycles_of_a_step(first: str, target, rows: int, columns: int) -> float:
    kernel, family = of_bytes(first, target)
    found = [price.cycles(kernel, "n", family, target, {"m": rows, "n": columns, "k": k}) for k in (64, 32)]
    return float(found[0] - found[1]) / 16


@pytest.mark.parametrize("first, spread", [("u8", 6 * 3), ("s16", 0)])
@pytest.mark.parametrize("adders", [0.0, 1.5, 8.0])
def test_sums_of_products_and_conversions_go_by_all_ports_and_products_by_those_that_multiply(first, spread, adders):
    """Six rows by two vectors: as many products as sums, two vectors that are widened, and bytes that are spread."""
    target = machine("avx2")
    target = replace(target, ports=replace(target.ports, adders=adders, issue=100.0, load=100.0, broadcast=100.0))
    expected = max(12 / target.ports.arithmetic, (12 + 12 + 2 + spread) / target.ports.mixed)
    assert cycles_of_a_step(first, target, 6, 16) == pytest.approx(expected)


def test_all_of_a_step_goes_by_ports_that_multiply_where_a_kernel_says_no_more():
    target = machine("avx2")
    target = replace(
        target,
        ports=replace(target.ports, adders=8.0),
        kernels=tuple(replace(k, multiplying=None) if k.name == "madd_s16s8" else k for k in target.kernels),
    )
    assert cycles_of_a_step("s16", target, 6, 16) == pytest.approx((12 + 12 + 2) / target.ports.arithmetic)


@pytest.mark.parametrize("columns, expected", [(8, 2), (16, 1)])
def test_a_sum_of_bytes_by_itself_is_of_two_parts(columns, expected):
    """Two additions to one sum wait for each other longer than ports do for loads and products."""
    target = machine("avx2")
    assert chains(*of_bytes("s16", target), target, "n", {"m": 1, "n": columns, "k": 64}) == expected


@pytest.mark.parametrize(
    "rows, stores, operations",
    [(1, 1, 6), (3, 3, 18), (4, 1, 12), (6, 3, 24), (8, 1, 22), (12, 2, 34), (13, 3, 40)],  # of all rows together
)
def test_lanes_are_joined_of_as_many_rows_as_are_a_power_of_two(rows, stores, operations):
    """Eight lanes: of four rows 9 + 2 + 1 operations, of eight 21 + 1, of each other one 6."""
    target = machine("avx2")
    goal = problem(canonical_form(gt.parse("sum(f32[1000,500], axis=1)")), target).goal
    (row,), (dim,) = goal.nest.parallel, goal.nest.reduction
    found = price._lanes_joined(goal, Vector(dim, 8), target, {row: rows, dim: 500})
    assert [float(rows * each) for each in found] == pytest.approx([stores, operations])
