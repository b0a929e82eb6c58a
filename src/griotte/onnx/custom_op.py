"""A model for a plain session of onnxruntime, in which all that griotte computes are nodes of its own.

model.onnx       the model: of each layer (models/hosting.py) one node, and the nodes that griotte lacks as they were
custom_op_0.so   the operator of the first layer, to be registered with a session's options
weights_0.bin    its packed constants, which model.onnx names as external data

options = onnxruntime.SessionOptions()
options.register_custom_ops_library("out/custom_op_0.so")
session = onnxruntime.InferenceSession("out/model.onnx", options)
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from ..compiler.session import TablePath, session_of
from ..machine.target import Target
from ..models.graph import HostStep, ModelGraph, ModelValue
from ..models.hosting import Layer, in_order
from ..models.kept import compiled
from ..runtime.model import ModelKernel
from ..runtime.ort_op import domain_of, library_of
from ..support.errors import SpecError, ToolchainError
from ..support.folders import write_atomically
from .items import typed

if TYPE_CHECKING:
    from ..models.watching import Observer

MODEL = "model.onnx"
IR_VERSION = 10  # of ONNX's file, which onnxruntime reads from 1.18 on


def save_custom_ops(
    graph: ModelGraph,
    directory: str | os.PathLike[str],
    target: str | Target = "native",
    threads: int = 1,
    table: TablePath = None,
    effort: int = 2,
    progress: Observer | None = None,
    math: str | None = None,
) -> list[Path]:
    """Write a model whose nodes are griotte's kernels, and what onnxruntime needs of them.

    Args:
        graph: of `from_onnx`, or of another reader. What it has refused stays as it was.
        directory: where to; it is made where it is not there.
        target: as of `gt.compile`.
        threads: of each kernel: its own, beside those of onnxruntime.
        table: as of `gt.compile`.
        effort: as of `gt.compile`.
        progress: an observer of parts as they are solved.
        math: as of `gt.compile`.

    Returns:
        The files: the model first, then libraries and their constants.

    Raises:
        SpecError: a size is dynamic; a refused node has results of unknown types, or a graph within it.
        ToolchainError: there is no C compiler, or the files cannot be written.
    """
    if lost := [each for each in graph.refused if each.step is None]:
        raise SpecError(
            f"expected nodes whose results have types that are known, found {'; '.join(map(str, lost))}; say the sizes"
            " of inputs, or their data as constants"
        )
    if graph.empty:
        raise SpecError(f"expected outputs that have elements, found {graph.empty[0].name}; leave it out")
    writing, kernels = _Writing(graph), list[ModelKernel]()
    session = session_of(target=target, threads=threads, table=table, effort=effort, math=math)
    for item in in_order(graph):
        if isinstance(item, Layer):
            kernel = compiled(item.graph, session, progress)
            writing.kernel(item, kernel, len(kernels))
            kernels.append(kernel)
        else:
            writing.step(item)
    model = writing.model().SerializeToString()
    return _written(Path(directory), model, kernels)


def _written(directory: Path, model: bytes, kernels: Sequence[ModelKernel]) -> list[Path]:
    files: dict[str, Any] = {MODEL: model}
    for number, kernel in enumerate(kernels):
        files[f"custom_op_{number}.so"] = library_of(kernel.library).read_bytes()
        files[_weights(number)] = kernel.weights
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, content in reversed(files.items()):  # the model last: it names the others
            write_atomically(directory / name, content)
    except OSError as error:
        raise ToolchainError(
            f"expected to save a model, found {error.strerror or error}, in {error.filename or directory}; name a"
            " directory that can be written"
        ) from error
    return [directory / name for name in files]


def _weights(number: int) -> str:
    return f"weights_{number}.bin"


class _Writing:
    """A model that is being written.

    Attributes:
        nodes, initializers: of the model, in order.
    """

    def __init__(self, graph: ModelGraph) -> None:
        self.graph = graph
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []
        self.functions: dict[tuple[str, str], Any] = {}
        self.opsets: dict[str, int] = {}
        self.names = {value: value.name for value in graph.inputs}
        self.taken = {*self.names.values(), *(name for name, _ in graph.results)}
        for name, value in graph.results:
            self.names.setdefault(value, name)

    def named(self, value: ModelValue) -> str:
        """The name of a value; a constant is an initializer."""
        if value not in self.names:
            self.names[value] = self.new(value.name or "value")
            if value.array is not None:
                array = np.ascontiguousarray(value.array)
                self.initializers.append(numpy_helper.from_array(array, self.names[value]))
        return self.names[value]

    def new(self, wanted: str) -> str:
        name, number = wanted, 1
        while name in self.taken:
            name, number = f"{wanted}_{number}", number + 1
        self.taken.add(name)
        return name

    def kernel(self, layer: Layer, kernel: ModelKernel, number: int) -> None:
        """A layer as one node."""
        weights = TensorProto(name=self.new(f"weights_{number}"), data_type=TensorProto.UINT8)
        weights.dims.append(len(kernel.weights))
        weights.data_location = TensorProto.EXTERNAL
        weights.external_data.add(key="location", value=_weights(number))
        self.initializers.append(weights)
        reads = [weights.name, *map(self.named, layer.reads)]
        name, domain = kernel.signature.function, domain_of(kernel.signature)
        self.opsets[domain] = 1
        node = helper.make_node(name, reads, list(map(self.named, layer.gives)), name=name, domain=domain)
        self.nodes.append(node)

    def step(self, step: HostStep) -> None:
        """A node as it was, of other names."""
        found = onnx.load_model_from_string(step.model)
        now = {name: self.named(value) for name, value in zip(step.names, step.reads)}
        now |= {value.name: self.named(value) for value in step.gives}
        for each in found.graph.initializer:
            now[each.name] = each.name = self.new(each.name)
            self.initializers.append(each)
        for node in found.graph.node:
            if any(
                attribute.type in (onnx.AttributeProto.GRAPH, onnx.AttributeProto.GRAPHS)
                for attribute in node.attribute
            ):
                raise SpecError(f"expected nodes without graphs within them, found {step.operator} {step.name}")
            node.input[:] = [now.get(name, name) for name in node.input]
            node.output[:] = [now.get(name, name) for name in node.output]
            self.nodes.append(node)
        for opset in found.opset_import:
            self.opsets[opset.domain] = max(opset.version, self.opsets.get(opset.domain, 1))
        self.functions |= {(each.domain, each.name): each for each in found.functions}

    def model(self) -> Any:
        """All of it."""
        for name, value in self.graph.results:
            if self.named(value) != name:
                self.nodes.append(helper.make_node("Identity", [self.named(value)], [name]))
        self.opsets.setdefault("", 17)
        inputs = [typed(value.name, value) for value in self.graph.inputs]
        outputs = [typed(name, value) for name, value in self.graph.results]
        graph = helper.make_graph(self.nodes, "griotte", inputs, outputs, self.initializers)
        opsets = [helper.make_opsetid(domain, version) for domain, version in self.opsets.items()]
        model = helper.make_model(graph, opset_imports=opsets, functions=list(self.functions.values()))
        model.ir_version, model.producer_name = IR_VERSION, "griotte"
        return model
