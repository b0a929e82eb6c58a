"""`synthesize` and `compile` as people call them: of a Spec, or of a whole model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from ..errors import SpecError
from ..ir.spec import Spec
from ..targets import runnable
from ..targets.target import Target
from ..unforeseen import reported
from .graph import ModelGraph

if TYPE_CHECKING:
    from ..learned.ranking import GivenModel
    from ..programs import Program
    from ..runtime.kernel import Kernel
    from ..runtime.model import ModelKernel
    from .hosting import HostedKernel
    from .program import ModelProgram

TablePath = str | os.PathLike[str] | None


@overload
def synthesize(
    spec: ModelGraph,
    target: str | Target = "native",
    threads: int = 1,
    table: TablePath = None,
    memory: int | str | None = None,
    tune: int | None = None,
    effort: int = 2,
    model: GivenModel | None = None,
    math: str | None = None,
) -> ModelProgram: ...


@overload
def synthesize(
    spec: Spec | Program | str | Sequence[Spec],
    target: str | Target = "native",
    threads: int = 1,
    table: TablePath = None,
    memory: int | str | None = None,
    tune: int | None = None,
    effort: int = 2,
    model: GivenModel | None = None,
    math: str | None = None,
) -> Program: ...


def synthesize(
    spec: Spec | Program | str | Sequence[Spec] | ModelGraph,
    target: str | Target = "native",
    threads: int = 1,
    table: TablePath = None,
    memory: int | str | None = None,
    tune: int | None = None,
    effort: int = 2,
    model: GivenModel | None = None,
    math: str | None = None,
) -> Program | ModelProgram:
    """The program of least cost for a Spec or for a model, found by search in a declared space.

    Args:
        spec: a Spec, its text, several Specs of which each is an output, a schedule whose holes are to be filled, or a
            model, which is cut into parts that are each searched as one.
        target: "native", "avx512", "avx2", "portable", a TOML file's path, or a Target.
        threads: how many a call may run on.
        table: the file that keeps what is solved: a path, None for the user's own, "none" for none.
        memory: a bound on what the process holds while it searches: bytes, or a text such as "1GiB".
        tune: times so many of the best programs on this machine and takes the fastest; the table remembers it, and
            gives it from then on. 1: the best by price, whatever the table remembers. Of a model: so many programs of
            its parts in all.
        effort: how much one search may be, 1 to 3. What is more is cut at whole arrays; `stats` and `explain` say
            where and why.
        model: a performance model, or its file: the first program in its order, of those that the search drafts, is
            taken; with `tune` it picks which are timed.
        math: "default", or "strict": no law rewrites a model before its search, no Winograd, no product joined with a
            sum by the C compiler. None: as GRIOTTE_MATH says, else "default"; of a Target: its own.

    Raises:
        SpecError: the Spec or an argument is none.
        TargetError: there is no such target.
        TableError: the table cannot be read, written or trusted.
        NoProgramError: the space holds no program.
        GriotteError: `memory` is too little, or the performance model's file is none.

    Example:
        >>> program = gt.synthesize("sum(f32[64,32], axis=1)", target="portable")
        >>> program.cost > 0
        True
    """
    if not isinstance(spec, ModelGraph):
        from .. import synthesis

        return synthesis.synthesize(spec, target, threads, table, memory, tune, effort, model, math)
    from ..runtime.leaves import resolved
    from .timing import asked
    from .tuning import program_of

    _refuse("memory", memory)
    with reported(lambda: f"a program for {spec!r}"):
        return program_of(spec, resolved(target, math), threads, table, effort, asked(tune, model))


@overload
def compile(
    spec: ModelGraph,
    target: str | Target = "native",
    threads: int = 1,
    table: TablePath = None,
    memory: int | str | None = None,
    tune: int | None = None,
    effort: int = 2,
    host: None = None,
    denormals: str = "keep",
    model: GivenModel | None = None,
    math: str | None = None,
) -> ModelKernel: ...


@overload
def compile(
    spec: ModelGraph,
    target: str | Target = "native",
    threads: int = 1,
    table: TablePath = None,
    memory: int | str | None = None,
    tune: int | None = None,
    effort: int = 2,
    host: str = ...,
    denormals: str = "keep",
    model: GivenModel | None = None,
    math: str | None = None,
) -> HostedKernel | ModelKernel: ...


@overload
def compile(
    spec: Spec | Program | str | Sequence[Spec],
    target: str | Target = "native",
    threads: int = 1,
    table: TablePath = None,
    memory: int | str | None = None,
    tune: int | None = None,
    effort: int = 2,
    host: None = None,
    denormals: str = "keep",
    model: GivenModel | None = None,
    math: str | None = None,
) -> Kernel: ...


def compile(
    spec: Spec | Program | str | Sequence[Spec] | ModelGraph,
    target: str | Target = "native",
    threads: int = 1,
    table: TablePath = None,
    memory: int | str | None = None,
    tune: int | None = None,
    effort: int = 2,
    host: str | None = None,
    denormals: str = "keep",
    model: GivenModel | None = None,
    math: str | None = None,
) -> Any:
    """The kernel of a Spec or of a model: `synthesize`, then `compile` of the program.

    Args:
        spec: as of `synthesize`.
        target: as of `synthesize`; code for it must run on this CPU.
        threads: as of `synthesize`.
        table: as of `synthesize`.
        memory: as of `synthesize`.
        tune: as of `synthesize`.
        effort: as of `synthesize`.
        host: what runs the nodes of a model that griotte lacks: "onnxruntime", or "numpy", onnx's reference. None:
            such a model is refused.
        denormals: "keep" them, or "flush" them to zero within a call, as operands and as results: faster where there
            are many. What a host runs keeps them.
        model: as of `synthesize`.
        math: as of `synthesize`.

    Raises:
        SpecError: the Spec or an argument is none; or a model has nodes that griotte, or its host, lacks.
        TargetError: there is no such target, or this CPU does not run its code.
        TableError: the table cannot be read, written or trusted.
        NoProgramError: the space holds no program.
        ToolchainError: there is no C compiler, or it failed.
        GriotteError: `memory` is too little, or the performance model's file is none.

    Example:
        >>> kernel = gt.compile("sum(f32[2,3], axis=1)")
        >>> kernel(np.ones((2, 3), np.float32))
        array([3., 3.], dtype=float32)
    """
    if isinstance(spec, ModelGraph):
        from ..runtime.leaves import resolved
        from .hosting import compiled, compiled_hosted
        from .timing import asked

        _refuse("memory", memory)
        machine = runnable(resolved(target, math))
        if host is not None:
            for name, given in (("tune", tune), ("model", model)):
                _refuse(name, given, "a model with a host")
            with reported(lambda: f"a kernel of {spec!r}"):
                return compiled_hosted(spec, machine, threads, table, effort, host, denormals=denormals)
        with reported(lambda: f"a kernel of {spec!r}"):
            return compiled(spec, machine, threads, table, effort, denormals=denormals, timing=asked(tune, model))
    if host is not None:
        raise SpecError(f"expected no host for a Spec, found {host!r}; leave it out: griotte runs all of it")
    from .. import synthesis  # a model that was kept is loaded without a search

    return synthesis.compile(spec, target, threads, table, memory, tune, effort, denormals, model, math)


def _refuse(name: str, given: Any, what: str = "a model") -> None:
    if given is not None:
        raise SpecError(f"expected no {name} for {what}, found {given!r}; leave it out")
