"""What a causal mask hides of a graph, found from what its nests compute: row i sees its first columns alone, one more
than the row before it.

    masked[m n] = where(n <= m + offset, scores, -inf) ; high[m] = max_n masked ; e = exp(masked - high) ; total[m] =
      sum_n e ; y[m d] = sum_n e v[n d]

Hidden elements are -inf, their exponentials 0: the identity of the operation that joins them, everywhere. So a block of
rows may be computed over the columns that its last row sees.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ...lang.functions import COMBINERS
from ...lang.nests.graph import Graph
from ...lang.nests.operation import Nest, is_float
from ...lang.nests.pending import WholeExtents
from ...lang.types.expr import Arg, As, Call, Const, Expr

NOTHING, ZERO = -math.inf, 0.0  # what a tensor may be known to hold where it is hidden


@dataclass(frozen=True)
class CausalStructure:
    """Row i of `rows` sees columns 0 .. i + `offset` of `columns`; of each there are so many."""

    rows: str
    columns: str
    offset: int
    extents: tuple[int, int]

    def blocks(self, rows: int) -> int:
        """How many blocks of so many rows there are."""
        return -(-self.extents[0] // rows)

    def start(self, rows: int, i: int) -> dict[str, int]:
        """Where block i begins."""
        return {self.rows: i * rows}

    def size(self, rows: int, i: int) -> dict[str, int]:
        """The rows of block i, and the columns that the last of them sees: one at least, so that a row that sees none
        has a maximum."""
        end = min((i + 1) * rows, self.extents[0])
        return {self.rows: end - i * rows, self.columns: max(1, min(end + self.offset, self.extents[1]))}


def at_whole(graph: Any, size: Mapping[str, int]) -> Any:
    """A graph annotated as of whole arrays of these sizes, where a mask hides something of it."""
    told = graph.annotated(WholeExtents(tuple(size[d] for d in graph.dims)))
    return told if causal_structure(told) else graph


def in_part(graph: Graph) -> Graph:
    """The graph over tiles of its arrays. Nothing in it is known to be hidden."""
    return graph.annotated(WholeExtents(()))


def causal_structure(graph: Any) -> CausalStructure | None:
    """What a mask hides of a graph of whole arrays; None where nothing is, or the hidden elements count for
    something."""
    if not graph.counts or not WholeExtents.of(graph) or graph.placed:
        return None
    return _causal_structure(graph)


@lru_cache(1 << 10)
def _causal_structure(graph: Graph) -> CausalStructure | None:
    size = dict(zip(graph.dims, WholeExtents.of(graph)))
    tests = dict.fromkeys(
        test for nest in graph.nests for test in _tests(nest.operation.finish or nest.operation.body, nest, graph)
    )
    return next(
        (
            found
            for rows, columns, offset in tests
            if _holds(graph, found := CausalStructure(rows, columns, offset, (size[rows], size[columns])))
        ),
        None,
    )


def _holds(graph: Graph, found: CausalStructure) -> bool:
    """Whether rows may be computed apart, and nothing that is hidden counts for any."""
    if (
        found.rows not in graph.parallel
        or found.columns in graph.output.dims
        or not is_plain_along(graph, found.columns)
    ):
        return False
    hidden: dict[int, float | None] = {}
    for j, nest in enumerate(graph.nests):
        op, tensor = nest.operation, graph.tensor(j)
        if found.columns not in op.dims:
            continue
        value = _value(op.body, nest, graph, found, hidden)
        if found.columns in op.reduction:
            if value is None or _identity(op.combine) != value:
                return False
        elif op.finish is not None:
            hidden[tensor] = _value(op.finish, nest, graph, found, hidden)
        elif op.combine is None:
            hidden[tensor] = value
    return True


def _identity(combine: str | None) -> float | None:
    return float(COMBINERS[combine].identity(np.dtype(np.float64))) if combine else None


def _value(
    expr: Expr, nest: Nest, graph: Graph, found: CausalStructure, hidden: dict[int, float | None]
) -> float | None:
    """What an expression is where it is hidden, whatever is not known is: minus infinity or 0; None where it may be
    anything."""
    of = lambda x: _value(x, nest, graph, found, hidden)
    match expr:
        case Const(value):
            return value if value in (NOTHING, ZERO) else None
        case Arg(i):
            is_read = i < len(nest.reads) and found.rows in nest.operation.inputs[i].dims
            return hidden.get(nest.reads[i]) if is_read else None
        case As(source, to, inner):
            return of(inner) if is_float(source) and is_float(to) else None
        case Call("where", (test, seen, other)):
            if _test(test, nest, graph) == (found.rows, found.columns, found.offset):
                return of(other)
            known = of(seen)
            return known if known == of(other) else None
        case Call("exp" | "decay", (x,)):
            return ZERO if of(x) == NOTHING else None
        case Call("add", (x, y)):
            return NOTHING if NOTHING in (of(x), of(y)) else None
        case Call("sub", (x, y)):
            return NOTHING if of(x) == NOTHING and of(y) != NOTHING else None
        case Call("mul", (x, Const(c))) if c > 0:
            return of(x)
        case Call("mul" | "share", (x, y)):
            return ZERO if ZERO in (of(x), of(y)) else None
        case Call("weigh" | "div", (x, _)):
            return ZERO if of(x) == ZERO else None
    return None


def _tests(expr: Expr, nest: Nest, graph: Graph):
    """Every test of a column's number against its row's in an expression, as (rows, columns, offset)."""
    if isinstance(expr, As):
        yield from _tests(expr.inner, nest, graph)
    if isinstance(expr, Call):
        found = _test(expr, nest, graph)
        if found is not None:
            yield found
        for x in expr.args:
            yield from _tests(x, nest, graph)


def _test(expr: Expr, nest: Nest, graph: Graph) -> tuple[str, str, int] | None:
    """`column <= row + offset` as (rows, columns, offset)."""
    match expr:
        case Call("le", (Arg(column), Call("add", (Arg(row), Const(offset))))):
            along = tuple(_counted(i, nest, graph) for i in (row, column))
            if None in along or offset != int(offset):
                return None
            return (*along, int(offset))  # type: ignore[return-value]
    return None


def _counted(i: int, nest: Nest, graph: Graph) -> str | None:
    """The dimension whose number input i of a nest is; the one after the inputs is what it reduces to."""
    if i == len(nest.reads):
        return None
    access = nest.operation.inputs[i]
    is_count = nest.reads[i] in graph.counts and access.border is None and len(access.axes) == 1 and access.is_plain(0)
    return access.axes[0][0][0] if is_count else None


def is_plain_along(graph: Graph, dim: str) -> bool:
    """Whether a dimension moves along tensors alone, one step at a time, over all of each, and is picked by none. Then
    a part of the dimension reaches that part of each tensor alone."""
    accesses = {access for nest in graph.nests for access in nest.operation.accesses if dim in access.dims}
    spanned = all(
        access.is_apart(dim) and access.is_plain(access.axis_of(dim)) and access.is_whole(access.axis_of(dim))
        for access in accesses
    )
    return spanned and not any(dim in nest.operation.picked for nest in graph.nests)
