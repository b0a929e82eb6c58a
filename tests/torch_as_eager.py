"""How what a program gives, and what becomes of its inputs, is compared with eager."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from torch_models import torch

tree_flatten = torch.utils._pytree.tree_flatten

TOLERANCE = {torch.float16: 2e-3, torch.bfloat16: 2e-2, torch.float32: 1e-5, torch.float64: 1e-5}


def leaves(found: Any) -> list[Any]:
    return list(tree_flatten(found)[0])


def tensors(every: Sequence[Any]) -> list[torch.Tensor]:
    return [each for each in every if isinstance(each, torch.Tensor)]


def lies(tensor: torch.Tensor) -> tuple[int, ...]:
    """Strides of the axes that have more than one place."""
    if not tensor.numel():
        return ()
    return tuple(step for n, step in zip(tensor.shape, tensor.stride()) if n > 1)


def sharing(every: Sequence[torch.Tensor]) -> list[tuple[int, int, bool, int]]:
    """Of which two the memory is one, whether they are one, and how far apart they begin."""
    stores = [each.untyped_storage().data_ptr() for each in every]
    return [
        (i, j, every[i] is every[j], every[j].data_ptr() - every[i].data_ptr())
        for i in range(len(every))
        for j in range(i + 1, len(every))
        if stores[i] == stores[j] and every[i].numel() and every[j].numel()
    ]


def differs(found: torch.Tensor, wanted: torch.Tensor) -> str:
    """How a tensor is not the one that is wanted; "" where it is."""
    if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
        return f"{found.dtype}{list(found.shape)} for {wanted.dtype}{list(wanted.shape)}"
    if lies(found) != lies(wanted):
        return f"strides {found.stride()} for {wanted.stride()}"
    if found.requires_grad != wanted.requires_grad:
        return f"requires_grad {found.requires_grad}"
    within = TOLERANCE.get(found.dtype, 0)
    if not torch.allclose(found, wanted, rtol=within, atol=within, equal_nan=True):
        return f"values {found.flatten()[:6].tolist()} for {wanted.flatten()[:6].tolist()}"
    return ""


def ran(function: Callable[..., Any], inputs: Sequence[Any]) -> tuple[Any, Exception | None]:
    try:
        return function(*inputs), None
    except Exception as error:
        return None, error


def difference(
    run: Callable[..., Any], wanted: Callable[..., Any], make: Callable[[], Sequence[Any]], calls: int = 2
) -> str:
    """How calls of `run` differ from those of `wanted`; "" where they do not."""
    for call in range(calls):
        torch.manual_seed(call)
        ours, theirs = make(), make()
        torch.manual_seed(7)
        found, failed = ran(run, ours)
        drawn = torch.rand(2)
        torch.manual_seed(7)
        right, fails = ran(wanted, theirs)
        if not torch.equal(drawn, torch.rand(2)):
            return f"call {call}: other numbers of chance after it"
        if failed or fails:
            if (
                failed is None
                or fails is None
                or not isinstance(failed, (type(fails), torch._dynamo.exc.TorchDynamoException))
            ):
                return f"call {call}: {type(failed).__name__} {failed} for {type(fails).__name__} {fails}"
            continue
        if told := _compared(found, right, ours, theirs):
            return f"call {call}: {told}"
    return ""


def _compared(found: Any, right: Any, ours: Sequence[Any], theirs: Sequence[Any]) -> str:
    if tree_flatten(found)[1] != tree_flatten(right)[1]:
        return f"{tree_flatten(found)[1]} for {tree_flatten(right)[1]}"
    mine, yours = leaves(found), leaves(right)
    for one, other in zip(mine, yours):
        if isinstance(one, torch.Tensor) != isinstance(other, torch.Tensor):
            return f"{type(one).__name__} for {type(other).__name__}"
        if not isinstance(one, torch.Tensor) and one != other:
            return f"{one} for {other}"
    every, wanted = tensors([*ours, *mine]), tensors([*theirs, *yours])
    if sharing(every) != sharing(wanted):
        return f"memory {sharing(every)} for {sharing(wanted)}"
    told = [differs(*both) for both in zip(every, wanted)]
    for which in range(len(tensors(ours)), len(every)):  # writes to results are seen where they are in eager
        if math.prod(n for n, step in zip(wanted[which].shape, wanted[which].stride()) if step == 0) > 1:
            continue  # torch refuses to write to what is spread
        for each in (every[which], wanted[which]):
            each.zero_()
        told += [differs(*both) for both in zip(every, wanted)]
    return next(filter(None, told), "")
