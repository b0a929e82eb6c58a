"""griotte table map: a plane of the table as a picture or a page."""

from __future__ import annotations

from pathlib import Path

import click

from ....compiler.reports.drawing import plotting
from ....compiler.reports.html import write
from ....compiler.reports.map import table_map
from ....compiler.reports.map_html import page
from ....compiler.reports.map_png import png
from ....compiler.session import SearchArguments, session_of
from ....support.errors import SpecError
from .. import options
from ..output import show, status
from ..reading import parse_all

SUFFIXES = (".html", ".png")


@click.command()
@options.one_spec
@click.option("--x", default=None, metavar="AXIS", help="Dimension, or memory level, that lies along  [the first]")
@click.option("--y", default=None, metavar="AXIS", help="The one that goes up  [the second]")
@click.option(
    "-o", "path", required=True, metavar="FILE", help="map.html, a page with controls, or map.png, a picture."
)
@click.option(
    "--family", metavar="TEXT|N", help="goal, a part of a family's text, or N: the one with the N-th most boxes  [goal]"
)
@click.option(
    "--at", multiple=True, metavar="DIM=SIZE", help="Where another dimension is held  [where most decisions show]"
)
@click.option(
    "--limit",
    multiple=True,
    metavar="LEVEL=SHARE",
    help="Share of a memory level that is left, such as L1=0.5  [likewise]",
)
@options.target
@options.threads
@options.table
@options.as_json
@options.gathered
def map(
    spec: str, x: str | None, y: str | None, path: str, family: str | None, at: tuple[str, ...], limit: tuple[str, ...],
    asked: SearchArguments,
) -> None:  # fmt: skip
    """Draw a plane of sizes, coloured by what the best program for each does first.

    What the table does not hold of SPEC is solved first.
    """
    suffix = Path(path).suffix
    if suffix not in SUFFIXES:
        raise SpecError(f"expected -o with a name that ends in {' or '.join(SUFFIXES)}, found {path}; name such a file")
    if suffix == ".png":
        plotting()
    given = dict(_pair("--at", word) for word in at) | dict(_pair("--limit", word) for word in limit)
    (parsed,) = parse_all((spec,))
    with status("searching"):
        session = session_of(**asked).of_call(parsed)
        found = table_map(parsed, session.target, session.threads, session.store)
    with status("drawing"):
        plane = plane_of(found, x, y, family, given)
        write(path, png(found, plane) if suffix == ".png" else page(found, plane).encode())
    text = f"wrote {path}: {plane.map.text}" + f", {plane.others}" * bool(plane.at)
    show(facts(found, plane) | {"files": [path]}, text)


def _pair(option: str, word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (name and equals and value):
        raise SpecError(
            f"expected {option} with NAME=VALUE, found {word!r}; such as"
            f" {'--at k=64' if option == '--at' else '--limit L1=0.5'}"
        )
    return name.strip(), value.strip()


def plane_of(found, x: str | None, y: str | None, family: str | None, given: dict[str, str]):
    """The Plane that the options name. SpecError for an axis that there is not."""
    names = [name for name in (x, y) if name is not None]
    shown = found.family(family or _default(found, (*names, *given)), (*names, *given))
    free = [axis.name for axis in shown.axes if axis.name not in (*names, *given)]
    if len(free) < 2 - len(names):
        raise SpecError(
            "expected a family with two axes or more that are not held, found"
            f" {' '.join(a.name for a in shown.axes) or 'none'} in {shown.text}; name another --family, or hold fewer"
        )
    x = x if x is not None else free.pop(0)
    y = y if y is not None else free.pop(0)
    at = {}
    for name, value in given.items():
        if name in (x, y):
            raise SpecError(
                f"expected --at and --limit for axes other than {x} and {y}, found {name}={value}; they are drawn"
                " whole: leave it out"
            )
        at[name] = shown.axes[shown.axis(name)].place(value)
    return shown.plane(x, y, shown.busiest(x, y, at) if x != y else at)


def _default(found, names: tuple[str, ...]) -> str | None:
    """The goal's family where it has the axes that are named; None: the first that has."""
    return "goal" if set(names) <= {axis.name for axis in found.family("goal", ()).axes} else None


def facts(found, plane) -> dict:
    """What --json says of a plane."""
    held = {name: plane.map.axes[plane.map.axis(name)].ticks[c] for name, c in plane.at.items()}
    return {
        "spec": found.spec,
        "target": found.target,
        "families": len(found.families),
        "cells": found.cells,
        "boxes": found.count,
        "family": {"text": plane.map.text, "cells": plane.map.cells, "boxes": plane.map.count},
        "plane": {
            "x": plane.x.name,
            "y": plane.y.name,
            "at": held,
            "boxes": len(plane.sections),
            "decisions": len(plane.counts),
        },
    }
