"""Windows that slide along the lanes, whose neighbours are laid side by side in registers for instructions that eat
several of them: depthwise convolutions of bytes."""

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from generated_harness import assert_right, both_kinds
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import KernelCall, walk
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.samples import random_arrays
from machines import machine

TARGET = machine("avx512")
ALONE = replace(TARGET, kernels=tuple(k for k in TARGET.kernels if k.form != "reduce" or k.slide))
# x, w, and the numbers: whole vectors and parts, windows of less, as many and more than a group
SHAPES = (((2, 4, 37), (2, 1, 2, 5), "groups=2"), ((2, 3, 19), (2, 1, 3, 3), "groups=2"))


@pytest.mark.parametrize("kinds", [("u8", "s8"), ("s8", "s8")])
def test_the_c_is_right_at_odd_sizes(kinds, tmp_path):
    cases, kernels = [], set()
    for seed, (x, w, numbers) in enumerate(SHAPES):
        spec = gt.parse(
            f"conv2d({kinds[0]}[1,{','.join(map(str, x))}], {kinds[1]}[{','.join(map(str, w))}], {numbers})"
        )
        program = gt.synthesize(spec, ALONE, table="none")
        kernels |= {
            (node.kernel, node.lane in node.state.family.operation.parallel)
            for node in walk(program.root)
            if isinstance(node, KernelCall)
        }
        cases += both_kinds(program, seed)
    assert (f"dot_{''.join(kinds)}", True) in kernels
    assert_right(cases, TARGET, tmp_path)


def test_it_means_what_the_spec_does():
    spec = gt.parse("conv2d(u8[1,3,6,20], s8[3,1,3,3], groups=3)")
    program, arrays = gt.synthesize(spec, TARGET, table="none"), random_arrays(spec, np.random.default_rng(0))
    assert compare(spec, arrays, interpret(program.root, spec, *arrays, target=TARGET))[1]


def test_a_kernel_that_does_not_slide_is_not_taken():
    plain = replace(TARGET, kernels=tuple(replace(k, slide=None) for k in TARGET.kernels))
    program = gt.synthesize("conv2d(u8[1,3,6,20], s8[3,1,3,3], groups=3)", plain, table="none")
    assert all(
        node.kernel == "combine" or node.kernel == "window"
        for node in walk(program.root)
        if isinstance(node, KernelCall)
    )
