"""What the verbs of `griotte learn` read: files of timed programs."""

from __future__ import annotations

from ....engine.learned import features
from ....engine.learned.samples import Samples
from ....support.errors import GriotteError
from ...learn import records, training


def timed(paths: tuple[str, ...]) -> tuple[Samples, tuple[str, ...]]:
    """The timed programs of files that `griotte learn collect` wrote, and the names of their features."""
    if not paths:
        raise GriotteError(
            "expected files of timed programs as DATA, found none; griotte learn collect --out FILE writes one"
        )
    several = []
    for path in paths:
        with records.Records(path, writable=False) as found:
            several.append(found.samples(features.VERSION))
    return training.joined(several), features.NAMES
