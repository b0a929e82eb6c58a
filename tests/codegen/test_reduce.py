"""The step of a reduce leaf: each distinct vector is read once, and sums stay in their registers."""

import re
import subprocess

import griotte as gt
import numpy as np
import pytest
from machines import machine


def by_hand(target, m: int, n: int) -> str:
    """The C of one leaf of m rows by n columns, lanes along the reduction."""
    text = f"matmul(f32[{m},448], f32[448,{n}]{{0,1}})"
    return gt.synthesize(gt.schedule(text, target).move(2, "registers", lanes="k").select("multiply_add")).to_c()


def loop(target, text: str, folder) -> str:
    """The innermost loop of the leaf as gcc compiles it."""
    (folder / "leaf.c").write_text(text)
    subprocess.run(["gcc", "-O3", *target.flags, "-S", "-o", folder / "leaf.s", folder / "leaf.c"], check=True)
    bodies = re.findall(r"^\.L\d+:\n((?:(?!\.L\d+:).*\n)*?)\tj\w+\t\.L\d+\n", (folder / "leaf.s").read_text(), re.M)
    return next(body for body in bodies if "vfmadd" in body)


@pytest.mark.parametrize("name, m, n", [("avx512", 8, 3), ("avx512", 5, 5), ("avx2", 4, 2)])
def test_a_vector_that_many_accumulators_take_is_read_once(name, m, n, tmp_path):
    """An operand in memory would be read at each use: 24 loads in place of 11, each of them two where it crosses a
    line."""
    target = machine(name)
    found = loop(target, by_hand(target, m, n), tmp_path)
    turns, odd = divmod(found.count("vfmadd"), m * n)
    assert turns >= 1 and odd == 0
    assert len(re.findall(r"\tv\w+\t.*\(%r", found)) == turns * (m + n)


def test_what_one_accumulator_takes_need_not_be_held():
    assert "hold_" not in by_hand(machine("avx512"), 1, 1) and by_hand(machine("avx512"), 8, 1).count("= hold_") == 1


def windows(target, channels: int) -> str:
    """The C of one leaf of 4 pixels by these channels, 3x3 windows; of 24, by AVX2, 12 sums, 3 vectors of weights and
    an element spread are all 16 registers."""
    s = gt.schedule(f"conv2d(f32[1,8,4,6], f32[{channels},8,3,3])", target).move(1, "L1", panel=channels).tile("i1", 1)
    return gt.synthesize(s.move("y", "registers", lanes="i0").select("multiply_add")).to_c()


def test_sums_of_windows_stay_in_their_registers(tmp_path):
    """Of 12 sums compilers moved some from step to step, and one through memory, where each of its additions waited for
    a store: 1.8 times the time."""
    target = machine("avx2")
    found = loop(target, windows(target, 24), tmp_path)
    assert found.count("vfmadd") == 36
    assert not re.findall(r"%[re][sb]p\).*%ymm|%ymm.*%[re][sb]p\)", found)


def test_what_several_sums_take_outlives_its_last_use_where_no_multiply_add_spreads_an_element():
    text = windows(machine("avx2"), 24)
    assert (
        text.count("keep_f32x8(x0_") == 4 * 3
        and text.count("keep_f32x8(x1_") == 3 * 3
        and text.count("= hold_f32x8(c") == 12 * 3
    )
    assert "keep_" not in windows(machine("avx512"), 48) and "keep_" not in by_hand(machine("avx2"), 4, 2)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_values_of_weight_0_are_left_out_of_a_sum_that_is_no_number(value):
    """Keys that a mask hides: their sum is taken again without them, and only without them."""
    spec = gt.parse("attention(f32[1,3,8], f32[1,5,8], f32[1,5,7], mask=pred[3,5])")
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal(shape, np.float32) for shape in ((1, 3, 8), (1, 5, 8), (1, 5, 7)))
    sees = np.array([[1, 1, 0, 1, 1], [1, 1, 0, 1, 0], [1, 1, 1, 1, 1]], bool)
    kernel = gt.compile(spec, "portable", table="none")
    wanted = kernel(q, k, v, sees).copy()
    v[0, 2] = value  # of the key that the first two queries do not see
    found = kernel(q, k, v, sees)
    assert np.array_equal(found[:, :2], wanted[:, :2]) and not np.isfinite(found[:, 2]).any()
