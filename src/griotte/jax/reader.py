"""The equations of a jaxpr, one after the other, as calls of the language.

A value that is known at reading (a constant, or one that follows from constants alone) is computed at once, by JAX.
Each result has to have the shape that JAX tells, and is cast to the dtype that it tells. An equation that griotte
lacks is noted, and equations that read its results are left out, so that all such equations are found in one walk.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from jax.extend import core, source_info_util

from ..lang.types.dtypes import dtype_name
from ..models.graph import ModelGraph
from ..readers.node import Unsupported
from ..readers.stablehlo.bodies import BodyStep, RegionBody
from ..readers.stablehlo.module import ArrayType
from ..readers.stablehlo.reading import XlaNode, XlaReading, live_operations

FEW = 1024  # bytes of a constant that need not be held
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
"""By the primitive that runs a program once, the parameter that is it."""


class JaxprReader(XlaReading):
    """Reads a closed jaxpr into a ModelGraph.

    Attributes:
        program: the jaxpr.
        inputs: names of what it takes.
        outputs: names of what it gives.
    """

    def __init__(self, program: core.ClosedJaxpr, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        super().__init__(sum(getattr(each, "nbytes", 0) for each in program.consts))
        self.program, self.inputs, self.outputs = program, inputs, outputs
        self.places: dict[int, str] = {}

    def graph(self) -> ModelGraph:
        """The program's graph."""
        given = [self.input(name, type_of(var.aval)) for var, name in zip(self.program.jaxpr.invars, self.inputs)]
        result = self.ran(self.program.jaxpr, [self._constant(each) for each in self.program.consts], given)
        return self.finished(list(zip(self.outputs, result)))

    def _constant(self, held: Any) -> Any:
        array = array_of(held)
        if isinstance(array, np.ndarray) and array.nbytes >= FEW and id(array) not in self.held:
            value = self.value(array)
            self.held[id(value.array)] = value
            return value.array
        return array

    # ---- equations ---------------------------------------------------------------------------------------------------

    def inner(self, body: Any, given: Sequence[Any]) -> list[Any]:
        constants = [self._constant(each) for each in getattr(body, "consts", ())]
        return self.ran(getattr(body, "jaxpr", body), constants, list(given))

    def body(self, source: Any) -> RegionBody:
        jaxpr = getattr(source, "jaxpr", source)
        key = lambda atom: id(atom) if isinstance(atom, core.Literal) else atom
        literals = (atom for eqn in jaxpr.eqns for atom in eqn.invars if isinstance(atom, core.Literal))
        held: dict[Any, Any] = {id(atom): atom.val for atom in literals}
        held |= dict(zip(jaxpr.constvars, getattr(source, "consts", ())))
        return RegionBody(
            tuple(jaxpr.invars),
            tuple(BodyStep(name_of(eqn), tuple(map(key, eqn.invars)), tuple(eqn.outvars)) for eqn in jaxpr.eqns),
            tuple(map(key, jaxpr.outvars)),
            held.get,
        )

    def ran(self, jaxpr: core.Jaxpr, constants: Sequence[Any], given: Sequence[Any]) -> list[Any]:
        """What a jaxpr gives of these items."""
        scope: dict[Any, Any] = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*constants, *given], strict=True))
        item = lambda atom: literal(atom) if isinstance(atom, core.Literal) else scope[atom]
        vars = lambda atoms: [atom for atom in atoms if isinstance(atom, core.Var)]
        gives, reads = lambda eqn: () if eqn.effects else eqn.outvars, lambda eqn: vars(eqn.invars)
        for eqn in live_operations(jaxpr.eqns, vars(jaxpr.outvars), gives, reads):
            place, make = source_info_util.summarize(eqn.source_info), functools.partial(self._made, eqn)
            result = self.guarded(place, name_of(eqn), [item(a) for a in eqn.invars], len(eqn.outvars), make)
            scope.update(zip(eqn.outvars, result))
        return [item(atom) for atom in jaxpr.outvars]

    def _made(self, eqn: core.JaxprEqn, reads: list[Any]) -> list[Any]:
        """What it gives: computed where all that it reads is known; else calls, by its declaration."""
        place = source_info_util.summarize(eqn.source_info)
        if eqn.effects:
            raise Unsupported("what it does besides its results")
        if not any(XlaNode.is_value(each) for each in reads):
            return self._computed(eqn, reads, place)
        body = eqn.params.get(BODIES.get(eqn.primitive.name, ""))
        if body is not None:
            return self.inner(body, reads)
        self.require_declared(name_of(eqn))
        gives = tuple(type_of(var.aval) for var in eqn.outvars)
        self.require_dtypes(gives)
        return self.made(XlaNode(self, name_of(eqn), place, gives), reads, eqn.params)

    def _computed(self, eqn: core.JaxprEqn, reads: list[Any], place: str) -> list[Any]:
        """What JAX gives of these arrays."""
        for var in eqn.outvars:
            self.charge(tuple(var.aval.shape), getattr(var.aval.dtype, "itemsize", 8), place)
        with jax.ensure_compile_time_eval(), jax.default_device(jax.local_devices(backend="cpu")[0]):
            given = [jax.numpy.asarray(each, dtype=atom.aval.dtype) for each, atom in zip(reads, eqn.invars)]
            result = eqn.primitive.bind(*given, **eqn.params)
        return [array_of(each) for each in (result if eqn.primitive.multiple_results else [result])]


def name_of(eqn: core.JaxprEqn) -> str:
    """The name of its primitive, as declarations have it."""
    return str(eqn.primitive.name).replace("-", "_")


def literal(atom: core.Literal) -> Any:
    """The array that a number in a program is."""
    result = array_of(atom.val)
    return result.astype(atom.aval.dtype) if isinstance(result, np.ndarray) else result


def array_of(held: Any) -> Any:
    """The array of what JAX holds, over its memory; keys of JAX's generators stay what they are."""
    if jax.dtypes.issubdtype(getattr(held, "dtype", np.dtype(object)), jax.dtypes.extended):
        return held
    return np.asarray(held)


def type_of(aval: Any) -> ArrayType:
    """A type as readers have it; of a dtype that the language lacks its name behind "!"."""
    try:
        dtype = dtype_name(aval.dtype)
    except (ValueError, TypeError, AttributeError):
        dtype = f"!{getattr(aval, 'dtype', aval)}"
    return ArrayType(dtype, tuple(getattr(aval, "shape", ())))
