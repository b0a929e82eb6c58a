"""griotte compile of a model for onnxruntime."""

from __future__ import annotations

import click

from .... import onnx
from ....compiler.session import Session
from ....machine import runnable
from .progress import watched
from .reading import ModelFile


def save_custom_ops(file: ModelFile, session: Session, directory: str | None, as_json: bool) -> list[str]:
    """Write it as a model whose nodes are kernels, for a plain session of onnxruntime; the files."""
    if directory is None:
        raise click.UsageError("expected a directory for a model and its libraries, found none; add -o DIR")
    runnable(session.target)
    with watched(as_json, session.table) as observer:
        asked = session.target, session.threads, session.table, session.effort
        return list(map(str, onnx.save_custom_ops(file.graph, directory, *asked, observer)))
