"""griotte learn: how a model of programs' times is come by. One module each; they import what they need when they
run."""

from __future__ import annotations

import click

from ..groups import Verbs
from .collect import collect
from .eval import eval_
from .fit import fit
from .show import show

COMMANDS = (collect, fit, eval_, show)


@click.group(
    "learn", cls=Verbs, commands={command.name: command for command in COMMANDS}, subcommand_metavar="VERB ..."
)
def learn() -> None:
    """Time programs of many Specs, fit a model of their times, judge it."""


__all__ = ["learn"]
