"""How results lie in eager: by which strides, and in whose memory. Where sizes are numbers, a call by
torch's own operators says it; where they are open, dynamo's fake tensors do, and such results lie row by row in memory
of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from ..support.errors import GriotteError, SpecError

APART = "; leave it to torch"


class FirstCallError(GriotteError):
    """What eager raised of the first call, as its cause."""


@dataclass(frozen=True)
class ResultLayout:
    """How a result is made.

    Attributes:
        kind: "computed"; "input", which it is, or "view" of one; "part" of another result; "known", no tensor.
        what: the place of the input or of the other result, or the known value.
        strides: None of what lies row by row.
        shape, offset: of a view, that from where the other begins.
    """

    kind: str
    what: Any = None
    strides: tuple[int, ...] | None = None
    shape: tuple[int, ...] = ()
    offset: int = 0


def of_graph(module: Any) -> list[ResultLayout]:
    """How results are made as far as the graph itself tells. SpecError where it reads memory by strides."""
    nodes = list(module.graph.nodes)
    if any("as_strided" in str(node.target) for node in nodes if node.op.startswith("call")):
        raise SpecError("expected no as_strided, which reads memory as eager lays it, found one" + APART)
    inputs = [node for node in nodes if node.op == "placeholder"]

    def layout(each: Any) -> ResultLayout:
        if each in inputs:
            return ResultLayout("input", inputs.index(each))
        return ResultLayout("computed") if isinstance(each, torch.fx.Node) else ResultLayout("known", each)

    return list(map(layout, nodes[-1].args[0]))


def layouts_of(
    results: Sequence[ResultLayout], inputs: Sequence[Any], own: Sequence[Any], outputs: Sequence[Any]
) -> list[ResultLayout]:
    """The same by what eager found of a call; SpecError where that cannot be given.

    Args:
        results: as of the graph.
        inputs: of the call.
        own: tensors of the graph itself.
        outputs: of the call.
    """
    memory: dict[int, Callable[[torch.Tensor], ResultLayout]] = {}
    for each in own:
        memory[_store(each)] = _none_of("a tensor of the graph")
    for place, each in enumerate(inputs):
        if isinstance(each, torch.Tensor):
            own_of = _viewing("view", place, each)
            memory[_store(each)] = _none_of("inputs that share it") if _store(each) in memory else own_of
    layouts = list(results)
    computed = [place for place, each in enumerate(results) if each.kind == "computed"]
    for place in sorted(computed, key=lambda place: -_span(outputs[place])):  # the whole before its parts
        each = outputs[place]
        if not isinstance(each, torch.Tensor):
            raise SpecError(f"expected results that are tensors, found {type(each).__name__}" + APART)
        same = [i for i, given in enumerate(inputs) if given is each]
        if same:
            layouts[place] = ResultLayout("input", same[0])
        elif each.numel() and _store(each) in memory:
            layouts[place] = memory[_store(each)](each)
        else:
            memory[_store(each)] = _viewing("part", place, each)
            layouts[place] = ResultLayout("computed", strides=None if each.is_contiguous() else _apart(each))
    return layouts


def require_plain(module: Any, layouts: Sequence[ResultLayout]) -> None:
    """SpecError where results of an open size share memory, or may lie other than row by row."""
    for node, each in zip(list(module.graph.nodes)[-1].args[0], layouts):
        if each.kind in ("view", "part"):
            raise SpecError(f"expected results with memory of their own, found {node.name}, a view" + APART)
        if each.kind == "computed" and (each.strides or not _is_plain(_meta(node))):
            raise SpecError(f"expected results row by row, found strides of {node.name}" + APART)


def with_strides(tensor: torch.Tensor, strides: tuple[int, ...] | None) -> torch.Tensor:
    """A result that lies row by row, with the strides that eager gives it."""
    if strides is None or tensor.stride() == strides:
        return tensor
    if has_layout(tensor, ResultLayout("computed", strides=strides)):
        return tensor.as_strided(tensor.shape, strides)
    return torch.empty_strided(tensor.shape, strides, dtype=tensor.dtype).copy_(tensor)


def has_layout(tensor: Any, result: ResultLayout) -> bool:
    """Whether the computed tensor has these strides, of the axes that have more than one place."""
    if result.kind != "computed":
        return True
    if result.strides is None or not tensor.numel():
        return bool(tensor.is_contiguous())
    return all(n == 1 or one == other for n, one, other in zip(tensor.shape, tensor.stride(), result.strides))


def view_of(of: torch.Tensor, each: ResultLayout) -> torch.Tensor:
    """A view of an input or of another result."""
    return of.as_strided(each.shape, each.strides or (), of.storage_offset() + each.offset)


def _viewing(kind: str, place: int, of: torch.Tensor) -> Callable[[torch.Tensor], ResultLayout]:
    """How a view of a tensor is made of it."""
    start, end = of.storage_offset(), of.storage_offset() + _span(of)

    def made(each: torch.Tensor) -> ResultLayout:
        offset = each.storage_offset() - start
        if each.dtype != of.dtype or (kind == "part" and (offset < 0 or start + offset + _span(each) > end)):
            raise SpecError("expected a view that another result holds, found parts of one memory" + APART)
        if kind == "part" and not _is_dense(of):
            raise SpecError("expected a view of a result without gaps, found one with" + APART)
        return ResultLayout(kind, place, tuple(each.stride()), tuple(each.shape), offset)

    return made


def _none_of(what: str) -> Callable[[torch.Tensor], ResultLayout]:
    def made(each: torch.Tensor) -> ResultLayout:
        raise SpecError(f"expected results with memory of their own, found that of {what}" + APART)

    return made


def _store(tensor: torch.Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)


def _span(tensor: Any) -> int:
    """Elements from the first to the last."""
    if not isinstance(tensor, torch.Tensor) or not tensor.numel():
        return 0
    return 1 + sum((n - 1) * step for n, step in zip(tensor.shape, tensor.stride()))


def _is_dense(tensor: torch.Tensor) -> bool:
    return _span(tensor) == tensor.numel()


def _apart(tensor: torch.Tensor) -> tuple[int, ...]:
    """Its strides; SpecError where elements lie in one place."""
    least = 1
    for stride, n in sorted((stride, n) for n, stride in zip(tensor.shape, tensor.stride()) if n > 1):
        if stride < least:
            raise SpecError("expected results whose elements are apart, found one that is spread" + APART)
        least = stride * n
    return tuple(tensor.stride())


def _meta(node: Any) -> Any:
    return node.meta.get("example_value", node.meta.get("val"))


def _is_plain(meta: Any) -> bool:
    """Whether it lies row by row; sizes may be symbols, which are compared as text."""
    step: Any = 1
    for n, stride in zip(reversed(meta.shape), reversed(meta.stride())):
        if str(stride) != str(step):
            return False
        step = step * n if str(n) != "1" else step
    return True
