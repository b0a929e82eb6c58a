"""Where a large graph is cut: at tensors that are whole arrays, between parts that run one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from ...engine.program import nodes, printer
from ...lang.types.dtypes import dtype


@dataclass(frozen=True)
class CutTensor:
    """A tensor as the printed program calls it, its extents in elements, its bytes."""

    tensor: str
    shape: tuple[int, ...]
    bytes: int
    why: str = ""


def cuts(program) -> list[CutTensor]:
    """The tensors that the graph of a program of one search is cut at, in the order in which they are computed."""
    return list(_cuts(program.root, printer.names_in(program.canonical)))


def _cuts(node: nodes.Node, names: printer.Names) -> Iterator[CutTensor]:
    if isinstance(node, nodes.Alias):
        yield from _cuts(node.body, *printer.passed(node, names))
    if not isinstance(node, nodes.Pipeline) or not node.state.family.operation.is_large:
        return
    producer, consumer = printer.passed(node, names)
    yield from _cuts(node.producer, producer)
    shape = node.access.shape(node.state.size)
    yield CutTensor(
        printer.between_name(node, names) if node.place == nodes.BUFFER else names[node.place],
        shape,
        prod(shape) * dtype(node.to.dtype).bytes,
    )
    yield from _cuts(node.consumer, consumer)
