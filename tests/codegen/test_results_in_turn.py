"""Results that lie side by side along another dimension than the lanes: accumulators are interleaved and stored
whole."""

import re

import griotte as gt
import numpy as np
import pytest
from generated_harness import assert_right, both_kinds
from griotte.engine.program.nodes import KernelCall, walk
from griotte.engine.vectors.squares import interleaved
from hypothesis import given
from hypothesis import strategies as st
from machines import machine

TARGETS = ["avx512", "avx2", "portable"]
SIZES = [(1, 1, 16), (3, 2, 20), (5, 1, 9), (2, 3, 33)]  # channels, rows, columns


def windows(across: int, sizes: tuple[int, int, int], dtype: str = "f32") -> gt.Spec:
    """Windows of 1 x `across`, as many steps apart, of turned weights: each lane's `across` results are neighbours."""
    c, h, w = sizes
    x, weights = gt.tensor((1, c, h, w), dtype), gt.tensor((3 * across, c, 1, 1), dtype)
    return gt.conv_transpose2d(x, weights, stride=(1, across), window=(1, across), dtype="f32")


@given(st.sampled_from([1, 2, 4, 8]), st.sampled_from([4, 8, 16]), st.integers(1, 8))
def test_vectors_take_turns(count, lanes, columns):
    columns = min(columns, count)
    statements, names = interleaved([f"r{n}" for n in range(count)], "v", lanes, columns)
    values = {f"r{n}": [lane * count + n for lane in range(lanes)] for n in range(count)}
    for line in statements:
        name, x, y, order = re.fullmatch(
            r"const v (\w+) = __builtin_shufflevector\((\w+), (\w+), (.*)\);", line
        ).groups()
        values[name] = [(values[x] + values[y])[int(at)] for at in order.split(", ")]
    assert [each for name in names for each in values[name]] == list(range(columns * lanes))


@pytest.mark.parametrize("target", TARGETS)
def test_the_c_is_right_at_odd_sizes(target, tmp_path):
    target, cases = machine(target), []
    for seed, (sizes, across, dtype) in enumerate(
        zip(SIZES * 2, (2, 4, 4, 2) * 2, ["f32", "bf16"] * 2 + ["bf16", "f32"] * 2)
    ):
        spec, rng = windows(across, sizes, dtype), np.random.default_rng(seed)
        cases += both_kinds(gt.synthesize(spec, target), rng)
    assert_right(cases, target, tmp_path, meant=True)


def test_lanes_lie_along_the_image_and_vectors_are_stored_whole():
    """2 x 2 windows of 64 channels had lanes along these: 3.6 times the time on a Xeon."""
    program = gt.synthesize("conv_transpose2d(f32[1,64,8,32], f32[128,64,1,1], stride=2, window=2)", machine("avx512"))
    lanes = {node.lane for node in walk(program.root) if isinstance(node, KernelCall)}
    text = program.to_c()
    assert lanes == {"x"} and "= __builtin_shufflevector(r0, r1, 0, 16, " in text and "store_strided" not in text


def test_lines_of_results_that_take_turns_are_asked_for_once_each():
    text = gt.synthesize("conv_transpose2d(f32[1,64,64,24], f32[512,64,1,1], stride=2, window=2)", "avx512").to_c()
    leaf = text[: text.index("store_f32x16(y")]
    asked = re.findall(r"__builtin_prefetch\(y(?: \+ (\d+))?, 1\)", leaf[leaf.rindex("static ") :])
    assert len(asked) == len(set(asked)) > 0
