"""Rows as they were given, interleaved in registers for instructions that eat neighbours along the reduction."""

import re
from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from generated_harness import Case, assert_right
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import KernelCall, walk
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.samples import random_arrays
from machines import machine

TARGET = machine("avx512")
# the same of bytes in fours, which no target declares: the C is written for any group
FOURS = replace(TARGET, kernels=tuple(replace(k, interleave=8.0) if k.group == 4 else k for k in TARGET.kernels))
SIZES = [(1, 7, 65), (3, 8, 33), (2, 5, 16), (1, 2, 31), (4, 9, 47), (2, 3, 80), (1, 16, 160), (5, 13, 3)]
BF16 = [(TARGET, "dot_bf16", f"matmul(bf16[{m},{k}], bf16[{k},{n}]) -> f32[{m},{n}]") for m, k, n in SIZES]
BYTES = [(FOURS, "dot_u8s8", f"matmul(u8[{m},{k}], s8[{k},{n}]) -> s32[{m},{n}]") for m, k, n in SIZES]


def by_hand(text: str, kernel: str, target) -> gt.Schedule:
    """One leaf, over the operands as they were given."""
    return gt.schedule(text, target).move(2, "registers", lanes="n").select(kernel)


def programs(wanted) -> list[Case]:
    found = []
    for seed, (target, kernel, text) in enumerate(wanted):
        spec = gt.parse(text)
        found += [Case.drawn(by_hand(text, kernel, target).root, spec, seed, hostile) for hostile in (False, True)]
    return found


@pytest.mark.parametrize("wanted", [BF16, BYTES], ids=["twos", "fours"])
def test_the_c_is_right_at_odd_sizes(wanted, tmp_path):
    cases = programs(wanted)
    assert_right(cases, wanted[0][0], tmp_path)


@pytest.mark.parametrize("target, kernel, text", BF16[:3])
def test_it_means_what_the_spec_does(target, kernel, text):
    spec = gt.parse(text)
    arrays = random_arrays(spec, np.random.default_rng(0))
    assert compare(spec, arrays, interpret(by_hand(text, kernel, target).root, spec, *arrays, target=target))[1]


@pytest.mark.parametrize("columns, lanes", [(16, {16}), (32, {32}), (48, {32, 16}), (80, {32, 16})])
def test_a_vector_that_is_left_over_is_loaded_whole(columns, lanes):
    """Rows are loaded for two vectors at once; the last of an odd number is a vector by itself, not a part of two."""
    text = f"matmul(bf16[1,8], bf16[8,{columns}]) -> f32[1,{columns}]"
    source = gt.synthesize(by_hand(text, "dot_bf16", TARGET), table="none").to_c()
    loads = re.findall(r"const u16x\d+ r1_\w+ = load_(tail_)?u16x(\d+)\(", source)
    assert loads and not any(tail for tail, _ in loads) and {int(width) for _, width in loads} == lanes


def test_the_search_takes_it_where_packing_does_not_pay():
    """Where a dot product and a shuffle are one slot each; on cores where they are four, widening the rows is
    cheaper."""
    quick = replace(
        TARGET,
        kernels=tuple(replace(k, uops=1.0, interleave=1.0) if k.name == "dot_bf16" else k for k in TARGET.kernels),
    )
    program = gt.synthesize("matmul(bf16[1,600], bf16[600,4096]) -> f32[1,4096]", quick, table="none")
    assert {node.kernel for node in walk(program.root) if isinstance(node, KernelCall)} >= {
        "dot_bf16"
    } and "panels" not in str(program)


def test_a_kernel_that_cannot_says_what_it_expects():
    with pytest.raises(gt.NoProgramError, match="dot_u8s8 expects an operand in panels with groups of 4"):
        by_hand(BYTES[0][2], "dot_u8s8", TARGET)
