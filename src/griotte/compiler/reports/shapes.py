"""What a drawing is made of; graph_svg.py and graph_png.py draw it. Sizes are pixels."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rectangle:
    kind: str  # "box" or "outline"
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Text:
    kind: str  # "call", "number" or "note"
    x: float
    y: float
    text: str
    anchor: str = "start"  # or "middle", "end"


@dataclass(frozen=True)
class Arrow:
    """An arrow along points, its head at the last."""

    kind: str  # "input" or "between"
    points: tuple[tuple[float, float], ...]


Shape = Rectangle | Text | Arrow


@dataclass(frozen=True)
class Picture:
    width: float
    height: float
    shapes: tuple[Shape, ...]
