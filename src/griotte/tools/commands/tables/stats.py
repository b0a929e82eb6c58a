"""griotte table stats: what a table holds, for each target and version of the space."""

from __future__ import annotations

from typing import Any

import click

from ....engine.table.contents import reading
from ....runtime.cache_size import table, usage
from ....support.printable import printable
from .. import options
from ..output import echo, print_json
from ..targets import size
from .shared import file, many


@click.command()
@file
@options.as_json
def stats(file: str, as_json: bool) -> None:
    """Tell what a table holds, for each target and operation."""
    found = examine(file)
    if as_json:
        print_json(found)
        return
    echo(
        f"{file}   {size(found['table_bytes'])},"
        f" {many(len(found['contexts']), 'target and version', 'targets and versions')}"
    )
    if "cache_bytes" in found:
        echo(f"the cache it is in: {size(found['cache_bytes'])} of {size(found['cache_limit'])}")
    for context in found["contexts"]:
        echo(
            f"\n{printable(context['target'])} ({printable(context['target_key'][:8])}), space {context['space']}:"
            f" {many(context['goals'], 'goal')}"
        )
        width = max((len(printable(o["operation"])) for o in context["operations"]), default=0)
        for part in context["operations"]:
            echo(f"  {printable(part['operation']):{width}}  {_line(part)}")
        if len(context["operations"]) > 1:
            echo(f"  {'all':{width}}  {_line(context)}")
        for tuned in context["tuned"]:
            what = (
                f"{printable(tuned['spec'])}, {many(tuned['threads'], 'thread')}: {tuned['speedup']:.2f} x the"
                " speed of the model's best"
            )
            echo(f"  tuned   {what}, of {tuned['of']}; {tuned['median_us']:.3g} us on {printable(tuned['machine'])}")


def examine(path: str) -> dict[str, Any]:
    """The JSON object of the verb."""
    with reading(path) as contents:
        tunings = contents.tunings()
        goals = [context for context, _, _ in contents.goals()]
        parts = _counts(contents)
        rows = []
        for context in contents.contexts():
            mine = [part for part in parts if part["context"] == context.id]
            if mine:
                total = _ratios(
                    {
                        key: sum(part[key] for part in mine)
                        for key in ("families", "patches", "points", "rectangles", "bytes")
                    }
                )
                operations = [{k: v for k, v in part.items() if k != "context"} for part in mine]
                version = "current" if context.current else "old"
                rows.append(
                    {
                        "target": context.name,
                        "target_key": context.target,
                        "space": version,
                        "goals": goals.count(context.id),
                        **total,
                        "operations": operations,
                    }
                )
                rows[-1]["tuned"] = [tuned.facts() for owner, tuned in tunings if owner == context.id]
        return {"table": str(path), "table_bytes": contents.bytes, **_fullness(contents.path), "contexts": rows}


def _fullness(path) -> dict[str, int]:
    """How full the cache is, where the table is in it."""
    if path != table():
        return {}
    held = usage()
    return {"cache_bytes": held.bytes, "cache_limit": held.limit}


def _counts(contents) -> list[dict[str, Any]]:
    """Patches counted by context and operation."""
    query = """SELECT p.context, iif(typeof(f.operation) = 'text', f.operation, '?'), count(DISTINCT p.key), count(*),
        sum(p.points), sum(p.boxes), sum(length(p.data))
        FROM patch p LEFT JOIN family f ON f.context = p.context AND f.key = p.key
        WHERE typeof(p.points) = 'integer' AND typeof(p.boxes) = 'integer' GROUP BY 1, 2 ORDER BY 1, 2"""
    names = "context", "operation", "families", "patches", "points", "rectangles", "bytes"
    return [_ratios(dict(zip(names, row))) for row in contents.db.execute(query)]


def _ratios(part: dict[str, Any]) -> dict[str, Any]:
    return {
        **part,
        "compression": part["points"] / max(1, part["rectangles"]),
        "bytes_per_point": part["bytes"] / max(1, part["points"]),
    }


def _line(part: dict[str, Any]) -> str:
    what = f"{many(part['families'], 'family', 'families')}, {many(part['patches'], 'patch', 'patches')}"
    return (
        f"{what}, {many(part['points'], 'point')} in {many(part['rectangles'], 'box', 'boxes')}"
        f" ({part['compression']:.0f} a box), {size(part['bytes'])} ({part['bytes_per_point']:.3f} B a point)"
    )
