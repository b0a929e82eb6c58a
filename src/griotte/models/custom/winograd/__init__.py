"""Convolutions by Winograd's minimal filtering: fewer products, transforms before and after them."""

import os


def filters() -> bool:
    """Whether convolutions may be filtered: not with GRIOTTE_WINOGRAD=off."""
    return os.environ.get("GRIOTTE_WINOGRAD", "") != "off"
