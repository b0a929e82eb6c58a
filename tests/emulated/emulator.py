"""Kernels of another architecture, compiled by a cross compiler and run by an emulator, behind griotte's own checks of
arguments: within `emulated`, what is compiled for a target of that architecture is called as if it ran here."""

from __future__ import annotations

import ctypes
import importlib.util
import shlex
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cffi
import griotte.machine
import launched
import pytest
from griotte.machine.detect import described
from griotte.runtime.saved import Library

QEMU = ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")
COMPILERS = {
    "gcc": ("aarch64-linux-gnu-gcc",),
    "clang": ("clang", "--target=aarch64-linux-gnu"),
    "zig": (sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-gnu"),
}
WARNINGS = ("-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror")
FEATURES = "fp asimd asimdhp asimddp asimdfhm i8mm bf16"
NUMBER, READ, WRITTEN, BOTH = range(4)


class Emulator:
    """A process that calls functions of libraries, by the words of a compiler and of an emulator."""

    def __init__(self, folder: Path, compiler: Sequence[str], emulator: Sequence[str]):
        self._program, source = folder / "host", Path(__file__).with_name("host.c")
        subprocess.run([*compiler, "-O1", "-std=gnu11", str(source), "-o", str(self._program), "-ldl"], check=True)
        self._words = [*emulator, str(self._program)]
        self._process: subprocess.Popen[bytes] | None = None

    def call(self, path: Path, function: str, arguments: Sequence[tuple[int, int, int]]) -> None:
        """Call it with numbers (NUMBER, value, 0), and with arrays (READ, WRITTEN or BOTH, address, bytes).
        Raises AssertionError where it ends or writes before an array."""
        process = self._started()
        assert process.stdin and process.stdout
        parts = [*(part for word in (str(path), function) for part in (_number(len(word.encode())), word.encode()))]
        parts.append(_number(len(arguments)))
        for kind, value, size in arguments:
            parts += [_number(kind), _number(value if kind == NUMBER else size)]
            parts += [ctypes.string_at(value, size)] * (kind in (READ, BOTH))
        try:
            process.stdin.write(b"".join(parts))
            process.stdin.flush()
            changed = process.stdout.read(8)
            assert len(changed) == 8
        except (AssertionError, BrokenPipeError):
            self.close()
            raise AssertionError(f"{function} in {path} ended with {process.returncode}") from None
        assert not _whole(changed), f"{function} wrote before one of its arrays"
        for kind, value, size in arguments:
            if kind in (WRITTEN, BOTH):
                ctypes.memmove(value, process.stdout.read(size), size)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._process

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _number(value: int) -> bytes:
    return struct.pack("<q", value)


def _whole(content: bytes) -> int:
    (found,) = struct.unpack("<q", content)
    return int(found)


class EmulatedLibrary:
    """A compiled library whose functions an emulator calls."""

    def __init__(self, library: Library, emulator: Emulator):
        self._library, self._emulator, self._ffi = library, emulator, cffi.FFI()

    def __getattr__(self, name: str) -> Any:
        takes = self._library.functions[name]
        return lambda *values: self._emulator.call(self._library.path, name, self._arguments(name, takes, values))

    def _arguments(self, name: str, takes: Sequence[str], values: Sequence[Any]) -> list[tuple[int, int, int]]:
        numbers = [int(v) for v, type in zip(values, takes) if "*" not in type]
        sizes, written = iter(self._sizes(name, numbers, values)), BOTH if name.endswith("_pack") else WRITTEN
        return [
            (NUMBER, int(value), 0)
            if "*" not in type
            else (READ if "const" in type else written, self._address(value), next(sizes))
            for value, type in zip(values, takes, strict=True)
        ]

    def _address(self, value: Any) -> int:
        return value if isinstance(value, int) else int(self._ffi.cast("intptr_t", value))

    def _sizes(self, name: str, numbers: Sequence[int], values: Sequence[Any]) -> list[int]:
        """The bytes of the arrays that a function takes, in order."""
        library, signature = self._library, self._library.signature
        if name == signature.function:
            at = [arg.at(numbers[0]) if numbers else arg for arg in (*signature.inputs, *signature.outputs)]
            weights = [] if library.weights is None else [library.weights]
            return [*weights, *(arg.packing.bytes if arg.packing else arg.nbytes for arg in at)]
        if library.weights is not None:
            return [len(value) for value in values[1:]]  # buffers, as models pack their constants
        arg = next(arg for arg in signature.inputs if arg.packing and arg.packing.function == name)
        assert arg.packing
        return [arg.nbytes, arg.packing.bytes]


def compiler(name: str) -> str:
    """A compiler of Arm, as CC has it, that takes no warning. Skips where it is not there."""
    words = COMPILERS[name]
    if shutil.which(words[0]) is None or "ziglang" in words and not importlib.util.find_spec("ziglang"):
        pytest.skip(f"expected {name} for Arm, found none; `make test-arm` installs gcc and clang")
    return shlex.join((*words, *WARNINGS))


@contextmanager
def emulated(folder: Path) -> Iterator[Emulator]:
    """While this runs, kernels are compiled by the cross compiler and called by the emulator, and so are programs that
    tests compile. Skips where one is not there."""
    if shutil.which(QEMU[0]) is None:
        pytest.skip(f"expected {QEMU[0]}, found none on PATH; `make test-arm` installs it")
    from griotte.runtime import loaded, model

    own = compiler("gcc")
    machine = described(f"Features : {FEATURES}", {1: 64 << 10, 2: 1 << 20, 3: 32 << 20}, 2, 2)
    with pytest.MonkeyPatch.context() as patch:
        found = Emulator(folder, shlex.split(own), QEMU)
        patch.setenv("CC", own)
        patch.setattr(launched, "BEFORE", QEMU)
        for module in (loaded, model):
            patch.setattr(module, "opened", lambda library: EmulatedLibrary(library, found))
        patch.setattr(griotte.machine, "detect", lambda: machine)
        patch.setattr(griotte.machine, "_named", griotte.machine._named.__wrapped__)
        try:
            yield found
        finally:
            found.close()
