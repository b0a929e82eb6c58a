"""The step of a reduce leaf: each distinct vector is read once."""

import re
import subprocess

import griotte as gt
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
    """An operand in memory would be read at each use: 24 loads in place of 11, each of them two where it crosses a line."""
    target = machine(name)
    found = loop(target, by_hand(target, m, n), tmp_path)
    turns, odd = divmod(found.count("vfmadd"), m * n)
    assert turns >= 1 and odd == 0
    assert len(re.findall(r"\tv\w+\t.*\(%r", found)) == turns * (m + n)


def test_what_one_accumulator_takes_need_not_be_held():
    assert "hold_" not in by_hand(machine("avx512"), 1, 1) and by_hand(machine("avx512"), 8, 1).count("= hold_") == 1
