"""What of a target the decisions of a family depend on: so that a table solved for one machine answers on others.

All prices count, and the caches up to the slowest level that an operand is at. Left out are the name, the compiler's
flags, and features that only say which kernels there are. So are kernels of dtypes that the family has not. The
capacity of levels beyond its slowest is left out too, as long as that is ample. Nothing of such a family is put there,
and sizes compared with them (whether it rests there, with its padding) fit by far.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ....lang.types.dtypes import DTYPES
from ..keys import _parts, _stable, digest, family_key, space

AMPLE = 4
"""Times the capacity of a family's slowest level: from here on that of levels beyond does not count. Packed and padded
operands take less than twice the given ones."""

_WORD = re.compile(r"\w+")


def seen_key(family, home: int, target) -> str:
    """The name of a family in the shipped table: equal for all targets and homes that its decisions are equal for."""
    return family_key(family, home, scope(target, family.slowest, repr(family)))


def choice_key(key: str, target) -> str:
    """The name of a small answer that is no family's: for targets alike in all."""
    return digest(f"choice {key} {scope(target, len(target.levels) - 1, ' '.join(DTYPES))}")


def goal_key(spec: str, threads: int, home: int, target) -> str:
    """The name of a Spec, as text, that is answered, whose arrays rest at `home`."""
    return digest(f"goal {threads} {spec} {scope(target, home, spec)}")


def scope(target, slowest: int, text: str) -> str:
    """What of a target counts where operands are at no slower level, of the dtypes that a text names."""
    words = frozenset(_WORD.findall(text))
    return _scope(target, slowest, frozenset(name for name in DTYPES if name in words))


@lru_cache(maxsize=256)
def _scope(target, slowest: int, dtypes: frozenset[str]) -> str:
    capacity = target.levels[slowest].capacity
    is_ample = lambda size: capacity is not None and size is not None and size >= AMPLE * capacity
    levels = (
        _stable(level)
        if n <= slowest or not (level.capacity is None or is_ample(level.capacity))
        else f"{level.name} {level.share} {level.prefetch} {level.capacity is None}"
        for n, level in enumerate(target.levels)
    )
    largest = "ample" if is_ample(target.cached_lines * target.spans.line) else target.largest_cache
    kernels = (_stable(k) for k in target.kernels if k.inputs is None or not dtypes.isdisjoint(k.inputs))
    others = _parts(target, besides=("name", "flags", "features", "levels", "kernels", "largest_cache"))
    return digest("\n".join((space(), *levels, f"largest {largest}", *kernels, *others)))
