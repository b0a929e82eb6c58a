"""docs/reference/torch.md names what is read. The declarations need no torch."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from griotte.readers.tables import names_of
from griotte.torch.operators import COMPLEX, FILES, OPERATORS
from griotte.torch.operators.complex import EACH, TOGETHER

DOCS = (Path(__file__).parents[2] / "docs/reference/torch.md").read_text()


def declared() -> dict[str, set[str]]:
    """The operators of each file, without their overloads."""
    found = {file.__name__.rpartition(".")[2]: names_of(file, ("OPERATORS", "COMPLEX")) for file in FILES}
    found["complex"] += [*EACH.split(), *TOGETHER.split()]
    return {file: {name.removeprefix("prims.").split(".")[0] for name in names} for file, names in found.items()}


def test_operators_are_those_of_the_table():
    section = DOCS.partition("\n## Operators\n")[2].partition("\n## ")[0]
    rows = {name: set(told.split()) for name, told in re.findall(r"^\| (\w+) \| ([^|]+) \|$", section, re.M)}
    assert rows.pop("file") and rows == declared()


def test_each_file_declares():
    assert all(declared().values())


def test_none_is_decomposed():
    """What torch decomposes is never read: a declaration of it would be of no use."""
    exporting = pytest.importorskip("griotte.torch.exporting", reason="torch decomposes: pip install 'griotte[torch]'")
    decomposed = {str(each).removeprefix("aten.") for each in exporting.torch.export.default_decompositions()}
    assert not (decomposed - set(exporting.WHOLE)) & {*OPERATORS, *COMPLEX}


def test_griotte_loads_no_torch():
    code = "import sys, griotte, griotte.torch, griotte.torch.operators; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
