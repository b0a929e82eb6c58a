"""What a solution is true for: the names under which the table keeps it.

    target   digest of all of a machine that the space and the costs read (levels, kernels, coefficients, ports ..)
    space    digest of the version of the space (versions.py) and of the rewrites that are declared: another one,
             another table
    family   digest of both, of a family, and of the home level where some operand rests at home

Sizes and limits are not in the key: they are the coordinates.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from types import CodeType
from typing import Any

from . import versions
from .numbers import alike

_PACKAGE = __name__.partition(".")[0] + "."
_ENGINE = __name__.removesuffix("table.keys")


def digest(text: str | bytes) -> str:
    return hashlib.blake2b(text.encode() if isinstance(text, str) else text, digest_size=16).hexdigest()


def space() -> str:
    """What the space is: its version, and the rewrites that are declared now. One from outside the package counts with
    its code."""
    from .. import rewrites  # a kernel that was kept is loaded without

    declared = tuple(rule.edges for rule in rewrites.RULES)
    return _space(versions.SPACE, declared, tuple(f.__code__ for f in declared if not _is_own(f)))


@lru_cache(maxsize=16)  # a search asks for each choice that it looks up
def _space(version: int, declared: tuple[Callable[..., Any], ...], others: tuple[CodeType, ...]) -> str:
    """`space` of these rewrites; `others` is the code of those from outside."""
    texts = (f"{_module(f)}.{f.__qualname__} {'' if _is_own(f) else _code(f.__code__)}" for f in declared)
    return digest("\n".join((f"space {version}", *texts)))


def may_read_numbers() -> bool:
    """Whether a rewrite from outside the package is declared, which may ask anything of the numbers in bodies."""
    rewrites = sys.modules.get(f"{_ENGINE}rewrites")
    return rewrites is not None and not all(_is_own(rule.edges) for rule in (*rewrites.FIRST, *rewrites.RULES))


def _is_own(function: Callable[..., Any]) -> bool:
    return function.__module__.startswith(_PACKAGE)


def _module(function: Callable[..., Any]) -> str:
    """The module of a function: of griotte's own from its room on, wherever the room stands, so that tables stay."""
    return re.sub(f"^{re.escape(_ENGINE)}", _PACKAGE, function.__module__)


def declared() -> str:
    """What tells the space from that of other versions and other rewrites; where none but griotte's own are declared
    they are not loaded."""
    rewrites = sys.modules.get(f"{_ENGINE}rewrites")
    return f"space {versions.SPACE}" if rewrites is None or rewrites.RULES is rewrites.BUILT_IN else space()


def emitted() -> str:
    """The C that a program becomes: its version."""
    return digest(f"emitted {versions.EMITTED}")


def _code(code: CodeType) -> str:
    """What a function does: its bytecode, with the names and constants in it."""
    constants = (
        _code(constant) if isinstance(constant, CodeType) else _stable(constant) for constant in code.co_consts
    )
    return f"{code.co_code.hex()} {code.co_names} ({' '.join(constants)})"


@lru_cache(maxsize=64)
def target_key(target) -> str:
    """Digest of a Target; its name and the order of its features do not count, nor what came later where it has its
    default."""
    return digest("\n".join(_parts(target, besides=("name",))))


def family_key(family, home: int, scope: str) -> str:
    """Digest of a Family within a scope (target and space: so a key alone says all that its decisions hold for).
    Families whose operands all rest nearer than `home` are the same for every home."""
    return _family_key(family, repr(family), home, scope)


def kind_key(family, home: int, scope: str) -> str:
    """`family_key` of all families that differ by numbers alone that nothing of the space tells apart (numbers.py)."""
    return _family_key(family, alike(repr(family)), home, scope)


def _family_key(family, text: str, home: int, scope: str) -> str:
    at_home = any(operand.level == home for operand in family.operands)
    return digest(f"{scope} {text} home={home if at_home else None}")


def family_text(family) -> str:
    """A family for people: the operation, + where it adds to its output, each operand's dtype, level, layout and lanes,
    the constants that are still to be placed, and batch dimensions."""
    operands = (
        f"{o.dtype}@{o.level} {o.layout}{f' x{o.vector.lanes} {o.vector.dim}' if o.vector else ''}"
        for o in family.operands
    )
    batch = f" batch {' '.join(family.batch)}" if family.batch else ""
    ahead = f" ahead {' '.join(f'x{i}' for i in family.ahead)}" if family.ahead else ""
    return f"{family.operation.name}{'+' * family.accumulate}({', '.join(operands)}){ahead}{batch}"


def _parts(value, besides: tuple[str, ...] = ()) -> list[str]:
    """The fields of a declaration, each as text, besides some, and those that came later and have their defaults
    (`targets.target.LATER`)."""
    counted = (
        f
        for f in fields(value)
        if f.name not in besides and not (f.metadata.get("later") and getattr(value, f.name) == f.default)
    )
    return [f"{f.name}={_stable(getattr(value, f.name))}" for f in counted]


def _stable(value) -> str:
    """repr, with sets in order, and functions by name: the rest of a kernel's declaration determines its meaning."""
    if isinstance(value, frozenset):
        return repr(sorted(value))
    if isinstance(value, tuple):
        return f"({', '.join(map(_stable, value))})"
    if hasattr(value, "__dataclass_fields__"):
        return f"{type(value).__name__}({', '.join(_parts(value))})"
    return value.__qualname__ if callable(value) else repr(value)
