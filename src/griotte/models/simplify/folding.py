"""Known values are computed once, ahead of all calls; calls that change nothing go."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...lang.constructors.forms import form_of
from ...lang.functions.combiners import COMBINERS
from ...lang.meaning.reference import interpret
from ...lang.types.dtypes import dtype
from ...lang.types.tensor import tensor
from ..graph import GraphBuilder, ModelValue
from .law import move
from .pattern import Match
from .rule import ALWAYS, Rule, Site, known, split

MOST = 1 << 26  # bytes of what is computed ahead, unless what it is of is as large

NEUTRAL = {combiner.name: combiner.identity(np.dtype(np.float64)) for combiner in COMBINERS}


def fold(site: Site) -> ModelValue | None:
    """Fold a call of constants, but for quantised weights of 8 bits: a later law may take them as integers."""
    narrow = site.value.call == "dequantize" and dtype(site.value.values[0].type.dtype).bits <= 8
    return None if narrow and not site.value.values[0].type.rank < 2 else fold_all(site)


def fold_all(site: Site) -> ModelValue | None:
    value = site.value
    arrays = [read.array for read in value.values]
    if not value.reads or any(array is None for array in arrays):
        return None
    found = [array for array in arrays if array is not None]
    if value.type.bytes > max(MOST, 2 * sum(array.nbytes for array in found)):
        return None
    if value.call == "transpose":  # which no data is moved for: it is read along other axes
        return site.constant(found[0].transpose(dict(value.attributes).get("perm")))
    with np.errstate(all="ignore"):
        result = interpret(value.spec, *found)
    return site.constant(np.asarray(result))


def neutral(site: Site) -> ModelValue | None:
    """Leave out a call with its neutral element, which of a sum of floats is -0: the result is the same to the bit."""
    found = _changing_nothing(site.value)
    if found is None:
        return None
    x, array = found
    is_zero = site.value.call == "add" and dtype(x.type.dtype).kind == "float"
    return None if is_zero and not np.all(np.signbit(array)) else x


def zero(site: Site) -> ModelValue | None:
    """Leave out a term of 0, though it changes -0 to 0."""
    found = _changing_nothing(site.value)
    return None if found is None else found[0]


def _changing_nothing(value: ModelValue) -> tuple[ModelValue, np.ndarray] | None:
    if value.call not in NEUTRAL or (found := split(value)) is None:
        return None
    x, array = found
    is_neutral = x.type.dtype != "pred" and bool(np.all(array == NEUTRAL[value.call]))
    return found if is_neutral and x.type == value.type else None


def plain_number(site: Site) -> ModelValue | None:
    value = site.value
    form = form_of(value.call)
    assert form is not None
    for place in (*form.reals, *form.numbers):
        number, (before, after) = _number(value.reads[place]), (value.reads[:place], value.reads[place + 1 :])
        if number is None or place in form.reals and _others_promote(value, place):
            continue
        found = site.attempt(value.call, *before, number, *after, **dict(value.attributes))
        if found is None and place in form.numbers:  # the dtype of a result is that of its zero
            found = site.attempt(value.call, *before, number, *after, **dict(value.attributes), dtype=value.type.dtype)
        if found is not None:
            return found
    return None


def _others_promote(value: ModelValue, place: int) -> bool:
    """Whether one operand has another dtype than the others."""
    given = value.reads[place]
    own = given.type.dtype if isinstance(given, ModelValue) else ""
    others = (read for i, read in enumerate(value.reads) if i != place and isinstance(read, ModelValue))
    return any(read.type.dtype not in (own, "pred") for read in others)


def _number(value: ModelValue | float) -> int | float | None:
    """The number that a constant holds throughout; None where there is none."""
    if not isinstance(value, ModelValue) or value.array is None or value.type.dtype == "pred":
        return None
    first = value.array.reshape(-1)[0]
    is_one = bool(np.all(value.array == first)) and (first != 0 or not np.any(np.signbit(value.array.astype(float))))
    if not is_one:
        return None
    return float(first) if dtype(value.type.dtype).kind == "float" else int(first)


def own_dtype(site: Site) -> ModelValue | None:
    value, given = site.value, dict(site.value.attributes)
    if given.pop("dtype", None) is None or value.call == "cast":
        return None
    return site.attempt(value.call, *value.reads, **given)


def chosen(site: Site) -> ModelValue | None:
    p, x, y = site.value.reads
    which = known(p)
    if which is None or not (np.all(which) or not np.any(which)):
        return None
    found = x if np.all(which) else y
    return found if isinstance(found, ModelValue) and found.type == site.value.type else None


def same(site: Site) -> ModelValue | None:
    value = site.value
    (x,) = value.values if len(value.values) == 1 else (None,)
    if x is None or value.call not in ("reshape", "cast", "copy", "broadcast", "transpose", "slice"):
        return None
    given = dict(value.attributes)
    if value.call == "transpose" and given.get("perm") != tuple(range(x.type.rank)):
        return None
    if value.call == "slice" and any(step < 0 for step in given.get("steps") or ()):
        return None
    return x if x.type == value.type else None


def _both(m: Match) -> dict[str, Any]:
    """Two transposes as one."""
    return {"r": tuple(m["p"][axis] for axis in m["q"])}


def _x(builder: GraphBuilder, *shape: int) -> ModelValue:
    return builder.input(tensor(shape), f"x{len(builder.inputs)}")


RULES = (
    Rule(
        "compute what is known",
        "call(constants) = constant",
        fold,
        (lambda b: b.call("exp", b.constant(np.ones(3, np.float32))),),
        within=ALWAYS,
    ),
    Rule(
        "leave out what changes nothing",
        "x * 1 = x",
        neutral,
        (
            lambda b: b.call("mul", _x(b, 3), b.constant(np.ones(3, np.float32))),
            lambda b: b.call("maximum", _x(b, 3), b.constant(np.float32(-np.inf))),
        ),
        within=ALWAYS,
    ),
    Rule(
        "leave out a term of 0",
        "x + 0 = x",
        zero,
        (lambda b: b.call("add", _x(b, 3), b.constant(np.zeros(3, np.float32))),),
        ("add",),
    ),
    Rule(
        "write a scalar as a number",
        "call(x, constant) = call(x, number)",
        plain_number,
        (
            lambda b: b.call("add", _x(b, 3), b.constant(np.float32(0.1))),
            lambda b: b.call("sub", b.constant(np.full((1, 3), -2, np.float32)), _x(b, 2, 3)),
        ),
        within=ALWAYS,
    ),
    Rule(
        "leave out a dtype that is a call's own",
        "call(x, dtype=d) = call(x)",
        own_dtype,
        (lambda b: b.call("exp", _x(b, 3), dtype="f32"),),
        within=ALWAYS,
    ),
    Rule(
        "choose once",
        "where(true, x, y) = x",
        chosen,
        (lambda b: b.call("where", b.constant(np.ones(3, bool)), _x(b, 3), b.constant(np.ones(3, np.float32))),),
        ("where",),
        within=ALWAYS,
    ),
    Rule(
        "leave out a view of the same type",
        "reshape(x) -> type of x = x",
        same,
        (lambda b: b.call("reshape", _x(b, 3, 2), shape=(3, 2)),),
        within=ALWAYS,
    ),
    move(
        "take two moves as one",
        "reshape(reshape(x, shape=s), shape=t) = reshape(x, shape=t)",
        {"x": "f32[2,3,4]", "s": (6, 4), "t": (3, 8)},
    ),
    move(
        "take two moves as one",
        "transpose(transpose(x, perm=p), perm=q) = transpose(x, perm=r)",
        {"x": "f32[2,3,4]", "p": (1, 2, 0), "q": (2, 0, 1)},
        when=_both,
    ),
)

ALL = (
    Rule(
        "compute all that is known",
        "call(constants) = constant",
        fold_all,
        RULES[0].examples,
        within=ALWAYS,
    ),
)
"""For the known values that no law has taken as they are."""
