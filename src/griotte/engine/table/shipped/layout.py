"""How the shipped table lies in its file.

    magic, digest of all that follows | header length, header (JSON) | keys | places | chunks

The header says the version of the space, which machines it was solved for, and how long the chunks are. `keys` ascend,
8 bytes each; a place is the number of a chunk, and the first byte and the length of the record in it. Places and
chunks, of some tens of KiB each, are compressed by themselves: what one model asks for lies together. A record is a
text, or patches one after the other. No time and no name of a machine goes in: equal content gives equal bytes.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from ..keys import digest
from ..patch import Damaged, Patch

MAGIC = b"griotte's own\n"
KEY = 16  # hexadecimal digits of a digest: 8 bytes
CHUNK = 96 << 10  # bytes before a chunk is compressed
LARGEST = 1 << 24  # bytes that a chunk may unpack to
_DIGEST = 32


@dataclass(frozen=True, eq=False)
class RecordFile:
    """The records of a file, each by its key."""

    header: dict[str, Any]
    keys: np.ndarray  # uint64
    places: np.ndarray  # uint32 [records, 3]
    chunks: tuple[bytes, ...]
    _unpacked: dict[int, bytes] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.keys)

    def record(self, key: str) -> bytes | None:
        """The record of a key, a digest; None where there is none. Damaged where it is not whole."""
        wanted = np.uint64(int(key[:KEY], 16))
        at = int(np.searchsorted(self.keys, wanted))
        if at == len(self.keys) or self.keys[at] != wanted:
            return None
        chunk, first, length = map(int, self.places[at])
        if chunk not in self._unpacked:
            self._unpacked[chunk] = _unpacked(self.chunks[chunk])
        record = self._unpacked[chunk][first : first + length]
        if len(record) != length:
            raise Damaged("a record beyond its chunk")
        return record


def packed(header: Mapping[str, Any], records: Mapping[str, bytes]) -> bytes:
    """The file of these records, by digest; what was put in one after the other lies together."""
    chunks: list[bytes] = []
    places: dict[int, tuple[int, int, int]] = {}
    pending = b""
    for key, record in records.items():
        places[int(key[:KEY], 16)] = len(chunks), len(pending), len(record)
        pending += record
        if len(pending) >= CHUNK:
            chunks.append(pending)
            pending = b""
    if pending or not chunks:
        chunks.append(pending)
    assert len(places) == len(records), "two keys that begin alike"
    compressed = [zlib.compress(chunk, 9) for chunk in chunks]
    ordered = sorted(places)
    where = zlib.compress(np.array([places[key] for key in ordered], "<u4").reshape(-1, 3).T.tobytes(), 9)
    lengths = {"records": len(places), "places": len(where), "chunks": [len(chunk) for chunk in compressed]}
    told = json.dumps({**header, **lengths}, sort_keys=True).encode()
    keys = np.array(ordered, "<u8").tobytes()
    body = b"".join((len(told).to_bytes(4, "little"), told, keys, where, *compressed))
    return MAGIC + digest(body).encode() + body


def read(data: bytes) -> RecordFile:
    """What `packed` made these bytes of; Damaged where they are something else."""
    start = len(MAGIC) + _DIGEST
    if data[: len(MAGIC)] != MAGIC or data[len(MAGIC) : start] != digest(data[start:]).encode():
        raise Damaged("its digest does not fit")
    first = start + 4 + int.from_bytes(data[start : start + 4], "little")
    header = json.loads(data[start + 4 : first])
    count = header["records"]
    keys = np.frombuffer(data, "<u8", count, first)
    ends = np.cumsum([first + 8 * count, header["places"], *header["chunks"]])
    where, *chunks = (data[low:high] for low, high in pairwise(ends))
    places = np.frombuffer(_unpacked(where), "<u4").reshape(3, count).T
    return RecordFile(header, keys, places, tuple(chunks))


def _unpacked(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(packed, LARGEST)
    except zlib.error as error:
        raise Damaged(f"a chunk that does not unpack: {error}") from None
    if not unpacker.eof:
        raise Damaged("a chunk that is not whole")
    return found


def written(patches: Iterable[Patch]) -> bytes:
    """A record of patches."""
    return b"".join(len(data := patch.encode(0)).to_bytes(4, "little") + data for patch in patches)


@lru_cache(maxsize=4096)
def patches_of(record: bytes) -> tuple[Patch, ...]:
    """The patches of a record; Damaged where they are none."""
    found, at = [], 0
    while at < len(record):
        length = int.from_bytes(record[at : at + 4], "little")
        found.append(Patch.decode(record[at + 4 : at + 4 + length]))
        at += 4 + length
    return tuple(found)
