"""Benchmarks and the lab's harnesses, which no test runs, take of griotte what there is."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
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


ROWS = np.array([[3, 1, 3, 2], [5, 5, 0, 5]], np.float32)
PLACES = {  # what is found, what is wanted, other results, whether it is as good
    "of the largest": ([2, 3], [0, 0], [], True),
    "of another": ([1, 3], [0, 0], [], False),
    "of a result": ([[2, 0], [1, 3]], [[0, 2], [0, 1]], [[[3, 3], [5, 5]]], True),
    "of no result": ([[1, 3], [2, 2]], [[1, 3], [2, 2]], [[[1, 1], [0, 0]]], False),
    "twice": ([[2, 2], [1, 1]], [[0, 2], [0, 1]], [[[3, 3], [5, 5]]], False),
    "in order": ([[1, 3, 2, 0], [2, 3, 0, 1]], [[1, 3, 0, 2], [2, 0, 1, 3]], [], True),
    "among all": ([3], [3], [], False),
    "beyond": ([4, 0], [0, 0], [], False),
}


@pytest.mark.parametrize("found, wanted, beside, is_good", PLACES.values(), ids=PLACES)
def test_places_of_equal_elements(monkeypatch, found, wanted, beside, is_good):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    are_places = import_module("sampled").are_places
    assert are_places(np.array(found), np.array(wanted), [ROWS], [np.array(each) for each in beside]) is is_good
