"""What a decision may be, beside the number of an edge of its family."""

NONE = -1  # there is no program
STEPS = 6  # of a memory limit: len(search.limits.SHARES)
TILE_SPAN = 256  # the most tiles of a ladder
# decisions below are edges; from here on TILE_CODE + dimension * TILE_SPAN + place of the tile among the ladder's
TILE_CODE = 4096

FREE = -2
"""In a dense block: a cell that no one may ask for (its operands do not fit); a box may lie over it."""
