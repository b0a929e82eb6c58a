"""An operation's scalar body as a C expression over vectors."""

from __future__ import annotations

from ..spec.expr import Arg, Call, Const, Expr
from .vector import VectorLibrary, literal

_BINARY = ("add", "sub", "mul", "div", "maximum", "minimum")
_INFIX = {"add": "+", "sub": "-", "mul": "*"}


def emit_body(expr: Expr, values: list[str], library: VectorLibrary, dtype: str, lanes: int) -> str:
    """C text of `expr` over the C expressions `values` (vectors of `dtype`; the predicate of `where` is a u8 vector)."""
    match expr:
        case Arg(index):
            return values[index]
        case Const(value):
            return f"{library.splat(dtype, lanes)}({literal(dtype, value)})"
        case Call("copy", (inner,)):
            return emit_body(inner, values, library, dtype, lanes)
        case Call("where", (p, x, y)):
            parts = [emit_body(e, values, library, dtype, lanes) for e in (p, x, y)]
            return f"{library.select(dtype, lanes)}({', '.join(parts)})"
        case Call(name, args):
            parts = [emit_body(e, values, library, dtype, lanes) for e in args]
            if name in _INFIX:
                return f"({parts[0]} {_INFIX[name]} {parts[1]})"
            helper = library.binary(name, dtype, lanes) if name in _BINARY else library.unary(name, dtype, lanes)
            return f"{helper}({', '.join(parts)})"
    raise AssertionError(f"no C for {expr}")


def predicates(expr: Expr) -> set[int]:
    """Inputs that are read as predicates (first argument of `where`) and so are not converted."""
    match expr:
        case Call("where", (Arg(index), x, y)):
            return {index} | predicates(x) | predicates(y)
        case Call(_, args):
            return set().union(*(predicates(a) for a in args)) if args else set()
    return set()
