"""The verbs of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click


class Verbs(click.Group):
    """A group of verbs, each loaded when it is called.

    Attributes:
        package: the package of their modules.
        verbs: the module of each verb, by name, in the order in which errors name them. The module holds a command of
            that name. Beside it stands its line in a list of verbs (the first sentence of its own help), so that a list
            loads none.
    """

    def __init__(self, name: str, *, package: str, verbs: Mapping[str, tuple[str, str]], **more):
        super().__init__(name, **{"subcommand_metavar": "VERB ...", **more})
        self.package, self.verbs = package, verbs

    def list_commands(self, ctx) -> list[str]:
        return sorted(self.verbs)

    def get_command(self, ctx, name: str) -> click.Command | None:
        return getattr(import_module(f"{self.package}.{self.verbs[name][0]}"), name) if name in self.verbs else None

    def format_commands(self, ctx, formatter) -> None:
        room = formatter.width - 6 - max(map(len, self.verbs))
        brief = lambda name: click.Command(name, help=self.verbs[name][1]).get_short_help_str(room)
        with formatter.section("Commands"):
            formatter.write_dl([(name, brief(name)) for name in self.list_commands(ctx)])

    def resolve_command(self, ctx, args):
        if args[0] not in self.verbs:
            after = f" after {ctx.command_path}" if ctx.parent is not None else ""
            told = f"expected a verb ({' '.join(self.verbs)}){after}, found {args[0]!r}"
            raise click.UsageError(f"{told}; see {ctx.command_path} --help", ctx)
        return super().resolve_command(ctx, args)


VERBS = {
    "compile": ("programs", "Find the best program for SPEC, or for a model's file, and compile it."),
    "check": (
        "programs",
        "Compile each SPEC and compare its results with the reference, on random, whole-number and hostile data.",
    ),
    "bench": ("programs", "Time each SPEC's kernel, or that of a model's file, beside others."),
    "explain": (
        "programs",
        "Show the best program for SPEC, or for a model's file, and what each part of it costs.",
    ),
    "targets": ("machine", "List the targets by name, and whether this CPU runs them."),
    "doctor": ("machine", "Look at this machine: compiler, CPU, caches, files."),
    "calibrate": ("calibrate", "Measure this machine, and write a target for --target."),
    "table": ("table", "Look at tables of solved Specs, join, check and fill them."),
    "learn": ("learn", "Time programs of many Specs, fit a model of their times, judge it."),
}
