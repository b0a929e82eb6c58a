"""Programs of one Spec side by side: what each costs beside the first, and where it first differs from it."""

from __future__ import annotations

from ...engine.program import nodes, printer


def table(programs) -> list[str]:
    """A heading and a line for each Program."""
    best = programs[0]
    is_predicted = "model" in best.stats
    rows = [("", "cycles", "x best", *["predicted"] * is_predicted, "where it first differs")]
    for number, p in enumerate(programs, 1):
        predicted = [f"{p.stats['model']['predicted']:,.0f}"] if is_predicted else []
        rows.append(
            (
                f"{number}",
                f"{p.cost:,.0f}",
                f"{p.cost / best.cost:.7f}" if best.cost else "",
                *predicted,
                difference(best.root, p.root, p.target),
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        "  ".join([*(f"{cell:>{width}}" for cell, width in zip(row, widths[:-1])), row[-1]]).rstrip() for row in rows
    ]


def difference(one: nodes.Node, other: nodes.Node, target) -> str:
    """The first place, from the top down, where `other` takes another choice than `one`; empty where it takes none."""
    if one.rewrite != other.rewrite:
        return f"{other.state}: {_headline(other, target)} in place of {_headline(one, target)}"
    pairs = zip(nodes.children(one), nodes.children(other))
    return next((found for a, b in pairs if (found := difference(a, b, target))), "")


def _headline(node: nodes.Node, target) -> str:
    lanes = f", lanes along {node.to.vector.dim}" if isinstance(node, nodes.Move) and node.to.vector else ""
    return printer.describe(node, target) + lanes
