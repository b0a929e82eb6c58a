"""Verbs that the public face names and that are not built yet: each says so in one line."""

from __future__ import annotations

import click

from ..errors import GriotteError


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def calibrate(words: tuple[str, ...]) -> None:
    """Measure this machine's cost coefficients (not built yet)."""
    raise GriotteError("calibrate is not built yet: costs are those of griotte.targets.COEFFICIENTS; to change them, describe the machine in a TOML file and pass it as --target")


class Later(click.Group):
    """Says of a verb that there is not that it is to come."""

    def resolve_command(self, ctx, args):
        if self.get_command(ctx, args[0]) is None:
            raise GriotteError(f"expected a verb of griotte table ({' '.join(self.commands)}), found {args[0]!r}, which is not built yet; see griotte table --help")
        return super().resolve_command(ctx, args)


@click.group("table", cls=Later)
def table() -> None:
    """Work with tables of solved Specs (map is built)."""
