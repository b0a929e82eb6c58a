"""Functions whose calls are traced once for each class of arguments, compiled, and run."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Hashable, Sequence
from contextlib import nullcontext
from operator import attrgetter
from typing import Any, Unpack, overload

import numpy as np

from ...compiler.session import Arguments, TablePath
from ...lang.types.tensor import TensorType
from ...machine.target import Target
from ...models.entry import compile
from ...models.graph import ModelGraph
from ...runtime.direct_calls import neither
from ...runtime.first import require_first
from ...support.errors import GriotteError, SpecError
from ...support.forks import ForkLock
from ...support.unforeseen import reported, warned
from .arguments import PLAIN, ArgumentClass, TracedResult, as_array, found_in, plain_key, with_leaves
from .array import TracedArray
from .open_sizes import OpenSizes
from .runs import JITTED, ClassRow, ClassRunner, KernelRun, PlainRun, race
from .tracer import names_of, parameters_of, traced

KnownClass = tuple[ClassRunner, tuple[ClassRunner, ClassRow]]


ndarray = np.ndarray


class Jitted:
    """A function that griotte runs. `gt.jit` makes one.

    Attributes:
        function: the plain function.
        rows: what became of each class of arguments (`gt.report`).
    """

    def __init__(
        self, function: Callable[..., Any], measure: bool, fallback: bool, **options: Unpack[Arguments]
    ) -> None:
        self.__qualname__ = _name(function)
        functools.update_wrapper(self, function)
        self.function, self.measure, self.fallback, self.options = function, measure, fallback, options
        self.rows: list[ClassRow] = []
        self._known: dict[Hashable, KnownClass] = {}  # by a look: strides tell how arrays lie
        self._last: tuple[ClassRunner, ClassRow] = neither, ClassRow("", "")  # of the last call; it looks by itself
        self._classes: dict[Hashable, KernelRun | PlainRun] = {}
        self._lock = ForkLock(waits=False)  # functions may take long to trace
        self._open = OpenSizes(lambda graph: compile(graph, **options))
        self._takes_out = any(each.name == "out" for each in parameters_of(function))
        JITTED.add(self)

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """Run it: what the plain function gives, with arrays of NumPy in it.

        Args:
            *args: as of the plain function.
            **named: as of the plain function; and `out`, where the result goes, of one array or a tuple of them.

        Raises:
            SpecError: it cannot be traced.
        """
        if not named:
            at_once, row = self._last
            found = at_once(*args)
            if found is not NotImplemented:
                row.calls += 1
                return found
        out = named.pop("out", None) if named and not self._takes_out else None
        if named:
            return self._met(args, named, out)
        try:
            run, last = self._known[tuple([_quick(a) for a in args])]
        except (KeyError, TypeError):
            return self._met(args, named, out)
        self._last, row = last, last[1]
        row.calls += 1
        try:
            return run(*args) if out is None else run(*args, out=out)
        except SpecError:  # of an address that is not aligned, or of an `out` that is also read
            row.calls -= 1
            return self._met(args, named, out)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __reduce__(self) -> str | tuple[Any, ...]:
        """By name where it stands in the place of the plain function, else of that; another process traces it anew, and
        finds its kernels in the cache."""
        try:
            if attrgetter(self.__qualname__)(sys.modules[self.__module__]) is self:
                return str(self.__qualname__)
        except (AttributeError, KeyError):
            pass
        return _again, (self.function, self.measure, self.fallback, self.options)

    def _met(self, args: tuple[Any, ...], named: dict[str, Any], out: Any) -> Any:
        """A call of a class that is not known by a quick look."""
        names = [*names_of(self.function, len(args)), *named]
        try:
            every = [found_in(item, name, as_array) for name, item in zip(names, (*args, *named.values()))]
        except SpecError as error:
            return self._left(error, args, named, out)
        if any(isinstance(leaf, TracedArray) for each in every for leaf in each.leaves):
            return self.function(*args, **named)  # within another function that is traced
        key = len(args), tuple(named), tuple(each.key for each in every)
        run = self._classes.get(key)
        if run is None:
            with self._lock:
                run = self._classes.get(key) or self._made(key, args, named, every)
        if not named:
            self._remember(args, run)
        run.row.calls += 1
        leaves = [leaf for each in every for leaf in each.leaves]
        return run.of_leaves(leaves, args, named, out)

    def _left(self, error: SpecError, args: tuple[Any, ...], named: dict[str, Any], out: Any) -> Any:
        """A call with what no kernel takes: the plain function's, where that may run."""
        if not self.fallback:
            raise error
        told = ", ".join([type(each).__name__ for each in args] + [f"{k}={type(v).__name__}" for k, v in named.items()])
        run = self._classes.get(told)
        if run is None:
            run = self._classes[told] = PlainRun(self.function, ClassRow(_name(self.function), told, why=str(error)))
            self.rows.append(run.row)
        run.row.calls += 1
        return run.of_leaves([], args, named, out)

    def _remember(self, args: tuple[Any, ...], run: KernelRun | PlainRun) -> None:
        last = run.at_once(args), run.row
        try:
            self._known[tuple([_quick(a) for a in args])] = run.of_call(args), last
        except TypeError:
            return  # arrays within others, or of other libraries
        self._last = last

    def _made(
        self, key: Hashable, args: tuple[Any, ...], named: dict[str, Any], every: list[ArgumentClass]
    ) -> KernelRun | PlainRun:
        """What runs a class: its kernel; or the plain function, where that is faster or the only way."""
        row, started = ClassRow(_name(self.function), _told(every, args, named)), time.perf_counter()
        run: KernelRun | PlainRun = PlainRun(self.function, row)
        try:
            with (
                reported(lambda: f"a kernel of {_name(self.function)}", calls_users=True)
                if self.fallback
                else nullcontext()
            ):
                kernel, result = self._of_any_size(key, args, named, every) or self._of_class(args, named)
        except GriotteError as error:
            if not self.fallback:
                raise
            warned(error, "the plain function")
            row.why = str(error)
        else:
            row.compile_s, row.taken = time.perf_counter() - started, True
            run = self._classes[key] = KernelRun(kernel, result, row)
            if self.measure:
                run = self._raced(run, args, named)
        self._classes[key] = run
        self.rows.append(row)
        return run

    def _of_class(self, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, TracedResult]:
        """The kernel of a class, and the form of its results."""
        graph, result = traced(self.function, args, named, as_array)
        kernel = compile(graph, **self.options)
        kernel.open_door()
        return kernel, result

    def _of_any_size(
        self, key: Hashable, args: tuple[Any, ...], named: dict[str, Any], every: list[ArgumentClass]
    ) -> tuple[Any, TracedResult] | None:
        """The same of a class that differs in one size from several before; None where it has a kernel of its own."""

        def at(types: Sequence[TensorType]) -> tuple[ModelGraph, TracedResult]:
            given = iter(types)
            passed = [with_leaves(item, as_array, given) for item in (*args, *named.values())]
            return traced(self.function, tuple(passed[: len(args)]), dict(zip(named, passed[len(args) :])), _type)

        return self._open.kernel(key, [leaf for each in every for leaf in each.leaves], at)

    def _raced(self, run: KernelRun, args: tuple[Any, ...], named: dict[str, Any]) -> KernelRun | PlainRun:
        """The faster of a kernel and the plain function. A call of the kernel is timed with the way to it."""
        row = run.row
        if not named:
            self._remember(args, run)
        try:
            row.kernel_us, row.plain_us = race(lambda: self(*args, **named), lambda: self.function(*args, **named))
        except Exception as error:  # griotte's calls take no arrays
            row.why = f"the plain function does not run: {type(error).__name__}"
        else:
            row.taken = row.kernel_us <= row.plain_us
        row.calls = 0
        if row.taken:
            return run
        row.why = "the plain function was faster"
        return PlainRun(self.function, row)

    def __repr__(self) -> str:
        return f"<griotte.jit of {_name(self.function)}, {len(self.rows)} classes>"


def _type(item: Any) -> TensorType | None:
    """The type that stands for an array."""
    return item if isinstance(item, TensorType) else None


def _quick(item: Any) -> Hashable:
    """What tells the class of an argument at a look."""
    if type(item) is ndarray:
        return item.dtype, item.shape, item.strides
    if isinstance(item, PLAIN):
        return type(item), item
    if isinstance(item, float):
        return plain_key(item)
    raise TypeError


def _again(function: Callable[..., Any], measure: bool, fallback: bool, options: Arguments) -> Jitted:
    """A jitted function that was pickled."""
    return Jitted(function, measure, fallback, **options)


def _name(function: Any) -> str:
    return str(getattr(function, "__qualname__", type(function).__name__))


def _told(every: list[ArgumentClass], args: tuple[Any, ...], named: dict[str, Any]) -> str:
    """A class in a line."""
    told = [str(e.key) if e.leaves else repr(item) for e, item in zip(every, (*args, *named.values()))]
    names = [""] * len(args) + [f"{name}=" for name in named]
    return ", ".join(name + each for name, each in zip(names, told))


@overload
def jit(function: Callable[..., Any], /) -> Jitted: ...


@overload
def jit(
    function: None = None, /, *, measure: bool = False, fallback: bool = False, **asked: Unpack[Arguments]
) -> Callable[[Callable[..., Any]], Jitted]: ...


def jit(
    function: Callable[..., Any] | None = None,
    /,
    *,
    measure: bool = False,
    fallback: bool = False,
    target: str | Target = "native",
    threads: int = 1,
    table: TablePath = None,
    effort: int = 2,
    math: str | None = None,
    first: str | None = None,
) -> Any:
    """A function of NumPy's arrays as one that griotte runs: `@gt.jit`, or `@gt.jit(threads=2)`.

    A call whose arguments are of a new class is traced and compiled, others run the kernel of their class. Dtypes,
    shapes and layouts of arrays, and all other arguments, make the class; arrays that the function takes from around it
    are constants.

    Args:
        function: as of `gt.graph`; its result follows from its arguments alone.
        measure: whether the first call of a class also times the plain function, and the faster of both runs it.
        fallback: whether what cannot be traced runs as the plain function; `gt.report` lists it. Else it is an error.
        target: as of `gt.compile`.
        threads: as of `gt.compile`.
        table: as of `gt.compile`.
        effort: as of `gt.compile`.
        math: as of `gt.compile`.
        first: as of `gt.compile`, of each class of arguments.

    Raises:
        SpecError: at a call: the function cannot be traced; the message names the line.

    Examples:
        >>> @gt.jit
        ... def mlp(x, w1, w2):
        ...     return gt.gelu(x @ w1) @ w2
        >>> x, w1, w2 = np.ones((2, 8), "f4"), np.ones((8, 4), "f4"), np.ones((4, 3), "f4")
        >>> mlp(x, w1, w2)[0]
        array([32., 32., 32.], dtype=float32)
    """
    options = Arguments(target=target, threads=threads, table=table, effort=effort, math=math)
    require_first(first)
    if first is not None:
        options["first"] = first
    if function is None:
        return lambda given: Jitted(given, measure, fallback, **options)
    return Jitted(function, measure, fallback, **options)
