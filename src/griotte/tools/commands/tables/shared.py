"""What the verbs of `griotte table` share."""

from __future__ import annotations

import click

from ....support.printable import printable
from ..output import echo

file = click.argument("file", metavar="FILE")


def count(value: int) -> str:
    """34,623,123 as a person reads it: 34.6 M."""
    for unit, name in ((10**9, "G"), (10**6, "M"), (10**5, "k")):
        if value >= unit:
            return f"{value / min(unit, 10**3 if name == 'k' else unit):.3g} {name}"
    return f"{value:,}"


def many(value: int, one: str, several: str | None = None) -> str:
    """1 patch, 2 patches."""
    return f"{count(value)} {one if value == 1 else several or one + 's'}"


def complain(messages: list[str], most: int = 8) -> None:
    """A line each on standard error; after a few, how many more."""
    for message in messages[:most]:
        echo(f"griotte: {printable(message)}", err=True)
    if len(messages) > most:
        echo(f"griotte: and {len(messages) - most} more", err=True)
