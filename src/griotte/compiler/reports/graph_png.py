"""A drawing as a picture. Needs matplotlib."""

from __future__ import annotations

import io

from .plotting import plotting
from .shapes import Arrow, Picture, Rectangle, Shape, Text

DPI = 144
_RED, _GREY, _DARK = "#9b1b3b", "#777777", "#222222"
_ANCHORS = {"start": "left", "middle": "center", "end": "right"}


def png(picture: Picture) -> bytes:
    """The file's bytes."""
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
                color=_GREY if kind == "note" else _DARK,
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
