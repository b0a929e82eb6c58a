"""PyTorch's door: `from_torch` reads a module as a graph of calls of the language; `griotte` is a backend of
torch.compile, and `report` says what it chose. Needs the extra `torch`."""

from typing import TYPE_CHECKING

from ..support.later import later
from .from_torch import from_torch

if TYPE_CHECKING:
    from .backend import griotte, report

__all__ = ["from_torch", "griotte", "report"]

if not TYPE_CHECKING:  # without the package torch there is no backend
    __getattr__ = later(__name__, {"backend": "griotte report"})
