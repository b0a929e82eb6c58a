"""The guard of a filtered convolution: it stays right beside numbers that are much larger than the others of an image.

Of tiles of 4 x 4 results all sums take numbers of the whole window and cancel those that are not theirs. So one large
number moves all results of its tiles by some of its last bits, also those whose windows do not meet it. The image's
transform says how large the numbers of each window are. Beyond a limit, which follows from some pixels of the image,
the results of the tile are summed as they are written. Of 2 x 2 results no sum takes a number that it does not meet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.vectors.text import indent
from .conv import FilteredConv
from .transforms import Filtering
from .vectors import F32, Vectors

if TYPE_CHECKING:
    from ....engine.vectors.library import VectorLibrary
    from ....machine.target import Target

FACTOR = 128.0
"""How many times as large as a usual number of an image one may be: by the root of the mean square of a pixel, which
half of the pixels are beyond. Results then move by less than 1e-5 of the largest (docs/lab/winograd)."""
PIXELS = 64
"""Of each image that are looked at."""
LARGEST = 240
"""The highest exponent, of those of f32, of a usual square: the limit stays a number."""


def guarded(filtering: Filtering) -> bool:
    """Whether results depend on numbers that their windows do not meet."""
    return filtering.m > 2


def squared(filtering: Filtering) -> list[str]:
    """Names, within a window's transform, of the numbers that are squared and summed to tell how large its numbers are:
    its four corners. Each number of the window is in one corner, by a factor of at least 1. No few of the factors have
    the sum 0, so that a border of one value does not cancel."""
    ends = (0, filtering.n - 1)
    return [f"v{i}_{j}" for i in ends for j in ends]


def limit_source(conv: FilteredConv):
    """The C of `name(x, limits)`: of each image the limit of such a sum, as a function of (library, target, name)."""
    size, count = conv.height * conv.width, min(PIXELS, conv.height * conv.width)

    def text(library: VectorLibrary, target: Target, name: str) -> str:
        vectors = Vectors(library, target)
        square = lambda c, n: [f"const {vectors.type} v = {vectors.load(f'p + {c}', n)};", "sum = sum + v * v;"]
        pixel = [
            f"const float *const p = x + (image * {size} + i * {size} / {count}) * {conv.channels};",
            f"{vectors.type} sum = {{0}};",
            *vectors.over(conv.channels, square),
            f"const float all = {library.reduce('add', F32, vectors.lanes)}(sum);",
            "uint32_t bits;",
            "__builtin_memcpy(&bits, &all, sizeof bits);",
            "found[bits >> 23 & 255]++;",
        ]
        # of the pixels that are neither 0 nor beyond all numbers, half have this exponent or a lower one
        image = [
            "int found[256] = {0}, some = 0, below = 0;",
            f"for (int64_t i = 0; i < {count}; i++) {{",
            *indent(pixel),
            "}",
            "for (int e = 1; e < 255; e++) some += found[e];",
            "uint32_t e = 0;",
            "while (2 * below < some) below += found[++e];",
            f"e = e < {LARGEST} ? e : {LARGEST};",
            "const uint32_t bits = e << 23;",
            "float usual;",
            "__builtin_memcpy(&usual, &bits, sizeof usual);",
            f"limits[image] = usual * {FACTOR**2 / conv.channels!r}f;",
        ]
        head = f"static void {name}(const float *x, float *limits)"
        lines = [head, "{", f"    for (int64_t image = 0; image < {conv.images}; image++) {{"]
        return "\n".join([*lines, *indent(indent(image)), "    }", "}", ""])

    return text


def plain_weights(conv: FilteredConv):
    """The C that turns the weights, once, into window^2 planes of [channels, kernels]."""
    places = conv.window**2

    def text(library: VectorLibrary, target: Target, name: str) -> str:
        return "\n".join(
            [
                f"static void {name}(const float *w, float *u)",
                "{",
                f"    for (int64_t k = 0; k < {conv.kernels}; k++)",
                f"        for (int64_t c = 0; c < {conv.channels}; c++)",
                f"            for (int64_t i = 0; i < {places}; i++)",
                f"                u[(i * {conv.channels} + c) * {conv.kernels} + k] ="
                f" w[(k * {conv.channels} + c) * {places} + i];",
                "}",
                "",
            ]
        )

    return text


def summed_row(conv: FilteredConv, m: int, vectors: Vectors, c: str, count: int) -> list[str]:
    """The sums `s0` and on of the results of row i of a tile, of the image `x` and its plain weights `w`."""
    row, r = conv.width * conv.channels, conv.window
    at = lambda j: f"x + (image * {conv.height} + y) * {row} + (left + {j} + b) * {conv.channels}"
    is_in = lambda j: f"left + {j} + b >= 0 && left + {j} + b < {conv.width}"
    weight = vectors.load(f"w + ((a * {r} + b) * {conv.channels} + z) * {conv.kernels} + {c}", count)
    return [
        *(f"{vectors.type} s{j} = {{0}};" for j in range(m)),
        f"for (int64_t a = 0; a < {r}; a++) {{",
        f"    const int64_t y = row * {m} - {conv.top} + i + a, left = column * {m} - {conv.left};",
        f"    if (y < 0 || y >= {conv.height}) continue;",
        f"    for (int64_t b = 0; b < {r}; b++) {{",
        *(f"        const float *const q{j} = {is_in(j)} ? {at(j)} : nothing;" for j in range(m)),
        f"        for (int64_t z = 0; z < {conv.channels}; z++) {{",
        f"            const {vectors.type} u = {weight};",
        *(f"            s{j} = s{j} + {vectors.splat(f'q{j}[z]')} * u;" for j in range(m)),
        "        }",
        "    }",
        "}",
    ]
