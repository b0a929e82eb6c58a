"""Sentences of the documentation: how long they are, and which turns they have.

sentences(text)   (line, sentence) of each sentence of a page, without its tables, code and quotations
turned(text)      (line, turn) of each turn that is not written
words(text)       how many words a page has, tables and code included, as `wc -w` counts
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

LONGEST = 32
"""Words of a sentence, at most."""

TURNS = ("what is", "of which", "that which", "such as is", "is told", "is met")
"""Turns that are not written: a noun stands instead."""

LINES = re.compile(r"^```.*?^```$|^<!--.*?-->$|^(?:\||>| {4}\S).*?$", re.M | re.S)
"""Code, comments, rows of tables and quotations."""
SPAN = re.compile(r"`[^`]*`|<!--.*?-->", re.S)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
ITEM = re.compile(r"(?:[-*] |\d+\. |#+ )")
END = re.compile(r"(?<=[.?!])[)\"*]*\s+(?=[\"(*]*[A-Z0-9`])|(?<=[:;])\s+(?=\n)")


def _plain(text: str) -> str:
    """The text with as many lines, without what is no prose; a span of code is one word."""
    blank = lambda found: "\n" * found[0].count("\n")
    text = LINES.sub(blank, text)
    text = SPAN.sub(lambda found: "`" + blank(found), text)
    return LINK.sub(lambda found: found[1], text)


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """(line, text) of each paragraph, item of a list and heading."""
    begun, lines = 0, list[str]()
    for number, line in enumerate([*_plain(text).split("\n"), ""], 1):
        starts = ITEM.match(line.lstrip())
        if lines and (starts or not line.strip()):
            yield begun, " ".join(lines)
            lines = []
        if line.strip():
            begun = begun if lines else number
            lines.append(line.strip()[starts.end() if starts else 0 :])
            if line.startswith("#"):
                yield begun, " ".join(lines)
                lines = []


def sentences(text: str) -> Iterator[tuple[int, str]]:
    for line, paragraph in _paragraphs(text):
        for sentence in END.split(paragraph):
            yield line, sentence


def length(sentence: str) -> int:
    return len([word for word in sentence.split() if re.search(r"[\w`]", word)])


def turned(text: str) -> Iterator[tuple[int, str]]:
    for line, paragraph in _paragraphs(text):
        for turn in TURNS:
            for _ in re.finditer(rf"\b{turn}\b", paragraph, re.I):
                yield line, turn


def words(text: str) -> int:
    return sum(bool(re.search(r"\w", each)) for each in text.split())


DEFINED = re.compile(r"\s*\S.{0,40}? {2,}\S|\s+[\w`, ]+: ")
"""A line of a list of names with their meanings."""


def _as_page(docstring: str) -> str:
    """A docstring as a page: names with their meanings are items, examples are code."""
    lines = docstring.split("\n")
    told = ["> " + line if line.lstrip().startswith((">>>", "...")) else line for line in lines]
    return "\n".join(f"- {line.strip()}" if DEFINED.match(line) else line for line in told)


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """(line, page) of each docstring of a Python file, and of each string that stands behind a constant."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, _as_page(inspect.cleandoc(node.value.value))


def comments(source: str) -> Iterator[tuple[int, str]]:
    """(line, page) of each comment that has lines of its own; neighbouring lines are one."""
    begun, found = 0, list[str]()
    for number, line in enumerate([*source.split("\n"), ""], 1):
        if line.lstrip().startswith("# ") and not line.lstrip().startswith("# ---"):
            begun = begun if found else number
            found.append(line.strip()[2:])
        elif found:
            yield begun, "\n".join(found)
            found = []
