"""What object files, libraries and archives of other systems say of themselves: ELF and Mach-O of 64 bits."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

ELF_MACHINES, MACH_MACHINES = {62: "x86_64", 183: "aarch64"}, {0x1000007: "x86_64", 0x100000C: "aarch64"}
KINDS = {("linux", 1): "object", ("linux", 3): "library", ("macos", 1): "object", ("macos", 6): "library"}


@dataclass(frozen=True)
class ObjectFile:
    """The system and the machine that a file is for, whether it is an object or a library, and the symbols that it
    defines for others."""

    system: str
    machine: str
    kind: str
    symbols: frozenset[str]

    @property
    def is_for(self) -> str:
        return f"{self.machine}-{self.system}"


def object_file(content: bytes) -> ObjectFile:
    """What an object or a library says."""
    if content[:6] == b"\x7fELF\x02\x01":
        kind, machine = struct.unpack_from("<HH", content, 16)
        return ObjectFile("linux", ELF_MACHINES[machine], KINDS["linux", kind], frozenset(_of_elf(content)))
    magic, machine, _, kind = struct.unpack_from("<4I", content)
    assert magic == 0xFEEDFACF, content[:16]
    return ObjectFile("macos", MACH_MACHINES[machine], KINDS["macos", kind], frozenset(_of_mach(content)))


def members(archive: bytes) -> Iterator[bytes]:
    """The object files of an archive."""
    assert archive[:8] == b"!<arch>\n"
    at = 8
    while at < len(archive):
        name, size = archive[at : at + 16].decode().strip(), int(archive[at + 48 : at + 58])
        content = archive[at + 60 : at + 60 + size]
        if name.startswith("#1/"):  # its name is before its content
            length = int(name[3:])
            name, content = content[:length].rstrip(b"\0").decode(), content[length:]
        if name not in ("/", "//", "/SYM64/") and not name.startswith("__.SYMDEF"):
            yield content
        at += 60 + size + size % 2


def _of_elf(content: bytes) -> Iterator[str]:
    (table,), (each, count) = struct.unpack_from("<Q", content, 40), struct.unpack_from("<HH", content, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", content, table + each * n) for n in range(count)]
    for _, kind, _, _, begin, size, link, _, _, _ in sections:
        if kind not in (2, 11):  # the table of symbols, that of the dynamic linker
            continue
        for at in range(begin, begin + size, 24):
            name, info, other, where = struct.unpack_from("<IBBH", content, at)
            if where and info >> 4 and other & 3 == 0:  # defined; global or weak; visible
                yield _text(content, sections[link][4] + name)


def _of_mach(content: bytes) -> Iterator[str]:
    (commands,), at = struct.unpack_from("<I", content, 16), 32
    for _ in range(commands):
        command, size = struct.unpack_from("<II", content, at)
        if command == 2:  # LC_SYMTAB
            begin, count, names, _ = struct.unpack_from("<4I", content, at + 8)
            for entry in range(begin, begin + 16 * count, 16):
                name, kind, _, _, _ = struct.unpack_from("<IBBHQ", content, entry)
                if kind & 0x0E and kind & 0x11 == 1 and not kind & 0xE0:  # defined; of others too; not for debuggers
                    yield _text(content, names + name).removeprefix("_")
        at += size


def _text(content: bytes, at: int) -> str:
    return content[at : content.index(b"\0", at)].decode()
