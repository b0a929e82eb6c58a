"""A model's file without the data of its large initializers, which is mapped where it lies.

A ModelProto is fields that stand one after the other, each a tag and a value; a message within is a field with its
length before it (https://protobuf.dev/programming-guides/encoding/). What is long in a model is field 9 (raw_data) of
field 5 (initializer) of field 7 (graph). Each such field of LARGE bytes or more is replaced by the words for data in
another file (external_data, data_location), and that file is the model's own: so it is read by a map, and never twice.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator

LARGE = 1 << 16  # bytes of an initializer that is mapped
GRAPH, INITIALIZER, RAW_DATA, EXTERNAL_DATA, DATA_LOCATION = 7, 5, 9, 13, 14
VARINT, FIXED64, MESSAGE, FIXED32 = 0, 1, 2, 5
SIZES = {FIXED64: 8, FIXED32: 4}

Buffer = bytes | mmap.mmap


class Malformed(ValueError):
    """The bytes are no fields."""


def stripped(data: Buffer, location: str) -> bytes:
    """The bytes of a ModelProto whose large initializers lie in the file `location`, from which `data` was read."""
    pieces: list[bytes] = []
    for number, begin, inner, end in _fields(data, 0, len(data)):
        if number == GRAPH and inner > begin:
            pieces.append(_message(GRAPH, _graph(data, inner, end, location)))
        else:
            pieces.append(data[begin:end])
    return b"".join(pieces)


def _graph(data: Buffer, at: int, end: int, location: str) -> bytes:
    pieces: list[bytes] = []
    for number, begin, inner, stop in _fields(data, at, end):
        if number == INITIALIZER and stop - inner >= LARGE:
            pieces.append(_message(INITIALIZER, _tensor(data, inner, stop, location)))
        else:
            pieces.append(data[begin:stop])
    return b"".join(pieces)


def _tensor(data: Buffer, at: int, end: int, location: str) -> bytes:
    pieces: list[bytes] = []
    for number, begin, inner, stop in _fields(data, at, end):
        if number == RAW_DATA and stop - inner >= LARGE:
            told = {"location": location, "offset": str(inner), "length": str(stop - inner)}
            pieces += [_message(EXTERNAL_DATA, _entry(key, value)) for key, value in told.items()]
            pieces.append(_varint(DATA_LOCATION << 3 | VARINT) + _varint(1))
        else:
            pieces.append(data[begin:stop])
    return b"".join(pieces)


def _entry(key: str, value: str) -> bytes:
    return _message(1, key.encode()) + _message(2, value.encode())


def _message(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | MESSAGE) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def _fields(data: Buffer, at: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """(number, where it begins, where its content does, where it ends) of each field."""
    while at < end:
        begin = at
        tag, at = _read(data, at, end)
        kind, number = tag & 7, tag >> 3
        inner = at
        if kind == VARINT:
            _, at = _read(data, at, end)
        elif kind == MESSAGE:
            size, inner = _read(data, at, end)
            at = inner + size
        elif kind in SIZES:
            at += SIZES[kind]
        else:
            raise Malformed(f"a field of kind {kind}")
        if at > end:
            raise Malformed("a field that ends beyond its message")
        yield number, begin, inner, at


def _read(data: Buffer, at: int, end: int) -> tuple[int, int]:
    """A number of variable length, and where what follows begins."""
    value = shift = 0
    while at < end and shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise Malformed("a number without an end")
