"""A kernel as a package for C and C++ programs: its header, its C++ wrapper, the C that chooses among targets at run
time, and the files for CMake and pkg-config. Each is a template, a text with places such as @name@.

Not here: compilers and files (runtime/packages.py), the C of a target (codegen/).
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

_PLACE = re.compile(r"@(\w+)@")


def filled(template: str, words: dict[str, str]) -> str:
    """A template whose places have their words; KeyError where one has none."""
    return _PLACE.sub(lambda place: words[place[1]], _read(template))


@cache
def _read(template: str) -> str:
    return resources.files(__package__).joinpath("templates", template).read_text(encoding="utf-8")
