"""The options of `griotte compile` by which it writes a package for C and C++ programs, or a wheel, as well."""

from __future__ import annotations

from typing import Any

import click

from ...runtime.packaging.package import WEIGHTS_IN, PackageOptions
from ...support.errors import SpecError
from .options import WordChoice


def options(command):
    """What is asked for beside a kernel's own files: a package for C and C++ programs."""
    for option in reversed(
        (
            click.option("--name", metavar="NAME", help="With -o a package for C and C++ as well."),
            click.option("--cmake", is_flag=True, help="The same, for CMake's find_package."),
            click.option("--pkgconfig", is_flag=True, help="The same, for pkg-config."),
            click.option("--targets", metavar="T,..", help="The same, for each of these targets."),
            click.option("--weights", type=WordChoice(*WEIGHTS_IN), help="Where it has a model's constants  [file]"),
            click.option("--wheel", metavar="NAME", help="With -o a wheel that runs it by NumPy alone as well."),
        )
    ):
        command = option(command)
    return command


def asked(directory: str | None, emit: str | None, threads_by: str, package: dict[str, Any]) -> PackageOptions:
    """The package that is asked for by these options, if one is."""
    targets, weights = package["targets"], package["weights"]
    names = [each.strip() for each in targets.split(",")] if targets is not None else None
    found = PackageOptions(**package | {"targets": names}, threads_by=threads_by)
    if (found.are_asked_for or found.wheel is not None) and (directory is None or emit is not None):
        raise SpecError(
            f"expected -o DIR and no --emit beside --name, --cmake, --pkgconfig, --targets and --wheel, found"
            f" {'no -o' if directory is None else f'--emit {emit}'}; say where the package goes"
        )
    if weights is not None and not found.are_asked_for:
        raise SpecError("expected --name, --cmake, --pkgconfig or --targets beside --weights, found none; add one")
    return found
