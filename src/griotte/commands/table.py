"""griotte table: what is done with files of solved Specs. The verbs are the modules of `tables`."""

from __future__ import annotations

import click

from .groups import Verbs
from .tables import COMMANDS


@click.group(
    "table", cls=Verbs, commands={command.name: command for command in COMMANDS}, subcommand_metavar="VERB ..."
)
def table() -> None:
    """Look at tables of solved Specs, join, check and fill them."""
