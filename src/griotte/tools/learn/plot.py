"""Predicted and measured times by operation, as one HTML page that needs nothing else, or as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiler.reports.drawing import plotting, small
from ...support.errors import GriotteError
from ...support.folders import write_atomically
from .evaluate import ALL, Evaluation
from .tables import WORDS

SUFFIXES = (".html", ".png")
_SIDE, _LEFT, _TOP = 250, 46, 30  # of a panel; of its axes
_MOST = 1500  # points of a panel: a page stays small
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #222;
    background: #fff }
h1 { font-size: 1.25rem } svg { margin: 0 .6rem .6rem 0 } text { font: 12px system-ui, sans-serif; fill: #222 }
.frame { fill: none; stroke: #999 } .even { stroke: #999; stroke-dasharray: 4 3 } .title { font-weight: 600 }
.price { fill: #8a8a8a; fill-opacity: .45 } .model { fill: #9b1b3b; fill-opacity: .6 } .note { fill: #666 }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b191a } text { fill: #ddd }
    .model { fill: #e0567d } .note { fill: #aaa } }
"""
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,
    initial-scale=1"><title>{title}</title>
<style>{style}</style></head><body>
<h1>{title}</h1>
<p>{words}</p>
{panels}
</body></html>
"""


class Panel(NamedTuple):
    """The programs of one operation: natural logarithms of microseconds.

    Attributes:
        operation: its kind.
        measured, price, model: [programs].
        words: a line about it.
    """

    operation: str
    measured: NDArray[np.float64]
    price: NDArray[np.float64]
    model: NDArray[np.float64]
    words: str


def write(path: str, found: Evaluation) -> None:
    """Draw an evaluation into a file of that name. GriotteError for another ending, or without matplotlib for .png."""
    suffix = Path(path).suffix
    if suffix not in SUFFIXES:
        raise GriotteError(
            f"expected --plot with a name that ends in {' or '.join(SUFFIXES)}, found {path}; name such a file"
        )
    write_atomically(Path(path), png(found) if suffix == ".png" else page(found).encode())


def panels(found: Evaluation) -> Iterator[Panel]:
    """A panel for each operation, by the first seed."""
    said, samples = found.said[0], found.samples
    operations = np.array([samples.groups[number].operation for number in samples.group])
    for operation in sorted(set(operations.tolist())):
        rows = np.flatnonzero((operations == operation) & np.isfinite(said.model))
        if len(rows) > _MOST:
            rows = rows[:: -(-len(rows) // _MOST)]
        if len(rows):
            ways = [found.ways[way].get(operation, [{}])[0].get("mape") for way in ("price", "model")]
            words = "" if None in ways else "off by {:.0f} and {:.0f} %".format(*(100 * way for way in ways if way))
            yield Panel(operation, np.log(samples.warm[rows]), said.price[rows], said.model[rows], words)


def title(found: Evaluation) -> str:
    return f"Predicted and measured times, {WORDS[found.by]}"


def page(found: Evaluation) -> str:
    """The page's text."""
    price, model = (found.ways[way].get(ALL, [{}])[0].get("mape", 0.0) for way in ("price", "model"))
    words = (
        "A point is a program: measured microseconds to the right, predicted ones up, by the price (grey) and by the"
        f" model (red). On the dashed line they agree. The price is off by {100 * price:.0f} % in the mean, the model"
        f" by {100 * model:.0f} %."
    )
    drawn = "\n".join(map(svg, panels(found)))
    return _PAGE.format(title=escape(title(found)), style=_STYLE, words=escape(words), panels=drawn)


def svg(panel: Panel) -> str:
    """One operation as a drawing."""
    low, high = _range(panel)
    place = lambda value: (_SIDE - _LEFT - 10) * float(np.clip((value - low) / (high - low), -0.02, 1.02))
    across = lambda value: f"{_LEFT + place(value):.1f}"
    up = lambda value: f"{_SIDE - _TOP - place(value) + 8:.1f}"
    corner = f'x="{across(low)}" y="{up(high)}" width="{place(high):.1f}" height="{place(high):.1f}"'
    shapes = [
        f'<rect class="frame" {corner}/>',
        f'<line class="even" x1="{across(low)}" y1="{up(low)}" x2="{across(high)}" y2="{up(high)}"/>',
        f'<text class="title" x="{_LEFT}" y="12">{escape(panel.operation)}</text>',
        f'<text class="note" x="{_SIDE - 10}" y="12" text-anchor="end">{escape(panel.words)}</text>',
    ]
    for kind, values in (("price", panel.price), ("model", panel.model)):
        shapes += [
            f'<circle class="{kind}" cx="{across(x)}" cy="{up(y)}" r="1.8"/>' for x, y in zip(panel.measured, values)
        ]
    for tick in _ticks(low, high):
        label = f"{np.exp(tick):g} us"
        shapes.append(
            f'<text class="note" x="{across(tick)}" y="{_SIDE - 4}" text-anchor="middle">{label}</text>'
            f'<text class="note" x="{_LEFT - 4}" y="{up(tick)}" text-anchor="end">{label}</text>'
        )
    size = f'width="{_SIDE}" height="{_SIDE}" viewBox="0 0 {_SIDE} {_SIDE}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(shapes)}</svg>'


def png(found: Evaluation) -> bytes:
    """The same as a picture, by matplotlib. GriotteError without it."""
    figure_type, shown = plotting().figure.Figure, list(panels(found))
    columns = min(4, max(1, len(shown)))
    rows = -(-len(shown) // columns)
    figure = figure_type(figsize=(2.9 * columns, 2.9 * rows + 0.6), dpi=100, layout="constrained")
    figure.suptitle(title(found), fontsize=11)
    for place, panel in enumerate(shown):
        axes = figure.add_subplot(rows, columns, place + 1)
        low, high = np.exp(_range(panel))
        axes.plot((low, high), (low, high), "--", color="#999", linewidth=0.8)
        for values, colour, label in ((panel.price, "#8a8a8a", "price"), (panel.model, "#9b1b3b", "model")):
            axes.scatter(np.exp(panel.measured), np.exp(values), s=4, color=colour, alpha=0.5, label=label)
        axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high))
        axes.set_title(f"{panel.operation}  {panel.words}", fontsize=8)
        axes.tick_params(labelsize=7)
    if shown:
        figure.axes[0].legend(fontsize=7, loc="upper left")
        figure.supxlabel("measured, us", fontsize=9)
        figure.supylabel("predicted, us", fontsize=9)
    return small(figure)


def _range(panel: Panel) -> tuple[float, float]:
    values = np.concatenate([panel.measured, panel.price, panel.model])
    low, high = np.quantile(values, (0.002, 0.998))
    return float(low) - 0.15, float(high) + 0.15


def _ticks(low: float, high: float) -> list[float]:
    """Powers of ten in a range; its middle, rounded, where there is none."""
    powers = [float(np.log(10.0) * power) for power in range(-3, 9)]
    inside = [power for power in powers if low <= power <= high]
    return inside or [float(np.log(float(f"{np.exp((low + high) / 2):.1g}")))]
