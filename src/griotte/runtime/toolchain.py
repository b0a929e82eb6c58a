"""Turning C source into a shared library, once.

Not here: the source's content, and which machine flags a target needs.
"""

from __future__ import annotations

import hashlib
import platform
import shlex
import subprocess
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from ..machine.architectures import architecture_of
from ..support.errors import ToolchainError
from ..support.folders import (
    code_dir,
    is_private,
    note_use,
    process_dir,
    reading_dirs,
    takes_code,
    temporary_folder,
    warn_unwritable,
    writable_dir,
    write_atomically,
)
from .compilers import OBJECT_FLAGS, Compiler, archiver, compiler_for_here, environment, find_compiler
from .narrowing import narrowed

# Part of every cache key: raise it when the same inputs should give another library.
FORMAT = 1
COMPILE_SECONDS = 600
ERROR_LINES = 3


def compile_shared(
    source: str,
    machine_flags: tuple[str, ...] = (),
    *,
    extra_flags: tuple[str, ...] = (),
    prefix: str = "",
    pieces: tuple[str, ...] = (),
    needs: frozenset[str] | None = frozenset(),
    begun: ObjectFiles | None = None,
) -> Path:
    """The shared library of a C source, from the cache where it is there and whole.

    `machine_flags` come from the target; `extra_flags` go last. The library's name begins with `prefix`. `pieces` are
    the source in several parts, compiled at the same time, but for those that are `begun`, by the same flags. The
    library `needs` CPU features of a target, or (None) is to run here, whatever $CC compiles for. Safe from many
    threads and processes at once. Raises ToolchainError.
    """
    compiler = compiler_for_here() if needs is None else find_compiler()
    flags = (*compiler.flags(machine_flags), *extra_flags)
    name = f"{prefix}{_key(source, flags, compiler)}.so"
    for folder in reading_dirs():
        library = folder / "kernels" / name
        if verified(library):
            note_use(library)
            return library
    from .cache_size import limit, wrote  # and with it the table: a kernel that is there does without

    limit()  # a wrong one is told before there is work to lose
    _check_machine(compiler, needs or frozenset())
    content = None
    if pieces:
        with begun or ObjectFiles(machine_flags, extra_flags, compiler) as objects:
            content = objects.linked(pieces)
    if content is None:  # or a piece is refused: the whole says why
        content = _build({"kernel.c": source.encode()}, flags, compiler)
    library = _publish(content, name)
    wrote(len(content))
    return library


def compile_object(
    files: dict[str, bytes],
    machine_flags: tuple[str, ...] = (),
    *,
    extra_flags: tuple[str, ...] = (),
    needs: frozenset[str] = frozenset(),
) -> bytes:
    """The object file of the first of some files, which is C and may include the others; it `needs` CPU features of a
    target. Not cached. Raises ToolchainError."""
    compiler = find_compiler()
    _check_machine(compiler, needs)
    return _build(files, (*compiler.flags(machine_flags, OBJECT_FLAGS), *extra_flags), compiler, "kernel.o")


def archive(objects: dict[str, bytes]) -> bytes:
    """A static library of object files, each with its name. Raises ToolchainError."""
    command = archiver(find_compiler())
    with _folder(command[0]) as folder:
        for name, content in objects.items():
            (folder / name).write_bytes(content)
        done = _ran([*command, "rcsD", "library.a", *objects], folder, command)
        if done.returncode == 0:
            return (folder / "library.a").read_bytes()
    told = " | ".join(done.stderr.split("\n")[:ERROR_LINES])
    raise ToolchainError(f"expected {' '.join(command)} to make a static library, found: {told}; set AR to another one")


def verified(library: Path) -> bool:
    """Whether a library has the content whose sha256 was stored beside it, where nobody else could write it."""
    if not is_private(library) or not takes_code(library):
        return False
    try:
        expected = _digest_file(library).read_bytes()
        return expected == _sha256(library.read_bytes())
    except OSError:
        return False


def _build(files: dict[str, bytes], flags: tuple[str, ...], compiler: Compiler, result: str = "kernel.so") -> bytes:
    """The content of the file that the first of some files is compiled to; or ToolchainError, and that first file is
    kept."""
    source = next(iter(files))
    with _folder(" ".join(compiler.command)) as folder:
        # Fixed names in a folder of its own: the same source gives the same bytes, so two
        # processes that publish one key at once publish one content.
        for name, content in files.items():
            (folder / name).write_bytes(content)
        libraries = ["-lm"] if result.endswith(".so") else []
        found = narrowed(compiler, flags, files[source].decode(), folder)
        command = [*compiler.command, *flags, *found, source, "-o", result, *libraries]
        done = _ran(command, folder, compiler.command)
        if done.returncode == 0 and (folder / result).exists():
            return (folder / result).read_bytes()
        if "No space left" in done.stderr:
            raise OSError("no space left on the device")
    raise ToolchainError(_refusal(done.stderr, files[source].decode(), flags, compiler))


class ObjectFiles:
    """Sources that are compiled at the same time, each by a process of its own, for one library. Leaving it ends what
    still runs, and takes the files away.

    Args:
        machine_flags: as of compile_shared.
        extra_flags: the same.
        compiler: what runs; None: the one that is found.

    Raises:
        ToolchainError: there is no compiler, or no room for its files.
    """

    def __init__(
        self,
        machine_flags: tuple[str, ...] = (),
        extra_flags: tuple[str, ...] = (),
        compiler: Compiler | None = None,
    ):
        self._compiler = compiler or find_compiler()
        self._objects = (*self._compiler.flags(machine_flags, OBJECT_FLAGS), *extra_flags)
        self._flags = (*self._compiler.flags(machine_flags), *extra_flags)
        self._until = ExitStack()
        self._folder = self._until.enter_context(_folder(" ".join(self._compiler.command)))
        self._started: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> ObjectFiles:
        return self

    def __exit__(self, *error: Any) -> None:
        for process in self._started:
            process.kill()
            process.wait()
        self._until.__exit__(*error)

    @property
    def running(self) -> int:
        """Compilers that have not ended."""
        return sum(process.poll() is None for process in self._started)

    def begin(self, text: str) -> None:
        """Let a source be compiled from now on."""
        number = len(self._started)
        (self._folder / f"{number}.c").write_text(text)
        found = narrowed(self._compiler, self._objects, text, self._folder)
        words = [*self._compiler.command, *self._objects, *found, f"{number}.c", "-o", f"{number}.o"]
        self._started.append(_started(words, self._folder, self._compiler.command))

    def linked(self, texts: Iterable[str] = ()) -> bytes | None:
        """The content of the library of the sources that were begun and of these; None where one is refused."""
        for text in texts:
            self.begin(text)
        if not self._are_compiled():
            return None
        files = (f"{number}.o" for number in range(len(self._started)))
        command = [*self._compiler.command, *self._flags, *files, "-o", "kernel.so", "-lm"]
        done = _ran(command, self._folder, self._compiler.command)
        return (self._folder / "kernel.so").read_bytes() if done.returncode == 0 else None

    def _are_compiled(self) -> bool:
        """Whether all are, once they have ended: waits asleep, where `Popen.wait` with a limit would look up to 50 ms
        late."""
        late = threading.Event()

        def end() -> None:
            late.set()
            for process in self._started:
                process.kill()

        timer = threading.Timer(COMPILE_SECONDS, end)
        timer.daemon = True
        timer.start()
        try:
            are_right = not any(process.wait() for process in self._started)
        finally:
            timer.cancel()
        if late.is_set():
            raise subprocess.TimeoutExpired(self._compiler.command, COMPILE_SECONDS)
        return are_right


@contextmanager
def _folder(command: str) -> Iterator[Path]:
    """A folder for the files that a command makes; where there is no room for it, ToolchainError."""
    try:
        with temporary_folder() as folder:
            yield Path(folder)
    except (OSError, subprocess.SubprocessError) as error:
        raise ToolchainError(
            f"expected {command} to compile a kernel, found {error}, in a temporary "
            "directory; free some space there or set TMPDIR"
        ) from error


def _ran(words: list[str], folder: Path, command: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        timeout=COMPILE_SECONDS,
        env=_environment(folder, command),
    )


def _started(words: list[str], folder: Path, command: tuple[str, ...]) -> subprocess.Popen[bytes]:
    """A process that gives nothing but its status."""
    nothing = subprocess.DEVNULL
    env = _environment(folder, command)
    return subprocess.Popen(words, cwd=folder, stdin=nothing, stdout=nothing, stderr=nothing, env=env)


def _environment(folder: Path, command: tuple[str, ...]) -> dict[str, str]:
    return {**environment(command), "TMPDIR": str(folder)}


def _refusal(stderr: str, source: str, flags: tuple[str, ...], compiler: Compiler) -> str:
    lines = [line for line in stderr.splitlines() if "error" in line.lower()]
    lines = lines or stderr.splitlines() or ["no message"]
    kept = _keep(source, f"{_key(source, flags, compiler)}.c")
    command = shlex.join([*compiler.command, *flags, str(kept), "-o", "kernel.so", "-lm"])
    errors = " | ".join(line.strip() for line in lines[:ERROR_LINES])
    return (
        f"expected C that {compiler.version} compiles, found: {errors}; the source is kept "
        f"in {kept}; see it fail with: {command}"
    )


def _check_machine(compiler: Compiler, needs: frozenset[str]) -> None:
    """ToolchainError where a compiler does not compile for the architecture that these are features of: some of its C
    would be taken, and be wrong."""
    architecture = architecture_of(needs)
    if architecture is None or compiler.machine in ("", *architecture.compiled.machines):
        return
    asked = architecture.compiled.machines[0]
    raise ToolchainError(
        f"expected a compiler for {asked}, found {shlex.join(compiler.command)} for {compiler.machine}"
        f" ({compiler.version}); set CC, e.g. CC={asked}-linux-gnu-gcc, or after pip install 'griotte[zig]'"
        f" CC='python -m ziglang cc -target {asked}-linux-gnu'"
    )


def _keep(source: str, name: str) -> Path:
    kept = writable_dir("failed") / name
    try:
        write_atomically(kept, source.encode())
    except OSError as error:
        warn_unwritable(error)
    return kept


# The cache of libraries ----------------------------------------------------------------


def _key(source: str, flags: tuple[str, ...], compiler: Compiler) -> str:
    """A name for all that the library's content depends on."""
    parts = (
        str(FORMAT),
        platform.machine(),
        compiler.kind,
        compiler.version,
        shlex.join(compiler.command[1:]),
        shlex.join(flags),
        source,
    )
    return _sha256("\0".join(parts).encode()).decode()


def _publish(content: bytes, name: str) -> Path:
    """Put a library into the cache, or where that fails into this process's folder."""
    try:
        return _store(content, code_dir("kernels") / name)
    except OSError as error:
        warn_unwritable(error)
    try:
        folder = process_dir() / "kernels"
        folder.mkdir(exist_ok=True)
        return _store(content, folder / name)
    except OSError as error:
        raise ToolchainError(
            f"expected room for a compiled kernel of {len(content)} bytes, found {error}; "
            "free some space, or set GRIOTTE_CACHE to a directory that has some"
        ) from error


def _store(content: bytes, library: Path) -> Path:
    # A process killed between the two leaves a library that is not verified: rebuilt.
    write_atomically(library, content, mode=0o644)  # code: of its owner to write, whatever the umask says
    write_atomically(_digest_file(library), _sha256(content))
    return library


def _digest_file(library: Path) -> Path:
    return library.with_suffix(".sha256")


def _sha256(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()
