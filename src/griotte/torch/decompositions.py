"""Operators of ATen as others.

Those that torch itself takes whole: the fast ways of attention and of an encoder's layer. And integers divided towards
zero, by which torch's own kernels end the process: eager's of the lowest value by -1, inductor's by 0 as well. They are
divided downwards in their stead, which refuses 0 and wraps.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch

aten = torch.ops.aten
MASK_OF_QUERIES, MASK_OF_KEYS = 0, 1


def attention(query: Any, key: Any, value: Any, embed_dim: int, heads: int, *given: Any) -> tuple[Any, Any]:
    """`_native_multi_head_attention`: what it gives, and the shares where they are asked for. Given are weights and
    biases, of q, k and v, then of what comes out; the mask; whether shares are asked for, and their means; the kind of
    mask."""
    qkv_weight, qkv_bias, *out = given[:4]
    mask, need_weights, average, kind = _filled(given[4:], None, True, True, None)
    weights, biases = qkv_weight.chunk(3), qkv_bias.chunk(3)
    parts = [aten.linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases)]
    q, k, v = (each.unflatten(-1, (heads, embed_dim // heads)).transpose(1, 2) for each in parts)
    if mask is None and not need_weights:
        shares, result = None, aten.scaled_dot_product_attention(q, k, v)
    else:
        scores = torch.matmul(q * (embed_dim // heads) ** -0.5, k.transpose(-2, -1))
        if mask is not None:
            scores = scores.masked_fill(_of_scores(mask.to(torch.bool), kind), -torch.inf)
        shares = scores.softmax(-1)
        result = torch.matmul(shares, v)
    result = aten.linear(result.transpose(1, 2).flatten(2), *out)
    if not need_weights or shares is None:
        return result, None
    return result, shares.mean(1) if average else shares


def _filled(given: Sequence[Any], *defaults: Any) -> list[Any]:
    """The given values, and defaults of the others."""
    return [*given, *defaults[len(given) :]]


def _of_scores(mask: Any, mask_type: int | None) -> Any:
    """A mask as scores have it: batch, heads, queries, keys."""
    if mask_type == MASK_OF_KEYS:
        return mask[:, None, None, :]
    return mask[None, None] if mask_type == MASK_OF_QUERIES else mask


def encoder_layer(src: Any, embed_dim: int, heads: int, *given: Any) -> Any:
    """`_transformer_encoder_layer_fwd`. Given are weights and biases of attention; whether to use GELU, to norm first,
    and epsilon; weights and biases of both norms and of both products; the mask and its kind."""
    use_gelu, norm_first, eps = given[4:7]
    norms, products = (given[7:9], given[9:11]), (given[11:13], given[13:15])
    mask, kind = _filled(given[15:], None, None)
    first, second = (lambda x, own=own: aten.layer_norm(x, [embed_dim], *own, eps) for own in norms)
    own = first(src) if norm_first else src
    x = src + attention(own, own, own, embed_dim, heads, *given[:4], mask, False, True, kind)[0]
    x = x if norm_first else first(x)
    within = aten.linear(second(x) if norm_first else x, *products[0])
    within = aten.gelu(within) if use_gelu else aten.relu(within)
    x = x + aten.linear(within, *products[1])
    return x if norm_first else second(x)


def randomized_relu(
    x: Any, noise: Any, lower: float = 0.125, upper: float = 1 / 3, training: bool = False, generator: Any = None
) -> Any:
    """`rrelu_with_noise_functional` where nothing is drawn."""
    if training:
        return NotImplemented
    return aten.leaky_relu(x, (lower + upper) / 2), noise.clone()


DECOMPOSITIONS: dict[Any, Callable[..., Any]] = {
    aten._native_multi_head_attention.default: attention,
    aten._transformer_encoder_layer_fwd.default: encoder_layer,
    aten.rrelu_with_noise_functional.default: randomized_relu,
}
"""By operator what it is made of."""


DIVISIONS = ("div", "divide", "div_", "divide_")


def truncated(x: Any, y: Any, rounding_mode: str | None = None) -> Any:
    """x / y without its fraction; of integers RuntimeError where y is 0, as eager has it."""
    if rounding_mode != "trunc" or torch.result_type(x, y).is_floating_point:
        return torch.div(x, y, rounding_mode=rounding_mode)
    result = torch.floor_divide(x, y)
    is_cut = (result * y != x) & ((x < 0) != (y < 0))
    return result + is_cut


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
    result = torch.fx.GraphModule(module, copy.deepcopy(module.graph))
    for node in list(result.graph.nodes):
        if _is_cutting(node):
            target = truncated_in_place if _name(node).endswith("_") else truncated
            how = {"the_function": target, "args": node.args, "kwargs": dict(node.kwargs)}
            replace(node, partial(torch.fx.Graph.call_function, **how))
    result.recompile()
    return result


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
