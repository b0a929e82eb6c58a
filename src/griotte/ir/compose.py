"""Specs made of Specs: a composition of calls, as a user states it, in which what one gives is read by others.

    scores = matmul(q, k); softmax(scores)         -> a Spec whose operation is a Composition of five nests

What a call gives is read by as many others as take that very object; a tensor type is an input of its own at each
place, unless it has a name: equal names are one input. Inputs stand in the order in which they first appear.

A Spec knows the value that it is, and that knows what it reads. The list of all calls is made when it is first asked
for, in one walk: a thousand calls, each of which takes the one before it, are made in a thousand steps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..errors import SpecError
from .dynamic import Dynamic, dynamic_input
from .expr import Arg, substitute
from .spec import Spec, part
from .tensor import TensorType
from .walk import children_first
from .written import Written


@dataclass(frozen=True)
class Step:
    """One call: a Spec of one nest, and for each of its inputs the tensor that it is. Tensors are numbered: the inputs
    of the composition, then what each step gives."""

    spec: Spec
    reads: tuple[int, ...]


@dataclass(frozen=True)
class Composition:
    """Calls in an order in which each reads what came before. `results` are the tensors that it gives, where they are
    several; else what the last call gives is the result."""

    name: str
    steps: tuple[Step, ...]
    results: tuple[int, ...] = ()

    def tensors(self, inputs: tuple[TensorType, ...]) -> tuple[TensorType, ...]:
        """The types of all tensors, the inputs first."""
        return (*inputs, *(step.spec.output for step in self.steps))


@dataclass(frozen=True, eq=False)
class Input:
    """A tensor that comes in, by identity; those of one name are one."""

    type: TensorType

    @property
    def key(self) -> object:
        """Equal keys, one tensor."""
        return self.type.name or self


@dataclass(frozen=True, eq=False)
class Value:
    """What one call gives, by identity: `spec` is the call, of one nest, `reads` what each of its inputs is. Before the
    inputs of those stand the inputs of what is `first`."""

    spec: Spec
    reads: tuple[Value | Input, ...]
    first: tuple[Value | Input, ...] = ()


@dataclass(frozen=True)
class Calls:
    """What a Spec of several calls is until its list of calls is asked for: the values that it gives, and its name."""

    name: str
    gives: tuple[Value, ...]

    def listed(self) -> tuple[Composition, tuple[Input, ...]]:
        """All calls in order, and the inputs."""
        inputs = inputs_to(self.gives)
        steps = values_to(self.gives)
        number: dict[object, int] = {each.key: i for i, each in enumerate(inputs)}
        number |= {step: len(inputs) + j for j, step in enumerate(steps)}
        of = lambda each: number[each.key if isinstance(each, Input) else each]
        composition = Composition(
            self.name,
            tuple(Step(step.spec, tuple(map(of, step.reads))) for step in steps),
            tuple(map(of, self.gives)) if len(self.gives) > 1 else (),
        )
        return composition, inputs


def values_to(values: tuple[Value, ...]) -> list[Value]:
    """The calls that give these values, theirs among them: each once, after those that it reads."""
    return children_first(values, lambda value: (each for each in value.reads if isinstance(each, Value)))


def inputs_to(values: tuple[Value | Input, ...]) -> tuple[Input, ...]:
    """The inputs of these values, each once, in the order in which they first appear."""
    every: list[Value | Input] = children_first(
        values, lambda each: (*each.first, *each.reads) if isinstance(each, Value) else ()
    )
    found: dict[object, Input] = {}
    for each in every:
        if isinstance(each, Input):
            found.setdefault(each.key, each)
    return tuple(found.values())


def inputs_of(spec: Spec) -> tuple[Input, ...]:
    """What each input of a Spec is."""
    found = spec.__dict__.get("_inputs")
    if found is None:
        calls = spec.__dict__.get("_calls")
        found = inputs_to(calls.gives) if calls else tuple(map(Input, spec.inputs))
        object.__setattr__(spec, "_inputs", found)
    return found


def values_of(spec: Spec) -> tuple[Value, ...]:
    """The values that a Spec gives."""
    found = spec.__dict__.get("_values")
    if found is None:
        calls = spec.__dict__.get("_calls")
        found = calls.gives if calls else _listed_again(spec) if spec.is_composed else (Value(spec, inputs_of(spec)),)
        object.__setattr__(spec, "_values", found)
    return found


def _listed_again(spec: Spec) -> tuple[Value, ...]:
    """The values of a Spec of which the list of calls alone is known."""
    tensors: list[Value | Input] = list(inputs_of(spec))
    for step in spec.operation.steps:
        tensors.append(Value(step.spec, tuple(tensors[t] for t in step.reads)))
    last = [tensors[t] for t in spec.operation.results or (-1,)]
    return tuple(replace(value, first=inputs_of(spec)) for value in last if isinstance(value, Value))


def nested(outer: Spec, args: tuple[TensorType | Spec, ...], text: Written) -> Spec:
    """`outer`, a Spec over the tensor types of `args`, of what those give."""
    if several := next((arg for arg in args if isinstance(arg, Spec) and len(arg.outputs) > 1), None):
        raise SpecError(
            f"expected a tensor or a call as argument of {outer.name}, found {several}, which gives"
            f" {len(several.outputs)}; give one of its calls"
        )
    reads = (values_of(arg)[0] if isinstance(arg, Spec) else Input(arg) for arg in args)
    came: dict[object, Value | Input] = {own.key: read for own, read in zip(inputs_of(outer), reads)}
    made: dict[Value, Value] = {}
    of = lambda each: came.get(each.key, each) if isinstance(each, Input) else made[each]
    for value in values_to(values_of(outer)):  # of one call, or of several where `outer` is a composition
        made[value] = Value(value.spec, tuple(map(of, value.reads)), tuple(map(of, value.first)))
    return _composed(outer, tuple(made[value] for value in values_of(outer)), text, _dynamic((outer, *args)))


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
    last = tuple(value for call in calls for value in values_of(call))
    if len(set(last)) < len(calls) or not calls:
        raise SpecError(
            "expected each output once, found "
            + ("the same call twice; leave one out" if calls else "none; give at least one call")
        )
    if len(calls) == 1:
        return calls[0]
    text = Written("outputs", tuple(map(part, calls)))
    return _composed(calls[-1], last, text, _dynamic(calls), "outputs")


def shared(spec: Spec) -> Spec:
    """`spec` with its inputs of equal key made one."""
    own, kept = inputs_of(spec), inputs_to(inputs_of(spec))
    if len(kept) == len(own):
        return spec
    if not spec.is_composed and len({(i.key, access) for i, access in zip(own, spec.operation.inputs)}) == len(kept):
        return _one_nest(spec, kept)
    return _composed(spec, values_of(spec), spec.text, spec.dynamic)


def in_order(spec: Spec, args: tuple[TensorType | Spec, ...]) -> Spec:
    """A composition with its inputs in the order in which `args`, of which each tensor has a name, bring them."""
    first = tuple(values_of(x)[0] if isinstance(x, Spec) else Input(x) for x in args)
    (value,) = values_of(spec)
    return _composed(spec, (replace(value, first=first),), spec.text, spec.dynamic)


def loosened(spec: Spec) -> Spec:
    """A composition of which what the last call gives may stay unrounded where it is not stored."""
    (value,) = values_of(spec)
    loose = replace(value.spec, operation=replace(value.spec.operation, loose=True))
    return _composed(spec, (replace(value, spec=loose),), spec.text, spec.dynamic)


def alone(spec: Spec) -> Spec:
    """A Spec of one nest as a composition of it: of compositions axes are split by the dimensions that go through
    them."""
    return _composed(spec, values_of(spec), spec.text, spec.dynamic)


def renamed(spec: Spec, text: Written) -> Spec:
    """A fresh Spec, written so, and with the name of that call."""
    object.__setattr__(spec, "text", text)
    calls = spec.__dict__.get("_calls")
    if calls:
        spec.__dict__["_calls"] = replace(calls, name=text.name)
    if "operation" in spec.__dict__:
        object.__setattr__(spec.operation, "name", text.name)
    return spec


def _one_nest(spec: Spec, kept: tuple[Input, ...]) -> Spec:
    """A nest that reads each of its inputs in one way, once."""
    op, own, keys = spec.operation, [each.key for each in inputs_of(spec)], [each.key for each in kept]
    body = substitute(op.body, tuple(Arg(keys.index(key)) for key in own))
    picks = tuple((dim, keys.index(own[i])) for dim, i in op.picks)
    found = Spec(
        replace(op, inputs=tuple(op.inputs[own.index(key)] for key in keys), body=body, picks=picks),
        spec.sizes,
        tuple(each.type for each in kept),
        spec.output,
        spec.text,
    )
    object.__setattr__(found, "_inputs", kept)
    return found


def _dynamic(args: tuple[TensorType | Spec, ...]) -> Dynamic | None:
    """The dynamic size of what is made of these; SpecError where they have several."""
    inputs = [x for x in args if isinstance(x, TensorType)]
    bounds = {x.dynamic.bound for x in args if isinstance(x, Spec) and x.dynamic}
    bounds |= {x.shape[axis] for x in inputs for axis in x.dynamic_axes}
    if len(bounds) > 1:
        dynamic_input([*inputs, *(each.type for x in args if isinstance(x, Spec) for each in inputs_of(x))])
    return Dynamic("", bounds.pop()) if bounds else None


def _composed(
    outer: Spec, gives: tuple[Value, ...], text: Written | str, dynamic: Dynamic | None, name: str = ""
) -> Spec:
    """A Spec of these values, whose result is that of `outer`."""
    return Spec.of_calls(Calls(name or outer.name, gives), outer.output, text, dynamic and Dynamic("", dynamic.bound))
