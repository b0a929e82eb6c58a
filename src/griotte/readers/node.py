"""A node of a file that is being read: what its operators' declarations ask of it, whatever the file is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from inspect import signature
from math import prod
from typing import Any

import numpy as np

from ..lang.meaning import reference
from ..lang.types.dtypes import dtype_name
from ..lang.types.tensor import Empty
from ..models.graph import GraphBuilder, ModelGraph, Refused
from ..models.loops import LoopBuilder
from ..models.value import ModelValue
from ..support.errors import SpecError
from ..support.printable import printable
from .operators.array import Array, item_of
from .operators.calls import ArrayCalls, OverBound, TooLong, Unsupported

Item = ModelValue | np.ndarray | None
"""A value of the graph, one that is known, or an input that is left out."""
MOST_KNOWN = 1 << 30  # bytes that are computed while a model is read, unless the file is as large
MOST_FOLDED = 1 << 16  # elements of a call that is computed here; more is left to the kernel, ahead of its calls
MOST_ITERATIONS = 1 << 20  # of a loop, those of the loops around it counted
STAY = ("DequantizeLinear", "dequantize")  # what reads integers that stand for floats may take them as they are


def known(item: Any) -> Any:
    """Of a value whose data is known that data."""
    return item.array if isinstance(item, ModelValue) and item.array is not None else item


def in_a_line(why: str | SpecError) -> str:
    """Why a node is refused, printable."""
    return printable(" ".join(str(why).split()))


class Missing:
    """What a refused node gives: whatever reads it is not read either."""


class Reading:
    """The graph of a file and its faults, as they grow while the file is read.

    Attributes:
        is_open: whether it is read at several sizes.
        least: of the open size, as far as operators told that they need as much.
        asked: inputs whose values were asked for and are not known.
        refused: nodes and inputs that griotte lacks, in the order in which they are read.
    """

    def __init__(self, file: int, is_open: bool = False) -> None:
        self.is_open, self.least = is_open, 1
        self.builder = GraphBuilder()
        self.asked: set[str] = set()
        self.iterations = 1  # of the loops whose bodies are being read, together
        self.left = max(MOST_KNOWN, 2 * file)  # bytes that may be computed while the file is read
        self.refused: list[Refused] = []
        self.held: dict[int, ModelValue] = {}  # large constants, by the ids of their arrays

    def charge(self, shape: tuple[int, ...], item: int, where: str) -> None:
        """Account for a tensor that is computed, its elements of so many bytes; OverBound where that is over the bound:
        MOST_KNOWN, or twice the file."""
        self.left -= prod(shape) * item
        if self.left < 0:
            raise OverBound(
                f"expected at most {MOST_KNOWN >> 20} MiB that are computed while a model is read, found more, at"
                f" {printable(where)}: a tensor {list(shape)}"
            )

    def ask(self, item: Item) -> None:
        """Note that the value of an item was asked for."""

    def value(self, item: Item, name: str = "") -> ModelValue:
        """A value of the graph; a known array becomes a constant."""
        if id(item) in self.held:
            return self.held[id(item)]
        if isinstance(item, ModelValue):
            return item
        if item is None:
            raise SpecError("expected an input, found one that is left out; give it")
        array = np.asarray(item)
        if 0 in array.shape:
            raise Unsupported(f"a tensor without elements, {list(array.shape)}")
        try:
            dtype_name(array.dtype)
        except SpecError:
            raise Unsupported(f"a tensor of {array.dtype}") from None
        return self.builder.constant(array, name)

    def lack(self, name: str, operator: str, why: str | SpecError) -> Missing:
        """Note what griotte lacks; whatever reads it is left out."""
        self.refused.append(Refused(printable(name), printable(operator), in_a_line(why)))
        return Missing()

    def finished(self, results: Sequence[tuple[str, Any]]) -> ModelGraph:
        """The graph of the given results, in order; Missing are those that a refused node would give."""
        given: dict[str, ModelValue] = {}
        empty: list[Empty] = []
        for place, (name, found) in enumerate(results):
            name = name if name not in given else f"{name}_{place}"
            if isinstance(found, np.ndarray) and not found.size:
                empty.append(Empty(place, name, dtype_name(found.dtype), found.shape))
            elif not isinstance(found, Missing):
                given[name] = self.value(found, name)
        return self.builder.graph(given, self.refused, empty)


class ReadNode(ArrayCalls):
    """What declarations of operators ask of a node, but for its attributes.

    Attributes:
        reader: the reading of the file.
        name: of the node.
    """

    reader: Any
    name: str

    @property
    def builder(self) -> GraphBuilder:  # type: ignore[override]
        """Makes the graph of the file."""
        return self.reader.builder

    @property
    def is_open(self) -> bool:  # type: ignore[override]
        """Whether the file is read at several sizes."""
        return self.reader.is_open

    def need(self, size: int) -> None:
        self.reader.least = max(self.reader.least, size)

    def ask(self, item: ModelValue) -> None:
        self.reader.ask(item)

    @property
    @abstractmethod
    def title(self) -> str:
        """Its operator and its name, as messages have them."""

    def value(self, item: Item) -> ModelValue:
        """A value of the graph."""
        return self.reader.value(item)

    def array(self, item: Any) -> Any:
        """What an operator is given as an array of the graph, lists too; anything else as it is."""
        if isinstance(item, (ModelValue, np.ndarray, np.generic)):
            return Array(self, item)
        return [self.array(each) for each in item] if isinstance(item, (list, tuple)) else item

    @staticmethod
    def items(found: Any) -> Any:
        """The values that a function of arrays gives."""
        return item_of(found)

    def fitted(self, found: Item, dtype: str) -> ModelValue:
        """A value in the dtype that the file tells."""
        if dtype == "pred" and self.dtype(found) != "pred":
            return self.call("not_equal", found, 0)
        return self.cast(found, dtype)

    def read_by(self, function: Any, *given: Any, **how: Any) -> Any:
        """What a function of this node and of arrays gives; SpecError where it does not take so many."""
        try:
            signature(function).bind(self, *given, **how)
        except TypeError as why:
            raise SpecError(f"it is given other operands than it has: {why}") from None
        return self.items(function(self, *map(self.array, given), **how))

    @staticmethod
    def lacks(found: list[Item | Missing]) -> bool:
        """Whether some value is a refused node's."""
        return any(isinstance(item, Missing) for item in found)

    def reserve(self, *sizes: int, item: int = 8) -> None:
        """Account for an array of these sizes, its elements of so many bytes, that is about to be made; OverBound where
        that is over the bound."""
        self.reader.charge(sizes, item, self.title)

    def call(self, call: str, *reads: Any, **attributes: Any) -> ModelValue:
        """The same; a small one of known arrays is computed at once."""
        found = super().call(call, *reads, **attributes)
        arrays = [value.array for value in found.values if value.array is not None]
        if call in STAY or len(arrays) < len(found.values):
            return found
        if call == "reshape":
            return self.value(np.reshape(arrays[0], found.type.shape))
        if max(found.type.elements, *(array.size for array in arrays)) > MOST_FOLDED:
            return found
        return self.value(np.asarray(reference.interpret(found.spec, *arrays)))

    @contextmanager
    def looping(self, trips: int) -> Iterator[LoopBuilder]:
        """While the body of a loop of so many turns is built, the builder of the loop."""
        around = self.reader.iterations
        if around * trips > MOST_ITERATIONS:
            raise TooLong(f"a loop of more than {MOST_ITERATIONS:,} turns, those of the loops around it counted")
        self.reader.iterations = around * trips
        try:
            yield LoopBuilder(self.builder, trips)
        finally:
            self.reader.iterations = around
