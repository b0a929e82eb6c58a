"""The table of docs/explanation/narrowings.md has the values of the code: of each row that names a constant the first
literal of its value is that constant."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[1] / "docs/explanation/narrowings.md"
ROWS = [[cell.strip() for cell in row[1:-1].split("|")] for row in re.findall(r"^\| .*\|$", PAGE.read_text(), re.M)]
NAMED = [(row[0], row[1], row[-1].strip("`")) for row in ROWS if row[-1].startswith("`")]


def constant(name: str) -> Any:
    """What a dotted name within griotte stands for."""
    parts = f"griotte.{name}".split(".")
    modules = [i for i in range(len(parts), 0, -1) if is_module(parts[:i])]
    found: Any = import_module(".".join(parts[: modules[0]]))
    for part in parts[modules[0] :]:
        found = getattr(found, part)
    return found


def is_module(parts: list[str]) -> bool:
    folder = Path(import_module("griotte").__file__).parent.joinpath(*parts[1:])
    return folder.is_dir() or folder.with_suffix(".py").exists()


def literal(value: str) -> Any:
    """The first of a cell; 1e999 is infinite."""
    return ast.literal_eval(re.findall(r"`([^`]*)`", value)[0].replace("inf", "1e999"))


def test_every_row_has_all_columns():
    assert len(ROWS) > 30 and {len(row) for row in ROWS} == {5}


@pytest.mark.parametrize(("limit", "value", "name"), NAMED, ids=[name for *_, name in NAMED])
def test_a_value_is_that_of_the_code(limit, value, name):
    assert constant(name) == literal(value)


def test_many_rows_name_a_constant():
    assert len(NAMED) >= 15
