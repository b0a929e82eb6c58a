"""Transposes: blocks whose vectors are joined of parts of rows and turned within them, strip by strip."""

import re

import griotte as gt
import numpy as np
import pytest
from generated_harness import Case, assert_right
from griotte.engine.leaves.transpose import turned_block
from griotte.engine.vectors.squares import turned_in_parts
from machines import described, machine, three

SIZES = [(2, 2), (3, 50), (50, 3), (5, 6), (16, 16), (24, 20), (37, 70), (33, 129), (70, 18), (130, 65)]
TYPES = ["u8 u8", "bf16 bf16", "f32 f32", "f64 f64", "bf16 f32", "f32 bf16"]


def by_hand(text: str, target) -> gt.Schedule:
    """One leaf."""
    return gt.schedule(text, target).select("transpose")


@pytest.mark.parametrize("base", ["avx2", "avx512"])
@pytest.mark.parametrize("dtypes", TYPES)
def test_the_c_is_right_at_odd_sizes(dtypes, base, tmp_path):
    target, cases, (source, to) = machine(base), [], dtypes.split()
    for seed, (m, n) in enumerate(SIZES):
        text = f"transpose({source}[{m},{n}]) -> {to}[{n},{m}]"
        spec = gt.parse(text)
        cases.append(Case.drawn(by_hand(text, target).root, spec, seed))
    assert_right(cases, target, tmp_path)


@pytest.mark.parametrize("dtypes", TYPES)
def test_rows_are_turned_in_parts_where_l2_is_small(dtypes, tmp_path):
    """In parts of equal length, and of one that is shorter, of a few rows even."""
    target = described(f'name = "parts"\nbase = "avx2"\n{three(4 << 10, 16 << 10)}')
    source, to = dtypes.split()
    sizes = [(130, 65), (300, 19), (129, 70), (257, 5), (96, 130), (513, 3)]
    texts = [f"transpose({source}[{m},{n}]) -> {to}[{n},{m}]" for m, n in sizes]
    programs = [by_hand(text, target) for text in texts]
    assert any("int64_t b = 0" in program.to_c() for program in programs)
    cases = [
        Case.drawn(program.root, gt.parse(text), seed) for seed, (program, text) in enumerate(zip(programs, texts))
    ]
    assert_right(cases, target, tmp_path)


@pytest.mark.parametrize("lanes, side", [(16, 4), (64, 16), (8, 8), (4, 2), (2, 2)])
def test_vectors_are_turned_within_their_parts(lanes, side):
    vectors = {f"r{n}": np.arange(lanes) + 1000 * n for n in range(side)}
    lines, names = turned_in_parts(list(vectors), "V", lanes, side)
    for line in lines:
        name, x, y, order = re.fullmatch(
            r"const V (\w+) = __builtin_shufflevector\((\w+), (\w+), (.*)\);", line
        ).groups()
        vectors[name] = np.concatenate([vectors[x], vectors[y]])[[int(at) for at in order.split(",")]]
    assert len(lines) == side * np.log2(side)
    for column, name in enumerate(names):
        expected = [1000 * row + part + column for part in range(0, lanes, side) for row in range(side)]
        assert vectors[name].tolist() == expected


def c_of(text: str, base: str = "avx512") -> str:
    target = machine(base)
    return by_hand(text, target).to_c()


def test_a_row_goes_on_in_a_line_that_was_asked_for():
    """Not where nothing follows, not in L1, and not where rows begin on one set of it."""
    asks = lambda text: c_of(text).count("__builtin_prefetch")
    assert asks("transpose(f32[1134,38])") == 4
    assert asks("transpose(f32[16,3800])") == 0
    assert asks("transpose(f32[64,48])") == 0
    assert asks("transpose(f32[1024,38])") == 0
    assert asks("transpose(f32[1040,38])") == 4


def test_strips_are_as_wide_as_each_other():
    strips = lambda columns: re.findall(r"k \+= (\d+)", c_of(f"transpose(f32[300,{columns}])"))
    assert strips(64) == []
    assert strips(72) == ["36"]
    assert strips(304) == ["64"]
    assert strips(260) == ["52"]


def test_a_strip_writes_no_more_rows_than_have_a_line_in_l1():
    """AVX2 has 8 ways of 64 sets. Rows 1 and 3 KiB apart begin on 4 of the 64 lines of a page, those 2 KiB apart on 2.
    Narrower strips than 8 columns there are none."""
    strips = lambda rows, dtype="f32": {
        int(found)
        for found in re.findall(r"k \+= (\d+)", by_hand(f"transpose({dtype}[{rows},300])", machine("avx2")).to_c())
    }
    assert strips(256) == strips(768) == {24} == strips(512, "bf16")
    assert strips(512) == {12} and strips(1024, "bf16") == {8} == strips(1024)
    assert strips(384) == {44} and strips(300) == {60}


@pytest.mark.parametrize("rows, of_each, last", [(264, 16, 8), (1134, 16, 16), (5, 8, 0), (12, 16, 0), (33, 16, 4)])
def test_rows_are_covered_by_blocks(rows, of_each, last):
    """The last block is as small as holds what is left, and no more than a part has rows."""
    target = machine("avx512")
    program = by_hand(f"transpose(f32[{rows},40])", target).root
    block = turned_block(program.state.family, target, rows)
    assert block.rows_of(rows) == of_each
    left = rows % of_each if rows >= of_each else 0
    assert (block.rows_over(left, of_each) if left else 0) == last


def test_what_is_converted_and_what_has_few_rows_is_turned_in_squares():
    target = machine("avx512")
    block = lambda text, rows: turned_block(by_hand(text, target).root.state.family, target, rows)
    assert not block("transpose(f32[40,30])", 40).is_square
    assert block("transpose(f32[3,30])", 3).is_square
    assert block("transpose(u8[12,30])", 12).is_square
