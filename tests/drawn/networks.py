"""Random small networks of ordinary layers as text, as a reader of models would make them: convolutions, depthwise
ones, pooling, dense layers, norms, attention, squeeze-and-excite, residuals; weights are constants, and biases have
each of their usual shapes."""

from __future__ import annotations

from itertools import count

import numpy as np

from .specs import Draw

_LARGEST = 1 << 15  # elements of a tensor
_MOST = 1 << 24  # multiply-adds of a layer


def random_network(rng: np.random.Generator, most: int = 4) -> str:
    """One network of up to `most` layers as text; `parse` takes every one."""
    draw = _DrawNetwork(rng)
    layers = int(rng.integers(2, most, endpoint=True))
    return draw.of((draw.of_image, draw.of_image, draw.of_rows, draw.of_sequence))(layers)


class _DrawNetwork(Draw):
    """Each layer takes a value, its shape, and gives both; a value is text, of what is read twice the text once and its
    name then."""

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__(rng, 64)
        self.names = count()
        self.dtype = self.of(("f32", "f32", "f32", "f32", "bf16"))

    def twice(self, value: str) -> tuple[str, str]:
        """A value to be read first, and its name."""
        if value.startswith("%"):
            return value, value.partition(":")[0]
        name = f"%v{next(self.names)}"
        return f"{name}: {value}", name

    def type(self, *shape: int) -> str:
        return f"{self.dtype}[{','.join(map(str, shape))}]"

    def weight(self, *shape: int) -> str:
        return f"const {self.type(*shape)}"

    def activated(self, value: str) -> str:
        kind = self.of(("relu", "relu", "silu", "gelu", "sigmoid", "tanh", "relu6", ""))
        if kind == "relu6":
            return f"minimum(maximum({value}, {self.weight()}), {self.weight()})"
        return f"{kind}({value})" if kind else value

    # ---- images ------------------------------------------------------------------------------------------------------

    def of_image(self, layers: int) -> str:
        c, s = self.of((1, 3, 8, 16)), self.of((5, 8, 12, 17, 28))
        value, shape = self.type(1, c, s, s), (c, s, s)
        for _ in range(layers):
            value, shape = self.of(
                (self.conv, self.conv, self.depthwise, self.pool, self.batch_norm, self.excite, self.shortcut)
            )(value, shape)
        if self.chance(0.5):
            value, width = self.flat(value, shape)
            value, width = self.dense(value, 1, width)
            value = self.headed(value)
        return value

    def conv(self, value: str, shape: tuple[int, int, int], channels: int = 0) -> tuple[str, tuple[int, int, int]]:
        c, h, w = shape
        k, stride = (1, 1) if channels else (self.of((1, 3, 3, 5)), self.of((1, 1, 2)))
        o = channels or self.of((4, 8, 16, 24))
        o = o if o * c * k * k * h * w <= _MOST else 4
        if min(h, w) < k:
            k = 1
        h, w = ((n + 2 * (k // 2) - k) // stride + 1 for n in (h, w))
        found = f"conv2d({value}, {self.weight(o, c, k, k)}, stride={stride}, padding={k // 2})"
        return self.activated(self.biased(found, o)), (o, h, w)

    def depthwise(self, value: str, shape: tuple[int, int, int]) -> tuple[str, tuple[int, int, int]]:
        c, h, w = shape
        k, stride = 3 if min(h, w) > 2 else 1, self.of((1, 1, 2))
        found = f"conv2d({value}, {self.weight(c, 1, k, k)}, stride={stride}, padding={k // 2}, groups={c})"
        h, w = ((n + 2 * (k // 2) - k) // stride + 1 for n in (h, w))
        return self.activated(self.biased(found, c)), (c, h, w)

    def biased(self, value: str, channels: int) -> str:
        kind = self.of(("", "c11", "1c11", "reshaped", "reshaped"))
        if kind == "c11":
            return f"add({value}, {self.weight(channels, 1, 1)})"
        if kind == "1c11":
            return f"add({value}, {self.weight(1, channels, 1, 1)})"
        if kind == "reshaped":
            return f"add({value}, reshape({self.weight(channels)}) -> {self.type(1, channels, 1, 1)})"
        return value

    def pool(self, value: str, shape: tuple[int, int, int]) -> tuple[str, tuple[int, int, int]]:
        c, h, w = shape
        window, stride = self.of(((2, 2), (3, 2), (3, 1)))
        if min(h, w) < window:
            return value, shape
        h, w = ((n - window) // stride + 1 for n in (h, w))
        return f"{self.of(('max', 'avg'))}_pool2d({value}, window={window}, stride={stride})", (c, h, w)

    def batch_norm(self, value: str, shape: tuple[int, int, int]) -> tuple[str, tuple[int, int, int]]:
        numbers = ", ".join(self.weight(shape[0]) for _ in range(4))
        return self.activated(f"batch_norm({value}, {numbers})"), shape

    def excite(self, value: str, shape: tuple[int, int, int]) -> tuple[str, tuple[int, int, int]]:
        c, few = shape[0], max(1, shape[0] // 4)
        value, again = self.twice(value)
        if self.chance(0.5):
            inner = f"mean({value}, axis=(2,3), keepdims=true)"
            inner = f"relu(conv2d({inner}, {self.weight(few, c, 1, 1)}))"
            inner = f"conv2d({inner}, {self.weight(c, few, 1, 1)})"
        else:
            inner = f"relu(matmul(mean({value}, axis=(2,3)), {self.weight(c, few)}))"
            inner = f"reshape(matmul({inner}, {self.weight(few, c)})) -> {self.type(1, c, 1, 1)}"
        return f"mul(sigmoid({inner}), {again})", shape

    def shortcut(self, value: str, shape: tuple[int, int, int]) -> tuple[str, tuple[int, int, int]]:
        value, again = self.twice(value)
        inner, within = self.conv(value, shape, self.of((4, 8, 16)))
        inner, _ = self.conv(inner, within, shape[0])
        return self.activated(f"add({inner}, {again})"), shape

    def flat(self, value: str, shape: tuple[int, int, int]) -> tuple[str, int]:
        c, h, w = shape
        if self.chance(0.6) or c * h * w > 4096:
            return f"mean({value}, axis=(2,3))", c
        return f"reshape({value}) -> {self.type(1, c * h * w)}", c * h * w

    # ---- rows --------------------------------------------------------------------------------------------------------

    def of_rows(self, layers: int) -> str:
        m, d = self.of((1, 4, 33, 64)), self.of((5, 16, 40, 64))
        value = self.type(m, d)
        for _ in range(layers):
            value, d = self.of((self.dense, self.dense, self.normed, self.residual))(value, m, d)
        return self.headed(value)

    def dense(self, value: str, m: int, d: int, width: int = 0) -> tuple[str, int]:
        n = width or self.of((10, 16, 40, 64))
        bias = self.of(
            (f"{self.weight(n)}", f"{self.weight(1, n)}", f"reshape({self.weight(n, 1)}) -> {self.type(1, n)}")
        )
        found = f"matmul({value}, {self.weight(d, n)})"
        return self.activated(f"add({found}, {bias})" if self.chance(0.8) else found), n

    def normed(self, value: str, m: int, d: int) -> tuple[str, int]:
        if self.chance(0.6):
            return f"layer_norm({value}, {self.weight(d)}, {self.weight(d)})", d
        return f"rms_norm({value}, {self.weight(d)})", d

    def residual(self, value: str, m: int, d: int) -> tuple[str, int]:
        value, again = self.twice(value)
        inner = self.normed(value, m, d)[0] if self.chance(0.5) else value
        inner, width = self.dense(inner, m, d)
        inner, _ = self.dense(inner, m, width, d)
        return f"add({inner}, {again})", d

    def headed(self, value: str) -> str:
        return self.of(("{}", "softmax({}, axis=-1)", "log_softmax({}, axis=-1)", "argmax({}, axis=-1)")).format(value)

    # ---- sequences ---------------------------------------------------------------------------------------------------

    def of_sequence(self, layers: int) -> str:
        s, heads, size = self.of((1, 7, 16, 32)), self.of((1, 2, 4)), self.of((4, 8, 16))
        d = heads * size
        value = self.type(s, d)
        for _ in range(max(1, layers // 2)):
            value = self.attention(value, s, heads, size) if self.chance(0.6) else self.residual(value, s, d)[0]
        return self.normed(value, s, d)[0] if self.chance(0.3) else value

    def attention(self, value: str, s: int, heads: int, size: int) -> str:
        d = heads * size
        value, again = self.twice(value)
        inner, read = self.twice(self.normed(value, s, d)[0] if self.chance(0.6) else value)
        given = [inner, read, read]
        split = lambda x: (
            f"transpose(reshape(add(matmul({x}, {self.weight(d, d)}), {self.weight(d)})) ->"
            f" {self.type(s, heads, size)}, perm=(1,0,2))"
        )
        causal = ", causal=true" if self.chance(0.4) else ""
        mixed = f"attention({', '.join(map(split, given))}{causal})"
        joined = f"reshape(transpose({mixed}, perm=(1,0,2))) -> {self.type(s, d)}"
        return f"add(matmul({joined}, {self.weight(d, d)}), {again})"
