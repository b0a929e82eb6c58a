"""A compiled model: one C function over arrays and the model's packed constants."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cffi
import numpy as np

from ..errors import SpecError, TargetError, ToolchainError
from ..targets import missing
from .arguments import READABLE, WRITEABLE, allocator, from_buffer, pointer_taker
from .saved import Library
from .team import load_team

__all__ = ["ModelKernel", "ModelLibrary"]


@dataclass(frozen=True)
class ModelLibrary(Library):
    """The compiled C of a model that is not loaded; `weights` are the bytes of its packed constants."""

    weights: int = 0


class ModelKernel:
    """A compiled model. `gt.compile` of a graph makes one.

    It is called with the model's inputs, by order or by name, and gives an array, or a tuple in the model's order. It
    may be called from many threads at once.

    Attributes:
        stats: parts, parts_solved, parts_from_table, synthesis_s, peak_rss_mb, workspace_bytes, constants_bytes.
    """

    def __init__(self, library: ModelLibrary, constants: Sequence[np.ndarray | None]) -> None:
        if lacking := missing(library.needs):
            raise TargetError(
                f"expected a CPU with the features that {library.signature.function} needs, found one"
                f" without {lacking}; compile the model for target native or portable"
            )
        self._compiled, self.signature = library, library.signature
        self.stats: dict[str, Any] = library.metadata
        if self.stats.get("threads", 1) > 1:
            load_team()
        self._library = _opened(library)
        self._function = getattr(self._library, self.signature.function)
        self._weights = self._packed(constants)
        where = f"of {self.signature}"
        self._takers = [pointer_taker(arg, f"input {arg.name} {where}") for arg in self.signature.inputs]
        self._outputs = [
            pointer_taker(arg, f"out {arg.name} {where}", READABLE | WRITEABLE) for arg in self.signature.outputs
        ]
        self._allocators = [allocator(arg) for arg in self.signature.outputs]

    @property
    def source(self) -> str:
        """The C source."""
        return self._compiled.source

    @property
    def header(self) -> str:
        """The C header."""
        return self._compiled.header

    def _packed(self, constants: Sequence[np.ndarray | None]) -> Any:
        """All that calls read of the constants, packed once."""
        room = mmap.mmap(-1, self._compiled.weights)  # on a page
        weights = from_buffer(room)
        ffi = cffi.FFI()
        arrays = [np.ascontiguousarray(array) for array in constants]
        pointers = ffi.new("const void *[]", [ffi.cast("void *", array.ctypes.data) for array in arrays] or 1)
        getattr(self._library, f"{self.signature.function}_pack")(pointers, weights)
        return weights

    def __call__(self, *arrays: Any, out: Any = None, **named: Any) -> Any:
        """Run it: an array, or of several outputs a tuple.

        Args:
            *arrays: one for each input, in order.
            out: where the result goes; of several outputs a tuple. None: new arrays.
            **named: inputs by name.

        Raises:
            SpecError: an array does not fit, or one is missing.
        """
        given = self._in_order(arrays, named) if named or len(arrays) != len(self._takers) else arrays
        pointers = [take(array) for take, array in zip(self._takers, given)]
        if out is None:
            found, results = zip(*(allocate() for allocate in self._allocators))
        else:
            found = out if isinstance(out, (tuple, list)) else (out,)
            results = [take(array) for take, array in zip(self._outputs, found)]
        self._function(self._weights, *pointers, *results)
        return found[0] if len(found) == 1 else tuple(found)

    def _in_order(self, arrays: Sequence[Any], named: dict[str, Any]) -> list[Any]:
        names = [arg.name for arg in self.signature.inputs]
        given = dict(zip(names, arrays))
        twice, unknown = given.keys() & named.keys(), named.keys() - set(names)
        given |= named
        lacking = [name for name in names if name not in given]
        if len(arrays) > len(names) or twice or unknown or lacking:
            found = f"{len(arrays)} by order and {', '.join(map(repr, named)) or 'none'} by name"
            raise SpecError(
                f"expected the inputs {', '.join(map(repr, names)) or 'none'}, found {found}; pass each once, by order"
                " or by name"
            )
        return [given[name] for name in names]

    def __repr__(self) -> str:
        return f"<griotte.ModelKernel {self.signature}>"


def _opened(library: ModelLibrary) -> Any:
    signature = library.signature
    ffi = cffi.FFI()
    pointers = ["const void *"] * (1 + len(signature.inputs)) + ["void *"] * len(signature.outputs)
    ffi.cdef(f"void {signature.function}({', '.join(pointers)});")
    ffi.cdef(f"void {signature.function}_pack(const void *const *, void *);")
    try:
        found = ffi.dlopen(str(library.path))
        getattr(found, signature.function)
    except (OSError, AttributeError) as error:
        raise ToolchainError(
            f"expected a library with {signature.function}, found {error}, in {library.path}; remove that file and"
            " compile again"
        ) from error
    return found
