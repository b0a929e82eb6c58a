"""Functions of a module by their own names, for tables of what tests call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def named(module: Any, names: str) -> dict[str, Callable[..., Any]]:
    """{name: module.name} of names that stand apart in a text."""
    return {name: getattr(module, name) for name in names.split()}
