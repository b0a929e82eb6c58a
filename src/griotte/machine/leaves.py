"""Leaves that were measured: the cycles of a tile of registers with its operands in L1, in a small loop nest, as a
table of a target.

A tile has `rows` elements of the input that is spread over the lanes, and `vectors` of the one that lies along them.
Its `form` names the kernel, the dtypes, and how the two inputs lie: "multiply_add f32 f32 f32 panel" (leaves.reduce).
The table holds for the compiler and for the emitted C that it was measured with (runtime.leaves). That of a known
machine names neither: it holds for any, for what another compiler makes of such a leaf is nearer to it than to what the
ports say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np


@dataclass(frozen=True)
class TimedTile:
    """Cycles of a call of a tile of registers. `intercept` is for its loop, its entry and its stores, whatever it
    reduces; `slope` is for each step."""

    rows: int
    vectors: int
    intercept: float
    slope: float


@dataclass(frozen=True)
class TimedForm:
    """The tiles of one kernel, on operands of one kind. `ratio`: the median over them of measured cycles to the cycles
    that the ports say."""

    name: str
    ratio: float
    tiles: tuple[TimedTile, ...]

    @property
    def kernel(self) -> str:
        return self.name.partition(" ")[0]

    @cached_property
    def grid(self) -> np.ndarray:
        """Intercepts and slopes, [2, rows, vectors]; NaN where no tile was measured, as in the first and last row and
        column."""
        shape = (max(t.rows for t in self.tiles) + 2, max(t.vectors for t in self.tiles) + 2)
        found = np.full((2, *shape), np.nan)
        for t in self.tiles:
            found[:, t.rows, t.vectors] = t.intercept, t.slope
        return found


@dataclass(frozen=True)
class Leaves:
    """`compiler` is its version in its own words, `emitted` a digest of C that leaves are written as; both are empty
    where the tiles hold for any."""

    compiler: str
    emitted: str
    forms: tuple[TimedForm, ...]

    @cached_property
    def by_name(self) -> dict[str, TimedForm]:
        return {form.name: form for form in self.forms}

    @cached_property
    def ratios(self) -> dict[str, float]:
        """By kernel, the median of its forms' ratios."""
        return {
            kernel: float(np.median([form.ratio for form in self.forms if form.kernel == kernel]))
            for kernel in {form.kernel for form in self.forms}
        }


MOST_ROWS, MOST_VECTORS, MOST_CYCLES = 1024, 1024, 1e6
WORDS = 5  # of a form's name
OF = ("compiler", "emitted")  # what tiles were measured with


def text(leaves: Leaves) -> str:
    """As tables of TOML, which `parsed` reads: of a form, by rows, [intercept, slope] of one vector, of two, ..; []
    where that was not measured."""
    lines = ["[leaves]", *(f'{key} = "{value}"' for key in OF if (value := getattr(leaves, key)))]
    for form in leaves.forms:
        lines += ["", f'[leaves."{form.name}"]', f"ratio = {form.ratio!r}"]
        for rows in sorted({tile.rows for tile in form.tiles}):
            known = {tile.vectors: f"[{tile.intercept!r}, {tile.slope!r}]" for tile in form.tiles if tile.rows == rows}
            lines.append(f"{rows} = [{', '.join(known.get(vectors, '[]') for vectors in range(1, max(known) + 1))}]")
    return "\n".join(lines)


def parsed(table: Mapping[str, Any]) -> Leaves:
    """Of tables as `text` writes them. Raises Unreadable."""
    of = {key: table[key] for key in OF if key in table}
    for key, found in of.items():
        if (
            not isinstance(found, str)
            or not found.isprintable()
            or '"' in found
            or "\\" in found
            or not 0 < len(found) <= 200
        ):
            raise Unreadable(key, "a line of text without quotes", found)
    if len(of) == 1:
        (there,) = of
        raise Unreadable("leaves", f"{' and '.join(OF)}, or neither", there)
    return Leaves(
        of.get("compiler", ""),
        of.get("emitted", ""),
        tuple(_form(name, of) for name, of in table.items() if name not in OF),
    )


class Unreadable(ValueError):
    """What was expected where in the tables, and what was found."""

    def __init__(self, where: str, expected: str, found: object):
        super().__init__(f"expected {expected} for {where}, found {found!r}")
        self.where, self.expected, self.found = where, expected, found


def _form(name: str, table: object) -> TimedForm:
    if len(name.split(" ")) != WORDS:
        raise Unreadable(name, "a kernel, three dtypes and how an input lies as the table's name", name)
    if not isinstance(table, dict):
        raise Unreadable(name, "a table", table)
    tiles = tuple(
        tile for rows, by_vectors in table.items() if rows != "ratio" for tile in _tiles(name, rows, by_vectors)
    )
    if not tiles:
        raise Unreadable(name, "one tile or more", table)
    return TimedForm(name, _number(f"{name}.ratio", table.get("ratio"), 0.01, 100.0), tiles)


def _tiles(name: str, rows: str, by_vectors: object) -> list[TimedTile]:
    where = f"{name}.{rows}"
    if not rows.isascii() or not rows.isdigit() or not 1 <= int(rows) <= MOST_ROWS:
        raise Unreadable(where, f"a number of rows up to {MOST_ROWS} as the key", rows)
    if (
        not isinstance(by_vectors, list)
        or len(by_vectors) > MOST_VECTORS
        or not all(isinstance(pair, list) and len(pair) in (0, 2) for pair in by_vectors)
    ):
        raise Unreadable(where, "a list of [intercept, slope] and []", by_vectors)
    return [
        TimedTile(int(rows), vectors, *(_number(where, value, 0.0, MOST_CYCLES) for value in pair))
        for vectors, pair in enumerate(by_vectors, 1)
        if pair
    ]


def _number(where: str, found: object, least: float, most: float) -> float:
    if (
        isinstance(found, bool)
        or not isinstance(found, (int, float))
        or not math.isfinite(found)
        or not least <= found <= most
    ):
        raise Unreadable(where, f"a number from {least:g} to {most:g}", found)
    return float(found)
