"""griotte learn: how a model of programs' times is come by. Its verbs are the modules of this package."""

from __future__ import annotations

import click

from ..groups import Verbs

VERBS = {
    "collect": "Time diverse programs of many Specs on this machine.",
    "fit": "Fit a model of prices' errors to timed programs.",
    "eval": "Judge models of programs' times beside the price.",
    "show": "Tell what a model was made of, its largest terms and what it earned.",
}


@click.group("learn", cls=Verbs, package=__name__, verbs=VERBS)
def learn() -> None:
    """Time programs of many Specs, fit a model of their times, judge it."""
