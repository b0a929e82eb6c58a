"""In which layouts a value may lie between parts: row-major, and others that may be cheaper to read and to write.

A tensor of images has channels last as well: calls that work on each channel by itself then take whole vectors of them.
Near a convolution of each channel it has them in blocks of a vector's lanes instead, where channels are a multiple of
those lanes. So [n, c, h, w] lies as [n, c / 16, h, w, 16], and the rows of a tile lie together. The result of a
transpose may lie as its operand does, so that nothing moves.

And the costs of copies of values from one layout to another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..compiler.programs import Program
from ..compiler.session import Session
from ..compiler.synthesis import searched
from ..lang.calls.spec import Spec
from ..lang.constructors.operations import copy, reshape, transpose
from ..lang.types.tensor import TensorType, row_major, tensor
from ..machine.target import Target
from ..support.errors import GriotteError
from .graph import ModelGraph, ModelValue

AxisOrder = tuple[int, ...]  # minor to major
CHANNELS_LAST: AxisOrder = (1, 3, 2, 0)
IN_BLOCKS, AND_BACK = (0, 1, 3, 4, 2), (0, 1, 4, 2, 3)  # of n, blocks, lanes, h, w; and back to those


@dataclass(frozen=True)
class ValueLayout:
    """How a value lies.

    Attributes:
        order: its axes, the fastest first.
        block: channels of a block, which lie fastest: the axis of blocks then comes where that of channels does in
            `order`, which is row-major. 0: there are none.
    """

    order: AxisOrder
    block: int = 0

    def counts(self, target: Target) -> float:
        """What a part counts that has a value so, times its price."""
        return target.layouts.blocked if self.block else target.layouts.reordered

    def lying(self, type: TensorType) -> TensorType:
        """The array of a value of a type."""
        if not self.block:
            return replace(type, minor_to_major=self.order)
        n, c, h, w = type.shape
        return replace(type, shape=(n, c // self.block, h, w, self.block), minor_to_major=row_major(5))

    def read(self, type: TensorType) -> Spec | TensorType:
        """The value, of such an array."""
        if not self.block:
            return self.lying(type)
        return reshape(transpose(self.lying(type), AND_BACK), shape=type.shape)

    def given(self, value: Spec) -> Spec:
        """Such an array, of the value; in another order of axes it is given by the call itself."""
        return _in_blocks(value, value.output, self.block) if self.block else value

    def __str__(self) -> str:
        return f"blocks of {self.block} channels" if self.block else f"{{{','.join(map(str, self.order))}}}"


def own_layout(value: ModelValue) -> ValueLayout:
    """That in which a value is stated."""
    return ValueLayout(value.type.minor_to_major)


def copied(type: TensorType, now: ValueLayout, then: ValueLayout) -> Spec:
    """The copy of a value from a layout to another."""
    read = now.read(replace(type, name=""))
    return _in_blocks(read, type, then.block) if then.block else copy(read, layout=then.order)


def _in_blocks(value: Spec | TensorType, type: TensorType, block: int) -> Spec:
    n, c, h, w = type.shape
    return transpose(reshape(value, shape=(n, c // block, block, h, w)), IN_BLOCKS)


def layouts_of(graph: ModelGraph, value: ModelValue, lanes: int = 0) -> tuple[ValueLayout, ...]:
    """The layouts that a value may have where parts meet, the first its own: of outputs, inputs and constants no
    others. `lanes` are those of vectors of f32; 0: there are no blocks."""
    own = own_layout(value)
    if not value.call or any(value is result for _, result in graph.results):
        return (own,)
    found, type = [own], value.type
    if type.rank == 4 and min(type.shape[1], max(type.shape[2:])) > 1:
        found.append(ValueLayout(own.order, lanes) if _has_blocks(graph, value, lanes) else ValueLayout(CHANNELS_LAST))
    if value.call == "transpose":
        found.append(ValueLayout(_as_it_lies(value)))
    return tuple(dict.fromkeys(found))


def layouts_within(graph: ModelGraph, value: ModelValue, lanes: int, has_others: bool) -> list[ValueLayout]:
    """The layouts that a value may have within a part, beside its own. In one the result of a transpose lies so that
    nothing moves. Where values that the part reads or gives lie in blocks (`has_others`: perhaps they do), those
    between may too."""
    found = [ValueLayout(_as_it_lies(value))] if value.call == "transpose" else []
    return found + [each for each in layouts_of(graph, value, lanes) if each.block and has_others]


def _as_it_lies(value: ModelValue) -> AxisOrder:
    """Of what a transpose gives: the layout in which it is what the transpose reads."""
    (read,) = value.values
    perm = dict(value.attributes).get("perm") or tuple(reversed(range(read.type.rank)))
    place = {axis: j for j, axis in enumerate(perm)}
    return tuple(place[axis] for axis in read.type.minor_to_major)


# ---- near convolutions of each channel -------------------------------------------------------------------------------


def _has_blocks(graph: ModelGraph, value: ModelValue, lanes: int) -> bool:
    """Whether an image of f32 has several whole blocks of channels, and is near a convolution of each of them."""
    type = value.type
    is_plain = type.dtype == "f32" and type.dynamic is None and type.is_row_major
    if not lanes or not is_plain or type.shape[1] % lanes or type.shape[1] == lanes:
        return False
    near: set[ModelValue] | None = graph.__dict__.get("_near_each")
    if near is None:
        near = graph.__dict__["_near_each"] = _near_each(graph)
    return value in near


def _near_each(graph: ModelGraph) -> set[ModelValue]:
    """The values that convolutions of each channel (depthwise) read or give, and those that maps make of such, or make
    such of. Left out are values that another convolution of windows reads or gives, too: that one may be filtered with
    channels last."""
    beside: dict[ModelValue, list[ModelValue]] = {}
    each, others = set[ModelValue](), set[ModelValue]()
    for value in graph.calls:
        if value.call == "conv2d":
            kind = _kind(value)
            if kind is not None:
                (each if kind else others).update((value, value.values[0]))
        for read in _through(value):
            beside.setdefault(read, []).append(value)
            beside.setdefault(value, []).append(read)
    return _reached(each, beside) - _reached(others, beside)


def _kind(conv: ModelValue) -> bool | None:
    """Whether a convolution is of each channel; None for one of single pixels."""
    x, w = conv.values[:2]
    is_each = w.type.shape[1] == 1 and w.type.shape[0] == x.type.shape[1]
    return None if w.type.shape[2:] == (1, 1) else is_each


def _through(value: ModelValue) -> Iterator[ModelValue]:
    """What a map reads that is as large as what it gives."""
    if not value.is_made and not value.spec.is_composed and value.spec.operation.combine is None:
        yield from (read for read in value.values if read.type.shape == value.type.shape)


def _reached(start: set[ModelValue], beside: dict[ModelValue, list[ModelValue]]) -> set[ModelValue]:
    found, stack = set(start), [*start]
    while stack:
        more = [other for other in beside.get(stack.pop(), ()) if other not in found]
        found.update(more)
        stack += more
    return found


Answers = dict[Spec, Program | GriotteError]


@dataclass(frozen=True, eq=False)
class Copying:
    """Copies, found at once and kept among the `answers` of a model's searches. The object that cuts a model holds this
    one and not the object that solves it. Else the two would hold each other, and all that was solved, until the
    collector of cyclic garbage comes by."""

    session: Session
    answers: Answers

    def program(self, spec: Spec) -> Program:
        """The program of a copy."""
        if spec not in self.answers:
            self.answers[spec] = searched(spec, self.session)
        answer = self.answers[spec]
        assert isinstance(answer, Program)
        return answer

    def saving(self, value: ModelValue) -> float:
        """Cycles that a value takes to be written and read as a whole array."""
        return self.program(copy(tensor((value.type.elements,), value.type.dtype))).cost

    def between(self, value: ModelValue, now: ValueLayout, then: ValueLayout) -> float:
        """Cycles of copying a value into another layout."""
        return self.session.target.layouts.copied * self.program(copied(value.type, now, then)).cost
