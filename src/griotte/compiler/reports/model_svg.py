"""The parts of a model as a drawing: a box for each in the order in which they run, with a bar for its share; lines for
what one gives to another."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from .explain import cycles
from .model import PartRow

ROW, BOX, LANE, LEFT = 26, 20, 9, 14  # heights of a row and of its box; widths of a line's lane, and beside the last
WIDE, BAR, TEXT = 640, 170, 13  # widths of a box and of its bar at most; a letter's height
LETTERS = 60  # of a title, at most
MOST_LANES = 12  # lines beside each other; more lie on each other

Link = tuple[int, int]  # from a part to a later one, by place

_STYLE = """
text { font: 12px ui-monospace, monospace; fill: #222 } .note { fill: #666 } a:hover .box { stroke-width: 2 }
.box { fill: #f7ecef; stroke: #9b1b3b } .view { fill: none; stroke: #999; stroke-dasharray: 3 3 }
.bar { fill: #9b1b3b } .link { fill: none; stroke: #9b1b3b; stroke-width: 1.1 } .tip { fill: #9b1b3b }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .note { fill: #aaa } .box { fill: #3a2229; stroke: #e0567d }
    .bar, .tip { fill: #e0567d } .link { stroke: #e0567d } }
"""


def svg(rows: list[PartRow], links: Iterable[Link]) -> str:
    """The drawing's text; a box leads to the section `#part-N` of its page."""
    lanes = _lanes(sorted(links))
    width = min(MOST_LANES, max(lanes.values(), default=-1) + 1) * LANE + LEFT
    most = max((row.share for row in rows), default=0.0) or 1.0
    shapes = [_link(link, lane, width) for link, lane in lanes.items()]
    shapes += [_box(n, row, width, most) for n, row in enumerate(rows)]
    across, down = width + WIDE + BAR + 110, ROW * len(rows) + 8
    head = f'width="{across}" height="{down}" viewBox="0 0 {across} {down}"'
    drawn = "\n".join(shapes)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head}>\n<style>{_STYLE}</style>\n{drawn}\n</svg>\n'


def _lanes(links: list[Link]) -> dict[Link, int]:
    """A lane for each link that passes others by, the short ones nearest; -1 for one to the next part."""
    found: dict[Link, int] = {}
    taken: list[list[Link]] = []
    for link in sorted(links, key=lambda link: (link[1] - link[0], link)):
        if link[1] - link[0] == 1:
            found[link] = -1
            continue
        free = (i for i, lane in enumerate(taken) if all(b <= link[0] or link[1] <= a for a, b in lane))
        lane = next(free, len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane].append(link)
        found[link] = lane
    return found


def _link(link: Link, lane: int, left: float) -> str:
    start, end = (4 + ROW * place + BOX / 2 for place in link)
    if lane < 0:
        x, top, tip = left + 16, start + BOX / 2, end - BOX / 2
        return f'<path class="link" d="M{x} {top} V{tip}"/><path class="tip" d="M{x - 3} {tip - 4} h6 l-3 4 z"/>'
    x = max(4.0, left - LEFT / 2 - (lane % MOST_LANES) * LANE)
    start, end = start + 4, end - 4
    return (
        f'<path class="link" d="M{left} {start} H{x} V{end} H{left}"/>'
        f'<path class="tip" d="M{left - 4} {end - 3} v6 l4 -3 z"/>'
    )


def _box(place: int, row: PartRow, left: float, most: float) -> str:
    y, kind = 4 + ROW * place, "view" if row.cycles is None else "box"
    title = row.title if len(row.title) <= LETTERS else row.title[: LETTERS - 2] + ".."
    found = (
        f'<a href="#part-{row.number}"><title>{escape(row.title)}</title><rect class="{kind}" x="{left}" y="{y}"'
        f' width="{WIDE - 60}" height="{BOX}" rx="4"/><text x="{left + 8}" y="{y + TEXT + 1}">{row.number:>3}'
        f"  {escape(title)}</text></a>"
    )
    if row.cycles is None:
        return found
    at, long = left + WIDE - 50, max(1.0, BAR * row.share / most)
    words = f"{100 * row.share:.1f} % · {cycles(row.cycles)}"
    return (
        f'{found}<rect class="bar" x="{at}" y="{y + 5}" width="{long:.1f}" height="{BOX - 10}"/>'
        f'<text class="note" x="{at + long + 6:.1f}" y="{y + TEXT + 1}">{words}</text>'
    )
