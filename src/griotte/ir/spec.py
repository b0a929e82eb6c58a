"""A goal as a user states it: an operation over concrete tensor types. Its canonical form is what the search sees.

`Spec` here is level-free: where the operands live and what memory is left is added by `search.problem` when a target is
known. Canonical means: no axis of size 1 that nobody asked to keep, and dimensions that run together in every operand
joined into one, so that `add` of two row-major 8x4x2 tensors is a 64-long vector operation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Any

from ..errors import SpecError
from .dtypes import compute_dtype, dtype
from .dynamic import Dynamic, dynamic_input, dynamic_of, resized
from .expr import at_size, calls, computed_in, numbers, value_args
from .operation import Access, Operation
from .tensor import TensorType


@dataclass(frozen=True)
class Spec:
    """`sizes` are by dimension of the operation; `inputs` and `output` are dense tensor types, `outputs` all that it
    gives, the last of them `output`. `dynamic`, which follows from the tensor types, tells the dimension whose size is
    only a bound, or two of one such size."""

    # an Operation; of several nests a Graph (and a Composition as a Spec states it), which has the same attributes
    operation: Any
    sizes: tuple[int, ...]
    inputs: tuple[TensorType, ...]
    output: TensorType
    text: str = field(default="", compare=False)
    dynamic: Dynamic | None = None
    # of a canonical Spec: the input of the stated one that each operand is; -1: none, a constant 0, 1, 2, ..
    # (`expr.IOTA`); -2 - n: its output n, of several; None: the same
    sources: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.is_composed:
            object.__setattr__(self, "dynamic", dynamic_input(self.inputs))
            return
        for access, tensor in zip(self.operation.accesses, self.tensors):
            if access.held(self.size) != tensor.shape:
                raise SpecError(
                    f"expected shape {list(access.held(self.size))} for {self.operation.name}, found {tensor}"
                )
        if self.dynamic is None:
            object.__setattr__(self, "dynamic", dynamic_of(self.operation, self.size, self.tensors))

    @property
    def is_composed(self) -> bool:
        """Whether it is stated as a composition of calls."""
        return hasattr(self.operation, "steps")

    def at(self, size: int) -> Spec:
        """This Spec, as stated or canonical, with its dynamic size fixed; one without is itself."""
        return self if self.dynamic is None else self._at(size)

    def _at(self, size: int) -> Spec:
        if self.is_composed:
            fixed = lambda t: resized(t, t.dynamic_axes, size)
            steps = tuple(replace(step, spec=step.spec._at(size)) for step in self.operation.steps)
            return Spec(
                replace(self.operation, steps=steps),
                (),
                tuple(map(fixed, self.inputs)),
                fixed(self.output),
                re.sub(r"<=\s*\d+", str(size), self.text),
            )
        operation = at_size(self.operation, size) if numbers(self.operation) else self.operation
        if self.dynamic is None:
            return replace(self, operation=operation)
        dims, extent = self.dynamic.dims, size * self.dynamic.unit
        sizes = tuple(extent if d in dims else s for d, s in self.size.items())
        *inputs, output = (
            resized(t, tuple(access.axis_of(d) for d in dims if d in access.dims), extent)
            for access, t in zip(self.operation.accesses, self.tensors)
        )
        return Spec(
            operation, sizes, tuple(inputs), output, re.sub(r"<=\s*\d+", str(size), self.text), sources=self.sources
        )

    @cached_property
    def size(self) -> dict[str, int]:
        return dict(zip(self.operation.dims, self.sizes))

    @cached_property
    def outputs(self) -> tuple[TensorType, ...]:
        """What it gives as it is stated: `output`, or several tensors."""
        several = self.operation.results if self.is_composed else ()
        return tuple(self.operation.tensors(self.inputs)[t] for t in several) or (self.output,)

    @property
    def tensors(self) -> tuple[TensorType, ...]:
        return (*self.inputs, self.output)

    @cached_property
    def operand_sources(self) -> tuple[int, ...]:
        """Of a canonical Spec: `sources`, and that of its output."""
        sources = tuple(range(len(self.inputs))) if self.sources is None else self.sources
        taken = {-2 - source for source in sources if source < -1}
        return (*sources, -2 - next(n for n in range(len(taken) + 1) if n not in taken))

    @cached_property
    def operand_names(self) -> tuple[str, ...]:
        """Of a canonical Spec: what each operand is called in C: x0, x1, .. as stated; y, or of several outputs y0, y1,
        ..; nothing where it is a constant 0, 1, 2, .."""
        several = len(self.operation.placed) > 0
        return tuple(
            f"x{source}" if source >= 0 else "" if source == -1 else f"y{-2 - source}" if several else "y"
            for source in self.operand_sources
        )

    @cached_property
    def accumulator(self) -> str:
        """The dtype the nest computes and accumulates in: the inputs', and in a reduction that of a wider result of
        their kind (f32 summed to f64 is summed in f64, 8-bit integers summed to f32 in s32)."""
        if self.operation.is_graph:
            return self.operation.nests[-1].accumulator
        if self.is_composed:
            return self.operation.steps[-1].spec.accumulator
        if mixed := computed_in(self.operation.body, ""):
            return mixed
        values = value_args(self.operation.body)
        inputs = [t.dtype for i, t in enumerate(self.inputs) if i in values] or [self.output.dtype]
        compute = compute_dtype(*inputs)
        is_float = dtype(compute).kind == "float"
        if self.operation.combine and is_float == (dtype(self.output.dtype).kind == "float"):
            return compute_dtype(*inputs, self.output.dtype)
        return compute

    @property
    def flops(self) -> int:
        """Scalar operations: two per multiply-accumulate, one per body call or combine otherwise."""
        if self.is_composed:
            return sum(step.spec.flops for step in self.operation.steps)
        return self.operation.times(self.size) * max(
            1, len(calls(self.operation.body)) + (self.operation.combine is not None)
        )

    @property
    def bytes(self) -> int:
        """Bytes of every operand and result once, or what is picked of it: the least that must move."""
        return sum(self.moved)

    @property
    def moved(self) -> tuple[int, ...]:
        """The bytes that must move of each tensor: all of it, or of one that is read at indices alone what those
        pick."""
        placed = {i for _, i in self.operation.placed}
        read = [t.bytes if i in placed else 0 for i, t in enumerate(self.inputs)]
        for op, reads, size in self._nests:
            for t, access in zip(reads, op.inputs):
                if t < len(read):
                    read[t] += (
                        self.inputs[t].bytes * int(prod(access.held(op.touched(size)))) // self.inputs[t].elements
                        if op.picks
                        else self.inputs[t].bytes
                    )
        return *(min(n, t.bytes) for n, t in zip(read, self.inputs)), *(t.bytes for t in self.outputs)

    @property
    def _nests(self):
        """(operation, the tensors that its inputs are, sizes) of each nest."""
        op = self.operation
        if self.is_composed:
            return [(step.spec.operation, step.reads, step.spec.size) for step in op.steps]
        return (
            [(nest.operation, nest.reads, self.size) for nest in op.nests]
            if op.is_graph
            else [(op, range(len(self.inputs)), self.size)]
        )

    def canonical(self) -> Spec:
        """The form the search sees: axes of whole groups split, no axis of size 1 that nobody keeps, runs of dimensions
        joined, dimensions renamed in order (but those kept), at least one dimension. A dynamic size is told by
        `dynamic` alone."""
        if self.is_composed:
            from .canonical import canonical

            return canonical(self)
        return _renamed(_coalesced(_without_units(_ungrouped(_with_a_dimension(self)))))

    def __str__(self) -> str:
        if self.text:
            return self.text
        return f"{self.operation.name}({', '.join(map(str, self.inputs))}) -> {self.output}"


def _with_a_dimension(spec: Spec) -> Spec:
    """A map over scalars as a map over one dimension of size 1."""
    if spec.sizes:
        return spec
    nest = replace(
        spec.operation, dims=("i0",), inputs=tuple(Access.of("i0") for _ in spec.inputs), output=Access.of("i0")
    )
    inputs = tuple(replace(t, shape=(1,), minor_to_major=(0,)) for t in spec.inputs)
    return Spec(nest, (1,), inputs, replace(spec.output, shape=(1,), minor_to_major=(0,)), spec.text)


def _ungrouped(spec: Spec) -> Spec:
    """An axis that two dimensions step through as one number, `g*8+c` with c below 8, as two axes."""
    split = [_split_axes(access, tensor, spec.size) for access, tensor in zip(spec.operation.accesses, spec.tensors)]
    if all(access is old for (access, _), old in zip(split, spec.operation.accesses)):
        return spec
    accesses, tensors = zip(*split)
    operation = replace(spec.operation, inputs=tuple(accesses[:-1]), output=accesses[-1])
    return Spec(operation, spec.sizes, tuple(tensors[:-1]), tensors[-1], spec.text, spec.dynamic)


def _split_axes(access: Access, tensor: TensorType, size: dict[str, int]) -> tuple[Access, TensorType]:
    for axis, terms in enumerate(access.axes):
        if len(terms) != 2 or not access.is_whole(axis):
            continue
        (outer, factor), (inner, one) = terms
        if one == 1 and factor == size[inner]:
            axes = (*access.axes[:axis], ((outer, 1),), ((inner, 1),), *access.axes[axis + 1 :])
            border = access.border and access.border.split(axis, 1)
            shape = (*tensor.shape[:axis], size[outer], size[inner], *tensor.shape[axis + 1 :])
            order = [
                a for old in tensor.minor_to_major for a in ((axis + 1, axis) if old == axis else (old + (old > axis),))
            ]
            return _split_axes(
                Access(axes, border), TensorType(tensor.dtype, shape, tuple(order), tensor.constant), size
            )
    return access, tensor


def _renamed(spec: Spec) -> Spec:
    op = spec.operation
    names = {d: d if d in op.keep else f"i{i}" for i, d in enumerate(op.dims)}
    picks = tuple((names[d], i) for d, i in op.picks)
    nest = replace(
        op,
        dims=tuple(names[d] for d in op.dims),
        inputs=tuple(a.renamed(names) for a in op.inputs),
        output=op.output.renamed(names),
        picks=picks,
    )
    return replace(spec, operation=nest, dynamic=spec.dynamic and spec.dynamic.renamed(names))


def _without_units(spec: Spec) -> Spec:
    """Drop dimensions of size 1 (but those the operation keeps) and the axes that only they moved."""
    op = spec.operation
    dropped = {
        d for d in op.dims if spec.size[d] == 1 and d not in op.keep and not (spec.dynamic and d in spec.dynamic.dims)
    }
    if len(dropped) == len(op.dims):
        dropped.discard(op.dims[-1])
    dims = tuple(d for d in op.dims if d not in dropped)
    accesses, tensors = [], []
    for access, tensor in zip(op.accesses, spec.tensors):
        axes = tuple(tuple(t for t in axis if t[0] not in dropped) for axis in access.axes)
        kept = [i for i, axis in enumerate(axes) if axis or not access.is_whole(i)]
        order = [kept.index(a) for a in tensor.minor_to_major if a in kept]
        # an axis of size 1 has no place in memory: count it as slowest
        order.sort(key=lambda i: -i if tensor.shape[kept[i]] == 1 else -len(kept))
        accesses.append(Access(axes, access.border).on(kept))
        tensors.append(TensorType(tensor.dtype, tuple(tensor.shape[i] for i in kept), tuple(order), tensor.constant))
    combine = op.combine if any(d not in accesses[-1].dims for d in dims) else None  # a reduction over nothing is a map
    operation = Operation(op.name, dims, tuple(accesses[:-1]), accesses[-1], op.body, combine, op.keep, picks=op.picks)
    return Spec(operation, tuple(spec.size[d] for d in dims), tuple(tensors[:-1]), tensors[-1], spec.text, spec.dynamic)


def _coalesced(spec: Spec) -> Spec:
    """Join dimension pairs (outer, inner) that are neighbours in memory in every operand that has either."""
    while True:
        pair = next(
            (p for p in _pairs(spec) if all(_joins(a, t, *p) for a, t in zip(spec.operation.accesses, spec.tensors))),
            None,
        )
        if pair is None:
            return spec
        spec = _joined(spec, *pair)


def _pairs(spec: Spec):
    op = spec.operation
    for outer in op.dims:
        for inner in op.dims:
            is_pitched = spec.dynamic is not None and not spec.dynamic.may_join(outer, inner)
            if (
                outer != inner
                and not is_pitched
                and (outer in op.parallel) == (inner in op.parallel)
                and not (outer in op.keep and inner in op.keep)
            ):
                yield outer, inner


def _joins(access: Access, tensor: TensorType, outer: str, inner: str) -> bool:
    has = (outer in access.dims, inner in access.dims)
    if has == (False, False):
        return True
    if has != (True, True):
        return False
    if any([d for axis in access.axes for d, _ in axis].count(dim) > 1 for dim in (outer, inner)):
        return False
    i, j = access.axis_of(outer), access.axis_of(inner)
    order = tensor.minor_to_major
    return (
        i != j
        and access.is_whole(j)
        and access.is_plain(i)
        and access.is_plain(j)
        and order.index(i) == order.index(j) + 1
    )


def _joined(spec: Spec, outer: str, inner: str) -> Spec:
    op = spec.operation
    name = outer if outer in op.keep else inner
    rest = {outer, inner} - {name}
    dims = tuple(d for d in op.dims if d not in rest)
    sizes = tuple(spec.size[outer] * spec.size[inner] if d == name else spec.size[d] for d in dims)
    accesses, tensors = [], []
    for access, tensor in zip(op.accesses, spec.tensors):
        if inner not in access.dims:
            accesses.append(access)
            tensors.append(tensor)
            continue
        i, j = access.axis_of(outer), access.axis_of(inner)
        kept = [a for a in range(tensor.rank) if a != i]
        axes = tuple(((name, 1),) if a == j else access.axes[a] for a in kept)
        border = access.border and access.border.joined(i, j, tensor.shape[j])
        shape = tuple(tensor.shape[i] * tensor.shape[j] if a == j else tensor.shape[a] for a in kept)
        order = tuple(kept.index(a) for a in tensor.minor_to_major if a != i)
        accesses.append(Access(axes, border))
        tensors.append(TensorType(tensor.dtype, shape, order, tensor.constant))
    operation = Operation(
        op.name, dims, tuple(accesses[:-1]), accesses[-1], op.body, op.combine, op.keep, picks=op.picks
    )
    dynamic = spec.dynamic
    if dynamic and dynamic.dim == outer:
        dynamic = Dynamic(name, dynamic.bound, dynamic.unit * spec.size[inner])
    return Spec(operation, sizes, tuple(tensors[:-1]), tensors[-1], spec.text, dynamic)
