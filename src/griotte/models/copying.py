"""What copies of a model's values cost."""

from __future__ import annotations

from dataclasses import dataclass

from ..compiler.programs import Program
from ..compiler.session import Session
from ..compiler.synthesis import searched
from ..lang.calls.spec import Spec
from ..lang.constructors.operations import copy
from ..lang.types.tensor import tensor
from ..support.errors import GriotteError
from .graph import ModelValue
from .layouts import ValueLayout, copied

Answers = dict[Spec, Program | GriotteError]


@dataclass(frozen=True, eq=False)
class Copying:
    """Copies, found at once and kept among the `answers` of a model's searches. Who cuts a model holds this and not the
    one that solves it: else the two would hold each other, and all that was solved, until the collector of cyclic
    garbage comes by."""

    session: Session
    answers: Answers

    def program(self, spec: Spec) -> Program:
        """The program of a copy."""
        if spec not in self.answers:
            self.answers[spec] = searched(spec, self.session)
        answer = self.answers[spec]
        assert isinstance(answer, Program)
        return answer

    def saving(self, value: ModelValue) -> float:
        """Cycles that a value takes to be written and read as a whole array."""
        return self.program(copy(tensor((value.type.elements,), value.type.dtype))).cost

    def between(self, value: ModelValue, now: ValueLayout, then: ValueLayout) -> float:
        """Cycles of copying a value into another layout."""
        return self.session.target.layouts.copied * self.program(copied(value.type, now, then)).cost
