"""Laws over numbers of all magnitudes: each differs from what was written by no more than rounding, where it is for
that, and under math="strict" wherever it is applied."""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path

import laws
import numpy as np
import pytest
from griotte.models.simplify import APART, STAGES, simplify
from griotte.models.simplify.law import law
from griotte.models.simplify.rule import WITHIN
from griotte.support.floats import WORDS

RULES = tuple({id(rule): rule for rules in (*STAGES, APART) for rule in rules}.values())
BY_NAME = {rule.name: rule for rule in RULES}
PAGE = Path(__file__).parents[3] / "docs/reference/laws.md"
DTYPES = ("f32", "f64", "f16", "bf16")
DRAWS = int(os.environ.get("GRIOTTE_LAW_DRAWS", "2"))  # of each family, with --all


def judged(rules, draws: int, families=laws.families, names=DTYPES[:1]) -> tuple[int, list[tuple]]:
    """How many draws laws applied to, and those that were beyond rounding: the law, the example, the family, the
    seed, the dtype."""
    count, wrong = 0, []
    for rule in rules:
        for n, example in enumerate(rule.examples):
            for family, name, seed in product(families(rule), names, range(draws)):
                found = laws.beyond(rule, example, family, seed, name)
                count += found is not None
                if found:
                    wrong.append((rule.law, n, family, seed, name))
    return count, wrong


def test_a_law_of_each_name_changes_rounding_alone():
    turns = {name: n for n, name in enumerate(BY_NAME)}
    one = lambda rule: [own[turns[rule.name] % len(own)] for own in [laws.families(rule)]]
    count, wrong = judged(BY_NAME.values(), 1, one)
    assert count > len(BY_NAME) * 0.8 and not wrong


@pytest.mark.long
@pytest.mark.parametrize("name", BY_NAME)
def test_all_laws_change_rounding_alone(name):
    count, wrong = judged([rule for rule in RULES if rule.name == name], DRAWS, names=DTYPES)
    print(f"{name}: {count} draws, {len(wrong)} beyond")
    assert count and not wrong


def require_alike(seeds) -> None:
    for seed in seeds:
        with np.errstate(all="ignore"):
            graph, arrays = laws.chain(seed)
            written = laws.Written(graph, arrays, seed)
            for word in WORDS:
                (found,) = laws.run(simplify(graph, math=word), arrays)
                wrong = written.beyond(found, strict=word == "strict")
                assert not wrong.any(), f"seed {seed}, {word}, at {np.argwhere(wrong)[0]}"


def test_chains_of_numbers_that_are_known_mean_what_they_say():
    require_alike(range(30))


@pytest.mark.long
def test_more_chains_of_numbers_that_are_known():
    require_alike(range(30, 1000))


def _sum(m):
    return {"C": m.array("A") + m.array("B")}


UNSOUND = {
    "terms as one": ("x + A + B = x + C", {"x": "f32[6]", "A": "f32[6]", "B": "f32[6]"}, _sum),
    "factors as one": (
        "x * A * B = x * C",
        {"x": "f32[6]", "A": "f32[6]", "B": "f32[6]"},
        lambda m: {"C": m.array("A") * m.array("B")},
    ),
    "a shift behind a product": (
        "matmul(x + S, W) = matmul(x, W) + D",
        {"x": "f32[3,4]", "S": "f32[4]", "W": "f32[4,5]"},
        lambda m: {"D": m.array("S") @ m.array("W")},
    ),
    "a gate by a line": (
        "clip(x + 3, low=0, high=6) / 6 = hard_sigmoid(x, alpha=0.16666666666666666)",
        {"x": "f32[6]"},
        None,
    ),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_laws_that_do_not_hold_are_found(name):
    text, holes, when = UNSOUND[name]
    _, wrong = judged([law(name, text, holes, when=when)], 24)
    assert wrong


def test_the_page_of_floats_names_each_law():
    text = " ".join(PAGE.read_text().split())
    missing = [name for name in BY_NAME if f"| {name} |" not in text and f"*{name}*" not in text]
    assert not missing
    assert {rule.within for rule in RULES} == set(WITHIN)
