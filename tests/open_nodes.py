"""ONNX's tests of nodes with each axis of each input in turn open up to its size.

What decides shapes (an input that the reader asks for) is a constant, as it is for onnx's backend. A smaller size is a
part of the test's arrays.
"""

from __future__ import annotations

import unittest
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import griotte as gt
import numpy as np
from griotte.models.reference import interpret
from griotte.onnx.backend import Prepared
from griotte.support.errors import GriotteError
from onnx_models import helper, onnx
from open_sizes import Opened

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from onnx.backend.test.loader import load_model_tests
    from onnx.backend.test.runner import _normalize_tensor

Place = tuple[str, int]  # an input, and its axis


def opened(every: int = 1, first: int = 0) -> Iterator[Opened]:
    """Each node that griotte has, with each of its sizes open: along all axes that have it, and along one alone; of
    these some."""
    cases = sorted(load_model_tests(kind="node"), key=lambda test: (test.name.endswith("_expanded"), test.name))
    yield from (each for test in cases[first::every] for each in _opened(test))


def _opened(test: Any) -> Iterator[Opened]:
    names, arrays = _arrays(test)
    read = Prepared(test.model, None, lambda graph: graph, {})
    try:
        read._read(arrays)
    except (GriotteError, unittest.SkipTest):
        return  # closed it is refused as well
    constants = {name: arrays[name] for name in read._deciding}
    axes = [(name, n) for name in names if name not in constants for n in range(arrays[name].ndim)]
    sizes = {size for name, n in axes if (size := arrays[name].shape[n]) > 1}
    for size in sorted(sizes):
        joint = [(name, n) for name, n in axes if arrays[name].shape[n] == size]
        ways = [joint, *([place] for place in joint if len(joint) > 1)]
        for places in ways:
            yield _case(test, arrays, constants, places, size)


def _arrays(test: Any) -> tuple[list[str], dict[str, np.ndarray]]:
    held = {each.name for each in test.model.graph.initializer}
    names = [each.name for each in test.model.graph.input if each.name not in held]
    given = [_normalize_tensor(each) for each in test.data_sets[0][0]]
    if any(not isinstance(each, np.ndarray) or each.dtype == object for each in given):
        return [], {}
    return names, dict(zip(names, given))


def _case(test: Any, arrays: dict[str, np.ndarray], constants: dict, places: list[Place], bound: int) -> Opened:
    proto = onnx.ModelProto.FromString(test.model.SerializeToString())
    for each in proto.graph.input:
        for n, dim in enumerate(each.type.tensor_type.shape.dim):
            if (each.name, n) in places:
                dim.dim_param = "n"
    results = [helper.make_empty_tensor_value_info(each.name) for each in proto.graph.output]
    del proto.graph.output[:], proto.graph.value_info[:]
    proto.graph.output.extend(results)
    names = [name for name in arrays if name not in constants]

    def read(size: int | str) -> Any:
        sized = {
            name: tuple(size if (name, n) in places else m for n, m in enumerate(arrays[name].shape)) for name in names
        }
        return gt.from_onnx(proto, shapes=sized, constants=constants)

    def given(size: int) -> list[np.ndarray]:
        of = lambda name: tuple(slice(size if (name, n) in places else None) for n in range(arrays[name].ndim))
        return [arrays[name][of(name)] for name in names]

    @cache
    def means(size: int) -> tuple[np.ndarray, ...]:
        graph = read(size)
        graph.require_covered()
        return interpret(graph, *given(size))

    told = ", ".join(f"{name}.{n}" for name, n in places)
    return Opened(f"{test.name}, <={bound} at {told}", lambda: read(f"<={bound}"), given, means, bound)
