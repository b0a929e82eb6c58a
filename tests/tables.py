"""Small tables for tests, and harm done to them."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import griotte as gt
import numpy as np
from griotte.engine.table import Patch, cover
from griotte.engine.table.contents import reading
from griotte.engine.table.store import row_digest

SPECS = ("matmul(f32[9,8], f32[8,17])", "exp(f32[33])")


def made(path, *specs):
    """A table of these Specs on portable; whole in the file itself, no log beside it, and open nowhere."""
    first = path.with_suffix(".first")
    for spec in specs or SPECS:
        gt.synthesize(spec, "portable", table=str(first))
    with closing(sqlite3.connect(first)) as db:
        db.execute(f"VACUUM INTO '{path}'")
    return path


def digests(path):
    """What a table holds: (target, key, digest) of each patch."""
    with reading(path) as contents:
        names = {c.id: c.target for c in contents.contexts()}
        return {(names[row.context], row.key, row.digest) for row in contents.rows()}


def change(path, statement, *values):
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(statement, values)


def falsify(path):
    """Give the largest patch of a matmul that has programs another decision in its first box of one, under a digest
    that fits."""
    query = (
        "SELECT p.id, p.key, p.data FROM patch p JOIN family f USING (context, key) WHERE f.operation = 'matmul' ORDER"
        " BY p.points DESC"
    )
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute(query).fetchall()
    id, key, patch = next(
        (id, key, patch) for id, key, data in rows if ((patch := Patch.decode(data)).boxes.value >= 0).any()
    )
    value = patch.boxes.value.copy()
    value[np.argmax(value >= 0)] = -1
    data = replace(patch, boxes=replace(patch.boxes, value=value)).encode()
    change(path, "UPDATE patch SET data = ?, digest = ? WHERE id = ?", data, row_digest(key, data), id)


def patch(values, sizes=(1, 2, 3)) -> Patch:
    decision = np.array(values, np.int16).reshape(-1, 1)
    points = np.arange(len(decision))
    return Patch(
        (tuple(sizes),),
        ((1, 2),),
        (),
        6,
        len(decision),
        cover(points, points.astype(np.int32), decision, (len(decision),)),
    )


class Family:
    """What a store asks of a family: words for people."""

    class operation:
        name = "sum"

    accumulate, operands, batch, ahead = False, (), (), ()
