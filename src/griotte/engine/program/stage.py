"""A function over whole arrays that no search makes: written as it is, beside the programs of a Sequence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Stage:
    """One such function, in place of a Program's root.

    Attributes:
        title: what it does, in a few words.
        cost: cycles of a call.
        threads: how many it runs on.
        source: its C, a static function `void name(int64_t .., const T *reads .., T *gives ..)`, of (the library of
            vectors, the target, the name).
        is_sized: whether the first of its arguments is `int64_t m`, the dynamic size that a call has. One that is not
            so may touch no tensor of a dynamic size.
    """

    title: str
    cost: float
    threads: int
    source: Callable[[Any, Any, str], str]
    is_sized: bool = False
