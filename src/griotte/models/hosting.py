"""Models with some nodes that a host runs: a kernel for all that lies between.

What griotte computes is in layers: of the first is what needs no host, of each further what needs one more after the
other. A layer is a model of its own, with one kernel; between layers the steps run that the next one needs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..compiler.session import Session
from ..lang.types.dtypes import dtype
from ..lang.types.tensor import among
from ..lang.types.walk import children_first
from ..runtime.model import ModelKernel
from ..support.errors import SpecError, ToolchainError
from .graph import GraphBuilder, HostStep, ModelGraph, ModelValue
from .kept import compiled

if TYPE_CHECKING:
    from .watching import Observer

HostRun = Callable[[dict[str, np.ndarray]], list[np.ndarray]]
SUMMED = tuple(
    "parts parts_solved parts_from_table parts_possible parts_tried cost cost_bound specs_solved synthesis_s compile_s"
    " constants_bytes".split()
)
LARGEST = ("workspace_bytes", "live_bytes", "intermediates_bytes", "peak_rss_mb", "gap")


@dataclass(frozen=True, eq=False)
class Layer:
    """What griotte computes before, between or after steps of a host: a graph, the values that its inputs and outputs
    are."""

    graph: ModelGraph
    reads: tuple[ModelValue, ...]
    gives: tuple[ModelValue, ...]


def in_order(graph: ModelGraph) -> list[Layer | HostStep]:
    """A graph as layers and steps, each after what it reads."""
    step_of = {value: step for step in graph.steps for value in step.gives}
    depth: dict[ModelValue, int] = {}  # how many steps are before a value, one after the other
    needs = lambda value: step_of[value].reads if value in step_of else value.values
    ends = (*(value for step in graph.steps for value in step.reads), *(value for _, value in graph.results))
    for value in children_first(ends, needs):
        depth[value] = max((depth[read] for read in needs(value)), default=0) + (value in step_of)
    after = {step: max((depth[value] for value in step.reads), default=0) for step in graph.steps}
    layers = range(max(depth.values(), default=0) + 1)
    calls: list[list[ModelValue]] = [[] for _ in layers]
    for value in graph.calls:
        calls[depth[value]].append(value)
    found: list[Layer | HostStep] = []
    for n in layers:
        if calls[n]:
            found.append(_layer(graph, calls[n]))
        found += [step for step in graph.steps if after[step] == n]
    return found


def _layer(graph: ModelGraph, calls: list[ModelValue]) -> Layer:
    own = {*calls}
    asked = {value for _, value in graph.results} | {value for step in graph.steps for value in step.reads}
    asked |= {read for value in graph.calls if value not in own for read in value.values}
    outside = dict.fromkeys(r for value in calls for r in value.values if r not in own)
    builder = GraphBuilder()
    now: dict[ModelValue, ModelValue] = {}
    for n, value in enumerate(outside):
        is_known = value.array is not None
        now[value] = builder.known(value) if is_known else builder.input(replace(value.type, name=""), f"x{n}")
    for value in calls:
        now[value] = builder.rebuilt(value, value.reads_in(now))
    gives = tuple(value for value in calls if value in asked)
    reads = tuple(value for value in outside if value.array is None)
    return Layer(builder.graph({f"y{n}": now[value] for n, value in enumerate(gives)}), reads, gives)


class HostedKernel:
    """A compiled model with some nodes that a host runs. `gt.compile` of a graph makes one, with `host`. It is called
    as a ModelKernel is.

    Attributes:
        stats: as of a ModelKernel, of all its kernels; and `hosted`, the names of the nodes that the host runs.
    """

    def __init__(self, graph: ModelGraph, items: Sequence[tuple[Any, Callable[..., Any]]], stats: dict[str, Any]):
        self._graph, self._items, self.stats = graph, items, stats
        self._names = [value.name for value in graph.inputs]

    def __call__(self, /, *arrays: Any, out: Any = None, **named: Any) -> Any:
        """Run it: an array, or of several outputs a tuple.

        Args:
            *arrays: one for each input, in order.
            out: where the result goes; of several outputs a tuple. None: new arrays.
            **named: inputs by name.

        Raises:
            SpecError: an array does not fit, or one is missing.
        """
        held: dict[ModelValue, Any] = dict(zip(self._graph.inputs, self._given(arrays, named)))
        for item, run in self._items:
            found = run(*(held[value] for value in item.reads))
            held |= zip(item.gives, found)
        results = among((held[value] for _, value in self._graph.results), self._graph.empty)
        if out is not None:
            into = tuple(out) if isinstance(out, (tuple, list)) else (out,)
            if len(into) != len(results):
                raise SpecError(f"expected {len(results)} arrays as out, found {len(into)}; pass a tuple of them")
            for array, result in zip(into, results):
                np.copyto(array, result, casting="no")
            results = into
        return results[0] if len(results) == 1 else results

    def bind(self, /, *arrays: Any, out: Any = None, **named: Any) -> Callable[[], Any]:
        """Fix all inputs: `call()` reads the arrays as they are at that time."""
        return lambda: self(*arrays, out=out, **named)

    def _given(self, arrays: Sequence[Any], named: dict[str, Any]) -> list[Any]:
        given = dict(zip(self._names, arrays)) | named
        if len(arrays) + len(named) != len(self._names) or given.keys() != set(self._names):
            raise SpecError(
                f"expected the inputs {', '.join(map(repr, self._names)) or 'none'}, found {len(arrays)} by order and"
                f" {', '.join(map(repr, named)) or 'none'} by name; pass each once, by order or by name"
            )
        return [given[name] for name in self._names]

    def save(self, directory: Any) -> Any:
        """Such a model is of this process: its host is not in C. Raises SpecError."""
        raise SpecError(
            f"expected a model that griotte runs alone, found one of which a host runs"
            f" {', '.join(self.stats['hosted'])}, for {directory}; save a model without these"
        )

    def __repr__(self) -> str:
        kernels, steps = self.stats["kernels"], len(self._items) - self.stats["kernels"]
        return f"<griotte.HostedKernel of {kernels} kernels and {steps} steps of {self.stats['host']}>"


def compiled_hosted(
    graph: ModelGraph, session: Session, host: str, progress: Observer | None = None
) -> HostedKernel | ModelKernel:
    """The kernel of a model whose refused nodes `host` runs; one of all where there are none."""
    if host not in HOSTS:
        raise SpecError(f"expected {' or '.join(HOSTS)} as host, found {host!r}; write one of them")
    if not graph.refused:
        return compiled(graph, session, progress)
    lost = [each for each in graph.refused if each.step is None]
    if lost:
        raise SpecError(
            "expected nodes whose results have types that are known before the call, found"
            f" {'; '.join(map(str, lost))}; say the sizes of inputs, or their data as constants"
        )
    started, kernels = time.perf_counter(), []
    items: list[tuple[Any, Callable[..., Any]]] = []
    for item in in_order(graph):
        if isinstance(item, Layer):
            kernels.append(compiled(item.graph, session, progress))
            items.append((item, _several(kernels[-1])))
        else:
            items.append((item, _stepping(item, HOSTS[host](item, session.threads))))
    stats: dict[str, Any] = {key: sum(each.stats.get(key, 0) for each in kernels) for key in SUMMED}
    stats |= {key: max((each.stats.get(key, 0) for each in kernels), default=0) for key in LARGEST}
    stats |= {"host": host, "hosted": [step.name for step in graph.steps], "kernels": len(kernels)}
    stats |= {"threads": session.threads, "target": session.target.name, "total_s": time.perf_counter() - started}
    return HostedKernel(graph, items, stats)


def _several(kernel: ModelKernel) -> Callable[..., tuple[Any, ...]]:
    """A kernel that gives a tuple, of one output as well."""

    def run(*arrays: Any) -> tuple[Any, ...]:
        found = kernel(*arrays)
        return found if isinstance(found, tuple) else (found,)

    return run


def _stepping(step: HostStep, runner: HostRun) -> Callable[..., list[np.ndarray]]:
    """A step as a function of arrays, of results that are as they were said to be."""

    def run(*arrays: Any) -> list[np.ndarray]:
        found = runner(dict(zip(step.names, arrays)))
        return [_as_said(step, value, array) for value, array in zip(step.gives, found, strict=True)]

    return run


def _as_said(step: HostStep, value: ModelValue, found: Any) -> np.ndarray:
    array = np.ascontiguousarray(found).reshape(np.shape(found))
    type = value.type
    if array.shape != type.shape or array.dtype != dtype(type.dtype).numpy:
        raise SpecError(
            f"expected {type} of {step.operator} {step.name}, found {array.dtype}{list(array.shape)} from the host;"
            " take another host"
        )
    return array


# ---- hosts -----------------------------------------------------------------------------------------------------------


def _onnxruntime(step: HostStep, threads: int) -> HostRun:
    try:
        import onnxruntime
    except ImportError:
        raise ToolchainError(
            'expected the package onnxruntime as host, found none; pip install onnxruntime, or take host="numpy"'
        ) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = threads, 4
    try:
        session = onnxruntime.InferenceSession(step.model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # of onnxruntime: it lacks the operator as well
        raise _not_there("onnxruntime", step, error) from error
    names = [value.name for value in step.gives]
    return lambda given: session.run(names, given)


def _numpy(step: HostStep, threads: int) -> HostRun:
    try:
        from onnx import load_model_from_string
        from onnx.reference import ReferenceEvaluator
    except ImportError:
        raise ToolchainError("expected the package onnx as host, found none; pip install 'griotte[onnx]'") from None
    try:
        evaluator = ReferenceEvaluator(load_model_from_string(step.model))
    except Exception as error:  # of onnx: it has no reference of the operator
        raise _not_there("onnx's reference", step, error) from error
    names: Iterable[str] = [value.name for value in step.gives]
    return lambda given: evaluator.run(list(names), given)


def _not_there(host: str, step: HostStep, error: Exception) -> SpecError:
    told = " ".join(str(error).split())[:300]
    return SpecError(
        f"expected {step.operator} {step.name} of {host}, found {type(error).__name__}: {told}; try another"
    )


HOSTS: dict[str, Callable[[HostStep, int], HostRun]] = {"onnxruntime": _onnxruntime, "numpy": _numpy}
