"""`synthesize` and `compile` as people call them: of a Spec, or of a whole model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, Unpack, cast, overload

from ..compiler.session import SearchArguments, TablePath, session_of
from ..lang.calls.spec import Spec
from ..machine import runnable
from ..machine.target import Target
from ..runtime.first import FirstKernel, require_first
from ..support.errors import SpecError
from ..support.unforeseen import reported
from .graph import ModelGraph

if TYPE_CHECKING:
    from ..compiler.programs import Program
    from ..engine.learned.ranking import GivenModel
    from ..runtime.kernel import Kernel
    from ..runtime.model import ModelKernel
    from .hosting import HostedKernel
    from .program import ModelProgram

P = ParamSpec("P")


class Synthesize(Protocol[P]):
    """What `synthesize` gives, by what it is given."""

    @overload
    def __call__(self, spec: ModelGraph, *args: P.args, **asked: P.kwargs) -> ModelProgram: ...

    @overload
    def __call__(self, spec: Spec | Program | str | Sequence[Spec], *args: P.args, **asked: P.kwargs) -> Program: ...


class Compile(Protocol[P]):
    """What `compile` gives, by what it is given."""

    @overload  # with a host of its own type first: of None alone is the next
    def __call__(  # type: ignore[overload-overlap]
        self, spec: ModelGraph, *args: Any, host: str, **asked: Unpack[SearchArguments]
    ) -> HostedKernel | ModelKernel: ...

    @overload
    def __call__(self, spec: Any, *args: Any, first: str, **asked: Any) -> FirstKernel: ...

    @overload
    def __call__(self, spec: ModelGraph, *args: P.args, **asked: P.kwargs) -> ModelKernel: ...

    @overload
    def __call__(self, spec: Spec | Program | str | Sequence[Spec], *args: P.args, **asked: P.kwargs) -> Kernel: ...


def _synthesizes(door: Callable[Concatenate[Any, P], Any]) -> Synthesize[P]:
    return cast("Synthesize[P]", door)


def _compiles(door: Callable[Concatenate[Any, P], Any]) -> Compile[P]:
    return cast("Compile[P]", door)


@_synthesizes
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
    tune_seconds: float | None = None,
) -> Program | ModelProgram:
    """The program of least cost for a Spec or for a model, found by search in a declared space.

    Args:
        spec: a Spec, its text, several Specs, each one output, a schedule whose holes are to be filled, or a model. A
            model is cut into parts that are each searched as one.
        target: "native", "avx512" or another name of `griotte targets`, a TOML file's path, or a Target.
        threads: how many a call may run on.
        table: the file that keeps solutions: a path, None for the user's own, "none" for none.
        memory: a bound on what the process holds while it searches: bytes, or a text such as "1GiB".
        tune: times so many of the best programs on this machine and takes the fastest; the table remembers it, and
            gives it from then on. 1: the best by price, whatever the table remembers. Of a model: so many programs of
            its parts in all.
        effort: how much one search may be, 1 to 3. A larger problem is cut at whole arrays; `stats` and `explain` say
            where and why. 0: a small part of the space, in a hundredth of the time, where the table has no program.
        model: a performance model, or its file: the first program in its order, of those that the search drafts, is
            taken; with `tune` it picks which are timed.
        math: "default", or "strict": a model is rewritten by laws alone that change only rounding for any input, no
            Winograd, no product joined with a sum by the C compiler. None: as GRIOTTE_MATH says, else "default"; of a
            Target: its own.
        tune_seconds: of a model, in place of `tune`: how long timing its parts may take, beyond its search and its C.
            Where the table remembers that so much was spent, nothing is timed.

    Raises:
        SpecError: the Spec or an argument is none.
        TargetError: there is no such target.
        TableError: the table cannot be read, written or trusted.
        NoProgramError: the space holds no program.
        GriotteError: `memory` is too little, or the performance model's file is none.

    Examples:
        >>> program = gt.synthesize("sum(f32[64,32], axis=1)", target="portable")
        >>> program.cost > 0
        True
    """
    asked = SearchArguments(
        target=target, threads=threads, table=table, memory=memory, tune=tune, effort=effort, model=model, math=math
    )
    asked["tune_seconds"] = tune_seconds
    if not isinstance(spec, ModelGraph):
        return _search().synthesize(spec, **asked)
    from .tuning import program_of

    _refuse("memory", memory)
    with reported(lambda: f"a program for {spec!r}"):
        require_runs(tune)
        return program_of(spec, session_of(**asked))


@_compiles
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
    first: str | None = None,
    tune_seconds: float | None = None,
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
        host: runs the nodes of a model that griotte lacks: "onnxruntime", or "numpy", onnx's reference. None: such a
            model is refused.
        denormals: "keep" them, or "flush" them to zero within a call, as operands and as results: faster where there
            are many. Nodes that a host runs keep them.
        model: as of `synthesize`.
        math: as of `synthesize`.
        first: "fast": a right kernel at once, of a small part of the space, a `FirstKernel`. The search goes on in
            other processes. When it is done the kernels are exchanged between two calls; results may change by
            rounding then. None: wait for the search.
        tune_seconds: as of `synthesize`.

    Raises:
        SpecError: the Spec or an argument is none; or a model has nodes that griotte, or its host, lacks.
        TargetError: there is no such target, or this CPU does not run its code.
        TableError: the table cannot be read, written or trusted.
        NoProgramError: the space holds no program.
        ToolchainError: there is no C compiler, or it failed.
        GriotteError: `memory` is too little, or the performance model's file is none.

    Examples:
        >>> kernel = gt.compile("sum(f32[2,3], axis=1)")
        >>> kernel(np.ones((2, 3), np.float32))
        array([3., 3.], dtype=float32)
    """
    asked = SearchArguments(
        target=target, threads=threads, table=table, memory=memory, tune=tune, effort=effort, model=model, math=math
    )
    asked["denormals"], asked["tune_seconds"] = denormals, tune_seconds
    require_first(first)
    if first is not None:
        return _first(spec, asked, host)
    if isinstance(spec, ModelGraph):
        from .hosting import compiled, compiled_hosted

        _refuse("memory", memory)
        if host is not None:
            for name, given in (("tune", tune), ("tune_seconds", tune_seconds), ("model", model)):
                _refuse(name, given, "a model with a host")
        require_runs(tune)
        session = session_of(**asked)
        runnable(session.target)
        with reported(lambda: f"a kernel of {spec!r}"):
            return compiled(spec, session) if host is None else compiled_hosted(spec, session, host)
    if host is not None:
        raise SpecError(f"expected no host for a Spec, found {host!r}; leave it out: griotte runs all of it")
    return _search().compile(spec, **asked)


def _search() -> ModuleType:
    """What searches for Specs."""
    from ..compiler import synthesis  # a model that was kept is loaded without a search

    return synthesis


def _first(spec: Spec | Program | str | Sequence[Spec] | ModelGraph, asked: SearchArguments, host: Any) -> Any:
    """A kernel that is there at once."""
    from .first import first_of  # and with it the search

    _refuse("host", host, 'first="fast"')
    if isinstance(spec, ModelGraph):
        _refuse("memory", asked["memory"])
        require_runs(asked["tune"])
    elif not isinstance(spec, (Spec, str, list, tuple)):
        raise SpecError(f'expected a Spec or a model for first="fast", found {spec!r}; compile it without first')
    session = session_of(**asked)
    runnable(session.target)
    with reported(lambda: f"a kernel of {spec!r}"):
        return first_of(spec, session)


def _refuse(name: str, given: Any, what: str = "a model") -> None:
    if given is not None:
        raise SpecError(f"expected no {name} for {what}, found {given!r}; leave it out")


def require_runs(tune: object) -> None:
    """SpecError where the argument `tune` is no number of runs over a model's parts."""
    if tune is not None and (not isinstance(tune, int) or isinstance(tune, bool) or tune < 1):
        raise SpecError(
            f"expected a number of runs of 1 or more to tune, found {tune!r}; ask for some in all, such as tune=100"
        )
