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
    """A call as it is written: `name(operands, rest, named) -> result`. An operand is a tensor, a call or a number;
    which of them are one follows from their identity, or the name of a tensor. `said` is the text that a person wrote
    for it, where that is known."""

    name: str
    operands: tuple[TensorType | Written | str, ...]
    rest: str = ""
    named: tuple[tuple[str, TensorType | Written | str], ...] = ()
    result: TensorType | None = None
    said: str = ""

    @property
    def parts(self) -> tuple[TensorType | Written | str, ...]:
        return (*self.operands, *(part for _, part in self.named))

    def __str__(self) -> str:
        return self.said or self._text

    @cached_property
    def _text(self) -> str:
        return _Printed(self).text

    def __reduce__(self) -> tuple[Any, ...]:
        calls = _calls(self)
        number = {id(call): i for i, call in enumerate(calls)}
        of = lambda part: number[id(part)] if isinstance(part, Written) else part
        rows = tuple(
            (c.name, tuple(map(of, c.operands)), c.rest, tuple((k, of(x)) for k, x in c.named), c.result, c.said)
            for c in calls
        )
        return _read_back, (rows,)

    def at(self, size: int) -> Written:
        """It where the dynamic size is this one."""
        moved: dict[int, Written] = {}

        def of(part):
            if isinstance(part, TensorType):
                return resized(part, part.dynamic_axes, size)
            return moved[id(part)] if isinstance(part, Written) else part

        for each in _calls(self):
            moved[id(each)] = replace(
                each,
                operands=tuple(map(of, each.operands)),
                named=tuple((key, of(part)) for key, part in each.named),
                result=each.result and of(each.result),
                said=re.sub(r"<=\s*\d+", str(size), each.said),
            )
        return moved[id(self)]


def _calls(root: Written) -> list[Written]:
    return children_first([root], lambda call: (part for part in call.parts if isinstance(part, Written)))


def _read_back(rows: tuple[tuple, ...]) -> Written:
    """The last of some calls, whose operands name those before them by number: of a pickle, which has no depth then."""
    calls: list[Written] = []
    of = lambda part: calls[part] if isinstance(part, int) else part
    for name, operands, rest, named, result, said in rows:
        calls.append(
            Written(name, tuple(map(of, operands)), rest, tuple((key, of(x)) for key, x in named), result, said)
        )
    return calls[-1]


class _Printed:
    """The text of a call, and the names in it."""

    def __init__(self, root: Written) -> None:
        parts = [part for call in _calls(root) for part in call.parts]
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
        for i, operand in enumerate(part.operands):
            yield from (", ", operand) if i else (operand,)
        yield part.rest
        for name, operand in part.named:
            yield from (f", {name}=", operand)
        yield ")"
        if part.result is not None:
            yield f" -> {part.result}"


def _key(part: TensorType | Written | str) -> str | int | None:
    """What tells one part from another where it stands twice: nothing of a number or a tensor without a name."""
    if isinstance(part, Written):
        return id(part)
    return part.name or None if isinstance(part, TensorType) else None
