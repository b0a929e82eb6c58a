"""What a drawing is made of, and how it is drawn: as SVG, which needs nothing else, or by matplotlib. Sizes are
pixels."""

from __future__ import annotations

import io
from dataclasses import dataclass
from html import escape
from math import hypot
from typing import Any

import numpy as np

from ...support.errors import GriotteError


@dataclass(frozen=True)
class Rectangle:
    kind: str  # "box" or "outline"
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Text:
    kind: str  # "call", "number" or "note"
    x: float
    y: float
    text: str
    anchor: str = "start"  # or "middle", "end"


@dataclass(frozen=True)
class Arrow:
    """An arrow along points, its head at the last."""

    kind: str  # "input" or "between"
    points: tuple[tuple[float, float], ...]


Shape = Rectangle | Text | Arrow


@dataclass(frozen=True)
class Picture:
    width: float
    height: float
    shapes: tuple[Shape, ...]


# ---- SVG, for pages and for files ------------------------------------------------------------------------------------

_STYLE = """
text { font: 13px ui-monospace, monospace; fill: #222 } .call { font-weight: 600 } .note { fill: #666; font-size: 12px }
.box { fill: #f7ecef; stroke: #9b1b3b } .outline { fill: #9b1b3b0a; stroke: #9b1b3b; stroke-dasharray: 5 4 }
path { fill: none; stroke: #9b1b3b; stroke-width: 1.4 } .input { stroke: #999 } polygon { fill: #9b1b3b }
"""
_DARK = """
@media (prefers-color-scheme: dark) { text { fill: #ddd } .note { fill: #aaa } .box { fill: #3a2229;
    stroke: #e0567d } .outline { fill: #e0567d12; stroke: #e0567d } path { stroke: #e0567d } polygon { fill: #e0567d }
    .input { stroke: #888 } }
"""


def svg(picture: Picture, dark: bool = True) -> str:
    """The text of a drawing; `dark`: with colours of its own where the reader's page is dark."""
    size = (
        f'width="{picture.width:.0f}" height="{picture.height:.0f}" viewBox="0 0 {picture.width:.0f}'
        f' {picture.height:.0f}"'
    )
    ground = "" if dark else '<rect width="100%" height="100%" fill="#fff"/>'
    shapes = "\n".join(map(_shape, picture.shapes))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg"'
        f" {size}>\n<style>{_STYLE}{_DARK * dark}</style>\n{ground}\n{shapes}\n</svg>\n"
    )


def _head(start: tuple[float, float], end: tuple[float, float]) -> str:
    """The corners of an arrow's head at `end`."""
    (x, y), length = end, hypot(end[0] - start[0], end[1] - start[1])
    dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    return (
        " ".join(f"{x - 8 * dx - side * dy:.1f},{y - 8 * dy + side * dx:.1f}" for side in (-3.5, 3.5))
        + f" {x:.1f},{y:.1f}"
    )


def _shape(shape: Shape) -> str:
    match shape:
        case Rectangle(kind, x, y, width, height):
            return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="6"/>'
        case Text(kind, x, y, text, anchor):
            return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
        case Arrow(kind, points):
            return (
                f'<path class="{kind}" d="M{" L".join(f"{x:.1f} {y:.1f}" for x, y in points)}"/><polygon'
                f' points="{_head(*points[-2:])}"/>'
            )
    raise AssertionError(shape)


# ---- pictures, by matplotlib (the extra `plot`) ----------------------------------------------------------------------

DPI = 144
_RED, _GREY, _INK = "#9b1b3b", "#777777", "#222222"
_ANCHORS = {"start": "left", "middle": "center", "end": "right"}


def png(picture: Picture) -> bytes:
    """The drawing as a PNG file; GriotteError without matplotlib."""
    matplotlib = plotting()
    with matplotlib.rc_context({"font.family": "monospace"}):
        figure = matplotlib.figure.Figure(figsize=(picture.width / 96, picture.height / 96), dpi=DPI)
        matplotlib.backends.backend_agg.FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, picture.width)
        axes.set_ylim(picture.height, 0)
        axes.axis("off")
        for shape in picture.shapes:
            _draw(axes, shape)
        found = io.BytesIO()
        figure.savefig(found, format="png", dpi=DPI)
    return found.getvalue()


def _draw(axes, shape: Shape) -> None:
    match shape:
        case Rectangle(kind, x, y, width, height):
            fill = {"facecolor": "#f7ecef"} if kind == "box" else {"facecolor": "#9b1b3b0a", "linestyle": (0, (5, 4))}
            axes.add_patch(
                plotting().patches.FancyBboxPatch(
                    (x, y), width, height, boxstyle="round,pad=0,rounding_size=6", edgecolor=_RED, linewidth=0.8, **fill
                )
            )
        case Text(kind, x, y, text, anchor):
            axes.text(
                x,
                y,
                text,
                ha=_ANCHORS[anchor],
                va="baseline",
                fontsize=9 if kind == "note" else 9.75,
                color=_GREY if kind == "note" else _INK,
                weight="bold" if kind == "call" else "normal",
            )
        case Arrow(kind, points):
            colour = _GREY if kind == "input" else _RED
            axes.plot(*zip(*points), color=colour, linewidth=1.0)
            axes.annotate(
                "",
                points[-1],
                points[-2],
                arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0},
            )


def plotting() -> Any:
    """matplotlib, loaded only to draw; GriotteError where it is not installed."""
    try:
        import matplotlib.backends.backend_agg
        import matplotlib.figure
    except ImportError:
        raise GriotteError(
            "expected matplotlib to draw a .png, found none; pip install 'griotte[plot]', or name a .html or .svg file,"
            " which needs nothing"
        ) from None
    return matplotlib


def small(figure) -> bytes:
    """The figure as a PNG of 256 colours: a third of the bytes."""
    from PIL import Image  # matplotlib needs it too

    canvas, out = plotting().backends.backend_agg.FigureCanvasAgg(figure), io.BytesIO()
    canvas.draw()
    Image.fromarray(np.asarray(canvas.buffer_rgba())[:, :, :3]).quantize(256, dither=Image.Dither.NONE).save(
        out, "PNG", optimize=True
    )
    return out.getvalue()
