"""Names of a package that are loaded when they are first asked for: a reader of a saved kernel needs no search, a
writer of a Spec needs no compiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from sys import modules


def later(package: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package.

    Args:
        package: its name.
        names: by module, from the package on, the names that come from there, with blanks between them. Those of no
            module ("") are modules themselves.
    """
    module_of = {name: module for module, each in names.items() for name in each.split()}

    def __getattr__(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{module_of[name] or name}")
        found = getattr(module, name) if module_of[name] else module
        setattr(modules[package], name, found)
        return found

    return __getattr__
