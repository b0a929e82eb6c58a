"""XLA's operations as declarations, and `from_stablehlo`, which reads the text of a module of them."""

from __future__ import annotations

from ...models.graph import ModelGraph
from ...support.unforeseen import reported

__all__ = ["from_stablehlo"]


def from_stablehlo(text: str) -> ModelGraph:
    """The graph of a StableHLO module.

    Args:
        text: of a module of static sizes, as `jax.jit(f).lower(x).as_text()` gives it.

    Raises:
        SpecError: it is none; the message has the line.

    Examples:
        >>> g = gt.from_stablehlo('''
        ... func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
        ...   %0 = stablehlo.tanh %x : tensor<2x3xf32>
        ...   return %0 : tensor<2x3xf32>
        ... }''')
        >>> g
        <griotte.ModelGraph of 1 calls, 0 constants>
    """
    from .parser import parsed
    from .reader import StableHloReader

    with reported(lambda: "the graph of a module of StableHLO"):
        module = parsed(text)
        return StableHloReader(module, len(text)).graph()
