"""Specs made of Specs: calls that read the results of other calls, as a user states them (calls.py).

Each call that is passed a Spec object reads that one result. A tensor type is a new input wherever it is passed, unless
it has a name: equal names are one input. Inputs stand in the order of their first appearance.
"""

from __future__ import annotations

from dataclasses import replace

from ...support.errors import SpecError
from ..types.dynamic import Dynamic, dynamic_input
from ..types.expr import Arg, substitute
from ..types.tensor import TensorType
from .calls import CallGraph, given, graph_of, joined, linked
from .spec import ComposedSpec, Spec, read_of
from .value import OUTPUTS, Value


def inputs_of(x: TensorType | Spec) -> tuple[Value, ...]:
    """The inputs of an argument."""
    return x.graph.inputs if isinstance(x, Spec) else (given(x),)


def nested(outer: Spec, args: tuple[TensorType | Spec, ...]) -> Spec:
    """`outer`, a Spec over the tensor types of `args`, applied to their results."""
    if several := next((arg for arg in args if isinstance(arg, Spec) and len(arg.outputs) > 1), None):
        raise SpecError(
            f"expected a tensor or a call as argument of {outer.name}, found {several}, which gives"
            f" {len(several.outputs)}; give one of its calls"
        )
    dynamic, graph = _dynamic(args), outer.graph
    graphs = [x.graph if isinstance(x, Spec) else CallGraph("", (value := given(x),), (value,)) for x in args]
    now = linked(graph.calls, {key: arg.gives[0] for key, arg in zip(graph.inputs_by_key, graphs)})
    brought = {key: arg.inputs_by_key for key, arg in zip(graph.inputs_by_key, graphs)}
    inputs = joined(brought.get(key, {key: own}) for key, own in graph.inputs_by_key.items())
    return _composed(outer, inputs, tuple(now[value] for value in graph.gives), dynamic)


def outputs(*calls: Spec) -> Spec:
    """A Spec of several results. What its calls have in common is computed once.

    Args:
        *calls: Specs, each of one result, in the order of the results.

    Raises:
        SpecError: there is none, the same call twice, one of several results, or an argument that is no call.

    Examples:
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
    inputs = joined(call.graph.inputs_by_key for call in calls)
    spec = _composed(calls[-1], inputs, last, _dynamic(calls), OUTPUTS)
    return written(spec, Value(spec.output, call=OUTPUTS, reads=tuple(map(read_of, calls))))


def shared(spec: Spec) -> Spec:
    """`spec` with inputs of equal keys merged."""
    own, inputs = spec.graph.inputs, spec.graph.inputs_by_key
    if len(inputs) == len(own):
        return spec
    if len({(i.key, access) for i, access in zip(own, spec.operation.inputs)}) == len(inputs):
        return _one_nest(spec, tuple(inputs.values()))
    return _composed(spec, inputs, spec.graph.gives)


def of_inputs(spec: Spec, inputs: tuple[Value, ...]) -> Spec:
    """A fresh Spec of one nest over these inputs."""
    spec.__dict__["graph"] = graph_of(spec, inputs)
    return spec


def in_order(spec: Spec, args: tuple[TensorType | Spec, ...]) -> Spec:
    """A composition whose inputs are in the order of `args`; each tensor among them has a name."""
    inputs = joined(x.graph.inputs_by_key if isinstance(x, Spec) else {x.name: given(x)} for x in (*args, spec))
    return _composed(spec, inputs, spec.graph.gives)


def loosened(spec: Spec) -> Spec:
    """A composition whose last result may stay unrounded where it is not stored."""
    (value,) = spec.graph.gives
    loose = replace(value.spec, operation=replace(value.spec.operation, loose=True))
    return _composed(spec, spec.graph.inputs_by_key, (Value.of_nest(loose, value.values),))


def alone(spec: Spec) -> Spec:
    """A Spec of one nest as a composition of one call: in compositions axes are split by the dimensions that run
    through them."""
    return _composed(spec, spec.graph.inputs_by_key, spec.graph.gives)


def renamed(spec: Spec, name: str, rest: str) -> Spec:
    """A fresh Spec with the name of a call, which is written with this after its operands."""
    object.__setattr__(spec.operation, "name", name)
    return written_with(spec, rest)


def written_with(spec: Spec, rest: str) -> Spec:
    """A fresh Spec, its call written with this after the operands."""
    return written(spec, Value(spec.output, rest=rest))


def written(spec: Spec, value: Value) -> Spec:
    """A fresh Spec, written so."""
    object.__setattr__(spec, "written", value)
    return spec


def _one_nest(spec: Spec, kept: tuple[Value, ...]) -> Spec:
    """A nest that reads each of these inputs once, in one way."""
    op, own, keys = spec.operation, [each.key for each in spec.graph.inputs], [each.key for each in kept]
    body = substitute(op.body, tuple(Arg(keys.index(key)) for key in own))
    picks = tuple((dim, keys.index(own[i])) for dim, i in op.picks)
    found = Spec(
        replace(op, inputs=tuple(op.inputs[own.index(key)] for key in keys), body=body, picks=picks),
        spec.sizes,
        tuple(each.type for each in kept),
        spec.output,
        spec.written,
    )
    return of_inputs(found, kept)


def _dynamic(args: tuple[TensorType | Spec, ...]) -> Dynamic | None:
    """The dynamic size of a call of these arguments; SpecError where they have several."""
    inputs = [x for x in args if isinstance(x, TensorType)]
    bounds = {x.dynamic.bound for x in args if isinstance(x, Spec) and x.dynamic}
    bounds |= {x.shape[axis] for x in inputs for axis in x.dynamic_axes}
    if len(bounds) > 1:
        dynamic_input([*inputs, *(t for x in args if isinstance(x, Spec) for t in x.inputs)])
    return Dynamic("", bounds.pop()) if bounds else None


def _composed(
    outer: Spec,
    inputs: dict[object, Value],
    gives: tuple[Value, ...],
    dynamic: Dynamic | None = None,
    name: str = "",
) -> Spec:
    """A Spec of these values, with the result type, text and (where it has no other) dynamic size of `outer`."""
    graph, dynamic = CallGraph(name or outer.name, tuple(inputs.values()), gives), dynamic or outer.dynamic
    graph.__dict__.update(inputs_by_key=inputs, dynamic=dynamic and Dynamic("", dynamic.bound))
    return ComposedSpec(graph, (), graph.input_types, outer.output, outer.written)
