"""The nodes of an exported program, one after the other, as calls of the language.

A value that is known at reading (parameters, buffers, values that follow from them alone) is computed at once, by
torch. Each result has to have the shape that torch tells, and is cast to the dtype that it tells. A node that griotte
lacks is noted, and nodes that read its results are left out, so that all such nodes are found in one walk.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.export.graph_signature import InputKind, OutputKind, TensorArgument

from ..lang.types.dtypes import dtype as row
from ..lang.types.tensor import tensor
from ..models.graph import ModelGraph, ModelValue
from ..readers.node import Item, Missing, OverBound, Reading, Unsupported, known
from ..support.errors import SpecError
from .checks import FAILED, Checks
from .decompositions import safe
from .node import AtenNode
from .operators import COMPLEX, OPERATORS, REFUSED, ComplexPair
from .tensors import array_of, complex_of, name_of, part_of, parts_of, require_dense, tensor_of

WITH_AN_AXIS_MORE = {"aten.lstm.input"}
"""Operators of whose results an older torch (2.12) tells an axis of one more than it gives: the last states of an
LSTM."""


class AtenReader(Reading):
    """Reads an exported program into a ModelGraph.

    Args:
        program: what torch exported.
        checks: notes what operators ask of values; the graph then has one result more where something is asked.
    """

    def __init__(self, program: Any, checks: Checks | None = None) -> None:
        super().__init__(sum(t.nbytes for t in program.state_dict.values() if isinstance(t, torch.Tensor)))
        self.program, self.checks = program, checks
        self.scope: dict[Any, Any] = {}

    def graph(self) -> ModelGraph:
        """The program's graph."""
        self._inputs()
        for node in self.program.graph.nodes:
            if node.op == "call_function":
                self.scope[node] = self._read(node)
            elif node.op == "get_attr":
                self.scope[node] = self.lack(node.name, "get_attr", "a graph within the graph")
        return self._results()

    def _inputs(self) -> None:
        nodes = [node for node in self.program.graph.nodes if node.op == "placeholder"]
        stored = {**self.program.state_dict, **self.program.constants}
        for node, spec in zip(nodes, self.program.graph_signature.input_specs):
            if spec.kind != InputKind.USER_INPUT:
                held = stored.get(spec.target)
                self.scope[node] = self._constant(held, spec.target) if isinstance(held, torch.Tensor) else Missing()
            elif isinstance(spec.arg, TensorArgument):
                self.scope[node] = self._input(node)
            else:
                self.scope[node] = getattr(spec.arg, "value", None)

    def _constant(self, held: torch.Tensor, name: str) -> Item | ComplexPair | Missing:
        try:
            result = _as_array(held)
        except Unsupported as why:
            return self.lack(name, "parameter", why)
        if isinstance(result, ComplexPair) or 0 in result.shape:
            return result
        value = self.builder.constant(result, name)
        self.held[id(value.array)] = value
        return value

    def _input(self, node: Any) -> Item | Missing:
        value = node.meta["val"]
        if any(not isinstance(n, int) for n in value.shape):
            raise SpecError(
                f"expected inputs whose sizes are numbers, found {list(value.shape)} of {node.name}; export the module"
                " without dynamic_shapes"
            )
        return self._input_of(node.name, value)

    def _input_of(self, name: str, meta: Any) -> Item | Missing:
        """An input of the graph of the sizes and the dtype of a tensor."""
        try:
            dtype = name_of(meta.dtype)
            require_dense(meta)
        except Unsupported as why:
            return self.lack(name, "input", why)
        return (
            _empty(meta) if 0 in meta.shape else self.builder.input(tensor(tuple(meta.shape), dtype, name=name), name)
        )

    def _results(self) -> ModelGraph:
        """The graph of the given results; Missing are those that a refused node would give."""
        (end,) = (node for node in self.program.graph.nodes if node.op == "output")
        results: list[tuple[str, Any]] = []
        specs = zip(end.args[0], self.program.graph_signature.output_specs)
        given = [(node, spec) for node, spec in specs if spec.kind != OutputKind.TOKEN and node is not None]
        for place, (node, spec) in enumerate(given):  # a token only keeps an order
            result = self.scope[node] if isinstance(node, torch.fx.Node) else None
            if spec.kind != OutputKind.USER_OUTPUT:
                name = str(spec.target or spec.arg.name)
                result = self.lack(name, "copy_", "what a call changes beside its results")
            elif result is None or isinstance(result, ComplexPair):
                why = "that is no tensor" if result is None else "of complex numbers; give torch.view_as_real of it"
                result = self.lack(f"output {place}", "output", f"a result {why}")
            results.append((getattr(node, "name", ""), result))
        if self.checks is not None and (failed := self.checks.result(self)) is not None:
            results.append((FAILED, failed))
        return self.finished(results)

    # ---- nodes -------------------------------------------------------------------------------------------------------

    def _read(self, node: Any) -> Any:
        if node.target is operator.getitem:
            several, number = self.scope[node.args[0]], node.args[1]
            return several if isinstance(several, Missing) else several[number]
        name = str(node.target).removeprefix("aten.")
        try:
            if _only_checks(node, name):
                return self._asserted(node, name)
            reads = [_known(self.scope[each]) for each in node.all_input_nodes]
            if any(isinstance(each, Missing) for each in reads):
                return Missing()
            return self._checked(node, self._made(node, name, reads))
        except OverBound:
            raise
        except SpecError as why:
            return self.lack(node.name, name, why)

    def _asserted(self, node: Any, name: str) -> Missing:
        """Nothing; what it asserts is noted."""
        target, args = node.target, node.args
        if name == "with_effects":
            target, args = args[1], args[2:]
        given = self._given_to(target, args, node.kwargs)
        if self.checks is not None and not any(isinstance(each, Missing) for each in given.values()):
            self.checks.take(AtenNode(self, str(target).removeprefix("aten."), node.name), given)
        return Missing()

    def _given_to(self, target: Any, args: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of an operator, by the names of its schema: values, or known numbers and arrays."""
        schema = getattr(target, "_schema", None)
        arguments = schema.arguments if schema else ()
        own = {**dict(zip((each.name for each in arguments), args)), **named}
        given = {each.name: own.get(each.name, each.default_value) for each in arguments}
        return torch.fx.node.map_arg(given, lambda each: _known(self.scope[each]))

    def _made(self, node: Any, name: str, reads: Sequence[Any]) -> Any:
        """What it gives: computed where all that it reads is known; else calls, by its declaration."""
        if not hasattr(node.target, "tags"):  # a graph that calls graphs
            raise Unsupported(REFUSED.get(name, "no such operator here"))
        if torch.Tag.nondeterministic_seeded in node.target.tags and name not in OPERATORS:
            raise Unsupported("what it gives is drawn by chance; call module.eval() first")
        if all(map(_is_known, reads)):
            return self._folded(node)
        meta, gives = node.meta["val"], _tensors(node.meta["val"])
        if gives and all(map(_is_empty, gives)):
            return list(map(_empty, meta)) if isinstance(meta, (tuple, list)) else _empty(meta)
        is_complex = any(isinstance(each, ComplexPair) for each in reads) or any(t.dtype.is_complex for t in gives)
        read = (COMPLEX if is_complex else OPERATORS).get(name)
        if read is None:
            raise Unsupported(REFUSED.get(name, f"no such operator {'of complex numbers ' * is_complex}here"))
        described = torch.fx.node.map_arg(node.args, lambda each: each.meta["val"])
        asked = {user.args[1] for user in node.users if user.target is operator.getitem and user.users}
        gives_ = tuple(meta) if isinstance(meta, (tuple, list)) else (meta,)
        own = AtenNode(self, name, node.name, tuple(sorted(asked)) or (0,), described, gives_)
        given = self._given_to(node.target, node.args, node.kwargs)
        if self.checks is not None:
            self.checks.take(own, given)
        return own.items(own.take(read, given))

    def _folded(self, node: Any) -> Any:
        """What torch gives of these tensors."""
        for each in _tensors(node.meta["val"]):
            self.charge(tuple(each.shape), each.element_size(), node.name)
        tensors = lambda each: _as_tensor(_known(self.scope[each]))
        args, kwargs = torch.fx.node.map_arg((node.args, dict(node.kwargs)), tensors)
        with torch.no_grad():
            result = safe(node.target)(*args, **kwargs)
        return [_as_array(each) for each in result] if isinstance(result, (tuple, list)) else _as_array(result)

    def _checked(self, node: Any, result: Any) -> Any:
        """What was read, of the dtypes and shapes that torch tells."""
        meta = node.meta["val"]
        if not isinstance(meta, (tuple, list)):
            return self._fitting(node, meta, result)
        several = list(result) if isinstance(result, (tuple, list)) else [result]
        several += [Missing()] * (len(meta) - len(several))
        return [each if each is None else self._fitting(node, own, each) for own, each in zip(meta, several)]

    def _fitting(self, node: Any, meta: Any, result: Any) -> Any:
        if not isinstance(meta, torch.Tensor) or isinstance(result, Missing):
            return result
        if isinstance(result, ComplexPair):
            return result.map(lambda part: self._fitting(node, part_of(meta), part))
        if isinstance(result, np.ndarray) and not result.size:
            return _empty(meta)
        own = AtenNode(self, str(node.target), node.name)
        shape = result.type.shape if isinstance(result, ModelValue) else np.asarray(result).shape
        if shape != tuple(meta.shape) and not _has_an_axis_more(node, meta, shape):
            raise Unsupported(f"griotte gives {list(shape)} for it, torch {list(meta.shape)}")
        wanted = name_of(meta.dtype)
        return own.fitted(result, wanted) if own.is_value(result) else _known(result)


def _has_an_axis_more(node: Any, meta: torch.Tensor, shape: tuple[int, ...]) -> bool:
    """Whether torch tells the shape of a result with an axis of one that it does not give."""
    without = [tuple(meta.shape[:axis] + meta.shape[axis + 1 :]) for axis, n in enumerate(meta.shape) if n == 1]
    return str(node.target) in WITH_AN_AXIS_MORE and shape in without


def _only_checks(node: Any, name: str) -> bool:
    """Whether a node gives nothing: it asserts something of what it reads."""
    if name == "with_effects":
        name = str(node.args[1]).removeprefix("aten.")
    return name.startswith(("_assert", "_linalg_check_errors"))


def _is_known(item: Any) -> bool:
    return item.is_known if isinstance(item, ComplexPair) else not isinstance(item, ModelValue)


def _as_tensor(item: Any) -> Any:
    """A known value, as torch has it."""
    if isinstance(item, ComplexPair):
        return complex_of(item.real, item.imag)
    return tensor_of(item) if isinstance(item, np.ndarray) else item


def _as_array(result: Any) -> Any:
    """What torch gives, as arrays."""
    if not isinstance(result, torch.Tensor):
        return result
    return ComplexPair(*parts_of(result)) if result.dtype.is_complex else array_of(result)


def _known(item: Any) -> Any:
    """Of a value whose data is known that data."""
    return item.map(known) if isinstance(item, ComplexPair) else known(item)


def _tensors(meta: Any) -> list[torch.Tensor]:
    several = meta if isinstance(meta, (tuple, list)) else [meta]
    return [each for each in several if isinstance(each, torch.Tensor)]


def _is_empty(meta: torch.Tensor) -> bool:
    """Whether a size is 0; one that is no number is none."""
    return any(type(size) is int and size == 0 for size in meta.shape)


def _empty(meta: torch.Tensor) -> np.ndarray:
    """What has no elements, as torch tells it."""
    return np.zeros(tuple(meta.shape), row(name_of(meta.dtype)).numpy)
