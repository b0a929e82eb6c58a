"""griotte table prune: what no search asks for any more goes."""

from __future__ import annotations

import click

from ....engine.table.prune import prune as drop
from .. import options
from ..output import echo, print_json
from ..targets import size
from .shared import file, many


@click.command()
@file
@click.option("--all", "everything", is_flag=True, help="Drop everything: an empty table stays.")
@options.as_json
def prune(file: str, everything: bool, as_json: bool) -> None:
    """Drop what other versions of the search space solved.

    A griotte whose space differs never reads it. The file becomes smaller.
    """
    dropped, before, after = drop(file, everything)
    if as_json:
        print_json({"table": file, "dropped": [c.name for c in dropped], "bytes_before": before, "table_bytes": after})
        return
    echo(
        f"{file}: {many(len(dropped), 'target and version', 'targets and versions')} dropped, {size(before)} before,"
        f" {size(after)} now"
    )
