"""What tells programs apart, in a ranking: every choice, or the first one and what a machine sees of the work.

The *first choice* of a program is the one below its constants' places and its loops over threads and batches: a copy, a
view, a loop, a kernel. After it every part takes its best program: of the orders and sizes of loops there are thousands
within a tenth of a percent of each other, and a clock finds no difference between them; first choices lie further
apart.

The *critical path* of a program is the way from its root to the leaf that does most of its work: through loops by their
whole tiles, through a move or a fill by what it was made for. The *kind* of a program is what a machine sees of that
way: which dimensions are shared over threads, which operands are copied (into which layout and dtype, for which level,
ahead, once for all threads or by each), the kernel, its lanes and its tile of the output. Programs of one kind differ
in the order and the sizes of loops, in views (which emit no code), and in what is not on the critical path: leftovers,
fills, how a copy is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..program.critical_path import critical_path
from ..program.nodes import KernelCall, Loop, Move, Node
from .space import Choice


@dataclass(frozen=True)
class Apart:
    """Programs are told apart by their `key`, which is made of their choice and of the keys of some `parts` (places
    among those that the choice leaves). All other parts take their best program."""

    parts: Callable[[Choice], Iterable[int]]
    key: Callable[[Node], object]


def spine_part(choice: Choice) -> int | None:
    """The place of the part through which the critical path goes; None for a leaf."""
    return choice.rewrite.critical_path(choice.parts)


def kind(root: Node) -> tuple:
    """(dimensions over threads, copies, kernel, lanes, sizes of the leaf's output dimensions)"""
    shared: tuple[str, ...] = ()
    copies = []
    for node in critical_path(root):
        match node:
            case Loop(threads=threads) if threads > 1:
                shared = node.dims
            case Move(copy=copy) if copy is not None:
                copies.append((node.operand, node.to, node.ahead, node.shared))
    assert isinstance(node, KernelCall)
    return (
        shared,
        frozenset(copies),
        node.kernel,
        node.lane,
        tuple(node.state.size[d] for d in node.state.family.nest.results),
    )


def _all_that_run(choice: Choice) -> Iterable[int]:
    """A part that runs 0 times does not count in the cost."""
    return (i for i, part in enumerate(choice.parts) if part is not None and part[0])


def _outermost(choice: Choice) -> Iterable[int]:
    """Where the first choice is still to come: inside a loop over threads or batches, once a constant is placed or
    threads share a copy."""
    place = spine_part(choice)
    return (place,) if choice.rewrite.outer and place is not None else ()


EVERY_CHOICE = Apart(_all_that_run, lambda node: node)  # nodes are equal to themselves alone
FIRST_CHOICES = Apart(_outermost, lambda node: node)
KINDS = Apart(_outermost, kind)
