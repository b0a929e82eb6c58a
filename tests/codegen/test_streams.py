"""What is asked for ahead of time: rows as they were given, from beyond L2, where the program walks along them."""

from griotte.spec.family import Layout, Operand, crowded
from griotte.spec.operation import Access
from griotte.synthesis import synthesize
from machines import machine


def source(text: str) -> str:
    return synthesize(text, machine("avx512"), table="none").to_c()


def test_rows_from_far_levels_are_asked_for_ahead():
    assert "__builtin_prefetch(p1 + " in source("matmul(f32[1,300], f32[300,4096])")
    assert "__builtin_prefetch(p1 + " in source("matmul(f32[1,4096], f32[4096,300]{0,1})")


def test_rows_that_stay_near_are_not():
    assert "__builtin_prefetch(p1 + " not in source("matmul(f32[1,30], f32[30,4096])")


def test_one_line_is_asked_for_once():
    """Two vectors of bf16 are widened from one line."""
    text = source("matmul(bf16[1,600], bf16[600,4096]) -> f32[1,4096]")
    leaf = text[text.index("/* y[m n] ") :].split("\n}\n")[0]
    assert 0 < leaf.count("__builtin_prefetch(p1") <= leaf.count("(p1") / 2


def test_rows_above_eight_are_crowded():
    access = Access.of("k n")
    given = Operand("f32", 3, Layout((1, 0), given=True, far=True))
    assert crowded(access, given, {"k": 8, "n": 64}) == 0
    assert crowded(access, given, {"k": 16, "n": 64}) == 16 * 4 / 2
    near = Operand("f32", 3, Layout((1, 0), given=True))
    assert crowded(access, near, {"k": 16, "n": 64}) == 0
