"""What no search asks for any more, taken out of a table."""

from __future__ import annotations

import os

from .contents import OF_CONTEXT, Context, writing
from .file import transaction


def prune(path: str | os.PathLike[str], everything: bool = False) -> tuple[list[Context], int, int]:
    """Drop what the contexts of other versions of the space hold, or all contexts: (which, bytes before, bytes after).

    A context's own row stays: its number must not be given to another while some process still writes under it.
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
