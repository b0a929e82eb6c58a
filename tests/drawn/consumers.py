"""Every kind of call that reads a matrix, the text x of name[m,n]."""

from __future__ import annotations

from collections.abc import Callable

from .kinds import ANY, FLOATS, NARROW, SCALES, Drawing, Kind


def _map(d: Drawing, x: str, name: str, m: int, n: int) -> str:
    return d.of((d.mapped(x, name), d.combined(x, name, m, n), d.selected(x, name, m, n)))


def _twice(d: Drawing, x: str, name: str, m: int, n: int) -> str:
    return f"{d.of(('add', 'mul', 'sub'))}(%x: {x}, {d.mapped('%x', name)})"


BEFORE = {"s8": "u8", "u8": "s8"}  # what a matrix of 8 bits is multiplied by from the left


def _weights(name: str) -> str:
    """The dtype of what a matrix is multiplied by from the right."""
    return "s8" if name in NARROW else name


def _left(const: bool) -> Callable[..., str]:
    return lambda d, x, name, m, n: f"matmul({x}, {d.operand(_weights(name), (n, d.size()), const)})"


def _right(const: bool) -> Callable[..., str]:
    return lambda d, x, name, m, n: f"matmul({d.operand(BEFORE.get(name, name), (d.size(), m), const)}, {x})"


def _batched(d: Drawing, x: str, name: str, m: int, n: int) -> str:
    batch, rows = d.factors(m)
    return f"matmul({d.reshaped(x, name, batch, rows, n)}, {d.operand(_weights(name), (batch, n, d.size()))})"


def _over(*kinds: str) -> Callable[..., str]:
    """One of these calls, along either axis."""
    return lambda d, x, name, m, n: f"{d.of(kinds)}({x}, axis={d.axis()})"


def _concat(d: Drawing, x: str, name: str, m: int, n: int) -> str:
    axis = d.axis()
    parts = [x, d.type(name, (d.few(9), n) if axis == 0 else (m, d.few(9)))]
    return f"concat({', '.join(parts if d.chance(0.5) else parts[::-1])}, axis={axis})"


def _slice(d: Drawing, x: str, name: str, m: int, n: int) -> str:
    (a, c), (b, e) = (sorted(int(i) for i in d.rng.choice(size + 1, 2, replace=False)) for size in (m, n))
    return f"slice({x}, starts=({a},{b}), limits=({c},{e}))"


def _cast(d: Drawing, x: str, name: str, m: int, n: int) -> str:
    return f"cast({x}) -> {d.type(d.of([other for other in ANY if other != name]), (m, n))}"


def _conv2d(d: Drawing, x: str, name: str, m: int, n: int) -> str:
    (*front, h, w), i, j = d.image(m, n), d.of((1, 3)), d.of((1, 3))
    windows = d.operand(_weights(name), (d.few(9), front[1], i, j))
    return f"conv2d({d.reshaped(x, name, *front, h, w)}, {windows}, padding=({i // 2},{j // 2}))"


def _pool(d: Drawing, x: str, name: str, m: int, n: int) -> str:
    *front, h, w = d.image(m, n)
    window, stride = (d.few(min(3, h)), d.few(min(3, w))), (d.few(2), d.few(2))
    return d.pooled(d.reshaped(x, name, *front, h, w), name, window, stride)


def _attention(role: int) -> Callable[..., str]:
    """Attention of one head, whose q, k or v the matrix is."""

    def write(d: Drawing, x: str, name: str, m: int, n: int) -> str:
        other, e = d.size(), d.few(20)
        q, k, v = (((m, n), (other, n), (other, e)), ((other, n), (m, n), (m, e)), ((other, e), (m, e), (m, n)))[role]
        operands = [d.type(name, (1, *shape)) for shape in (q, k, v)]
        operands[role] = d.reshaped(x, name, 1, m, n)
        return f"attention({', '.join(operands)}{', causal=true' * d.chance(0.3)})"

    return write


def _quantized(d: Drawing, x: str, name: str, m: int, n: int) -> str:
    """To or from whole numbers that stand for floats, or a product of such."""
    if name in NARROW and d.chance(0.5):
        weights = f"{d.operand('s8', (n, d.size()))}, f32[], 0"
        return f"qmatmul({x}, f32[], {d.of((0, f'{name}[]'))}, {weights}, f32[], {d.of(NARROW)}[])"
    if name in NARROW:
        return f"dequantize({x}, {d.row('f32', m, n)}, {d.row(name, m, n)})"
    kind = "requantize" if name == "s32" else "quantize"
    return f"{kind}({x}, {d.row('f32', m, n)}, {d.row(d.of(NARROW), m, n)})"


def _outputs(d: Drawing, x: str, name: str, m: int, n: int) -> str:
    """The matrix is a result itself."""
    read = d.of((_left(True), _left(False), _over("max")))
    return f"outputs(%x: {x}, {read(d, '%x', name, m, n)})"


CONSUMERS = {
    "map": Kind(_map),
    "twice": Kind(_twice),
    "matmul left": Kind(_left(False)),
    "matmul left of const": Kind(_left(True)),
    "matmul right": Kind(_right(False)),
    "matmul right of const": Kind(_right(True)),
    "matmul by itself": Kind(lambda d, x, name, m, n: f"matmul(%x: {x}, transpose(%x))", (*FLOATS, "s8")),
    "batched matmul": Kind(_batched),
    "softmax": Kind(_over("softmax"), FLOATS),
    "log_softmax": Kind(_over("log_softmax"), FLOATS),
    "norm": Kind(lambda d, x, name, m, n: d.normed(x, name, m, n), FLOATS),
    "reduction": Kind(_over("sum", "max", "min", "mean")),
    "argmax": Kind(_over("argmax")),
    "transpose": Kind(lambda d, x, name, m, n: f"transpose({x})"),
    "concat": Kind(_concat),
    "slice": Kind(_slice),
    "cast": Kind(_cast),
    "take": Kind(lambda d, x, name, m, n: f"take({x}, {d.index((d.size(),))})"),
    "conv2d": Kind(_conv2d),
    "pool": Kind(_pool),
    "rope": Kind(lambda d, x, name, m, n: d.turned(x, name, m, n), FLOATS, even=True),
    "attention q": Kind(_attention(0), FLOATS),
    "attention k": Kind(_attention(1), FLOATS),
    "attention v": Kind(_attention(2), FLOATS),
    "quantize": Kind(_quantized, (*SCALES, *NARROW, "s32")),
    "group_matmul": Kind(lambda d, x, name, m, n: d.grouped(x, n, d.size()), SCALES),
    "outputs": Kind(_outputs),
}
