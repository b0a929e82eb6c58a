"""What stands at known places of an array, moved row by row: no search is made for it, for no way to fuse it is as
quick.

    take(x, [2, 1, 0, 1, 2], axis=2)                      parts of x by numbers that are known
    resize(x, size=(16, 16), mode=nearest)                rows and columns of images

Several in a row, along other axes or the same, are one. Both arrays lie in one layout and are of one type.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from ...lang.constructors.resizing import nearest_places
from ...lang.types.tensor import TensorType
from ..graph import ModelValue
from ..parts import ModelPart
from .kernel import CustomKernel, Implementation, Making
from .picked_code import PickedRows
from .stages import as_stage

Places = Mapping[int, Sequence[int]]  # by axis


def places_of_call(value: ModelValue) -> Places | None:
    """Where in what it reads first the elements of a call stand; None of other calls, and where that is not known."""
    read = value.values[0] if value.values else value
    if value.is_made or value.type.dynamic is not None or read.type.dtype != value.type.dtype:
        return None
    if any(type.bytes % type.elements for type in (read.type, value.type)):
        return None  # several in a byte
    attributes = dict(value.attributes)
    if value.call == "take":
        numbers = value.values[1].array
        if numbers is None or numbers.ndim != 1:
            return None
        axis = attributes.get("axis", 0) % read.type.rank
        return {axis: np.clip(numbers.astype(np.int64), 0, read.type.shape[axis] - 1).tolist()}
    if value.call == "resize" and attributes.get("mode", "nearest") == "nearest":
        given = {key: attributes[key] for key in ("coordinates", "rounding", "scales") if key in attributes}
        return nearest_places(read.type, attributes["size"], **given)
    return None


def rows_of(part: ModelPart) -> tuple[int, PickedRows] | None:
    """What is read, by its place among a part's inputs, and its rows; None where the part is of another kind, or its
    arrays lie in two layouts."""
    found: dict[int, Sequence[int]] = {}
    for number, value in enumerate(part.calls):
        places = places_of_call(value)
        if places is None or number and value.values[0] is not part.calls[number - 1]:
            return None
        for axis, each in places.items():
            found[axis] = [found[axis][n] for n in each] if axis in found else each
    if not part.calls or part.gives != part.calls[-1:]:
        return None
    base = part.calls[0].values[0]
    place = next(n for n, value in enumerate(part.reads) if value is base)
    x, y = part.spec.inputs[place], part.spec.outputs[0]
    if x.minor_to_major != y.minor_to_major or x.rank > base.type.rank and 1 in found:
        return None  # nor are channels picked that lie in blocks
    return place, _in_memory(x, found)


def _in_memory(x: TensorType, places: Places) -> PickedRows:
    """Its axes as they lie, the slowest first, neighbours of which nothing is picked as one."""
    sizes: list[int] = []
    picks: list[tuple[int, ...] | None] = []
    for axis in reversed(x.minor_to_major):
        own = tuple(places[axis]) if axis in places else None
        if own is None and picks and picks[-1] is None:
            sizes[-1] *= x.shape[axis]
        elif own is not None or x.shape[axis] > 1:
            sizes.append(x.shape[axis])
            picks.append(own)
    unit = x.bytes // x.elements
    if picks[-1] is None and sizes[-1] * unit in (1, 2, 4, 8) and len(sizes) > 1:
        unit *= sizes.pop()  # of which an element is a whole row
        picks.pop()
    return PickedRows(x.dtype, unit, tuple(sizes), tuple(picks))


class PickedByRows(CustomKernel):
    """Parts of arrays by numbers that are known, and images resized to the nearest."""

    def stands_alone(self, value: ModelValue) -> bool:
        """Whether it is one; what it reads may be, too."""
        return places_of_call(value) is not None

    def continues(self, value: ModelValue, before: ModelValue) -> bool:
        """Whether the two are one: each picks of the other."""
        return value.values[0] is before and all(places_of_call(each) is not None for each in (value, before))

    def follows(self, part: ModelPart) -> Hashable:
        """From the places."""
        return rows_of(part)

    def implementation(self, part: ModelPart, making: Making) -> Implementation | None:
        """The moves, where both arrays lie in one layout."""
        found = rows_of(part)
        return None if found is None else as_stage(part, found[1], found[:1], making, instead=True)
