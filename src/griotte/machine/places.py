"""Places of the files of machines that do not come with griotte. A user or a fleet gives some; one was measured here
without being asked, and is kept in the cache beside the kernels."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import platformdirs

from ..support.errors import TargetError
from ..support.folders import cache_dir, has_place, kept_dir
from .detect import Machine

GIVEN = "GRIOTTE_MACHINES"
"""Names folders of such files, or files, between the system's separators of paths."""

CALIBRATE = "GRIOTTE_CALIBRATE"
OFF, NOW = WORDS = ("off", "now")

KEPT = "machines"
"""The folder of the cache."""

PROBED = 1
"""The version of the unasked measurements: a file of another version is measured anew."""


def word() -> str:
    """What GRIOTTE_CALIBRATE says, empty where it says nothing; TargetError where that is neither of the words."""
    found = os.environ.get(CALIBRATE, "")
    if found and found not in WORDS:
        raise TargetError(
            f"expected {' or '.join(WORDS)} in {CALIBRATE}, found {found!r}; write one of them, or unset it"
        )
    return found


def told() -> tuple[str, ...]:
    """All that the environment says of where files of machines are, and of whether there may be one of this."""
    return word(), os.environ.get(GIVEN, ""), os.environ.get("GRIOTTE_CACHE", "")


def given() -> list[Path]:
    """The files that a user or a fleet gives: those that GRIOTTE_MACHINES names, else those of the folder `machines` of
    the user's configuration. TargetError where it names a place that is not there."""
    if named := os.environ.get(GIVEN):
        return [path for each in named.split(os.pathsep) if each for path in _named(Path(each).expanduser())]
    with suppress(RuntimeError, KeyError, OSError):  # no HOME, and a uid that has no name; a folder that cannot be read
        return sorted(config().glob("*.toml"))
    return []


def config() -> Path:
    """The folder of the user's configuration in which files of machines are looked for."""
    return Path(platformdirs.user_config_dir("griotte")) / "machines"


def _named(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(path.glob("*.toml"))
    if path.is_file():
        return [path]
    raise TargetError(
        f"expected folders or files of machines in {GIVEN}, found {str(path)!r}; name what is there, or unset it"
    )


def fingerprint(machine: Machine, base: str) -> str:
    """The name of the file that is kept of a machine by the vectors of a built-in target. It holds what measured prices
    depend on: the CPU, its caches and the cores that a process has, but no compiler."""
    maker, family, model = machine.cpu
    facts = (PROBED, *machine.cpu, machine.name, sorted(machine.caches.items()), machine.is_guest, machine.cpus)
    digest = hashlib.blake2b(repr((*facts, min(2, machine.cores), base)).encode(), digest_size=6).hexdigest()
    known = "".join(c for c in maker if c.isalnum() and c.isascii())[:32]
    return f"{known or 'unknown'}-{family}-{model}-{base}-{digest}"


def kept(name: str) -> Iterator[Path]:
    """Where the file of this name may be, in the order of the look-up. A cache that cannot be written, as one that came
    with an image, is read too."""
    if has_place():
        yield cache_dir() / KEPT / f"{name}.toml"
    if folder := kept_dir(KEPT):
        yield folder / f"{name}.toml"
