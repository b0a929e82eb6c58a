"""ONNX files as they are read: bytes to a ModelProto, tensors to arrays. A file is data: sizes and places are looked at
before they are used."""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from ..support.errors import SpecError
from ..support.printable import printable


@dataclass(frozen=True)
class DataFolders:
    """Where a model's external data may lie: the folder of the name that its file was given by, and of the file that
    this leads to. A cache of downloads has links in the first, and what they lead to in the second."""

    given: Path
    file: Path

    @classmethod
    def of(cls, path: Path) -> DataFolders:
        """Those of a model's file."""
        return cls(path.absolute().parent.resolve(), path.resolve().parent)

    def find(self, location: str) -> Path | None:
        """The file that a location names, by links as well; None where it is none, or lies elsewhere."""
        if not location or os.path.isabs(location) or os.path.normpath(location).startswith(os.pardir):
            return None
        for folder in (self.given, self.file):
            path = (folder / location).resolve()
            if path.is_file() and (path.is_relative_to(self.given) or path.is_relative_to(self.file)):
                return path
        return None


def loaded(model: Any) -> tuple[Any, DataFolders | None]:
    """The ModelProto, and the folders that its external data may lie in (None: it has none)."""
    if isinstance(model, onnx.ModelProto):
        return model, None
    folder = None
    if isinstance(model, str):
        content, folder = _file(Path(model)), DataFolders.of(Path(model))
    elif isinstance(model, (bytes, bytearray, memoryview)):
        content = bytes(model)
    else:
        raise SpecError(
            f"expected a path, bytes or an onnx.ModelProto, found {type(model).__name__}; pass one to from_onnx"
        )
    proto = onnx.ModelProto()
    try:
        proto.ParseFromString(content)
    except Exception as error:  # the protobuf library's own class
        raise SpecError(
            f"expected an ONNX model, found {len(content):,} bytes that are none"
            f" ({printable(' '.join(str(error).split()))}); export it again"
        ) from error
    if not proto.HasField("graph"):
        raise SpecError(f"expected an ONNX model, found {len(content):,} bytes without a graph; export it again")
    return proto, folder


def _file(path: Path) -> bytes:
    """The bytes of a model's file but for the data of large initializers, which is mapped."""
    try:
        with path.open("rb") as file:
            if not os.fstat(file.fileno()).st_size:
                return b""
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                try:
                    return stripped(data, path.name)
                except Malformed:
                    return data[:]  # the protobuf library says what is wrong with them
    except (OSError, ValueError) as error:
        raise SpecError(
            f"expected an ONNX model, found {getattr(error, 'strerror', None) or error}, in {printable(str(path))};"
            " name a file"
        ) from error


def array_of(tensor: Any, folder: DataFolders | None, where: str) -> np.ndarray:
    """The data of a TensorProto; SpecError where it does not fit its shape or lies outside of the model's folder."""
    dims = tuple(tensor.dims)
    if any(n < 0 for n in dims):
        raise SpecError(f"expected sizes of 0 or more, found {list(dims)}, for {where}; export the model again")
    try:
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            return _external(tensor, folder, where)
        _check_size(tensor, where)
        return onnx.numpy_helper.to_array(tensor)
    except SpecError:
        raise
    except Exception as error:
        raise SpecError(
            f"expected the data of a tensor {list(dims)}, found {type(error).__name__}"
            f" ({printable(' '.join(str(error).split()))}), for {where}; export the model again"
        ) from error


def _item_bits(tensor: Any) -> int:
    try:
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
    except (KeyError, TypeError, ValueError):
        raise TypeError(f"data type {tensor.data_type}, which is none") from None
    name = str(dtype)
    return 4 if name in ("int4", "uint4", "float4_e2m1fn") else 2 if name in ("int2", "uint2") else dtype.itemsize * 8


def _check_size(tensor: Any, where: str) -> None:
    """That the data is there before an array of its size is made."""
    if not tensor.HasField("raw_data") or tensor.data_type == onnx.TensorProto.STRING:
        return
    expected = -(-prod(tensor.dims) * _item_bits(tensor) // 8)
    if len(tensor.raw_data) != expected:
        raise SpecError(
            f"expected {expected:,} bytes for a tensor {list(tensor.dims)}, found {len(tensor.raw_data):,}, for"
            f" {where}; export the model again"
        )


def _external(tensor: Any, folder: DataFolders | None, where: str) -> np.ndarray:
    told = {entry.key: entry.value for entry in tensor.external_data}
    location = told.get("location", "")
    if folder is None:
        raise SpecError(
            f"expected a file's path for a model with data in other files, found it without one, for {where} (in"
            f" {printable(location)}); pass the path"
        )
    path = folder.find(location)
    if path is None:
        raise SpecError(
            f"expected data in the model's folder, found {printable(location)!r}, for {where}; place it there"
        )
    offset, bits = int(told.get("offset", 0)), _item_bits(tensor)
    size = -(-prod(tensor.dims) * bits // 8)
    if offset < 0 or int(told.get("length", size)) != size or offset + size > path.stat().st_size:
        raise SpecError(
            f"expected {size:,} bytes at {offset:,}, found {path.stat().st_size:,} in all, in {printable(location)} for"
            f" {where}; export the model again"
        )
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
    if bits < 8:
        bare = onnx.TensorProto(dims=tensor.dims, data_type=tensor.data_type)
        with path.open("rb") as file:
            file.seek(offset)
            bare.raw_data = file.read(size)
        return onnx.numpy_helper.to_array(bare)
    if not size:
        return np.empty(tuple(tensor.dims), dtype)
    return np.memmap(path, dtype, "r", offset, tuple(tensor.dims) or (1,)).reshape(tuple(tensor.dims))


# A ModelProto is fields that stand one after the other, each a tag and a value; a message within is a field with its
# length before it (https://protobuf.dev/programming-guides/encoding/). The long part of a model is field 9 (raw_data)
# of field 5 (initializer) of field 7 (graph). Each such field of LARGE bytes or more is replaced by the words for data
# in another file (external_data, data_location). That file is the model's own: it is read by a map, and never twice.

LARGE = 1 << 16  # bytes of an initializer that is mapped
GRAPH, INITIALIZER, RAW_DATA, EXTERNAL_DATA, DATA_LOCATION = 7, 5, 9, 13, 14
VARINT, FIXED64, MESSAGE, FIXED32 = 0, 1, 2, 5
SIZES = {FIXED64: 8, FIXED32: 4}

FileBytes = bytes | mmap.mmap


class Malformed(ValueError):
    """The bytes are no fields."""


def stripped(data: FileBytes, location: str) -> bytes:
    """The bytes of a ModelProto whose large initializers lie in the file `location`, from which `data` was read."""

    def in_model(number: int, inner: int, end: int) -> bytes | None:
        return _message(GRAPH, _changed(data, inner, end, in_graph)) if number == GRAPH else None

    def in_graph(number: int, inner: int, end: int) -> bytes | None:
        is_large = number == INITIALIZER and end - inner >= LARGE
        return _message(INITIALIZER, _changed(data, inner, end, in_tensor)) if is_large else None

    def in_tensor(number: int, inner: int, end: int) -> bytes | None:
        if number != RAW_DATA or end - inner < LARGE:
            return None
        told = {"location": location, "offset": str(inner), "length": str(end - inner)}
        entries = [_message(EXTERNAL_DATA, _entry(key, value)) for key, value in told.items()]
        return b"".join([*entries, _varint(DATA_LOCATION << 3 | VARINT), _varint(1)])

    return _changed(data, 0, len(data), in_model)


def _changed(data: FileBytes, at: int, end: int, change: Callable[[int, int, int], bytes | None]) -> bytes:
    """The fields of a message, with what `change` gives in place of those for which it is not None."""
    pieces = []
    for number, begin, inner, stop in _fields(data, at, end):
        other = change(number, inner, stop)
        pieces.append(data[begin:stop] if other is None else other)
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


def _fields(data: FileBytes, at: int, end: int) -> Iterator[tuple[int, int, int, int]]:
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


def _read(data: FileBytes, at: int, end: int) -> tuple[int, int]:
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
