"""What is known ahead of all calls is computed once; what changes nothing goes."""

from __future__ import annotations

import numpy as np

from ...ir.reference import interpret
from ..graph import GraphBuilder, ModelValue
from .rule import Rule, Site, split

MOST = 1 << 26  # bytes of what is computed ahead, unless what it is of is as large

NEUTRAL = {"add": 0.0, "mul": 1.0, "maximum": -np.inf, "minimum": np.inf}


def fold(site: Site) -> ModelValue | None:
    value = site.value
    arrays = [read.array for read in value.values]
    if not value.reads or any(array is None for array in arrays):
        return None
    found = [array for array in arrays if array is not None]
    if value.type.bytes > max(MOST, 2 * sum(array.nbytes for array in found)):
        return None
    with np.errstate(all="ignore"):
        result = interpret(value.spec, *found)
    return site.constant(np.asarray(result))


def neutral(site: Site) -> ModelValue | None:
    value = site.value
    if value.call not in NEUTRAL or (found := split(value)) is None:
        return None
    x, array = found
    is_neutral = x.type.dtype[0] in "fb" and bool(np.all(array == NEUTRAL[value.call]))
    return x if is_neutral and x.type == value.type else None


def same(site: Site) -> ModelValue | None:
    value = site.value
    (x,) = value.values if len(value.values) == 1 else (None,)
    if x is None or value.call not in ("reshape", "cast", "copy", "broadcast", "transpose", "slice"):
        return None
    if value.call == "transpose" and dict(value.attributes).get("perm") != tuple(range(x.type.rank)):
        return None
    return x if x.type == value.type else None


def twice(site: Site) -> ModelValue | None:
    value = site.value
    if value.call not in ("reshape", "transpose") or not value.values or value.values[0].call != value.call:
        return None
    inner = value.values[0]
    (x,) = inner.values
    if value.call == "reshape":
        return site.call("reshape", x, **dict(value.attributes))
    outer_perm, inner_perm = dict(value.attributes)["perm"], dict(inner.attributes)["perm"]
    return site.call("transpose", x, perm=tuple(inner_perm[axis] for axis in outer_perm))


def _x(builder: GraphBuilder, *shape: int) -> ModelValue:
    from ...ir.tensor import tensor

    return builder.input(tensor(shape), f"x{len(builder.inputs)}")


RULES = (
    Rule(
        "compute what is known",
        "call(constants) = constant",
        fold,
        (lambda b: b.call("exp", b.constant(np.ones(3, np.float32))),),
    ),
    Rule(
        "leave out what changes nothing",
        "x + 0 = x * 1 = x",
        neutral,
        (lambda b: b.call("mul", _x(b, 3), b.constant(np.ones(3, np.float32))),),
    ),
    Rule(
        "leave out a view of the same type",
        "reshape(x) -> type of x = x",
        same,
        (lambda b: b.call("reshape", _x(b, 3, 2), shape=(3, 2)),),
    ),
    Rule(
        "take two moves as one",
        "transpose(transpose(x, p), q) = transpose(x, p[q])",
        twice,
        (
            lambda b: b.call("transpose", b.call("transpose", _x(b, 2, 3, 4), perm=(1, 2, 0)), perm=(2, 0, 1)),
            lambda b: b.call("reshape", b.call("reshape", _x(b, 2, 3, 4), shape=(6, 4)), shape=(3, 8)),
        ),
    ),
)
