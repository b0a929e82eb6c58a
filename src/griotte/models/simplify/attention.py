"""Attention as exporters write it."""

from __future__ import annotations

from functools import partial
from typing import Any

import ml_dtypes
import numpy as np

from ...lang.types.dtypes import dtype
from .law import law as stated
from .magnitudes import is_moderate, is_wide
from .pattern import Match
from .rule import behind, known, shortest

LOWEST = -1.7e38  # half of the lowest f32: scores of usual size, added to it, are lost
FAR = -1e9  # what stands for scores that do not count is at most that; those that count are above it

SCORES = ("matmul(q, k)", "matmul(q, k) * R", "matmul(q, k) / D")
MASKED = "{0} | {0} + mask | {0} + mask + other | where(c, {0}, N)"
WEIGHTS = f"softmax({' | '.join(map(MASKED.format, SCORES))}, axis=-1)"
ATTENTION = "attention(q, transpose(k, perm=t), {}, *masks, scale=s, guarded=g)"
OF_COLUMNS = ATTENTION.format("transpose(v, perm=t)")
WAYS = (  # the sum of values by their weights: of rows of v, of its columns, of one query and its columns
    ("matmul({}, v)", ATTENTION.format("v")),
    ("matmul(v, transpose({}, perm=p))", f"transpose({OF_COLUMNS}, perm=t)"),
    ("matmul(v, reshape({}, shape=w))", f"reshape({OF_COLUMNS}, shape=z)"),
)
"""Each with the right side of its law."""


def _in_f32(way: str) -> str:
    """The left side for tensors of 16 bits, whose scores and sums are in f32."""
    weights = WEIGHTS.replace("q, k)", "q, k, dtype='f32')")
    return f"cast({way.format(f'cast({weights}, dtype=d)')[:-1]}, dtype='f32'), dtype=d)"


def _attends(m: Match) -> dict[str, Any] | None:
    """The scale, and the mask that is added to scores or chooses among them."""
    found = _scale(m)
    if found is None or "N" not in m.holes:
        added = [m[name] for name in ("mask", "other") if name in m.holes]
        return (
            None if found is None else found | {"masks": (m.site.call("add", *added),) if added[1:] else tuple(added)}
        )
    low = m.number("N")
    if low is None or low > FAR:
        return None
    number, p = dtype(m["q"].type.dtype).numpy, behind(m["c"], "broadcast")
    zero, least = np.array([0, low if low < LOWEST else LOWEST], number)
    condition = known(p)
    sees = condition is not None and bool(np.all(np.any(condition, axis=-1)))
    mask = p if sees else m.site.call("where", p, m.site.constant(zero), float(least))
    return found | {"masks": (mask,), "g": sees}


def _scale(m: Match) -> dict[str, Any] | None:
    """The scale of the scores, and the transpose by which k is read by its rows. Scores of 16 bits stay as they are:
    they are rounded to three digits, which the result shows."""
    rank = m["k"].type.rank
    rows = (*range(rank - 2), rank - 1, rank - 2)
    is_rounded = not is_wide(m.dtype) and "d" not in m.holes
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
    """Whether the mask is known to hide no whole row, whose softmax would be NaN. A score plus half of the lowest
    number is a number still, but for scores as large."""
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
    """The attributes of an attention with one more factor on its scores. In 16 bits each factor rounds, but for powers
    of two."""
    factor, given = m.number("D" if "D" in m.holes else "S"), dict(m["r"])
    factor = 1 / factor if factor and "D" in m.holes else factor
    if factor is None or not is_wide(m.dtype) and abs(np.frexp(factor)[0]) != 0.5:
        return None
    usual = m.site.value.values[0].type.shape[-1] ** -0.5
    scale = usual if given["scale"] is None else given["scale"]
    if not is_moderate(np.asarray(factor), m.dtype) or not _is_normal(scale * factor, m):
        return None
    return {"t": given | {"scale": shortest(scale * factor, m.site.value.type.dtype)}}


def _is_causal(m: Match) -> dict[str, Any] | None:
    """Whether a mask hides the keys after each query, and no others."""
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
    """Heads that share keys, whose queries were joined to one head, as heads again, each with the mask."""
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
    if not m["mask"]:
        return found | {"own": ()}
    mask = m["mask"][0].array
    if mask is None or mask.ndim < 2 or mask.shape[-2] != joined[-2]:
        return None
    of_group = mask.reshape(*mask.shape[:-2], queries, group, mask.shape[-1])
    first = of_group.reshape(-1, *of_group.shape[-3:])[0, :, :1]
    return found | {"own": (m.site.constant(first[:, 0]),)} if np.all(of_group == first) else None


def _shared(m: Match) -> dict[str, Any] | None:
    """k and v without repeats, where each of their heads is repeated for its neighbours."""
    k, v = (_repeated(m[x].type.shape, m[full], m[joined]) for x, full, joined in ("kbc", "vef"))
    return None if k is None or v is None else {"a": k, "d": v}


def _repeated(apart: tuple, full: tuple, joined: tuple) -> tuple | None:
    """The shape of [.., h, 1, t, d] without the axis along which heads were repeated."""
    heads = len(apart) - 4
    if heads < 0 or len(full) != len(apart) or apart[heads + 1] != 1:
        return None
    given, times = (*apart[: heads + 1], *apart[heads + 2 :]), full[heads + 1]
    is_repeated = full == (*apart[: heads + 1], times, *apart[heads + 2 :])
    wanted = (*given[:heads], given[heads] * times, *given[heads + 1 :])
    return given if is_repeated and joined == wanted else None


HEADS = {"q": "f32[2,3,4,8]", "k": "f32[2,3,8,5]", "v": "f32[2,3,5,6]", "R": 0.25, "D": 3.0, "N": -3e38}
MASKS = {"mask": "f32[3,4,5]", "other": "f32[2,1,4,5]", "c": "pred[4,5]"}
COLUMNS = HEADS | MASKS | {"v": "f32[2,3,6,5]", "p": (0, 1, 3, 2)}
ONE = {"q": "f32[2,3,1,8]", "w": (2, 3, 5, 1), "mask": "f32[3,1,5]", "other": "f32[2,1,1,5]", "c": "pred[1,5]"}
EXAMPLES = ((HEADS | MASKS, HEADS | {"mask": "f32[2,1,1,5]"}), (COLUMNS,), (COLUMNS | ONE,))
"""The examples of each way."""
CAUSAL = np.where(np.tri(4, 5, 1, dtype=bool), 0, -np.inf).astype(np.float32)
ROWS = {"q": "f32[2,4,8]", "k": "f32[2,5,8]", "v": "f32[2,5,8]"}
SELF = dict.fromkeys("qkv", "f32[2,5,8]") | {"S": 0.3, "D": 4.0, "a": (2, 5, 8), "p": (0, 1, 2), "r": {}}
JOINED = {"x": "f32[3,2,4,8]", "p": (0, 2, 1, 3), "s": (3, 8, 8), "k": "f32[3,5,8]", "v": "f32[3,5,6]", "c": 0.5}
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
SCALED = (
    ("q * S, k", "q, k"),
    ("q, k * S", "q, k"),
    ("reshape(q * S, shape=a), k", "reshape(q, shape=a), k"),
    ("q, reshape(k * S, shape=a)", "q, reshape(k, shape=a)"),
    ("q, transpose(k * S, perm=p)", "q, transpose(k, perm=p)"),
    ("transpose(q * S, perm=p), k", "transpose(q, perm=p), k"),
    ("q / D, k", "q, k"),
    ("transpose(q / D, perm=p), k", "transpose(q, perm=p), k"),
)


def _in_16_bits(given: dict[str, Any]) -> dict[str, Any]:
    """An example with tensors of 16 bits, whose scores are in f32."""
    return given | {name: given[name].replace("f32", "bf16") for name in "qkv"} | {"d": "bf16"}


law = partial(stated, within="moderate")

RULES = (
    *(
        law("attention", f"{way.format(WEIGHTS)} = {result}", *examples, when=_attends)
        for (way, result), examples in zip(WAYS, EXAMPLES)
    ),
    *(
        law("attention", f"{_in_f32(way)} = {result}", *map(_in_16_bits, examples), when=_attends)
        for (way, result), examples in zip(WAYS, EXAMPLES)
    ),
    law(
        "attention to what was before",
        "attention(q, k, v, M, scale=s) = attention(q, k, v, scale=s, causal=True)",
        ROWS | {"M": CAUSAL, "s": 0.5},
        when=_is_causal,
    ),
    law(
        "scale what attends, or what is attended to",
        "; ".join(f"attention({left}, v, *mask, **r) = attention({right}, v, *mask, **t)" for left, right in SCALED),
        SELF,
        SELF | {"mask": ("f32[5,5]",)},
        when=_rescaled,
    ),
    law(
        "heads whose queries were joined",
        "attention(reshape(transpose(x, perm=p), shape=s), k, v, *mask, scale=c) = reshape(transpose(reshape("
        "attention(reshape(transpose(x, perm=r), shape=a), k, v, *own, scale=c), shape=b), perm=w), shape=e)",
        JOINED,
        JOINED | {"mask": lambda b: (b.constant(np.tri(4, 5, dtype=bool).repeat(2, 0)),)},
        JOINED | {"mask": lambda b: (b.constant(np.tri(4, 5, dtype=np.float32).repeat(2, 0)[None]),)},
        when=_apart,
    ),
    law(
        "a mask that hides or not",
        "attention(q, k, v, where(p, 0, N), **r) = attention(q, k, v, p, **r)",
        ROWS | {"p": "pred[4,5]", "N": -np.inf, "r": {}},
        when=lambda m: m.number("N") == -np.inf,
    ),
    law(
        "a mask that hides nothing",
        "attention(q, k, v, M, **r) = attention(q, k, v, **r)",
        ROWS | {"M": np.zeros((4, 5), np.float32), "r": {}},
        when=_hides_nothing,
    ),
    law(
        "heads that share keys",
        "attention(q, reshape(broadcast(k, shape=b), shape=c), reshape(broadcast(v, shape=e), shape=f), *mask, **r)"
        " = attention(q, reshape(k, shape=a), reshape(v, shape=d), *mask, **r)",
        GROUPS,
        GROUPS | {"mask": ("f32[4,5]",)},
        when=_shared,
    ),
)
