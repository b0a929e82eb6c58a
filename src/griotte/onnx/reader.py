"""The nodes of an ONNX model, one after the other, as calls of the language.

A value that is known at reading (initializers, shapes, values that follow from them alone) is computed at once, by
onnx's own reference. So sizes are numbers by the time that a call asks for them. A node that griotte lacks is noted,
and its results have the types that ONNX's shape inference tells, so that all such nodes are found in one walk.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np

from ..lang.types.dtypes import dtype, dtype_name
from ..lang.types.tensor import Empty, tensor
from ..lang.types.walk import children_first
from ..models.graph import ModelGraph, ModelValue
from ..readers.node import Item, Missing, OverBound, Reading, Unsupported
from ..support.errors import SpecError
from ..support.printable import printable
from .alone import emptied, hosted
from .functions import nested
from .items import Scope, dtype_of, in_order
from .loading import DataFolders, array_of
from .node import OnnxNode

MOST_READ = 50_000  # nodes that are read, those of loops and functions each time


class Reader(Reading):
    """Reads a model into a ModelGraph."""

    def __init__(
        self,
        proto: Any,
        folder: DataFolders | None,
        shapes: Mapping[str, Any],
        constants: Mapping[str, Any],
        is_open: bool = False,
    ):
        super().__init__(proto.ByteSize(), is_open)
        self.proto, self.folder = proto, folder
        self.shapes, self.constants = dict(shapes), dict(constants)
        self.operators: dict[str, str] = {}  # of nodes that were read, by name
        self.depth = self.read = 0
        self.opsets = {each.domain or "ai.onnx": each.version for each in proto.opset_import}
        self.functions = {(f.domain or "ai.onnx", f.name): f for f in proto.functions}

    def graph(self) -> ModelGraph:
        """The model's graph."""
        graph = self.proto.graph
        scope: Scope = {}
        self.initializers(graph, scope)
        self._inputs(graph, scope)
        self.run(graph.node, scope)
        results: dict[str, ModelValue] = {}
        empty: list[Empty] = []
        told = {output.name for output in graph.output}
        for place, output in enumerate(graph.output):
            found = scope.get(output.name)
            if found is None:
                raise SpecError(
                    f"expected a value for the output {printable(output.name)!r}, found none that gives it; export the"
                    " model again"
                )
            name = _free(output.name, results.keys() | {each.name for each in empty}, told)
            if isinstance(found, np.ndarray) and not found.size:
                empty.append(Empty(place, name, dtype_name(found.dtype), found.shape))
            elif not isinstance(found, Missing):
                self._give(results, name, found)
        return self.builder.graph(results, self.refused, empty)

    def _give(self, results: dict[str, ModelValue], name: str, item: Item) -> None:
        """Add an output, which is an array of its own: a copy where no call makes the value, or an output has it."""
        try:
            value = self.value(item)
            while not value.call or any(value is other for other in results.values()):
                value = self.builder.call("copy", value, name=name)
            results[name] = value
        except SpecError as why:
            self.lack(name, "output", why)

    def subgraph(self, graph: Any, scope: Scope, given: list[Item], told: str) -> list[Item | Missing]:
        """What a branch or a loop's body gives, which sees the values around it."""
        names = [each.name for each in graph.input]
        if len(names) != len(given):
            raise SpecError(f"expected a body of {len(given)} inputs, found {len(names)}")
        inner: Scope = ChainMap(dict(zip(names, given)), scope)
        with self.within(told, self.opsets):
            self.initializers(graph, inner)
            self.run(graph.node, inner)
        return [inner[each.name] for each in graph.output]

    @staticmethod
    def own(scope: Scope, name: str, where: str) -> None:
        """That no value of this name is there yet."""
        if name in (scope.maps[0] if isinstance(scope, ChainMap) else scope):
            raise SpecError(f"expected each value once, found {printable(name)!r} given twice, in {where}")

    # ---- what comes in -----------------------------------------------------------------------------------------------

    def initializers(self, graph: Any, scope: Scope) -> None:
        for each in graph.initializer:
            self.own(scope, each.name, "the initializers")
            scope[each.name] = array_of(each, self.folder, f"the initializer {printable(each.name)!r}")
        for each in graph.sparse_initializer:
            raise SpecError(
                f"expected dense initializers, found a sparse one, {printable(each.values.name)!r}; make it dense"
            )

    def _inputs(self, graph: Any, scope: Scope) -> None:
        known = {i.name for i in graph.input}
        if len(known) != len(graph.input):
            raise SpecError("expected inputs of different names, found one twice; export the model again")
        for given, what in ((self.shapes, "shapes"), (self.constants, "constants")):
            for name in given:
                if name not in known:
                    raise SpecError(
                        f"expected inputs ({', '.join(map(printable, sorted(known)))}) in {what}, found"
                        f" {printable(str(name))!r}; name one of them"
                    )
        for each in graph.input:
            if each.name in self.constants:
                scope[each.name] = np.asarray(self.constants[each.name])
            elif each.name not in scope:
                scope[each.name] = self._input(each)

    def _input(self, given: Any) -> ModelValue | np.ndarray | Missing:
        try:
            element, sizes = self._type(given)
            if 0 in sizes:
                return np.empty(sizes, dtype(element).numpy)
            return self.builder.input(tensor(sizes, element, name=given.name), given.name)
        except Unsupported as why:
            return self.lack(given.name, "input", why)

    def _type(self, given: Any) -> tuple[str, tuple[Any, ...]]:
        """The dtype and the sizes of an input."""
        name = printable(given.name)
        kind = given.type.WhichOneof("value")
        if kind != "tensor_type":
            raise Unsupported(f"it is no tensor but {kind or 'of no type'}")
        stated = given.type.tensor_type
        sizes = [d.dim_value if d.HasField("dim_value") and d.dim_value > 0 else None for d in stated.shape.dim]
        wanted = self.shapes.get(given.name)
        if wanted is not None:
            if stated.HasField("shape") and (
                len(wanted) != len(sizes) or any(n not in (None, m) for n, m in zip(sizes, wanted))
            ):
                told = ",".join("?" if n is None else str(n) for n in sizes)
                raise SpecError(f"expected a shape that fits [{told}], found {list(wanted)}, for {name!r}")
            sizes = list(wanted)
        if None in sizes or not stated.HasField("shape"):
            told = ",".join("?" if n is None else str(n) for n in sizes)
            numbers = tuple(n or 1 for n in sizes)
            raise SpecError(
                f"expected the sizes of all inputs, found {name!r} of [{told}]; say them:"
                f" shapes={{{name!r}: {numbers}}}, or --shape {name}={','.join(map(str, numbers))}"
            )
        return dtype_of(stated.elem_type), tuple(sizes)

    # ---- nodes -------------------------------------------------------------------------------------------------------

    def run(self, nodes: Any, scope: Scope) -> None:
        """Read nodes into the scope, each after those that it reads."""
        for number, proto in enumerate(in_order(nodes)):
            node = OnnxNode(self, proto, proto.name or f"{proto.op_type}_{number}", scope)
            self.read += 1
            self.operators.setdefault(node.name, printable(proto.op_type))
            if self.read > MOST_READ:
                raise OverBound(f"expected a model of at most {MOST_READ:,} nodes, found more, at {node.title}")
            missing = [n for n in proto.input if n and n not in scope]
            if missing:
                raise SpecError(
                    f"expected nodes that read what is there, found {printable(missing[0])!r}, which no other gives"
                    f" before, in {node.title}; the model has a cycle, or lacks a value"
                )
            given = [scope[n] if n else None for n in proto.input]
            is_missing = any(isinstance(item, Missing) for item in given)
            found = [Missing()] * len(proto.output) if is_missing else self._read(node, given)
            for name, item in zip(proto.output, found):
                if name:
                    self.own(scope, name, node.title)
                    scope[name] = item

    def _read(self, node: OnnxNode, given: list[Any]) -> list[Item | Missing]:
        before = len(self.refused)
        try:
            found = node.read(given)
        except OverBound:
            raise
        except SpecError as why:
            return self._emptied(node, given, before) or self._refuse(node, why, before)
        several = found if isinstance(found, (tuple, list)) else [found]
        return [*several, *[Missing()] * (len(node.proto.output) - len(several))]

    def _emptied(self, node: OnnxNode, given: list[Any], before: int) -> list[Item | Missing] | None:
        """What a node that was not read gives where none of it has elements. One that reads what has none, and gives
        what has some, is computed here: all that it reads is to be known."""
        found = emptied(node)
        if found is None:
            if any(isinstance(item, np.ndarray) and not item.size for item in given):
                for item in given:
                    self.ask(item)
            return None
        del self.refused[before:]
        arrays = iter(found)
        return [next(arrays) if name else None for name in node.proto.output]

    def ask(self, item: Item) -> None:
        """Note the inputs that an unknown value follows from."""
        if isinstance(item, ModelValue) and item.array is None:
            self.asked |= {v.name for v in children_first((item,), lambda v: v.values) if v in self.builder.inputs}

    def _refuse(self, node: OnnxNode, why: SpecError, before: int) -> list[Item | Missing]:
        """Note a node that is lacked, and why. What it gives are values that a host can compute, where their types are
        known; of one within another the other is what a host would run."""
        self.lack(node.name, node.proto.op_type, why)
        step = hosted(node) if not self.depth else None
        if step is None:
            return [Missing()] * len(node.proto.output)
        self.refused[before:] = [replace(each, step=step) for each in self.refused[before:]]
        given = iter(step.gives)
        return [next(given) if name else Missing() for name in node.proto.output]

    @contextmanager
    def within(self, told: str, opsets: dict[str, int]) -> Iterator[None]:
        """While nodes within a node are read, by these opsets."""
        before = self.opsets, self.depth
        self.opsets, self.depth = opsets, nested(self.depth, told)
        try:
            yield
        finally:
            self.opsets, self.depth = before


def _free(name: str, taken: Set[str], told: Set[str]) -> str:
    """The name of an output; of a name that is taken the first of name_2, name_3 and so on that no output has."""
    others = (f"{name}_{n}" for n in count(2))
    return name if name not in taken else next(other for other in others if other not in taken | told)
