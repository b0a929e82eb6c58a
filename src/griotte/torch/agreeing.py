"""What torch's operators ask of the types of what they read, which is not seen once they are decomposed, nor by tensors
without data: that operands are of one dtype, that a bias can be expanded. Where it is not so, torch refuses the call,
or computes it by rules of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from ..support.errors import SpecError


class LeftToTorchError(SpecError):
    """Why a graph is torch's own to run, or to refuse: no other compiler may."""


ONE_DTYPE: dict[str, Sequence[int]] = {
    **dict.fromkeys(
        ("mm", "bmm", "mv", "dot", "vdot", "matmul", "cdist", "_cdist_forward", "polar", "complex"), (0, 1)
    ),
    **dict.fromkeys(("addmm", "addmv", "addbmm", "baddbmm", "addr", "linear", "convolution"), (0, 1, 2)),
    **dict.fromkeys(("conv1d", "conv2d", "conv3d", "conv_transpose1d"), (0, 1, 2)),
    **dict.fromkeys(("conv_transpose2d", "conv_transpose3d", "bilinear"), (0, 1, 2)),
    **dict.fromkeys(("grid_sampler", "grid_sampler_2d", "grid_sampler_3d", "heaviside"), (0, 1)),
    **dict.fromkeys(("linalg_cross", "cross", "binary_cross_entropy"), (0, 1)),
    **dict.fromkeys(("nll_loss_nd", "nll_loss", "nll_loss2d", "nll_loss_forward", "nll_loss2d_forward"), (0, 2)),
    **dict.fromkeys(("index_add", "index_copy", "index_reduce"), (0, 3)),
    "embedding_bag": (0, 6),
    "scaled_dot_product_attention": (0, 1, 2),
}
"""By operator the places of arguments that share a dtype."""
MIXED: dict[str, tuple[int, Sequence[int]]] = {
    "layer_norm": (0, (2, 3)),
    "native_layer_norm": (0, (2, 3)),
    "group_norm": (0, (2, 3)),
    "native_group_norm": (0, (1, 2)),
    "batch_norm": (0, (1, 2, 3, 4)),
    "instance_norm": (0, (1, 2, 3, 4)),
}
"""By operator the place of what is normed, and those of parameters: all of one dtype, or of f32 beside floats of 16
bits."""
EXPANDED = {"addmm": 2, "addmv": 1}
"""By operator how many axes its first operand has at most, which is expanded to what it gives."""
DECOMPOSED_OTHERWISE = ("multilabel_margin_loss", "multilabel_margin_loss_forward")
"""Operators whose decomposition by torch gives other values than they do."""


def require_agreement(program: Any) -> None:
    """LeftToTorchError where an operator of a program that is not decomposed reads what torch refuses."""
    for module in program.graph_module.modules():
        for node in module.graph.nodes if isinstance(module, torch.fx.GraphModule) else ():
            if node.op == "call_function" and hasattr(node.target, "overloadpacket"):
                for why in _complaints(node):
                    raise LeftToTorchError(
                        f"expected {why} of {node.target} {node.name}; torch says what it makes of it"
                    )


def _complaints(node: Any) -> Iterator[str]:
    name = node.target.overloadpacket.__name__
    given = [each.meta.get("val") if isinstance(each, torch.fx.Node) else None for each in node.args]
    dtypes = [each.dtype if isinstance(each, torch.Tensor) else None for each in given]
    of = lambda places: {dtypes[place] for place in places if place < len(dtypes)} - {None}
    if len(of(ONE_DTYPE.get(name, ()))) > 1:
        yield f"operands of one dtype, found {_told(of(ONE_DTYPE[name]))}"
    if name in DECOMPOSED_OTHERWISE:
        yield "an operator that torch decomposes rightly, found one"
    if name == "baddbmm" and node.kwargs.get("alpha", 1) == 0:
        yield "an alpha that is not 0, of which a NaN is taken or is not, by dtype and size, found 0"
    if name in MIXED:
        first, others = MIXED[name]
        narrow = dtypes[first] in (torch.float16, torch.bfloat16)
        allowed = [{dtypes[first]}, {torch.float32}] if narrow else [{dtypes[first]}]
        if of(others) and of(others) not in allowed:
            yield f"parameters of {dtypes[first]}, found {_told(of(others))}"
    if name in EXPANDED and isinstance(given[0], torch.Tensor):
        whole = node.meta["val"]
        if given[0].ndim > EXPANDED[name] or not _expands(given[0], whole):
            yield f"what can be expanded to {list(whole.shape)}, found {list(given[0].shape)}"


def _told(dtypes: set[Any]) -> str:
    return " and ".join(sorted(map(str, dtypes)))


def _expands(small: torch.Tensor, whole: torch.Tensor) -> bool:
    """Whether a tensor can be expanded; sizes that are no numbers are taken to be right."""
    pairs = zip(reversed(small.shape), reversed(whole.shape))
    is_other = lambda n, m: isinstance(n, int) and isinstance(m, int) and n not in (1, m)
    return small.ndim <= whole.ndim and not any(is_other(n, m) for n, m in pairs)
