"""Families that differ by numbers alone have one solution, and it is that of each."""

from __future__ import annotations

import re

import griotte as gt
import pytest
from griotte.compiler.partition import searched_as
from griotte.compiler.session import Session
from griotte.compiler.synthesis import searched
from griotte.engine.table.numbers import alike
from griotte.lang.nests.access import Border
from griotte.lang.types.expr import Arg, Const, OfSize, apply
from griotte.runtime.leaves import resolved

X = Arg(0)


def same(one, other) -> bool:
    return alike(repr(one)) == alike(repr(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (X * 142 + 131, X * 93 + 130),
        (X * 0.125 + 3, X * 0.3 + 5),
        ((X + 7) * 7, (X + 9) * 9),
        (X / 12, X / 48),  # both by two products
        (apply("maximum", X, -1e-3), apply("maximum", X, -2e-3)),
    ],
)
def test_numbers_that_nothing_tells_apart_have_one_name(one, other):
    assert same(one, other) and alike(repr(one)) != repr(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (X + 142, X - 142),
        (X + 142, X + Const(-142)),
        (X + 142, X + 142.5),
        (X + 0.5, X + 1.5),
        (X + 0, X + 7),
        (X * 1, X * 7),
        (X + float("inf"), X + 7),
        (X + float("nan"), X + 7),
        (apply("maximum", X, -3.4028234663852886e38), apply("maximum", X, -7.5)),
        ((X + 7) * 7, (X + 7) * 9),  # what stands twice is one
        ((X + 7) * 9, (X + 9) * 9),
        ((X + 7) * 7.0, (X + 7) * 9.0),  # 7 and 7.0 are equal
        (X / 8, X / 12),
        (X < 142, X < 93),
        (apply("where", X < 0, X * 3, X), apply("where", X < 0, X * 5, X)),
        (X + OfSize(X * 3), X + OfSize(X * 5)),
        (apply("nothing_of_ours", X, 3), apply("nothing_of_ours", X, 5)),
    ],
)
def test_what_something_may_tell_apart_stays_apart(one, other):
    assert not same(one, other)


@pytest.mark.parametrize(
    ("one", "other", "are_alike"),
    [
        ((142.0, 7.0), (93.0, 8.0), True),
        ((142.0, 142.0), (93.0, 8.0), False),
        ((142.0, 0.0), (93.0, 8.0), False),
        ((142.0, float("-inf")), (93.0, 8.0), False),
        ((float("nan"), 8.0), (93.0, 8.0), False),
    ],
)
def test_what_fills_borders_is_asked_for_by_nothing(one, other, are_alike: bool):
    borders = [tuple(Border(((1, 1),), fill) for fill in fills) for fills in (one, other)]
    assert same(*borders) is are_alike


def test_a_text_without_numbers_is_itself():
    assert alike(repr(X + X)) == repr(X + X) and alike("") == ""


QUANTISED = "qmatmul(u8[1,9,24], const f32[], {}, const s8[24,17], const f32[1,17], 0, const f32[], {})"
SPECS = [
    (QUANTISED, (142, 131), (93, 130)),
    ("quantize(dequantize(u8[3,40], const f32[], {}), const f32[], {}) -> u8[3,40]", (28, 140), (200, 9)),
    (
        "qmatmul(u8[2,7,8], const f32[], {}, u8[2,8,9], const f32[], {}, const f32[], {})",
        (41, 130, 114),
        (48, 132, 113),
    ),
    (
        "qconv2d(u8[1,3,6,6], const f32[], {}, const s8[4,3,3,3], const f32[4], 0, const f32[], {}, padding=1)",
        (142, 131),
        (93, 130),
    ),
    ("tanh(add(mul(f32[5,70], {}), {}))", (0.3535, 3.25), (0.7, 11.5)),
    ("div(f32[6,50], {})", (12.0,), (48.0,)),
    ("div(f32[6,50], {})", (12,), (48.0,)),  # equal expressions are one object, whoever wrote the number first
]


def solved(text: str, table: str):
    return searched(gt.parse(text), Session(resolved("avx2"), 1, table))


@pytest.mark.parametrize(("text", "numbers", "others"), SPECS)
def test_a_table_answers_for_other_numbers_what_a_search_finds(tmp_path, text: str, numbers, others):
    first, second = text.format(*numbers), text.format(*others)
    table = str(tmp_path / "t.griotte")
    assert solved(first, table).stats["specs_solved"]
    answer, alone = solved(second, table), solved(second, "none")
    assert answer.stats["specs_solved"] == 0 and answer.cost == alone.cost
    assert str(answer) == str(alone) and answer.to_c() == alone.to_c()
    assert answer.cost == solved(first, "none").cost
    assert searched_as(gt.parse(first)) == searched_as(gt.parse(second))


def test_numbers_in_other_places_are_searched_anew(tmp_path):
    table = str(tmp_path / "t.griotte")
    solved(QUANTISED.format(142, 131), table)
    answer = solved(QUANTISED.format(93, 93), table)
    assert answer.stats["specs_solved"] and answer.cost == solved(QUANTISED.format(93, 93), "none").cost


def test_rewrites_from_outside_may_read_numbers(tmp_path):
    from griotte.engine.rewrites import RewriteRule, declared

    def none(family, target):
        return []

    none.__module__ = "outside"
    table = str(tmp_path / "t.griotte")
    with declared(RewriteRule(none)):
        solved(QUANTISED.format(142, 131), table)
        assert solved(QUANTISED.format(93, 130), table).stats["specs_solved"]


@pytest.mark.parametrize("effort", [1, 2])
def test_why_calls_are_not_one_search_is_remembered_for_other_numbers(tmp_path, monkeypatch, effort: int):
    from griotte.compiler.partition import Partition

    text = "reshape(add(reshape(f32[2,3,4]) -> f32[24], {})) -> f32[4,2,3]"
    session = Session(resolved("avx2"), 1, str(tmp_path / "t.griotte"), effort=effort)
    with pytest.raises(gt.NoProgramError) as why:
        Partition(gt.parse(text.format(7)), session, as_one=True)
    monkeypatch.setattr(Partition, "_whole", lambda self: pytest.fail("it is tried again"))
    with pytest.raises(gt.NoProgramError, match=re.escape(str(why.value))):
        Partition(gt.parse(text.format(9)), session, as_one=True)
