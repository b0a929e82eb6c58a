"""A module of StableHLO, operation by operation, as calls of the language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...models.graph import ModelGraph
from ...support.errors import SpecError
from ...support.printable import printable
from ..node import Missing, OverBound, Unsupported, known
from .attributes import flat
from .bodies import BodyStep, RegionBody, of_one
from .module import Module, Region, StableHloOperation
from .operators import OPERATORS
from .reading import XlaNode, XlaReading, live_operations

MOST_OPERATIONS = 1 << 19  # that are read, those of functions as often as they are called
MOST_CALLS = 64  # of functions within each other
CALLS = ("call", "func.call")


@dataclass(frozen=True)
class ScopedRegion:
    """A region, and the values given around it."""

    region: Region
    scope: Mapping[str, Any]


class StableHloReader(XlaReading):
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
        given = [self.input(name.removeprefix("%"), type) for name, type in main.inputs]
        result = self.inner(ScopedRegion(main, {}), given)
        names = [f"y{n}" if len(result) > 1 else "y" for n in range(len(result))]
        return self.finished(list(zip(names, result)))

    # ---- operations --------------------------------------------------------------------------------------------------

    def inner(self, body: ScopedRegion, given: Sequence[Any]) -> list[Any]:
        region, inputs = body.region, [name for name, _ in body.region.inputs]
        scope: dict[str, Any] = dict(body.scope) | dict(zip(inputs, given, strict=True))
        self.depth += 1
        if self.depth > MOST_CALLS:
            raise OverBound(
                f"expected at most {MOST_CALLS} regions and calls in each other, found more; make them fewer"
            )
        for op in live_operations(region.operations, region.results, lambda op: op.results, _read_by):
            result = self._read(op, [self._of(scope, name, op) for name in op.operands], scope)
            scope.update(zip(op.results, result, strict=True))
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
        make = lambda reads: self._made(op, reads, scope)
        if op.name in CALLS and not any(isinstance(each, Missing) for each in reads):
            return self._called(op, [known(each) for each in reads])
        depth = self.depth
        result = self.guarded(f"line {op.line}", op.name, reads, len(op.results), make)
        self.depth = depth
        return result

    def _called(self, op: StableHloOperation, reads: list[Any]) -> list[Any]:
        function = self.module.functions.get(str(op.get("callee") or "")[1:])
        if function is None or len(function.inputs) != len(reads) or len(function.results) != len(op.results):
            raise SpecError(
                f"expected a function of {len(reads)} operands and {len(op.results)} results, found"
                f" {printable(str(op.get('callee')))}, at line {op.line} of StableHLO; define it"
            )
        return self.inner(ScopedRegion(function, {}), reads)

    def _made(self, op: StableHloOperation, reads: list[Any], scope: dict[str, Any]) -> list[Any]:
        if op.name == "stablehlo.constant":
            return [self._constant(op)]
        self.require_dtypes(op.gives)
        name = primitive(op)
        row = OPERATORS.get(name)
        attributes = {key: read(op) for key, read in row.parameters.items()} if row else {}
        name, attributes = self._with_bodies(op, name, attributes, [ScopedRegion(each, scope) for each in op.regions])
        node = XlaNode(self, name, f"line {op.line}", op.gives)
        return self.made(node, reads, attributes)

    def _constant(self, op: StableHloOperation) -> np.ndarray:
        result = op.given("value")
        if not isinstance(result, np.ndarray):
            raise Unsupported("a constant that is not written")
        self.charge(result.shape, result.itemsize, f"line {op.line}")
        return result

    def body(self, source: ScopedRegion | str) -> RegionBody:
        """A region, or the body that is one operation of this name."""
        if isinstance(source, str):
            return of_one(primitive(StableHloOperation(source)))
        region = source.region
        constants = {
            op.results[0]: op.get("value") for op in region.operations if op.name == "stablehlo.constant" and op.results
        }
        return RegionBody(
            tuple(name for name, _ in region.inputs),
            tuple(BodyStep(_name(op), tuple(op.operands), op.results) for op in region.operations),
            region.results,
            lambda name: _array(constants.get(str(name), source.scope.get(str(name)))),
        )

    def _with_bodies(
        self, op: StableHloOperation, name: str, attributes: dict[str, Any], regions: list[ScopedRegion]
    ) -> tuple[str, dict[str, Any]]:
        """An operation and its parameters, with what its regions are."""
        if name == "cond":
            return name, {"branches": regions[::-1] if op.name.endswith(".if") else regions}
        if name == "while":
            return name, {"cond_jaxpr": regions[0], "body_jaxpr": regions[1]}
        if name in ("reduce", "reduce_window"):
            is_pair = name == "reduce" and len(op.operands) == 4 and bool(regions)
            if is_pair and (of := self.body(regions[0]).chooses_extreme()):
                return "choose", attributes | {"of": of}
            return name, attributes | {"jaxpr": [*regions, *(word for word in op.words if "." in word), ""][0]}
        if name == "sort":
            descending = self.body(regions[0]).is_descending()
            return name, attributes | {"num_keys": 1 if descending is not None else 2, "descending": bool(descending)}
        if name == "select_and_scatter":
            chosen, joined = map(self.body, regions)
            select = chosen.one_operation() if chosen.is_in_order() else ""
            return name, attributes | {"select": select, "scatter": joined.joins()[0]}
        if name == "scatter":
            return _joined_by(self.body(regions[0])), attributes
        return name, attributes


def primitive(op: StableHloOperation) -> str:
    """The primitive that an operation is, else its own name; Unsupported where the dialect is another."""
    dialect, _, name = op.name.rpartition(".")
    if dialect not in ("stablehlo", "chlo", "mhlo"):
        raise Unsupported("no such operation here")
    if name != "compare":
        row = OPERATORS.get(name)
        return row.every_name[0] if row and name in row.stablehlo.split() else name
    words = [*op.words, *flat(op.get("comparison_direction")), *flat(op.get("compare_type"))]
    how = next(word for word in words if word in ("EQ", "NE", "LT", "LE", "GT", "GE")).lower()
    return how + "_to" * ("TOTALORDER" in words)


def _joined_by(body: RegionBody) -> str:
    """The primitive that a scatter is, by how old elements are joined with new ones."""
    if not body.steps and body.results == body.inputs[-1:]:
        return "scatter"
    name = body.one_operation()
    if name not in ("add", "mul", "min", "max") and not (name == "sub" and body.is_in_order()):
        raise Unsupported("what is joined by is no sum, product, largest, smallest")
    return f"scatter_{name}"


def _name(op: StableHloOperation) -> str:
    """The primitive that an operation is; "" where it is none."""
    try:
        return primitive(op)
    except SpecError:
        return ""


def _array(result: Any) -> Any:
    return result if isinstance(result, np.ndarray) else None


def _read_by(op: StableHloOperation) -> set[str]:
    """The names that an operation reads, those that its regions take from around them too."""
    result = set(op.operands)
    for region in op.regions:
        result.update(region.results, *map(_read_by, region.operations))
    return result
