"""Specs made of Specs: calls as a user states them, in which what one gives is read by others (calls.py).

What a call gives is read by as many others as take that very object; a tensor type is an input of its own at each
place, unless it has a name: equal names are one input. Inputs stand in the order in which they first appear.
"""

from __future__ import annotations

from dataclasses import replace

from ...support.errors import SpecError
from ..types.dynamic import dynamic_input
from ..types.expr import Arg, substitute
from ..types.tensor import TensorType
from .calls import CallGraph, Value, linked, unique
from .spec import Spec, part
from .written import Written


def inputs_of(x: TensorType | Spec) -> tuple[Value, ...]:
    """What comes in by an argument."""
    return x.graph.inputs if isinstance(x, Spec) else (Value(x),)


def nested(outer: Spec, args: tuple[TensorType | Spec, ...], text: Written) -> Spec:
    """`outer`, a Spec over the tensor types of `args`, of what those give."""
    if several := next((arg for arg in args if isinstance(arg, Spec) and len(arg.outputs) > 1), None):
        raise SpecError(
            f"expected a tensor or a call as argument of {outer.name}, found {several}, which gives"
            f" {len(several.outputs)}; give one of its calls"
        )
    _require_one_size(args)
    given = [*map(inputs_of, args)]
    reads = (arg.graph.gives[0] if isinstance(arg, Spec) else own[0] for arg, own in zip(args, given))
    keys = [own.key for own in outer.graph.inputs]
    now, come = linked(outer.graph.calls, dict(zip(keys, reads))), dict(zip(keys, given))
    inputs = unique(each for own in outer.graph.inputs for each in come.get(own.key, (own,)))
    return _composed(outer, inputs, tuple(now[value] for value in outer.graph.gives), text)


def outputs(*calls: Spec) -> Spec:
    """A Spec of several results. What its calls have in common is computed once.

    Args:
        *calls: Specs, each of one result, in the order of the results.

    Raises:
        SpecError: there is none, the same call twice, one of several results, or what is no call.

    Example:
        >>> x = gt.tensor((8, 4), name="x")
        >>> h = gt.exp(x)
        >>> len(gt.outputs(h, gt.sum(h, axis=0)).outputs)
        2
    """
    for call in calls:
        if not isinstance(call, Spec) or len(call.outputs) > 1:
            raise SpecError(
                "expected a call as an output, found"
                f" {call if isinstance(call, (Spec, TensorType)) else type(call).__name__}; give what gt.matmul and the"
                " others return, or gt.copy of a tensor"
            )
    last = tuple(value for call in calls for value in call.graph.gives)
    if len(set(last)) < len(calls) or not calls:
        raise SpecError(
            "expected each output once, found "
            + ("the same call twice; leave one out" if calls else "none; give at least one call")
        )
    if len(calls) == 1:
        return calls[0]
    _require_one_size(calls)
    inputs = unique(each for call in calls for each in call.graph.inputs)
    return _composed(calls[-1], inputs, last, Written("outputs", tuple(map(part, calls))), "outputs")


def shared(spec: Spec) -> Spec:
    """`spec` with its inputs of equal key made one."""
    own, kept = spec.graph.inputs, unique(spec.graph.inputs)
    if len(kept) == len(own):
        return spec
    if len({(i.key, access) for i, access in zip(own, spec.operation.inputs)}) == len(kept):
        return _one_nest(spec, kept)
    return _composed(spec, kept, spec.graph.gives, spec.text)


def of_inputs(spec: Spec, inputs: tuple[Value, ...]) -> Spec:
    """A fresh Spec of one nest, whose inputs are these."""
    spec.__dict__["graph"] = CallGraph(spec.name, inputs, (Value(spec.output, inputs, spec),))
    return spec


def in_order(spec: Spec, args: tuple[TensorType | Spec, ...]) -> Spec:
    """A composition with its inputs in the order in which `args`, of which each tensor has a name, bring them."""
    inputs = unique(each for x in (*args, spec) for each in inputs_of(x))
    return _composed(spec, inputs, spec.graph.gives, spec.text)


def loosened(spec: Spec) -> Spec:
    """A composition of which what the last call gives may stay unrounded where it is not stored."""
    (value,) = spec.graph.gives
    loose = replace(value.spec, operation=replace(value.spec.operation, loose=True))
    return _composed(spec, spec.graph.inputs, (replace(value, spec=loose),), spec.text)


def alone(spec: Spec) -> Spec:
    """A Spec of one nest as a composition of it: of compositions axes are split by the dimensions that go through
    them."""
    return _composed(spec, unique(spec.graph.inputs), spec.graph.gives, spec.text)


def renamed(spec: Spec, text: Written) -> Spec:
    """A fresh Spec, written so, and with the name of that call."""
    object.__setattr__(spec, "text", text)
    object.__setattr__(spec.operation, "name", text.name)
    return spec


def _one_nest(spec: Spec, kept: tuple[Value, ...]) -> Spec:
    """A nest that reads each of its inputs in one way, once."""
    op, own, keys = spec.operation, [each.key for each in spec.graph.inputs], [each.key for each in kept]
    body = substitute(op.body, tuple(Arg(keys.index(key)) for key in own))
    picks = tuple((dim, keys.index(own[i])) for dim, i in op.picks)
    found = Spec(
        replace(op, inputs=tuple(op.inputs[own.index(key)] for key in keys), body=body, picks=picks),
        spec.sizes,
        tuple(each.type for each in kept),
        spec.output,
        spec.text,
    )
    return of_inputs(found, kept)


def _require_one_size(args: tuple[TensorType | Spec, ...]) -> None:
    """SpecError where these have several dynamic sizes."""
    tensors = [x for x in args if isinstance(x, TensorType)]
    dynamic_input([*tensors, *(each.type for x in args if isinstance(x, Spec) for each in x.graph.inputs)])


def _composed(
    outer: Spec, inputs: tuple[Value, ...], gives: tuple[Value, ...], text: Written | str, name: str = ""
) -> Spec:
    """A Spec of these values, whose result is that of `outer`."""
    types = tuple(each.type for each in inputs)
    return Spec(CallGraph(name or outer.name, inputs, gives), (), types, outer.output, text)
