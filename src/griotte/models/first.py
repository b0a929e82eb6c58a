"""What `first="fast"` asks for: the program of a small space at once, the whole search behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..compiler.programs import Program
from ..compiler.programs.begun import BegunUnit
from ..compiler.programs.partitioned import PartitionedProgram
from ..compiler.session import NOTHING, Session
from ..compiler.synthesis import program_of, searched
from ..compiler.tuning import check
from ..lang.text.text import spec_of
from ..runtime.first import FirstKernel
from .behind import WholeJob, WholeSearch
from .graph import ModelGraph
from .kept import for_others, known
from .pool import NOBODY, Answer, Listening, Pool
from .solving import solve
from .worker import Job


def first_of(given: object, session: Session) -> FirstKernel:
    """The kernel of a Spec (or what stands for one) or of a model that is there at once; that of the whole search where
    it is known."""
    soon = replace(session, effort=0, tuning=NOTHING, memory=None)
    if isinstance(given, ModelGraph):
        return _of_model(given, session, soon)
    spec = spec_of(given)
    tuning = session.tuning
    if tuning != NOTHING:
        check(spec, *tuning)
    if not tuning.is_timed and session.remembers(spec):
        return FirstKernel(program_of(spec, session).compile(session.denormals), None)
    kernel = searched(spec, soon)._compile_soon(session.denormals)
    return FirstKernel(kernel, WholeSearch(WholeJob(spec, session)))


def _of_model(graph: ModelGraph, session: Session, soon: Session) -> FirstKernel:
    graph.require_covered()
    whole = known(graph, session)
    if whole is not None:
        return FirstKernel(for_others(whole, graph, session), None)
    with BegunUnit(session.target, session.denormals) as begun:
        kernel = solve(graph, _CompilingPool(soon, begun))._compile_soon(session.denormals, begun)
    return FirstKernel(for_others(kernel, graph, session), WholeSearch(WholeJob(graph, session)))


class _CompilingPool(Pool):
    """Solves here, one after the other; meanwhile solved parts are compiled."""

    def __init__(self, session: Session, begun: BegunUnit):
        super().__init__(session, workers=1)
        self._begun = begun

    def solve(self, jobs: Iterable[Job], told: Listening = NOBODY) -> Iterator[tuple[Job, Answer]]:
        for job, answer in super().solve(jobs, told):
            for program in _written(answer):
                self._begun.met(program.root, program.canonical)
            yield job, answer


def _written(answer: Answer) -> list[Program]:
    """The programs that a part's C is written of."""
    if isinstance(answer, PartitionedProgram):
        return [part.program for part in answer.parts if part.program is not None]
    return [answer] if isinstance(answer, Program) else []
