"""Verbs that have verbs of their own."""

from __future__ import annotations

import click


class Verbs(click.Group):
    """The verbs of `griotte NAME`; a wrong one is told like a wrong verb of griotte."""

    def resolve_command(self, ctx, args):
        if self.get_command(ctx, args[0]) is None:
            raise click.UsageError(
                f"expected a verb ({' '.join(self.commands)}) after griotte {self.name}, found {args[0]!r}; see griotte"
                f" {self.name} --help",
                ctx,
            )
        return super().resolve_command(ctx, args)
