"""What is seen of a jaxpr without reading it: which of its equations matter, and what forms it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from jax.extend import core

BODIES = {
    "closed_call": "call_jaxpr",
    "core_call": "call_jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
    "custom_vmap_call": "call",
    "jit": "jaxpr",
    "pjit": "jaxpr",
    "remat2": "jaxpr",
    "checkpoint": "jaxpr",
}
"""By the primitive that runs one once, the parameter that is it."""


def body_of(eqn: core.JaxprEqn) -> Any:
    """The program that an equation runs once; None of others."""
    return eqn.params.get(BODIES.get(eqn.primitive.name, ""))


def lives(jaxpr: core.Jaxpr) -> list[core.JaxprEqn]:
    """The equations whose results are read, or that do something besides, in order."""
    read = {atom for atom in jaxpr.outvars if isinstance(atom, core.Var)}
    found = []
    for eqn in reversed(jaxpr.eqns):
        if eqn.effects or any(var in read for var in eqn.outvars):
            found.append(eqn)
            read.update(atom for atom in eqn.invars if isinstance(atom, core.Var))
    return found[::-1]


class Bodies:
    """What declarations ask of programs within the program."""

    def one_operation(self, body: Any) -> str:
        """The operation that a body of two operands is; "" where it is more than one."""
        jaxpr = getattr(body, "jaxpr", body)
        if len(jaxpr.eqns) != 1:
            return ""
        (eqn,) = jaxpr.eqns
        is_one = list(eqn.outvars) == list(jaxpr.outvars) and set(eqn.invars) == set(jaxpr.invars)
        return str(eqn.primitive.name) if is_one else ""

    def joins(self, body: Any) -> list[str]:
        """Of a body of pairs the operation that each is joined by; "" of one that is not joined by one operation."""
        jaxpr = getattr(body, "jaxpr", body)
        giver = {var: eqn for eqn in jaxpr.eqns for var in eqn.outvars}
        found = []
        for into, other, out in zip(jaxpr.invars, jaxpr.invars[len(jaxpr.outvars) :], jaxpr.outvars):
            eqn = giver.get(out) if isinstance(out, core.Var) else None
            found.append(str(eqn.primitive.name) if eqn is not None and set(eqn.invars) == {into, other} else "")
        return found

    def counters(self, body: Any, pairs: Sequence[tuple[int, int]]) -> dict[int, Any]:
        """Of pairs of an input and an output, by the place of the pair, the known step from the one to the other."""
        jaxpr = getattr(body, "jaxpr", body)
        giver = {var: eqn for eqn in jaxpr.eqns for var in eqn.outvars}
        found: dict[int, Any] = {}
        for number, (place, result) in enumerate(pairs):
            into, out = jaxpr.invars[place], jaxpr.outvars[result]
            eqn = giver.get(out) if isinstance(out, core.Var) else None
            if into is out:
                found[number] = 0
            elif eqn is not None and eqn.primitive.name == "add" and np.shape(into.aval) == ():
                step = next((a.val for a in eqn.invars if isinstance(a, core.Literal)), None)
                if step is not None and any(atom is into for atom in eqn.invars):
                    found[number] = step
        return found

    def comparison(self, body: Any) -> tuple[str, tuple[str, Any], tuple[str, Any]] | None:
        """The comparison that a condition is, and its sides: ("input", place) or ("number", number)."""
        jaxpr = getattr(body, "jaxpr", body)
        eqns = lives(jaxpr)
        if len(eqns) != 1 or len(eqns[0].invars) != 2:
            return None
        places = {var: n for n, var in enumerate(jaxpr.invars)}
        held = dict(zip(jaxpr.constvars, getattr(body, "consts", ())))
        sides = []
        for atom in eqns[0].invars:
            if isinstance(atom, core.Var) and atom in places:
                sides.append(("input", places[atom]))
            else:
                sides.append(("number", atom.val if isinstance(atom, core.Literal) else held[atom]))
        return eqns[0].primitive.name, sides[0], sides[1]
