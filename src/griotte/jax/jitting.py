"""A `jax.jit` in which griotte runs all that it supports: each class of arguments is one kernel, or stays with XLA."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from typing import Any

import jax

from ..compiler.session import Arguments, TablePath
from ..machine.target import Target
from ..models.entry import compile
from ..readers.tracing.runs import JITTED, ClassRow, race
from ..runtime.xla_call import require_one_device
from ..support.errors import GriotteError, SpecError
from ..support.unforeseen import reported, warned
from .programs import JaxProgram, is_read, program_of, require_function
from .reader import JaxprReader


class JaxFunction:
    """A function of JAX's arrays; griotte runs the classes of arguments that it supports. `griotte.jax.jit` makes one.

    Attributes:
        function: the plain function.
        name: of it.
        rows: what became of each class of arguments (`gt.report`).
    """

    def __init__(self, function: Callable[..., Any], measure: bool, options: Arguments, of_jax: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.function, self.measure, self.options = function, measure, options
        self.name = str(getattr(function, "__qualname__", type(function).__name__))
        self.rows: list[ClassRow] = []
        self._jitted = jax.jit(self._traced, **of_jax)
        JITTED.add(self)

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """Run it: what the plain function gives.

        Args:
            *args: as of the plain function.
            **named: as of the plain function.

        Raises:
            SpecError: an array is shared out among devices.
        """
        if is_read():
            return self.function(*args, **named)
        require_one_device(jax, jax.tree_util.tree_leaves((args, named)))
        return self._jitted(*args, **named)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def lower(self, /, *args: Any, **named: Any) -> Any:
        """As of `jax.jit`: the function traced for these arguments, to be printed or compiled."""
        return self._jitted.lower(*args, **named)

    def _traced(self, /, *args: Any, **named: Any) -> Any:
        """What JAX traces for each class: a call of its kernel, or the plain function."""
        program = program_of(self.function, args, named)
        run = self._runner(program)
        return program.built(run(*program.arrays))

    def _runner(self, program: JaxProgram) -> Callable[..., list[Any]]:
        """What runs a program: its kernel, or XLA."""
        row = ClassRow(self.name, program.signature, other="XLA")
        self.rows.append(row)
        started = time.perf_counter()
        try:
            with reported(lambda: f"a kernel of {self.name}"):
                graph = JaxprReader(program.closed, program.inputs, program.outputs).graph()
                if graph.refused:
                    raise SpecError("; ".join(map(str, graph.refused)))
                graph.require_elements()
                call: Any = compile(graph, **self.options).jax()
        except GriotteError as error:
            warned(error, "XLA")
            row.why = str(error)
            return program.run
        row.compile_s, row.taken = time.perf_counter() - started, True
        taken = [place for place, aval in enumerate(program.closed.in_avals) if aval.size]

        def kernel(*arrays: Any) -> list[Any]:
            result = call.traced(*(arrays[place] for place in taken))
            return program.typed(list(result) if len(program.outputs) > 1 else [result])

        if self.measure:
            _measured(row, program, kernel)
        return self._with_rules(program, kernel) if row.taken else program.run

    def _with_rules(self, program: JaxProgram, kernel: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
        """A kernel with what JAX asks of it: derivatives are XLA's of the program, batches kernels of their own."""
        batched = jax.custom_batching.custom_vmap(kernel)
        made: dict[Any, Callable[..., list[Any]]] = {}

        @batched.def_vmap
        def of_batch(size: int, are: Sequence[bool], *arrays: Any) -> tuple[list[Any], list[bool]]:
            key = (size, *are)
            if key not in made:
                made[key] = self._runner(program.of_batch(size, are, arrays))
            return made[key](*arrays), [True] * len(program.outputs)

        differentiable = jax.custom_jvp(batched)
        differentiable.defjvp(lambda primals, tangents: jax.jvp(program.run, primals, tangents))
        return differentiable

    def __repr__(self) -> str:
        return f"<griotte.jax.jit of {self.name}, {len(self.rows)} classes>"


def _measured(row: ClassRow, program: JaxProgram, kernel: Callable[..., list[Any]]) -> None:
    """Both timed in turns, on zeros; the row says which is faster."""
    with jax.ensure_compile_time_eval():
        zeros = [jax.numpy.zeros(a.shape, a.dtype) for a in program.closed.in_avals]
    runs = [jax.jit(run).lower(*zeros).compile() for run in (kernel, program.run)]
    row.kernel_us, row.plain_us = race(*(functools.partial(_finished, run, zeros) for run in runs))
    row.taken = row.kernel_us <= row.plain_us
    row.why = "" if row.taken else "XLA was faster"


def _finished(run: Callable[..., Any], arrays: Sequence[Any]) -> None:
    jax.block_until_ready(run(*arrays))


def jit(
    function: Callable[..., Any] | None = None,
    /,
    *,
    measure: bool = False,
    target: str | Target = "native",
    threads: int = 1,
    table: TablePath = None,
    effort: int = 2,
    math: str | None = None,
    **of_jax: Any,
) -> Any:
    """A function as `jax.jit` compiles it; griotte runs the classes of arguments that it supports.

    Each class of arguments (shapes, dtypes, static arguments) is read as one graph and becomes one kernel, which is
    called within XLA's program. Where griotte lacks an operation of a class, XLA runs that class, and `gt.report` says
    why. Derivatives are those of the plain function, by XLA; `jax.vmap` makes kernels of whole batches.

    Args:
        function: as of `jax.jit`.
        measure: whether kernel and XLA are timed for each class, on zeros, and the faster of both runs it.
        target: as of `gt.compile`.
        threads: as of `gt.compile`.
        table: as of `gt.compile`.
        effort: as of `gt.compile`.
        math: as of `gt.compile`.
        **of_jax: what else `jax.jit` takes, such as static_argnames.

    Raises:
        SpecError: at a call: an array is shared out among devices.

    Examples:
        >>> fast = griotte.jax.jit(lambda x: jnp.tanh(x @ w))  # doctest: +SKIP
        >>> fast(x)  # doctest: +SKIP
    """
    options = Arguments(target=target, threads=threads, table=table, effort=effort, math=math)
    if function is None:
        return lambda given: JaxFunction(given, measure, options, of_jax)
    require_function(function)
    return JaxFunction(function, measure, options, of_jax)
