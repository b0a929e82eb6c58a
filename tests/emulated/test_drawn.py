"""What is drawn at random and compiled for NEON is right in the emulator, and touches nothing beyond its arrays."""

from __future__ import annotations

import pytest
from drawn.__main__ import texts
from griotte.compiler.session import Session
from griotte.machine import resolve
from griotte.tools.commands.reading import parse_all
from griotte.tools.commands.specs import SpecSubject

pytestmark = pytest.mark.long

QUANTISED = (
    "matmul(u8[37,64], s8[64,40]) -> s32[37,40]",
    "matmul(s8[37,63], const s8[63,40]) -> s32[37,40]",
    "matmul(u8[37,64], const u8[64,40]) -> s32[37,40]",
    "matmul(s8[7,64], const u8[64,40]) -> s32[7,40]",
    "matmul(bf16[37,66], const bf16[66,40])",
    "matmul(f16[37,66], f16[66,40])",
    "matmul(f64[37,66], f64[66,40])",
    "matmul(f32[3,1001], f32[1001,13])",
)


def right(text: str, threads: int = 1) -> None:
    (spec,) = parse_all((text,))
    found = SpecSubject(spec).check(Session(resolve("neon"), threads, "none"), 0, None)
    assert found["ok"], found


@pytest.mark.parametrize("text", texts(300, False, False, 0))
def test_a_spec_is_right(arm, text):
    right(text)


@pytest.mark.parametrize("text", texts(150, True, False, 0))
def test_a_graph_is_right(arm, text):
    right(text)


@pytest.mark.parametrize("text", QUANTISED)
def test_products_of_other_dtypes_are_right(arm, text):
    right(text)
