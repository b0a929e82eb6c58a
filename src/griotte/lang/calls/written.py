"""A Spec as text: calls of calls. What several calls take has a name, and is written out where it first stands:

mul(%v0: exp(f32[8,8]) -> f32[8,8], %v0) -> f32[8,8]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Any

from ..types.dynamic import resized
from ..types.tensor import TensorType
from ..types.walk import children_first

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, eq=False)
class Written:
    """A call as text: `name(operands, attributes, key=operand) -> result`. An operand is a tensor, a call or a number;
    two are the same by their identity, or by the name of a tensor. The last ones are passed by these keys. `said` is
    the text that a person wrote for the call, where that is known."""

    name: str
    operands: tuple[TensorType | Written | str, ...]
    attributes: str = ""
    keys: tuple[str, ...] = ()
    result: TensorType | None = None
    said: str = ""

    @property
    def by_place(self) -> tuple[TensorType | Written | str, ...]:
        """The operands without a key."""
        return self.operands[: len(self.operands) - len(self.keys)]

    def __str__(self) -> str:
        return self.said or self._text

    @cached_property
    def _text(self) -> str:
        return _Printed(self).text

    def __reduce__(self) -> tuple[Any, ...]:
        calls = _calls(self)
        number = {id(call): i for i, call in enumerate(calls)}
        of = lambda part: number[id(part)] if isinstance(part, Written) else part
        rows = tuple((c.name, tuple(map(of, c.operands)), c.attributes, c.keys, c.result, c.said) for c in calls)
        return _read_back, (rows,)

    def at(self, size: int) -> Written:
        """The call at this dynamic size."""
        moved: dict[int, Written] = {}

        def of(part):
            if isinstance(part, TensorType):
                return resized(part, part.dynamic_axes, size)
            return moved[id(part)] if isinstance(part, Written) else part

        for each in _calls(self):
            moved[id(each)] = replace(
                each,
                operands=tuple(map(of, each.operands)),
                result=each.result and of(each.result),
                said=re.sub(r"<=\s*\d+", str(size), each.said),
            )
        return moved[id(self)]


def _calls(root: Written) -> list[Written]:
    return children_first([root], lambda call: (part for part in call.operands if isinstance(part, Written)))


def _read_back(rows: tuple[tuple, ...]) -> Written:
    """The last of some calls whose operands are earlier calls by number: a pickle without depth."""
    calls: list[Written] = []
    for name, operands, *more in rows:
        calls.append(Written(name, tuple(calls[x] if isinstance(x, int) else x for x in operands), *more))
    return calls[-1]


class _Printed:
    """The text of a call, and the names in it."""

    def __init__(self, root: Written) -> None:
        parts = [part for call in _calls(root) for part in call.operands]
        uses = Counter(key for part in parts if (key := _key(part)) is not None)
        self._again = {key for key, times in uses.items() if times > 1}
        plain = {key: _IDENTIFIER.fullmatch(key.removeprefix("%")) for key in self._again if isinstance(key, str)}
        self._wanted = {name.group(): key for key, name in plain.items() if name}
        self._fresh = (name for n in count() if (name := f"v{n}") not in self._wanted)
        self._names: dict[str | int, str] = {}
        pieces: list[str] = []
        stack: list[TensorType | Written | str] = [root]
        while stack:
            part = stack.pop()
            if isinstance(part, str):
                pieces.append(part)
            else:
                stack += reversed([*self._met(part)])
        self.text = "".join(pieces)

    def _met(self, part: TensorType | Written) -> Iterator[TensorType | Written | str]:
        """What is written where a tensor or a call stands."""
        key = _key(part)
        if key in self._names:
            yield f"%{self._names[key]}"
            return
        if key is not None and key in self._again:
            wanted = key.removeprefix("%") if isinstance(key, str) else ""
            self._names[key] = wanted if self._wanted.get(wanted) == key else next(self._fresh)
            yield f"%{self._names[key]}: "
        if isinstance(part, TensorType):
            yield str(part)
            return
        yield f"{part.name}("
        for i, operand in enumerate(part.by_place):
            yield from (", ", operand) if i else (operand,)
        yield part.attributes
        for key, operand in zip(part.keys, part.operands[len(part.by_place) :]):
            yield from (f", {key}=", operand)
        yield ")"
        if part.result is not None:
            yield f" -> {part.result}"


def _key(part: TensorType | Written | str) -> str | int | None:
    """What tells one part from another where it stands twice: nothing of a number or a tensor without a name."""
    if isinstance(part, Written):
        return id(part)
    return part.name or None if isinstance(part, TensorType) else None
