"""Leaves whose lanes lie two to four elements apart in memory: windows that slide by so many, and rows of so many.
Their C is right at odd sizes, and reads nothing outside of its arrays (after each of them the harness has a page that
cannot be read)."""

import re

import griotte as gt
import pytest
from features import everything
from generated_harness import Case, assert_right

WINDOWS = [
    f"{operation}({dtype}[1,1,{rows},{width}], window={window}, stride={stride})"
    for operation, dtype, rows, width, window, stride in (
        ("max_pool2d", "f32", 2, 34, 2, 2),  # no column is left over: columns and those of a window are two axes
        ("max_pool2d", "f32", 2, 21, 2, 2),
        ("max_pool2d", "f32", 3, 47, 3, 2),
        ("max_pool2d", "f32", 3, 27, 3, 3),
        ("max_pool2d", "f32", 3, 52, 3, 3),
        ("max_pool2d", "f32", 5, 66, 5, 4),
        ("max_pool2d", "bf16", 2, 31, 2, 2),
        ("max_pool2d", "bf16", 3, 89, 3, 3),
        ("max_pool2d", "s8", 3, 71, 3, 2),
        ("max_pool2d", "f64", 2, 19, 2, 2),
    )
]
ROWS = ["sum(f32[37,2], axis=1)", "sum(f32[29,3], axis=1)", "max(s32[23,4], axis=1)"]
MAPS = [
    "add(transpose(f32[2,37], perm=(1,0)), f32[37,2])",
    "mul(f32[3,41], transpose(f32[41,3], perm=(1,0)))",
    "relu(transpose(bf16[67,4], perm=(1,0)))",
]
targets = pytest.mark.parametrize("name", ["portable", "avx2", "avx512"])


def leaf(text: str, target) -> gt.Program:
    """One leaf over the operands as they were given, its lanes along the result."""
    return gt.synthesize(gt.schedule(text, target).move("y", "registers", lanes="i0"), table="none")


@targets
def test_the_c_of_reductions_is_right_at_odd_sizes(name, tmp_path):
    target, cases = everything(name), []
    for seed, text in enumerate(WINDOWS + ROWS):
        spec, root = gt.parse(text), leaf(text, target).root
        cases += [Case.drawn(root, spec, seed, hostile) for hostile in (False, True)]
    assert_right(cases, target, tmp_path)


@targets
def test_the_c_of_maps_is_right_at_odd_sizes(name, tmp_path):
    target, cases = everything(name), []
    for seed, text in enumerate(MAPS):
        spec = gt.parse(text)
        root = gt.synthesize(spec, target, threads=1, table="none").root
        cases += [Case.drawn(root, spec, seed, hostile) for hostile in (False, True)]
    assert_right(cases, target, tmp_path)


@pytest.mark.parametrize("text", [each for each in WINDOWS + ROWS if "f64" not in each])
def test_elements_a_few_apart_are_loaded_together(text):
    assert re.search(r"load_\w+_every_[234]_of_\d", leaf(text, everything("avx2")).to_c())


def test_the_price_knows_how_far_apart_they_lie():
    """Rows of three are read by less than rows of five, element for element."""
    costs = [leaf(f"sum(f32[64,{n}], axis=1)", everything("avx2")).cost / n for n in (2, 3, 4, 5)]
    assert costs == sorted(costs) and costs[-1] > 1.2 * costs[-2]
