"""The transforms of a filtered convolution in C: each a function over the tiles of some rows of tiles, vectors along
channels.

    name(first, x, v)         windows of n x n of the image, each B^T d B, as n * n planes of [tiles, channels]
    name(first, m, .., y)     of n * n planes of [tiles, kernels] each A^T t A, what the maps behind do, as the result
    name(w, u)                the weights, once: G g G^T, as n * n planes of [channels, kernels]

`first` is the row of tiles that the planes begin with. Windows that reach beyond the image are put together first, and
of tiles that reach beyond the result only what is there is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ...codegen.body import emit_body
from ...codegen.stages import stage_function
from ...codegen.text import indent
from ...codegen.vector import VectorLibrary, literal
from .conv import ONE, WHOLE, FilteredConv
from .transforms import Coefficients, Filtering, steps_of

if TYPE_CHECKING:
    from ...targets.target import Target

F32 = "f32"


class _Vectors:
    """Vectors of f32 of a target, `lanes` of them or, at the end of the channels, the first `count`."""

    def __init__(self, library: VectorLibrary, target: Target):
        self.library, self.lanes = library, target.lanes(F32)
        self.type = library.type(F32, self.lanes)

    def load(self, address: str, count: int) -> str:
        if count == self.lanes:
            return f"{self.library.load(F32, self.lanes)}({address})"
        return f"{self.library.load_tail(F32, self.lanes)}({address}, {count})"

    def store(self, address: str, value: str, count: int) -> str:
        if count == self.lanes:
            return f"{self.library.store(F32, self.lanes)}({address}, {value});"
        return f"{self.library.store_tail(F32, self.lanes)}({address}, {value}, {count});"

    def splat(self, value: str) -> str:
        return f"{self.library.splat(F32, self.lanes)}({value})"

    def over(self, channels: int, body: Callable[[str, int], list[str]]) -> list[str]:
        """A loop over the channels, `c`, and what is left of them."""
        whole, left = divmod(channels, self.lanes)
        found = []
        if whole:
            head = f"for (int64_t c = 0; c < {whole * self.lanes}; c += {self.lanes}) {{"
            found += [head, *indent(body("c", self.lanes)), "}"]
        if left:
            found += ["{", *indent(body(f"{whole * self.lanes}", left)), "}"]
        return found


def input_transform(conv: FilteredConv, filtering: Filtering, tiles: int, threads: int):
    """The C of the image's transform, over `tiles` tiles, as a function of (library, target, name)."""

    def text(library: VectorLibrary, target: Target, name: str) -> str:
        image = _Image(conv, filtering, tiles, _Vectors(library, target), name)
        return image.cores() + _shared(name, {"x0": "const float *", "v": "float *"}, image.tile(), tiles, threads)

    return text


def output_transform(conv: FilteredConv, filtering: Filtering, tiles: int, threads: int):
    """The C of the result's transform, and of the maps behind it, likewise."""

    def text(library: VectorLibrary, target: Target, name: str) -> str:
        result = _Result(conv, filtering, tiles, _Vectors(library, target))
        others = {f"x{k}": "const float *" for k in range(len(conv.others))}
        given = {"t": "const float *"} | others | {"y": "float *"}
        return _shared(name, given, result.tile(), tiles, threads)

    return text


@dataclass(frozen=True)
class _Image:
    """The image's transform."""

    conv: FilteredConv
    filtering: Filtering
    tiles: int
    vectors: _Vectors
    name: str

    def cores(self) -> str:
        """The functions that transform a window, by how many channels they take at a time."""
        lanes, channels = self.vectors.lanes, self.conv.channels
        takes = "const float *p, int64_t row, int64_t column, float *q"
        lines: list[str] = []
        for count in sorted({min(lanes, channels), channels % lanes} - {0}):
            head = f"static inline void {self.name}_{count}({takes})"
            lines += [head, "{", *indent(self._core(count)), "}", ""]
        return "\n".join(lines) + "\n"

    def _core(self, count: int) -> list[str]:
        n, places = self.filtering.n, _places(self.filtering.n)
        load = lambda i, j: self.vectors.load(f"p + {i} * row + {j} * column", count)
        plane = self.tiles * self.conv.channels
        return [
            *(f"const {self.vectors.type} d{i}_{j} = {load(i, j)};" for i, j in places),
            *_both_ways(self.vectors, self.filtering.inputs, "d", "t", "v"),
            *(self.vectors.store(f"q + {(i * n + j) * plane}", f"v{i}_{j}", count) for i, j in places),
        ]

    def tile(self) -> list[str]:
        """Tile i."""
        conv, n, m = self.conv, self.filtering.n, self.filtering.m
        row, channels = conv.width * conv.channels, conv.channels
        call = lambda c, count: [f"{self.name}_{count}(p + {c}, {row}, {channels}, q + {c});"]
        return [
            *_where(conv, m),
            f"const int64_t y = row * {m} - {conv.top}, x = column * {m} - {conv.left};",
            f"const float *const p = x0 + image * {conv.height * row} + y * {row} + x * {channels};",
            f"float *const q = v + i * {channels};",
            f"if (y >= 0 && y + {n} <= {conv.height} && x >= 0 && x + {n} <= {conv.width}) {{",
            *indent(self.vectors.over(channels, call)),
            "} else {",
            *indent(self.vectors.over(channels, self._put_together)),
            "}",
        ]

    def _put_together(self, c: str, count: int) -> list[str]:
        """A window that reaches beyond the image."""
        conv, n, lanes = self.conv, self.filtering.n, self.vectors.lanes
        own = self.vectors.load(f"p + i * {conv.width * conv.channels} + j * {conv.channels} + {c}", count)
        value = f"is_in ? {own} : {self.vectors.splat('0.0f')}"
        return [
            f"float edge[{n * n * lanes}] __attribute__((aligned(64)));",
            f"for (int64_t i = 0; i < {n}; i++)",
            f"    for (int64_t j = 0; j < {n}; j++) {{",
            f"        const int is_in = y + i >= 0 && y + i < {conv.height} && x + j >= 0 && x + j < {conv.width};",
            f"        {self.vectors.store(f'edge + (i * {n} + j) * {lanes}', value, lanes)}",
            "    }",
            f"{self.name}_{count}(edge, {n * lanes}, {lanes}, q + {c});",
        ]


@dataclass(frozen=True)
class _Result:
    """The result's transform."""

    conv: FilteredConv
    filtering: Filtering
    tiles: int
    vectors: _Vectors

    def tile(self) -> list[str]:
        """Tile i; one that reaches beyond the result is stored in part."""
        conv, m = self.conv, self.filtering.m
        begins = f"(image * {conv.rows} + row * {m}) * {conv.columns} + column * {m}"
        begun = [
            *_where(conv, m),
            f"const float *const p = t + i * {conv.kernels};",
            f"const int64_t begin = {begins};",
        ]
        if conv.rows % m == 0 and conv.columns % m == 0:
            return [*begun, *self._over(True)]
        inside = f"row * {m} + {m} <= {conv.rows} && column * {m} + {m} <= {conv.columns}"
        return [*begun, f"if ({inside}) {{", *indent(self._over(True)), "} else {", *indent(self._over(False)), "}"]

    def _over(self, is_whole: bool) -> list[str]:
        return self.vectors.over(self.conv.kernels, lambda c, count: self._channels(c, count, is_whole))

    def _channels(self, c: str, count: int, is_whole: bool) -> list[str]:
        conv, n, plane = self.conv, self.filtering.n, self.tiles * self.conv.kernels
        load = lambda i, j: self.vectors.load(f"p + {(i * n + j) * plane} + {c}", count)
        lines = [f"const {self.vectors.type} d{i}_{j} = {load(i, j)};" for i, j in _places(n)]
        lines += _both_ways(self.vectors, self.filtering.outputs, "d", "t", "s")
        for k, kind in enumerate(conv.others):
            if kind != WHOLE:
                value = self.vectors.splat(f"*x{k}") if kind == ONE else self.vectors.load(f"x{k} + {c}", count)
                lines.append(f"const {self.vectors.type} o{k} = {value};")
        for i, j in _places(self.filtering.m):
            lines += self._stored(i, j, c, count, is_whole)
        return lines

    def _stored(self, i: int, j: int, c: str, count: int, is_whole: bool) -> list[str]:
        conv, m, vectors = self.conv, self.filtering.m, self.vectors
        at = f"(begin + {i * conv.columns + j}) * {conv.kernels} + {c}"
        own = [
            f"const {vectors.type} o{k} = {vectors.load(f'x{k} + {at}', count)};"
            for k, kind in enumerate(conv.others)
            if kind == WHOLE
        ]
        values = [f"s{i}_{j}", *(f"o{k}" for k in range(len(conv.others)))]
        value = emit_body(conv.body, values, vectors.library, F32, vectors.lanes)
        is_there = f"row * {m} + {i} < {conv.rows} && column * {m} + {j} < {conv.columns}"
        test = "" if is_whole else f"if ({is_there}) "
        return [f"{test}{{", *indent([*own, vectors.store(f"y + {at}", value, count)]), "}"]


def weight_transform(conv: FilteredConv, filtering: Filtering):
    """The C of the weights' transform, which runs once, in f64."""
    n, r = filtering.n, conv.window

    def text(library: VectorLibrary, target: Target, name: str) -> str:
        rows = ", ".join("{" + ", ".join(f"{float(x)!r}" for x in row) + "}" for row in filtering.weights)
        each = f"w[(k * {conv.channels} + c) * {r * r} + a * {r} + b]"
        return "\n".join(
            [
                f"static void {name}(const float *w, float *u)",
                "{",
                f"    static const double g[{n}][{r}] = {{{rows}}};",
                f"    for (int64_t c = 0; c < {conv.channels}; c++)",
                f"        for (int64_t k = 0; k < {conv.kernels}; k++)",
                f"            for (int64_t i = 0; i < {n}; i++)",
                f"                for (int64_t j = 0; j < {n}; j++) {{",
                "                    double sum = 0;",
                f"                    for (int64_t a = 0; a < {r}; a++)",
                f"                        for (int64_t b = 0; b < {r}; b++)",
                f"                            sum += g[i][a] * g[j][b] * (double){each};",
                f"                    u[((i * {n} + j) * {conv.channels} + c) * {conv.kernels} + k] = (float)sum;",
                "                }",
                "}",
                "",
            ]
        )

    return text


def _where(conv: FilteredConv, m: int) -> list[str]:
    """Which row and column of tiles of which image tile i is."""
    rows, columns = -(-conv.rows // m), -(-conv.columns // m)
    return [
        f"const int64_t image = (first + i / {columns}) / {rows}, row = (first + i / {columns}) % {rows};",
        f"const int64_t column = i % {columns};",
    ]


def _places(n: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(n) for j in range(n)]


def _both_ways(vectors: _Vectors, matrix: Coefficients, given: str, between: str, found: str) -> list[str]:
    """A matrix along the rows of n x n vectors, then along the columns of what that gives."""
    steps, lines = steps_of(matrix), []
    for i in range(steps.inputs):
        row = [f"{between}{i}_{j}" for j in range(len(matrix))]
        lines += _line(vectors, matrix, [f"{given}{i}_{j}" for j in range(steps.inputs)], row)
    for j in range(len(matrix)):
        column = [f"{found}{i}_{j}" for i in range(len(matrix))]
        lines += _line(vectors, matrix, [f"{between}{i}_{j}" for i in range(steps.inputs)], column)
    return lines


def _line(vectors: _Vectors, matrix: Coefficients, given: Sequence[str], found: Sequence[str]) -> list[str]:
    """A matrix times a line of vectors; what is `found` has these names."""
    steps, names, lines = steps_of(matrix), [*given], []
    results = dict(zip(steps.results, found))
    for number, each in enumerate(steps.sums, steps.inputs):
        names.append(results.get(number) or f"{found[0]}_{number}")
        lines.append(f"const {vectors.type} {names[-1]} = {_sum(vectors, each.terms, names)};")
    for name, place in zip(found, steps.results):
        if place < steps.inputs:
            lines.append(f"const {vectors.type} {name} = {given[place]};")
    return lines


def _sum(vectors: _Vectors, terms: Sequence[tuple[Fraction, int]], names: Sequence[str]) -> str:
    text = ""
    for factor, place in terms:
        sign = "-" if factor < 0 else "+"
        value = (
            names[place] if abs(factor) == 1 else f"{vectors.splat(literal(F32, float(abs(factor))))} * {names[place]}"
        )
        text += f" {sign} {value}" if text else f"-({value})" if factor < 0 else value
    return text


def _shared(name: str, given: dict[str, str], tile: list[str], tiles: int, threads: int) -> str:
    """The function over all tiles of some rows, from the `first` row on."""

    def loop(first: str, end: str) -> list[str]:
        return [f"for (int64_t i = {first}; i < {end}; i++) {{", *indent(tile), "}"]

    return stage_function(name, {"first": "int64_t"} | given, tiles, threads, loop)
