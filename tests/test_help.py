"""`help()` of every public name: a summary, each argument, what is raised, an example, and the examples run."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import textwrap
from functools import cached_property

import griotte as gt
import numpy as np
import pytest

CLASSES = (gt.Spec, gt.Program, gt.Kernel, gt.Target, gt.Schedule, gt.TensorType)
PROPERTY = (property, cached_property)


def members(of: type) -> dict[str, object]:
    """The public methods and properties of a class of griotte's, and how it is called."""
    classes = [each for each in reversed(of.__mro__) if each.__module__.partition(".")[0] == "griotte"]
    every = {name: found for each in classes for name, found in vars(each).items()}
    own = {name: found for name, found in every.items() if not name.startswith("_") or name == "__call__"}
    return {name: x for name, x in own.items() if inspect.isfunction(x) or isinstance(x, PROPERTY)}


PUBLIC = {name: getattr(gt, name) for name in gt.__all__} | {
    f"{of.__name__}.{name}": found for of in CLASSES for name, found in members(of).items()
}


def documented(name: str) -> str:
    """The help of a public name; a method's may be its base class's."""
    owner, _, member = name.partition(".")
    return inspect.getdoc(getattr(getattr(gt, owner), member) if member else PUBLIC[name]) or ""


def raised(found: object) -> set[str]:
    """The errors that the code of a function raises itself."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(found))))
    calls = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)]
    return {ast.unparse(call.func) for call in calls} & set(gt.__all__)


def wanting(name: str) -> list[str]:
    """What the help of a public name lacks."""
    found, text = PUBLIC[name], documented(name)
    sections = set(re.findall(r"^(\w+):$", text, re.M))
    lacks = [] if re.match(r"\S.*\.(\n\n|$)", text) else ["a summary line"]
    if isinstance(found, PROPERTY):
        return lacks
    is_error = isinstance(found, type) and issubclass(found, (gt.GriotteError, gt.TableWarning))
    lacks += [] if "Examples" in sections and ">>> " in text else ["Examples"]
    if is_error:
        return lacks
    arguments = [
        parameter.name
        for parameter in inspect.signature(found).parameters.values()
        if parameter.name != "self" and not parameter.name.startswith("_")
    ]
    lacks += [argument for argument in arguments if not re.search(rf"^    \*{{0,2}}{argument}: ", text, re.M)]
    if inspect.isfunction(found):
        errors = raised(found) | ({"SpecError"} if arguments and "." not in name else set())
        lacks += [error for error in errors if not re.search(rf"^    {error}: ", text, re.M)]
    return lacks


def test_every_public_name_has_its_help():
    assert not {name: lacks for name in PUBLIC if (lacks := wanting(name))}


EXAMPLES = [name for name, found in PUBLIC.items() if not isinstance(found, PROPERTY)]


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(documented(name), {"gt": gt, "np": np}, name, None, 0)
    if all(example.options.get(doctest.SKIP) for example in test.examples) and test.examples:
        pytest.skip("the example needs torch or jax, which is not installed with griotte")
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert result.attempted and not result.failed, "".join(said)
