"""A kernel as an operator of torch: it takes tensors as they lie, and torch.compile keeps it whole.

Addresses go to C as integers, which is the cheapest way to pass an object without buffer protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import cffi

from ..lang.types.dtypes import dtype as row
from ..support.errors import SpecError
from .arguments import check_size
from .signature import Signature, TensorArg, require_plain

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
        signature: what it takes and gives; no constant is packed.
        path: of the library.
        first: addresses that the function takes before those of the tensors.
        kept: what has to live as long as the operator.
    """
    torch = _torch()
    run, fake = tensor_calls(signature, path, first, kept)
    if not _LIBRARIES:
        _LIBRARIES.append(torch.library.Library("griotte", "FRAGMENT"))
    name = f"{signature.function}_{next(NUMBERS)}"
    takes = ", ".join(f"Tensor x{n}" for n in range(len(signature.inputs)))
    gives = ", ".join(["Tensor"] * len(signature.outputs))
    _LIBRARIES[0].define(f"{name}({takes}) -> {f'({gives})' if signature.further else gives}")
    _LIBRARIES[0].impl(name, run, "CPU")
    torch.library.register_fake(f"griotte::{name}", fake, lib=_LIBRARIES[0])
    return getattr(torch.ops.griotte, name).default


def tensor_calls(
    signature: Signature, path: Path, first: Sequence[Any], kept: object
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """A function that runs the kernel on tensors, past torch's dispatcher, and one that gives results without values.

    Arguments are those of `of_tensors`. SpecError without torch, of packed constants, and of a dynamic size that is not
    the slowest."""
    torch = _torch()
    _require_dense(signature)
    library, function = _function(signature, path, len(first))
    _KEPT.append((library, kept))
    if signature.bound is None:
        return _of_numbers(torch, signature, tuple(first), function), _telling(torch, signature)
    return _of_any_size(torch, signature, tuple(first), function), _telling(torch, signature)


def _torch() -> Any:
    try:
        import torch.library
    except ImportError:
        raise SpecError(
            "expected the package torch to call a kernel with tensors, found none; run: pip install 'griotte[torch]'"
        ) from None
    return torch


def _require_dense(signature: Signature) -> None:
    """SpecError for packed constants, and for tensors that would be parts of larger ones, of the bound."""
    if signature.bound is None:
        return require_plain(signature)
    least = signature.at(1)
    if any(arg.packing or arg.within for arg in (*least.inputs, *least.outputs)):
        raise SpecError(
            f"expected no packed constants, and an open size along the slowest axis, found {signature}; make a model of"
            " it, whose constants are its own, or compile it at one size"
        )


def _function(signature: Signature, path: Path, leading: int) -> tuple[Any, Any]:
    """The library at `path`, and its function of addresses as integers, with the size first where there is one."""
    ffi = cffi.FFI()
    sizes = [] if signature.bound is None else ["int64_t"]
    addresses = ["uintptr_t"] * (leading + len(signature.inputs) + len(signature.outputs))
    ffi.cdef(f"void {signature.function}({', '.join(sizes + addresses)});")
    library = ffi.dlopen(str(path))
    return library, getattr(library, signature.function)


def _of_numbers(torch: Any, signature: Signature, first: tuple[Any, ...], function: Any) -> Callable[..., Any]:
    """A function that runs it on tensors of these sizes."""
    expected = [(_dtype(torch, arg), torch.Size(arg.shape), _axes(arg)) for arg in signature.inputs]
    makers = [_maker(torch, arg) for arg in signature.outputs]
    make_one = makers[0]
    memory_of = torch._C._data_address  # data_ptr() is for writing: it gives a lazy clone memory of its own

    def taken(tensors: tuple[Any, ...]) -> list[int]:
        pointers = list(first)
        for tensor, (dtype, shape, axes) in zip(tensors, expected):
            lies = tensor if axes is None else tensor.permute(axes)
            if tensor.dtype is not dtype or tensor.shape != shape or not lies.is_contiguous():
                raise _misfit(tensor, len(pointers) - len(first), signature)
            start = tensor.storage_offset()  # the memory of a part is that of the whole
            pointers.append(memory_of(tensor) + start * dtype.itemsize if start else memory_of(tensor))
        return pointers

    def run_one(*tensors: Any) -> Any:
        pointers, found = taken(tensors), make_one()
        function(*pointers, found.data_ptr())
        return found

    def run_several(*tensors: Any) -> Any:
        pointers, found = taken(tensors), tuple(make() for make in makers)
        function(*pointers, *(each.data_ptr() for each in found))
        return found

    return run_several if len(makers) > 1 else run_one


def _of_any_size(torch: Any, signature: Signature, first: tuple[Any, ...], function: Any) -> Callable[..., Any]:
    """A function that runs it on tensors of any size up to the bound; the function of each size is made once."""
    place, axis = next((i, arg.dynamic) for i, arg in enumerate(signature.inputs) if arg.dynamic is not None)
    met: dict[int, Callable[..., Any]] = {}

    def run(*tensors: Any) -> Any:
        shape = tensors[place].shape
        size = shape[axis] if axis < len(shape) else 0
        if size not in met:
            if axis >= len(shape):
                raise _misfit(tensors[place], place, signature)
            check_size(signature, size)
            then = partial(function, size) if size else _nothing
            met[size] = _of_numbers(torch, signature.at(size), first, then)
        return met[size](*tensors)

    return run


def _nothing(*pointers: int) -> None:
    """What a size of 0 runs."""


def _telling(torch: Any, signature: Signature) -> Callable[..., Any]:
    """A function that gives results without values; a dynamic size, which may be a symbol, is that of the inputs."""
    place, axis = next(((i, arg.dynamic) for i, arg in enumerate(signature.inputs) if arg.dynamic is not None), (0, 0))

    def made(arg: TensorArg, size: Any) -> Any:
        shape = tuple(size if axis in (arg.dynamic, arg.tied) else n for axis, n in enumerate(arg.shape))
        return torch.empty_strided(shape, _strides(shape, arg.minor_to_major), dtype=_dtype(torch, arg))

    def fake(*tensors: Any) -> Any:
        size = None if signature.bound is None else tensors[place].shape[axis]
        found = tuple(made(arg, size) for arg in signature.outputs)
        return found if len(found) > 1 else found[0]

    return fake


def _dtype(torch: Any, arg: TensorArg) -> Any:
    found = getattr(torch, NAMES.get(arg.dtype, row(arg.dtype).numpy.name), None)
    if found is None:
        raise SpecError(f"expected a dtype that torch has, found {arg.dtype} of {arg.name}; cast it within the kernel")
    return found


def _maker(torch: Any, arg: TensorArg) -> Callable[[], Any]:
    """A function that makes a tensor for an output, like one that nobody touches: the cheapest way there is."""
    strides = _strides(arg.shape, arg.minor_to_major)
    return partial(torch.empty_like, torch.empty_strided(arg.shape, strides, dtype=_dtype(torch, arg)))


def _axes(arg: TensorArg) -> tuple[int, ...] | None:
    """The order of axes in which it lies densely; None where that is its own."""
    order = tuple(arg.minor_to_major[::-1])
    return None if order == tuple(range(len(order))) else order


def _strides(shape: Sequence[Any], minor_to_major: Sequence[int]) -> tuple[Any, ...]:
    strides, step = [0] * len(shape), 1
    for axis in minor_to_major:
        strides[axis], step = step, step * shape[axis]
    return tuple(strides)


def _misfit(tensor: Any, place: int, signature: Signature) -> SpecError:
    arg = signature.inputs[place]
    lies = "dense" if tensor.is_contiguous() else f"with strides {list(tensor.stride())}"
    return SpecError(
        f"expected {arg} as input {place + 1} ({arg.name}) of {signature}, found {tensor.dtype} {list(tensor.shape)},"
        f" {lies}; call .to() or .contiguous() first"
    )
