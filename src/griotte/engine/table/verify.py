"""Is a table file whole: the database, and each row by its digest and its form. Whether decisions are right, a replay
tells."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from .contents import Contents, Context, DamagedTable, reading
from .patch import Damaged, Patch
from .store import row_digest


@dataclass
class FileReport:
    """What was found in a file. `held` has the whole patches of each context by family, newest first."""

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
