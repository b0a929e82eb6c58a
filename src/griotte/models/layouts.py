"""In which layouts a value may lie between parts: row-major, and what else may be cheaper to read and to write.

A tensor of images has channels last as well: what works on each channel by itself then takes whole vectors of them.
What a transpose gives may lie as what it reads does, so that nothing moves.
"""

from __future__ import annotations

from ..cutting import AxisOrder
from .graph import ModelGraph, ModelValue

CHANNELS_LAST: AxisOrder = (1, 3, 2, 0)


def layouts_of(graph: ModelGraph, value: ModelValue) -> tuple[AxisOrder, ...]:
    """The layouts that a value may have where parts meet, the first its own: of outputs, inputs and constants no
    others."""
    own = value.type.minor_to_major
    if not value.call or any(value is result for _, result in graph.results):
        return (own,)
    found = [own]
    if value.type.rank == 4 and min(value.type.shape[1], max(value.type.shape[2:])) > 1:
        found.append(CHANNELS_LAST)
    if value.call == "transpose":
        found.append(_as_it_lies(value))
    return tuple(dict.fromkeys(found))


def _as_it_lies(value: ModelValue) -> AxisOrder:
    """Of what a transpose gives: the layout in which it is what the transpose reads."""
    (read,) = value.values
    perm = dict(value.attributes).get("perm") or tuple(reversed(range(read.type.rank)))
    place = {axis: j for j, axis in enumerate(perm)}
    return tuple(place[axis] for axis in read.type.minor_to_major)
