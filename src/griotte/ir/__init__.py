"""What is asked for: dtypes, tensor types, operations, Specs, and what a Spec means (`reference`)."""

from .compare import Bounds, compare, tolerance
from .dtypes import DTYPES, DType, compute_dtype, convert, dtype, from_numpy, limits, promote
from .expr import Arg, Call, Const, Expr, calls, evaluate, substitute
from .operation import Access, Operation
from .reference import check_arrays, empty, interpret
from .samples import random_arrays, sample, whole_arrays
from .spec import Spec
from .tensor import TensorType, row_major, tensor

__all__ = [
    "Access",
    "Arg",
    "Bounds",
    "Call",
    "Const",
    "DTYPES",
    "DType",
    "Expr",
    "Operation",
    "Spec",
    "TensorType",
    "calls",
    "check_arrays",
    "compare",
    "compute_dtype",
    "convert",
    "dtype",
    "empty",
    "evaluate",
    "from_numpy",
    "interpret",
    "limits",
    "promote",
    "random_arrays",
    "sample",
    "row_major",
    "substitute",
    "tensor",
    "tolerance",
    "whole_arrays",
]
