"""SPEC arguments read: Specs, and models with the sizes and arrays of their inputs that are known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ...lang.text.text import parse
from ...models.graph import ModelGraph
from ...models.text import parse_graph
from ...onnx import from_onnx
from ...readers.stablehlo import from_stablehlo
from ...support.errors import SpecError

ONNX = ".onnx"
STABLEHLO = (".mlir", ".stablehlo")
TEXT = "model("  # how the text of a graph begins
_LARGEST_FILE = 1 << 20  # bytes; a Spec has a few hundred


@dataclass(frozen=True, eq=False)
class ModelFile:
    """A model that a word of the command line names.

    Attributes:
        word: as it was written.
        graph: what it computes.
        path: of an ONNX model its file; None of a text.
        constants: the arrays of inputs that are known.
    """

    word: str
    graph: ModelGraph
    path: Path | None = None
    constants: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.word


def is_model(word: str) -> bool:
    """Whether a word, or the file after @, is the name of a model's file."""
    return Path(word.removeprefix("@")).suffix in (ONNX, *STABLEHLO)


def read_spec(word: str) -> str:
    """The text of a SPEC argument: itself, or the content of @FILE."""
    if not word.startswith("@"):
        return word
    path = Path(word[1:])
    try:
        with open(path, "rb") as file:
            data = file.read(_LARGEST_FILE + 1)
        if len(data) > _LARGEST_FILE:
            raise SpecError(
                f"expected a file with one Spec, found more than {_LARGEST_FILE} bytes in {path}; name the right file"
            )
        return data.decode()
    except UnicodeDecodeError:
        raise SpecError(f"expected a Spec as UTF-8 text, found other bytes in {path}; name the right file") from None
    except (OSError, ValueError) as error:
        raise SpecError(
            f"expected a file with a Spec, found {getattr(error, 'strerror', None) or error}: {path}; check the path"
            " after @"
        ) from None


def parse_all(words: tuple[str, ...], shapes: tuple[str, ...] = (), constants: tuple[str, ...] = ()) -> list:
    """The Specs and models of the arguments; all are read before any is worked on."""
    if not words:
        raise SpecError("expected one SPEC or more, found none; write one, quoted: 'matmul(f32[8,8], f32[8,8])'")
    found = [_parsed(word, shapes, constants) for word in words]
    if (shapes or constants) and not any(Path(word.removeprefix("@")).suffix == ONNX for word in words):
        option = "--shape" if shapes else "--constant"
        raise SpecError(f"expected an .onnx file beside {option}, found {words[0]!r}; a Spec's text has its own sizes")
    return found


def _parsed(word: str, shapes: tuple[str, ...], constants: tuple[str, ...]):
    path = Path(word.removeprefix("@"))
    if path.suffix == ONNX:
        return read_onnx(word, path, shapes, constants)
    if path.suffix in STABLEHLO:
        return read_stablehlo(word, path)
    text = read_spec(word)
    return ModelFile(word, parse_graph(text)) if text.lstrip().startswith(TEXT) else parse(text)


def read_stablehlo(word: str, path: Path) -> ModelFile:
    """The model of a file of StableHLO's text."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SpecError(
            f"expected StableHLO as text, found other bytes in {path}; write it with jax.jit(f).lower(x).as_text()"
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise SpecError(f"expected a file of StableHLO's text, found {why}: {path}; check the path") from None
    return ModelFile(word, from_stablehlo(text))


def read_onnx(word: str, path: Path, shapes: tuple[str, ...], constants: tuple[str, ...]) -> ModelFile:
    """The model of an ONNX file."""
    if not path.exists():  # told before what else is missing
        raise SpecError(f"expected an ONNX model, found no such file: {path}; check the path")
    sizes, known = dict(map(_shape, shapes)), dict(map(_constant, constants))
    return ModelFile(word, from_onnx(path, sizes, known), path, known)


def _shape(text: str) -> tuple[str, tuple[int | str, ...]]:
    """An input and its sizes, of `x=1,3,48,192`, or `x=<=8,3,48,192`."""
    found = re.fullmatch(r"(.+?)=((?:\s*(?:<=\s*)?[0-9]+\s*,)*\s*(?:<=\s*)?[0-9]+\s*|\s*)", text)
    words = [word.strip() for word in found[2].split(",")] if found and found[2].strip() else []
    if not found or any(not int(word.removeprefix("<=")) for word in words):
        raise SpecError(
            f"expected an input and its sizes for --shape, found {text!r}; write x=1,3,48,192, or 'x=<=8,3,48,192'"
        )
    return found[1], tuple(word if word.startswith("<=") else int(word) for word in words)


def _constant(text: str) -> tuple[str, np.ndarray]:
    """An input and its data, of `axes=axes.npy`."""
    name, found, file = text.rpartition("=")
    if not found or not name or not file:
        raise SpecError(f"expected an input and a .npy file for --constant, found {text!r}; write axes=axes.npy")
    try:
        array = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        why = getattr(error, "strerror", None) or error
        raise SpecError(f"expected an array for --constant {name}, found {why}, in {file}; name a .npy file") from None
    if not isinstance(array, np.ndarray):
        raise SpecError(f"expected one array for --constant {name}, found several, in {file}; name a .npy file")
    return name, array
