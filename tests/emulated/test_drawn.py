"""What is drawn at random and compiled for NEON is right in the emulator, and touches nothing beyond its arrays."""

from __future__ import annotations

import pytest
from drawn.__main__ import texts
from griotte.compiler.session import Session
from griotte.machine import resolve
from griotte.tools.commands.reading import parse_all
from griotte.tools.commands.specs import SpecSubject

from .emulator import COMPILERS, compiler
from .specs import PRODUCTS, QUANTISED, TOGETHER

pytestmark = pytest.mark.long

OTHERS = [name for name in COMPILERS if name != "gcc"]


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


@pytest.mark.parametrize("text", PRODUCTS)
def test_products_of_other_dtypes_are_right(arm, text):
    right(text)


@pytest.mark.parametrize("text", QUANTISED)
def test_what_is_quantised_is_right(arm, text):
    right(text)


@pytest.mark.parametrize("text", TOGETHER)
def test_two_threads_are_right(arm, text):
    right(text, 2)


@pytest.mark.parametrize("text", texts(20, False, False, 1) + texts(10, False, True, 1) + texts(10, True, False, 1))
def test_drawn_work_of_two_threads_is_right(arm, text):
    right(text, 2)


@pytest.mark.parametrize("text", [*PRODUCTS, *QUANTISED, *TOGETHER[:3], *texts(20, False, False, 2)])
@pytest.mark.parametrize("name", OTHERS)
def test_other_compilers_are_right(arm, monkeypatch, name, text):
    monkeypatch.setenv("CC", compiler(name))
    right(text, 2 if text in TOGETHER else 1)
