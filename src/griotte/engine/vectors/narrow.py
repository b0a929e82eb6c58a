"""Bodies of maps computed in a float of 16 bits itself, where that gives the same as in f32: each result rounded once.

Take a sum, a difference, a product, a quotient or a root of numbers of 11 bits. Rounded to 24 bits, and then to 11, it
is the same as rounded to 11 at once (24 >= 2 * 11 + 2: S. Figueroa, "When is double rounding innocuous?", SIGNUM
Newsletter 30(3), 1995). So it is among denormals too: there a product is exact in f32, and so is a sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from ...lang.functions import reciprocal
from ...lang.types.dtypes import convert, dtype
from ...lang.types.expr import Arg, As, Call, Const, Expr, is_test
from .library import VectorLibrary

ROUNDED = ("add", "sub", "mul", "div", "sqrt")
"""Functions rounded to the nearest: the same where their result is rounded again."""
EXACT = ("copy", "neg", "abs", "relu", "maximum", "minimum")
"""What gives one of its arguments, or its size: the same in any float that holds those, and rounded before or after. So
does the choice by a test."""


@lru_cache(1 << 12)
def narrowed(body: Expr, narrow: str) -> Expr | None:
    """The body with its calls computed in a narrow float, where they take and give such floats and the body computes
    them in the dtype of their arithmetic. None where the two are not the same."""
    return _rounded(body, narrow)


def _rounded(expr: Expr, narrow: str) -> Expr | None:
    """A function rounded to a narrow float after it; one that gives one of its arguments gives it rounded."""
    match expr:
        case Call("div", (x, Const(by))) if _held(found := _once(by), narrow):
            return _call("mul", [_value(x, narrow), Const(found)])
        case Call(name, args) if name in ROUNDED:
            return _call(name, [_value(each, narrow) for each in args])
    return _exact(expr, narrow, _rounded) or _value(expr, narrow)


def _value(expr: Expr, narrow: str) -> Expr | None:
    """An expression that is a narrow float as it is."""
    wide = dtype(narrow).compute
    match expr:
        case Arg():
            return expr
        case Const(number):
            return expr if _held(number, narrow) else None
        case As(source, to, As(taken, given, inner)) if (source, to, taken, given) == (narrow, wide, wide, narrow):
            return _rounded(inner, narrow)
    return _exact(expr, narrow, _value)


def _exact(expr: Expr, narrow: str, way: Callable[[Expr, str], Expr | None]) -> Expr | None:
    """What gives one of its arguments, which are narrow in some way."""
    match expr:
        case Call("where", (Call(test, args), *others)) if is_test(test):
            condition = _call(test, [_value(each, narrow) for each in args])
            return _call("where", [condition, *(way(each, narrow) for each in others)])
        case Call(name, args) if name in EXACT:
            return _call(name, [way(each, narrow) for each in args])
    return None


def _call(name: str, args: Sequence[Expr | None]) -> Expr | None:
    known = [each for each in args if each is not None]
    return Call(name, tuple(known)) if len(known) == len(args) else None


def _once(divisor: float) -> float | None:
    """What a product by which is the quotient by a number, to the bit."""
    found = reciprocal(divisor, "f32")
    return found.high if found and not found.low else None


def _held(number: float | None, narrow: str) -> bool:
    """Whether a narrow float is this number."""
    if number is None:
        return False
    with np.errstate(all="ignore"):
        found = convert(np.asarray(float(number)), narrow)
    return bool(np.isfinite(found) and float(found) == number)


def helpers(expr: Expr) -> Iterator[str]:
    """The helpers over vectors that a narrowed body is written with."""
    match expr:
        case Call("where", (Call(test, args), *others)):
            yield f"select_{test}"
            for each in (*args, *others):
                yield from helpers(each)
        case Call(name, args):
            if name != "copy":
                yield name
            for each in args:
                yield from helpers(each)


def emit_narrowed(expr: Expr, values: Sequence[str], library: VectorLibrary, name: str, lanes: int) -> str:
    """C text of a narrowed body over vectors of a narrow float, as `body.emit_body` has it of others."""
    text = lambda each: emit_narrowed(each, values, library, name, lanes)
    match expr:
        case Arg(index):
            return values[index]
        case Const(number):
            bits = int(np.asarray(convert(np.asarray(float(number)), name)).view(np.uint16))
            return f"{library.splat(name, lanes)}({bits:#06x})"
        case Call("copy", (inner,)):
            return text(inner)
        case Call("where", (Call(test, args), *others)):
            return f"{library.narrow(f'select_{test}', name, lanes)}({', '.join(map(text, (*args, *others)))})"
        case Call(called, args):
            return f"{library.narrow(called, name, lanes)}({', '.join(map(text, args))})"
    raise AssertionError(f"no C for {expr}")
