"""What a step's slots take of the ports of a core, and how many slots functions and conversions have."""

from __future__ import annotations

import numpy as np

from ...lang.functions import Slots, reciprocal
from ...lang.nests.operation import Operation
from ...lang.types.expr import Call, Const, Expr, called, conversions
from ...support.errors import TargetError


def bound(target, arithmetic, loads, stores, others=1, multiplying=0, spread=0):
    """`loads` are of whole vectors, `spread` of elements that fill one; `others` are issued beside them: a loop's own
    instructions; `multiplying` are the slots on ports that multiply."""
    ports = target.ports
    if ports.spreading:
        arithmetic = arithmetic + ports.spreading * spread
    issue = (arithmetic + loads + spread + stores + others) / ports.issue
    busiest = on_ports(ports, arithmetic, multiplying)
    longest = np.maximum(
        np.maximum(busiest, loads / ports.load + spread / ports.broadcast), np.maximum(stores / ports.store, issue)
    )
    return longest + ports.crowding * (loads + spread + stores + others) / ports.issue if ports.crowding else longest


def tied(ratio, one, other):
    """Cycles of two things at once that take so long alone. Where they differ much it is close to the longer. Where
    they take the same it is `ratio` times as long, for then a delay of either is one of both. The formula is a mean of
    powers, from the maximum (ratio 1) to the sum (2)."""
    longer, power = np.maximum(np.maximum(one, other), 1e-9), 1 / np.log2(np.maximum(ratio, 1 + 1e-6))
    return longer * (1 + (np.minimum(one, other) / longer) ** power) ** (1 / power)


def on_ports(ports, slots, multiplying):
    """Cycles of slots spread over the ports that multiply and those that add; the `multiplying` ones fit only the
    former."""
    return np.maximum(slots / ports.mixed, multiplying / ports.arithmetic)


def computed(target, names, dtype: str) -> Slots:
    """Arithmetic-port slots of a vector of the functions of these names, of elements of a dtype."""
    return sum((_slots(target, name, dtype) for name in names), Slots(0.0))


def _slots(target, name: str, dtype: str) -> Slots:
    found = target.function.get(f"{name}.{dtype}") or target.function.get(name)
    if found is None:
        raise TargetError(
            f"expected target {target.name} to know what {name} costs, found one that was resolved before {name} was"
            " declared; resolve it anew"
        )
    return found


def computed_by(target, op: Operation, dtype: str) -> Slots:
    """The same of all that an operation does: its body, and its combiner where it has one."""
    return evaluated(target, op.body, dtype) + computed(target, [op.combine] if op.combine else [], dtype)


def evaluated(target, expr: Expr, dtype: str) -> Slots:
    """The same of an expression that is computed in `dtype`."""
    converted = sum(conversion(target, *step) for step in conversions(expr))
    names = [_written(target, call, within) for call, within in called(expr, dtype).items() if isinstance(call, Call)]
    return computed(target, names, dtype) + Slots(converted)


def _written(target, call: Call, dtype: str) -> str:
    """The name that a call is written as: a division by a number is a product or two where that gives the same."""
    match call:
        case Call("div", (_, Const(divisor))) if products := reciprocal(divisor, dtype):
            return "mul" if products.low == 0 else "div.number" if "div.number" in target.function else "div"
    return call.function


def conversion(target, source: str, to: str) -> float:
    """Arithmetic-port slots of a vector's conversion; 0 where there is none."""
    return target.conversion.get((source, to), float(source != to))
