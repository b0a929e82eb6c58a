"""griotte table: what is done with files of solved Specs. The verbs are the modules of `tables`."""

from __future__ import annotations

import click

from .tables import COMMANDS


class TableVerbs(click.Group):
    """The verbs of `griotte table`; a wrong one is told like a wrong verb of griotte."""

    def resolve_command(self, ctx, args):
        if self.get_command(ctx, args[0]) is None:
            raise click.UsageError(
                f"expected a verb ({' '.join(self.commands)}) after griotte table, found {args[0]!r}; see griotte table"
                " --help",
                ctx,
            )
        return super().resolve_command(ctx, args)


@click.group(
    "table", cls=TableVerbs, commands={command.name: command for command in COMMANDS}, subcommand_metavar="VERB ..."
)
def table() -> None:
    """Look at tables of solved Specs, join, check and fill them."""
