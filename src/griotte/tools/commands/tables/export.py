"""griotte table export: boxes as rows, for analysis elsewhere."""

from __future__ import annotations

import click

from ....engine.table.export import export as write
from .. import options
from ..output import echo, print_json, status
from .shared import complain, file, many


@click.command()
@file
@click.option("-o", "to", metavar="OUT", required=True, help="A file that ends in .parquet, .arrow or .csv.")
@options.as_json
def export(file: str, to: str, as_json: bool) -> None:
    """Write a table's boxes as rows: sizes, limits, decision.

    low and high are the sizes of a box on each axis, both ends included; kind is
    edge, tile or none. Parquet and Arrow need pyarrow: pip install 'griotte[table]'
    """
    with status("writing", as_json):
        count, complaints = write(file, to)
    if as_json:
        print_json({"table": file, "files": [to], "rows": count, "damaged": complaints})
        return
    complain(complaints)
    echo(f"wrote {to}: {many(count, 'box', 'boxes')}")
