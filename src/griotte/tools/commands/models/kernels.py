"""The kernel of a model, as the verbs ask for it."""

from __future__ import annotations

from typing import Any

from ....compiler.session import Session
from ....models.compiling import compiled
from ....models.hosting import compiled_hosted
from ....models.watching import Observer
from ..subject import refuse
from .reading import ModelFile


def kernel_of(file: ModelFile, session: Session, host: str | None, observer: Observer) -> Any:
    """The kernel of a model, with `host` one that may need it: then nothing is asked of times."""
    if host is None:
        return compiled(file.graph, session, observer)
    refuse("a model with a host", tune=session.tuning.runs, model=session.tuning.model)
    return compiled_hosted(file.graph, session, host, observer)
