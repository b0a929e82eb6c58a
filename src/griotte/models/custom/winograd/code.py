"""The transforms of a filtered convolution in C: each a function over the tiles of some rows of tiles, vectors along
channels.

    name(first, x, v, sizes)  windows of n x n of the image, each B^T d B, as n * n planes of [tiles, channels]. And how
                              large the numbers of each are, where `guard` asks for that
    name(first, m, sizes, limits, x, w, .., y)
                              of n * n planes of [tiles, kernels] each A^T t A, with the maps behind, as the result.
                              Of tiles whose sizes are beyond the limit the sums are those of x and its plain weights
    name(w, u)                the weights, once: G g G^T, as n * n planes of [channels, kernels]

`first` is the row of tiles that the planes begin with. Windows that reach beyond the image are put together first, and
of tiles that reach beyond the result only the places within it are stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ....codegen.teams import stage_function
from ....engine.vectors.body import emit_body
from ....engine.vectors.library import VectorLibrary, literal
from ....engine.vectors.text import indent
from .conv import ONE, WHOLE, FilteredConv
from .guard import guarded, squared, summed_row
from .transforms import Coefficients, Filtering, steps_of
from .vectors import F32, Vectors

if TYPE_CHECKING:
    from ....machine.target import Target


def input_transform(conv: FilteredConv, filtering: Filtering, tiles: int, threads: int):
    """The C of the image's transform, over `tiles` tiles, as a function of (library, target, name)."""

    def text(library: VectorLibrary, target: Target, name: str) -> str:
        image = _Image(conv, filtering, tiles, Vectors(library, target), name)
        given = {"x0": "const float *"} | dict.fromkeys(["v", *["sizes"] * guarded(filtering)], "float *")
        return image.cores() + _shared(name, given, image.tile(), tiles, threads)

    return text


def output_transform(conv: FilteredConv, filtering: Filtering, tiles: int, threads: int):
    """The C of the result's transform, and of the maps behind it, likewise."""

    def text(library: VectorLibrary, target: Target, name: str) -> str:
        result = _Result(conv, filtering, tiles, Vectors(library, target))
        others = [f"x{k}" for k in range(len(conv.others))]
        read = ["t", *(["sizes", "limits", "x", "w"] if guarded(filtering) else []), *others]
        given = dict.fromkeys(read, "const float *") | {"y": "float *"}
        return result.as_written(name) + _shared(name, given, result.tile(name), tiles, threads)

    return text


@dataclass(frozen=True)
class _Image:
    """The image's transform."""

    conv: FilteredConv
    filtering: Filtering
    tiles: int
    vectors: Vectors
    name: str

    @property
    def kept(self) -> str:
        """The type of the sizes of some channels: of their bits, whose order is that of floats from 0 on, and NaN is
        the largest."""
        return self.vectors.library.type("u32", self.vectors.lanes) if guarded(self.filtering) else "void"

    def cores(self) -> str:
        """The functions that transform a window, by how many channels they take at a time."""
        lanes, channels = self.vectors.lanes, self.conv.channels
        takes = "const float *p, int64_t row, int64_t column, float *q"
        lines: list[str] = []
        for count in sorted({min(lanes, channels), channels % lanes} - {0}):
            head = f"static inline {self.kept} {self.name}_{count}({takes})"
            lines += [head, "{", *indent(self._core(count)), "}", ""]
        return "\n".join(lines) + "\n"

    def _core(self, count: int) -> list[str]:
        n, places = self.filtering.n, _places(self.filtering.n)
        load = lambda i, j: self.vectors.load(f"p + {i} * row + {j} * column", count)
        plane = self.tiles * self.conv.channels
        return [
            *(f"const {self.vectors.type} d{i}_{j} = {load(i, j)};" for i, j in places),
            *self._transformed(),
            *(self.vectors.store(f"q + {(i * n + j) * plane}", f"v{i}_{j}", count) for i, j in places),
            *[f"return ({self.kept})(even + odd);"] * guarded(self.filtering),
        ]

    def _transformed(self) -> list[str]:
        """The window along both ways, and the squares of its corners as two sums that do not wait for each other."""
        rows, columns = _both_ways(self.vectors, self.filtering.inputs, "d", "t", "v")
        if not guarded(self.filtering):
            return [*rows, *columns]
        first, second, *others = squared(self.filtering)
        sums = [f"{self.vectors.type} even = {first} * {first}, odd = {second} * {second};"]
        sums += [f"{('even', 'odd')[i % 2]} += {name} * {name};" for i, name in enumerate(others)]
        return [*rows, *columns, *sums]

    def tile(self) -> list[str]:
        """Tile i."""
        conv, n, m = self.conv, self.filtering.n, self.filtering.m
        row, channels, lanes = conv.width * conv.channels, conv.channels, self.vectors.lanes
        call = lambda c, count: [self._sized(f"{self.name}_{count}(p + {c}, {row}, {channels}, q + {c})")]
        return [
            *_where(conv, m),
            f"const int64_t y = row * {m} - {conv.top}, x = column * {m} - {conv.left};",
            f"const float *const p = x0 + image * {conv.height * row} + y * {row} + x * {channels};",
            f"float *const q = v + i * {channels};",
            *[f"{self.kept} largest = {{0}};"] * guarded(self.filtering),
            f"if (y >= 0 && y + {n} <= {conv.height} && x >= 0 && x + {n} <= {conv.width}) {{",
            *indent(self.vectors.over(channels, call)),
            "} else {",
            *indent(self.vectors.over(channels, self._put_together)),
            "}",
            *[self.vectors.store(f"sizes + i * {lanes}", f"({self.vectors.type})largest", lanes)]
            * guarded(self.filtering),
        ]

    def _sized(self, size: str) -> str:
        """A call that transforms some channels, and gives their size."""
        if not guarded(self.filtering):
            return f"{size};"
        maximum = self.vectors.library.binary("maximum", "u32", self.vectors.lanes)
        return f"largest = {maximum}(largest, {size});"

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
            self._sized(f"{self.name}_{count}(edge, {n * lanes}, {lanes}, q + {c})"),
        ]


@dataclass(frozen=True)
class _Result:
    """The result's transform."""

    conv: FilteredConv
    filtering: Filtering
    tiles: int
    vectors: Vectors

    @property
    def _begin(self) -> str:
        conv, m = self.conv, self.filtering.m
        return f"const int64_t begin = (image * {conv.rows} + row * {m}) * {conv.columns} + column * {m};"

    def as_written(self, name: str) -> str:
        """The function that gives a tile as the sums that are written, where one is needed."""
        if not guarded(self.filtering):
            return ""
        conv, m = self.conv, self.filtering.m
        takes = ["const float *x", "const float *w", *(f"const float *x{k}" for k in range(len(conv.others)))]
        takes += ["float *y", "int64_t image", "int64_t row", "int64_t column"]
        body = [
            f"static const float nothing[{conv.channels}];",
            self._begin,
            f"for (int64_t i = 0; i < {m} && row * {m} + i < {conv.rows}; i++) {{",
            *indent(self.vectors.over(conv.kernels, self._written)),
            "}",
        ]
        head = f"static __attribute__((noinline)) void {name}_as_written({', '.join(takes)})"
        return "\n".join([head, "{", *indent(body), "}", "", ""])

    def _written(self, c: str, count: int) -> list[str]:
        """Row i of a tile."""
        conv, m = self.conv, self.filtering.m
        lines = [*summed_row(conv, m, self.vectors, c, count), *self._beside(c, count)]
        for j in range(m):
            lines += self._stored(f"s{j}", "i", j, c, count, f"if (column * {m} + {j} < {conv.columns}) ")
        return lines

    def tile(self, name: str) -> list[str]:
        """Tile i; one that reaches beyond the result is stored in part."""
        conv = self.conv
        others = "".join(f", x{k}" for k in range(len(conv.others)))
        library, lanes = self.vectors.library, self.vectors.lanes
        bits, splat = library.type("s32", lanes), library.splat(F32, lanes)
        guard = [
            f"const {bits} size = ({bits}){self.vectors.load(f'sizes + i * {lanes}', lanes)};",
            f"const {bits} left = ({bits}){splat}(limits[image]) - size;",
            f"if (__builtin_expect({library.any_negative(F32, lanes)}(left | size), 0)) {{",
            f"    {name}_as_written(x, w{others}, y, image, row, column);",
            "    continue;",
            "}",
        ]
        return [*_where(conv, self.filtering.m), *(guard if guarded(self.filtering) else []), *self._filtered()]

    def _filtered(self) -> list[str]:
        conv, m = self.conv, self.filtering.m
        begun = [f"const float *const p = t + i * {conv.kernels};", self._begin]
        if conv.rows % m == 0 and conv.columns % m == 0:
            return [*begun, *self._over(True)]
        inside = f"row * {m} + {m} <= {conv.rows} && column * {m} + {m} <= {conv.columns}"
        return [*begun, f"if ({inside}) {{", *indent(self._over(True)), "} else {", *indent(self._over(False)), "}"]

    def _over(self, is_whole: bool) -> list[str]:
        return self.vectors.over(self.conv.kernels, lambda c, count: self._channels(c, count, is_whole))

    def _channels(self, c: str, count: int, is_whole: bool) -> list[str]:
        conv, n, m, plane = self.conv, self.filtering.n, self.filtering.m, self.tiles * self.conv.kernels
        load = lambda i, j: self.vectors.load(f"p + {(i * n + j) * plane} + {c}", count)
        lines = [f"const {self.vectors.type} d{i}_{j} = {load(i, j)};" for i, j in _places(n)]
        rows, columns = _both_ways(self.vectors, self.filtering.outputs, "d", "t", "s")
        lines += [*rows, *columns]
        lines += self._beside(c, count)
        for i, j in _places(m):
            is_there = f"row * {m} + {i} < {conv.rows} && column * {m} + {j} < {conv.columns}"
            lines += self._stored(f"s{i}_{j}", i, j, c, count, "" if is_whole else f"if ({is_there}) ")
        return lines

    def _beside(self, c: str, count: int) -> list[str]:
        """What the maps read of each channel."""
        lines = []
        for k, kind in enumerate(self.conv.others):
            if kind != WHOLE:
                value = self.vectors.splat(f"*x{k}") if kind == ONE else self.vectors.load(f"x{k} + {c}", count)
                lines.append(f"const {self.vectors.type} o{k} = {value};")
        return lines

    def _stored(self, sum: str, i: int | str, j: int, c: str, count: int, test: str = "") -> list[str]:
        """What the maps give of a sum, as the result in row i and column j of a tile."""
        conv, vectors = self.conv, self.vectors
        at = f"(begin + {i} * {conv.columns} + {j}) * {conv.kernels} + {c}"
        own = [
            f"const {vectors.type} o{k} = {vectors.load(f'x{k} + {at}', count)};"
            for k, kind in enumerate(conv.others)
            if kind == WHOLE
        ]
        values = [sum, *(f"o{k}" for k in range(len(conv.others)))]
        value = emit_body(conv.body, values, vectors.library, F32, vectors.lanes)
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
    """The row and column of tiles, and the image, of tile i."""
    rows, columns = -(-conv.rows // m), -(-conv.columns // m)
    return [
        f"const int64_t image = (first + i / {columns}) / {rows}, row = (first + i / {columns}) % {rows};",
        f"const int64_t column = i % {columns};",
    ]


def _places(n: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(n) for j in range(n)]


def _both_ways(
    vectors: Vectors, matrix: Coefficients, given: str, between: str, found: str
) -> tuple[list[str], list[str]]:
    """A matrix along the rows of n x n vectors, and along the columns of what that gives."""
    steps = steps_of(matrix)
    rows: list[str] = []
    columns: list[str] = []
    for i in range(steps.inputs):
        row = [f"{between}{i}_{j}" for j in range(len(matrix))]
        rows += _line(vectors, matrix, [f"{given}{i}_{j}" for j in range(steps.inputs)], row)
    for j in range(len(matrix)):
        column = [f"{found}{i}_{j}" for i in range(len(matrix))]
        columns += _line(vectors, matrix, [f"{between}{i}_{j}" for i in range(steps.inputs)], column)
    return rows, columns


def _line(vectors: Vectors, matrix: Coefficients, given: Sequence[str], found: Sequence[str]) -> list[str]:
    """A matrix times a line of vectors; the results have the names `found`."""
    steps, names, lines = steps_of(matrix), [*given], []
    results = dict(zip(steps.results, found))
    for number, each in enumerate(steps.sums, steps.inputs):
        names.append(results.get(number) or f"{found[0]}_{number}")
        lines.append(f"const {vectors.type} {names[-1]} = {_sum(vectors, each.terms, names)};")
    for name, place in zip(found, steps.results):
        if place < steps.inputs:
            lines.append(f"const {vectors.type} {name} = {given[place]};")
    return lines


def _sum(vectors: Vectors, terms: Sequence[tuple[Fraction, int]], names: Sequence[str]) -> str:
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
