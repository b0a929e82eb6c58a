"""The roofline of a program as a plot: operations a cycle against operations a byte, both axes logarithmic.

Williams, Waterman, Patterson, "Roofline: an insightful visual performance model" (CACM 2009); in cycles of the cost
model, so that the plot needs no clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log2

from .explain import Roofline, roofline, unit

WIDTH, HEIGHT = 660.0, 300.0  # pixels of the drawing
LEFT, RIGHT, TOP, BOTTOM = 52.0, 178.0, 14.0, 40.0  # pixels around the plot
LETTER = 7.0  # pixels that a letter of the labels takes across
APART = 14.0  # pixels from a label to the next


@dataclass(frozen=True)
class Slope:
    """A level of memory as a ceiling: bytes a cycle, of all threads together."""

    level: str
    bytes: float


@dataclass(frozen=True)
class Ceilings:
    """Of a program: operations a cycle at most; what each level gives; and where the program stands, as operations a
    byte and operations a cycle."""

    peak: float
    slopes: tuple[Slope, ...]
    binding: str  # the level where its data rests
    intensity: float
    reached: float


def ceilings(program) -> Ceilings | None:
    """The ceilings of a program of one search; None where it does no arithmetic, moves nothing or costs nothing."""
    found = roofline(program)
    if not (found.flops and found.bytes and found.arithmetic > 0 and program.cost > 0):
        return None
    intensity, peak = found.flops / found.bytes, found.flops / found.arithmetic
    return Ceilings(peak, tuple(_slopes(program, found)), found.level, intensity, found.flops / program.cost)


def _slopes(program, found: Roofline) -> Iterator[Slope]:
    """From the nearest level on, as far as where its data rests; each gives no more than the one before it."""
    target, threads, most = program.target, program.threads, 0.0
    line = target.spans.line
    way = "stream" if target.crossing.outlasting else "line"
    for level in target.levels[1:]:
        cycles = line / (target.ports.load * target.vector_bytes)
        cycles = max(cycles, target.coefficient.get(f"{way}.{level.name}", 0.0), most)
        most = cycles
        yield Slope(level.name, threads * line / cycles)
        if level.name == found.level:
            return


@dataclass(frozen=True)
class Scales:
    """Where operations a byte and operations a cycle lie on the drawing: powers of two from the least to the most of
    each."""

    across: tuple[int, int]
    up: tuple[int, int]

    def x(self, intensity: float) -> float:
        low, high = self.across
        return LEFT + (WIDTH - LEFT - RIGHT) * (log2(intensity) - low) / (high - low)

    def y(self, rate: float) -> float:
        low, high = self.up
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (log2(rate) - low) / (high - low)


def _scales(found: Ceilings) -> Scales:
    ridges = [found.peak / slope.bytes for slope in found.slopes]
    across = (floor(log2(min(found.intensity, *ridges))) - 1, ceil(log2(max(found.intensity, *ridges))) + 1)
    least = min(found.reached, found.peak / 16)
    return Scales(across, (floor(log2(least)) - 1, ceil(log2(found.peak)) + 1))


_STYLE = """
.roofline text { font: 12px ui-monospace, monospace; fill: #444 } .roofline .axis { stroke: #8886; fill: none }
.roofline .roof, .roofline .far, .roofline .gap { stroke: #9b1b3b; fill: none } .roofline .roof { stroke-width: 1.8 }
.roofline .far { stroke-opacity: .4 } .roofline .gap { stroke-dasharray: 2 3 } .roofline .dot { fill: #9b1b3b }
.roofline .said { font-weight: 600; fill: #222 }
@media (prefers-color-scheme: dark) {
    .roofline text { fill: #bbb } .roofline .said { fill: #eee } .roofline .dot { fill: #e0567d }
    .roofline .roof, .roofline .far, .roofline .gap { stroke: #e0567d } }
"""


def plot(found: Ceilings) -> str:
    """The drawing as SVG. Its width shrinks with the page."""
    scales = _scales(found)
    body = "\n".join((*_grid(scales), *_roofs(found, scales), *_point(found, scales)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="roofline" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}"'
        f' role="img" aria-label="roofline">\n<style>{_STYLE}</style>\n{body}\n</svg>\n'
    )


def _grid(scales: Scales) -> Iterator[str]:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    yield f'<path class="axis" d="M{LEFT} {TOP} V{bottom} H{right}"/>'
    for power in _ticks(scales.across):
        x = scales.x(2.0**power)
        yield f'<path class="axis" d="M{x:.1f} {bottom} v4"/>' + _text(x, bottom + 16, _power(power), "middle")
    for power in _ticks(scales.up):
        y = scales.y(2.0**power)
        yield f'<path class="axis" d="M{LEFT} {y:.1f} h-4"/>' + _text(LEFT - 7, y + 4, _power(power), "end")
    yield _text((LEFT + right) / 2, HEIGHT - 6, "operations a byte", "middle")
    yield _text(4, TOP + 2, "operations a cycle", "start")


def _ticks(ends: tuple[int, int]) -> range:
    low, high = ends
    return range(low + 1, high, max(1, (high - low) // 6))


def _power(power: int) -> str:
    return str(1 << power) if power >= 0 else f"1/{1 << -power}"


def _roofs(found: Ceilings, scales: Scales) -> Iterator[str]:
    """The level where data rests, thick, from the left to the peak; the nearer ones thin. Their rates stand beside the
    plot, in the order of the lines."""
    right = WIDTH - RIGHT
    for slope in found.slopes:
        ridge = found.peak / slope.bytes
        start = max(2.0 ** scales.across[0], 2.0 ** scales.up[0] / slope.bytes)
        kind, end = ("roof", right) if slope.level == found.binding else ("far", scales.x(ridge))
        at, top = (scales.x(start), scales.y(start * slope.bytes)), scales.y(found.peak)
        yield f'<path class="{kind}" d="M{at[0]:.1f} {at[1]:.1f} L{scales.x(ridge):.1f} {top:.1f} H{end:.1f}"/>'
    yield _text(right + 6, scales.y(found.peak) + 4, f"{found.peak:.3g} at most")
    for n, slope in enumerate(reversed(found.slopes)):
        words = f"{slope.level}: {slope.bytes:.3g} B a cycle"
        y = HEIGHT - BOTTOM - 8 - n * APART
        kind = "said" if slope.level == found.binding else ""
        yield _text(right + 6, y, words, "start", kind)


def _point(found: Ceilings, scales: Scales) -> Iterator[str]:
    """The program, and how far below its ceiling it is."""
    roof = min(found.peak, found.intensity * next(s.bytes for s in found.slopes if s.level == found.binding))
    x, y = scales.x(found.intensity), scales.y(found.reached)
    yield f'<path class="gap" d="M{x:.1f} {y:.1f} V{scales.y(roof):.1f}"/>'
    yield f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'
    words = f"{unit(found.reached, 'a cycle')}, {found.reached / roof:.0%} of the roof"
    fits = x + 9 + LETTER * len(words) < WIDTH - RIGHT
    yield _text(x + 9 if fits else x - 9, y + 15, words, "start" if fits else "end", "said")


def _text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
