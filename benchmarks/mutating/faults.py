"""Small faults of a Python file: where one can be planted, and the file with it.

A fault is known by its file and its number among all of the file, in the order of the text. The file with a fault in it
is written by `ast.unparse`, so it has other lines and no comments; what it means differs in the one place.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
NAMES = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any"}
UNTOUCHED = {  # types are not run, decorators and bases hold no arithmetic, and what an error says is no behaviour
    (ast.arg, "annotation"),
    (ast.AnnAssign, "annotation"),
    (ast.FunctionDef, "returns"),
    (ast.FunctionDef, "decorator_list"),
    (ast.ClassDef, "decorator_list"),
    (ast.ClassDef, "bases"),
    (ast.Raise, "exc"),
    (ast.Raise, "cause"),
}


@dataclass(frozen=True)
class Fault:
    """One fault: of a file below src/griotte, in a function of it ("" outside all)."""

    file: str
    number: int
    line: int
    kind: str
    before: str
    after: str
    function: str

    @property
    def name(self) -> str:
        return f"{self.file}:{self.number}"

    def __str__(self) -> str:
        return f"{self.file}:{self.line} ({self.number}) {self.kind}: {self.before}  ->  {self.after}"


@dataclass(frozen=True)
class _Place:
    """A node, and where it hangs: `holder[key]` of a list, or the field `key` of a node."""

    holder: ast.AST | list
    key: str | int
    line: int
    function: str

    @property
    def node(self) -> ast.AST:
        return self.holder[self.key] if isinstance(self.holder, list) else getattr(self.holder, self.key)

    def put(self, node: ast.AST) -> None:
        if isinstance(self.holder, list):
            self.holder[self.key] = node
        else:
            setattr(self.holder, self.key, node)


def faults(source: Path, file: str) -> list[Fault]:
    """All faults that a file can have."""
    return [
        Fault(file, number, place.line, kind, _short(place.node), _short(node), place.function)
        for number, (place, kind, node) in enumerate(_all(ast.parse((source / file).read_text())))
    ]


def planted(text: str, number: int) -> str:
    """The file's text with a fault in it."""
    tree = ast.parse(text)
    place, _, node = list(_all(tree))[number]
    place.put(node)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def drawn(source: Path, rooms: list[str], count: int, seed: int) -> list[Fault]:
    """So many faults of these rooms, at most one of a place, every place alike."""
    files = sorted(path.relative_to(source).as_posix() for room in rooms for path in (source / room).glob("*.py"))
    chance = random.Random(seed)
    places: dict[tuple[str, int, str], list[Fault]] = {}
    for file in files:
        for fault in faults(source, file):
            places.setdefault((file, fault.line, fault.before), []).append(fault)
    chosen = chance.sample(sorted(places), min(count, len(places)))
    return [chance.choice(places[place]) for place in chosen]


def _all(tree: ast.Module) -> Iterator[tuple[_Place, str, ast.AST]]:
    for place in _places(tree, 0, ""):
        for kind, node in _others(place.node):
            yield place, kind, node


def _places(parent: ast.AST, line: int, function: str) -> Iterator[_Place]:
    """Every node below one, in the order of the text."""
    if isinstance(parent, (ast.Import, ast.ImportFrom)) or _is_for_checkers(parent):
        return
    if isinstance(parent, ast.stmt):
        line = parent.lineno
    if isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        function = f"{function}.{parent.name}".lstrip(".")
    for field, value in ast.iter_fields(parent):
        if (type(parent), field) in UNTOUCHED:
            continue
        for key, node in enumerate(value) if isinstance(value, list) else [(field, value)]:
            if isinstance(node, ast.AST) and not _is_docstring(node):
                at = node.lineno if isinstance(node, ast.stmt) else line
                yield _Place(value if isinstance(value, list) else parent, key, at, function)
                yield from _places(node, line, function)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_for_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _others(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What may stand in a node's place, and the kind of fault that it is."""
    match node:
        case ast.Compare(left=left, ops=[operator, *rest], comparators=comparators):
            for other in COMPARISONS[type(operator)]:
                yield "comparison", ast.Compare(left, [other(), *rest], comparators)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in ARITHMETIC:
            if not _is_text(left) and not _is_text(right):
                yield "arithmetic", ast.BinOp(left, ARITHMETIC[type(operator)](), right)
        case ast.AugAssign(target=target, op=operator, value=value) if type(operator) in ARITHMETIC:
            yield "arithmetic", ast.AugAssign(target, ARITHMETIC[type(operator)](), value)
            yield "statement deleted", ast.Pass()
        case ast.Constant(value=bool() as value):
            yield "constant", ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield "constant", ast.Constant(value + 1)
            yield "constant", ast.Constant(value - 1)
        case ast.BoolOp(op=operator, values=values):
            yield "and, or", ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not dropped", operand
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
            yield "sign dropped", operand
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield "min, max", ast.Name(NAMES[name], ast.Load())
        case ast.Attribute(value=value, attr=name, ctx=ast.Load()) if name in NAMES:
            yield "min, max", ast.Attribute(value, NAMES[name], ast.Load())
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield "condition negated", ast.IfExp(_negated(test), body, orelse)
        case ast.If(test=test, body=body, orelse=orelse):
            yield "condition negated", ast.If(_negated(test), body, orelse)
        case ast.While(test=test, body=body, orelse=orelse):
            yield "condition negated", ast.While(_negated(test), body, orelse)
        case ast.comprehension(target=target, iter=iterated, ifs=[first, *more], is_async=is_async):
            yield "condition negated", ast.comprehension(target, iterated, [_negated(first), *more], is_async)
        case ast.Return(value=ast.expr() as value) if not _is_nothing(value):
            yield "returned value dropped", ast.Return(None)
        case ast.Expr() | ast.Raise() | ast.Break() | ast.Continue() | ast.Delete():
            yield "statement deleted", ast.Pass()
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield "statement deleted", ast.Pass()


def _negated(test: ast.expr) -> ast.expr:
    return (
        test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else ast.UnaryOp(ast.Not(), test)
    )


def _is_nothing(value: ast.expr) -> bool:
    """Whether a returned value tells a caller that asks whether it is true no more than None would: None, False, ""."""
    return isinstance(value, ast.Constant) and not value.value


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _short(node: ast.AST) -> str:
    """A node as text, of one line; of a compound statement its first."""
    lines = ast.unparse(ast.fix_missing_locations(node)).splitlines()
    return lines[0][:100] + (" ..." if len(lines) > 1 or len(lines[0]) > 100 else "")
