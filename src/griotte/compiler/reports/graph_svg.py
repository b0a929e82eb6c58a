"""A drawing as SVG that needs nothing else, for pages and for files."""

from __future__ import annotations

from html import escape
from math import hypot

from .shapes import Arrow, Picture, Rectangle, Shape, Text

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
