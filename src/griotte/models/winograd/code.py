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
from fractions import Fraction
from typing import TYPE_CHECKING

from ...codegen.body import emit_body
from ...codegen.text import indent
from ...codegen.vector import VectorLibrary, literal
from .conv import CHANNEL, ONE, WHOLE, FilteredConv
from .transforms import Filtering, Matrix, steps_of

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
    n, channels = filtering.n, conv.channels

    def text(library: VectorLibrary, target: Target, name: str) -> str:
        vectors = _Vectors(library, target)

        def core(count: int) -> list[str]:
            lines = [
                f"const {vectors.type} d{i}_{j} = {vectors.load(f'p + {i} * row + {j} * column', count)};"
                for i in range(n)
                for j in range(n)
            ]
            lines += _both_ways(vectors, filtering.inputs, "d", "t", "v")
            return lines + [
                vectors.store(f"q + {(i * n + j) * tiles * channels}", f"v{i}_{j}", count)
                for i in range(n)
                for j in range(n)
            ]

        parts = sorted({min(vectors.lanes, channels), channels % vectors.lanes} - {0})
        takes = "const float *p, int64_t row, int64_t column, float *q"
        cores = [
            [f"static inline void {name}_{count}({takes})", "{", *indent(core(count)), "}", ""] for count in parts
        ]
        inside = vectors.over(
            channels,
            lambda c, count: [f"{name}_{count}(p + {c}, {conv.width * channels}, {channels}, q + {c});"],
        )

        def beyond(c: str, count: int) -> list[str]:
            return [
                f"float edge[{n * n * vectors.lanes}] __attribute__((aligned(64)));",
                f"for (int64_t i = 0; i < {n}; i++)",
                f"    for (int64_t j = 0; j < {n}; j++) {{",
                "        const int is_in = y + i >= 0 && y + i < {} && x + j >= 0 && x + j < {};".format(
                    conv.height, conv.width
                ),
                "        {}".format(
                    vectors.store(
                        f"edge + (i * {n} + j) * {vectors.lanes}",
                        "is_in ? {} : {}".format(
                            vectors.load(f"p + i * {conv.width * channels} + j * {channels} + {c}", count),
                            vectors.splat("0.0f"),
                        ),
                        vectors.lanes,
                    )
                ),
                "    }",
                f"{name}_{count}(edge, {n * vectors.lanes}, {vectors.lanes}, q + {c});",
            ]

        loop = [
            *_tile(conv, filtering.m, "image"),
            f"const int64_t y = row * {filtering.m} - {conv.top}, x = column * {filtering.m} - {conv.left};",
            f"const float *const p = x0 + image * {conv.height * conv.width * channels}"
            f" + y * {conv.width * channels} + x * {channels};",
            f"float *const q = v + i * {channels};",
            f"if (y >= 0 && y + {n} <= {conv.height} && x >= 0 && x + {n} <= {conv.width}) {{",
            *indent(inside),
            "} else {",
            *indent(vectors.over(channels, beyond)),
            "}",
        ]
        head = [line for lines in cores for line in lines]
        return "\n".join(head) + _shared(name, {"x0": "const float *", "v": "float *"}, loop, conv, filtering.m, tiles, threads)

    return text


def output_transform(conv: FilteredConv, filtering: Filtering, tiles: int, threads: int):
    """The C of the result's transform, and of the maps behind it, likewise."""
    n, m, kernels = filtering.n, filtering.m, conv.kernels

    def text(library: VectorLibrary, target: Target, name: str) -> str:
        vectors = _Vectors(library, target)

        def of_tile(c: str, count: int, is_whole: bool) -> list[str]:
            lines = [
                f"const {vectors.type} d{i}_{j} = {vectors.load(f'p + {(i * n + j) * tiles * kernels} + {c}', count)};"
                for i in range(n)
                for j in range(n)
            ]
            lines += _both_ways(vectors, filtering.outputs, "d", "t", "s")
            values = [""]
            for k, kind in enumerate(conv.others):
                values.append(f"o{k}")
                if kind == ONE:
                    lines.append(f"const {vectors.type} o{k} = {vectors.splat(f'*x{k}')};")
                elif kind == CHANNEL:
                    lines.append(f"const {vectors.type} o{k} = {vectors.load(f'x{k} + {c}', count)};")
            for i in range(m):
                for j in range(m):
                    at = f"(i0 + {i * conv.columns + j}) * {kernels} + {c}"
                    own = [
                        f"const {vectors.type} o{k} = {vectors.load(f'x{k} + {at}', count)};"
                        for k, kind in enumerate(conv.others)
                        if kind == WHOLE
                    ]
                    stored = emit_body(conv.body, [f"s{i}_{j}", *values[1:]], library, F32, vectors.lanes)
                    body = [*own, vectors.store(f"y + {at}", stored, count)]
                    test = "" if is_whole else f"if (row * {m} + {i} < {conv.rows} && column * {m} + {j} < {conv.columns}) "
                    lines += [f"{test}{{", *indent(body), "}"]
            return lines

        def tile(is_whole: bool) -> list[str]:
            return indent(vectors.over(kernels, lambda c, count: of_tile(c, count, is_whole)))

        loop = [
            *_tile(conv, m, "image"),
            f"const float *const p = t + i * {kernels};",
            f"const int64_t i0 = (image * {conv.rows} + row * {m}) * {conv.columns} + column * {m};",
        ]
        if conv.rows % m == 0 and conv.columns % m == 0:
            loop += tile(True)
        else:
            inside = f"row * {m} + {m} <= {conv.rows} && column * {m} + {m} <= {conv.columns}"
            loop += [f"if ({inside}) {{", *tile(True), "} else {", *tile(False), "}"]
        given = {"t": "const float *"} | {f"x{k}": "const float *" for k in range(len(conv.others))} | {"y": "float *"}
        return _shared(name, given, loop, conv, m, tiles, threads)

    return text


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


def _tile(conv: FilteredConv, m: int, image: str) -> list[str]:
    """Where tile i of these planes lies."""
    rows, columns = -(-conv.rows // m), -(-conv.columns // m)
    return [
        f"const int64_t {image} = (first + i / {columns}) / {rows}, row = (first + i / {columns}) % {rows};",
        f"const int64_t column = i % {columns};",
    ]


def _both_ways(vectors: _Vectors, matrix: Matrix, given: str, between: str, found: str) -> list[str]:
    """A matrix along the rows of n x n vectors, then along the columns of what that gives."""
    steps, lines = steps_of(matrix), []
    for i in range(steps.inputs):
        lines += _line(vectors, matrix, [f"{given}{i}_{j}" for j in range(steps.inputs)], f"{between}{i}_")
    for j in range(len(matrix)):
        column = [f"{between}{i}_{j}" for i in range(steps.inputs)]
        lines += _line(vectors, matrix, column, f"{found}_{j}", lambda i, j=j: f"{found}{i}_{j}")
    return lines


def _line(
    vectors: _Vectors, matrix: Matrix, given: Sequence[str], prefix: str, named: Callable[[int], str] | None = None
) -> list[str]:
    """A matrix times a line of vectors; result i is named `prefix` and i, or as `named` says."""
    steps = steps_of(matrix)
    names = [*given]
    called = named or (lambda i: f"{prefix}{i}")
    results = {place: called(i) for i, place in enumerate(steps.results)}
    lines = []
    for number, each in enumerate(steps.sums, steps.inputs):
        names.append(results.get(number) or f"{prefix}_{number}")
        lines.append(f"const {vectors.type} {names[-1]} = {_sum(vectors, each.terms, names)};")
    for i, place in enumerate(steps.results):
        if place < steps.inputs:
            lines.append(f"const {vectors.type} {called(i)} = {given[place]};")
    return lines


def _sum(vectors: _Vectors, terms: Sequence[tuple[Fraction, int]], names: Sequence[str]) -> str:
    text = ""
    for factor, place in terms:
        sign = "-" if factor < 0 else "+"
        value = names[place] if abs(factor) == 1 else f"{vectors.splat(literal(F32, float(abs(factor))))} * {names[place]}"
        text += f" {sign} {value}" if text else f"-({value})" if factor < 0 else value
    return text


def _shared(
    name: str, given: dict[str, str], loop: list[str], conv: FilteredConv, m: int, tiles: int, threads: int
) -> str:
    """The function over all tiles of some rows, or over the shares of threads."""
    _, across = conv.tiles(m)
    formals = ", ".join(f"{kind}{n}" for n, kind in given.items())
    total = f"{tiles}"
    if threads == 1:
        body = [f"for (int64_t i = 0; i < {total}; i++) {{", *indent(loop), "}"]
        return "\n".join([f"static void {name}(int64_t first, {formals})", "{", *indent(body), "}", ""])
    taken = [f"{kind}const {n} = given->{n};" for n, kind in given.items()]
    share = [
        f"const struct {name}_given *const given = context;",
        "const int64_t first = given->first;",
        *taken,
        f"for (int64_t i = {total} * share / {threads}; i < {total} * (share + 1) / {threads}; i++) {{",
        *indent(loop),
        "}",
    ]
    return "\n".join(
        [
            f"struct {name}_given {{",
            *indent(["int64_t first;", *(f"{kind}{n};" for n, kind in given.items())]),
            "};",
            "",
            f"static void {name}_share(void *context, int64_t share)",
            "{",
            *indent(share),
            "}",
            "",
            f"static void {name}(int64_t first, {formals})",
            "{",
            f"    struct {name}_given given = {{first, {', '.join(given)}}};",
            f"    griotte_share_out({threads}, {threads}, {name}_share, &given);",
            "}",
            "",
        ]
    )
