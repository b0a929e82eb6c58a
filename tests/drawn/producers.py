"""Every kind of call that makes a matrix, over inputs alone."""

from __future__ import annotations

from collections.abc import Callable

from .kinds import FLOATS, NARROW, NARROWER, SCALES, SUMS, WIDER, Drawing, Kind


def _take(d: Drawing, name: str, m: int, n: int) -> str:
    return f"take({d.operand(name, (d.size(), n), 0.3)}, {d.index((m,))})"


def _take_blocks(d: Drawing, name: str, m: int, n: int) -> str:
    rows = d.operand(name, (d.size(), n), 0.3)
    return d.reshaped(f"take({rows}, {d.index(d.factors(m))})", name, m, n)


def _take_elements(d: Drawing, name: str, m: int, n: int) -> str:
    return f"take({d.operand(name, (d.size(),), 0.3)}, {d.index((m, n))})"


def _concat(d: Drawing, name: str, m: int, n: int) -> str:
    axis = d.axis()
    first = int(d.rng.integers(1, (m, n)[axis]))
    one, other = ((first, n), (m - first, n)) if axis == 0 else ((m, first), (m, n - first))
    return f"concat({d.type(name, one)}, {d.type(name, other)}, axis={axis})"


def _slice(d: Drawing, name: str, m: int, n: int) -> str:
    a, b, c, e = (int(x) for x in d.rng.integers(0, 4, 4))
    return f"slice({d.type(name, (a + m + c, b + n + e))}, starts=({a},{b}), limits=({a + m},{b + n}))"


def _transpose(d: Drawing, name: str, m: int, n: int) -> str:
    return f"transpose({d.type(name, (n, m))})"


def _reshape(d: Drawing, name: str, m: int, n: int) -> str:
    return d.reshaped(d.type(name, d.of(((*d.factors(m), n), (m, *d.factors(n)), (m * n,)))), name, m, n)


def _broadcast(d: Drawing, name: str, m: int, n: int) -> str:
    return f"broadcast({d.type(name, d.of(((n,), (m, 1), (1, n))))}) -> {name}[{m},{n}]"


def _cast(of: Callable[[str], tuple[str, ...]]) -> Callable[..., str]:
    """A cast to a dtype from one of those that `of` has for it."""
    return lambda d, name, m, n: f"cast({d.type(d.of(of(name)), (m, n))}) -> {name}[{m},{n}]"


def _softmax(kind: str) -> Callable[..., str]:
    return lambda d, name, m, n: f"{kind}({d.type(name, (m, n))}, axis={d.axis()})"


def _multiplied(d: Drawing, name: str) -> tuple[str, str]:
    """Dtypes whose products are of this one."""
    return (d.of(NARROW), "s8") if name == "s32" else (name, name)


def _matmul(d: Drawing, name: str, m: int, n: int) -> str:
    (left, right), k = _multiplied(d, name), d.size()
    const = d.of(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)))
    return f"matmul({d.operand(left, (m, k), const[0])}, {d.operand(right, (k, n), const[1])})"


def _batched(d: Drawing, name: str, m: int, n: int) -> str:
    (left, right), k, (batch, rows) = _multiplied(d, name), d.size(), d.factors(m)
    product = f"matmul({d.type(left, (batch, rows, k))}, {d.operand(right, (batch, k, n), 0.3)})"
    return d.reshaped(product, name, m, n)


def _reduction(d: Drawing, name: str, m: int, n: int) -> str:
    return _reduced(d, d.of(("sum", "max", "min", "mean")), name, m, n)


def _argmax(d: Drawing, name: str, m: int, n: int) -> str:
    return _reduced(d, "argmax", d.of(("f32", "bf16", "s8")), m, n)


def _reduced(d: Drawing, kind: str, name: str, m: int, n: int) -> str:
    axis = d.axis(3)
    return f"{kind}({d.type(name, (*(m, n)[:axis], d.few(9), *(m, n)[axis:]))}, axis={axis})"


def _pool(d: Drawing, name: str, m: int, n: int) -> str:
    (*front, h, w), (i, j), (s, t) = d.image(m, n), (d.few(3), d.few(3)), (d.few(2), d.few(2))
    image = d.type(name, (*front, (h - 1) * s + i, (w - 1) * t + j))
    return d.reshaped(d.pooled(image, name, (i, j), (s, t)), name, m, n)


def _conv2d(d: Drawing, name: str, m: int, n: int) -> str:
    (count, o, h, w), (i, j), c = d.image(m, n), (d.of((1, 3)), d.of((1, 3))), d.few()
    (left, right), padded = _multiplied(d, name), d.chance(0.5)
    image = (count, c, h, w) if padded else (count, c, h + i - 1, w + j - 1)
    padding = f", padding=({i // 2},{j // 2})" * padded
    return d.reshaped(f"conv2d({d.type(left, image)}, {d.operand(right, (o, c, i, j))}{padding})", name, m, n)


def _dequantize(d: Drawing, name: str, m: int, n: int) -> str:
    narrow = d.of(NARROW)
    return f"dequantize({d.type(narrow, (m, n))}, {d.row(name, m, n)}, {d.row(narrow, m, n)})"


def _quantize(d: Drawing, name: str, m: int, n: int) -> str:
    if d.chance(0.3):
        k, left = d.size(), d.of(NARROW)
        weights = f"{d.operand('s8', (k, n))}, f32[{n}], 0"
        return f"qmatmul({d.type(left, (m, k))}, f32[], {left}[], {weights}, f32[], {name}[])"
    kind, given = d.of((("quantize", "f32"), ("quantize", "bf16"), ("requantize", "s32")))
    return f"{kind}({d.type(given, (m, n))}, {d.row('f32', m, n)}, {d.row(name, m, n)})"


def _group_matmul(d: Drawing, name: str, m: int, n: int) -> str:
    k = d.of((8, 12, 24, 32))
    return d.grouped(d.type(name, (m, k)), k, n)


PRODUCERS = {
    "unary": Kind(lambda d, name, m, n: d.mapped(d.type(name, (m, n)), name)),
    "binary": Kind(lambda d, name, m, n: d.combined(d.type(name, (m, n)), name, m, n)),
    "where": Kind(lambda d, name, m, n: d.selected(d.type(name, (m, n)), name, m, n)),
    "take": Kind(_take),
    "take of blocks": Kind(_take_blocks),
    "take of elements": Kind(_take_elements),
    "concat": Kind(_concat, least=(2, 2)),
    "slice": Kind(_slice),
    "transpose": Kind(_transpose),
    "reshape": Kind(_reshape),
    "broadcast": Kind(_broadcast),
    "cast to wider": Kind(_cast(NARROWER.__getitem__), tuple(NARROWER)),
    "cast to narrower": Kind(_cast(WIDER.__getitem__), tuple(WIDER)),
    "cast of integers": Kind(_cast(lambda name: (*NARROW, "s32", "pred")), FLOATS),
    "cast of floats": Kind(_cast(lambda name: FLOATS), (*NARROW, "s32")),
    "softmax": Kind(_softmax("softmax"), FLOATS),
    "log_softmax": Kind(_softmax("log_softmax"), FLOATS),
    "norm": Kind(lambda d, name, m, n: d.normed(d.type(name, (m, n)), name, m, n), FLOATS),
    "matmul": Kind(_matmul, SUMS),
    "batched matmul": Kind(_batched, SUMS),
    "reduction": Kind(_reduction),
    "argmax": Kind(_argmax, ("s32",)),
    "rope": Kind(lambda d, name, m, n: d.turned(d.type(name, (m, n)), name, m, n), FLOATS, even=True),
    "pool": Kind(_pool),
    "conv2d": Kind(_conv2d, SUMS),
    "dequantize": Kind(_dequantize, SCALES),
    "quantize": Kind(_quantize, NARROW),
    "group_matmul": Kind(_group_matmul, SCALES),
}
