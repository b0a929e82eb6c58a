"""The table of solved families: boxes of one decision each, patches of them, and a file that keeps them.

Names are loaded when they are first used: covering needs Numba, which takes longer to load than an answer from a table.
"""

from importlib import import_module

from .codes import NONE, STEPS, TILE_CODE, TILE_SPAN

_ROOMS = {
    "Boxes": "boxes",
    "FREE": "codes",
    "cover": "boxes",
    "digest": "keys",
    "Damaged": "patch",
    "Patch": "patch",
    "Runs": "runs",
    "Table": "table",
    "UNKNOWN": "table",
}

__all__ = ["NONE", "STEPS", "TILE_CODE", "TILE_SPAN", *_ROOMS]


def __getattr__(name: str):
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_ROOMS[name]}", __name__), name)
