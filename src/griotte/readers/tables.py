"""Tables of operators: a name, or several, and the function of arrays that they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from inspect import Parameter, Signature, signature
from typing import Any

from .operators import array

OperatorTable = tuple[tuple[str, Callable[..., Any]], ...]
"""In a file `OPERATORS`, functions of the node that is read and of arrays, and `FUNCTIONS`, of arrays alone."""


def named(file: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    """What a file's tables say, by name: functions of a node and arrays."""
    for names, function in getattr(file, "FUNCTIONS", ()):
        yield from ((name, without_node(function)) for name in names.split())
    for names, function in getattr(file, "OPERATORS", ()):
        yield from ((name, function) for name in names.split())


def calling(call: str, **defaults: Any) -> Callable[..., Any]:
    """A call of the language of arrays, with attributes that are these where nothing is told."""

    def function(*given: Any, **told: Any) -> Any:
        return array.call(call, *given, **told)

    by_name = [Parameter(name, Parameter.KEYWORD_ONLY, default=default) for name, default in defaults.items()]
    own = [Parameter("x", Parameter.POSITIONAL_ONLY), *by_name]
    function.__signature__ = Signature(own)  # type: ignore[attr-defined]
    return function


def names_of(file: Any, tables: Iterable[str] = ("OPERATORS", "FUNCTIONS")) -> list[str]:
    """The names that a file declares."""
    return [name for table in tables for names, _ in getattr(file, table, ()) for name in names.split()]


def without_node(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of arrays alone as one that is given the node as well."""

    def of_node(node: Any, *given: Any, **how: Any) -> Any:
        return function(*given, **how)

    own = signature(function)
    told = own.replace(parameters=[Parameter("node", Parameter.POSITIONAL_ONLY), *own.parameters.values()])
    of_node.__signature__ = told  # type: ignore[attr-defined]
    return of_node


def of_files(files: Iterable[Any], key: Callable[[str], Any] = str) -> dict[Any, Callable[..., Any]]:
    """The tables of several files as one."""
    return {key(name): function for file in files for name, function in named(file)}
