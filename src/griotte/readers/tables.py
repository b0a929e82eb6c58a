"""Tables of operators: a name, or several, and the function of arrays that they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from inspect import BoundArguments, Parameter, Signature, signature
from typing import Any

from ..support.errors import SpecError
from .operators import array

OperatorTable = tuple[tuple[Any, ...], ...]
"""In a file `OPERATORS`: a function is given the node that is read where its first parameter is called `node`, then
arrays. A row has names and a function; XLA's have more."""


def gathered(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that takes groups, parameters of a NamedTuple's type, as one that takes the fields of each.

    A framework passes `a, a_scale, a_zero, b, ..` where the function says a: Quantised. Of a group that is given by
    name alone, as attributes are, the fields are.
    """
    own = signature(function, eval_str=True)
    groups = {each.name: each.annotation for each in own.parameters.values() if hasattr(each.annotation, "_fields")}
    if not groups:
        return function
    is_repeated = {group for group, count in Counter(groups.values()).items() if count > 1}
    fields = {name: _fields(own.parameters[name], group in is_repeated) for name, group in groups.items()}
    flat = [part for name, each in own.parameters.items() for part in fields.get(name, [each])]
    whole = Signature([each.replace(annotation=Parameter.empty) for each in _required(flat)])

    def of_fields(*given: Any, **how: Any) -> Any:
        told = whole.bind(*given, **how)
        told.apply_defaults()
        arguments = dict(told.arguments)
        for name, group in groups.items():
            arguments[name] = group(*(arguments.pop(each.name) for each in fields[name]))
        bound = BoundArguments(own, arguments)
        return function(*bound.args, **bound.kwargs)

    of_fields.__signature__ = whole  # type: ignore[attr-defined]
    return of_fields


def _fields(group: Parameter, is_repeated: bool) -> list[Parameter]:
    """A parameter for each field of a group; of a type that several have, or of an array's `values` and more, named
    after the group's parameter."""
    names = list(group.annotation._fields)
    is_told = group.default is not Parameter.empty
    defaults = group.default._asdict() if is_told else group.annotation._field_defaults
    after = [group.name, *(f"{group.name}_{name}" for name in names[1:])]
    shown = after if is_repeated or names[0] == "values" else names
    kind = Parameter.KEYWORD_ONLY if group.kind is Parameter.KEYWORD_ONLY else Parameter.POSITIONAL_OR_KEYWORD
    return [Parameter(n, kind, default=defaults.get(name, Parameter.empty)) for n, name in zip(shown, names)]


def _required(given: list[Parameter]) -> list[Parameter]:
    """The same, in which what comes before a required operand is required too."""
    last = max((i for i, x in enumerate(given) if x.kind < 2 and x.default is Parameter.empty), default=-1)
    return [each.replace(default=Parameter.empty) if i < last else each for i, each in enumerate(given)]


def inputs(given: Sequence[Any], least: int, most: int) -> list[Any]:
    """The operands of a node, None for those that are left out at the end; SpecError where it has fewer or more."""
    if not least <= len(given) <= most:
        raise SpecError(f"it is given other operands than it has: {len(given)}, not {least} to {most}")
    return [*given, *[None] * (most - len(given))]


def calling(call: str, **defaults: Any) -> Callable[..., Any]:
    """A call of the language of arrays, with attributes that are these where nothing is told."""

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
    function = gathered(function)
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
