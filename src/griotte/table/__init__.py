"""The table of solved families: boxes of one decision each, patches of them, and a file that keeps them."""

from .boxes import FREE, Boxes, cover
from .keys import digest
from .patch import NONE, TILE_CODE, TILE_SPAN, Damaged, Patch
from .table import UNKNOWN, Table

__all__ = ["Boxes", "Damaged", "FREE", "NONE", "Patch", "TILE_CODE", "TILE_SPAN", "Table", "UNKNOWN", "cover", "digest"]
