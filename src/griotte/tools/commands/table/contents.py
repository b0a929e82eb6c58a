"""griotte table stats, merge, export and prune: what a table holds is shown, joined, exported, dropped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ....engine.table.contents import reading
from ....engine.table.export import export as write
from ....engine.table.whole_files import merge as join
from ....engine.table.whole_files import prune as drop
from ....runtime.cache_size import table, usage
from ....support.errors import TableError
from ....support.printable import printable
from .. import options
from ..output import many, number, show, size, status


@click.command()
@click.argument("into", metavar="INTO")
@click.argument("sources", metavar="FROM...", nargs=-1)
@options.as_json
def merge(into: str, sources: tuple[str, ...]) -> None:
    """Add what the tables FROM hold to INTO, a table or a new file.

    What INTO knows already is left out; the tables FROM stay as they are.
    """
    if not sources:
        raise TableError(f"expected one table or more to merge into {into}, found none; name them after it")
    with status("merging"):
        done = join(into, sources)
    found = {"table": into, "added": done.added, "points": done.points, "known": done.known}
    text = (
        f"{into}: {many(done.added, 'patch', 'patches')} of {many(done.points, 'point')} added, {number(done.known)}"
        " known already"
    )
    show(found | {"damaged": done.complaints}, text, done.complaints)


@click.command()
@options.file
@click.option("-o", "to", metavar="OUT", required=True, help="A file that ends in .parquet, .arrow or .csv.")
@options.as_json
def export(file: str, to: str) -> None:
    """Write a table's boxes as rows: sizes, limits, decision.

    low and high are the sizes of a box on each axis, both ends included; kind is
    edge, tile or none. Parquet and Arrow need pyarrow: pip install 'griotte[table]'
    """
    with status("writing"):
        count, complaints = write(file, to)
    found = {"table": file, "files": [to], "rows": count, "damaged": complaints}
    show(found, f"wrote {to}: {many(count, 'box', 'boxes')}", complaints)


@click.command()
@options.file
@click.option("--all", "everything", is_flag=True, help="Drop everything: an empty table stays.")
@options.as_json
def prune(file: str, everything: bool) -> None:
    """Drop what other versions of the search space solved.

    A griotte whose space differs never reads it. The file becomes smaller.
    """
    dropped, before, after = drop(file, everything)
    text = (
        f"{file}: {many(len(dropped), 'target and version', 'targets and versions')} dropped, {size(before)} before,"
        f" {size(after)} now"
    )
    show({"table": file, "dropped": [c.name for c in dropped], "bytes_before": before, "table_bytes": after}, text)


@click.command()
@options.file
@options.as_json
def stats(file: str) -> None:
    """Tell what a table holds, for each target and operation."""
    found = examine(file)
    show(found, "\n".join(_lines(file, found)))


def _lines(file: str, found: dict[str, Any]) -> Iterator[str]:
    versions = many(len(found["contexts"]), "target and version", "targets and versions")
    yield f"{file}   {size(found['table_bytes'])}, {versions}"
    if "cache_bytes" in found:
        yield f"the cache it is in: {size(found['cache_bytes'])} of {size(found['cache_limit'])}"
    for context in found["contexts"]:
        yield (
            f"\n{printable(context['target'])} ({printable(context['target_key'][:8])}), space {context['space']}:"
            f" {many(context['goals'], 'goal')}"
        )
        width = max((len(printable(o["operation"])) for o in context["operations"]), default=0)
        for part in context["operations"]:
            yield f"  {printable(part['operation']):{width}}  {_line(part)}"
        if len(context["operations"]) > 1:
            yield f"  {'all':{width}}  {_line(context)}"
        for tuned in context["tuned"]:
            yield (
                f"  tuned   {printable(tuned['spec'])}, {many(tuned['threads'], 'thread')}: {tuned['speedup']:.2f} x"
                f" the speed of the model's best, of {tuned['of']}; {tuned['median_us']:.3g} us on"
                f" {printable(tuned['machine'])}"
            )


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
                keys = ("families", "patches", "points", "rectangles", "bytes")
                rows.append(
                    {
                        "target": context.name,
                        "target_key": context.target,
                        "space": "current" if context.current else "old",
                        "goals": goals.count(context.id),
                        **_ratios({key: sum(part[key] for part in mine) for key in keys}),
                        "operations": [{k: v for k, v in part.items() if k != "context"} for part in mine],
                        "tuned": [tuned.facts() for owner, tuned in tunings if owner == context.id],
                    }
                )
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
