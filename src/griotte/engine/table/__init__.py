"""The table of solved families: boxes of one decision each, patches of them, and a file that keeps them.

Names are loaded when they are first used: covering needs Numba, which takes longer to load than an answer from a table.
"""

from typing import TYPE_CHECKING

from ...support.later import later
from .codes import NONE, STEPS, TILE_CODE, TILE_SPAN

if TYPE_CHECKING:
    from .boxes import Boxes, cover
    from .codes import FREE
    from .keys import digest
    from .patch import Damaged, Patch
    from .runs import Runs
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
    "Runs",
    "Table",
    "cover",
    "digest",
]

if not TYPE_CHECKING:
    __getattr__ = later(
        __name__,
        {
            "boxes": "Boxes cover",
            "codes": "FREE",
            "keys": "digest",
            "patch": "Damaged Patch",
            "runs": "Runs",
            "table": "Table UNKNOWN",
        },
    )
