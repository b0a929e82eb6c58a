"""Specs to learn from, drawn by a seed: over all kinds of calls, of sizes that a call takes 2 us to 2 ms for."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from ...lang.calls.spec import Spec
from ...lang.text.text import parse
from ...support.errors import SpecError

WORK = (4e5, 8e7)  # multiply-adds of a product, from a few microseconds to a few milliseconds
ELEMENTS = (1.5e4, 2e6)  # that others read


class Draw:
    """Numbers of one Spec, by its own generator."""

    def __init__(self, rng: random.Random):
        self.rng = rng

    def size(self, least: float, most: float) -> int:
        """Log-uniform; two in five are round, as most sizes that people have: multiples of 8 to 64."""
        found = max(1, round(least * (most / least) ** self.rng.random()))
        step = self.rng.choice((1, 1, 1, 8, 32 if found >= 64 else 8))
        return max(1, round(found / step)) * step

    def of(self, *words: str) -> str:
        return self.rng.choice(words)

    def shared(self, total: tuple[float, float], count: int, least: float = 8, most: float = 4096) -> list[int]:
        """So many sizes whose product is within `total`, as far as bounds let it."""
        goal = total[0] * (total[1] / total[0]) ** self.rng.random()
        shares = [0.3 + self.rng.random() for _ in range(count)]
        spare = max(1.0, goal / least**count)
        return [max(1, round(min(most, least * spare ** (share / sum(shares))))) for share in shares]

    def rounded(self, sizes: list[int]) -> list[int]:
        """Some of them round."""
        return [n if n < 16 or self.rng.random() < 0.5 else n // 8 * 8 for n in sizes]


def _floats(draw: Draw) -> str:
    return draw.of("f32", "f32", "f32", "f64", "bf16", "f16")


def product(draw: Draw) -> str:
    m, n, k = draw.rounded(draw.shared(WORK, 3, 16, 1024))
    dtype = draw.of("f32", "f32", "f32", "f32", "f64")
    turned, const = draw.of("", "", "{0,1}"), draw.of("", "", "const ")
    return f"matmul({dtype}[{m},{k}], {const}{dtype}[{k},{n}]{turned})"


def thin(draw: Draw) -> str:
    n, k = draw.rounded(draw.shared((1e5, 4e6), 2, 128, 4096))
    return f"matmul(f32[{draw.size(1, 12)},{k}], {draw.of('', 'const ')}f32[{k},{n}]{draw.of('', '', '{0,1}')})"


def batched(draw: Draw) -> str:
    m, n, k = draw.rounded(draw.shared((3e4, 5e6), 3, 8, 256))
    b = draw.size(2, 24)
    return f"matmul(f32[{b},{m},{k}], f32[{b},{k},{n}])"


def integers(draw: Draw) -> str:
    m, n, k = draw.rounded(draw.shared(WORK, 3, 16, 1024))
    return f"matmul(u8[{m},{k}], {draw.of('', 'const ')}s8[{k},{n}]) -> s32[{m},{n}]"


def halves(draw: Draw) -> str:
    m, n, k = draw.rounded(draw.shared(WORK, 3, 16, 1024))
    return f"matmul(bf16[{m},{k}], {draw.of('', 'const ')}bf16[{k},{n}]) -> f32[{m},{n}]"


def convolution(draw: Draw) -> str:
    window, stride = draw.rng.choice(((1, 1), (3, 1), (3, 1), (3, 2), (5, 1), (7, 2)))
    work = draw.shared((6e5 / window, 6e7 / window**2), 4, 8, 96)
    c, o, h, w = draw.rounded(work)
    h, w = max(h, window), max(w, window)
    padding = draw.of("", f", padding=({window // 2},{window // 2})")
    strides = f", stride=({stride},{stride})" * (stride > 1)
    return f"conv2d(f32[1,{c},{h},{w}], {draw.of('', 'const ')}f32[{o},{c},{window},{window}]{strides}{padding})"


def depthwise(draw: Draw) -> str:
    c, h, w = draw.rounded(draw.shared((2e4, 8e5), 3, 8, 256))
    padding = draw.of("", ", padding=(1,1)")
    return f"conv2d(f32[1,{c},{max(h, 3)},{max(w, 3)}], f32[{c},1,3,3], groups={c}{padding})"


def reduction(draw: Draw) -> str:
    shape = draw.shared(ELEMENTS, draw.rng.choice((2, 2, 3)), 8)
    call, axis = draw.of("sum", "sum", "max", "mean", "prod"), draw.rng.randrange(len(shape))
    return f"{call}({_floats(draw)}[{','.join(map(str, shape))}], axis={axis})"


def softmax(draw: Draw) -> str:
    rows, columns = draw.shared(ELEMENTS, 2, 8)
    return f"{draw.of('softmax', 'softmax', 'log_softmax')}(f32[{rows},{columns}])"


def norm(draw: Draw) -> str:
    rows, columns = draw.shared(ELEMENTS, 2, 8)
    return draw.of(
        f"layer_norm(f32[{rows},{columns}], f32[{columns}], f32[{columns}])",
        f"rms_norm(f32[{rows},{columns}], f32[{columns}])",
    )


def elementwise(draw: Draw) -> str:
    rows, columns = draw.shared(ELEMENTS, 2, 8)
    dtype = _floats(draw)
    x, y = f"{dtype}[{rows},{columns}]", f"{dtype}[{columns}]"
    call = draw.of("exp", "tanh", "gelu", "sigmoid", "silu", "relu", "sqrt", "erf", "log")
    return draw.of(
        f"{call}({x})", f"add({x}, {y})", f"mul({x}, {x})", f"{call}(add({x}, {y}))", f"mul(add({x}, {y}), {x})"
    )


def pool(draw: Draw) -> str:
    c, h, w = draw.shared(ELEMENTS, 3, 8, 256)
    window, stride = draw.rng.choice(((2, 2), (3, 1), (3, 2)))
    return f"{draw.of('max', 'avg')}_pool2d(f32[1,{c},{h},{w}], window=({window},{window}), stride=({stride},{stride}))"


def transpose(draw: Draw) -> str:
    shape = draw.rounded(draw.shared(ELEMENTS, draw.rng.choice((2, 2, 3)), 8))
    perm = list(range(len(shape)))
    while perm == sorted(perm):
        draw.rng.shuffle(perm)
    dtype = draw.of("f32", "f32", "bf16", "u8")
    return f"transpose({dtype}[{','.join(map(str, shape))}], perm=({','.join(map(str, perm))}))"


def attention(draw: Draw) -> str:
    heads, depth = draw.size(1, 6), draw.rng.choice((16, 32, 64))
    q, k = (max(16, n // 16 * 16) for n in draw.shared((2e3, 6e4), 2, 16, 512))  # of round sizes a search is shorter
    return f"attention(f32[{heads},{q},{depth}], f32[{heads},{k},{depth}], f32[{heads},{k},{depth}])"


def biased(draw: Draw) -> str:
    m, n, k = draw.rounded(draw.shared(WORK, 3, 16, 768))
    call = draw.of("relu", "gelu", "silu", "tanh", "sigmoid")
    return f"{call}(add(matmul(f32[{m},{k}], {draw.of('', 'const ')}f32[{k},{n}]), f32[{n}]))"


def scored(draw: Draw) -> str:
    m, n, k = draw.rounded(draw.shared((1e5, 2e7), 3, 8, 512))
    return f"softmax(matmul(f32[{m},{k}], f32[{k},{n}]))"


def perceptron(draw: Draw) -> str:
    m, n, k = draw.rounded(draw.shared((1e5, 1e7), 3, 8, 256))
    call = draw.of("relu", "gelu", "tanh")
    return f"matmul({call}(matmul(f32[{m},{k}], f32[{k},{n}])), f32[{n},{k}])"


def convolved(draw: Draw) -> str:
    c, o, h, w = draw.rounded(draw.shared((5e4, 2e6), 4, 8, 48))
    h, w = max(h, 3), max(w, 3)
    return f"relu(add(conv2d(f32[1,{c},{h},{w}], f32[{o},{c},3,3]), f32[{o},1,1]))"


def joined(draw: Draw) -> str:
    rows, columns = draw.shared(ELEMENTS, 2, 8)
    x, y = f"f32[{rows},{columns}]", f"f32[{columns}]"
    return draw.of(
        f"sum(exp({x}), axis=1)",
        f"mean(mul({x}, {x}), axis=0)",
        f"max(abs(add({x}, {y})), axis=1)",
        f"rms_norm(add({x}, {x}), {y})",
        f"softmax(add({x}, {y}))",
    )


KINDS: tuple[Callable[[Draw], str], ...] = (
    product,
    thin,
    batched,
    integers,
    halves,
    convolution,
    depthwise,
    reduction,
    softmax,
    norm,
    elementwise,
    pool,
    transpose,
    attention,
    biased,
    scored,
    perceptron,
    convolved,
    joined,
)
"""Each draws the text of a Spec."""


def drawn(count: int, seed: int = 0) -> Iterator[Spec]:
    """So many Specs, each kind in turn, no two alike; of one seed always the same, and the first ones of more."""
    met: set[str] = set()
    number = 0
    while len(met) < count:
        kind = KINDS[number % len(KINDS)]
        draw = Draw(random.Random(f"{seed} {number}"))
        number += 1
        try:
            spec = parse(kind(draw))
        except SpecError:  # sizes that do not go together
            continue
        if str(spec) not in met:
            met.add(str(spec))
            yield spec
