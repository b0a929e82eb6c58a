"""A module of StableHLO, operation by operation, as calls of the language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import SpecError
from ..ir.dtypes import dtype as row
from ..ir.tensor import tensor
from ..models.graph import ModelGraph
from ..printable import printable
from ..readers.node import Item, Missing, OverBound, Unsupported
from .forms import Body, Forms, lives
from .module import Module, StableHloOperation
from .naming import told
from .node import Given, XlaNode
from .operators.declaring import known
from .reading import XlaReading

MOST_OPERATIONS = 1 << 19  # that are read, those of functions as often as they are called
MOST_CALLS = 64  # of functions within each other
CALLS = ("call", "func.call")
INDEXED = ("gather", "scatter")


class StableHloReader(Forms, XlaReading):
    """Reads a module into a ModelGraph.

    Attributes:
        module: what its text says.
    """

    def __init__(self, module: Module, size: int) -> None:
        super().__init__(size)
        self.module, self.read, self.depth = module, 0, 0

    def graph(self) -> ModelGraph:
        """The graph of its main function."""
        main = self.module.functions[self.module.main]
        given = [self._input(name.removeprefix("%"), type) for name, type in main.inputs]
        found = self.inner(Body(main, {}), given)
        names = [f"y{n}" if len(found) > 1 else "y" for n in range(len(found))]
        return self.finished(list(zip(names, found)))

    def _input(self, name: str, type: Given) -> Item | Missing:
        if type.dtype.startswith("!"):
            return self.noted(name, "input", f"an array of {type.dtype[1:]}", 1)[0]
        if 0 in type.shape:
            return np.zeros(type.shape, row(type.dtype).numpy)
        return self.builder.input(tensor(type.shape, type.dtype, name=name), name)

    # ---- operations --------------------------------------------------------------------------------------------------

    def inner(self, body: Body, given: Sequence[Any]) -> list[Any]:
        region = body.region
        scope: dict[str, Any] = dict(body.scope) | dict(zip(body.inputs, given, strict=True))
        self.depth += 1
        if self.depth > MOST_CALLS:
            raise OverBound(
                f"expected at most {MOST_CALLS} regions and calls in each other, found more; make them fewer"
            )
        for op in lives(region):
            found = self._read(op, [self._of(scope, name, op) for name in op.operands], scope)
            scope.update(zip(op.results, found, strict=True))
        self.depth -= 1
        return [self._of(scope, name, None) for name in region.results]

    @staticmethod
    def _of(scope: dict[str, Any], name: str, op: StableHloOperation | None) -> Any:
        if name not in scope:
            where = f", at line {op.line} of StableHLO" if op else ""
            raise SpecError(f"expected a value that is given before, found {printable(name)}{where}; give it first")
        return scope[name]

    def _read(self, op: StableHloOperation, reads: list[Any], scope: dict[str, Any]) -> list[Any]:
        self.read += 1
        if self.read > MOST_OPERATIONS:
            raise OverBound(f"expected at most {MOST_OPERATIONS:,} operations, found more, at line {op.line}")
        count = len(op.results)
        if any(isinstance(each, Missing) for each in reads):
            return [Missing()] * count
        if op.name in CALLS:
            return self._called(op, [known(each) for each in reads])
        depth = self.depth
        found = self.guarded(
            f"line {op.line}", op.name, count, lambda: self._made(op, [known(x) for x in reads], scope)
        )
        self.depth = depth
        return found

    def _called(self, op: StableHloOperation, reads: list[Any]) -> list[Any]:
        function = self.module.functions.get(str(op.get("callee") or "")[1:])
        if function is None or len(function.inputs) != len(reads) or len(function.results) != len(op.results):
            raise SpecError(
                f"expected a function of {len(reads)} operands and {len(op.results)} results, found"
                f" {printable(str(op.get('callee')))}, at line {op.line} of StableHLO; define it"
            )
        return self.inner(Body(function, {}), reads)

    def _made(self, op: StableHloOperation, reads: list[Any], scope: dict[str, Any]) -> list[Any]:
        if op.name == "stablehlo.constant":
            return [self._constant(op)]
        for type in op.gives:
            if type.dtype.startswith("!"):
                raise Unsupported(f"an array of {type.dtype[1:]}")
        name, order, attributes = told(op)
        bodies = [Body(region, scope) for region in op.regions]
        name, attributes = self._with_bodies(op, name, attributes, bodies)
        if name in INDEXED:
            reads = [reads[0], _with_vectors(reads[1], attributes.pop("index_vector_dim"), self), *reads[2:]]
        node = XlaNode(self, name, f"line {op.line}", op.gives)
        return self.made(node, [reads[n] for n in order] if len(order) == len(reads) else reads, attributes)

    def _constant(self, op: StableHloOperation) -> np.ndarray:
        found = op.given("value")
        if not isinstance(found, np.ndarray):
            raise Unsupported("a constant that is not written")
        self.budget.take(found.shape, found.itemsize, f"line {op.line}")
        return found

    def _with_bodies(
        self, op: StableHloOperation, name: str, attributes: dict[str, Any], bodies: list[Body]
    ) -> tuple[str, dict[str, Any]]:
        """An operation and its parameters, with what its regions are."""
        if name == "cond":
            branches = bodies[::-1] if op.name.endswith(".if") else bodies
            return name, {"branches": branches}
        if name == "while":
            return name, {"cond_jaxpr": bodies[0], "body_jaxpr": bodies[1]}
        if name in ("reduce", "reduce_window"):
            applied = next((word for word in op.words if "." in word), None)
            body: Any = bodies[0] if bodies else applied
            if name == "reduce" and len(op.operands) == 4 and bodies and (of := self.chooses_extreme(bodies[0])):
                return "choose", attributes | {"of": of}
            return name, attributes | {"jaxpr": body}
        if name == "sort":
            descending = self.is_descending(bodies[0])
            return name, attributes | {"num_keys": 1 if descending is not None else 2, "descending": bool(descending)}
        if name == "select_and_scatter":
            return name, attributes | {"select": self._choosing(bodies[0]), "scatter": self.joins(bodies[1])[0]}
        if name == "scatter":
            return self._joining(bodies[0]), attributes
        return name, attributes

    def _choosing(self, body: Body) -> str:
        """The comparison of what is chosen so far with what comes that a region is; "" of others."""
        in_order = [op.operands for op in body.region.operations] == [tuple(body.inputs)]
        return self.one_operation(body) if in_order else ""

    def _joining(self, body: Body) -> str:
        """How a region joins what is there with what comes."""
        if not body.region.operations and body.region.results == (body.inputs[-1],):
            return "scatter"
        name = self.one_operation(body)
        in_order = bool(name) and body.region.operations[0].operands == tuple(body.inputs)
        if name not in ("add", "mul", "min", "max") and not (name == "sub" and in_order):
            raise Unsupported("what is joined by is no sum, product, largest, smallest")
        return f"scatter_{name}"


def _with_vectors(places: Any, axis: int, reader: XlaReading) -> Any:
    """Places whose last axis is that of the numbers of one place."""
    node = XlaNode(reader, "reshape", "")
    sizes = node.sizes(places)
    if axis == len(sizes):
        return (
            np.reshape(places, (*sizes, 1))
            if not node.is_value(places)
            else node.call("reshape", places, shape=(*sizes, 1))
        )
    if axis != len(sizes) - 1:
        raise Unsupported("places whose numbers do not lie along the last axis")
    return places
