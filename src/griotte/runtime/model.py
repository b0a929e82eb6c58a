"""A compiled model: one C function over arrays and the model's packed constants.

The packed constants lie in a buffer of their own, or in a file that is mapped: processes that map the same file share
its memory.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import cffi
import numpy as np

from ..errors import SpecError, TargetError, ToolchainError
from ..ir.nothing import Empty, among, besides
from ..mapping import release
from ..targets import missing
from ..targets.target import Target
from .arguments import Pointer, Signature, check_size, from_buffer, pointer_taker, size_of
from .door import bound
from .file_names import WEIGHTS
from .open_door import DOOR_AT, at_once, neither
from .outputs import Outputs
from .saved import Library, ModelLibrary
from .team import load_team

__all__ = ["ModelKernel", "ModelLibrary", "Weights", "mapped", "packed", "packed_into", "saved"]

AT_ONCE = 1 << 26  # bytes of constants that are read before what is done with leaves the memory again

Weights = mmap.mmap


class ModelKernel:
    """A compiled model. `gt.compile` of a graph makes one.

    It is called with the model's inputs, by order or by name, and gives an array, or a tuple in the model's order. It
    may be called from many threads at once.

    Attributes:
        stats: parts, parts_solved, parts_from_table, synthesis_s, peak_rss_mb, workspace_bytes, live_bytes,
            intermediates_bytes, constants_bytes.
        at_once: a call of arrays that are just as the signature has them; it gives NotImplemented of others.
    """

    def __init__(self, library: ModelLibrary, weights: Weights) -> None:
        self._compiled, self.signature = library, library.signature
        self.stats: dict[str, Any] = library.metadata
        self._empty = tuple(
            Empty(place, name, of, tuple(shape)) for place, name, of, shape in self.stats.get("empty", ())
        )
        if self.stats.get("threads", 1) > 1:
            load_team()
        self._library = opened(library)
        self._function = getattr(self._library, self.signature.function)
        self._file = weights
        self._first: tuple[Any, ...] = (from_buffer(weights),)  # what C takes before the arrays
        self._takes(self.signature)

    def _takes(self, signature: Signature) -> None:
        """Make ready for arrays of this signature."""
        where, self._takes_just = f"of {signature}", signature
        self._takers = [pointer_taker(arg, f"input {arg.name} {where}") for arg in signature.inputs]
        self._outputs = Outputs(signature)
        self._sizes_of_inputs = [arg.nbytes for arg in signature.inputs]
        self.at_once, self._into, self._longer = neither, neither, 0

    def open_door(self) -> None:
        """`at_once`, and calls that are such, go past cffi from now on."""
        self._longer = DOOR_AT
        if self._takes_just.bound is None and not self._empty:
            kept = self._library, self._file
            self.at_once, into = at_once(self._function, self._first, self._takes_just, self._cycles, kept)
            self._into = neither if self._takes_just.further else into

    @property
    def library(self) -> ModelLibrary:
        """Its compiled C, not loaded."""
        return self._compiled

    @property
    def weights(self) -> Weights:
        """Its packed constants."""
        return self._file

    @property
    def _cycles(self) -> float:
        """What a call takes, by the model."""
        return float(self.stats.get("cost", inf))

    @property
    def source(self) -> str:
        """The C source."""
        return self._compiled.source

    @property
    def header(self) -> str:
        """The C header."""
        return self._compiled.header

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
        self._function(*self._first, *pointers, *results)
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
        return bound(self._function, [(*self._first, *pointers, *results)], answer, self._cycles, kept)

    def _given(self, arrays: Sequence[Any], named: dict[str, Any]) -> list[Any]:
        return [take(array) for take, array in zip(self._takers, self._given_in_order(arrays, named))]

    def _results(self, out: Any, pointers: Sequence[Pointer]) -> tuple[tuple[Any, ...], tuple[Pointer, ...]]:
        """Arrays for the results, and the pointers to them, apart from those of the inputs."""
        if out is None:
            made, results = self._outputs.allocate()
            return among(made, self._empty) if self._empty else made, results
        found = tuple(out) if isinstance(out, (tuple, list)) else (out,)
        count = len(self.signature.outputs) + len(self._empty)
        if len(found) != count:
            raise SpecError(f"expected {count} arrays as out, found {len(found)}; pass a tuple of them")
        results = self._outputs.take(besides(found, self._empty))
        self._outputs.check_apart(results, pointers, self._sizes_of_inputs)
        return found, results

    def _given_in_order(self, arrays: Sequence[Any], named: dict[str, Any]) -> Sequence[Any]:
        if not named and len(arrays) == len(self._takers):
            return arrays
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

    def torch(self) -> Callable[..., Any]:
        """It as an operator of torch: `call(*tensors)` takes tensors as they lie and gives new ones, a tuple of several
        outputs. torch.compile keeps it whole. There are no gradients.

        Raises:
            SpecError: torch is not installed, or a size is dynamic that is not along the slowest axis.
        """
        return self._of_tensors(dispatched=True)

    def on_tensors(self) -> Callable[..., Any]:
        """The same past torch's dispatcher, which sees no such call: for tensors that are none of a trace.

        Raises:
            SpecError: as of `torch`.
        """
        return self._of_tensors(dispatched=False)

    def _of_tensors(self, dispatched: bool) -> Callable[..., Any]:
        from . import tensors

        given = self.signature, self._compiled.path, self._weights_address(), self
        return tensors.of_tensors(*given) if dispatched else tensors.tensor_calls(*given)[0]

    def jax(self) -> Callable[..., Any]:
        """It as a function of JAX's arrays: `call(*arrays)` gives new ones, a tuple of several outputs. Within
        `jax.jit` it is a custom call of XLA, which takes arrays as they lie; `jax.vmap` runs it once for each. There
        are no gradients.

        Raises:
            SpecError: jax is not installed, or a size is dynamic.
        """
        from .xla_call import of_arrays

        return of_arrays(self.signature, self._compiled.path, self._weights_address(), self)

    def _weights_address(self) -> tuple[int, ...]:
        """Where the packed constants lie; SpecError where an output has no elements, which other callers cannot
        have."""
        if self._empty:
            raise SpecError(f"expected outputs that have elements, found {self._empty[0].name}; leave it out")
        return (int(cffi.FFI().cast("uintptr_t", self._first[0])),)

    def save(
        self,
        directory: str | os.PathLike[str],
        *,
        name: str | None = None,
        cmake: bool = False,
        pkgconfig: bool = False,
        targets: Sequence[str | Target] | None = None,
        wheel: str | None = None,
        threads_by: str = "team",
        weights: str = "file",
    ) -> Path:
        """Write kernel.c, kernel.h, kernel.so, kernel.json and, the packed constants, model.bin; the directory.

        With any of `name`, `cmake`, `pkgconfig`, `targets` also a package for C and C++ programs: libNAME.a, NAME.h and
        NAME.hpp.

        Args:
            directory: where to; it is made where it is not there.
            name: as of `Program.save`.
            cmake: as of `Program.save`.
            pkgconfig: as of `Program.save`.
            targets: as of `Program.save`, of a model whose graph is still there; this CPU must run each, to pack its
                constants.
            wheel: as of `Program.save`.
            threads_by: as of `Kernel.save`.
            weights: where the package has its constants: "file", one beside it for each target, or "inside".

        Raises:
            SpecError: the name, a word or the list of targets is none.
            TargetError: there is no such target, or this CPU does not run its code.
            ToolchainError: there is no C compiler, it failed, or the files cannot be written; no half-written file is
                left behind.
        """
        from ..folders import write_atomically
        from ..packaging.doors import Doors
        from .packages import packaged

        doors = Doors(name, cmake, pkgconfig, targets, threads_by, weights, wheel=wheel)
        more = packaged(self._compiled, doors, self._packed)
        directory = Path(directory)
        try:
            directory.mkdir(parents=True, exist_ok=True)
            write_atomically(directory / WEIGHTS, self._file)  # type: ignore[arg-type]
        except OSError as error:
            raise ToolchainError(
                f"expected to save a model, found {error.strerror or error}, in {error.filename or directory}; name a"
                " directory that can be written"
            ) from error
        return self._compiled.save(directory, more, doors.wheel)

    @property
    def others(self) -> Callable[[Target], Library] | None:
        """What makes the same for another target, with its constants; None where that is not known."""
        return self._compiled.others

    @others.setter
    def others(self, found: Callable[[Target], Library]) -> None:
        self._compiled = replace(self._compiled, others=found)

    def _packed(self, library: ModelLibrary) -> Weights:
        """The constants of this model as another target's library packs them, or its own."""
        if library is self._compiled:
            return self._file
        assert library.constants is not None
        return packed(library, library.constants())

    def __reduce__(self) -> tuple[Any, ...]:
        """Its C, how that is compiled, and its packed constants."""
        return unpickled, (self._compiled, bytes(self._file))

    def __repr__(self) -> str:
        return f"<griotte.ModelKernel {self.signature}>"


class DynamicModelKernel(ModelKernel):
    """A compiled model one of whose sizes is that of the arrays of a call, 1 to its bound. For each that is met there
    is a kernel of that size, made once."""

    def __init__(self, library: ModelLibrary, weights: Weights) -> None:
        super().__init__(library, weights)
        self._sizes: dict[int, ModelKernel] = {}

    def __call__(self, /, *arrays: Any, out: Any = None, **named: Any) -> Any:
        given = self._given_in_order(arrays, named)
        return self._of(given)(*given, out=out)

    def bind(self, /, *arrays: Any, out: Any = None, **named: Any) -> Callable[[], Any]:
        given = self._given_in_order(arrays, named)
        return self._of(given).bind(*given, out=out)

    def _of(self, arrays: Sequence[Any]) -> ModelKernel:
        """The kernel of the size of arrays: that of the first that has it."""
        size = size_of(arrays, self.signature)
        if size not in self._sizes:
            self._sizes[size] = self._made(size)
        return self._sizes[size]

    def _made(self, size: int) -> ModelKernel:
        check_size(self.signature, size)
        kernel = ModelKernel.__new__(ModelKernel)
        vars(kernel).update(vars(self), _first=(size, *self._first))
        kernel._takes(self.signature.at(size))
        return kernel


def kernel_of(library: ModelLibrary, weights: Weights) -> ModelKernel:
    """The kernel of a model's library, whose sizes are all fixed or one of which is dynamic."""
    return (ModelKernel if library.signature.bound is None else DynamicModelKernel)(library, weights)


def unpickled(library: ModelLibrary, weights: bytes) -> ModelKernel:
    """The kernel that was pickled."""
    room = _room(len(weights))
    room[:] = weights
    return kernel_of(library, room)


def packed(library: ModelLibrary, constants: Iterable[np.ndarray]) -> Weights:
    """The constants as calls read them, in memory of this process."""
    room = _room(max(1, library.weights))
    _pack(library, constants, room, False)
    return room


def _room(size: int) -> Weights:
    """Memory of this process, on a page: a large one where the system has such for who asks. Shared memory, which mmap
    gives where it is not told otherwise, has none."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return mmap.mmap(-1, size)
    room = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # a kernel without them
        room.madvise(mmap.MADV_HUGEPAGE)
    return room


def packed_into(path: Path, library: ModelLibrary, constants: Iterable[np.ndarray]) -> Weights:
    """The same in a file, which is mapped; OSError where it cannot be written."""
    with path.open("xb+") as file:
        size = max(1, library.weights)
        os.posix_fallocate(file.fileno(), 0, size) if hasattr(os, "posix_fallocate") else file.truncate(size)
        with mmap.mmap(file.fileno(), size) as room:
            _pack(library, constants, room, True)
            room.flush()
    return mapped(path)


def saved(library: ModelLibrary, directory: Path) -> ModelKernel:
    """The kernel that `ModelKernel.save` wrote to `directory`, its constants mapped; ToolchainError where they are not
    those of the library."""
    path = directory / WEIGHTS
    try:
        found = path.stat().st_size
        if found == max(1, library.weights):
            return kernel_of(library, mapped(path))
        told = f"{found:,}"
    except OSError as error:
        told = str(error.strerror or error)
    raise ToolchainError(f"expected {library.weights:,} bytes of constants, found {told}, in {path}; save it again")


def mapped(path: Path) -> Weights:
    """A file of packed constants, to be read."""
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)


def _pack(library: ModelLibrary, constants: Iterable[np.ndarray], room: Weights, in_file: bool) -> None:
    pack: Callable[..., None] = getattr(opened(library), f"{library.signature.function}_pack")
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
    del weights


def _slowest_first(array: np.ndarray) -> tuple[int, ...]:
    """The axes in the order of memory."""
    return tuple(sorted(range(array.ndim), key=lambda axis: -array.strides[axis]))


def opened(library: ModelLibrary) -> Any:
    """The library with its functions; TargetError where this CPU lacks what they need, ToolchainError where it does not
    load."""
    signature = library.signature
    if lacking := missing(library.needs):
        raise TargetError(
            f"expected a CPU with the features that {signature.function} needs, found one without {lacking}; compile"
            " the model for target native or portable"
        )
    ffi = cffi.FFI()
    pointers = ["const void *"] * (1 + len(signature.inputs)) + ["void *"] * len(signature.outputs)
    if signature.bound is not None:
        pointers.insert(0, "int64_t")
    ffi.cdef(f"void {signature.function}({', '.join(pointers)});")
    ffi.cdef(f"void {signature.function}_pack(int64_t, const void *, void *);")
    try:
        found = ffi.dlopen(str(library.path))
        getattr(found, signature.function)
    except (OSError, AttributeError) as error:
        raise ToolchainError(
            f"expected a library with {signature.function}, found {error}, in {library.path}; remove that file and"
            " compile again"
        ) from error
    return found
