"""A table's map as one HTML page that needs nothing else: any two axes as the plane, the others as sliders, the
families as a list.

The page is map.html, with the boxes of the families as JSON in it: columns of numbers in base64, words and masks once
for all.
"""

from __future__ import annotations

import json
from base64 import b64encode
from html import escape
from pathlib import Path

import numpy as np

from ...engine.rewrites import Word
from .map import FamilyMap, Plane, TableMap
from .map_words import colours, ink

# characters of boxes in a page; those with the fewest boxes are left out, and those of fewer than two axes
LARGEST = 4 << 20


def page(table: TableMap, plane: Plane) -> str:
    """The page's text; it opens at `plane`."""
    template = Path(__file__).with_name("map.html").read_text(encoding="utf-8")
    title = escape(f"{table.spec} on {table.target}")
    before, after = template.replace("{{title}}", title).split("{{data}}")
    return before + _inert(data(table, plane)) + after


def _inert(value) -> str:
    """JSON in which no character can end the element that holds it."""
    text = json.dumps(value, separators=(",", ":"))  # ASCII: line separators are escaped too
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def data(table: TableMap, plane: Plane) -> dict:
    """What the page draws from.

    words     [text, short, colour, ink, kind] of each decision
    ladders   the ticks of every axis by its name
    masks     where sizes fit: a bit for each point of the grid of sizes, row-major, the first in the lowest bit
    families  text, axes, cells, boxes, its masks' and words' numbers
    data      of a family, as uint8, or uint16 where `wide`: low corners axis by axis, then ends, then the place of each
              box's decision among `words`
    """
    shades = colours({word for found in table.families for word in found.words.values()})
    words = sorted(shades)
    number = {word: k for k, word in enumerate(words)}
    masks: dict[bytes, int] = {}
    families: list = []
    size, left_out = 0, 0
    first = (plane.map, *(f for f in table.families if f.family == table.goal and f is not plane.map))
    for found in (*first, *(f for f in table.families if f not in first)):
        if len(found.axes) < 2:
            left_out += 1
            continue
        packed = _family(found, number, masks)
        size += len(packed["data"])
        if families and size > LARGEST:
            left_out += 1
        else:
            families.append((found, packed))
    families.sort(key=lambda pair: table.families.index(pair[0]))
    return {
        "spec": table.spec,
        "target": table.target,
        "levels": table.levels,
        "cells": table.cells,
        "boxes": table.count,
        "count": len(table.families),
        "left_out": left_out,
        "words": [[w.text, w.short, shades[w], ink(shades[w]), w.kind] for w in words],
        "ladders": {axis.name: [list(axis.ticks), axis.is_limit] for found in table.families for axis in found.axes},
        "masks": [b64encode(mask).decode() for mask in masks],
        "families": [packed for _, packed in families],
        "start": {
            "family": [f for f, _ in families].index(plane.map),
            "x": plane.x.name,
            "y": plane.y.name,
            "at": plane.at,
        },
    }


def _family(found: FamilyMap, number: dict[Word, int], masks: dict[bytes, int]) -> dict:
    codes = sorted(found.words)
    boxes = found.boxes
    place = np.searchsorted(codes, boxes.value)
    columns = np.concatenate([boxes.low.T.reshape(-1), boxes.high.T.reshape(-1), place])
    wide = bool(columns.max(initial=0) > 255)
    mask = np.packbits(found.fits.reshape(-1), bitorder="little").tobytes()
    return {
        "text": found.text,
        "axes": [axis.name for axis in found.axes],
        "cells": found.cells,
        "boxes": found.count,
        "mask": masks.setdefault(mask, len(masks)),
        "words": [number[found.words[code]] for code in codes],
        "wide": int(wide),
        "data": b64encode(columns.astype("<u2" if wide else "u1").tobytes()).decode(),
    }
