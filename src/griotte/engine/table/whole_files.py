"""Whole table files: joined, checked, pruned.

When tables are joined, a patch goes in unless one that is there answers all it does; those that it covers go out.
Contexts stay apart, by target and version of the space. The faster of two tunings stays. Doing it again changes
nothing. A check is of the database, and of each row by its digest and its form; a replay (engine/search/replay.py)
tells whether decisions are right.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from ...support.errors import TableError
from .contents import OF_CONTEXT, Contents, Context, DamagedTable, Row, existing, reading, writing
from .database import transaction
from .patch import Damaged, Patch
from .store import covered, row_digest
from .tuned import Tuned

AT_ONCE = 256  # patches of a transaction


@dataclass
class Merged:
    """What became of the patches of the others; `complaints` says what was skipped, and why."""

    added: int = 0
    points: int = 0
    known: int = 0
    complaints: list[str] = field(default_factory=list)


def merge(into: str | os.PathLike[str], sources: Iterable[str | os.PathLike[str]]) -> Merged:
    """Add tables to the table `into`; it is made if it does not exist. TableError where one of them is no table."""
    paths = [existing(source) for source in sources]
    for path in paths:  # all are looked at before the first is added
        with reading(path):
            pass
    done = Merged()
    with writing(into, new=True) as target:
        for path in paths:
            if path.samefile(target.path):
                raise TableError(
                    f"expected tables other than {target.path} to merge into it, found itself; leave it out"
                )
            with reading(path) as contents:
                _add_all(target, contents, done)
    return done


def _add_all(target: Contents, source: Contents, done: Merged) -> None:
    place = _add_contexts(target, source.contexts())
    pending: list[Row] = []
    for row in source.rows():
        pending.append(row)
        if len(pending) == AT_ONCE:
            _add_rows(target, pending, place, done, source)
            pending = []
    _add_rows(target, pending, place, done, source)
    _add_small(target, source, place)


def _add_contexts(target: Contents, contexts: Iterable[Context]) -> dict[int, int]:
    """The ids that the contexts have in the target, by their own."""
    found = {}
    with transaction(target.db):
        for context in contexts:
            names = context.target, context.space, context.name
            target.db.execute("INSERT OR IGNORE INTO context (target, space, name) VALUES (?, ?, ?)", names)
            (found[context.id],) = target.db.execute(
                "SELECT id FROM context WHERE target = ? AND space = ?", names[:2]
            ).fetchone()
    return found


def _add_rows(target: Contents, rows: Iterable[Row], place: dict[int, int], done: Merged, source: Contents) -> None:
    """Add patches, in one transaction; damaged ones are skipped."""
    with transaction(target.db):
        for row in rows:
            try:
                patch = row.patch()
                if row.context not in place:
                    raise Damaged("it is of no target")
            except Damaged as why:
                done.complaints.append(
                    f"expected whole rows, found a damaged one (row {row.id} of {source.path}: {why}); it is left out"
                )
                continue
            if _add(target, row, patch, place[row.context]):
                done.added += 1
                done.points += patch.points
            else:
                done.known += 1


def _add(target: Contents, row: Row, patch: Patch, context: int) -> bool:
    """Whether the target lacked the patch."""
    there = target.db.execute(
        "SELECT id, digest, data FROM patch WHERE context = ? AND key = ?", (context, row.key)
    ).fetchall()
    if any(_answers(digest, data, row, patch) for _, digest, data in there):
        return False
    for id, _, data in there:
        if covered(patch, data):
            target.db.execute("DELETE FROM patch WHERE id = ?", (id,))
    values = context, row.key, patch.points, len(patch.boxes.value), row.digest, row.data
    target.db.execute("INSERT INTO patch (context, key, points, boxes, digest, data) VALUES (?, ?, ?, ?, ?, ?)", values)
    return True


def _answers(digest: str, data: bytes, row: Row, patch: Patch) -> bool:
    """Whether a row that is there already is whole, and says all that the patch of `row` does."""
    if not isinstance(data, bytes) or digest != row_digest(row.key, data):
        return False
    try:
        return digest == row.digest or Patch.decode(data).covers(patch)
    except Damaged:
        return False


def _add_small(target: Contents, source: Contents, place: dict[int, int]) -> None:
    """Add the rows of families, choices and goals."""
    with transaction(target.db):
        for context, *values in source.families():
            _ignore(target, "family", place.get(context), values)
        for context, key, value, digest in source.choices():
            if digest == row_digest(key, value.encode()):
                _drop_slower(target, place.get(context), key, Tuned.decode(value))
                _ignore(target, "choice", place.get(context), (key, value, digest))
        for context, spec, threads in source.goals():
            _ignore(target, "goal", place.get(context), (spec, threads))


def _drop_slower(target: Contents, context: int | None, key: str, tuned: Tuned | None) -> None:
    """Keep the faster program of two tunings of a goal on a machine."""
    if tuned is None:
        return
    for (value,) in target.db.execute(
        "SELECT value FROM choice WHERE context = ? AND key = ?", (context, key)
    ).fetchall():
        known = Tuned.decode(value)
        if known is None or tuned.median_us < known.median_us:
            target.db.execute("DELETE FROM choice WHERE context = ? AND key = ?", (context, key))


def _ignore(target: Contents, table: str, context: int | None, values) -> None:
    if context is not None:
        target.db.execute(
            f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * (1 + len(values)))})", (context, *values)
        )


@dataclass
class FileReport:
    """The contents and the problems of a file. `held` has the whole patches of each context by family, newest first."""

    patches: int = 0
    problems: list[str] = field(default_factory=list)
    contexts: list[Context] = field(default_factory=list)
    goals: list[tuple[int, str, int]] = field(default_factory=list)
    held: dict[int, dict[str, list[Patch]]] = field(default_factory=dict)


def check(path: str | os.PathLike[str]) -> FileReport:
    """Read all of a table. TableError where the file is none."""
    found = FileReport()
    try:
        with reading(path) as contents:
            found.contexts, found.goals = contents.contexts(), contents.goals()
            _check_rows(contents, found)
            _check_choices(contents, found)
            found.problems += contents.mistyped()
            found.problems += [
                f"SQLite: {row[0]}" for row in contents.db.execute("PRAGMA integrity_check(8)") if row[0] != "ok"
            ]
    except DamagedTable as error:
        found.problems.append(str(error))
    return found


def _check_rows(contents: Contents, found: FileReport) -> None:
    known = {context.id for context in found.contexts}
    for row in contents.rows():
        try:
            patch = row.patch()
            if row.context not in known:
                raise Damaged("it is of no target")
            if (row.points, row.boxes) != (patch.points, len(patch.boxes.value)):
                raise Damaged("its counts are not the patch's")
        except Damaged as why:
            found.problems.append(f"patch {row.id}: {why}")
            continue
        found.patches += 1
        found.held.setdefault(row.context, {}).setdefault(row.key, []).insert(0, patch)


def _check_choices(contents: Contents, found: FileReport) -> None:
    for context, key, value, digest in contents.choices():
        if digest != row_digest(key, value.encode()):
            found.problems.append(f"choice {key} of context {context}: its digest does not fit")


def prune(path: str | os.PathLike[str], everything: bool = False) -> tuple[list[Context], int, int]:
    """Drop the rows of contexts of other versions of the space, or of all contexts: (which, bytes before, bytes after).

    A context's own row stays: its number must not be reused while some process still writes under it.
    """
    with writing(path) as contents:
        before = contents.bytes
        holding = {context for (context,) in contents.db.execute("SELECT DISTINCT context FROM patch")}
        old = [c for c in contents.contexts() if c.id in holding and (everything or not c.current)]
        there = {name for (name,) in contents.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        with transaction(contents.db):
            for context in old:
                for table in sorted(there.intersection(OF_CONTEXT)):
                    contents.db.execute(f"DELETE FROM {table} WHERE context = ?", (context.id,))
        contents.db.execute("VACUUM")
        contents.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return old, before, contents.bytes
