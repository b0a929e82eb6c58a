"""Tables of operators: a name, or several, and the function of arrays that they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from inspect import Parameter, Signature, signature
from typing import Any

from ..support.errors import SpecError
from .operators import array

OperatorTable = tuple[tuple[Any, ...], ...]
"""In a file `OPERATORS`: a function is given the node that is read where its first parameter is called `node`, then
arrays. A row has names and a function; XLA's have more."""


def inputs(given: Sequence[Any], least: int, most: int) -> list[Any]:
    """The operands of a node, None for those that are left out at the end; SpecError where it has fewer or more."""
    if not least <= len(given) <= most:
        raise SpecError(f"it is given other operands than it has: {len(given)}, not {least} to {most}")
    return [*given, *[None] * (most - len(given))]


def calling(call: str, **defaults: Any) -> Callable[..., Any]:
    """A call of the language of one array, with these defaults of its attributes."""

    def function(*given: Any, **told: Any) -> Any:
        return array.call(call, *given, **told)

    by_name = [Parameter(name, Parameter.KEYWORD_ONLY, default=default) for name, default in defaults.items()]
    own = [Parameter("x", Parameter.POSITIONAL_ONLY), *by_name]
    function.__signature__ = Signature(own)  # type: ignore[attr-defined]
    return function


def names_of(file: Any, tables: Iterable[str] = ("OPERATORS",)) -> list[str]:
    """The names that a file declares."""
    return [name for table in tables for names, *_ in getattr(file, table, ()) for name in names.split()]


def with_node(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a table as one that is given the node, whether it reads it or not."""
    own = signature(function)
    if next(iter(own.parameters), "") == "node":
        return function

    def of_node(node: Any, *given: Any, **how: Any) -> Any:
        return function(*given, **how)

    told = own.replace(parameters=[Parameter("node", Parameter.POSITIONAL_ONLY), *own.parameters.values()])
    of_node.__signature__ = told  # type: ignore[attr-defined]
    return of_node


def of_files(
    files: Iterable[Any], key: Callable[[str], Any] = str, table: str = "OPERATORS"
) -> dict[Any, Callable[..., Any]]:
    """The tables of several files as one: by the key of each name a function of a node and arrays."""
    rows = [(names, with_node(function)) for file in files for names, function in getattr(file, table, ())]
    return {key(name): function for names, function in rows for name in names.split()}
