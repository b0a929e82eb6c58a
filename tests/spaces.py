"""Spaces so small that every program in them can be tried out, and grids of cases of which make test takes every
other."""

import pytest
from machines import described, machine

ENUMERATED = (
    ("plain", "matmul(f32[2,2], f32[2,2])"),
    ("plain", "matmul(bf16[1,2], bf16[2,2]) -> f32[1,2]"),
    ("plain", "matmul(u8[1,2], s8[2,2]) -> s16[1,2]"),
    ("paired", "matmul(u8[1,2], s8[2,2]) -> s16[1,2]"),
    ("paired", "matmul(bf16[1,2], bf16[2,2]) -> f32[1,2]"),
    ("paired", "matmul(bf16[1,2], const bf16[2,2]{0,1}) -> f32[1,2]"),
    ("two", "matmul(f32[1,2], const f32[2,2])"),
    ("scarce", "sum(f32[2,3], axis=1)"),
    ("wide", "sum(f32[2,3], axis=1)"),
    ("two", "max(bf16[5])"),
    ("narrow", "exp(f32[2,3])"),
    ("avx512", "transpose(f32[2,3])"),
    ("avx2", "copy(bf16[3,4]) -> bf16[3,4]{0,1}"),
    ("portable", "add(f32[3,5], f32[5])"),
)

ONE_LINE = """
name = "one_line"
base = "portable"
registers = 4
panel_vectors = []
kernels = ["map", "combine"]
cache_share = 1.0
[[levels]]
name = "L1"
capacity = 64
[[levels]]
name = "memory"
"""
# on ONE_LINE a limit binds
BINDING = ("max(f64[9])", "neg(f64[6])", "add(f64[3], f64[3])", "copy(f64[2,3]) -> f64[2,3]{0,1}")


def all_small() -> list[tuple]:
    """(target, the text of a Spec) of each of them."""
    return [(machine(name), text) for name, text in ENUMERATED] + [(described(ONE_LINE), text) for text in BINDING]


def by_turns(first, second, dear=lambda a, b: False) -> list:
    """All pairs, every other one of them long: in `make test` each of `first` meets half of `second`, and its neighbour
    the other half. What is `dear` is long too."""
    return [
        pytest.param(a, b, marks=[pytest.mark.long] * ((i + j) % 2 or dear(a, b)))
        for i, a in enumerate(first)
        for j, b in enumerate(second)
    ]
