"""griotte as a backend of ONNX: `Backend.prepare(model).run(inputs)`, what `onnx.backend.test.BackendTest` takes.

A kernel is of fixed sizes. What a model leaves open is taken of the call: sizes of inputs, and the values of inputs
that decide a size or a choice (the shape of a Reshape). Each such specialisation has one kernel; the last few of them
are kept.
"""

from __future__ import annotations

import unittest
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx
from onnx.backend import base

from ..lang.types.tensor import among
from ..models.entry import compile
from ..models.graph import ModelGraph
from ..support.errors import SpecError
from ..support.printable import printable
from .alone import model_of
from .loading import loaded
from .reader import Reader

KEPT = 8  # kernels of a model, each with its packed constants: those that were called last


class NotImplementedHere(SpecError, unittest.SkipTest):
    """A model has nodes that griotte lacks. As a SkipTest it makes a test skipped: a refusal is never taken for a run.
    (The class of this purpose in onnx's own runner is swallowed there, and such a test counts as passed.)"""


class Prepared(base.BackendRep):
    """A model that is ready to run.

    Attributes:
        graph: of the last call; None before the first.
    """

    def __init__(self, proto: Any, folder: Any, compiled: Callable[..., Any], options: dict[str, Any]):
        self.proto, self.folder, self.compiled, self.options = proto, folder, compiled, options
        held = {each.name for each in proto.graph.initializer}
        self.names = [each.name for each in proto.graph.input if each.name not in held]
        self.graph: ModelGraph | None = None
        self._deciding: set[str] = set()  # inputs whose values decide
        self._kept: OrderedDict[Any, tuple[ModelGraph, Callable[..., Any]]] = OrderedDict()

    def run(self, inputs: Any, **kwargs: Any) -> tuple[np.ndarray, ...]:
        """The outputs, in the model's order, of its inputs, by order or by name.

        Raises:
            NotImplementedHere: griotte lacks nodes of the model.
            SpecError: the inputs do not fit.
        """
        arrays = self._arrays(inputs)
        key = self._key(arrays)
        if key not in self._kept:
            graph = self._read(arrays)
            key = self._key(arrays)
            self._kept[key] = graph, _held(graph) or self.compiled(graph, **self.options)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        self.graph, function = self._kept[key]
        found = function(*(arrays[value.name] for value in self.graph.inputs))
        return found if isinstance(found, tuple) else (found,)

    def _arrays(self, inputs: Any) -> dict[str, np.ndarray]:
        if not isinstance(inputs, dict):
            given = inputs if isinstance(inputs, (list, tuple)) else [inputs]
            if len(given) != len(self.names):
                raise SpecError(
                    f"expected {len(self.names)} inputs ({', '.join(map(printable, self.names))}), found {len(given)};"
                    " pass one for each"
                )
            inputs = dict(zip(self.names, given))
        if any(item is None or isinstance(item, (list, tuple, dict)) for item in inputs.values()):
            raise NotImplementedHere("inputs that are no tensors")
        return {name: np.asarray(item) for name, item in inputs.items()}

    def _key(self, arrays: dict[str, np.ndarray]) -> Any:
        types = tuple((name, a.dtype.name, a.shape) for name, a in arrays.items())
        return types, tuple(arrays[name].tobytes() for name in sorted(self._deciding & arrays.keys()))

    def _read(self, arrays: dict[str, np.ndarray]) -> ModelGraph:
        """The graph of these sizes; again with values of inputs, while some are asked for."""
        shapes = {name: array.shape for name, array in arrays.items()}
        deciding = {name for name, array in arrays.items() if not array.size}
        while True:
            constants = {name: arrays[name] for name in (deciding | self._deciding) & arrays.keys()}
            reader = Reader(self.proto, self.folder, shapes, constants)
            graph = reader.graph()
            asked = reader.asked & arrays.keys() - constants.keys()
            if not graph.refused:
                self._deciding |= deciding
                return graph
            if not asked:
                raise NotImplementedHere("; ".join(map(str, graph.refused)))
            deciding |= asked


def _held(graph: ModelGraph) -> Callable[..., Any] | None:
    """What gives the outputs where all are known without a call."""
    arrays = [value.reads[0].array if value.call == "copy" else None for _, value in graph.results]  # type: ignore[union-attr]
    if any(array is None for array in arrays):
        return None
    return lambda *_: among((np.array(array) for array in arrays), graph.empty)


class Backend(base.Backend):
    """griotte, as `onnx.backend.base.Backend` has it.

    Examples:
        >>> prepared = griotte.onnx.Backend.prepare(onnx.load("model.onnx"))  # doctest: +SKIP
        >>> (y,) = prepared.run([x])  # doctest: +SKIP
    """

    compiled: Callable[..., Any] = staticmethod(compile)

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> Prepared:
        """The model, ready to run: a path, bytes or a ModelProto. `target`, `threads`, `table`, `effort` and `math`
        are those of `griotte.compile`."""
        if not cls.supports_device(device):
            raise SpecError(f"expected the device CPU, found {printable(device)!r}; griotte has that alone")
        proto, folder = loaded(model)
        options: dict[str, Any] = {
            key: kwargs[key] for key in ("target", "threads", "table", "effort", "math") if key in kwargs
        }
        return Prepared(proto, folder, cls.compiled, options)

    @classmethod
    def run_node(
        cls, node: Any, inputs: Any, device: str = "CPU", outputs_info: Sequence[Any] | None = None, **kwargs: Any
    ) -> tuple[np.ndarray, ...]:
        """The outputs of one node; `opset_version` is that of its operator, the newest where left out."""
        names = [name for name in node.input if name]
        given = inputs if isinstance(inputs, dict) else dict(zip(names, inputs, strict=True))
        arrays = {name: np.asarray(item) for name, item in given.items()}
        version = kwargs.get("opset_version", onnx.defs.onnx_opset_version())
        opsets = [onnx.helper.make_opsetid("", version)]
        if node.domain:
            opsets.append(onnx.helper.make_opsetid(node.domain, kwargs.get("domain_version", 1)))
        return cls.run_model(model_of(node, arrays, opset_imports=opsets), list(arrays.values()), device, **kwargs)

    @classmethod
    def run_model(cls, model: Any, inputs: Any, device: str = "CPU", **kwargs: Any) -> tuple[np.ndarray, ...]:
        """The outputs of a model, once."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def is_compatible(cls, model: Any, device: str = "CPU", **kwargs: Any) -> bool:
        """Whether griotte has all nodes of a model, as far as that is known without its inputs."""
        if not cls.supports_device(device):
            return False
        try:
            reader = Reader(*loaded(model), {}, {})
            return not reader.graph().refused or bool(reader.asked)
        except SpecError:
            return False

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """The CPU alone."""
        return device.split(":", maxsplit=1)[0] == "CPU"
