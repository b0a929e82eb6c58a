"""The graph that grows while a function is traced; calls that are not traced, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np

from ...lang.types.dtypes import dtype_name, require_unmasked
from ...models.graph import GraphBuilder, ModelValue
from ...support.errors import SpecError
from ..operators.calls import ArrayCalls

NumpyTable = Mapping[str, Callable[..., Any]]
METHODS = {
    name: {"flatten": "ravel"}.get(name, name)
    for name in (
        "all any argmax argmin clip cumprod cumsum diagonal dot flatten max mean min prod ravel repeat round squeeze"
        " std sum swapaxes take trace var"
    ).split()
}
"""Methods of arrays that are functions: by name, the name of the function."""
REDUCED = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min"}
REDUCED |= {"logical_and": "all", "logical_or": "any"}
ACCUMULATED = {"add": "cumsum", "multiply": "cumprod"}


class Trace(ArrayCalls):
    """A graph that grows while a function is traced.

    Attributes:
        builder: makes the graph.
        functions: NumPy's, by name from `numpy.` on. Each takes what NumPy's own takes, as traced arrays.
        ufuncs: by name. Each takes arrays of the graph, or numbers, of the dtypes of NumPy's loop.
    """

    name, labels = "", ()

    def __init__(self, functions: NumpyTable, ufuncs: NumpyTable) -> None:
        self.builder, self.functions, self.ufuncs = GraphBuilder(), functions, ufuncs

    def value(self, item: Any) -> ModelValue:
        """A value of the graph; a constant where it is an array."""
        if isinstance(item, ModelValue):
            return item
        require_unmasked(item, "a constant of a traced function")
        array = np.asarray(item)
        if not array.size:
            raise SpecError(f"expected arrays that have elements, found shape {array.shape}; leave it out")
        return self.builder.constant(np.array(array, order="K"))  # the user's own may be written to later

    @staticmethod
    def dtype(item: Any) -> str:
        """griotte's name of a dtype."""
        return item.type.dtype if isinstance(item, ModelValue) else dtype_name(np.asarray(item).dtype)


BY_VALUES = "how much it gives depends on the values that it reads; compute it before, and pass what it gives"
ORDERS = "it puts elements in order; compute it before, and pass what it gives"
COUNTS = "it counts into bins; compute it outside of the function"
FACTORS = "matrices are not taken apart; compute it before, and pass what it gives"
TRANSFORMS = "griotte has no complex numbers"
TESTS = "it gives a bool of Python; compare with == and reduce with all(), or test outside of the function"
NOTHING = "an array has no memory and no elements while it is traced; call it outside of the function"
REFUSED: dict[str, str] = {
    **dict.fromkeys("nonzero flatnonzero argwhere unique unique_values extract compress trim_zeros".split(), BY_VALUES),
    **dict.fromkeys("union1d intersect1d setdiff1d".split(), BY_VALUES),
    **dict.fromkeys("sort argsort partition argpartition lexsort median quantile percentile".split(), ORDERS),
    **dict.fromkeys("nanmedian nanquantile nanpercentile searchsorted".split(), ORDERS),
    **dict.fromkeys("histogram histogram2d histogramdd bincount digitize histogram_bin_edges".split(), COUNTS),
    **{
        f"linalg.{name}": FACTORS
        for name in "inv pinv solve svd svdvals eig eigh eigvals eigvalsh qr cholesky det slogdet lstsq cond".split()
    },
    **{f"fft.{name}": TRANSFORMS for name in "fft ifft rfft irfft fft2 ifft2 fftn ifftn rfft2 rfftn".split()},
    **dict.fromkeys("allclose array_equal array_equiv".split(), TESTS),
    **dict.fromkeys("may_share_memory shares_memory save savetxt array2string array_str array_repr".split(), NOTHING),
    **dict.fromkeys("interp isin polyfit roots cov corrcoef gradient trapezoid unwrap".split(), "not yet"),
    **dict.fromkeys("put place putmask copyto fill_diagonal put_along_axis".split(), "it writes into an array"),
}
"""Functions that are not traced, and why."""
REFUSED_METHODS = "sort argsort partition argpartition nonzero searchsorted".split()
UNKNOWN = "elements are not known while griotte traces"


class Untraceable(SpecError, AttributeError):
    """Why a function is not traced."""


def refusal(name: str) -> Untraceable:
    """Why a function of this name is refused."""
    why = REFUSED.get(name, "it is not in the table of docs/reference/numpy.md")
    return Untraceable(f"expected a function that griotte traces, found numpy.{name}: {why}")


def of_elements(what: str, mend: str) -> Untraceable:
    """Why a use of the elements of an array is refused."""
    return Untraceable(f"expected no use of a traced array's elements, found {what}: {UNKNOWN}; {mend}")


def refused(what: str, mend: str) -> Callable[..., Any]:
    """A method that is a use of the elements of an array."""

    def refuse(self: Any, *args: Any, **named: Any) -> NoReturn:
        raise of_elements(what, mend)

    return refuse
