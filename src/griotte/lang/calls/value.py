"""Values of graphs of calls, in Specs and in models: inputs, and what calls give, which read each other; and their
text.

What several calls of a Spec take has a name, and is written out where it first stands:

    mul(%v0: exp(f32[8,8]) -> f32[8,8], %v0) -> f32[8,8]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import count
from typing import Any, Self, TypeVar

import numpy as np

from ..types.dtypes import Number
from ..types.dynamic import resized
from ..types.tensor import TensorType
from ..types.walk import children_first

OUTPUTS = "outputs"
"""What stands around the calls of a Spec of several results, as a call does, but without a type."""
OneNest = Any  # a Spec of one nest; Spec is over this module
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, eq=False, repr=False)
class Value:
    """A tensor: an input or, where it has a `call`, the result of that. Compared by identity.

    Attributes:
        type: its dtype, shape and layout.
        name: of an input, its name.
        call: the call of the language; "" for inputs.
        reads: what the call reads, the tensors that it takes by name last; numbers of Python stand for themselves.
        keys: the names of those.
        rest: the other arguments of the call, as they are written after what it reads by place.
        said: what a person wrote for the value and all that it reads, where that is known; a Spec stands for its text.
    """

    type: TensorType
    name: str = ""
    call: str = ""
    reads: tuple[Self | float, ...] = ()
    keys: tuple[str, ...] = ()
    rest: str = ""
    said: Any = ""

    @classmethod
    def of_nest(cls, nest: OneNest, reads: tuple[Self, ...]) -> Self:
        """The result of a call of one nest."""
        value = object.__new__(cls)  # there are many, and the other fields have their defaults
        value.__dict__.update(type=nest.output, call=nest.name, reads=reads, spec=nest)
        return value

    @cached_property
    def spec(self) -> OneNest:
        """The call as a Spec over the types of what it reads; None where it is only written."""
        return None

    @property
    def key(self) -> Hashable:
        """What identifies the tensor: inputs of one name are one tensor."""
        return self if self.call else self.name or self

    @property
    def values(self) -> tuple[Self, ...]:
        """The values that it reads, without numbers."""
        return tuple(read for read in self.reads if isinstance(read, Value))

    def reads_in(self, now: Mapping[Self, Any]) -> tuple[Any, ...]:
        """Its reads, with each value replaced by the one that `now` has for it."""
        return tuple(now[read] if isinstance(read, Value) else read for read in self.reads)

    @property
    def every(self) -> list[Self]:
        """It and all that it depends on, each after what it reads."""
        return children_first([self], lambda value: value.values)

    @cached_property
    def nested(self) -> str:
        """The value as text, and within it all that it reads."""
        return str(self.said or _Nested(self).text)

    def pieces(self) -> Iterator[Self | str]:
        """Its call as text, with the values that it reads where they stand: `call(read, rest, key=read)`."""
        by_place = len(self.reads) - len(self.keys)
        reads = [read if isinstance(read, Value) else number_text(read) for read in self.reads]
        yield f"{self.call}("
        for n, read in enumerate(reads[:by_place]):
            yield from (", ", read) if n else (read,)
        yield self.rest
        for key, read in zip(self.keys, reads[by_place:]):
            yield from (f", {key}=", read)
        yield ")"

    def at(self, size: int) -> Self:
        """The value at this dynamic size."""
        now: dict[Self, Self] = {}
        for each in self.every:
            now[each] = replace(
                each,
                type=resized(each.type, each.type.dynamic_axes, size),
                reads=each.reads_in(now),
                said=re.sub(r"<=\s*\d+", str(size), str(each.said)),
            )
        return now[self]

    def __repr__(self) -> str:
        return f"<griotte.{type(self).__name__} {self.name or self.call or 'constant'} {self.type}>"


def number_text(value: Number) -> str:
    """A number as text that is read as that very number: digits of a whole one, else the fewest that tell it; -0.0, inf
    and nan besides."""
    plain = value.item() if isinstance(value, np.generic) and value.dtype.kind in "biuf" else value
    number = int(plain) if isinstance(plain, int) else float(plain)
    return str(number)


class _Nested:
    """The text of a value whose calls are written within each other, and the names in it."""

    def __init__(self, root: Value) -> None:
        uses = Counter(read.key for value in root.every for read in value.values)
        self._again = {key for key, times in uses.items() if times > 1}
        plain = {key: _IDENTIFIER.fullmatch(key.removeprefix("%")) for key in self._again if isinstance(key, str)}
        self._wanted = {name.group(): key for key, name in plain.items() if name}
        self._fresh = (name for n in count() if (name := f"v{n}") not in self._wanted)
        self._names: dict[Hashable, str] = {}
        pieces: list[str] = []
        stack: list[Value | str] = [root]
        while stack:
            piece = stack.pop()
            if isinstance(piece, str):
                pieces.append(piece)
            else:
                stack += reversed([*self._met(piece)])
        self.text = "".join(pieces)

    def _met(self, value: Value) -> Iterator[Value | str]:
        """The text that is written where a value stands."""
        key = value.key
        if key in self._names:
            yield f"%{self._names[key]}"
            return
        if key in self._again:
            wanted = key.removeprefix("%") if isinstance(key, str) else ""
            self._names[key] = wanted if self._wanted.get(wanted) == key else next(self._fresh)
            yield f"%{self._names[key]}: "
        if not value.call:
            yield str(value.said or value.type)
            return
        yield from value.pieces()
        if value.call != OUTPUTS:
            yield f" -> {value.type}"


# ---- pickles without depth -------------------------------------------------------------------------------------------

AnyValue = TypeVar("AnyValue", bound=Value)


def flattened(values: Sequence[Value]) -> tuple[dict[str, Any], ...]:
    """The fields of values, each after those that it reads, which are there by number."""
    number = {value: n for n, value in enumerate(values)}
    of = lambda read: (number[read],) if isinstance(read, Value) else read
    row = lambda value: {each.name: getattr(value, each.name) for each in fields(value)}
    return tuple(row(value) | {"reads": tuple(map(of, value.reads)), "said": str(value.said)} for value in values)


def unflattened(kind: type[AnyValue], rows: tuple[dict[str, Any], ...]) -> list[AnyValue]:
    """The values of these fields."""
    values: list[AnyValue] = []
    for row in rows:
        reads = tuple(values[read[0]] if isinstance(read, tuple) else read for read in row["reads"])
        values.append(kind(**row | {"reads": reads}))
    return values
