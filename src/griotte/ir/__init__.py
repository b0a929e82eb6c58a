"""What is asked for: dtypes, tensor types, operations, Specs, and what a Spec means (`reference`)."""

from typing import TYPE_CHECKING

from ..later import later
from .tensor import TensorType, row_major, tensor  # at once: a function has the name of its file

if TYPE_CHECKING:
    from .agreement import Bounds, compare, tolerance
    from .dtypes import DTYPES, DType, compute_dtype, convert, dtype, from_numpy, limits, promote
    from .expr import Arg, Call, Const, Expr, calls, evaluate, substitute
    from .operation import Access, Operation
    from .reference import check_arrays, empty, interpret
    from .samples import random_arrays, sample, whole_arrays
    from .spec import Spec

__all__ = [
    "DTYPES",
    "Access",
    "Arg",
    "Bounds",
    "Call",
    "Const",
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
    "row_major",
    "sample",
    "substitute",
    "tensor",
    "tolerance",
    "whole_arrays",
]

if not TYPE_CHECKING:
    __getattr__ = later(
        __name__,
        {
            "agreement": "Bounds compare tolerance",
            "dtypes": "DTYPES DType compute_dtype convert dtype from_numpy limits promote",
            "expr": "Arg Call Const Expr calls evaluate substitute",
            "operation": "Access Operation",
            "reference": "check_arrays empty interpret",
            "samples": "random_arrays sample whole_arrays",
            "spec": "Spec",
        },
    )
