"""A compiled model: one C function over arrays and the model's packed constants.

The packed constants lie in a buffer of their own, or in a file that is mapped: processes that map the same file share
its memory. `load` reads saved kernels, of Specs as well.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import cffi
import numpy as np

from ..lang.types.tensor import Empty, among, besides
from ..machine import missing
from ..machine.target import Target
from ..support.errors import SpecError, ToolchainError
from ..support.memory import release
from .arguments import Outputs, Pointer, from_buffer, pointer_taker, size_of
from .compilers import QUICK, find_compiler
from .direct_calls import DOOR_AT, bound
from .kernel import kernel_of as kernel_of_spec
from .loaded import LoadedKernel, opened
from .saved import WEIGHTS, Library, read
from .signature import Signature
from .tensors import tensor_calls
from .toolchain import compile_shared

AT_ONCE = 1 << 26  # bytes of constants that are packed into a file before their pages leave the memory

Weights = mmap.mmap


class ModelKernel(LoadedKernel):
    """A compiled model. `gt.compile` of a graph makes one.

    It is called with the model's inputs, by order or by name, and gives an array, or a tuple in the model's order. It
    may be called from many threads at once.

    Attributes:
        stats: parts, parts_solved, parts_from_table, synthesis_s, peak_rss_mb, workspace_bytes, live_bytes,
            intermediates_bytes, constants_bytes.
    """

    def __init__(self, library: Library, weights: Weights) -> None:
        super().__init__(library)
        self.stats: dict[str, Any] = library.metadata
        self._empty = tuple(
            Empty(place, name, of, tuple(shape)) for place, name, of, shape in self.stats.get("empty", ())
        )
        self._file = weights
        self._leading: tuple[Any, ...] = (from_buffer(weights),)
        self._takes(library.signature)

    def _takes(self, signature: Signature) -> None:
        """Make ready for arrays of this signature."""
        where = f"of {signature}"
        self._takers = [pointer_taker(arg, f"input {arg.name} {where}") for arg in signature.inputs]
        self._outputs = Outputs(signature)
        self._sizes_of_inputs = [arg.nbytes for arg in signature.inputs]
        self._shut_door()

    def open_door(self) -> None:
        self._longer = DOOR_AT
        if not self._empty:
            super().open_door()

    @property
    def weights(self) -> Weights:
        """Its packed constants."""
        return self._file

    def __call__(self, /, *arrays: Any, out: Any = None, **named: Any) -> Any:
        """Run it: an array, or of several outputs a tuple.

        Args:
            *arrays: one for each input, in order.
            out: where the result goes; of several outputs a tuple. None: new arrays.
            **named: inputs by name.

        Raises:
            SpecError: an array does not fit, one is missing, or `out` shares memory with an input.
        """
        if not named:
            given = self.at_once(*arrays) if out is None else self._into(*arrays, out)
            if given is not NotImplemented:
                return given
            self._longer += 1
            if self._longer == DOOR_AT:
                self.open_door()
        pointers = self._given(arrays, named)
        found, results = self._results(out, pointers)
        self._in_c(*self._leading, *pointers, *results)
        return found[0] if len(found) == 1 else found

    def bind(self, /, *arrays: Any, out: Any = None, **named: Any) -> Callable[[], Any]:
        """Fix all inputs, and where the results go: `call()` reads the arrays as they are at that time, and returns
        `out`. The cheapest way in from Python.

        Args:
            *arrays: as of a call.
            out: as of a call; None: new arrays, the same at each call.
            **named: as of a call.

        Raises:
            SpecError: an array does not fit, one is missing, or `out` shares memory with an input.
        """
        pointers = self._given(arrays, named)
        found, results = self._results(out, pointers)
        answer = found[0] if len(found) == 1 else found
        kept = self, arrays, named, found
        return bound(self._in_c, [(*self._leading, *pointers, *results)], answer, self._cycles(), kept)

    def _room_for(self, arrays: Sequence[Any], named: dict[str, Any]) -> Any:
        found, _ = self._results(None, ())
        return found[0] if len(found) == 1 else found

    def _given(self, arrays: Sequence[Any], named: dict[str, Any]) -> list[Any]:
        return [take(array) for take, array in zip(self._takers, self._given_in_order(arrays, named))]

    def _results(self, out: Any, pointers: Sequence[Pointer]) -> tuple[tuple[Any, ...], tuple[Pointer, ...]]:
        """Arrays for the results, and the pointers to them, apart from those of the inputs."""
        if out is None:
            made, results = self._outputs.allocate()
            return among(made, self._empty) if self._empty else made, results
        found = tuple(out) if isinstance(out, (tuple, list)) else (out,)
        count = len(self._signature.outputs) + len(self._empty)
        if len(found) != count:
            raise SpecError(f"expected {count} arrays as out, found {len(found)}; pass a tuple of them")
        results = self._outputs.take(besides(found, self._empty))
        self._outputs.check_apart(results, pointers, self._sizes_of_inputs)
        return found, results

    def _given_in_order(self, arrays: Sequence[Any], named: dict[str, Any]) -> Sequence[Any]:
        if not named and len(arrays) == len(self._takers):
            return arrays
        names = [arg.name for arg in self._signature.inputs]
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

    def on_tensors(self) -> Callable[..., Any]:
        """As `torch`, past torch's dispatcher, which sees no such call: for tensors that are none of a trace.

        Raises:
            SpecError: as of `torch`.
        """
        return tensor_calls(*self._called_elsewhere())[0]

    def _called_elsewhere(self) -> tuple[Signature, Path, tuple[int, ...], object]:
        """SpecError where an output has no elements, which others than NumPy cannot have."""
        if self._empty:
            raise SpecError(f"expected outputs that have elements, found {self._empty[0].name}; leave it out")
        weights = int(cffi.FFI().cast("uintptr_t", self._leading[0]))
        return self._signature, self._compiled.path, (weights,), self

    @property
    def others(self) -> Callable[[Target], Library] | None:
        """What makes the same for another target, with its constants; None where that is not known."""
        return self._compiled.others

    @others.setter
    def others(self, found: Callable[[Target], Library]) -> None:
        self._compiled = replace(self._compiled, others=found)

    def _packed(self, library: Library) -> Weights:
        """The constants of this model as another target's library packs them, or its own."""
        if library is self._compiled:
            return self._file
        assert library.constants is not None
        return packed(library, library.constants())

    def __reduce__(self) -> tuple[Any, ...]:
        """Its C, how that is compiled, and its packed constants."""
        return unpickled, (self._compiled, bytes(self._file))

    def __repr__(self) -> str:
        return f"<griotte.ModelKernel {self._signature}>"


class DynamicModelKernel(ModelKernel):
    """A compiled model one of whose sizes is that of the arrays of a call, 1 to its bound. Each size that is called has
    a kernel of its own, made once."""

    of_one_size = ModelKernel

    def __call__(self, /, *arrays: Any, out: Any = None, **named: Any) -> Any:
        given = self._given_in_order(arrays, named)
        return self._of(given)(*given, out=out)

    def bind(self, /, *arrays: Any, out: Any = None, **named: Any) -> Callable[[], Any]:
        given = self._given_in_order(arrays, named)
        return self._of(given).bind(*given, out=out)

    def _room_for(self, arrays: Sequence[Any], named: dict[str, Any]) -> Any:
        return self._of(self._given_in_order(arrays, named))._room_for(arrays, named)

    def _of(self, arrays: Sequence[Any]) -> ModelKernel:
        """The kernel of the size of arrays: that of the first that has it."""
        return self._of_size(size_of(arrays, self._signature))

    def _sized(self, kernel: ModelKernel, size: int) -> None:
        kernel._leading = (size, *self._leading)


def kernel_of(library: Library, weights: Weights) -> ModelKernel:
    """The kernel of a model's library, whose sizes are all fixed, or all but one. Its constants are packed: it holds
    nothing that would pack them."""
    kind = ModelKernel if library.signature.bound is None else DynamicModelKernel
    return kind(replace(library, plain=None), weights)


def unpickled(library: Library, weights: bytes) -> ModelKernel:
    """The kernel that was pickled."""
    room = _room(len(weights))
    room[:] = weights
    return kernel_of(library, room)


def packed(library: Library, constants: Iterable[np.ndarray]) -> Weights:
    """The constants as calls read them, in memory of this process."""
    room = _room(max(1, library.weights or 0))
    _pack(library, constants, room, False)
    return room


def _room(size: int) -> Weights:
    """Memory of this process, on huge pages where the system gives them on request: shared memory, mmap's default, has
    none."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return mmap.mmap(-1, size)
    room = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # a kernel without them
        room.madvise(mmap.MADV_HUGEPAGE)
    return room


def packed_into(path: Path, library: Library, constants: Iterable[np.ndarray]) -> Weights:
    """The same in a file, which is mapped; OSError where it cannot be written."""
    with path.open("xb+") as file:
        size = max(1, library.weights or 0)
        os.posix_fallocate(file.fileno(), 0, size) if hasattr(os, "posix_fallocate") else file.truncate(size)
        with mmap.mmap(file.fileno(), size) as room:
            _pack(library, constants, room, True)
            room.flush()
    return mapped(path)


def saved(library: Library, directory: Path) -> ModelKernel:
    """The kernel that `ModelKernel.save` wrote to `directory`, its constants mapped; ToolchainError where they are not
    those of the library."""
    path = directory / WEIGHTS
    try:
        found = path.stat().st_size
        if found == max(1, library.weights or 0):
            return kernel_of(library, mapped(path))
        told = f"{found:,}"
    except OSError as error:
        told = str(error.strerror or error)
    size = library.weights or 0
    raise ToolchainError(f"expected {size:,} bytes of constants, found {told}, in {path}; save it again")


def load(directory: str | os.PathLike[str]) -> Any:
    """The kernel that `Kernel.save` wrote to `directory`, or the `ModelKernel` of a model; of that the constants are
    mapped: processes that load it share them.

    Its library runs in this process: load only what you would run.  Raises ToolchainError where files are missing,
    damaged or of another machine, TargetError where this CPU lacks what it needs.
    """
    library = read(Path(directory))
    return kernel_of_spec(library) if library.weights is None else saved(library, Path(directory))


def mapped(path: Path) -> Weights:
    """A file of packed constants, to be read."""
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)


def _pack(library: Library, constants: Iterable[np.ndarray], room: Weights, in_file: bool) -> None:
    pack: Callable[..., None] = getattr(_packing(library), f"{library.signature.function}_pack")
    weights, read = from_buffer(room), 0
    for number, array in enumerate(constants):
        dense = array.transpose(_slowest_first(array))
        pack(number, from_buffer(np.require(dense, requirements=("C", "A"))), weights)
        release(array)
        read += array.nbytes
        if read > AT_ONCE and in_file:
            room.flush()
            room.madvise(mmap.MADV_DONTNEED)
            read = 0


def _packing(library: Library) -> Any:
    """The library with the function that packs; where this CPU does not run it one with that function alone."""
    if library.plain is None or not missing(library.needs):
        try:
            return opened(library.compiled())
        except ToolchainError:
            if library.plain is None or find_compiler().is_for_here:
                raise
    path = compile_shared(library.plain(), extra_flags=(QUICK,), needs=None)
    function = f"{library.signature.function}_pack"
    ffi = cffi.FFI()
    ffi.cdef(f"void {function}({', '.join(library.functions[function])});")
    return ffi.dlopen(str(path))


def _slowest_first(array: np.ndarray) -> tuple[int, ...]:
    """The axes in the order of memory."""
    return tuple(sorted(range(array.ndim), key=lambda axis: -array.strides[axis]))
