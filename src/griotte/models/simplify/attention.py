"""Attention as exporters write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ml_dtypes
import numpy as np

from ...ir.dtypes import dtype
from .pattern import Match, law
from .rounding import is_moderate
from .rule import known, shortest

LOWEST = -1.7e38  # half of the lowest f32: scores of usual size, added to it, are lost
FAR = -1e9  # what stands for scores that do not count is at most that; those that count are above it

SCORES = ("matmul(q, k)", "matmul(q, k) * R", "matmul(q, k) / D")
ATTENTION = "attention(q, transpose(k, perm=t), {v}{mask}, scale=s, guarded=g)"
SCORES_IN_F32 = tuple(each.replace("k)", "k, dtype='f32')") for each in SCORES)
WAYS = (  # the sum of values by their weights, and what it becomes
    ("matmul(softmax({}, axis=-1), v)", ATTENTION.replace("{v}", "v")),
    (
        "matmul(v, transpose(softmax({}, axis=-1), perm=p))",
        f"transpose({ATTENTION.replace('{v}', 'transpose(v, perm=t)')}, perm=t)",
    ),
    (  # of one query
        "matmul(v, reshape(softmax({}, axis=-1), shape=w))",
        f"reshape({ATTENTION.replace('{v}', 'transpose(v, perm=t)')}, shape=z)",
    ),
)
WEIGHTS = "softmax({}, axis=-1)"
WAYS_IN_F32 = tuple(
    (f"cast({way.replace(WEIGHTS, f'cast({WEIGHTS}, dtype=d)')[:-1]}, dtype='f32'), dtype=d)", result)
    for way, result in WAYS
)
"""Of tensors of 16 bits: scores and sums are in f32."""


def _scale(m: Match) -> dict[str, Any] | None:
    """What scores are scaled by, and how k is transposed so that it is read by its rows. Scores of 16 bits stay: they
    are rounded to three digits, which the result shows."""
    rank = m["k"].type.rank
    rows = (*range(rank - 2), rank - 1, rank - 2)
    is_rounded = dtype(m.site.value.type.dtype).bits <= 16 and "d" not in m.holes
    if is_rounded or rank < 3 or m.holes.get("p", rows) != rows:
        return None
    one = (*m["k"].type.shape[:-2], m["k"].type.shape[-1], 1)
    if m.holes.get("w", one) != one or "w" in m.holes and m["q"].type.shape[-2] != 1:
        return None
    scale = 1.0
    for name in set("RD") & set(m.holes):
        number = m.number(name)
        if number is None:
            return None
        scale = scale / number if name == "D" else scale * number
    factor = shortest(scale, m.site.value.type.dtype)
    return {"s": factor, "t": rows, "z": m.site.value.type.shape, "g": _all_see(m)} if _is_normal(factor, m) else None


def _all_see(m: Match) -> bool:
    """Whether no mask hides a whole row, of which a softmax is NaN: it is known, and so is what each row sees. Half of
    the lowest number, added to a score, is a number still, but for scores as large."""
    masks = [m[name] for name in ("mask", "other") if name in m.holes]
    arrays = [mask.array for mask in masks]
    if not masks:
        return True
    lowest = float(ml_dtypes.finfo(dtype(m["q"].type.dtype).numpy).min) / 2
    return len(arrays) == 1 and arrays[0] is not None and bool(np.all(np.max(arrays[0], axis=-1) > lowest))


def _is_normal(number: float, m: Match) -> bool:
    """Whether a factor of scores is 0 or a normal number of f32, in which they are at least."""
    return number == 0 or bool(np.finfo(np.float32).tiny <= abs(number) <= np.finfo(np.float32).max)


def _rescaled(m: Match) -> dict[str, Any] | None:
    """The attributes of an attention whose scores are scaled by another number as well. What 16 bits round they round
    still, but for powers of two, which round nothing."""
    factor, given = m.number("D" if "D" in m.holes else "S"), dict(m["r"])
    factor = 1 / factor if factor and "D" in m.holes else factor
    if factor is None or dtype(m.site.value.type.dtype).bits <= 16 and abs(np.frexp(factor)[0]) != 0.5:
        return None
    usual = m.site.value.values[0].type.shape[-1] ** -0.5
    scale = usual if given["scale"] is None else given["scale"]
    own = dtype(m.site.value.type.dtype).numpy
    if not is_moderate(np.asarray(factor), own) or not _is_normal(scale * factor, m):
        return None
    return {"t": given | {"scale": shortest(scale * factor, m.site.value.type.dtype)}}


def _chosen(m: Match) -> dict[str, Any] | None:
    """The mask of scores that count where p holds, and are another number elsewhere."""
    found, low = _scale(m), m.number("N")
    if found is None or low is None or low > FAR:
        return None
    number = dtype(m["q"].type.dtype).numpy
    p, (zero, least) = m["p_mask"], np.array([0, low if low < LOWEST else LOWEST], number)
    while p.call == "broadcast":
        (p,) = p.values
    condition = known(p)
    sees = condition is not None and bool(np.all(np.any(condition, axis=-1)))
    site = m.site
    mask = p if sees else site.call("where", p, site.constant(zero), float(least))
    return found | {"mask": mask, "g": sees}


def _is_causal(m: Match) -> dict[str, Any] | None:
    """Whether a mask hides what is after each query, and nothing else."""
    mask, queries, keys = m.array("M"), m["q"].type.shape[-2], m["k"].type.shape[-2]
    if mask.shape[-2:] != (queries, keys) or queries > keys or queries == 1:
        return None
    seen = np.tri(queries, keys, keys - queries, dtype=bool)
    if mask.dtype == bool:
        return {} if np.all(mask == seen) else None
    hidden = np.asarray(mask, np.float64)
    return {} if np.all(np.where(seen, hidden == 0, hidden < LOWEST)) else None


def _hides_nothing(m: Match) -> bool:
    mask = m.array("M")
    return bool(np.all(mask if mask.dtype == bool else mask == 0))


def _apart(m: Match) -> dict[str, Any] | None:
    """Heads that share keys, of which the queries of all were joined, as heads; a mask is that of each head."""
    perm, joined = m["p"], m["s"]
    lead, shape = len(perm) - 4, tuple(m["x"].type.shape[axis] for axis in perm)
    if lead < 0 or perm[lead + 2] != perm[lead] + 1:
        return None
    heads, queries, group, depth = shape[lead:]
    if joined != (*shape[:lead], heads, queries * group, depth) or group == 1:
        return None
    swap, values = (*range(lead + 1), lead + 2, lead + 1, lead + 3), m["v"].type.shape[-1]
    found = {
        "r": tuple(perm[axis] for axis in swap),
        "a": (*shape[:lead], heads * group, queries, depth),
        "b": (*shape[:lead], heads, group, queries, values),
        "w": swap,
        "e": (*joined[:-1], values),
    }
    if "M" not in m.holes:
        return found
    mask = m.array("M")
    if mask.ndim < 2 or mask.shape[-2] != joined[-2]:
        return None
    of_group = mask.reshape(*mask.shape[:-2], queries, group, mask.shape[-1])
    first = of_group.reshape(-1, *of_group.shape[-3:])[0, :, :1]
    return found | {"N": first[:, 0]} if np.all(of_group == first) else None


def _shared(m: Match) -> dict[str, Any] | None:
    """k and v, where they are heads of which each is repeated for its neighbours."""
    k, v = (_repeated(m[x].type.shape, m[full], m[joined]) for x, full, joined in ("kbc", "vef"))
    return None if k is None or v is None else {"a": k, "d": v}


def _repeated(apart: tuple, full: tuple, joined: tuple) -> tuple | None:
    """The shape of [.., h, 1, t, d], of which each head was repeated, without the axis for that."""
    heads = len(apart) - 4
    if heads < 0 or len(full) != len(apart) or apart[heads + 1] != 1:
        return None
    given, times = (*apart[: heads + 1], *apart[heads + 2 :]), full[heads + 1]
    is_repeated = full == (*apart[: heads + 1], times, *apart[heads + 2 :])
    wanted = (*given[:heads], given[heads] * times, *given[heads + 1 :])
    return given if is_repeated and joined == wanted else None


NARROW = {"q": "bf16[2,3,4,8]", "k": "bf16[2,3,8,5]", "v": "bf16[2,3,5,6]", "d": "bf16"}
GIVEN = {"q": "f32[2,3,4,8]", "k": "f32[2,3,8,5]", "v": "f32[2,3,5,6]", "R": 0.25, "D": 3.0}
BY_COLUMNS = GIVEN | {"v": "f32[2,3,6,5]", "p": (0, 1, 3, 2)}
OF_ONE = BY_COLUMNS | {"q": "f32[2,3,1,8]", "w": (2, 3, 5, 1)}
MASKS = {"mask": "f32[3,4,5]", "other": "f32[2,1,4,5]"}
CAUSAL = np.where(np.tri(4, 5, 1, dtype=bool), 0, -np.inf).astype(np.float32)
ROWS = {"q": "f32[2,4,8]", "k": "f32[2,5,8]", "v": "f32[2,5,8]"}
SELF = {
    **dict.fromkeys("qkv", "f32[2,5,8]"),
    "mask": "f32[5,5]",
    "S": 0.3,
    "D": 4.0,
    "a": (2, 5, 8),
    "p": (0, 1, 2),
    "r": {},
}
JOINED = {
    "x": "f32[3,2,4,8]",
    "p": (0, 2, 1, 3),
    "s": (3, 8, 8),
    "k": "f32[3,5,8]",
    "v": "f32[3,5,6]",
    "c": 0.5,
}
GROUPS = {
    "q": "f32[2,6,4,8]",
    "k": "f32[2,3,1,5,8]",
    "v": "f32[2,3,1,5,6]",
    "b": (2, 3, 2, 5, 8),
    "c": (2, 6, 5, 8),
    "e": (2, 3, 2, 5, 6),
    "f": (2, 6, 5, 6),
    "r": {},
}

WRITTEN = (
    (WAYS[0], GIVEN, SCORES),
    (WAYS[1], BY_COLUMNS, SCORES),
    (WAYS[2], OF_ONE, SCORES),
    (WAYS_IN_F32[0], GIVEN | NARROW, SCORES_IN_F32),
    (WAYS_IN_F32[1], BY_COLUMNS | NARROW | {"v": "bf16[2,3,6,5]"}, SCORES_IN_F32),
    (WAYS_IN_F32[2], OF_ONE | NARROW | {"q": "bf16[2,3,1,8]", "v": "bf16[2,3,6,5]"}, SCORES_IN_F32),
)


def _example(given: dict[str, Any], more: Mapping[str, object]) -> dict[str, Any]:
    """What a law may be given: of one query masks of one."""
    queries = "1,5]" if "w" in given else "4,5]"
    return given | {name: own.replace("4,5]", queries) if isinstance(own, str) else own for name, own in more.items()}


RULES = (
    *(
        law(
            name,
            f"{way.format(scores.format(product))} = {result.format(mask=mask)}",
            *examples,
            when=when,
            within="moderate",
        )
        for (way, result), given, products in WRITTEN
        for product in products
        for name, scores, mask, when, more in (
            ("attention", "{}", "", _scale, ({},)),
            ("attention with a mask", "{} + mask", ", mask", _scale, ({"mask": "f32[2,1,1,5]"}, {"mask": "f32[4,5]"})),
            ("attention with two masks", "{} + mask + other", ", mask + other", _scale, (MASKS,)),
            (
                "attention to what is chosen",
                "where(p_mask, {}, N)",
                ", mask",
                _chosen,
                ({"p_mask": "pred[4,5]", "N": -3e38},),
            ),
        )
        for examples in ([_example(given, each) for each in more],)
    ),
    law(
        "attention to what was before",
        "attention(q, k, v, M, scale=s) = attention(q, k, v, scale=s, causal=True)",
        ROWS | {"M": CAUSAL, "s": 0.5},
        when=_is_causal,
        within="moderate",
    ),
    *(
        law(
            "scale what attends, or what is attended to",
            f"attention({left}, v{mask}, **r) = attention({right}, v{mask}, **t)",
            SELF,
            when=_rescaled,
            within="moderate",
        )
        for left, right in (
            ("q * S, k", "q, k"),
            ("q, k * S", "q, k"),
            ("reshape(q * S, shape=a), k", "reshape(q, shape=a), k"),
            ("q, reshape(k * S, shape=a)", "q, reshape(k, shape=a)"),
            ("q, transpose(k * S, perm=p)", "q, transpose(k, perm=p)"),
            ("transpose(q * S, perm=p), k", "transpose(q, perm=p), k"),
            ("q / D, k", "q, k"),
            ("transpose(q / D, perm=p), k", "transpose(q, perm=p), k"),
        )
        for mask in ("", ", mask")
    ),
    *(
        law(
            "heads whose queries were joined",
            f"attention(reshape(transpose(x, perm=p), shape=s), k, v{given}, scale=c) = reshape(transpose(reshape("
            f"attention(reshape(transpose(x, perm=r), shape=a), k, v{own}, scale=c), shape=b), perm=w), shape=e)",
            JOINED | more,
            when=_apart,
            within="moderate",
        )
        for given, own, more in (
            ("", "", {}),
            (", M", ", N", {"M": np.tri(4, 5, dtype=bool).repeat(2, 0)}),
            (", M", ", N", {"M": np.tri(4, 5, dtype=np.float32).repeat(2, 0)[None]}),
        )
    ),
    law(
        "a mask that hides or not",
        "attention(q, k, v, where(p, 0, N), **r) = attention(q, k, v, p, **r)",
        ROWS | {"p": "pred[4,5]", "N": -np.inf, "r": {}},
        when=lambda m: m.number("N") == -np.inf,
        within="moderate",
    ),
    law(
        "a mask that hides nothing",
        "attention(q, k, v, M, **r) = attention(q, k, v, **r)",
        ROWS | {"M": np.zeros((4, 5), np.float32), "r": {}},
        when=_hides_nothing,
        within="moderate",
    ),
    *(
        law(
            "heads that share keys",
            "attention(q, reshape(broadcast(k, shape=b), shape=c), reshape(broadcast(v, shape=e), shape=f)"
            f"{mask}, **r) = attention(q, reshape(k, shape=a), reshape(v, shape=d){mask}, **r)",
            GROUPS | given,
            when=_shared,
            within="moderate",
        )
        for mask, given in (("", {}), (", mask", {"mask": "f32[4,5]"}))
    ),
)
