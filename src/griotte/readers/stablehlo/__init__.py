"""XLA's operations as declarations, and `from_stablehlo`, which reads the text of a module of them."""

from .from_stablehlo import from_stablehlo

__all__ = ["from_stablehlo"]
