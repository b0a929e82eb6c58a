"""griotte table shipped: what the table that comes with griotte answers here."""

from __future__ import annotations

from typing import Any

import click

from ....engine.table.shipped import shipped as found
from ....engine.table.shipped.keys import scope
from ....engine.table.shipped.reading import VARIABLE
from ....runtime.leaves import resolved
from .. import options
from ..output import many, number, show, size


@click.command("shipped")
@options.target
@options.as_json
def shipped(target: str) -> None:
    """Tell what the table that comes with griotte holds, and what of it serves.

    It lies beneath the table of the user's cache. A Spec is answered where its
    arrays rest in a cache that is priced here as on one of its machines.
    """
    table = found()
    layout = None if table is None else table.layout
    if table is None or layout is None:
        result: dict[str, Any] = {"table": None if table is None else str(table.path), "machines": []}
        show(result, f"{VARIABLE}=none leaves it out" if table is None else f"{table.path}: none, or not whole")
        return
    here = resolved(target)
    machines = [
        {"name": name, "specs": told["specs"], "levels": served(told["scopes"], here) if table.is_current else []}
        for name, told in sorted(layout.header["machines"].items())
    ]
    result = {
        "table": str(table.path),
        "table_bytes": table.path.stat().st_size,
        "space": "current" if table.is_current else "old",
        "target": here.name,
        "machines": machines,
    }
    lines = [f"{table.path}   {size(result['table_bytes'])}, {number(len(layout))} records, space {result['space']}"]
    lines += [
        f"{each['name']}: {many(each['specs'], 'Spec')}; {_answers(each['levels'], here.name)}" for each in machines
    ]
    show(result, "\n".join(lines))


def served(scopes: list[str], target) -> list[str]:
    """The levels of a target at which arrays of f32 may rest and be answered for, by those of a machine."""
    return [
        level.name
        for n, (level, theirs) in enumerate(zip(target.levels[1:], scopes), 1)
        if scope(target, n, "f32") == theirs
    ]


def _answers(levels: list[str], target: str) -> str:
    return f"of f32, answers {target} where arrays rest in {', '.join(levels)}" if levels else f"nothing for {target}"
