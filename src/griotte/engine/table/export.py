"""A table as rows for analysis: one for each box. CSV by itself; Arrow and Parquet with pyarrow."""

from __future__ import annotations

import csv
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from ...support.errors import TableError
from .codes import NONE, TILE_CODE, TILE_SPAN
from .contents import Context, reading
from .patch import Damaged, Patch

COLUMNS = (
    "target",
    "space",
    "operation",
    "family",
    "low",
    "high",
    "levels",
    "step_low",
    "step_high",
    "kind",
    "number",
    "axis",
    "cells",
)
"""The meaning of each column. `low`, `high`: the least and the largest size on each axis of the family. `step_low`,
`step_high` are likewise of the limit of each of `levels`. `kind` is edge, tile or none. `number` is the edge's, or the
tile's size. `axis` is the one that the tile steps along, else -1. `cells` counts those of the box."""

AT_ONCE = 1 << 16  # rows
FORMATS = (".csv", ".parquet", ".arrow")
_LISTS = ("low", "high", "levels", "step_low", "step_high")


def export(path: str | os.PathLike[str], to: str | os.PathLike[str]) -> tuple[int, list[str]]:
    """Write the boxes of a table; (rows written, complaints of damaged rows, which are left out). The ending of `to`
    names the format."""
    to = Path(to)
    if to.suffix not in FORMATS:
        raise TableError(f"expected an output that ends in {' or '.join(FORMATS)}, found {to}; name one with -o")
    complaints: list[str] = []
    count = 0
    pending: dict[str, list] = {name: [] for name in COLUMNS}
    with (
        reading(path) as contents,
        _replacing(to) as temporary,
        (_csv if to.suffix == ".csv" else _arrow)(temporary, to.suffix) as write,
    ):
        contexts = {context.id: context for context in contents.contexts()}
        families = {(context, key): (operation, text) for context, key, operation, text in contents.families()}
        for row in contents.rows():
            try:
                patch = row.patch()
            except Damaged as why:
                complaints.append(f"expected whole rows, found a damaged one (row {row.id}: {why}); it is left out")
                continue
            if row.context not in contexts:
                continue
            for name, values in _columns(
                contexts[row.context], *families.get((row.context, row.key), ("?", "?")), patch
            ).items():
                pending[name] += values
            count += len(patch.boxes.value)
            if len(pending["kind"]) >= AT_ONCE:
                write(pending)
                pending = {name: [] for name in COLUMNS}
        write(pending)
    return count, complaints


def _columns(context: Context, operation: str, family: str, patch: Patch) -> dict[str, list]:
    """A column each, a row for each box."""
    boxes, axes = patch.boxes, len(patch.sizes)
    low, last = boxes.low.astype(np.int64), boxes.high.astype(np.int64) - 1
    sizes = [np.array(axis, np.int64) for axis in patch.sizes]
    pick = lambda at: (
        np.stack([s[at[:, i]] for i, s in enumerate(sizes)], axis=1) if axes else np.zeros((len(at), 0), np.int64)
    )
    kind, number, axis = _decisions(boxes.value.astype(np.int64), patch.tiles)
    same = {
        "target": context.name,
        "space": context.space,
        "operation": operation,
        "family": family,
        "levels": list(patch.levels),
    }
    found: dict[str, list] = {name: [value] * len(low) for name, value in same.items()}
    found |= {
        "low": pick(low).tolist(),
        "high": pick(last).tolist(),
        "step_low": low[:, axes:].tolist(),
        "step_high": last[:, axes:].tolist(),
    }
    return found | {"kind": kind, "number": number, "axis": axis, "cells": np.prod(last - low + 1, axis=1).tolist()}


def _decisions(code: np.ndarray, tiles) -> tuple[list[str], list[int], list[int]]:
    kind, number, axis = [], [], []
    for value in map(int, code):
        d, t = divmod(value - TILE_CODE, TILE_SPAN)
        looped = value >= TILE_CODE and d < len(tiles) and t < len(tiles[d])
        kind.append("tile" if looped else "none" if value == NONE else "edge")
        number.append(tiles[d][t] if looped else value)
        axis.append(d if looped else -1)
    return kind, number, axis


@contextmanager
def _replacing(to: Path) -> Iterator[Path]:
    """A path to write, that becomes `to` at the end: all of it or nothing."""
    temporary = to.parent / f".{to.name}.{secrets.token_hex(8)}"
    try:
        yield temporary
        os.replace(temporary, to)
    except OSError as error:
        raise TableError(
            f"expected to write {to}, found {error.strerror or error}; name another place with -o"
        ) from None
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _csv(path: Path, _: str):
    """Lists are written with blanks between."""
    with open(path, "x", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)

        def write(columns: dict[str, list]) -> None:
            plain = [[" ".join(map(str, v)) for v in columns[c]] if c in _LISTS else columns[c] for c in COLUMNS]
            writer.writerows(zip(*plain))

        yield write


@contextmanager
def _arrow(path: Path, suffix: str):
    try:
        import pyarrow as pa
    except ImportError:
        raise TableError(
            f"expected pyarrow to write {suffix}, found none installed; pip install 'griotte[table]', or write .csv"
        ) from None
    kinds = {
        **dict.fromkeys(_LISTS, pa.list_(pa.int32())),
        **dict.fromkeys(("number", "axis"), pa.int32()),
        "cells": pa.int64(),
    }
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])
    if suffix == ".parquet":
        import pyarrow.parquet as parquet

        opened = parquet.ParquetWriter(path, schema)
    else:
        opened = pa.ipc.new_file(str(path), schema)
    with opened as writer:
        yield lambda columns: writer.write_table(
            pa.table([pa.array(columns[name], schema.field(name).type) for name in COLUMNS], schema=schema)
        )
