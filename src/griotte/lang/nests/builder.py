"""A graph while it is made: its tensors go by names, and get their numbers once, at the end.

builder = NestBuilder()
builder.input("x", x, bytes)
builder.nest("high", Nest(maximum, ("x",), "f32"), held, bytes)
builder.nest("e", Nest(exponential, ("x", "high"), "f32"), held, bytes)
builder.graph("softmax", dims)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..types.tensor import TensorType, row_major
from .access import Access
from .family import Held, given_layout
from .graph import Graph
from .operation import Nest
from .pending import Pending, in_order

Name = Any  # of a tensor: whatever may be a key


class NestBuilder:
    """Operands that come in, in order, and nests. Each nest writes the tensor of its name and reads tensors that came
    before it. The last nest writes the output."""

    def __init__(self) -> None:
        self.inputs: dict[Name, Access] = {}
        self.nests: dict[Name, Nest] = {}
        self.held: dict[Name, Held | None] = {}
        self.bytes: dict[Name, int] = {}

    def input(self, name: Name, access: Access, size: int) -> None:
        """An operand of so many bytes."""
        self.inputs[name], self.bytes[name] = access, size

    def nest(self, name: Name, nest: Nest, held: Held | None, size: int) -> None:
        """A nest whose result has so many bytes; of the last one nothing else is held."""
        self.nests[name], self.held[name], self.bytes[name] = nest, held, size

    def graph(
        self,
        name: str,
        dims: tuple[str, ...],
        outputs: Iterable[Name] = (),
        pending: Iterable[Pending] = (),
        **known: Iterable[Name],
    ) -> Graph:
        """The graph, in which all `outputs` go out besides the last nest's. Facts `known` of its inputs (`counts`,
        `inside`) and decisions that are `pending` name tensors."""
        outputs, start = tuple(outputs), len(self.inputs)
        came = self.inputs | {("out", t): self.nests[t].operation.output for t in outputs}
        number: dict[Name, int] = {each: i for i, each in enumerate((*came, *self.nests))}
        sizes = (self.bytes[t] for t in (*self.inputs, *outputs, *self.nests))
        return Graph(
            name,
            dims,
            tuple(came.values()),
            tuple(replace(nest, reads=tuple(number[t] for t in nest.reads)) for nest in self.nests.values()),
            tuple(held for t in [*self.nests][:-1] if (held := self.held[t])),
            tuple(sizes),
            placed=tuple((number[t], start + i) for i, t in enumerate(outputs)),
            pending=in_order(each.numbered(number.__getitem__) for each in pending),
            **{key: tuple(number[t] for t in names) for key, names in known.items()},
        )


class SizedBuilder(NestBuilder):
    """Of a graph whose dimensions have sizes: its tensors have types, which give `held` and `bytes`."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        super().__init__()
        self.sizes: dict[str, int] = dict(sizes)
        self.types: dict[Name, TensorType] = {}
        self.results: tuple[Name, ...] = ()  # that go out

    @property
    def last(self) -> Name:
        """The tensor that the last nest writes."""
        return next(reversed(self.nests))

    @property
    def keep(self) -> set[str]:
        """The dimensions that stay as they are."""
        return {d for nest in self.nests.values() for d in nest.operation.keep}

    def uses(self) -> Iterator[tuple[Name, Access]]:
        """(tensor, access) of each read and write."""
        return uses_of(self.nests)

    def come(self, name: Name, access: Access, dtype: str) -> None:
        """A row-major operand of this dtype."""
        self.inputs[name], self.types[name] = access, self._row_major(access, dtype)

    def write(self, name: Name, nest: Nest, dtype: str) -> None:
        """A nest whose result is row-major, of this dtype."""
        self.nests[name], self.types[name] = nest, self._row_major(nest.operation.output, dtype)

    def _row_major(self, access: Access, dtype: str) -> TensorType:
        return TensorType(dtype, access.shape(self.sizes), row_major(len(access.axes)))

    def over(self, way: Callable[[Name, Access], Access], **changed: Any) -> None:
        """Make each access to a tensor what `way` says."""
        self.nests = {t: nest.over(t, way, **changed) for t, nest in self.nests.items()}

    def drop_unread(self) -> None:
        """Drop the nests whose tensor neither goes out nor is read."""
        needed = {*self.results, self.last}
        for t, nest in reversed([*self.nests.items()]):
            if t in needed:
                needed |= {*nest.reads}
        gone = self.nests.keys() - needed
        self.nests = {t: nest for t, nest in self.nests.items() if t not in gone}

    def graph(self, *args: Any, **known: Any) -> Graph:
        """See NestBuilder."""
        self.bytes = {t: tensor.bytes for t, tensor in self.types.items()}
        self.held = {t: Held(self.types[t].dtype, given_layout(self.types[t])) for t in self.nests}
        return super().graph(*args, **known)


def uses_of(nests: Mapping[Name, Nest]) -> Iterator[tuple[Name, Access]]:
    """(tensor, access) of each read and write."""
    for t, nest in nests.items():
        yield from (*nest.uses, (t, nest.operation.output))


def by_use(nests: Mapping[Name, Nest], apart: Collection[Name] = ()) -> dict[Name, Nest]:
    """Nests that have an operand for each way in which what comes in is read, named (tensor, access, -1); of those
    `apart` one for each reader, (tensor, access, reader)."""
    use = lambda reader, t, access: t if t in nests else (t, access, reader if t in apart else -1)
    return {name: replace(nest, reads=tuple(use(name, t, a) for t, a in nest.uses)) for name, nest in nests.items()}


def by_depth(nests: Mapping[Name, Nest]) -> dict[Name, Nest]:
    """Nests in the order of how many come before them at most; the last stays last. A graph may be cut part by part:
    then the first nest of the rest waits for no other."""
    depth: dict[Name, int] = {}
    for name, nest in nests.items():
        depth[name] = 1 + max((depth[t] for t in nest.reads if t in depth), default=-1)
    *others, last = nests
    return {name: nests[name] for name in (*sorted(others, key=depth.__getitem__), last)}
