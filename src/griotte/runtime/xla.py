"""A kernel as a function of JAX: XLA calls its C by the foreign function interface, without a copy."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import cffi

from ..errors import SpecError
from ..ir.dtypes import dtype
from .arguments import Signature, TensorArg
from .toolchain import compile_shared

_KEPT: dict[int, Any] = {}
"""What functions need, by the address of what XLA is told: traces of them may live as long as the process."""
_REGISTERED: dict[str, Any] = {}
"""Handlers that XLA knows, by their names."""


def of_jax(signature: Signature, path: Path, first: int | None, kept: object) -> Callable[..., Any]:
    """The function of a kernel in the library at `path`.

    Args:
        signature: what it takes and gives; all sizes are numbers, and no constant is packed.
        path: of the library.
        first: an address that the function takes before those of the arrays.
        kept: what has to live as long as the function.
    """
    try:
        import jax
        import jax.ffi
    except ImportError:
        raise SpecError(
            "expected the package jax to call a kernel with its arrays, found none; run: pip install 'griotte[jax]'"
        ) from None
    if signature.bound is not None or any(arg.packing for arg in signature.inputs):
        raise SpecError(
            f"expected fixed sizes and no packed constants, found {signature}; make a model of it, whose constants are"
            " its own, at one size"
        )
    name, called = _handler(jax, signature, first is not None), _called(signature, path, first, kept)
    results = [jax.ShapeDtypeStruct(arg.shape, dtype(arg.dtype).numpy) for arg in signature.outputs]
    layouts = {
        "input_layouts": [arg.minor_to_major[::-1] for arg in signature.inputs],
        "output_layouts": [arg.minor_to_major[::-1] for arg in signature.outputs],
    }
    given = results if signature.further else results[0]
    if not signature.further:
        layouts["output_layouts"] = layouts["output_layouts"][0]  # type: ignore[assignment]
    foreign = jax.ffi.ffi_call(name, given, vmap_method="sequential", **layouts)

    def call(*arrays: Any) -> Any:
        if len(arrays) != len(signature.inputs):
            raise SpecError(
                f"expected {len(signature.inputs)} arrays for {signature}, found {len(arrays)}; pass one for each input"
            )
        for array, arg in zip(arrays, signature.inputs):
            _require(array, arg, signature)
        found = foreign(*arrays, called=called)
        return tuple(found) if signature.further else found

    call.__name__ = call.__qualname__ = signature.function
    call.__doc__ = f"{signature}: arrays of JAX in, new ones out; it has no gradients."
    return jax.jit(call)


def _require(array: Any, arg: TensorArg, signature: Signature) -> None:
    if tuple(array.shape) != arg.shape or array.dtype != dtype(arg.dtype).numpy:
        raise SpecError(
            f"expected {arg} as input {arg.name} of {signature}, found {array.dtype}{list(array.shape)}; call .astype()"
            " or .reshape() first"
        )


def _called(signature: Signature, path: Path, first: int | None, kept: object) -> Any:
    """What the handler is told at each call: the address of the function and of what comes first."""
    import numpy as np

    ffi = cffi.FFI()
    ffi.cdef(f"void {signature.function}(void);")
    library = ffi.dlopen(str(path))
    room = ffi.new("uintptr_t[2]")
    room[0] = int(ffi.cast("uintptr_t", ffi.addressof(library, signature.function)))
    room[1] = first or 0
    address = int(ffi.cast("uintptr_t", room))
    _KEPT[address] = library, room, kept
    return np.int64(address)


def _handler(jax: Any, signature: Signature, has_first: bool) -> str:
    """The name by which XLA knows the handler of so many arrays."""
    inputs, outputs = len(signature.inputs), len(signature.outputs)
    name = f"griotte_{inputs}_{outputs}_{int(has_first)}"
    if name in _REGISTERED:
        return name
    types = ["const void *"] * (has_first + inputs) + ["void *"] * outputs
    given = ["called->first"] * has_first + [f"in[{i}]" for i in range(inputs)] + [f"out[{i}]" for i in range(outputs)]
    text = files(__package__).joinpath("xla.c").read_text(encoding="utf-8")
    for word, found in {
        "@INPUTS@": str(inputs),
        "@OUTPUTS@": str(outputs),
        "@TYPES@": ", ".join(types),
        "@GIVEN@": ", ".join(given),
    }.items():
        text = text.replace(word, found)
    library = ctypes.CDLL(str(compile_shared(text, extra_flags=(f"-I{jax.ffi.include_dir()}",))))
    jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(library.griotte_xla), platform="cpu")
    _REGISTERED[name] = library
    return name
