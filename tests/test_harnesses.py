"""Benchmarks and the lab's harnesses, which no test runs, take of griotte what there is."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HARNESSES = sorted(
    path
    for room in ("benchmarks", "benchmarks/racing", "benchmarks/racing/rivals", "docs/lab/*")
    for path in ROOT.glob(f"{room}/*.py")
)


@pytest.mark.parametrize("path", HARNESSES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_imported_of_griotte_is_there(path):
    missing = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("griotte", "griotte_peers"):
            try:
                module = import_module(node.module)
            except ModuleNotFoundError as absent:  # an extra's package that is not installed here
                assert not str(absent.name).startswith("griotte"), absent
                continue
            missing += [
                f"{node.module}.{alias.name}"
                for alias in node.names
                if not hasattr(module, alias.name) and find_spec(f"{node.module}.{alias.name}") is None
            ]
    assert not missing
