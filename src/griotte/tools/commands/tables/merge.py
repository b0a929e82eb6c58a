"""griotte table merge: tables joined into one."""

from __future__ import annotations

import click

from ....engine.table.merge import merge as join
from ....support.errors import TableError
from .. import options
from ..output import echo, print_json, status
from .shared import complain, count, many


@click.command()
@click.argument("into", metavar="INTO")
@click.argument("sources", metavar="FROM...", nargs=-1)
@options.as_json
def merge(into: str, sources: tuple[str, ...], as_json: bool) -> None:
    """Add what the tables FROM hold to INTO, a table or a new file.

    What INTO knows already is left out; the tables FROM stay as they are.
    """
    if not sources:
        raise TableError(f"expected one table or more to merge into {into}, found none; name them after it")
    with status("merging", as_json):
        done = join(into, sources)
    if as_json:
        print_json(
            {"table": into, "added": done.added, "points": done.points, "known": done.known, "damaged": done.complaints}
        )
        return
    complain(done.complaints)
    echo(
        f"{into}: {many(done.added, 'patch', 'patches')} of {many(done.points, 'point')} added, {count(done.known)}"
        " known already"
    )
