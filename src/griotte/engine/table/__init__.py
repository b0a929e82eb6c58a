"""The table of solved families: boxes of one decision each, patches of them, and a file that keeps them.

Covers and runs need Numba, which takes longer to load than an answer from a table: runs are not named here, and `cover`
loads it when it is called.
"""

from .boxes import Boxes, cover
from .codes import FREE, NONE, STEPS, TILE_CODE, TILE_SPAN
from .keys import digest
from .numbers import alike
from .patch import Damaged, Patch
from .table import UNKNOWN, Table

__all__ = [
    "FREE",
    "NONE",
    "STEPS",
    "TILE_CODE",
    "TILE_SPAN",
    "UNKNOWN",
    "Boxes",
    "Damaged",
    "Patch",
    "Table",
    "alike",
    "cover",
    "digest",
]
