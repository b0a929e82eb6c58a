"""A kernel as an operator of torch: it takes tensors as they lie, and torch.compile keeps it whole.

Addresses go to C as integers, which is the cheapest way to pass what has no buffer protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import cffi

from ..errors import SpecError
from ..ir.dtypes import dtype as row
from .arguments import Signature, TensorArg, require_plain

NUMBERS = count()
NAMES = {"pred": "bool", "bf16": "bfloat16", "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2"}
"""torch's names of dtypes that are not NumPy's."""
_LIBRARIES: list[Any] = []
"""griotte's part of torch's registry of operators, once there is one."""
_KEPT: list[Any] = []
"""What operators need: they live as long as the process."""


def of_tensors(signature: Signature, path: Path, first: Sequence[Any], kept: object) -> Callable[..., Any]:
    """The operator of a kernel in the library at `path`.

    Args:
        signature: what it takes and gives; all sizes are numbers, and no constant is packed.
        path: of the library.
        first: addresses that the function takes before those of the tensors.
        kept: what has to live as long as the operator.
    """
    try:
        import torch.library
    except ImportError:
        raise SpecError(
            "expected the package torch to call a kernel with tensors, found none; run: pip install 'griotte[torch]'"
        ) from None
    require_plain(signature)
    run, fake = _calls(torch, signature, path, tuple(first), kept)
    if not _LIBRARIES:
        _LIBRARIES.append(torch.library.Library("griotte", "FRAGMENT"))
    name = f"{signature.function}_{next(NUMBERS)}"
    takes = ", ".join(f"Tensor x{n}" for n in range(len(signature.inputs)))
    gives = ", ".join(["Tensor"] * len(signature.outputs))
    _LIBRARIES[0].define(f"{name}({takes}) -> {f'({gives})' if signature.further else gives}")
    _LIBRARIES[0].impl(name, run, "CPU")
    torch.library.register_fake(f"griotte::{name}", fake, lib=_LIBRARIES[0])
    return getattr(torch.ops.griotte, name).default


def _calls(torch: Any, signature: Signature, path: Path, first: tuple, kept: object) -> tuple[Callable, Callable]:
    """What runs the kernel, and what tells its results without running it."""
    ffi = cffi.FFI()
    arguments = len(first) + len(signature.inputs) + len(signature.outputs)
    ffi.cdef(f"void {signature.function}({', '.join(['uintptr_t'] * arguments)});")
    library = ffi.dlopen(str(path))
    function = getattr(library, signature.function)
    expected = [(_dtype(torch, arg), torch.Size(arg.shape), _axes(arg)) for arg in signature.inputs]
    makers = [_maker(torch, arg) for arg in signature.outputs]
    make_one = makers[0]
    _KEPT.append((library, kept))

    def taken(tensors: tuple) -> list[int]:
        pointers = list(first)
        for tensor, (dtype, shape, axes) in zip(tensors, expected):
            lies = tensor if axes is None else tensor.permute(axes)
            if tensor.dtype is not dtype or tensor.shape != shape or not lies.is_contiguous():
                raise _misfit(tensor, len(pointers) - len(first), signature)
            pointers.append(tensor.data_ptr())
        return pointers

    def run_one(*tensors: Any) -> Any:
        pointers, found = taken(tensors), make_one()
        function(*pointers, found.data_ptr())
        return found

    def run_several(*tensors: Any) -> Any:
        pointers, found = taken(tensors), tuple(make() for make in makers)
        function(*pointers, *(each.data_ptr() for each in found))
        return found

    def fake(*tensors: Any) -> Any:
        return tuple(make() for make in makers) if len(makers) > 1 else make_one()

    run = run_several if len(makers) > 1 else run_one

    return run, fake


def _dtype(torch: Any, arg: TensorArg) -> Any:
    found = getattr(torch, NAMES.get(arg.dtype, row(arg.dtype).numpy.name), None)
    if found is None:
        raise SpecError(f"expected a dtype that torch has, found {arg.dtype} of {arg.name}; cast it within the kernel")
    return found


def _maker(torch: Any, arg: TensorArg) -> Callable[[], Any]:
    """What makes a tensor for an output."""
    dtype = _dtype(torch, arg)
    if _axes(arg) is None:
        return partial(torch.empty, arg.shape, dtype=dtype)
    return partial(torch.empty_strided, arg.shape, _strides(arg), dtype=dtype)


def _axes(arg: TensorArg) -> tuple[int, ...] | None:
    """The order of axes in which it lies densely; None where that is its own."""
    order = tuple(arg.minor_to_major[::-1])
    return None if order == tuple(range(len(order))) else order


def _strides(arg: TensorArg) -> tuple[int, ...]:
    strides, step = [0] * len(arg.shape), 1
    for axis in arg.minor_to_major:
        strides[axis], step = step, step * arg.shape[axis]
    return tuple(strides)


def _misfit(tensor: Any, place: int, signature: Signature) -> SpecError:
    arg = signature.inputs[place]
    lies = "dense" if tensor.is_contiguous() else f"with strides {list(tensor.stride())}"
    return SpecError(
        f"expected {arg} as input {place + 1} ({arg.name}) of {signature}, found {tensor.dtype} {list(tensor.shape)},"
        f" {lies}; call .to() or .contiguous() first"
    )
