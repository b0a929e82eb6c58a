"""A compiler's header of intrinsics, without the parts that a kernel's flags have no use for.

To read that header is most of the time of a small kernel's compilation. Its parts are headers that it includes one by
one, and only declare: without some, the code that comes of it is the same to the byte.
"""

from __future__ import annotations

import functools
import re
import subprocess
from pathlib import Path

from ..machine.architectures import parts_for
from .compilers import PROBE_SECONDS, Compiler

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(\w+\.h)>[^\n]*$", re.M)


def narrowed(compiler: Compiler, flags: tuple[str, ...], source: str, folder: Path) -> tuple[str, ...]:
    """Flags more, with which gcc that runs in a folder reads there a shorter header for a source; none where it is to
    read its own. Raises OSError where there is no room for it."""
    parts = parts_for(source, flags) if compiler.kind == "gcc" else None
    text = _without(compiler.command, parts.header, parts.names) if parts else ""
    if parts is None or not text or not _is_enough(compiler.command, flags, text):
        return ()
    (folder / parts.header).write_text(text, encoding="utf-8")
    return ("-I.",)


@functools.cache
def _without(command: tuple[str, ...], header: str, names: frozenset[str]) -> str:
    """The text of a compiler's header, with these includes alone; empty where it is not found, or lacks one of them."""
    try:
        asked = [*command, f"-print-file-name=include/{header}"]
        done = subprocess.run(asked, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PROBE_SECONDS)
        text = Path(done.stdout.strip()).read_text(encoding="utf-8")
    except (OSError, subprocess.SubprocessError, ValueError):
        return ""
    if not names <= set(_INCLUDE.findall(text)):
        return ""
    return _INCLUDE.sub(lambda found: found[0] if found[1] in names else "", text)


@functools.cache
def _is_enough(command: tuple[str, ...], flags: tuple[str, ...], text: str) -> bool:
    """Whether a header's text is read without what was left out of it: another version of the compiler may have parts
    that build on those."""
    try:
        asked = [*command, *flags, "-fsyntax-only", "-x", "c", "-"]
        done = subprocess.run(asked, input=text, capture_output=True, text=True, timeout=PROBE_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0
