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


def has(module: str, name: str) -> bool:
    """Whether a module has a name; of one that needs a package which is not here, whether its text defines it."""
    try:
        return hasattr(import_module(module), name) or find_spec(f"{module}.{name}") is not None
    except ModuleNotFoundError as absent:
        assert not str(absent.name).startswith("griotte"), absent
        found = find_spec(module)
        assert found is not None and found.origin is not None
        defined = ast.parse(Path(found.origin).read_text()).body
        return name in {getattr(node, "name", "") for node in defined}


@pytest.mark.parametrize("path", HARNESSES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_imported_of_griotte_is_there(path):
    missing = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("griotte", "griotte_peers"):
            missing += [f"{node.module}.{each.name}" for each in node.names if not has(node.module, each.name)]
    assert not missing
