"""Groups of verbs, each of which is loaded when it is called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click


class Verbs(click.Group):
    """Verbs that are modules of a package: the command that each has is of the module's name. What a list of them says
    of each stands beside its name, so that a list loads none."""

    def __init__(self, name: str, *, package: str, verbs: Mapping[str, str], **more):
        super().__init__(name, **{"subcommand_metavar": "VERB ...", **more})
        self.package, self.verbs = package, verbs

    def list_commands(self, ctx) -> list[str]:
        return sorted(self.verbs)

    def get_command(self, ctx, name: str) -> click.Command | None:
        return getattr(import_module(f"{self.package}.{name}"), name) if name in self.verbs else None

    def format_commands(self, ctx, formatter) -> None:
        room = formatter.width - 6 - max(map(len, self.verbs))
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, click.Command(name, help=self.verbs[name]).get_short_help_str(room))
                    for name in self.list_commands(ctx)
                ]
            )

    def resolve_command(self, ctx, args):
        if args[0] not in self.verbs:
            after = f" after {ctx.command_path}" if ctx.parent is not None else ""
            told = f"expected a verb ({' '.join(self.verbs)}){after}, found {args[0]!r}"
            raise click.UsageError(f"{told}; see {ctx.command_path} --help", ctx)
        return super().resolve_command(ctx, args)
