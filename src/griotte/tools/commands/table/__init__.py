"""griotte table: verbs on files of solved Specs."""

from __future__ import annotations

import click

from .. import Verbs

VERBS = {
    "stats": ("contents", "Tell what a table holds, for each target and operation."),
    "map": ("map", "Draw a plane of sizes, coloured by what the best program for each does first."),
    "precompute": ("precompute", "Solve many Specs into a table."),
    "merge": ("contents", "Add what the tables FROM hold to INTO, a table or a new file."),
    "verify": ("verify", "Check every row of a table, and solve its Specs again."),
    "export": ("contents", "Write a table's boxes as rows: sizes, limits, decision."),
    "shipped": ("shipped", "Tell what the table that comes with griotte holds, and what of it serves."),
    "prune": ("contents", "Drop what other versions of the search space solved."),
}


@click.group("table", cls=Verbs, package=__name__, verbs=VERBS)
def table() -> None:
    """Look at tables of solved Specs, join, check and fill them."""
