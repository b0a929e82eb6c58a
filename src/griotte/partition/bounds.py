"""How much one search may be, by `effort`, and what is told where it is more.

The bounds are in relaxations of cells (search/work.py), of all searches of a Spec together: effort 2 is what two cores
do in about 20 s.
"""

from __future__ import annotations

from ..errors import SpecError

NESTS = 12
"""Of a Spec that the bounds are for, and of a piece at most: a Spec that is cut before anything is counted may take as
much more."""
EFFORTS = {1: 2.4e9, 2: 1.2e10, 3: 6.0e10}


def require_asked(threads: int, effort: int) -> None:
    """SpecError unless a search is for one thread or more, at an effort that there is."""
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise SpecError(f"expected a number of threads of 1 or more, found {threads!r}")
    if isinstance(effort, bool) or effort not in EFFORTS:
        raise SpecError(f"expected an effort of 1, 2 or 3, found {effort!r}; 2 is the default, 3 joins more")
