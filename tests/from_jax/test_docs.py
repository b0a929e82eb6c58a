"""docs/reference/jax.md names what is read. The declarations need no jax."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from griotte.readers.stablehlo.operators import FILES, OPERATORS, REFUSED
from griotte.readers.tables import names_of

DOCS = (Path(__file__).parents[2] / "docs/reference/jax.md").read_text()


def declared() -> dict[str, set[str]]:
    """The primitives of each file."""
    return {file.__name__.rpartition(".")[2]: set(names_of(file)) for file in FILES}


def test_primitives_are_those_of_the_table():
    section = DOCS.partition("\n## Primitives\n")[2].partition("\n## ")[0]
    rows = {name: set(told.split()) for name, told in re.findall(r"^\| (\w+) \| ([^|]+) \|$", section, re.M)}
    assert rows.pop("file") and rows == declared()


def test_each_file_declares():
    assert all(declared().values())


def test_nothing_is_both_declared_and_refused():
    assert not OPERATORS.keys() & REFUSED.keys()


def test_griotte_loads_no_jax():
    code = "import sys, griotte, griotte.jax, griotte.readers.stablehlo.operators; assert 'jax' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
