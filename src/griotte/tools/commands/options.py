"""What the verbs take: arguments, and the options that they share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any, NamedTuple

import click

from ...compiler.session import SearchArguments
from ...machine import NAMES
from ...machine import runnable as required
from ...machine.target import Target
from ...runtime.leaves import resolved
from ...support.floats import WORDS
from .output import JSON

MOST_THREADS = 1024


Verb = Callable[..., None]
Option = Callable[[Verb], Verb]


class Count(click.ParamType):
    """A number of `kind` from `least` to `most`."""

    name = "N"

    def __init__(self, least: float = 1, most: float = MOST_THREADS, kind: type = int):
        self.least, self.most, self.kind = least, most, kind

    def convert(self, value, param, ctx):
        try:
            number = self.kind(value)
        except ValueError:
            number = self.least - 1
        if not self.least <= number <= self.most:
            raise click.BadParameter(
                f"expected {'an integer' if self.kind is int else 'a number'} from {self.least} to {self.most} for"
                f" {param.opts[-1]}, found {value!r}; write one",
                ctx,
                param,
            )
        return number


class WordChoice(click.ParamType):
    """One of a few words."""

    def __init__(self, *words: str):
        self.words, self.name = words, "|".join(words)

    def get_metavar(self, param, ctx=None):
        return self.name

    def convert(self, value, param, ctx):
        if value not in self.words:
            raise click.BadParameter(
                f"expected {' or '.join(self.words)} for {param.opts[-1]}, found {value!r}; write one of them",
                ctx,
                param,
            )
        return value


file = click.argument("file", metavar="FILE")
one_spec = click.argument("spec", metavar="SPEC")
specs = click.argument("specs", metavar="SPEC...", nargs=-1)
target = click.option("--target", default="native", metavar="T", help=f"{', '.join(NAMES)} or a .toml file  [native]")
threads = click.option("--threads", default=1, type=Count(), help="Threads the kernel runs on  [1]")
table = click.option("--table", metavar="FILE", help="Table of solved Specs; none: from nothing  [the user's own]")
memory = click.option("--memory", metavar="SIZE", help="Bound on the memory of the search, such as 1GiB  [none]")
tune = click.option(
    "--tune", metavar="K", type=Count(1, 1000), help="Time the K best programs, keep the fastest; 1: none  [known]"
)
tune_seconds = click.option(
    "--tune-seconds",
    metavar="S",
    type=click.FloatRange(0, min_open=True),
    help="Of a model: time its parts for so long",
)
model = click.option(
    "--model",
    metavar="M.gtm",
    help="By this model of times, or the one that is known; it picks what --tune times.",
)
effort = click.option(
    "--effort", default=2, metavar="N", type=Count(0, 3), help="How much a search may be, 0 (little) to 3  [2]"
)
math = click.option("--math", type=WordChoice(*WORDS), help="What is promised of floats  [default]")
as_json = click.option(
    "--json",
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({JSON: value}),
    help="One JSON object on standard output.",
)


shapes = click.option(
    "--shape",
    "shapes",
    multiple=True,
    metavar="X=N,..",
    help="Sizes of a model's input: x=1,3,48,192, 'x=<=8,3'; repeatable.",
)
constants = click.option(
    "--constant", "constants", multiple=True, metavar="X=FILE", help="A model's input that is known: a .npy file."
)
host = click.option(
    "--host", metavar="H", help="What runs nodes of a model that griotte lacks: onnxruntime or numpy  [none]"
)


def of_search(*more: Option, beside: tuple[Option, ...] = (), timed: bool = True) -> Option:
    """The options of a verb that searches, which come to it as one, `asked`.

    Args:
        more: those of the verb after them.
        beside: those after --threads.
        timed: whether --tune, --tune-seconds and --model are among them.
    """
    known = (
        target,
        threads,
        *beside,
        table,
        memory,
        effort,
        math,
        *(tune, tune_seconds, model) * timed,
        shapes,
        constants,
    )
    order: list[Any] = [*known, *more, as_json]

    def decorate(verb: Verb) -> Verb:
        found = gathered(verb)
        for option in reversed(order):
            found = option(found)
        return found

    return decorate


class Named(NamedTuple):
    """SPEC arguments, with the sizes and arrays of the inputs of a model among them."""

    words: tuple[str, ...]
    shapes: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()


def gathered(verb: Callable[..., None]) -> Callable[..., None]:
    """A verb that takes what its options ask of a search as one, `asked`; and, where it takes models, what its
    arguments name as one, `named`."""

    @wraps(verb)
    def run(**words: Any) -> None:
        given: dict[str, Any] = {"asked": {name: words.pop(name) for name in _ASKED & words.keys()}}
        if "shapes" in words:
            specs = words.pop("specs") if "specs" in words else words.pop("spec")
            given["named"] = Named(
                (specs,) if isinstance(specs, str) else specs, words.pop("shapes"), words.pop("constants")
            )
        verb(**given, **words)

    return run


def as_one(name: str, kind: type) -> Option:
    """What a verb takes as one: the options that are fields of a dataclass."""

    def decorate(verb: Verb) -> Verb:
        @wraps(verb)
        def run(**words: Any) -> None:
            verb(**{name: kind(**{each.name: words.pop(each.name) for each in fields(kind)})}, **words)

        return run

    return decorate


_ASKED = SearchArguments.__optional_keys__


def runnable(name: str | Target, math: str | None = None) -> Target:
    """The Target, if this CPU runs its code; TargetError otherwise."""
    return required(resolved(name, math))
