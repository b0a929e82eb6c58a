"""The C compiler in use: which one, the machine that it compiles for, and its flags."""

import functools
import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..machine.architectures import is_one_machine
from ..support.errors import ToolchainError
from ..support.folders import private_dir

# Not -ffast-math: generated code relies on infinities, NaN, -0.0 and the order of sums.
BASE_FLAGS = (
    "-O3",
    "-std=gnu11",
    "-fPIC",
    "-pthread",
    "-fwrapv",
    "-ffp-contract=fast",
    "-fno-math-errno",
    "-Werror=implicit-function-declaration",
)


# Threads may wait on in a library's code, or in that of OpenMP, which would go with the last library that needs it.
SHARED_FLAGS = ("-shared",)
STAYING = "-Wl,-z,nodelete"  # of Linux, besides
OBJECT_FLAGS = ("-c",)
HIDDEN = "-fvisibility=hidden"  # for `extra_flags`: what is defined stays within the library that it is linked into
# For `extra_flags`, where a source has no (float)(int)x: that becomes trunc(x) with gcc, and
# -0.0 for x in (-1, 0).  Else it is safe, gives up status flags that no kernel reads, and
# lets gcc vectorise C's ?: (3 times faster on plain loops; explicit blends need no flag).
NO_TRAPS = "-fno-trapping-math"
QUICK = "-Og"  # for `extra_flags`: the last one counts. Half the time of -O1 with gcc 12, and no slower on leaves
OPENMP = "-fopenmp"  # for `extra_flags`
PROBE_SECONDS = 60  # the wheel's first start unpacks itself
_TARGET, _SYSTEM = re.compile(r"^Target: (\S+)$", re.M), re.compile(r"\w+(-[\w.]+)+")
_SYSTEMS = {"linux": "linux", "darwin": "darwin|macos", "win32": "windows|mingw|w64"}
Kind = Literal["gcc", "clang", "zig"]


@dataclass(frozen=True)
class Compiler:
    """A C compiler that answered ``--version``, and what it said there that it compiles for, if it said so."""

    command: tuple[str, ...]
    kind: Kind
    version: str
    told: str = ""

    def flags(self, machine_flags: tuple[str, ...], of: tuple[str, ...] = SHARED_FLAGS) -> tuple[str, ...]:
        """All flags of a kernel, without the file names; `of` those of a library or of an object."""
        staying = (STAYING,) if of == SHARED_FLAGS and "linux" in (self.system or sys.platform) else ()
        return BASE_FLAGS + of + staying + _kind_flags(self.kind, machine_flags)

    @property
    def system(self) -> str:
        """The machine and the system that it compiles for, such as x86_64-linux-gnu; empty where it does not say."""
        return self.told or _dumped(self.command)

    @property
    def machine(self) -> str:
        """The machine that it compiles for, such as x86_64."""
        return self.system.split("-")[0]

    @property
    def is_for_here(self) -> bool:
        """Whether this machine and its system run what it compiles, as far as it says."""
        found = re.search(_SYSTEMS.get(sys.platform, ""), self.system)
        return not self.system or (is_one_machine(self.machine, platform.machine().lower()) and found is not None)


def find_compiler() -> Compiler:
    """$CC where it is set, else the first of gcc, clang, cc and the ziglang wheel.

    Raises ToolchainError where there is none.  Takes one ``--version`` (a few ms).
    """
    return _find_compiler(os.environ.get("CC", "").strip(), os.environ.get("PATH"))


def compiler_for_here() -> Compiler:
    """A compiler of C that runs in this process: $CC, or where that compiles for another machine the compiler that is
    taken without it.

    Raises ToolchainError where there is none.
    """
    found = find_compiler()
    return found if found.is_for_here else _find_compiler("", os.environ.get("PATH"))


@functools.cache
def _find_compiler(cc: str, path: str | None) -> Compiler:
    if cc:
        return _chosen(cc)
    for name in ("gcc", "clang", "cc"):
        compiler = _probe((name,)) if shutil.which(name, path=path) else None
        if compiler:
            return compiler
    if importlib.util.find_spec("ziglang"):
        compiler = _probe((sys.executable, "-m", "ziglang", "cc"))
        if compiler:
            return compiler
    raise ToolchainError(
        "expected a C compiler, found none: looked for $CC (not set), gcc, clang and cc on "
        "PATH and for the ziglang wheel; install gcc or clang, or run: "
        "pip install 'griotte[zig]'"
    )


def _chosen(cc: str) -> Compiler:
    """The compiler of $CC: the one asked for, or an error, never another one."""
    try:
        command = tuple(shlex.split(cc))
    except ValueError:
        command = (cc,)
    compiler = _probe(command)
    if compiler is None:
        raise ToolchainError(
            f"expected a C compiler in $CC, found {cc!r}, which does not answer --version; "
            "unset CC or set it to one, such as CC=gcc"
        )
    return compiler


def archiver(compiler: Compiler) -> tuple[str, ...]:
    """What makes static libraries: $AR where it is set, the wheel's own, else ar or that of gcc or LLVM."""
    if chosen := os.environ.get("AR", "").strip():
        return tuple(shlex.split(chosen))
    if compiler.kind == "zig":
        return (*compiler.command[: compiler.command.index("cc")], "ar")
    for name in ("ar", "gcc-ar", "llvm-ar"):
        if shutil.which(name):
            return (name,)
    raise ToolchainError("expected ar, which makes static libraries, found none on PATH; install binutils, or set AR")


def _probe(command: tuple[str, ...]) -> Compiler | None:
    answer = _answer(command, "--version")
    if not answer or not answer.strip():
        return None
    version, target = answer.strip().splitlines()[0].strip(), _TARGET.search(answer)
    return Compiler(command, _kind(command, answer), version, target[1] if target else "")


@functools.cache
def _dumped(command: tuple[str, ...]) -> str:
    """What a compiler says that it compiles for; empty where it does not."""
    answer = _answer(command, "-dumpmachine")
    return answer.strip() if answer and _SYSTEM.fullmatch(answer.strip()) else ""


def _answer(command: tuple[str, ...], asked: str) -> str | None:
    """A compiler's answer to a flag; None where the command is no compiler."""
    try:
        done = subprocess.run(
            [*command, asked],
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=PROBE_SECONDS,
            env=environment(command),
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return None if done.returncode else done.stdout


def _kind(command: tuple[str, ...], answer: str) -> Kind:
    if any("zig" in Path(word).name for word in command):
        return "zig"
    return "clang" if "clang" in answer else "gcc"


def _kind_flags(kind: Kind, machine_flags: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the machine, as this compiler takes them, after its own."""
    if kind == "zig":
        # Left alone, zig compiles for the machine it runs on, and traps on overflow. It knows no -march=..+..,
        # but the extensions.
        march = [flag for flag in machine_flags if flag.startswith("-march=")]
        extensions = ["+".join(["", *flag.split("+")[1:]]) for flag in march]
        others = (flag for flag in machine_flags if flag not in march)
        return ("".join(["-mcpu=baseline", *extensions]), "-fno-sanitize=undefined", *others)
    if kind == "gcc" and machine_flags:
        # The code is in vectors already: what gcc finds to vectorise are leftovers, at up to six times the compile
        # time.
        return ("-fno-tree-loop-vectorize", *machine_flags)
    return tuple(machine_flags)


def environment(command: tuple[str, ...]) -> dict[str, str]:
    """English messages; and the wheel's own cache beside ours, home directory or not."""
    environment = {**os.environ, "LC_ALL": "C"}
    if any("zig" in Path(word).name for word in command):
        environment.setdefault("ZIG_GLOBAL_CACHE_DIR", str(private_dir("zig")))
        environment.setdefault("ZIG_LOCAL_CACHE_DIR", environment["ZIG_GLOBAL_CACHE_DIR"])
    return environment
