"""What a declaration of a combiner says: how the steps of a reduction are joined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


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
    """A binary function that is associative and commutative, but for rounding, and what the stages ask of it beside its
    declaration as a Function of the same name, by which C joins two vectors.

    name      of the Function
    ufunc     NumPy
    identity  what leaves every value of a dtype as it is
    errors    how far a result of floats may be off; None: it is exact in any order
    scales    whether a factor that all terms have is one of the result, as of a sum: so what was joined may be rescaled
    in_runs   whether floats are joined in runs of a length at most, by leaves and loops, so that `errors` does not grow
    sign      what stands in C's comments before the terms that are joined to what is there; empty: `name=`
    selects   1 where the result is the largest of the terms, -1 the smallest, 0 where it is made of all
    largest   (terms, whether they have signs, largest number of the result's dtype) -> how large whole terms may be so
              that every result is exact; below 1 it is the share of them that may be 1
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
