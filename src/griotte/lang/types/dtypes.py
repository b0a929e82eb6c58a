"""Element types: their widths, their NumPy form, the type they are computed in, and conversion between them.

What lives here: one row per dtype of the contract, and `convert`, the single meaning of a cast. The C twin of
`convert` is `vectors.library.VectorLibrary.convert`; the two are tested against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from reprlib import repr as shortened
from typing import Any

import ml_dtypes
import numpy as np
from numpy.lib.stride_tricks import as_strided

from ...support.errors import SpecError


@dataclass(frozen=True)
class DType:
    """One element type. `bits` is its logical width, `bytes` what one element occupies in an array."""

    name: str
    kind: str  # "float", "signed", "unsigned" or "pred"
    bits: int
    numpy: np.dtype
    compute: str  # the dtype its arithmetic is done in

    @property
    def bytes(self) -> int:
        return self.numpy.itemsize


_ROWS = (
    DType("pred", "pred", 1, np.dtype(np.bool_), "s32"),
    DType("u2", "unsigned", 2, np.dtype(ml_dtypes.uint2), "s32"),
    DType("s2", "signed", 2, np.dtype(ml_dtypes.int2), "s32"),
    DType("u4", "unsigned", 4, np.dtype(ml_dtypes.uint4), "s32"),
    DType("s4", "signed", 4, np.dtype(ml_dtypes.int4), "s32"),
    DType("u8", "unsigned", 8, np.dtype(np.uint8), "s32"),
    DType("s8", "signed", 8, np.dtype(np.int8), "s32"),
    DType("u16", "unsigned", 16, np.dtype(np.uint16), "s32"),
    DType("s16", "signed", 16, np.dtype(np.int16), "s32"),
    DType("u32", "unsigned", 32, np.dtype(np.uint32), "u32"),
    DType("s32", "signed", 32, np.dtype(np.int32), "s32"),
    DType("u64", "unsigned", 64, np.dtype(np.uint64), "u64"),
    DType("s64", "signed", 64, np.dtype(np.int64), "s64"),
    DType("f4e2m1fn", "float", 4, np.dtype(ml_dtypes.float4_e2m1fn), "f32"),
    DType("f8e4m3fn", "float", 8, np.dtype(ml_dtypes.float8_e4m3fn), "f32"),
    DType("f8e4m3fnuz", "float", 8, np.dtype(ml_dtypes.float8_e4m3fnuz), "f32"),
    DType("f8e5m2", "float", 8, np.dtype(ml_dtypes.float8_e5m2), "f32"),
    DType("f8e5m2fnuz", "float", 8, np.dtype(ml_dtypes.float8_e5m2fnuz), "f32"),
    DType("f16", "float", 16, np.dtype(np.float16), "f32"),
    DType("bf16", "float", 16, np.dtype(ml_dtypes.bfloat16), "f32"),
    DType("f32", "float", 32, np.dtype(np.float32), "f32"),
    DType("f64", "float", 64, np.dtype(np.float64), "f64"),
)
DTYPES = {row.name: row for row in _ROWS}
TINY = tuple(row.name for row in _ROWS if row.kind == "float" and row.bits <= 8)
"""Floats that are stored and converted; all arithmetic on them is in f32."""
_RANK = {row.name: rank for rank, row in enumerate(_ROWS)}
_FROM_NUMPY = {row.numpy: row.name for row in _ROWS}
_SPELLED = {row.numpy.name: row.name for row in _ROWS}  # float32, bfloat16, ..
DTypeLike = str | np.dtype[Any] | type[np.generic]


def dtype(name: str) -> DType:
    """The row for `name`; SpecError when there is none."""
    try:
        return DTYPES[name]
    except (KeyError, TypeError):
        return DTYPES[dtype_name(name)]


def dtype_name(given: object) -> str:
    """griotte's name of a dtype that is given by this name, by NumPy's (float32), or as a dtype or scalar type of NumPy
    or ml_dtypes; SpecError for any other. NumPy's short names are refused: its u8 has 64 bits, and its f16 128."""
    if isinstance(given, str):
        found = given if given in DTYPES else _SPELLED.get(given)
    elif isinstance(given, np.dtype) or isinstance(given, type) and issubclass(given, np.generic):
        found = _FROM_NUMPY.get(np.dtype(given))
    else:
        found = None
    if found is None:
        shown = given.__name__ if isinstance(given, type) else given if isinstance(given, np.dtype) else repr(given)
        raise SpecError(f"expected a dtype ({' '.join(DTYPES)}), or one of NumPy or ml_dtypes like it, found {shown}")
    return found


def dtype_or(given: DTypeLike | None, default: str) -> str:
    """griotte's name of a dtype that is given, or the default where none is."""
    return default if given is None else dtype_name(given)


def from_numpy(array_dtype) -> str:
    """The contract's name of a NumPy dtype; SpecError when griotte has none for it."""
    try:
        return _FROM_NUMPY[np.dtype(array_dtype)]
    except KeyError:
        raise SpecError(
            f"expected an array of one of {' '.join(DTYPES)}, found NumPy dtype {np.dtype(array_dtype)}"
        ) from None


def promote(*names: str) -> str:
    """The wider dtype: floats above integers, then bits; signed above unsigned of one width; bf16 with f16 is f32, as
    are two floats of 8 bits and fewer."""
    if any(len({*kinds} & {*names}) > 1 for kinds in (("bf16", "f16"), TINY)):
        names = (*names, "f32")
    return max(names, key=_RANK.__getitem__)


def compute_dtype(*names: str) -> str:
    """The dtype in which an operation over these inputs (and result) computes and accumulates."""
    return dtype(promote(*names)).compute


def limits(name: str) -> tuple[int, int]:
    """Smallest and largest value of an integer dtype (pred: 0 and 1)."""
    row = dtype(name)
    if row.kind == "signed":
        return -(1 << (row.bits - 1)), (1 << (row.bits - 1)) - 1
    return 0, (1 << row.bits) - 1


def is_within(narrow: str, wide: str) -> bool:
    """Whether both are of whole numbers, and the second holds all of the first's."""
    if "float" in (dtype(narrow).kind, dtype(wide).kind):
        return False
    (least, most), (low, high) = limits(narrow), limits(wide)
    return low <= least and most <= high


def require_unmasked(array: object, where: str) -> None:
    """SpecError for an array that hides elements: no kernel would know of it."""
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        raise SpecError(
            f"expected an array without a mask, found {type(array).__name__}, for {where}; pass its filled(), or .data"
        )


Number = bool | int | float | np.generic


def is_number(value: object) -> bool:
    """Whether a value is a number of Python, NumPy or ml_dtypes: what stands for an array of rank 0."""
    return isinstance(value, Number)


def as_scalar(value: Number, to: str, where: str) -> np.ndarray:
    """A number as an array of rank 0 of dtype `to`, rounded to nearest even. SpecError where the dtype does not hold
    it: a float for an integer, or a number out of range. `where` says what it is for."""
    if isinstance(value, np.generic) and from_numpy(value.dtype) == to:
        return np.asarray(value)
    found = _held(value.item() if isinstance(value, np.generic) else value, dtype(to))
    if found is None:
        raise SpecError(
            f"expected a number that {to} holds, found {shortened(value)}, for {where}; round it first, or make a Spec"
            " of another dtype"
        )
    return found


class ExactFloat(float):
    """A float that is equal to one that is written alike: -0.0 is not 0.0, and NaN is NaN."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, float) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


def exact(scalar: np.ndarray) -> float:
    """An array of one element as a number of Python: a float wherever that is the very number, else an int."""
    wide = float(scalar.astype(np.float64))
    number = int(scalar) if scalar.dtype.kind in "iu" else wide
    if wide != number and wide == wide:
        return number
    return ExactFloat(wide) if wide != wide or not wide and np.signbit(wide) else wide


def _held(number: object, row: DType) -> np.ndarray | None:
    """A number of Python as a dtype; None where that does not hold it."""
    if row.kind != "float":
        least, most = limits(row.name)
        return np.asarray(number).astype(row.numpy) if isinstance(number, int) and least <= number <= most else None
    try:
        wide = np.asarray(float(number))  # type: ignore[arg-type]
    except OverflowError:
        return None
    found = convert(wide, row.name)
    return None if np.isfinite(wide) and not np.isfinite(found.astype(np.float64)) else found


def convert(array: np.ndarray, to: str) -> np.ndarray:
    """`array` as dtype `to`. Float to integer truncates and saturates (NaN is 0). Integers below 32 bits saturate, 32
    and 64 bits wrap. Float to pred is `!= 0`; everything else rounds to nearest even. Beyond the largest is infinity
    where the dtype has that, else NaN, else (f4e2m1fn) the largest; NaN is -0 where there is none."""
    row = dtype(to)
    array = np.asarray(array)
    if array.dtype == row.numpy:
        return array
    given = _FROM_NUMPY.get(array.dtype)
    is_float = DTYPES[given].kind == "float" if given else array.dtype.kind == "f"
    with np.errstate(all="ignore"):
        if row.kind == "float":
            return _to_float(array, row)
        if is_float and row.kind == "pred":
            return array.astype(np.float64) != 0
        if is_float:
            return _float_to_integer(array, row)
        return _integer_to_integer(array, row)


def _to_float(array: np.ndarray, row: DType) -> np.ndarray:
    if row.bits <= 16 and array.dtype != np.float64:
        array = array.astype(np.float32)  # exact of floats; integers are computed so, and the narrowing comes after
    elif row.bits <= 16 and row.name != "f16":
        array = _round_to_odd(array)
    return array.astype(row.numpy)


def _round_to_odd(array: np.ndarray) -> np.ndarray:
    """f64 as f32 with the last bit set where inexact, so that a second rounding to 16 bits rounds as if it were the
    only one."""
    near = array.astype(np.float32)
    inexact = (near != array) & ~np.isnan(array)
    away = np.abs(near.astype(np.float64)) > np.abs(array)
    bits = np.asarray(near).view(np.uint32)
    return np.where(inexact, (bits - away) | 1, bits).astype(np.uint32).view(np.float32)


def _float_to_integer(array: np.ndarray, row: DType) -> np.ndarray:
    low, high = limits(row.name)
    wide = array.astype(np.float64)
    wide = np.trunc(np.where(np.isnan(wide), 0.0, wide))
    inside, held = (wide > float(low)) & (wide < float(high)), np.dtype(np.int64 if low else np.uint64)
    exact = np.where(inside, wide, 0.0).astype(held)
    ends = np.where(wide >= float(high), held.type(high), held.type(low))
    return np.where(inside, exact, ends).astype(row.numpy)


def _integer_to_integer(array: np.ndarray, row: DType) -> np.ndarray:
    if row.bits < 32:
        least, most = limits(row.name)
        if array.dtype == np.uint64:
            array = np.minimum(array, np.uint64(most))
        return np.clip(array.astype(np.int64), least, most).astype(row.numpy)
    return array.astype(np.int64).astype(row.numpy)


_NAMELESS = DTYPES["f8e5m2"].numpy  # ml_dtypes declares it as a float of NumPy's, of which that has none of a byte


def strided(array: np.ndarray, shape: Sequence[int], strides: Sequence[int], writeable: bool = True) -> np.ndarray:
    """NumPy's as_strided, of all dtypes."""
    if array.dtype != _NAMELESS:
        return as_strided(array, shape, strides, writeable=writeable)
    return as_strided(array.view(np.uint8), shape, strides, writeable=writeable).view(array.dtype)
