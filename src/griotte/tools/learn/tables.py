"""Figures of held-out programs as tables of Markdown, printed and written into a page between its marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...support.errors import GriotteError
from ...support.folders import write_atomically
from .evaluate import ALL, GRAPHS, Evaluation
from .scores import BUDGETS

_END = "<!-- end -->"
WORDS = {
    "spec": "Specs held out at random",
    "operation": "each operation held out in turn",
    "target": "each target held out in turn",
    "machine": "each machine held out in turn",
    "network": "each network held out in turn, and what was drawn",
    "random": "programs held out at random, others of their Spec fitted to",
    "model": "a model that was fitted to other programs",
}


def tables(found: Evaluation) -> str:
    """What a run says, as Markdown."""
    return "\n\n".join([_words(found), _by_operation(found), _paper(found), _runs(found)])


def write_between(path: str | Path, by: str, text: str) -> None:
    """Write a text into a page, between the line `<!-- by griotte learn eval --by .. -->` and the next `<!-- end -->`.

    Raises:
        GriotteError: there is no such page, or it has no such lines.
    """
    begin, path = f"<!-- by griotte learn eval --by {by} -->", Path(path)
    try:
        page = path.read_text()
    except (OSError, ValueError) as error:
        raise GriotteError(
            f"expected a page of text, found {getattr(error, 'strerror', None) or 'other bytes'}: {path}; name one with"
            " --docs"
        ) from None
    pattern = re.compile(re.escape(begin) + r"\n.*?" + re.escape(_END), re.S)
    if not pattern.search(page):
        raise GriotteError(
            f"expected the lines {begin} and {_END} in {path}, found none; write them where the tables go"
        )
    write_atomically(path, pattern.sub(lambda _: f"{begin}\n\n{text}\n\n{_END}", page, count=1).encode())


def facts(found: Evaluation) -> dict:
    """What --json says: figures by way and operation, each the mean over the seeds, and how far these are apart."""
    runs, lost = found.stopped
    return {
        "by": found.by,
        "seeds": len(found.said),
        "programs": len(found.samples),
        "specs": len({found.samples.groups[number].spec for number in np.unique(found.samples.group)}),
        "learners": sorted({word for one in found.said for word in one.learners}),
        "known": found.known,
        "stopped": {"runs": runs, "regret": lost},
        "ways": {
            way: {operation: _mean(rows) for operation, rows in table.items()} for way, table in found.ways.items()
        },
        "apart": {
            way: {operation: _apart(rows) for operation, rows in table.items()} for way, table in found.ways.items()
        },
    }


def _mean(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}


def _apart(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.ptp([row[name] for row in rows])) for name in rows[0]}


def _words(found: Evaluation) -> str:
    said = facts(found)
    return (
        f"{len(found.samples)} programs of {said['specs']} Specs, {WORDS[found.by]}; learner"
        f" {' or '.join(said['learners'])}; seeds: {said['seeds']}, and what is behind +- is how far the farthest is"
        f" from their mean. Known: {100 * found.known:.0f} % of the held-out programs."
    )


def _by_operation(found: Evaluation) -> str:
    head = (
        "| operation | Specs | first: price | model | best of five: price | model | worst first: price | model"
        " | tau: price | model | clock |"
    )
    lines = [head, _rule(head)]
    for operation, rows in found.ways["price"].items():
        model = found.ways["model"][operation]
        cells = [
            *(_share(each, "first") for each in (rows, model)),
            *(_share(each, "five") for each in (rows, model)),
            *(_share(each, "worst", 0) for each in (rows, model)),
            *(_number(each, "tau") for each in (rows, model)),
            _number(rows[:1], "ceiling"),
        ]
        lines.append(_line(operation, f"{rows[0]['specs']:.0f}", *cells))
    return "\n".join(lines)


def _paper(found: Evaluation) -> str:
    """As tables 2 to 4 of arXiv 2008.01040: learned and analytical side by side."""
    head = "| | price | model | corrected prices |"
    ways = [found.ways[way] for way in ("price", "model", "prices")]
    row = lambda words, operation, show, name: _line(words, *(show(way[operation], name) for way in ways))
    lines = [head, _rule(head)]
    lines.append(row("regret of the first choice", ALL, _share, "first"))
    lines.append(row("regret of the best of five", ALL, _share, "five"))
    lines.append(row("APE of the chosen program", ALL, _share, "ape"))
    lines.append(row("tau within a Spec", ALL, _number, "tau"))
    if GRAPHS in ways[0]:
        lines.append(row("MAPE of graphs", GRAPHS, _share, "mape"))
        lines.append(row("graphs whose first five hold one within 1 % of the best", GRAPHS, _share, "holds"))
    lines.append(row("MAPE of all", ALL, _share, "mape"))
    return "\n".join(lines)


def _runs(found: Evaluation) -> str:
    ways = {
        word: found.ways[way][ALL]
        for word, way in (("price", "price"), ("model", "model"), ("model with updates", "updates"))
        if way in found.ways
    }
    head = _line("", "random", *ways)
    first = "runs of a Spec to come within 1 % of its best"
    lines = [head, _rule(head)]
    lines.append(
        _line(first, _number(ways["price"], "random", 1), *(_number(rows, "runs", 1) for rows in ways.values()))
    )
    lines += [
        _line(f"regret after {runs}", "", *(_share(rows, f"after {runs}") for rows in ways.values()))
        for runs in BUDGETS[1:]
    ]
    if "updates" in found.ways:
        runs, lost = found.stopped
        lines += ["", f"Updates see nothing to gain after {runs:.1f} runs, {100 * lost:.2f} % from the best."]
    return "\n".join(lines)


def _share(rows: Sequence[dict[str, float]], name: str, digits: int = 2) -> str:
    return f"{_shown([100 * row[name] for row in rows], digits)} %"


def _number(rows: Sequence[dict[str, float]], name: str, digits: int = 2) -> str:
    return _shown([row[name] for row in rows], digits)


def _shown(values: list[float], digits: int) -> str:
    mean = float(np.mean(values))
    apart = max(abs(value - mean) for value in values)
    shown = f"{mean:.{digits}f}"
    return shown if apart < 0.5 * 10**-digits else f"{shown} +- {apart:.{digits}f}"


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(head: str) -> str:
    return "|" + "---|" * (head.count("|") - 1)
