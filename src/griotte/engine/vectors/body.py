"""An operation's scalar body as a C expression over vectors."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...lang.functions import FUNCTIONS
from ...lang.types.expr import Arg, As, Call, Const, Expr, OfSize, is_test, uses, value_args
from .library import VectorLibrary, literal


def emit_body(
    expr: Expr,
    values: list[str],
    library: VectorLibrary,
    dtype: str,
    lanes: int,
    others: dict[tuple[int, str], str] | None = None,
) -> str:
    """C text of `expr` over the C expressions `values`: vectors of `dtype`, but of u8 for the inputs that are
    `predicates`. `others` are those of inputs that parts of it take in another dtype. What each call gives is rounded,
    as NumPy's is, before it is added to."""
    return _Body(values, predicates(expr), library, dtype, lanes, others or {}, None).text(expr)


def emit_term(expr: Expr, values: list[str], library: VectorLibrary, dtype: str, lanes: int) -> str:
    """The same of a term of a sum, which becomes a multiply-add: the whole of it is not rounded."""
    return _Body(values, predicates(expr), library, dtype, lanes, {}, expr).text(expr)


def taken_otherwise(expr: Expr, dtype: str) -> list[tuple[int, str]]:
    """(input, dtype) of all that parts of an expression, itself computed in `dtype`, take in another dtype."""
    asked = predicates(expr)
    return [(i, other) for i, other in uses(expr, dtype) if other != dtype and i not in asked]


@dataclass(frozen=True)
class _Body:
    values: list[str]
    predicates: frozenset[int]
    library: VectorLibrary
    dtype: str
    lanes: int
    others: dict[tuple[int, str], str]
    contracted: Expr | None

    def text(self, expr: Expr) -> str:
        match expr:
            case Arg(index):
                return self.others.get((index, self.dtype)) or self.values[index]
            case As("bf16", "f32", As("f32", "bf16", inner)):
                return f"{self.library.round_to_bf16(self.lanes)}({self.text(inner)})"
            case As(source, to, inner):
                value, convert = replace(self, dtype=source).text(inner), self.library.convert(source, to, self.lanes)
                return f"{convert}({value})" if convert else value
            case Const(value):
                return f"{self.library.splat(self.dtype, self.lanes)}({literal(self.dtype, value)})"
            case OfSize():
                splat, scalar = self.library.splat(self.dtype, self.lanes), self.library.scalar(self.dtype)
                return f"{splat}(({scalar}){self.library.number(expr)})"
            case Call("copy", (inner,)):
                return self.text(inner)
            case Call("where", (p, x, y)):
                return self._select(p, x, y)
            case Call("div", (x, Const(value))):
                return self.library.divided(self.text(x), value, self.dtype, self.lanes)
            case Call(name, _) if is_test(name):
                return self._select(expr, Const(1), Const(0))
            case Call(name, args):
                called = self._called(name, [self.text(e) for e in args])
                held = FUNCTIONS[name].may_be_product and expr is not self.contracted
                return self._rounded(called) if held else called
        raise AssertionError(f"no C for {expr}")

    def _called(self, name: str, parts: list[str]) -> str:
        if infix := FUNCTIONS[name].infix:
            return f"({parts[0]} {infix} {parts[1]})"
        helper = self.library.binary if len(parts) == 2 else self.library.unary
        return f"{helper(name, self.dtype, self.lanes)}({', '.join(parts)})"

    def _rounded(self, called: str) -> str:
        rounded = self.library.rounded(self.dtype, self.lanes)
        return f"{rounded}({called})" if rounded else called

    def _select(self, condition: Expr, x: Expr, y: Expr) -> str:
        """x where the condition holds, else y: an input of u8, a test, which then stays a mask, or any value that is
        not 0."""
        args: tuple[Expr, ...]
        match condition:
            case Arg(index) if index in self.predicates:
                helper, args = self.library.select(self.dtype, self.lanes), (condition, x, y)
            case Call(test, (a, b)) if is_test(test):
                helper, args = self.library.select_by(test, self.dtype, self.lanes), (a, b, x, y)
            case _:
                helper, args = self.library.select_by("eq", self.dtype, self.lanes), (condition, Const(0), y, x)
        return f"{helper}({', '.join(map(self.text, args))})"


def predicates(expr: Expr) -> frozenset[int]:
    """Inputs that are only ever the first argument of `where`: they are read as u8 and not converted."""
    return _tested(expr) - value_args(expr)


def _tested(expr: Expr) -> frozenset[int]:
    if isinstance(expr, As):
        return _tested(expr.inner)
    if not isinstance(expr, Call):
        return frozenset()
    own = frozenset(x.index for x in expr.args[:1] if isinstance(x, Arg) and expr.function == "where")
    return own.union(*map(_tested, expr.args))
