"""griotte learn: how a model of programs' times is made."""

from __future__ import annotations

import click

from .. import Verbs

VERBS = {
    "collect": ("collect", "Time diverse programs of many Specs on this machine."),
    "prune": ("models", "Keep of timed programs what models are fitted to, in a small file."),
    "fit": ("models", "Fit a model of prices' errors to timed programs."),
    "eval": ("models", "Judge models of programs' times beside the price."),
    "show": ("models", "Tell what a model was made of, its largest terms and what it earned."),
}


@click.group("learn", cls=Verbs, package=__name__, verbs=VERBS)
def learn() -> None:
    """Time programs of many Specs, fit a model of their times, judge it."""
