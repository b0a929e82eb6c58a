"""PyTorch's door: `from_torch` reads a module as a graph of calls of the language; `griotte` is a backend of
torch.compile, and `report` says what it chose. Needs the extra `torch`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..models.graph import ModelGraph
from ..support.errors import SpecError
from ..support.later import later
from ..support.unforeseen import reported

if TYPE_CHECKING:
    from .backend import griotte, report

__all__ = ["from_torch", "griotte", "report"]


def from_torch(module: Any, *examples: Any) -> ModelGraph:
    """The graph of a PyTorch module, for tensors of the sizes and dtypes of the examples.

    The module is exported (`torch.export`) and decomposed to core ATen. Parameters and buffers are constants, whose
    memory the graph shares; what follows from them alone is computed now.

    Args:
        module: a `torch.nn.Module` in eval mode, or a `torch.export.ExportedProgram`.
        *examples: what the module is called with, in order; an exported program has its own.

    Raises:
        SpecError: torch is not installed, or cannot export the module.

    Examples:
        >>> g = gt.from_torch(torch.nn.Linear(8, 4), torch.zeros(2, 8))  # doctest: +SKIP
        >>> g.unsupported()  # doctest: +SKIP
        []
    """
    try:
        import torch.export  # noqa: F401
    except ImportError:
        raise SpecError(
            "expected the package torch to read a module, found none; run: pip install 'griotte[torch]'"
        ) from None
    from .exporting import exported
    from .reader import AtenReader

    with reported(lambda: "the graph of a module of torch"):
        return AtenReader(exported(module, examples)).graph()


if not TYPE_CHECKING:  # without the package torch there is no backend
    __getattr__ = later(__name__, {"backend": "griotte report"})
