"""Rows out of a file that SQLite itself can no longer read: page after page, from the format's description
(https://sqlite.org/fileformat2.html). What is found here is raw: the caller believes only rows whose digest fits.
"""

from __future__ import annotations

from collections.abc import Iterator

PAGE = 4096  # bytes, where the header does not say
LARGEST = 1 << 28  # bytes of a row
_WAL_HEADER, _FRAME_HEADER = 32, 24
_TABLE_LEAF, _INDEX_LEAF, _INDEX_INNER = 0x0D, 0x0A, 0x02
_INTEGERS = (0, 1, 2, 3, 4, 6, 8)  # bytes of serial types 0 to 6

Value = int | str | bytes | None


def records(data: bytes, log: bytes = b"") -> Iterator[tuple[int, list[Value]]]:
    """(rowid, values) of each record of a database and its write-ahead log, of live and of freed pages; rowid 0 where a
    table has none. Bytes that are no record are passed over."""
    size = _page_size(data)
    pages = {i + 1: data[i * size : (i + 1) * size] for i in range(len(data) // size)}
    pages |= _logged(log, size)
    for number, page in sorted(pages.items()):
        for cell in _cells(page, 100 if number == 1 else 0):
            try:
                yield _record(page, *cell, pages, size)
            except (IndexError, ValueError, KeyError, UnicodeDecodeError):
                continue


def _page_size(data: bytes) -> int:
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    return size if size >= 512 and size & (size - 1) == 0 else PAGE


def _logged(log: bytes, size: int) -> dict[int, bytes]:
    """Pages of the log's committed transactions, the last of each."""
    found: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    salts = log[16:24]
    for at in range(_WAL_HEADER, len(log) - _FRAME_HEADER - size + 1, _FRAME_HEADER + size):
        number, commit = int.from_bytes(log[at : at + 4], "big"), any(log[at + 4 : at + 8])
        if log[at + 8 : at + 16] != salts:
            break
        pending[number] = log[at + _FRAME_HEADER : at + _FRAME_HEADER + size]
        if commit:
            found |= pending
            pending = {}
    return found


def _cells(page: bytes, header: int) -> Iterator[tuple[int, int]]:
    """(type of the page, offset) of each cell."""
    kind = page[header] if len(page) > header else 0
    if kind not in (_TABLE_LEAF, _INDEX_LEAF, _INDEX_INNER):
        return
    first = header + (12 if kind == _INDEX_INNER else 8)
    for i in range(int.from_bytes(page[header + 3 : header + 5], "big")):
        yield kind, int.from_bytes(page[first + 2 * i : first + 2 * i + 2], "big")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """(value, offset after it)"""
    value = 0
    for i in range(9):
        byte = data[at + i]
        if i == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + i + 1
    raise ValueError


def _record(page: bytes, kind: int, at: int, pages: dict[int, bytes], size: int) -> tuple[int, list[Value]]:
    at += 4 if kind == _INDEX_INNER else 0
    length, at = _varint(page, at)
    rowid, at = _varint(page, at) if kind == _TABLE_LEAF else (0, at)
    if length > LARGEST:
        raise ValueError
    most = size - 35 if kind == _TABLE_LEAF else (size - 12) * 64 // 255 - 23
    least = (size - 12) * 32 // 255 - 23
    local = length
    if length > most:
        local = least + (length - least) % (size - 4)
        local = local if local <= most else least
    payload = bytearray(page[at : at + local])
    if length > local:
        _overflow(payload, length, int.from_bytes(page[at + local : at + local + 4], "big"), pages)
    return rowid, _values(bytes(payload[:length]))


def _overflow(payload: bytearray, length: int, number: int, pages: dict[int, bytes]) -> None:
    """Append the rest of a payload, from a chain of pages."""
    while len(payload) < length:
        page = pages[number]  # KeyError at the chain's end
        payload += page[4:]
        number = int.from_bytes(page[:4], "big")


def _values(payload: bytes) -> list[Value]:
    end, at = _varint(payload, 0)
    body, found = end, []
    while at < end:
        serial, at = _varint(payload, at)
        value, body = _value(payload, serial, body)
        found.append(value)
    return found


def _value(payload: bytes, serial: int, at: int) -> tuple[Value, int]:
    """(value, offset after it)"""
    if serial in (8, 9):
        return serial - 8, at
    length = _INTEGERS[serial] if serial <= 6 else (serial - 12) // 2
    if serial in (7, 10, 11) or at + length > len(payload):
        raise ValueError
    raw = payload[at : at + length]
    if serial == 0:
        return None, at
    if serial <= 6:
        return int.from_bytes(raw, "big", signed=True), at + length
    return (raw.decode() if serial % 2 else raw), at + length
