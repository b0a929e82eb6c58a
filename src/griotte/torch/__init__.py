"""PyTorch's door: `from_torch` reads a module as a graph of calls of the language. Needs the extra `torch`."""

from .door import from_torch

__all__ = ["from_torch"]
