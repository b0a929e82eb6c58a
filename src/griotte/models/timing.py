"""What a person asks of the times of a model's parts: how many runs, and which model of times picks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import SpecError

if TYPE_CHECKING:
    from ..learned.model import PerformanceModel
    from ..learned.ranking import GivenModel


class TimesAsked(NamedTuple):
    """`runs`: programs of parts that are timed; None: what the table remembers; 1: not even that. `model`: by whose
    order they are taken, or timed."""

    runs: int | None = None
    model: PerformanceModel | None = None

    @property
    def are_taken(self) -> bool:
        """Whether anything is timed."""
        return self.runs is not None and self.runs > 1


NOTHING = TimesAsked()


def asked(tune: Any, model: GivenModel | None) -> TimesAsked:
    """The arguments `tune` and `model`. SpecError where one is none, GriotteError where a file is no such model."""
    if tune is not None and (not isinstance(tune, int) or isinstance(tune, bool) or tune < 1):
        raise SpecError(
            f"expected a number of runs of 1 or more to tune, found {tune!r}; ask for some in all, such as tune=100"
        )
    if model is None:
        return TimesAsked(tune)
    from ..learned.ranking import model_of  # and with it programs, which a kernel that was kept needs none of

    return TimesAsked(tune, model_of(model))
