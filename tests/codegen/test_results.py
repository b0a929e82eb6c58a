"""Results that lie side by side along another dimension than the lanes: accumulators are interleaved and stored whole.
Rows that are reduced side by side: the lanes of their accumulators are joined together, in the order in which those of
one by itself are."""

import re

import griotte as gt
import numpy as np
import pytest
from generated_harness import assert_right, both_kinds
from griotte.engine.leaves.reduce.results import powers
from griotte.engine.program.nodes import KernelCall, walk
from griotte.engine.vectors.squares import interleaved, joined_lanes
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


ROWS = [1, 3, 4, 7, 13, 16, 24]
TEXTS = [
    "sum(f32[{rows},37], axis=1)",
    "max(f64[{rows},21], axis=1)",
    "mean(bf16[{rows},40], axis=1)",
    "sum(s32[{rows},50], axis=1)",
    "matmul(f32[2,33], f32[33,{rows}]{{0,1}})",
    "add(sum(mul(f32[{rows},20], f32[{rows},20]), axis=1), f32[{rows}])",
]


@given(st.sampled_from([4, 8, 16]), st.integers(0, 4), st.sampled_from([2, 4, 8, 16]))
def test_lanes_of_several_are_joined_as_those_of_one_are(lanes, doublings, in_part):
    count = min(lanes, 1 << doublings)
    lines, name = joined_lanes([f"c{n}" for n in range(count)], "v", lanes, in_part, "join", "w")
    values = {f"c{n}": [f"{n}.{lane}" for lane in range(lanes)] for n in range(count)}
    shuffled = r"__builtin_shufflevector\((\w+), (\w+), ([\d, ]+)\)"
    for line in lines:
        found = [
            [(values[x] + values[y])[int(at)] for at in order.split(", ")] for x, y, order in re.findall(shuffled, line)
        ] or [[]]
        plain = re.search(r"join\((\w+), __builtin", line)
        pairs = zip(values[plain[1]] if plain else found[0], found[-1])
        values[line.split()[2]] = found[0] if "join(" not in line else [f"({x}+{y})" for x, y in pairs]

    def one(n):
        own = [f"{n}.{lane}" for lane in range(lanes)]
        while len(own) > 1:
            own = [f"({x}+{y})" for x, y in zip(own[: len(own) // 2], own[len(own) // 2 :])]
        return own[0]

    assert values[name] == [one(n) for n in range(count)]


@given(st.integers(1, 60), st.sampled_from([4, 8, 16]))
def test_runs_are_powers_of_two_that_fit(count, most):
    found = powers(count, most)
    assert [first for first, _ in found] == [sum(run for _, run in found[:n]) for n in range(len(found))]
    assert sum(run for _, run in found) == count and all(run in (1, 2, 4, 8, 16) and run <= most for _, run in found)


@pytest.mark.parametrize("target", ["avx512", "avx2", "portable"])
def test_the_c_is_right_at_odd_numbers_of_rows(target, tmp_path):
    target, cases = machine(target), []
    # each text of half of the rows, by turns
    pairs = [(text, rows) for i, text in enumerate(TEXTS) for j, rows in enumerate(ROWS) if (i + j) % 2 == 0]
    for seed, (text, rows) in enumerate(pairs):
        spec, rng = gt.parse(text.format(rows=rows)), np.random.default_rng(seed)
        cases += both_kinds(gt.synthesize(spec, target), rng)
    assert_right(cases, target, tmp_path, meant=True)


def test_a_row_gives_the_same_bits_wherever_it_is():
    """Of 13 rows the first eight are joined together, then four, and the last is by itself."""
    leaf = gt.schedule("sum(f32[13,100], axis=1)", machine("avx2")).move("y", "registers", lanes="i1").select("combine")
    kernel = gt.synthesize(leaf).compile()
    x = np.random.default_rng(0).standard_normal((13, 100), np.float32)
    assert kernel.source.count("sums = ") == 2
    assert np.array_equal(kernel(x).copy(), kernel(x[::-1].copy())[::-1])
