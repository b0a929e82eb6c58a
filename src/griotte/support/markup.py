"""Fragments of HTML that a notebook shows and that pages are made of: tables, sources, numbers as text."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def fragment(title: str, rows: Iterable[tuple[str, ...]], *further: str) -> str:
    """What a notebook shows of an object: a line of code, a table of `rows`, and HTML that follows."""
    return f"<div><p><code>{escape(title)}</code></p>{table(rows)}{''.join(further)}</div>"


def table(rows: Iterable[tuple[str, ...]]) -> str:
    cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def source(text: str, of: str = "C") -> str:
    """A source, folded; `of` names its language."""
    lines = text.count("\n")
    return f"<details><summary>{lines} lines of {of}</summary><pre>{escape(text)}</pre></details>"


def number(value: object) -> str:
    """A value as text: of a number four digits or more, in groups of three."""
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:,.0f}" if 1e4 <= abs(value) < 1e15 else f"{value:,.4g}"
        case int():
            return f"{value:,}"
    return str(value)
