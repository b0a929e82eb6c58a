"""Templates of a package's files: texts with places such as @name@."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_PLACE = re.compile(r"@(\w+)@")


def filled(template: str, words: dict[str, str]) -> str:
    """A template whose places have their words; KeyError where one has none."""
    return _PLACE.sub(lambda place: words[place[1]], _read(template))


@cache
def _read(template: str) -> str:
    return files(__package__).joinpath(template).read_text(encoding="utf-8")
