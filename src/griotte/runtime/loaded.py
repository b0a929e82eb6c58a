"""A library loaded into this process, and the common part of kernels of Specs and of models.

Not here: the arrays of a call (kernel.py, model.py).
"""

import math
import os
import platform
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import cffi

from ..machine import missing
from ..machine.target import Target
from ..support.errors import TargetError, ToolchainError
from ..support.markup import fragment, number, source
from .arguments import check_size
from .compilers import find_compiler
from .direct_calls import DOOR_AT, at_once, neither
from .saved import Library, OfLibrary
from .signature import Signature
from .team import load_team
from .tensors import of_tensors
from .xla_call import of_arrays


class LoadedKernel(OfLibrary):
    """A compiled program in this process.

    Attributes:
        at_once: a call of arrays that are just as the signature has them; it gives NotImplemented of others.
        of_one_size: the class of kernels of one size; a dynamic kernel makes some.
    """

    of_one_size: ClassVar[type]

    def __init__(self, library: Library) -> None:
        """Load a library: TargetError where this CPU lacks a feature that its code needs."""
        self._compiled, self._signature = library, library.signature
        self._library = opened(library)  # its functions die with it
        self._in_c = getattr(self._library, library.signature.function)
        self._leading: tuple[Any, ...] | None = ()  # what C takes before the arrays; None: it is not called
        self._sizes: dict[int, Any] = {}  # of a dynamic size: the kernel of each that was met
        self._shut_door()

    def _of_size(self, size: int) -> Any:
        """The kernel of arrays of a size; SpecError above the bound."""
        if size not in self._sizes:
            check_size(self._signature, size)
            kernel: Any = object.__new__(self.of_one_size)
            vars(kernel).update(vars(self), _signature=self._signature.at(size))
            self._sized(kernel, size)
            kernel._takes(kernel._signature)
            self._sizes[size] = kernel
        return self._sizes[size]

    def _sized(self, kernel: Any, size: int) -> None:
        """Let a kernel be that of a size."""

    def _shut_door(self) -> None:
        """Calls go through the checks of arrays in Python."""
        self.at_once, self._into, self._longer = neither, neither, 0

    def open_door(self) -> None:
        """`at_once`, and calls that are such, go past cffi from now on; of several outputs where these are not given.

        Examples:
            >>> kernel, x = gt.compile("exp(f32[2])"), np.zeros(2, np.float32)
            >>> kernel.open_door()
            >>> kernel.at_once(x)  # doctest: +SKIP
            array([1., 1.], dtype=float32)
        """
        self._longer = DOOR_AT
        if self._leading is not None and self._signature.bound is None:
            kept = self._library, self._leading
            self.at_once, into = at_once(self._in_c, self._leading, self._signature, self._cycles(), kept)
            self._into = neither if self._signature.further else into

    def _room_for(self, arrays: Sequence[Any], named: dict[str, Any]) -> Any:
        """Arrays for the results of calls that are bound without `out`; None where they are made at each call."""
        return None

    @property
    def library(self) -> Library:
        """Its compiled C, not loaded."""
        return self._compiled

    @property
    def signature(self) -> Signature:
        """What the C function takes: its name, inputs and outputs, with dtypes, sizes and layouts."""
        return self._signature

    def _repr_html_(self) -> str:
        facts = {key: value for key, value in self.metadata.items() if isinstance(value, bool | int | float | str)}
        rows = [(key, number(value)) for key, value in facts.items()]
        return fragment(str(self.signature), rows, source(self.source))

    def torch(self) -> Callable[..., Any]:
        """It as an operator of torch.

        `call(*tensors)` takes tensors as they lie and gives new ones, a tuple of several outputs. torch.compile keeps
        it whole. There are no gradients.

        Raises:
            SpecError: torch is not installed, a constant is packed, or a size is dynamic that is not along the slowest
                axis.

        Examples:
            >>> exp = gt.compile("exp(f32[2])").torch()  # doctest: +SKIP
            >>> exp(torch.zeros(2))  # doctest: +SKIP
            tensor([1., 1.])
        """
        return of_tensors(*self._called_elsewhere())

    def jax(self) -> Callable[..., Any]:
        """It as a function of JAX's arrays.

        `call(*arrays)` gives new arrays, a tuple of several outputs. Within `jax.jit` it is a custom call of XLA, which
        takes arrays as they lie; `jax.vmap` runs it once for each. There are no gradients.

        Raises:
            SpecError: jax is not installed, a size is dynamic, or a constant is packed.

        Examples:
            >>> exp = gt.compile("exp(f32[2])").jax()  # doctest: +SKIP
            >>> jax.jit(lambda x: exp(x) + 1)(jnp.zeros(2))  # doctest: +SKIP
            Array([2., 2.], dtype=float32)
        """
        return of_arrays(*self._called_elsewhere())

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
        weights: str | None = None,
    ) -> Path:
        """Write kernel.c, kernel.h, kernel.so and kernel.json, which `griotte.runtime.load` reads.

        Returns the directory. A model has its packed constants too, model.bin. With any of `name`, `cmake`,
        `pkgconfig`, `targets` also a package for C and C++ programs: libNAME.a, NAME.h and NAME.hpp.

        Args:
            directory: where to; it is made where it is not there.
            name: as of `Program.save`.
            cmake: as of `Program.save`.
            pkgconfig: as of `Program.save`.
            targets: as of `Program.save`; not of a kernel that was read back, and of a model while its graph is still
                there.
            wheel: as of `Program.save`.
            threads_by: whose threads the package runs on: "team", griotte's own; "openmp"; "host", those that the
                program which calls gives.
            weights: where a package has a model's constants: "file", one beside it for each target, or "inside". None:
                "file".

        Raises:
            SpecError: the name, a word or the list of targets is none, or there are `weights` for a Spec.
            TargetError: there is no such target.
            ToolchainError: there is no C compiler, it failed, or the files cannot be written; no half-written file is
                left behind.

        Examples:
            >>> gt.compile("exp(f32[2])").save("exp").name
            'exp'
        """
        from .packages import PackageOptions, save  # and with it the writers of C

        options = PackageOptions(name, cmake, pkgconfig, targets, threads_by, weights, wheel)
        return save(self._compiled, directory, options, self._packed)

    def _packed(self, library: Library) -> Any:
        """A model's constants, packed as a library of it for this or another target packs them."""

    def _called_elsewhere(self) -> tuple[Signature, Path, tuple[int, ...], object]:
        """How other frameworks call it: signature, library, leading addresses, the object that must live as long."""
        return self._signature, self._compiled.path, (), self

    def _cycles(self, calls: int = 1) -> float:
        """What so many calls take, by the model."""
        cost = self.metadata.get("cost")
        return calls * cost if isinstance(cost, (int, float)) else math.inf


def opened(library: Library) -> Any:
    """The library with its functions; TargetError where this CPU lacks what they need, ToolchainError where it does not
    load."""
    signature = library.signature
    if lacking := missing(library.needs):
        raise TargetError(
            f"expected a CPU with the features that {signature.function} needs, found one without {lacking}; compile"
            f" {'its Spec' if library.weights is None else 'the model'} for target native or portable"
        )
    if library.metadata.get("threads", 1) > 1:
        load_team()
    ffi = cffi.FFI()
    for function, takes in library.functions.items():
        ffi.cdef(f"void {function}({', '.join(takes)});")
    try:
        found = ffi.dlopen(str(library.path))
        for function in library.functions:
            getattr(found, function)
    except (OSError, AttributeError) as error:
        reason = str(error).split("  Additionally")[0]
        if isinstance(error, OSError) and not (compiler := find_compiler()).is_for_here:
            raise ToolchainError(
                f"expected a compiler for {platform.machine()} and {platform.system()}, where this process runs, found"
                f" one for {compiler.system}; unset CC or set it to another one, or write the files for that machine:"
                " Program.save, or griotte compile -o"
            ) from error
        raise ToolchainError(
            f"expected a library with {signature.function}, found {reason}, in {library.path}; remove that file and"
            " compile again"
        ) from error
    return found
