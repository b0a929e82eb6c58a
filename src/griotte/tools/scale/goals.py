"""Goals to solve: a list in a TOML file, or a preset.

[[spec]]
text = "matmul(f32[512,512], f32[512,512])"
threads = [1, 2]                             # left out: those of --threads
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...lang.text.text import parse
from ...support.errors import SpecError

LARGEST_FILE = 1 << 20  # bytes
MOST_THREADS = 1024
_FORM = '[[spec]] with text = "exp(f32[8])" and, if wanted, threads = [1, 2]'


@dataclass(frozen=True)
class Goal:
    """A Spec, as text, to be solved for a number of threads."""

    spec: str
    threads: int = 1


def presets() -> dict[str, dict[str, Any]]:
    """The lists that come with griotte: by name, `about` and `spec`."""
    return tomllib.loads(Path(__file__).with_name("presets.toml").read_text(encoding="utf-8"))


def goals(name: str, threads: int = 1) -> list[Goal]:
    """The goals of a preset or of a TOML file, each once; all are read before any is worked on. SpecError where there
    are none."""
    known = presets()
    entries = known[name]["spec"] if name in known else _read(Path(name), known).get("spec")
    if not isinstance(entries, list) or not entries:
        raise SpecError(f"expected Specs in {name}, each as {_FORM}; found none")
    found = [goal for i, entry in enumerate(entries) for goal in _of(entry, f"[[spec]] {i + 1} of {name}", threads)]
    return list(dict.fromkeys(found))


def _read(path: Path, known: dict) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise SpecError(
            f"expected a TOML file of Specs or a preset ({', '.join(known)}), found"
            f" {getattr(error, 'strerror', None) or error}: {path}; check the path"
        ) from None
    if len(data) > LARGEST_FILE:
        raise SpecError(f"expected a TOML file of at most {LARGEST_FILE} bytes, found more in {path}; split it")
    try:
        return tomllib.loads(data.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SpecError(f"expected TOML, found {error} in {path}; write each Spec as {_FORM}") from None


def _of(entry: Any, where: str, default: int) -> list[Goal]:
    """The goals of one entry."""
    if not isinstance(entry, dict) or not isinstance(entry.get("text"), str) or entry.keys() - {"text", "threads"}:
        raise SpecError(f"expected {_FORM}, found {entry!r}, {where}; mend it")
    threads = entry.get("threads", [default])
    threads = threads if isinstance(threads, list) else [threads]
    if not threads or not all(
        isinstance(n, int) and not isinstance(n, bool) and 1 <= n <= MOST_THREADS for n in threads
    ):
        raise SpecError(
            f"expected threads as a list of integers from 1 to {MOST_THREADS}, found {entry['threads']!r}, {where};"
            " mend it"
        )
    try:
        return [Goal(str(parse(entry["text"])), n) for n in threads]
    except SpecError as error:
        raise SpecError(f"{error} ({where})") from None
