"""How results lie in eager, as dynamo's fake tensors tell: by which strides, and that each has memory of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ..errors import SpecError


def strides_of(module: Any, inputs: Sequence[Any]) -> dict[int, tuple[int, ...]]:
    """By the place of a result its strides where they are not those of what lies row by row. SpecError where results
    share memory with each other or with an input, or where the graph reads memory by strides."""
    nodes = list(module.graph.nodes)
    if any("as_strided" in str(node.target) for node in nodes if node.op.startswith("call")):
        raise SpecError("expected no as_strided, which reads memory as eager lays it, found one; leave it to torch")
    taken = {_memory(told) for node in nodes if node.op == "placeholder" and _is_tensor(told := _told(node))}
    found: dict[int, tuple[int, ...]] = {}
    for place, node in enumerate(nodes[-1].args[0]):
        if not isinstance(node, torch.fx.Node) or node.op == "placeholder":
            continue
        told = _told(node)
        if not _is_tensor(told):
            raise SpecError(f"expected results that are tensors, found {node.name}; leave it to torch")
        if _memory(told) in taken or node.op == "get_attr":
            raise SpecError(f"expected results with memory of their own, found {node.name}, a view; leave it to torch")
        taken.add(_memory(told))
        if not _is_plain(told):
            found[place] = _numbers(node.name, told)
    return found


def _told(node: Any) -> Any:
    return node.meta.get("example_value", node.meta.get("val"))


def _is_tensor(told: Any) -> bool:
    return isinstance(told, torch.Tensor)


def _memory(told: torch.Tensor) -> int:
    return int(told.untyped_storage()._cdata)


def _is_plain(told: torch.Tensor) -> bool:
    """Whether it lies row by row; sizes may be symbols, of which nothing is asked."""
    step: Any = 1
    for n, stride in zip(reversed(told.shape), reversed(told.stride())):
        if str(stride) != str(step):
            return False
        step = step * n if str(n) != "1" else step
    return True


def _numbers(name: str, told: torch.Tensor) -> tuple[int, ...]:
    if not all(isinstance(each, int) for each in (*told.shape, *told.stride())):
        raise SpecError(f"expected results row by row of an open size, found strides of {name}; leave it to torch")
    steps = sorted((stride, n) for n, stride in zip(told.shape, told.stride()) if n > 1)
    least = 1
    for stride, n in steps:
        if stride < least:
            raise SpecError(f"expected results whose elements are apart, found {name}; leave it to torch")
        least = stride * n
    return tuple(told.stride())
