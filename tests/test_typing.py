"""The public face as type checkers see it: a user's file that takes every public name passes mypy --strict and pyright.

Either is left out, with its reason, where it is not installed (extra `dev`); `make lint` runs both.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import griotte as gt
import pytest
from griotte.lang.constructors.forms import FORMS
from griotte.support import errors
from stubs import STUB, stub

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "tests/typing/example.py"
STAGES = {
    *("tensor", "TensorType", "parse", "outputs", "Spec", "interpret", "synthesize", "Program", "schedule", "Schedule"),
    *(
        "Target",
        "compile",
        "Kernel",
        "from_jax",
        "from_onnx",
        "from_stablehlo",
        "from_torch",
        "ModelGraph",
        "graph",
        "jit",
        "report",
    ),
    *("get_num_threads", "set_num_threads"),
}
CHECKERS = {
    "mypy": ("-m", "mypy", "--config-file", "tests/typing/mypy.ini", str(EXAMPLE)),
    "pyright": ("-m", "pyright", "--pythonpath", sys.executable, "-p", "tests/typing"),
}


def checked(checker: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The checker over tests/typing, or over what is named in place of it."""
    if find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed: pip install -e '.[dev]'")
    command = arguments or CHECKERS[checker]
    return subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True)


def test_the_face_is_the_language_and_the_stages():
    assert set(gt.__all__) == {*FORMS, *STAGES, *errors.__all__} and dir(gt) == sorted(gt.__all__)
    assert all(getattr(gt, name) is form.constructor for name, form in FORMS.items())


def test_the_example_takes_every_public_name():
    taken = {
        node.attr
        for node in ast.walk(ast.parse(EXAMPLE.read_text()))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "gt"
    }
    assert taken == set(gt.__all__)


def test_the_example_runs(tmp_path):
    found = subprocess.run([sys.executable, EXAMPLE], cwd=tmp_path, capture_output=True, text=True)
    assert not found.returncode, found.stderr


@pytest.mark.long  # so does make lint
@pytest.mark.parametrize("checker", CHECKERS)
def test_checkers_pass_over_the_example(checker):
    found = checked(checker)
    assert not found.returncode, found.stdout + found.stderr


WRONG = """import griotte as gt

gt.matmul(8, 8)
gt.exp(gt.tensor((8,)), "f32", (0,))
gt.nothing
s = gt.schedule("exp(f32[8])")
s.tile(8, "i0")
s.move(0)
s.split("i0", 2).nothing
"""


@pytest.mark.long
def test_what_is_wrong_is_seen(tmp_path):
    """The checkers know the signatures: they are no `Any`."""
    wrong = tmp_path / "wrong.py"
    wrong.write_text(WRONG)
    found = checked("mypy", "-m", "mypy", "--config-file", "tests/typing/mypy.ini", str(wrong))
    assert found.stdout.count("error:") == 8, found.stdout  # both operands are no tensors, nor both arguments of a tile


def test_checkers_see_the_steps_that_rewrites_declare():
    assert STUB.read_text() == stub(), "run python tests/stubs.py"
