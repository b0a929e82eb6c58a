"""Leaves that go down the rows of an input that several windows meet: the same bits as with the window, fewer loads,
and sums that stay in their registers."""

import re
import subprocess
from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from generated_harness import Case, run
from griotte.engine.leaves.reduce import price
from griotte.engine.leaves.reduce.serve import steps
from griotte.engine.leaves.reduce.sweep import HELD, SWEPT, way
from griotte.engine.program.nodes import KernelCall, walk
from griotte.lang.meaning.agreement import compare
from machines import machine

TARGETS = ["avx512", "avx2", "portable"]


def plainly(target):
    """The same machine, whose leaves go with the window."""
    return replace(target, writing=replace(target.writing, swept=0))


def drawn(rng) -> str:
    """The text of windows of odd sizes, stride, dilation and padding over an image of some channels."""
    window, stride, dilation = (
        [int(n) for n in rng.integers(least, most, 2)] for least, most in ((2, 5), (1, 3), (1, 3))
    )
    padding = [int(rng.integers(0, n)) for n in window]
    extents = [(n - 1) * d + 1 + int(rng.integers(6, 23)) for n, d in zip(window, dilation)]
    channels, apart = int(rng.integers(1, 4)), lambda pair: f"({pair[0]},{pair[1]})"
    kind = rng.choice(["max", "avg", "depthwise", "plain"])
    dtype = rng.choice(["f32", "bf16", "f64", *["u8", "s32"] * (kind == "max")])
    x = f"{dtype}[1,{channels},{extents[0]},{extents[1]}]"
    places = f"stride={apart(stride)}, padding={apart(padding)}" + f", dilation={apart(dilation)}" * (kind != "avg")
    if kind in ("max", "avg"):
        return f"{kind}_pool2d({x}, window={apart(window)}, {places})"
    outer, groups = (channels, channels) if kind == "depthwise" else (2, 1)
    return f"conv2d({x}, {dtype}[{outer},{channels // groups},{window[0]},{window[1]}], {places}, groups={groups})"


def ways(root, target) -> set[int]:
    """Which ways the leaves of a program go."""
    kernels = {kernel.name: kernel for kernel in target.kernels}
    return {
        int(way(kernels[node.kernel], node.state.family, node.lane, target, node.state.size))
        for node in walk(root)
        if isinstance(node, KernelCall) and node.state.family.output.level == 0
    }


FIXED = ("conv2d(f32[1,2,9,40], f32[2,1,3,3], groups=2)", "conv2d(f32[1,2,9,24], f32[2,1,2,2], groups=2)")


@pytest.mark.parametrize("name", TARGETS)
def test_the_bits_are_those_of_plain_loops(name, tmp_path):
    target, rng, cases, taken = machine(name), np.random.default_rng(TARGETS.index(name)), [], set()
    for text in (*FIXED, *(drawn(rng) for _ in range(4))):
        spec = gt.parse(text)
        root = gt.synthesize(spec, target, table="none").root
        taken |= ways(root, target)
        cases += [Case.drawn(root, spec, rng, hostile) for hostile in (False, True)]
    assert {SWEPT, HELD} <= taken
    folders = tmp_path / "swept", tmp_path / "plain"
    for folder in folders:
        folder.mkdir()
    swept, plain = (run(cases, one, folder) for one, folder in zip((target, plainly(target)), folders))
    for case, found, wanted in zip(cases, swept, plain):
        assert compare(case.spec, case.arrays, found)[1], case.spec
        assert np.array_equal(*(bits(each) for each in (found, wanted))), case.spec


def bits(array: np.ndarray) -> np.ndarray:
    """Of each element its bits; of every NaN the same."""
    raw = array.view(f"u{array.dtype.itemsize}")
    return np.where(np.isnan(array), 0, raw) if array.dtype.kind not in "iu" else raw


def leaf(text: str, target) -> gt.Program:
    """The program of one leaf over a whole image of one channel."""
    s = gt.schedule(text, target)
    return gt.synthesize(s.move("y", "registers", lanes=s.canonical.operation.dims[1]), table="none")


LEAVES = [
    ("avx512", "avg_pool2d(f32[1,1,12,23], window=3, stride=1)", SWEPT),
    ("avx512", "max_pool2d(f32[1,1,13,40], window=(3,2), stride=(2,1), dilation=(2,1))", SWEPT),
    ("avx512", "conv2d(f32[1,1,10,34], f32[1,1,3,3])", HELD),
    ("avx512", "conv2d(f32[1,1,14,36], f32[1,1,5,5])", SWEPT),
    ("avx2", "avg_pool2d(f32[1,1,7,18], window=3, stride=1)", SWEPT),
    ("avx2", "conv2d(f32[1,1,5,34], f32[1,1,3,3])", SWEPT),
    ("avx2", "conv2d(f32[1,1,6,17], f32[1,1,2,2])", HELD),
    ("avx2", "conv2d(f32[1,1,8,18], f32[1,1,3,3])", HELD),
]


@pytest.mark.parametrize("name, text, taken", LEAVES)
def test_what_it_reads_is_what_is_priced_and_sums_stay_in_registers(name, text, taken, tmp_path):
    """Compilers read all rows first, and add then, where nothing keeps each sum in its register from step to step."""
    target = machine(name)
    target = replace(target, handling=replace(target.handling, split=1.0))
    program = leaf(text, target)
    call = next(node for node in walk(program.root) if isinstance(node, KernelCall))
    kernel = next(kernel for kernel in target.kernels if kernel.name == call.kernel)
    family, size = call.state.family, call.state.size
    assert way(kernel, family, call.lane, target, size) == taken
    source = program.to_c()
    body = source[source.rindex("static ", 0, source.index("= splat_")) :]
    _, loads, spread = price.step(kernel, call.lane, family, target, size)
    count = steps(kernel, family, call.lane, size)
    assert len(re.findall(r"= (?:hold_\w+\()?load_", body)) == pytest.approx(count * loads)
    assert len(re.findall(r"= (?:hold_\w+\()?splat_\w+\(q?p?1\[", body)) == pytest.approx(count * spread)
    (tmp_path / "leaf.c").write_text(source)
    subprocess.run(
        ["gcc", "-O3", *target.flags, "-S", "-o", tmp_path / "leaf.s", tmp_path / "leaf.c"], check=True, cwd=tmp_path
    )
    assert not re.findall(r"%[re][sb]p\).*%[yz]mm|%[yz]mm.*%[re][sb]p\)", (tmp_path / "leaf.s").read_text())
