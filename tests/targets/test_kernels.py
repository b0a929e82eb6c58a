"""Every kernel of every target, alone: its C against its own NumPy meaning and against the reference, on hostile data."""

from __future__ import annotations

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from griotte.errors import NoProgramError
from griotte.program.interpret import interpret
from griotte.program.nodes import KernelCall, walk
from griotte.spec import compare, random_arrays
from griotte.targets import NAMES, named, runs_here
from griotte.targets.target import Kernel, Target

COMPUTE_INPUT = {"f32": "f32", "f64": "f64", "s32": "s32", "u32": "u32", "s64": "s64"}
MAPS = (
    "copy neg abs relu exp log sqrt rsqrt tanh sigmoid gelu silu".split(),
    "add sub mul div maximum minimum".split(),
)
SIZES = ((5, 37, 19), (1, 64, 33), (7, 1, 130), (3, 16, 4))  # m, n, k: odd, whole, one column, one step
MATRIX_SIZES = ((32, 32, 128), (33, 47, 65), (16, 96, 64), (100, 20, 31))  # whole registers, one more, six across, parts of all


def contraction_specs(kernel: Kernel) -> list[str]:
    """Matmuls that a reduce kernel over products serves: both ways of putting the lanes, tails in each dimension."""
    if kernel.inputs:
        x, y = kernel.inputs
        out = kernel.compute[0]
        pairs = [(x, y, out)]
    else:
        pairs = [(COMPUTE_INPUT[c], COMPUTE_INPUT[c], c) for c in kernel.compute] + [("bf16", "bf16", "f32"), ("f16", "f32", "f32"), ("s8", "u8", "s32")]
        pairs = [p for p in pairs if p[2] in kernel.compute]
    layouts = [("{0,1}", "", "{0,1}"), ("", "", "{0,1}")] if kernel.matrix and kernel.columns == 0 else [("", "", ""), ("", "{0,1}", "")]
    return [f"matmul({x}[{m},{k}]{i}, {y}[{k},{n}]{j}) -> {out}[{m},{n}]{o}" for x, y, out in pairs for m, n, k in (*SIZES, *MATRIX_SIZES[: 4 * bool(kernel.matrix)]) for i, j, o in layouts]


def specs(kernel: Kernel) -> list[str]:
    """Small Specs whose best program needs nothing but this kernel and those that move data."""
    if kernel.form == "map":
        unary, binary = MAPS
        found = [f"{name}({dtype}[3,37])" for name in unary for dtype in ("f32", "f64", "bf16", "f16")]
        found += [f"{name}({dtype}[3,37], {dtype}[3,37])" for name in binary for dtype in ("f32", "f64", "s32", "u32", "s64", "bf16", "s8", "u16")]
        return found + ["where(pred[5,21], f32[5,21], f32[21])", "cast(f32[99]) -> s8[99]", "cast(f64[99]) -> bf16[99]"]
    if kernel.form == "transpose":
        casts = [(x, y) for x in ("f32", "f64", "bf16", "u8", "s4") for y in ("f32", "bf16", "s16", "f64")]
        return [f"cast({x}[{m},{n}]{{0,1}}) -> {y}[{m},{n}]" for x, y in casts for m, n in ((37, 21), (1, 130), (16, 32), (5, 3))]
    if kernel.form == "pack":
        return []  # met in every contraction below whose panels it fills
    if kernel.body is None:
        return [f"{name}({dtype}[13,37], axis={axis})" for name in ("sum", "max", "min") for dtype in ("f32", "f64", "bf16", "s32", "s8", "s64") for axis in (0, 1)]
    return contraction_specs(kernel)


def cases():
    for name in NAMES[1:]:
        for kernel in named(name).kernels:
            if kernel.form != "pack":
                yield pytest.param(name, kernel.name, id=f"{name}-{kernel.name}")


def only(target: Target, kernel: Kernel) -> Target:
    """The target with this kernel, and with the two that move data; one that writes past the caches where there are none."""
    if kernel.nontemporal:
        return replace(target, levels=(target.levels[0], target.levels[-1]), kernels=(kernel,), largest_cache=1)
    return replace(target, kernels=tuple(k for k in target.kernels if k.name in ("map", "pack") or k == kernel))


@pytest.mark.parametrize(("name", "kernel_name"), list(cases()))
def test_kernel_is_its_meaning(name, kernel_name):
    whole = named(name)
    if not runs_here(whole):
        pytest.skip(f"this CPU lacks {' '.join(sorted(whole.features - gt.targets.detect().flags))} of {name}")
    kernel = next(k for k in whole.kernels if k.name == kernel_name)
    target, used = only(whole, kernel), 0
    for i, text in enumerate(specs(kernel)):
        try:
            program = gt.synthesize(text, target)
        except NoProgramError:
            continue  # a grouped kernel has nothing for a single column or unsuitable layout
        used += any(isinstance(n, KernelCall) and n.kernel == kernel_name for n in walk(program.root))
        compiled = program.compile()
        for hostile in (False, True):
            arrays = random_arrays(program.spec, np.random.default_rng(i), hostile)
            result = compiled(*arrays)
            _, right, message = compare(program.spec, arrays, result)
            assert right, message
            meant = interpret(program.root, program.spec, *arrays, target=target)
            _, right, message = compare(program.spec, arrays, meant)
            assert right, f"{kernel_name} as its meaning has it: {message}"
    assert used >= min(2, len(specs(kernel))), f"{kernel_name} was met in {used} programs"
