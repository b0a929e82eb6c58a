"""The steps of a hand schedule as type checkers see them: src/griotte/compiler/steps.pyi, written of the rewrites'
declarations.

`python tests/stubs.py` writes it anew; a test says when that is wanted.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import griotte as gt
from griotte.engine.rewrites import steps

STUB = Path(__file__).parents[1] / "src/griotte/compiler/steps.pyi"
HEAD = '''"""The methods of Schedule that rewrites declare, for type checkers. Written by tests/stubs.py."""

from .scheduling import Schedule

class Steps:
'''


def stub() -> str:
    return HEAD + "\n".join(method(step.__name__) for step in steps())


def method(name: str) -> str:
    """A method's signature and the first line of its help, as the formatter has them."""
    found = getattr(gt.Schedule, name)
    arguments = list(map(argument, inspect.signature(found).parameters.values()))
    begin, end = f"    def {name}(", f') -> Schedule:\n        """{inspect.getdoc(found).splitlines()[0]}"""\n'
    line = ", ".join(arguments)
    if len(begin + line + end.splitlines()[0]) <= 120:
        return begin + line + end
    if len(line) <= 112:
        return f"{begin}\n        {line}\n    {end}"
    each = "".join(f"        {one},\n" for one in arguments)
    return f"{begin}\n{each}    {end}"


def argument(of: inspect.Parameter) -> str:
    typed = of.name if of.annotation is of.empty else f"{of.name}: {of.annotation}"
    return typed if of.default is of.empty else f"{typed} = {of.default!r}"


if __name__ == "__main__":
    STUB.write_text(stub())
