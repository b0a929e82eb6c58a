"""Verbs that the public face names and that are not built yet: each says so in one line."""

from __future__ import annotations

import click

from ..errors import GriotteError


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def calibrate(words: tuple[str, ...]) -> None:
    """Measure this machine's cost coefficients (not built yet)."""
    raise GriotteError("calibrate is not built yet: costs are those of griotte.targets.COEFFICIENTS; to change them, describe the machine in a TOML file and pass it as --target")
