"""What producers and consumers of matrices (of pairs.py) are made of: their form, and what both of them draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from griotte.lang.text.text import parse

from .specs import Draw

# primes, and neighbours of vectors' lengths
SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 19, 20, 23, 24, 29, 31, 32, 33, 35, 37, 40)
FLOATS, SCALES, NARROW = ("f32", "bf16", "f16", "f64"), ("f32", "bf16", "f16"), ("u8", "s8")
ANY, SUMS = (*FLOATS, *NARROW, "s32"), (*FLOATS, "s32")
WEIGHT = {"f32": 8, "bf16": 2, "s8": 2, "u8": 2, "s32": 2}  # of a dtype that is drawn; of any other 1
WIDER = {"bf16": ("f32", "f64"), "f16": ("f32",), "f32": ("f64",), "u8": ("s32", "s16"), "s8": ("s32", "s16")}
NARROWER = {wide: tuple(name for name in ANY if wide in WIDER.get(name, ())) for wide in ("f64", "f32", "s32")}
LARGEST = 800  # elements of the matrix between producer and consumer
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Kind:
    """A call that makes, or reads, a matrix of one of `dtypes`, of `least` rows and columns; `even`: these in pairs.

    `write(d, name, m, n)` is the text of a producer whose result is name[m,n]; `write(d, x, name, m, n)` that of a
    consumer of the text x, which gives that.
    """

    write: Callable[..., str]
    dtypes: tuple[str, ...] = ANY
    least: Shape = (1, 1)
    even: bool = False


class Drawing(Draw):
    """What is drawn, and calls that stand on either side of a pair."""

    def __init__(self, rng: np.random.Generator):
        super().__init__(rng, SIZES[-1])

    # ---- numbers and types ---------------------------------------------------------------------------------------

    def size(self) -> int:
        return self.of(SIZES)

    def few(self, most: int = 5) -> int:
        return int(self.rng.integers(1, most, endpoint=True))

    def axis(self, rank: int = 2) -> int:
        return int(self.rng.integers(rank))

    def factors(self, size: int) -> Shape:
        """Two numbers whose product this is; mostly neither is 1, where it is no prime."""
        proper = [a for a in range(2, size) if size % a == 0]
        first = self.of(proper) if proper and self.chance(0.8) else self.of((1, size))
        return first, size // first

    def image(self, m: int, n: int) -> Shape:
        """A matrix as an image: n, c, h, w."""
        return self.of(((1, m, *self.factors(n)), (1, *self.factors(m), n), (*self.factors(m), 1, n)))

    def operand(self, name: str, shape: Shape, const: float = 0.5) -> str:
        """An input that is, so often, a constant."""
        return "const " * self.chance(const) + self.type(name, shape)

    def row(self, name: str, m: int, n: int) -> str:
        """What broadcasts against a matrix: a row, a column, one number, or a matrix."""
        return self.type(name, self.of(((n,), (m, 1), (1, n), (), (m, n))))

    def index(self, shape: Shape) -> str:
        return self.type(self.of(("s32", "s32", "s64", "u8")), shape)

    def told(self, call: str) -> str:
        """A call that may say its result's layout, and a wider dtype of floats."""
        if call.startswith(("outputs", "cast")) or self.chance(0.7):
            return call
        result = parse(call).output
        is_wider = result.dtype in ("bf16", "f16") and self.chance(0.3)
        return f"{call} -> {self.type(self.of(WIDER[result.dtype]) if is_wider else result.dtype, result.shape)}"

    # ---- calls of x, which is name[m,n] ---------------------------------------------------------------------------

    def mapped(self, x: str, name: str) -> str:
        floats = "exp", "tanh", "gelu", "silu", "sigmoid", "relu", "neg", "sqrt", "log"
        return f"{self.of(floats if name in FLOATS else ('neg', 'abs', 'relu'))}({x})"

    def combined(self, x: str, name: str, m: int, n: int) -> str:
        operands, kinds = [x, self.row(name, m, n)], ("add", "sub", "mul", "maximum")
        both = ", ".join(operands if self.chance(0.5) else operands[::-1])
        return f"{self.of((*kinds, 'div') if name in FLOATS else kinds)}({both})"

    def selected(self, x: str, name: str, m: int, n: int) -> str:
        return f"where({self.row('pred', m, n)}, {x}, {self.row(name, m, n)})"

    def reshaped(self, x: str, name: str, *shape: int) -> str:
        return f"reshape({x}) -> {name}[{','.join(map(str, shape))}]"

    def normed(self, x: str, name: str, m: int, n: int) -> str:
        gain, bias = (self.type(name, (n,)) for _ in range(2))
        return self.of((f"rms_norm({x}, {gain})", f"layer_norm({x}, {gain}, {bias})"))

    def turned(self, x: str, name: str, m: int, n: int) -> str:
        angles = [self.type(name, (m, n // 2)) for _ in range(2)]
        return f"rope({x}, {', '.join(angles)}{', interleaved=true' * self.chance(0.3)})"

    def pooled(self, x: str, name: str, window: Shape, stride: Shape) -> str:
        """Of x as an image."""
        kind = self.of(("max_pool2d", "avg_pool2d")) if name in FLOATS else "max_pool2d"
        (i, j), (s, t) = window, stride
        return f"{kind}({x}, window=({i},{j}), stride=({s},{t}))"

    def grouped(self, x: str, k: int, n: int) -> str:
        size = self.of([size for size in range(1, k + 1) if k % size == 0])
        groups = k // size
        weights = self.operand(self.of(("s4", "s8", "u8")), (n, groups, size), 0.7)
        return f"group_matmul({x}, {weights}, {self.operand('f32', (n, groups), 0.7)})"
