"""The combiners: sum, maximum, minimum, product."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


# of a sum's rounding errors, taken as random: fewer than one sum in 1e12 errs by more; 1.4 is the most met in sums in
# order
@dataclass(frozen=True)
class SummedTerms:
    """What a reduction of floats joins, as an error bound sees it; arrays have one element for each result.

    exact            the results, in f64
    count            terms of each
    unit             roundoff of the accumulator; `tiny` and `least` are its smallest normal and denormal, `largest` its
                     largest number, `fraction_bits` those that it stores
    is_random        whether the terms are plain random numbers; `are_whole`: whether all are whole numbers;
                     `are_products`: whether each is the product of two inputs
    joined           the reduction of the terms, each changed first by a function of arrays
    sizes            the reduction of their absolute values to a power, those that are not finite left out
    flushed          where kernels may take denormal factors of the terms for 0: (what that takes off `sizes(1)`, the
                     results then); None where none does
    overflows_apart  where it may overflow since kernels take a factor of some terms out of them
    """

    exact: np.ndarray
    count: int
    unit: float
    tiny: float
    least: float
    largest: float
    fraction_bits: int
    is_random: bool
    are_whole: bool
    are_products: bool
    joined: Callable[[Callable[[np.ndarray], np.ndarray]], np.ndarray]
    sizes: Callable[[int], np.ndarray]
    flushed: Callable[[], tuple[np.ndarray, np.ndarray] | None]
    overflows_apart: Callable[[], np.ndarray | bool]


@dataclass(frozen=True)
class Errors:
    """How far a reduction's result may be off, whatever the order of its terms: by `error`; NaN as well where `nan`;
    anything not finite where `overflow`; anything at all where `free`. Reports are relative to `scale`."""

    scale: np.ndarray
    error: np.ndarray | None
    nan: np.ndarray
    overflow: np.ndarray
    free: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Combiner:
    """A binary function that is associative and commutative, but for rounding, with all that the stages need to know of
    it. C joins two vectors by the Function of the same name.

    name      of the Function
    ufunc     NumPy
    identity  what leaves every value of a dtype as it is
    errors    how far a result of floats may be off; None: it is exact in any order
    scales    whether a factor that all terms have is one of the result, as of a sum: so a joined value may be rescaled
    in_runs   whether floats are joined in runs of a length at most, by leaves and loops, so that `errors` does not grow
    sign      C's comments have it before the terms that are joined to the value there; empty: `name=`
    selects   1 where the result is the largest of the terms, -1 the smallest, 0 where it is made of all
    largest   (terms, whether they have signs, largest number of the result's dtype) -> the largest whole terms with
              exact results; below 1 it is the share of them that may be 1
    call      name of the reduction in the language, empty: it has none
    """

    name: str
    ufunc: np.ufunc
    identity: Callable[[np.dtype], Any]
    errors: Callable[[SummedTerms], Errors] | None = None
    scales: bool = False
    in_runs: bool = False
    sign: str = ""
    selects: int = 0
    largest: Callable[[int, bool, float], float] | None = None
    call: str = ""


SIGMAS = 8.0


RUN, RUN_OF_PRODUCTS = 256, 1024
"""Floats that a leaf or a loop adds one after the other to a sum, at most. A longer sum is a sum of such sums, in as
many levels as it takes. So its error does not grow as its length. (A leaf holds many sums of products.)"""


def longest(count: int, run: int) -> int:
    """How many additions a term of a sum goes through at most, of `count` terms and levels of `run`."""
    levels = 1
    while run**levels < count:
        levels += 1
    return min(count, run * levels)


def sum_errors(terms: SummedTerms) -> Errors:
    """In any order, fused or not; `lang.meaning.agreement.tolerance` says what it may be off by, with sources."""
    scale, depth = terms.sizes(1), longest(terms.count, RUN_OF_PRODUCTS if terms.are_products else RUN)
    error = (depth + 8) * terms.unit * scale
    if terms.is_random and terms.count > SIGMAS**2:
        length = np.abs(terms.exact) + np.sqrt(terms.sizes(2))
        error = np.minimum(error, SIGMAS * terms.unit * terms.count**0.5 * length)
    error += terms.count * terms.least
    nan = np.zeros(terms.exact.shape, bool)
    if found := terms.flushed():
        lost, result = found
        error += np.maximum(lost, 0) + terms.count * terms.tiny
        nan = np.isnan(result)
    if terms.are_whole:
        error = np.where(scale <= 2.0 ** (terms.fraction_bits + 1), 0.0, error)
    # of the sums of positive and of negative terms, at most
    lesser_side = (scale - np.abs(terms.exact)) / 2 + scale * terms.count * 2.0**-52
    beyond = terms.largest * 0.99
    is_sure = np.isfinite(terms.exact) & (np.abs(terms.exact) > terms.largest) & (lesser_side < beyond)
    return Errors(scale, error, nan, (scale >= beyond) & ~is_sure | terms.overflows_apart())


def product_errors(terms: SummedTerms) -> Errors:
    """A product is rounded at each factor; where partial products may leave the normal range, more is lost."""
    sizes = lambda change: terms.joined(lambda t: np.where(np.isfinite(t) & (t != 0), change(np.abs(t), 1), 1))
    largest, smallest = sizes(np.maximum), sizes(np.minimum)  # what partial products may come to
    is_infinite = terms.joined(lambda t: np.where(np.isinf(t), 0, 1)) == 0
    overflows, underflows = largest >= 0.99 * terms.largest, smallest < terms.tiny
    size = np.abs(terms.exact)
    error = terms.count * (2 * terms.unit * size + np.where(underflows, terms.least * largest, 0))
    return Errors(
        scale=size,
        error=error,
        nan=np.zeros(size.shape, bool),
        overflow=overflows,
        free=underflows & (overflows | is_infinite),  # 0 times infinity, in some orders
    )


def _largest_of_sum(terms: int, signed: bool, most: float) -> float:
    """Sums of either sign are about sqrt(terms) long."""
    return min(2**23 / terms, most / (4 * terms**0.5 if signed else terms))


def _lowest(dtype: np.dtype) -> Any:
    return dtype.type(-np.inf if dtype.kind == "f" else np.iinfo(dtype).min)


def _highest(dtype: np.dtype) -> Any:
    return dtype.type(np.inf if dtype.kind == "f" else np.iinfo(dtype).max)


SUM = Combiner(
    "add",
    np.add,
    lambda dtype: dtype.type(0),
    sum_errors,
    scales=True,
    in_runs=True,
    sign="+=",
    largest=_largest_of_sum,
    call="sum",
)
MAX = Combiner("maximum", np.maximum, _lowest, selects=1, call="max")
MIN = Combiner("minimum", np.minimum, _highest, selects=-1, call="min")
PRODUCT = Combiner(
    "mul",
    np.multiply,
    lambda dtype: dtype.type(1),
    product_errors,
    largest=lambda terms, signed, most: 1,
    call="prod",
)
COMBINERS = (SUM, MAX, MIN, PRODUCT)
