"""The way in: a file, bytes or a ModelProto, as a ModelGraph."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ..models.graph import ModelGraph
from ..support.errors import SpecError
from ..support.unforeseen import reported


def from_onnx(
    model: Any, shapes: Mapping[str, Any] | None = None, constants: Mapping[str, Any] | None = None
) -> ModelGraph:
    """The graph of an ONNX model.

    Args:
        model: a file's path, its bytes, or an `onnx.ModelProto`.
        shapes: the sizes of inputs, by name, where the model leaves them open; those of all outer values follow. One
            size of the model may be known only up to a bound, "<=32", wherever it stands.
        constants: arrays of inputs that are known now, by name: what follows from them is computed here, once.

    Raises:
        SpecError: it is no ONNX model, or its sizes do not follow from `shapes`; the message names the node.

    Examples:
        >>> g = gt.from_onnx("model.onnx", shapes={"x": (1, 3, 48, 192)})  # doctest: +SKIP
        >>> gt.from_onnx("no-such-file.onnx")
        Traceback (most recent call last):
        griotte.SpecError: expected ... found ...
        >>> g.unsupported()  # doctest: +SKIP
        []
    """
    try:
        import onnx.numpy_helper  # noqa: F401
    except ImportError:
        raise SpecError(
            "expected the package onnx to read a model, found none; run: pip install 'griotte[onnx]'"
        ) from None
    from .loading import loaded
    from .sizes import graph_of

    with reported(lambda: "the graph of a model of ONNX"):
        proto, folder = loaded(model if not isinstance(model, os.PathLike) else os.fspath(model))
        return graph_of(proto, folder, dict(shapes or {}), dict(constants or {}))
