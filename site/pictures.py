"""The pictures of docs/explanation/search.md and architecture.md, as SVG: drawn for 400 pixels, in the reader's light
or dark colours.

    python site/pictures.py [FOLDER]    writes them, into docs/images unless told otherwise

The plane of decisions is that of the search in small on the page itself: its code block is run.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/explanation/search.md"
WIDTH = 400
STYLE = """\
.ground { fill: #fff } text { fill: #222 } .note { fill: #555 } .name { font-weight: 600 }
.box { fill: #f6f4f5; stroke: #777 }
.held { fill: #f0d5dc; stroke: #9b1b3b } .way { fill: none; stroke: #9b1b3b; stroke-width: 1.4 }
.head { fill: #9b1b3b } .a { fill: #f0d5dc } .b { fill: #d4e4f3 }
.c { fill: #dcebd6 } .d { fill: #f6e7c4 } .e { fill: #e3daf1 } .f { fill: #e6e6e6 }
.edge { fill: none; stroke: #333; stroke-width: 1.2 }
@media (prefers-color-scheme: dark) {
.ground { fill: #14161a } text { fill: #ddd } .note { fill: #aaa } .box { fill: #20232a; stroke: #888 }
.held { fill: #4a2630; stroke: #e0567d } .way { stroke: #e0567d } .head { fill: #e0567d }
.a { fill: #5a2a38 } .b { fill: #24405c }
.c { fill: #2c4a2a } .d { fill: #57481f } .e { fill: #3f3159 } .f { fill: #3a3d44 } .edge { stroke: #ccc }
}"""
HEAD = (
    '<defs><marker id="head" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto"'
    ' markerUnits="userSpaceOnUse"><path class="head" d="M0 0.5 L9 4 L0 7.5 z"/></marker></defs>'
)
COLOURS = "abcdef"


def svg(title: str, says: str, height: int, parts: Iterable[str]) -> str:
    """A picture `WIDTH` wide; `says` is what a reader who does not see it is told."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
            ' font-family="ui-monospace, monospace" font-size="12">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(says)}</desc>",
            f"<style>\n{STYLE}\n</style>",
            HEAD,
            f'<rect class="ground" width="{WIDTH}" height="{height}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'


def rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'


def arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    return f'<path class="way" d="M{x:g} {y:g} L{to_x:g} {to_y:g}" marker-end="url(#head)"/>'


def card(x: float, y: float, width: float, lines: list[str], kind: str = "box") -> list[str]:
    """A box with its name in the first line."""
    rows = [text(x + 8, y + 18 + 17 * i, line, "name" if i == 0 else "") for i, line in enumerate(lines)]
    return [rect(x, y, width, 17 * len(lines) + 10, kind), *rows]


def spec() -> str:
    """A Spec, one rewrite of it, and the two smaller Specs that are left."""
    whole = ["matmul", "family: x0@L2, x1@L2, y@L2", "point: m=64 n=48 k=64, all of L1 free"]
    parts = [
        *card(20, 8, 360, whole),
        text(200, 90, "rewrite: copy x1 to L1 in panels of 24", "note", "middle"),
        arrow(105, 98, 105, 116),
        arrow(295, 98, 295, 116),
        *card(20, 120, 170, ["copy", "x1@L2 to L1, packed", "k=64 n=48", "caches free"]),
        *card(210, 120, 170, ["matmul", "x0@L2 x1@L1 y@L2", "m=64 n=48 k=64", "1/4 of L1 is free"]),
        text(200, 218, "cost = call + cost(copy) + cost(matmul)", "name", "middle"),
    ]
    return svg(
        "A Spec and one rewrite of it",
        "A matmul with x0, x1 and y in L2 and all of L1 free. The rewrite copies x1 to L1. It leaves a copy, and a"
        " matmul with x1 in L1 and a quarter of L1 free. The cost is that of the call, the copy and that matmul.",
        230,
        parts,
    )


STEPS_OF_A_LIMIT = {"0": 0.0, "1/8": 0.125, "1/4": 0.25, "1/2": 0.5, "3/4": 0.75, "1": 1.0}


def limit_steps() -> str:
    """The limit of a level, before and after a copy takes some of it."""
    left, width, y, lines, takes = 30, 340, 62, 256, 160
    at = lambda count: left + width * count / lines
    rest = lines - takes
    parts = [
        text(left, 20, f"L1 lends {lines} lines, in six steps", "name"),
        rect(left, y, width, 22, "box"),
        rect(at(rest), y, at(lines) - at(rest), 22, "held"),
        *(f'<path class="edge" d="M{at(lines * share):g} {y - 4} V{y + 26}"/>' for share in STEPS_OF_A_LIMIT.values()),
        *(text(at(lines * share), y + 42, name, "", "middle") for name, share in STEPS_OF_A_LIMIT.items()),
        text(at(rest + takes / 2), y - 8, f"a tile takes {takes}", "note", "middle"),
        text(at(rest / 2), y - 8, f"{rest} are left", "note", "middle"),
        arrow(at(rest), y + 58, at(lines / 4) + 1, y + 58),
        text(at(rest) + 8, y + 62, "rounded down to 1/4: 64 lines", "note"),
    ]
    return svg(
        "Steps of a memory limit",
        f"L1 lends {lines} lines. A tile takes {takes} of them. {rest} are left, rounded down to a quarter, 64 lines.",
        136,
        parts,
    )


def toy() -> dict[str, Any]:
    """The names of the search in small, whose code is the page's."""
    (block,) = re.findall(r"^```python\n(import numpy.*?)^```$", PAGE.read_text(), re.M | re.S)
    names: dict[str, Any] = {}
    exec(compile(block, str(PAGE), "exec"), names)
    return names


def rectangles(plane: Any) -> list[tuple[int, int, int, int]]:
    """Disjoint (row, column, rows, columns) of one decision each: from each free cell along its row, then down."""
    taken, found = set[tuple[int, int]](), []
    rows, columns = plane.shape
    for i in range(rows):
        for j in range(columns):
            if (i, j) in taken:
                continue
            here = plane[i, j]
            right = next((c for c in range(j, columns) if plane[i, c] != here or (i, c) in taken), columns)
            fits = lambda r: all(plane[r, c] == here and (r, c) not in taken for c in range(j, right))
            low = next((r for r in range(i, rows) if not fits(r)), rows)
            taken |= {(r, c) for r in range(i, low) for c in range(j, right)}
            found.append((i, j, low - i, right - j))
    return found


def boxes() -> str:
    """The plane of m and n of a family, coloured by decision, and the boxes that keep it."""
    plane, side, left, top = toy()["decision"], 10, 32, 30
    kinds = sorted(set(plane.ravel().tolist()))
    colour = dict(zip(kinds, COLOURS, strict=True))
    at = lambda box: (left + side * box[1], top + side * box[0], side * box[3], side * box[2])
    covered = rectangles(plane)
    ticks = (1, 4, 8, 12, 16, 20, 24)
    parts = [
        text(left + side * 12, 12, "n", "name", "middle"),
        text(4, top + side * 12, "m", "name"),
        *(text(left + side * (n - 0.5), top - 4, str(n), "note", "middle") for n in ticks),
        *(text(left - 4, top + side * (n - 0.5) + 4, str(n), "note", "end") for n in ticks),
        *(rect(*at(box), colour[plane[box[0], box[1]]]) for box in covered),
        *(rect(*at(box), "edge") for box in covered),
        text(284, 44, "decision", "name"),
        *(rect(284, 56 + 22 * i, 12, 12, colour[kind]) for i, kind in enumerate(kinds)),
        *(text(302, 66 + 22 * i, kind) for i, kind in enumerate(kinds)),
        text(284, 220, f"{plane.size} points", "note"),
        text(284, 238, f"{len(covered)} boxes", "note"),
    ]
    return svg(
        "Decisions of one family as boxes",
        f"The points m, n from 1 to 24 of the family far, coloured by decision: {', '.join(kinds)}."
        f" {len(covered)} boxes hold the decisions of {plane.size} points.",
        top + side * 24 + 12,
        parts,
    )


GOALS = (
    ("place the first constant", "as given, or prepacked", "then a goal"),
    ("take it apart", "arrays, blocks, shards", "then goals"),
    ("share it over threads", "a grid of one or two loops", "then a point"),
    ("one thread does all", "nothing is added", "then a point"),
)


def goals() -> str:
    """How a goal may begin, and where that leads."""
    parts = card(20, 8, 360, ["goal: whole arrays at home, all caches free"])
    for i, (name, says, then) in enumerate(GOALS):
        y = 50 + 56 * i
        parts += [*card(60, y, 210, [name, says]), text(300, y + 26, then, "note")]
        parts += [arrow(40, y + 22, 58, y + 22), arrow(272, y + 22, 296, y + 22)]
    end = 50 + 56 * len(GOALS)
    line = f'<path class="way" d="M40 35 V{end - 34}"/>'
    parts += card(20, end, 360, ["point of a family: moves, loops, kernels", "read from solved blocks"], "held")
    return svg("How a goal may begin", "; ".join(map(", ".join, GOALS)), end + 54, [line, *parts])


STAGES = (
    ("text, Python, ONNX, torch, JAX", "lang/, readers/, onnx/, torch/, jax/"),
    ("graph of calls", "lang/calls/, models/"),
    ("canonical Spec", "engine/canonical/"),
    ("goal family and ladders", "engine/search/problem.py"),
    ("solved blocks", "engine/search/solve.py, engine/table/"),
    ("Program", "engine/search/rebuild.py, engine/program/"),
    ("C", "codegen/, engine/leaves/"),
    ("Kernel", "runtime/"),
)
STEPS = ("read", "simplify, partition, canonicalise", "place operands", "solve", "rebuild", "emit", "compile")


def stages() -> str:
    """From a text to a kernel."""
    parts: list[str] = []
    for i, (name, room) in enumerate(STAGES):
        y = 8 + 62 * i
        parts += card(20, y, 360, [name, room], "held" if name == "solved blocks" else "box")
        if i < len(STEPS):
            parts += [arrow(60, y + 44, 60, y + 60), text(72, y + 57, STEPS[i], "note")]
    return svg(
        "Stages",
        "; ".join(f"{step}: {stage[0]}" for step, stage in zip(("begin", *STEPS), STAGES)),
        8 + 62 * len(STAGES),
        parts,
    )


PICTURES: dict[str, Callable[[], str]] = {
    "spec.svg": spec,
    "limit-steps.svg": limit_steps,
    "boxes.svg": boxes,
    "goals.svg": goals,
    "stages.svg": stages,
}


def write(folder: Path) -> None:
    """All pictures."""
    for name, draw in PICTURES.items():
        (folder / name).write_text(draw())


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/images")
