"""The nodes of an ONNX model, one after the other, as calls of the language.

What is known while it is read (initializers, shapes, what follows from them alone) is computed at once, by onnx's own
reference; so sizes are numbers by the time that a call asks for them. A node that griotte lacks is noted, and its
results have the types that ONNX's shape inference tells, so that all such nodes are found in one walk.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from ..errors import GriotteError, SpecError
from ..ir import reference
from ..ir.dtypes import dtype, dtype_name
from ..ir.nothing import Empty
from ..ir.tensor import tensor
from ..ir.walk import children_first
from ..models.arrays import array_call
from ..models.graph import GraphBuilder, ModelGraph, ModelValue, Refused
from ..models.loops import LoopBuilder
from ..printable import printable
from .folding import Budget, folded
from .functions import body_of, expanded, nested
from .hosted import emptied, hosted
from .items import Item, Missing, Scope, dtype_of
from .loading import array_of
from .operators import OPERATORS, REFUSED, OverBound, Unsupported
from .operators.declaring import TooLong, placed
from .operators.turning import MOST_TURNS
from .ordering import in_order

STAY = ("DequantizeLinear", "dequantize")  # what reads integers that stand for floats may take them as they are
MOST_READ = 50_000  # nodes that are read, those of loops and functions each time
MOST_FOLDED = 1 << 16  # elements of a call that is computed here; more is left to the kernel, ahead of its calls
OLDEST = 6  # the first opset that is read; from 7 on operators broadcast as they do now


class Reader:
    """Reads a model into a ModelGraph."""

    def __init__(
        self,
        proto: Any,
        folder: Path | None,
        shapes: Mapping[str, Any],
        constants: Mapping[str, Any],
        is_open: bool = False,
    ):
        self.proto, self.folder = proto, folder
        self.is_open = is_open  # whether it is read at several sizes, and what is no nest of the language has none
        self.shapes, self.constants = dict(shapes), dict(constants)
        self.builder = GraphBuilder()
        self.refused: list[Refused] = []
        self.operators: dict[str, str] = {}  # of nodes that were read, by name
        self.asked: set[str] = set()  # inputs whose values were asked for and are not known
        self.depth = self.read = 0
        self.turns = 1  # of the loops whose bodies are being read, together
        self.budget = Budget(proto)
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
        for place, output in enumerate(graph.output):
            found = scope.get(output.name)
            if found is None:
                raise SpecError(
                    f"expected a value for the output {printable(output.name)!r}, found none that gives it; export the"
                    " model again"
                )
            if output.name in results or any(output.name == each.name for each in empty):
                raise SpecError(f"expected each output once, found {printable(output.name)!r} twice; export it again")
            if isinstance(found, np.ndarray) and not found.size:
                empty.append(Empty(place, output.name, dtype_name(found.dtype), found.shape))
            elif not isinstance(found, Missing):
                self._give(results, output.name, found)
        return self.builder.graph(results, self.refused, empty)

    def _give(self, results: dict[str, ModelValue], name: str, item: Item) -> None:
        """Add an output, which is an array of its own: a copy of what is no call's, or is given already."""
        try:
            value = self.value(item)
            while not value.call or any(value is other for other in results.values()):
                value = self.builder.call("copy", value, name=name)
            results[name] = value
        except SpecError as why:
            self.refused.append(Refused(printable(name), "output", str(why)))

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
            scope[each.name] = array_of(onnx, each, self.folder, f"the initializer {printable(each.name)!r}")
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
            self.refused.append(Refused(printable(given.name), "input", str(why)))
            return Missing()

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
                raise OverBound(f"expected a model of at most {MOST_READ:,} nodes, found more, at {node.told}")
            missing = [n for n in proto.input if n and n not in scope]
            if missing:
                raise SpecError(
                    f"expected nodes that read what is there, found {printable(missing[0])!r}, which no other gives"
                    f" before, in {node.told}; the model has a cycle, or lacks a value"
                )
            given = [scope[n] if n else None for n in proto.input]
            is_missing = any(isinstance(item, Missing) for item in given)
            found = [Missing()] * len(proto.output) if is_missing else self._read(node, given)
            for name, item in zip(proto.output, found):
                if name:
                    self.own(scope, name, node.told)
                    scope[name] = item

    def _read(self, node: OnnxNode, given: list[Any]) -> list[Item | Missing]:
        before = len(self.refused)
        try:
            found = node.read(given)
        except OverBound:
            raise
        except Unsupported as why:
            return self._emptied(node, given, before) or self._refuse(node, str(why), before)
        except (
            SpecError,
            ValueError,
            TypeError,
            IndexError,
            KeyError,
            AttributeError,
            OverflowError,
            MemoryError,
        ) as why:
            told = str(why) if isinstance(why, GriotteError) else f"{type(why).__name__}: {why}"
            why_not = printable(" ".join(told.split()))
            return self._emptied(node, given, before) or self._refuse(node, why_not, before)
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

    def _refuse(self, node: OnnxNode, why: str, before: int) -> list[Item | Missing]:
        """Note a node that is lacked, and why. What it gives are values that a host can compute, where their types are
        known; of one within another the other is what a host would run."""
        self.refused.append(Refused(printable(node.name), printable(node.proto.op_type), why))
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

    def value(self, item: Item, name: str = "") -> ModelValue:
        """A value of the graph; of what is known a constant."""
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


@dataclass
class OnnxNode:
    """A node that is being read: its attributes, its opset, and calls of the language that are of it."""

    reader: Reader
    proto: Any
    name: str
    scope: Scope = field(repr=False)

    @property
    def told(self) -> str:
        return f"{printable(self.proto.op_type)} {printable(self.name)!r}"

    @property
    def domain(self) -> str:
        return self.proto.domain or "ai.onnx"

    @property
    def opset(self) -> int:
        """The version of the operator set that the model was written by."""
        return self.reader.opsets.get(self.domain, self.reader.opsets.get("ai.onnx", 1))

    @property
    def outputs(self) -> int:
        """How many results are asked for."""
        return len(self.proto.output)

    def read(self, given: list[Item]) -> Any:
        """What the node gives: computed where all that it reads is known; else calls, by declaration or by body."""
        given = [x.array if isinstance(x, ModelValue) and x.array is not None else x for x in given]
        function = self.reader.functions.get((self.domain, self.proto.op_type))
        if function is not None:
            return expanded(self, function, given)
        self._require_newer()
        tensors = [each.t for each in self.proto.attribute if each.type == onnx.AttributeProto.TENSOR]
        if any(tensor.data_location == onnx.TensorProto.EXTERNAL for tensor in tensors):
            return self._external(tensors)
        has_graph = any(each.type == onnx.AttributeProto.GRAPH for each in self.proto.attribute)
        operator = OPERATORS.get((self.domain, self.proto.op_type))
        is_known = all(not isinstance(item, ModelValue) for item in given)
        if is_known and not has_graph and self.proto.op_type not in STAY:
            if self.proto.op_type == "Identity":
                return given[0]
            try:
                return folded(self.reader.proto, self.reader.budget, self.proto, given, self.opset)
            except Unsupported as why:
                return self._of_body(given, why) if operator is None else operator(self, *given)
        if operator is None:
            of_domain = REFUSED.get(self.domain, "no such operator here")
            return self._of_body(given, Unsupported(REFUSED.get((self.domain, self.proto.op_type), of_domain)))
        try:
            return operator(self, *given)
        except Unsupported as why:
            return self._of_body(given, why)

    def _require_newer(self) -> None:
        """That the operator is not one that ONNX had before it read as it does now."""
        if self.domain != "ai.onnx" or self.opset >= OLDEST or not onnx.defs.has(self.proto.op_type):
            return
        before, after = (since(self.proto.op_type, version) for version in (self.opset, OLDEST + 1))
        if before != after:
            raise Unsupported(f"as ONNX {self.opset} has it; convert the model with onnx.version_converter")

    def _external(self, tensors: list[Any]) -> Item:
        if self.proto.op_type != "Constant":
            raise Unsupported("an attribute in another file")
        return array_of(onnx, tensors[0], self.reader.folder, self.told)

    def _of_body(self, given: list[Item], why: Unsupported) -> Any:
        """What it gives by the body that ONNX defines it by, if that is covered, else refuse it, as it is or for what
        its body lacks."""
        body = body_of(self, given)
        if body is None:
            raise why
        refused, self.reader.refused = self.reader.refused, []
        try:
            found = expanded(self, body, given)
            lacking = self.reader.refused
        finally:
            self.reader.refused = refused
        if lacking:
            first = f"{lacking[0].operator} within it: {lacking[0].why}"
            raise why if (self.domain, self.proto.op_type) in OPERATORS else Unsupported(first)
        return found

    def attribute(self, name: str, default: Any = None) -> Any:
        """An attribute's value, as onnx.helper gives it; bytes as str."""
        for each in self.proto.attribute:
            if each.name == name:
                found = onnx.helper.get_attribute_value(each)
                if isinstance(found, bytes):
                    return found.decode("utf-8", "replace")
                several = list(found) if each.type in (6, 7, 8) else found
                return [text.decode("utf-8", "replace") for text in several] if each.type == 8 else several
        return default

    def value(self, item: Item) -> ModelValue:
        """A value of the graph."""
        return self.reader.value(item)

    @staticmethod
    def is_value(item: Item) -> bool:
        """Whether an input is not known."""
        return isinstance(item, ModelValue) and item.array is None

    @staticmethod
    def of_element(element: int) -> str:
        """The dtype of an ONNX element type."""
        return dtype_of(element)

    @staticmethod
    def lacks(found: list[Item | Missing]) -> bool:
        """Whether some of what is found is of a refused node."""
        return any(isinstance(item, Missing) for item in found)

    @staticmethod
    def numpy(dtype_name: str) -> np.dtype:
        """NumPy's dtype."""
        return dtype(dtype_name).numpy

    def axis(self, rank: int, default: int, name: str = "axis") -> int:
        """An attribute that is an axis of a tensor of this rank."""
        return placed(int(self.attribute(name, default)), rank)

    def room(self, *sizes: int, item: int = 8) -> None:
        """Account for an array of these sizes, its elements of so many bytes, that is about to be made; OverBound where
        that is over the bound."""
        self.reader.budget.take(sizes, item, self.told)

    def number(self, value: float, like: Item) -> ModelValue:
        """A number of an input's dtype."""
        return self.value(np.asarray(value).astype(self.numpy(self.dtype(like))))

    def cast(self, item: Item, wanted: str) -> ModelValue:
        """An input as another dtype, by the language's rules."""
        return self.value(item) if self.dtype(item) == wanted else self.call("cast", item, dtype=wanted)

    def dtype(self, item: Item) -> str:
        """The dtype of an input, which may have no elements."""
        if isinstance(item, ModelValue):
            return item.type.dtype
        return dtype_of(onnx.helper.np_dtype_to_tensor_dtype(np.asarray(item).dtype))

    def call(self, call: str, *reads: Any, **attributes: Any) -> ModelValue:
        """A call of the language over values, known arrays and numbers."""
        operands = [r if isinstance(r, (ModelValue, int, float)) else self.value(r) for r in reads]
        label = self.proto.output[0] if self.proto.output else ""
        found = self.reader.builder.call(call, *operands, name=label, origin=self.name, **attributes)
        arrays = [value.array for value in found.values]
        if call in STAY or any(array is None for array in arrays):
            return found
        if call == "reshape":
            return self.value(np.reshape(arrays[0], found.type.shape))  # type: ignore[arg-type]
        if max(found.type.elements, *(array.size for array in arrays if array is not None)) > MOST_FOLDED:
            return found
        return self.value(np.asarray(reference.interpret(found.spec, *arrays)))  # type: ignore[arg-type]

    @contextmanager
    def turning(self, trips: int) -> Iterator[LoopBuilder]:
        """While the body of a loop of so many turns is built, the builder of the loop."""
        around = self.reader.turns
        if around * trips > MOST_TURNS:
            raise TooLong(f"a loop of more than {MOST_TURNS:,} turns, those of the loops around it counted")
        self.reader.turns = around * trips
        try:
            yield LoopBuilder(self.reader.builder, trips)
        finally:
            self.reader.turns = around

    def array_call(self, call: str, *reads: Item, **attributes: str | int) -> tuple[ModelValue, ...]:
        """What a call over whole arrays gives that no nest of the language is."""
        values = tuple(map(self.value, reads))
        found = array_call(call, values, **attributes)
        labels = [*self.proto.output, *[""] * len(found.types)][: len(found.types)]
        return self.reader.builder.make(found, *values, names=labels, origin=self.name)

    def known(self, item: Item, what: str) -> np.ndarray | None:
        """An input that must be known while the model is read: its data; None where it is left out."""
        if isinstance(item, ModelValue):
            if item.array is not None:
                return item.array
            self.reader.ask(item)
            raise Unsupported(f"{what} is not known before the call")
        return None if item is None else np.asarray(item)


def since(operator: str, version: int) -> int:
    """The opset in which ONNX defined an operator as it is in another; 0 where that has none."""
    try:
        return onnx.defs.get_schema(operator, version).since_version
    except onnx.defs.SchemaError:
        return 0
