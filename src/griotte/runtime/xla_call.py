"""A kernel as a function of JAX: within `jax.jit` it is a custom call of XLA, on arrays as they lie.

One handler (xla_call.c) serves all kernels. An attribute of the call says which kernel it calls: the kernel's place in
a table of this process, and a number of its own. So a program that was kept from another process is refused.
"""

from __future__ import annotations

import ctypes
import functools
import secrets
import struct
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from ..lang.types.dtypes import dtype as row
from ..support.errors import SpecError, ToolchainError
from ..support.forks import ForkLock
from .direct_calls import cases
from .signature import Signature, TensorArg, require_plain
from .toolchain import compile_shared

SLOTS = 1 << 16  # as in the C
LEAST = 16  # arguments that the smallest handler passes
_KEPT: list[Any] = []
"""Kernels that programs may call: they live as long as the process."""
_LOCK = ForkLock()


def of_arrays(signature: Signature, path: Path, first: Sequence[int], kept: object) -> Callable[..., Any]:
    """The function of JAX's arrays that the kernel in the library at `path` is.

    Args:
        signature: what it takes and gives; all sizes are numbers, and no constant is packed.
        path: of the library.
        first: addresses that the function takes before those of arrays.
        kept: what has to live as long as the function.
    """
    try:
        import jax
    except ImportError:
        raise SpecError(
            "expected the package jax to call a kernel with its arrays, found none; run: pip install 'griotte[jax]'"
        ) from None
    require_plain(signature)
    return XlaFunction(jax, signature, path, first, kept)


class XlaFunction:
    """A kernel that is called with JAX's arrays: by itself, or within a function that JAX traces.

    Attributes:
        signature: what it takes and gives.
    """

    def __init__(self, jax: Any, signature: Signature, path: Path, first: Sequence[int], kept: object) -> None:
        self.signature, self._jax = signature, jax
        library = ctypes.CDLL(str(path))
        function = ctypes.cast(getattr(library, signature.function), ctypes.c_void_p).value or 0
        count = len(first) + len(signature.inputs) + len(signature.outputs)
        most = max(LEAST, 1 << (count - 1).bit_length())
        key = _entered(most, function, signature, first, (library, kept))
        results = [jax.ShapeDtypeStruct(arg.shape, row(arg.dtype).numpy) for arg in signature.outputs]
        call = jax.ffi.ffi_call(
            _target(jax, most),
            results if signature.further else results[0],
            vmap_method="sequential",
            input_layouts=[arg.minor_to_major[::-1] for arg in signature.inputs],
            output_layouts=[arg.minor_to_major[::-1] for arg in signature.outputs]
            if signature.further
            else signature.output.minor_to_major[::-1],
        )
        name = signature.function
        self.traced = lambda *arrays: call(*self._taken(arrays), kernel=np.int64(key))
        self.traced.__name__ = self.traced.__qualname__ = name
        self._run = jax.jit(self.traced)

    def __call__(self, *arrays: Any) -> Any:
        """Run it: an array, or of several outputs a tuple.

        Raises:
            SpecError: an array does not fit, or lies on several devices.
        """
        require_one_device(self._jax, arrays)
        found = self._run(*arrays)
        return tuple(found) if self.signature.further else found

    def _taken(self, arrays: Sequence[Any]) -> list[Any]:
        inputs = self.signature.inputs
        if len(arrays) != len(inputs):
            raise SpecError(
                f"expected {len(inputs)} arrays, found {len(arrays)}, for {self.signature}; pass one for each input"
            )
        if wide := next((arg for arg in (*inputs, *self.signature.outputs) if self._is_lost(arg)), None):
            raise SpecError(
                f"expected jax_enable_x64 to be set for {wide} of {self.signature}, found it is not; call"
                ' jax.config.update("jax_enable_x64", True)'
            )
        return [self._fitting(n, arg, x) for n, (arg, x) in enumerate(zip(inputs, arrays))]

    def _is_lost(self, arg: TensorArg) -> bool:
        dtype = row(arg.dtype).numpy
        return bool(self._jax.dtypes.canonicalize_dtype(dtype) != dtype)

    def _fitting(self, place: int, arg: TensorArg, x: Any) -> Any:
        dtype = row(arg.dtype).numpy
        if isinstance(x, (bool, int, float)) and not arg.shape:
            return self._jax.numpy.asarray(x, dtype=dtype)
        found = self._jax.typeof(x)
        is_number = not arg.shape and getattr(found, "weak_type", False)
        if is_number and found.shape == ():
            return self._jax.lax.convert_element_type(x, dtype)
        if found.shape != arg.shape or found.dtype != dtype:
            raise SpecError(
                f"expected {arg} as input {place + 1} ({arg.name}) of {self.signature}, found {found.dtype}"
                f"{list(found.shape)}; cast or reshape it"
            )
        return x

    def __repr__(self) -> str:
        return f"<griotte.XlaFunction {self.signature}>"


def require_one_device(jax: Any, arrays: Sequence[Any]) -> None:
    """SpecError where an array is shared out among devices, or lies on another than a CPU."""
    for x in arrays:
        if isinstance(x, jax.Array) and not isinstance(x, jax.core.Tracer):
            devices = x.sharding.device_set
            if len(devices) > 1:
                raise SpecError(
                    f"expected an array on one CPU device, found one that {x.sharding} shares out; call it within"
                    " jax.shard_map, or put the array on one device (jax.device_put)"
                )


def _entered(most: int, function: int, signature: Signature, first: Sequence[int], kept: object) -> int:
    """The key of a kernel in the table of its handler."""
    table = (ctypes.c_void_p * SLOTS).in_dll(_handler(most), "griotte_kernels")
    with _LOCK:
        slot = len(_KEPT)
        if slot >= SLOTS:
            raise SpecError(f"expected at most {SLOTS:,} kernels in programs of one process, found more; reuse some")
        key = secrets.randbits(47) << 16 | slot
        words = (key, function, len(signature.inputs), len(signature.outputs), len(first), *first)
        entry = ctypes.create_string_buffer(struct.pack(f"{len(words)}q", *words))
        _KEPT.append((entry, kept))
        table[slot] = ctypes.addressof(entry)
    return key


@functools.cache
def _target(jax: Any, most: int) -> str:
    """The name under which XLA finds the handler of at most so many arguments."""
    name = f"griotte_kernel_{most}"
    jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(_handler(most).griotte_xla_call), platform="cpu")
    return name


@functools.cache
def _handler(most: int) -> ctypes.CDLL:
    """The handler that passes at most so many arguments, compiled."""
    text = files(__package__).joinpath("xla_call.c").read_text(encoding="utf-8")
    text = text.replace("@CASES@", cases("case {n}: {call}; return;", most)).replace("@MOST@", str(most))
    if struct.calcsize("P") != 8:
        raise ToolchainError("expected a machine of 64 bits for kernels in programs of XLA, found another; use NumPy")
    return ctypes.CDLL(str(compile_shared(text)))
