"""Integers divided towards zero, by which torch's own kernels end the process: eager's of the lowest value by -1,
inductor's by 0 as well. They are divided downwards in their stead, which refuses 0 and wraps."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import torch

DIVISIONS = ("div", "divide", "div_", "divide_")


def truncated(x: Any, y: Any, rounding_mode: str | None = None) -> Any:
    """x / y without what is behind the point; of integers RuntimeError where y is 0, as eager has it."""
    if rounding_mode != "trunc" or torch.result_type(x, y).is_floating_point:
        return torch.div(x, y, rounding_mode=rounding_mode)
    found = torch.floor_divide(x, y)
    is_cut = (found * y != x) & ((x < 0) != (y < 0))
    return found + is_cut


def truncated_in_place(x: torch.Tensor, y: Any, rounding_mode: str | None = None) -> torch.Tensor:
    """The same, into x."""
    return x.copy_(truncated(x, y, rounding_mode))


def safe(target: Any) -> Any:
    """What computes an operator of ATen without an end of the process: mostly the operator itself."""
    return truncated if target in (torch.ops.aten.div.Tensor_mode, torch.ops.aten.div.Scalar_mode) else target


def guarded(module: Any) -> Any:
    """A captured graph as it may be handed to torch: one without such divisions is itself."""
    if not any(map(_is_cutting, module.graph.nodes)):
        return module
    found = torch.fx.GraphModule(module, copy.deepcopy(module.graph))
    for node in list(found.graph.nodes):
        if _is_cutting(node):
            target = truncated_in_place if _name(node).endswith("_") else truncated
            how = {"the_function": target, "args": node.args, "kwargs": dict(node.kwargs)}
            replace(node, partial(torch.fx.Graph.call_function, **how))
    found.recompile()
    return found


def replace(node: Any, make: Callable[[Any], Any]) -> None:
    """Another node in place of one, which is made in its graph."""
    with node.graph.inserting_before(node):
        own = make(node.graph)
    own.meta = dict(node.meta)
    node.replace_all_uses_with(own)
    node.graph.erase_node(node)


def _is_cutting(node: Any) -> bool:
    """Whether a node divides towards zero, of a result that it makes itself."""
    asked = (*node.args, *node.kwargs.values())
    is_asked = any(type(each) is str and each == "trunc" for each in asked)
    return is_asked and _name(node) in DIVISIONS and "out" not in node.kwargs


def _name(node: Any) -> str:
    """The name of what a node calls, without its overload."""
    if node.op == "call_method":
        return str(node.target)
    if node.op != "call_function":
        return ""
    own = getattr(node.target, "overloadpacket", node.target)
    return str(getattr(own, "__name__", ""))
