"""A graph while it is made: its tensors go by names, and get their numbers once, at the end.

builder = NestBuilder()
builder.input("x", x, bytes)
builder.nest("high", Nest(maximum, ("x",), "f32"), held, bytes)
builder.nest("e", Nest(exponential, ("x", "high"), "f32"), held, bytes)
builder.graph("softmax", dims)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from .graph import Graph, Held, Nest
from .operation import Access
from .pending import Pending, in_order

Name = Any  # of a tensor: whatever may be a key


class NestBuilder:
    """Operands that come in, in order, and nests, each of which writes the tensor of its name and reads what came
    before it. The last nest writes the output."""

    def __init__(self) -> None:
        self.inputs: dict[Name, tuple[Access, int]] = {}
        self.nests: dict[Name, tuple[Nest, Held | None, int]] = {}

    def input(self, name: Name, access: Access, size: int) -> None:
        """An operand of so many bytes."""
        self.inputs[name] = access, size

    def nest(self, name: Name, nest: Nest, held: Held | None, size: int) -> None:
        """A nest whose result has so many bytes; of the last one nothing else is held."""
        self.nests[name] = nest, held, size

    def graph(
        self,
        name: str,
        dims: tuple[str, ...],
        outputs: Iterable[Name] = (),
        pending: Iterable[Pending] = (),
        **known: Iterable[Name],
    ) -> Graph:
        """The graph, in which all `outputs` go out besides the last nest's; what is `known` of its inputs (`counts`,
        `inside`), and what is `pending`, is told by name."""
        outputs = tuple(outputs)
        number: dict[Name, int] = {each: i for i, each in enumerate(self.inputs)}
        first, start = len(number), len(number) + len(outputs)
        number |= {each: start + j for j, each in enumerate(self.nests)}
        every = list(self.nests.values())
        came = [*self.inputs.values(), *((self.nests[t][0].operation.output, self.nests[t][2]) for t in outputs)]
        return Graph(
            name,
            dims,
            tuple(access for access, _ in came),
            tuple(replace(nest, reads=tuple(number[t] for t in nest.reads)) for nest, *_ in every),
            tuple(held for _, held, _ in every[:-1] if held),
            (*(size for _, size in came), *(size for *_, size in every)),
            placed=tuple((number[t], first + i) for i, t in enumerate(outputs)),
            pending=in_order(each.numbered(number.__getitem__) for each in pending),
            **{key: tuple(number[t] for t in names) for key, names in known.items()},
        )


def by_depth(nests: Mapping[Name, Nest]) -> dict[Name, Nest]:
    """Nests in the order of how many come before them at most, so that of what is left in a graph that is cut part by
    part the first nest waits for no other; the last stays last."""
    depth: dict[Name, int] = {}
    for name, nest in nests.items():
        depth[name] = 1 + max((depth[t] for t in nest.reads if t in depth), default=-1)
    *others, last = nests
    return {name: nests[name] for name in (*sorted(others, key=depth.__getitem__), last)}
