"""How a function of NumPy is declared: from traced arrays to calls of the language. One table of functions, one of
ufuncs, one of what is refused by name."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Signature, signature
from typing import Any, TypeVar

from ..errors import SpecError

Declaration = Callable[..., Any]
NumpyFunction = TypeVar("NumpyFunction", bound=Declaration)

FUNCTIONS: dict[str, Declaration] = {}
"""By NumPy's name, from `numpy.` on: `sum`, `linalg.norm`. Each takes the trace, then what NumPy's own takes."""
UFUNCS: dict[str, Declaration] = {}
"""By name: from the trace and operands of the dtypes of NumPy's loop, values or numbers, to a value."""
SIGNATURES: dict[str, Signature] = {}
METHODS: dict[str, str] = {}
"""Methods of arrays that are functions: by name, the name of the function."""
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


class Untraceable(SpecError, AttributeError):
    """Why a function is not traced."""


def function(*names: str, method: str = "") -> Callable[[NumpyFunction], NumpyFunction]:
    """Declare what functions of NumPy are: `trace, *arguments` as NumPy's own. `method`: its names as a method."""

    def declare(make: NumpyFunction) -> NumpyFunction:
        for name in names:
            FUNCTIONS[name] = make
            every = list(signature(make).parameters.values())[1:]
            SIGNATURES[name] = Signature(every)
        METHODS.update(dict.fromkeys(method.split(), names[0]))
        return make

    return declare


def ufunc(*names: str) -> Callable[[NumpyFunction], NumpyFunction]:
    """Declare what a ufunc is of operands of the dtypes of its loop."""

    def declare(make: NumpyFunction) -> NumpyFunction:
        UFUNCS.update(dict.fromkeys(names, make))
        return make

    return declare


def name_of(func: Any) -> str:
    """NumPy's name of a function, from `numpy.` on."""
    return f"{func.__module__}.{func.__name__}".removeprefix("numpy.")


def declared(name: str) -> Declaration:
    """What a function is; Untraceable, with the reason, where it is not declared."""
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    raise refusal(name)


def refusal(name: str) -> Untraceable:
    """Why a name is refused."""
    why = REFUSED.get(name, "it is not in the table of docs/numpy.md")
    return Untraceable(f"expected a function that griotte traces, found numpy.{name}: {why}")


def applied(name: str, trace: Any, args: Any, kwargs: Any) -> Any:
    """What a function gives of these arguments; Untraceable where it does not take them."""
    make = declared(name)
    try:
        SIGNATURES[name].bind(*args, **kwargs)
    except TypeError as error:
        takes = ", ".join(SIGNATURES[name].parameters)
        raise Untraceable(
            f"expected numpy.{name} of ({takes}), found another argument: {error}; leave it out"
        ) from None
    return make(trace, *args, **kwargs)
