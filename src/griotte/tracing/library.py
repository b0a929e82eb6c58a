"""The library's functions of arrays as functions of calls and values, which traced arrays hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..models.value import ModelValue
from ..operators import array, moving, numbers, products
from ..operators.array import Array, item_of


def on_values(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of arrays as one of what adds calls, and of values."""

    def of_calls(calls: Any, *given: Any, **how: Any) -> Any:
        arrays = (Array(calls, x) if isinstance(x, (ModelValue, np.ndarray)) else x for x in given)
        return item_of(function(*arrays, **how))

    return of_calls


broadcast, permuted, reshaped = on_values(Array.broadcast_to), on_values(Array.transpose), on_values(Array.reshape)
padded, picked = on_values(moving.padded), on_values(moving.picked)
repeated, within = on_values(moving.repeated), on_values(moving.within)
over_s32 = lambda calls, call, x, **how: array.reduced(call, Array(calls, x), **how).value
wrapping = lambda calls, call, *x: array.wrapping(call, *(Array(calls, each) for each in x)).value
sliced, wrapped = on_values(array.sliced), on_values(array.wrapped)
acosh, asinh, atanh = on_values(numbers.acosh), on_values(numbers.asinh), on_values(numbers.atanh)
cosh, sinh, tan = on_values(numbers.cosh), on_values(numbers.sinh), on_values(numbers.tan)
converted, floor_quotient = on_values(numbers.converted), on_values(numbers.floor_quotient)
reversed_order, sign = on_values(numbers.reversed_order), on_values(numbers.sign)
bitwise_not = on_values(lambda x: ~x)
multiplied = on_values(products.multiplied)
