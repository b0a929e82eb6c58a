"""Constants as StableHLO's text writes them: numbers in brackets, one number for all, or the bytes of all as digits."""

from __future__ import annotations

import re

import numpy as np

from ...lang.types.dtypes import dtype as row
from ...support.errors import SpecError
from ...support.printable import printable
from .node import Given

BRACKETS = str.maketrans("", "", "[] \n\t\r")
HEX = re.compile(r'"0x([0-9A-Fa-f]*)"')


def dense(text: str, type: Given, line: int) -> np.ndarray:
    """The array of `dense<..>` of a type; one number for all is broadcast, and takes no room."""
    content, wanted = text.partition("<")[2][:-1].strip(), row(type.dtype).numpy
    count = int(np.prod(type.shape, dtype=np.int64))
    try:
        if found := HEX.fullmatch(content):
            flat = _of_bytes(bytes.fromhex(found[1]), wanted, count)
        else:
            words = content.translate(BRACKETS).split(",") if content.translate(BRACKETS) else []
            flat = _of_words(words, type.dtype, wanted)
    except (ValueError, OverflowError) as why:
        told = printable(str(why)[:80])
        raise SpecError(f"expected numbers of {type.dtype}, found {told}, at line {line}; write those") from None
    if flat.size == 1 and count != 1:
        return np.broadcast_to(flat.reshape([1] * len(type.shape)), type.shape)
    if flat.size != count:
        raise SpecError(
            f"expected {count:,} numbers of {type.dtype}{list(type.shape)}, or one for all, found {flat.size:,}, at"
            f" line {line}; write all of them"
        )
    return flat.reshape(type.shape)


def _of_bytes(data: bytes, wanted: np.dtype, count: int) -> np.ndarray:
    if wanted.kind == "b":
        bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
        return np.ones(1, bool) if data == b"\xff" and count != 8 else bits[:count].astype(bool)
    return np.frombuffer(data, wanted)


def _of_words(words: list[str], dtype: str, wanted: np.dtype) -> np.ndarray:
    """Numbers; `0x..` of a float is its bits."""
    if dtype == "pred":
        return np.array([_truth(word) for word in words], bool)
    if wanted.kind in "iu" or dtype in ("s4", "u4", "s2", "u2"):
        return np.array([int(word, 0) for word in words]).astype(wanted)
    if not any("x" in word for word in words):
        return np.array(words, np.float64).astype(wanted)
    return np.concatenate([_float(word, wanted) for word in words])


def _float(word: str, wanted: np.dtype) -> np.ndarray:
    if "x" not in word:
        return np.array([float(word)]).astype(wanted)
    return np.frombuffer(int(word, 16).to_bytes(wanted.itemsize, "little"), wanted)


def _truth(word: str) -> bool:
    if word not in ("true", "false", "0", "1"):
        raise ValueError(word)
    return word in ("true", "1")
