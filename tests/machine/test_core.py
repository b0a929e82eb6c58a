"""Operations of the functions of bodies, by the form of vectors."""

import math

import griotte as gt
import pytest
from griotte.engine.cost.ports import computed
from griotte.engine.program.nodes import KernelCall, walk
from griotte.lang.functions import FUNCTIONS
from griotte.lang.types.dtypes import DTYPES
from griotte.machine import BUILT_IN, Cpu, Machine, build, detect, known_features, resolve, unpriced
from griotte.machine.core import function_slots


def test_an_architecture_says_what_functions_take_where_they_do_not():
    assert BUILT_IN["neon"].slots["exp"] == resolve("neon").function["exp"] != FUNCTIONS["exp"].slots["portable"]
    assert not BUILT_IN["avx2"].slots and resolve("neon").function["add"] == FUNCTIONS["add"].slots["portable"]


@pytest.mark.parametrize("base", BUILT_IN)
def test_every_function_has_slots_that_are_not_negative(base):
    declared = function_slots(base, BUILT_IN[base].slots)
    assert {name for name in declared if "." not in name} == set(FUNCTIONS)
    assert all(
        name.partition(".")[0] in FUNCTIONS and name.partition(".")[2] in (*DTYPES, "number")
        for name in declared
        if "." in name
    )
    assert all(0 <= slots.multiplying <= slots.all < math.inf for slots in declared.values())


@pytest.mark.parametrize("base", BUILT_IN)
def test_a_target_has_those_of_its_base(base):
    assert unpriced(base, detect(), base).function == function_slots(base, BUILT_IN[base].slots)


@pytest.mark.parametrize("base", ["avx2", "avx512"])
def test_products_of_integers_take_longer_than_those_of_floats(base):
    slots_of = function_slots(base)
    slots = [computed(resolve(base), ("mul", "add"), name).multiplying for name in ("f32", "s32")]
    assert slots[1] > slots[0] and slots_of["mul.s32"].all > slots_of["mul"].all
    assert computed(resolve(base), ("mul", "add"), "s32").all == slots_of["mul.s32"].all + slots_of["add"].all


def test_bytes_are_multiplied_by_dot_products_on_a_zen():
    """By hand a product of 32-bit integers was one slot, and the search took it for u8 x s8, at 3.45 times the time."""
    zen = build(
        "avx2",
        Machine(known_features(), {1: 32 << 10, 2: 512 << 10, 3: 8 << 20}, 2, "", Cpu("AuthenticAMD", 0x17, 1), 2),
    )
    found = gt.synthesize("matmul(u8[64,64], s8[64,64])", zen, table="none")
    kernels = {node.kernel for node in walk(found.root) if isinstance(node, KernelCall)}
    assert kernels & {"madd_u8s8", "madd_s16s8"} and "multiply_add" not in kernels
