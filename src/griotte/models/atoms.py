"""The calls of a model as a cut sees them (engine/cutting/atoms.py). What a custom kernel computes alone, such as a
concat copied by rows, is an atom by itself: that is quicker than to be one with what is before or behind it. All that a
loop gives is an atom.
"""

from __future__ import annotations

from itertools import islice

from ..engine.cutting import CutAtom, CutCall
from ..lang.nests.operation import is_contraction
from .custom.kernels import continues, is_alone
from .graph import ModelGraph
from .views import moves_nothing


def cut_calls(graph: ModelGraph) -> list[CutCall]:
    """The calls, in order; views are atoms of their own."""
    number = {value: n for n, value in enumerate(graph.calls)}
    first = {value: number[each[0]] for each in graph.made for value in each}
    found = []
    for value in graph.calls:
        is_fixed = value.is_made or moves_nothing(graph, value)
        by_kernel = is_alone(value)
        if by_kernel and not is_fixed:
            alone = (r for r in value.values if r in number and len(graph.readers[r]) == 1 and continues(value, r))
            first.update((value, number[read]) for read in islice(alone, 1))
        operations = () if value.is_made else tuple(each.spec.operation for each in value.spec.graph.calls)
        own = CutAtom(
            (value,),
            value.values,
            len(operations),
            sum(map(is_contraction, operations)),
            is_view=moves_nothing(graph, value),
            is_fixed=is_fixed,
            is_alone=is_fixed or by_kernel,
        )
        before = tuple(number[r] for r in value.values if r in number)
        is_map = not value.is_made and value.spec.is_map
        found.append(CutCall(own, before, len(graph.readers[value]), value.type.bytes, is_map, first.get(value)))
    return found
