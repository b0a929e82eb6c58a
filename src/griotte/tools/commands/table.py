"""griotte table: what is done with files of solved Specs. Its verbs are the modules of `tables`."""

from __future__ import annotations

import click

from . import tables
from .groups import Verbs

VERBS = {
    "stats": "Tell what a table holds, for each target and operation.",
    "map": "Draw a plane of sizes, coloured by what the best program for each does first.",
    "precompute": "Solve many Specs into a table.",
    "merge": "Add what the tables FROM hold to INTO, a table or a new file.",
    "verify": "Check every row of a table, and solve its Specs again.",
    "export": "Write a table's boxes as rows: sizes, limits, decision.",
    "prune": "Drop what other versions of the search space solved.",
}


@click.group("table", cls=Verbs, package=tables.__name__, verbs=VERBS)
def table() -> None:
    """Look at tables of solved Specs, join, check and fill them."""
