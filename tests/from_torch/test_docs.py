"""docs/torch.md names what is read. The declarations need no torch."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from griotte.torch.operators import COMPLEX, FILES, OPERATORS

DOCS = (Path(__file__).parents[2] / "docs/torch.md").read_text()


def declared() -> dict[str, set[str]]:
    """The operators of each file, without their overloads."""
    found = defaultdict(set)
    for name, read in (*OPERATORS.items(), *COMPLEX.items()):
        found[read.__module__.rpartition(".")[2]].add(name.removeprefix("prims.").split(".")[0])
    return found


def test_operators_are_those_of_the_table():
    section = DOCS.partition("\n## Operators\n")[2].partition("\n## ")[0]
    rows = {name: set(told.split()) for name, told in re.findall(r"^\| (\w+) \| ([^|]+) \|$", section, re.M)}
    assert rows.pop("file") and rows == declared()


def test_each_file_declares():
    assert set(declared()) == {file.__name__.rpartition(".")[2] for file in FILES}


def test_griotte_loads_no_torch():
    code = "import sys, griotte, griotte.torch, griotte.torch.operators; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
