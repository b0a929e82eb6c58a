"""Specs made of Specs: a composition of calls, as a user states it, in which what one gives is read by others.

    scores = matmul(q, k); softmax(scores)         -> a Spec whose operation is a Composition of five nests

What a call gives is read by as many others as take that very object; a tensor type is an input of its own at each
place, unless it has a name: equal names are one input. Inputs stand in the order in which they first appear.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..errors import SpecError
from .expr import Arg, substitute
from .operation import Access
from .spec import Spec
from .tensor import TensorType

_NONE = Access(())


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
    dims: tuple[str, ...] = ()
    inputs: tuple[Access, ...] = ()
    output: Access = _NONE
    accesses: tuple[Access, ...] = ()
    parallel: tuple[str, ...] = ()
    reduction: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    body: None = None
    finish: None = None
    unplaced: tuple[int, ...] = ()
    placed: tuple[tuple[int, int], ...] = ()
    is_graph: bool = False
    combine: None = None
    picks: tuple = ()
    picked: tuple = ()
    indices: frozenset = frozenset()

    def tensors(self, inputs: tuple[TensorType, ...]) -> tuple[TensorType, ...]:
        """The types of all tensors, the inputs first."""
        return (*inputs, *(step.spec.output for step in self.steps))


@dataclass(frozen=True, eq=False)
class Origin:
    """One call of a Spec, by identity: `key` is its result, `reads` are the keys of what it takes."""

    key: object
    spec: Spec
    reads: tuple[object, ...]


def keys(spec: Spec) -> tuple[object, ...]:
    """What each input of a Spec is: equal keys, one tensor."""
    found = spec.__dict__.get("_keys")
    if found is None:
        found = tuple(t.name or object() for t in spec.inputs)
        object.__setattr__(spec, "_keys", found)
    return found


def origins(spec: Spec) -> tuple[Origin, ...]:
    """The calls that a Spec is made of, its own last."""
    found = spec.__dict__.get("_origins")
    if found is None:
        found = (Origin(object(), spec, keys(spec)),)
        object.__setattr__(spec, "_origins", found)
    return found


def results(spec: Spec) -> tuple[object, ...]:
    """The keys of what a Spec gives, where that is several tensors."""
    if len(spec.outputs) == 1:
        return ()
    return tuple(origins(spec)[t - len(spec.inputs)].key for t in spec.operation.results)


def nested(outer: Spec, args: tuple[TensorType | Spec, ...], text: str = "") -> Spec:
    """`outer`, a Spec over the tensor types of `args`, of what those give."""
    own, reads = keys(outer), []
    inputs: dict = {}
    steps: dict = {}
    if several := next((arg for arg in args if isinstance(arg, Spec) and len(arg.outputs) > 1), None):
        raise SpecError(
            f"expected a tensor or a call as argument of {outer.operation.name}, found {several}, which gives"
            f" {len(several.outputs)}; give one of its calls"
        )
    for key, arg in zip(own, args):
        if isinstance(arg, Spec):
            inputs.update(dict(zip(keys(arg), arg.inputs)) | inputs)
            steps |= {origin.key: origin for origin in origins(arg)}
            reads.append(origins(arg)[-1].key)
        else:
            name = arg.name or key
            inputs.setdefault(name, arg)
            reads.append(name)
    came = dict(zip(own, reads))
    for origin in origins(outer):  # of one call, or of several where `outer` is a composition
        moved = replace(origin, reads=tuple(came.get(key, key) for key in origin.reads))
        steps[origin.key] = moved
    return _composed(outer, inputs, tuple(steps.values()), text)


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
    last = [origins(call)[-1].key for call in calls]
    if len(set(last)) < len(calls) or not calls:
        raise SpecError(
            "expected each output once, found "
            + ("the same call twice; leave one out" if calls else "none; give at least one call")
        )
    if len(calls) == 1:
        return calls[0]
    inputs: dict = {}
    steps: dict = {}
    for call in calls:
        inputs.update(dict(zip(keys(call), call.inputs)) | inputs)
        steps |= {origin.key: origin for origin in origins(call)}
    return _composed(calls[-1], inputs, tuple(steps.values()), f"outputs({', '.join(map(str, calls))})", tuple(last))


def shared(spec: Spec, text: str = "") -> Spec:
    """`spec` with its inputs of equal key made one."""
    if len(set(keys(spec))) == len(spec.inputs):
        return spec
    inputs: dict = {}
    for key, tensor in zip(keys(spec), spec.inputs):
        inputs.setdefault(key, tensor)
    if not spec.is_composed and len(set(zip(keys(spec), spec.operation.inputs))) == len(inputs):
        return _one_nest(spec, tuple(inputs), tuple(inputs.values()), text)
    return _composed(spec, inputs, origins(spec), text or spec.text, results(spec))


def in_order(spec: Spec, args: tuple[TensorType | Spec, ...]) -> Spec:
    """A composition with its inputs in the order in which `args`, of which each tensor has a name, bring them."""
    given = dict(zip(keys(spec), spec.inputs))
    order = dict.fromkeys(key for x in args for key in (keys(x) if isinstance(x, Spec) else (x.name,)))
    return _composed(spec, {key: given[key] for key in order}, origins(spec), spec.text, results(spec))


def alone(spec: Spec) -> Spec:
    """A Spec of one nest as a composition of it: of compositions axes are split by the dimensions that go through
    them."""
    return _composed(spec, dict(zip(keys(spec), spec.inputs)), origins(spec), spec.text)


def _one_nest(spec: Spec, kept: tuple[object, ...], inputs: tuple[TensorType, ...], text: str) -> Spec:
    """A nest that reads each of its inputs in one way, once."""
    op, own = spec.operation, keys(spec)
    body = substitute(op.body, tuple(Arg(kept.index(key)) for key in own))
    picks = tuple((dim, kept.index(own[i])) for dim, i in op.picks)
    found = Spec(
        replace(op, inputs=tuple(op.inputs[own.index(key)] for key in kept), body=body, picks=picks),
        spec.sizes,
        inputs,
        spec.output,
        text or spec.text,
    )
    object.__setattr__(found, "_keys", kept)
    return found


def _composed(
    outer: Spec, inputs: dict, steps: tuple[Origin, ...], text: str, several: tuple[object, ...] = ()
) -> Spec:
    number = {key: i for i, key in enumerate([*inputs, *(step.key for step in steps)])}
    operation = Composition(
        "outputs" if several else outer.operation.name,
        tuple(Step(step.spec, tuple(number[key] for key in step.reads)) for step in steps),
        tuple(number[key] for key in several),
    )
    output = next(step for step in steps if step.key == several[-1]).spec.output if several else outer.output
    found = Spec(operation, (), tuple(inputs.values()), output, text)
    object.__setattr__(found, "_keys", tuple(inputs))
    object.__setattr__(found, "_origins", steps)
    return found
