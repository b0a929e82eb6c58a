"""Tensors of torch and arrays of NumPy over the same memory."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import torch

from ..lang.types.dtypes import dtype_name
from ..readers.node import Unsupported

NARROW = {
    torch.bfloat16: (torch.uint16, np.dtype(ml_dtypes.bfloat16)),
    torch.float8_e4m3fn: (torch.uint8, np.dtype(ml_dtypes.float8_e4m3fn)),
    torch.float8_e5m2: (torch.uint8, np.dtype(ml_dtypes.float8_e5m2)),
}
"""Dtypes that NumPy itself lacks: of what bits, and as which dtype of ml_dtypes."""
WIDE = (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
FLOATS = (torch.float16, torch.float32, torch.float64)
UNSIGNED = (torch.uint16, torch.uint32, torch.uint64)
NAMES = {
    **{of: dtype_name(torch.empty(0, dtype=of).numpy().dtype) for of in (*WIDE, *FLOATS, *UNSIGNED)},
    **{of: dtype_name(array) for of, (_, array) in NARROW.items()},
}
"""griotte's names of torch's dtypes."""


def name_of(dtype: torch.dtype) -> str:
    """griotte's name of a dtype of torch; Unsupported where it has none."""
    if dtype not in NAMES:
        raise Unsupported(f"a tensor of {dtype}")
    return NAMES[dtype]


def array_of(tensor: torch.Tensor) -> np.ndarray:
    """The array of a tensor, which shares its memory; Unsupported where no array is like it."""
    name_of(tensor.dtype)
    require_dense(tensor)
    if tensor.device.type != "cpu":
        raise Unsupported(f"a tensor on {tensor.device}")
    tensor = tensor.detach()
    if tensor.dtype not in NARROW:
        return _numpy_of(tensor.resolve_neg())
    bits, dtype = NARROW[tensor.dtype]
    return _numpy_of(tensor.view(bits)).view(dtype)


def address_of(tensor: torch.Tensor) -> int:
    """Where its first element lies, to be read: data_ptr() would give a lazy clone memory of its own."""
    return int(torch._C._data_address(tensor)) + tensor.storage_offset() * tensor.element_size()


def _numpy_of(tensor: torch.Tensor) -> np.ndarray:
    """The same of a dtype that NumPy has; of a lazy clone over the memory that it shares, which is for reading."""
    return np.asarray(_Shared(tensor)) if torch._C._is_cow_tensor(tensor) else tensor.numpy()


class _Shared:
    """The memory of a lazy clone, held by a clone of its own: `numpy()` would copy it."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.held = torch._lazy_clone(tensor)
        size = tensor.element_size()
        self.__array_interface__ = {
            "version": 3,
            "data": (address_of(self.held), False),
            "shape": tuple(tensor.shape),
            "strides": tuple(step * size for step in tensor.stride()),
            "typestr": _numpy(tensor.dtype).str,
        }


def part_of(meta: Any) -> Any:
    """What tells of a complex tensor, as it tells of its real part; anything else as it is."""
    if not isinstance(meta, torch.Tensor) or not meta.dtype.is_complex:
        return meta
    return torch.empty(tuple(meta.shape), dtype=meta.dtype.to_real(), device="meta")


def parts_of(tensor: torch.Tensor) -> tuple[np.ndarray, np.ndarray]:
    """The real and the imaginary parts of a complex tensor, as arrays."""
    real, imag = torch.view_as_real(tensor.detach().resolve_conj()).unbind(-1)
    return array_of(real.contiguous()), array_of(imag.contiguous())


def complex_of(real: np.ndarray, imag: np.ndarray) -> torch.Tensor:
    """The complex tensor of these parts."""
    return torch.complex(tensor_of(real), tensor_of(imag))


def require_dense(tensor: torch.Tensor) -> None:
    """Unsupported where a tensor has not all its elements in memory."""
    if tensor.layout != torch.strided:
        raise Unsupported(f"a sparse tensor, {tensor.layout}")


def tensor_of(array: np.ndarray) -> torch.Tensor:
    """The tensor of an array, which shares its memory where it can be written."""
    array = array if array.flags.writeable and all(s >= 0 for s in array.strides) else array.copy()
    for dtype, (bits, own) in NARROW.items():
        if array.dtype == own:
            return torch.from_numpy(array.view(_numpy(bits))).view(dtype)
    return torch.from_numpy(array)


def _numpy(dtype: torch.dtype) -> Any:
    return torch.empty(0, dtype=dtype).numpy().dtype
