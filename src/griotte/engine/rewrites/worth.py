"""What a rewrite of a whole graph may save at most, and what the graph takes at least. By these bounds, rewrites that
multiply a search are left out where they cannot pay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...lang.nests.family import Family, Layout, Operand
from ...lang.nests.graph import Graph, family_of
from ...lang.nests.operation import Nest
from ...lang.types.tensor import row_major
from ..cost.ports import computed_by, on_ports
from ..leaves.forms import serving


def saved_near(graph: Graph, between: Iterable[int], home: int, target) -> float:
    """The most cycles that the results of the nests `between` may save, once they are near: all that their lines cost
    where a whole tensor rests. A map done as a result is stored has no lines."""
    total = 0.0
    for j in between:
        readers = [graph.nests[k].operation for k in graph.readers(graph.tensor(j))]
        if len(readers) == 1 and readers[0].combine is None:
            continue
        lines = graph.bytes[graph.tensor(j)] / target.spans.line
        level = target.levels[min(home, target.home(lines))].name
        ways = [
            "result" if graph.nests[j].operation.combine else "store",
            *("line" if op.combine and op.streamed > 1 else "stream" for op in readers),
        ]
        total += lines * sum(target.coefficient.get(f"{way}.{level}", 0.0) for way in ways)
    return total


def least_each(family: Family, graph: Graph, size: Mapping[str, int], target) -> list[float]:
    """The least cycles in which each nest is computed, whatever program meets it."""
    return [quickest(nest, steps, target)[1] for nest, steps in nests_of(graph, family, size)]


def nests_of(graph: Graph, family: Family, size: Mapping[str, int]) -> list[tuple[Family, int]]:
    """Each nest as a family of its own, and its steps: of several each with rows where the arrays of `family` are."""
    if graph.is_lone:
        return [(family, graph.nest.times(size))]
    dtypes = (*(o.dtype for o in family.operands[:-1]), *(held.dtype for held in graph.held), family.output.dtype)
    return [
        (
            _over_rows(nest, [dtypes[t] for t in (*nest.reads, graph.tensor(j))], family.slowest),
            nest.operation.times(size),
        )
        for j, nest in enumerate(graph.nests)
    ]


def _over_rows(nest: Nest, dtypes: list[str], level: int) -> Family:
    rows = (Layout(row_major(len(access.axes))) for access in nest.operation.accesses)
    operands = tuple(Operand(dtype, level, layout) for dtype, layout in zip(dtypes, rows))
    return family_of(nest.operation, operands, nest.accumulator)


def quickest(family: Family, steps: float, target) -> tuple[str, float]:
    """The kernel that takes the fewest cycles for so many steps of a nest, and these."""
    known = ((k.name, _arithmetic(k, family, steps, target)) for k in serving(target, family))
    return min(known, key=lambda found: found[1], default=("no kernel meets it as it is", 0.0))


def _arithmetic(kernel, family: Family, steps: float, target) -> float:
    """Cycles when every step of the nest runs on full vectors and nothing waits."""
    op, vectors = family.nest, steps / (target.lanes(family.accumulator) * kernel.group)
    slots = kernel.slots if op.combine and kernel.body is not None else computed_by(target, op, family.accumulator)
    return vectors * on_ports(target.ports, slots.all, slots.multiplying)
