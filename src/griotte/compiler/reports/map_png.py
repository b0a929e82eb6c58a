"""A plane of a table's map as a picture."""

from __future__ import annotations

import numpy as np

from ...engine.table import FREE
from .drawing import plotting, small
from .map import Plane, TableMap
from .map_words import colours, ink

_EMPTY, _HATCH, _LINE, _SOFT = "#f1eff0", "#b9b3b6", "#221a1d", "#5c5457"
_MOST = 26  # rows of the legend


def png(table: TableMap, plane: Plane) -> bytes:
    """The picture's bytes. GriotteError without matplotlib."""
    shades = colours({word for found in table.families for word in found.words.values()})
    colour = {code: shades[word] for code, word in plane.map.words.items()}
    figure = plotting().figure.Figure(figsize=(10.4, 6.6), dpi=120)
    axes = figure.add_axes((0.065, 0.125, 0.60, 0.765))
    _cells(axes, plane, colour)
    _ticks(axes, plane)
    _labels(axes, plane, colour)
    _legend(figure, plane, colour)
    _captions(figure, table, plane)
    return small(figure)


def _cells(axes, plane: Plane, colour: dict[int, str]) -> None:
    height, width = plane.decision.shape
    axes.add_patch(
        plotting().patches.Rectangle(
            (0, 0), width, height, facecolor=_EMPTY, edgecolor=_HATCH, hatch="////", linewidth=0
        )
    )
    corners = lambda x0, x1, y0, y1: [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    rows, columns = np.nonzero(plane.decision != FREE)
    shown = [colour[int(plane.decision[r, c])] for r, c in zip(rows, columns)]
    axes.add_collection(
        plotting().collections.PolyCollection(
            [corners(c, c + 1, r, r + 1) for r, c in zip(rows, columns)],
            facecolors=shown,
            edgecolors=(1, 1, 1, 0.3),
            linewidths=0.4,
        )
    )
    axes.add_collection(
        plotting().collections.PolyCollection(
            [corners(*section[:4]) for section in plane.sections], facecolors="none", edgecolors=_LINE, linewidths=0.9
        )
    )
    empty = zip(*np.nonzero(plane.decision == FREE))
    axes.add_collection(
        plotting().collections.PolyCollection(
            [corners(c, c + 1, r, r + 1) for r, c in empty],
            facecolors=_EMPTY,
            alpha=0.6,
            linewidths=0,
            antialiaseds=False,
        )
    )
    axes.set(xlim=(0, width), ylim=(0, height))


def _ticks(axes, plane: Plane) -> None:
    axes.set_xticks(
        np.arange(len(plane.x.ticks)) + 0.5, plane.x.ticks, fontsize=8, rotation=90 if len(plane.x.ticks) > 22 else 0
    )
    axes.set_yticks(np.arange(len(plane.y.ticks)) + 0.5, plane.y.ticks, fontsize=8)
    axes.tick_params(length=0)
    axes.set_xlabel(_axis_title(plane.x), fontsize=9)
    axes.set_ylabel(_axis_title(plane.y), fontsize=9)


def _axis_title(axis) -> str:
    return f"share of {axis.name} left" if axis.is_limit else f"{axis.name}   (sizes on its ladder, one step each)"


def _labels(axes, plane: Plane, colour: dict[int, str]) -> None:
    """Words in every section that has room for them, in full in the largest of each decision."""
    height, width = plane.decision.shape
    wide, tall = 740 / width, 570 / height  # pixels of a cell, nearly
    areas = [(-(x1 - x0) * (y1 - y0), x0, x1, y0, y1, code) for x0, x1, y0, y1, code in plane.sections.tolist()]
    seen: set[int] = set()
    for _, x0, x1, y0, y1, code in sorted(areas):
        x1, y1 = _room(plane.decision != FREE, x0, x1, y0, y1)
        word = plane.map.words[code]
        across, up = (x1 - x0) * wide, (y1 - y0) * tall
        for text in (word.text, word.short)[code in seen :]:
            length = len(text) * 7.2 + 4
            turned = length >= across
            if min(across, up) > 14 and length < (up if turned else across):
                seen.add(code)
                axes.text(
                    (x0 + x1) / 2,
                    (y0 + y1) / 2,
                    text,
                    ha="center",
                    va="center",
                    fontsize=8,
                    color=ink(colour[code]),
                    rotation=90 * turned,
                )
                break


def _room(fits: np.ndarray, x0: int, x1: int, y0: int, y1: int) -> tuple[int, int]:
    """Where a section ends if it leaves out the columns and rows at its end in which something does not fit."""
    while x1 > x0 and not fits[y0, x1 - 1]:
        x1 -= 1
    while y1 > y0 and not fits[y1 - 1, x0:x1].all():
        y1 -= 1
    return (x1, y1) if fits[y0:y1, x0:x1].all() else (x0, y0)


def _legend(figure, plane: Plane, colour: dict[int, str]) -> None:
    shown = sorted(list(plane.counts)[:_MOST], key=lambda code: plane.map.words[code])
    handles = [
        plotting().patches.Patch(
            facecolor=colour[code], edgecolor=_LINE, linewidth=0.5, label=f"{plane.map.words[code].text}"
        )
        for code in shown
    ]
    if len(plane.counts) > _MOST:
        handles.append(
            plotting().patches.Patch(facecolor="none", edgecolor="none", label=f"and {len(plane.counts) - _MOST} more")
        )
    if (plane.decision == FREE).any():
        handles.append(
            plotting().patches.Patch(
                facecolor=_EMPTY, edgecolor=_HATCH, hatch="////", linewidth=0, label="operands do not fit their levels"
            )
        )
    figure.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(0.675, 0.902),
        frameon=False,
        fontsize=8,
        handlelength=1.6,
        handleheight=1.1,
        labelspacing=0.35,
    )


def _captions(figure, table: TableMap, plane: Plane) -> None:
    title, family = (
        f"{table.spec} on {table.target}: what to do first",
        plane.map.text + f"   at {plane.others}" * bool(plane.at),
    )
    figure.text(0.065, 0.955, title, fontsize=min(13, 1150 / len(title)), weight="bold", parse_math=False)
    figure.text(0.065, 0.915, family, fontsize=min(9, 1350 / len(family)), parse_math=False)
    levels = ", ".join(f"{k} {name}" for k, name in enumerate(table.levels) if k)
    figure.text(
        0.68,
        0.126,
        f"operands: x0, x1, .. and y, as dtype@level;\n{levels}",
        fontsize=8,
        color=_SOFT,
        linespacing=1.5,
        parse_math=False,
    )
    figure.text(0.065, 0.022, caption(table, plane), fontsize=8.5, color=_SOFT, parse_math=False)


def caption(table: TableMap, plane: Plane) -> str:
    """Cells, boxes and cells a box: of the plane, the family, the table."""
    cells = int(np.count_nonzero(plane.decision != FREE))
    return (
        f"this plane: {cells:,} cells cut by {len(plane.sections):,} boxes;   this family:"
        f" {_many(plane.map.cells, plane.map.count)};   all {len(table.families):,} families:"
        f" {_many(table.cells, table.count)}"
    )


def _many(cells: int, boxes: int) -> str:
    return f"{cells:,} cells in {boxes:,} boxes, {cells / max(1, boxes):,.0f} a box"
