"""Models that come with griotte: one of each known machine (targets/machines) whose programs were timed and that earns
more than the price does; `tests/engine/learned/test_known.py` holds what each earned of programs that it was not fitted
to."""

from __future__ import annotations

from pathlib import Path

from ...machine import resolve
from ...machine.detect import detect
from ...machine.measured import nearest
from ...support.errors import GriotteError
from .model import PerformanceModel

WORD = "known"
"""Names the model of the machine that is most like this one."""
FOLDER = Path(__file__).with_name("known")


def names() -> list[str]:
    """The machines that have one."""
    return sorted(path.stem for path in FOLDER.glob("*.gtm"))


def named(word: str) -> PerformanceModel:
    """The model of a file, or the one that comes with griotte for machines like this; GriotteError where there is none,
    or the file is no model."""
    return known_model() if word == WORD else PerformanceModel.load(word)


def known_model() -> PerformanceModel:
    """The model of the known machine whose prices this one has; GriotteError where that has none."""
    name = nearest(detect(), resolve("native").vector_bytes).name
    if name not in names():
        raise GriotteError(
            f"expected a machine like one with a model of its own ({', '.join(names())}), found one like {name}; fit"
            " a model here: griotte learn collect, griotte learn fit"
        )
    return PerformanceModel.load(str(FOLDER / f"{name}.gtm"))
