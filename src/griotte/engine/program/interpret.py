"""What a Program means: the tree executed by slow, obviously right NumPy.

Operands are logical arrays: levels, layouts, panels and vector forms do not change a value. So a loop is a slice, a
copy is an assignment, registers are an array in the accumulator's dtype. Fresh arrays start poisoned, so that a read
before the first write shows. A Hole is run by its Spec's own meaning: partial programs can be interpreted, and every
rewrite is tested so.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

import numpy as np

from ...lang.calls.spec import Spec
from ...lang.functions import COMBINERS
from ...lang.meaning.reference import accumulate, bordered, check_arrays, empty, finish, one_or_all
from ...lang.nests.access import Access
from ...lang.nests.family import Layout, Operand, State
from ...lang.nests.graph import family_of
from ...lang.types.dtypes import convert, dtype, from_numpy, strided
from ...lang.types.expr import as_product, computed_in, evaluate
from ...lang.types.tensor import TensorType, row_major
from ...support.errors import SpecError
from ..canonical.canonical import canonical_form
from .nodes import BUFFER, Alias, Bands, Block, BySize, Hole, KernelCall, Loop, Move, Node, Pipeline, Rounds, Shards

Arrays = list[np.ndarray]


def interpret(program: Node, spec: Spec, *arrays: np.ndarray, target=None, canonical: Spec | None = None) -> Any:
    """The result of `program` on one array per input of `spec`; of several outputs all, as a tuple. It is a program of
    `spec`'s canonical form, or of `canonical`, the form of one size of a dynamic Spec.

    With a `target`, leaves run through the `meaning` of its kernels, where they have one, step by step. Raises
    SpecError where an array does not fit its input.
    """
    canonical = canonical or canonical_form(spec)
    given = check_arrays(spec, arrays)
    taken = [
        _operand(source, tensor, spec, given) for source, tensor in zip(canonical.operand_sources, canonical.tensors)
    ]
    # so that all of a tile is there
    taken = [bordered(a, access.border) for a, access in zip(taken, canonical.operation.accesses)]
    execute(program, taken, target)
    results = {
        -2 - source: (a, tensor)
        for source, a, tensor in zip(canonical.operand_sources, taken, canonical.tensors)
        if source < -1
    }
    found = tuple(_in_form(*results[n], tensor) for n, tensor in enumerate(spec.outputs))
    return one_or_all(found)


def _operand(source: int, tensor: TensorType, spec: Spec, given: Arrays) -> np.ndarray:
    """The array of an operand of the canonical form: an input as it takes it, an array that counts, or one for a
    result."""
    if source >= 0:
        return _in_form(given[source], spec.inputs[source], tensor)
    return iota(tensor) if source == -1 else poisoned(tensor.dtype, tensor.shape)


def iota(tensor: TensorType) -> np.ndarray:
    """0, 1, 2, .. in the order of the tensor's layout."""
    ordered = np.arange(tensor.elements).reshape([tensor.shape[a] for a in tensor.minor_to_major[::-1]])
    return np.asarray(
        convert(ordered.transpose(np.argsort(tensor.minor_to_major[::-1])) if tensor.rank else ordered, tensor.dtype)
    )


def execute(node: Node, arrays: Arrays, target=None) -> None:
    """Run `node` over one array per operand of its Spec, the output last, written in place."""
    match node:
        case Loop(threads=1):
            _serial(node, arrays, target)
        case Loop():
            _parallel(node, arrays, target)
        case Move():
            _move(node, arrays, target)
        case Block():
            for child, sees, start in node.parts:
                execute(child, _tile(child, [arrays[i] for i in sees], child, start), target)
        case Pipeline():
            buffer = (
                poisoned(node.to.dtype, node.access.shape(node.state.size))
                if node.place == BUFFER
                else arrays[node.place]
            )
            _stated(
                node.producer, node, [buffer if i == BUFFER else arrays[i] for i in node.sees[0]], node.sees[0], target
            )
            seen = [
                bordered(buffer, border) if i == node.place else arrays[i]
                for i, border in zip(node.sees[1], node.borders)
            ]
            _stated(node.consumer, node, seen, node.sees[1], target)
        case Rounds():
            _rounds(node, arrays, target)
        case Shards():
            _shards(node, arrays, target)
        case Alias():
            execute(node.body, [arrays[i] for i in node.sees], target)
        case KernelCall():
            _kernel(node, arrays, target)
        case BySize() | Bands():
            raise SpecError(
                f"expected the program of one size, found those of {node.dim} up to {node.state.size[node.dim]};"
                " interpret program.at(size).root"
            )
        case Hole():
            meet(node.state, arrays)


def _stated(part: Node, node: Pipeline, arrays: Arrays, sees: tuple[int, ...], target) -> None:
    """A part of a graph on its arrays, which it may state with runs of their axes as one: the same elements in order of
    memory."""
    family = part.state.family
    orders = [(node.to if i == BUFFER else node.state.family.operands[i]).layout.order for i in sees]
    inside = [
        _in_axes(a, order, o.layout.order, access.shape(part.state.size))
        for a, order, o, access in zip(arrays, orders, family.operands, family.operation.accesses)
    ]
    execute(part, inside, target)
    if not np.shares_memory(inside[-1], arrays[-1]):
        arrays[-1][...] = _in_axes(inside[-1], family.output.layout.order, orders[-1], arrays[-1].shape)


def _in_axes(array: np.ndarray, order: tuple[int, ...], other: tuple[int, ...], shape: tuple[int, ...]) -> np.ndarray:
    """The elements of an array whose memory goes by `order`, fastest first, as an array of another shape and order."""
    if array.ndim == len(shape):
        return array
    slowest = other[::-1]
    return array.transpose(order[::-1]).reshape([shape[axis] for axis in slowest]).transpose(np.argsort(slowest))


# ---- loops -----------------------------------------------------------------------------------------------------------


def _serial(node: Loop, arrays: Arrays, target) -> None:
    dim, tile, trips = node.dims[0], node.tiles[0], node.trips()
    bodies = [node.bodies[0]] * trips + ([node.bodies[1]] if node.leftover() else [])
    if node.first is not None:
        bodies[0] = node.first
    for i, body in enumerate(bodies):
        execute(body, _tile(node, arrays, body, {dim: i * tile}), target)


def _rounds(node: Rounds, arrays: Arrays, target) -> None:
    counts = [node.count if room.stays else 1 + room.swaps for room in node.rooms]
    rooms = [
        [poisoned(room.operand.dtype, node.shape(room)) for _ in range(count)]
        for room, count in zip(node.rooms, counts)
    ]

    def held(seen: int, new: int, old: int, last: int) -> np.ndarray:
        """A room as a part of round `new` sees it; `last` is the last round of the first pass so far. A room that stays
        has those of rounds `new` and `old`. A room that swaps has those of the last round and the one before."""
        room, is_old = node.room(seen), seen == node.old(node.room(seen))
        return rooms[room][((old if is_old else new) if node.rooms[room].stays else last - is_old) % counts[room]]

    def run(steps, new: int, old: int, last: int) -> None:
        start = new * node.tile
        moved = [
            (
                array[(slice(None),) * axis + (slice(start, None),)]
                if (axis := node.state.family.access(i).axis_of(node.dim)) >= 0
                else array
            )
            for i, array in enumerate(arrays)
        ]
        for part, sees in steps:
            execute(
                part, _tile(part, [moved[i] if i >= 0 else held(i, new, old, last) for i in sees], part, {}), target
            )

    for i, steps in enumerate([node.first, *[node.again] * (node.trips - 1), *[node.left] * (node.leftover > 0)]):
        run(steps, i, i - 1, i)
    for i, steps in enumerate(
        [*[node.last] * node.trips, *[node.rest] * (node.leftover > 0)] if node.rest else [node.last]
    ):
        run(steps, i, node.count - 1, node.count - 1)


def _shards(node: Shards, arrays: Arrays, target) -> None:
    """The leftover first: it and the whole shards may run in any order."""
    rooms = [poisoned(room.operand.dtype, node.shape(room)) for room in node.rooms]
    for part, first in reversed(node.parts):
        shapes = [access.shape(part.state.size) for access in part.state.family.operation.accesses]
        seen = zip(node.sees, shapes)
        execute(
            part,
            [
                _cut(node, i, arrays[i], shape, first) if i >= 0 else rooms[-1 - i][first : first + shape[0]]
                for i, shape in seen
            ],
            target,
        )
    execute(node.join, [arrays[i] if i >= 0 else rooms[-1 - i] for i in node.joins], target)


def _cut(node: Shards, operand: int, array: np.ndarray, shape: tuple[int, ...], first: int) -> np.ndarray:
    """What some shards see of an operand, an array of this shape: where it moves along the dimension, its elements by
    shard, those before all other axes."""
    axis = node.state.family.access(operand).axis_of(node.dim)
    if axis < 0:
        return array
    count, each = shape[0], shape[1 + axis]
    seen = np.moveaxis(array, axis, 0)[first * node.each : first * node.each + count * each]
    return np.moveaxis(seen.reshape(count, each, *seen.shape[1:]), 1, 1 + axis)


def _parallel(node: Loop, arrays: Arrays, target) -> None:
    """Last tile first: tiles that threads share may run in any order. The parts of a reduction lie in arrays of their
    own."""
    counts = [node.trips(i) + (node.leftover(i) > 0) for i in range(len(node.dims))]
    split = next((i for i, d in enumerate(node.dims) if d in node.state.family.operation.reduction), None)
    parts = 0 if split is None else counts[split]
    results = [poisoned(node.state.family.accumulator, arrays[-1].shape) for _ in range(parts)] or [arrays[-1]]
    for index in reversed(list(product(*map(range, counts)))):
        mask = sum(1 << i for i, at in enumerate(index) if at == node.trips(i))
        body = node.bodies[mask]
        inside = [*arrays[:-1], results[0 if split is None else index[split]]]
        execute(body, _tile(node, inside, body, {d: at * t for d, at, t in zip(node.dims, index, node.tiles)}), target)
    if node.join is not None:
        execute(node.join, [np.stack(results), arrays[-1]], target)


def _tile(node: Node, arrays: Arrays, body: Node, start: dict[str, int]) -> Arrays:
    """The windows of the operands that `body` sees at these indices: an offset and an extent along every axis."""
    found = []
    for i, array in enumerate(arrays):
        access = node.state.family.access(i)
        offsets = [sum(start.get(d, 0) * c for d, c in terms) for terms in access.axes]
        extents = body.state.family.access(i).shape(body.state.size)
        assert all(o + e <= n for o, e, n in zip(offsets, extents, array.shape)), (
            f"tile {offsets} + {extents} outside {array.shape}"
        )
        found.append(array[tuple(slice(o, o + e) for o, e in zip(offsets, extents))] if access.axes else array)
    return found


# ---- moves -----------------------------------------------------------------------------------------------------------


def _move(node: Move, arrays: Arrays, target) -> None:
    i, there = node.operand, arrays[node.operand]
    if node.to.level == 0:
        registers = poisoned(computed_in(node.state.family.nest.finish, node.to.dtype), there.shape)
        if node.state.family.accumulate:
            registers[...] = convert(there, node.to.dtype)
        execute(node.body, [*arrays[:-1], registers], target)
        there[...] = convert(registers, node.state.family.output.dtype)
        return
    if node.copy is None:
        execute(node.body, arrays, target)
        return
    here = poisoned(node.to.dtype, there.shape)
    inside = [here if j == i else array for j, array in enumerate(arrays)]
    if node.copies_out:
        execute(node.body, inside, target)
        execute(node.copy, [here, there], target)
    else:
        execute(node.copy, [there, here], target)
        execute(node.body, inside, target)


def poisoned(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """A fresh array of numbers that nobody expects: NaN, or an odd large number."""
    row = dtype(name)
    return np.full(shape, np.nan if row.kind == "float" else convert(np.asarray(0x5A5A5A5B), name), row.numpy)


# ---- leaves ----------------------------------------------------------------------------------------------------------


def meet(state: State, arrays: Arrays) -> None:
    """What the Spec `state` asks for, by the reference: the nest over whole arrays, added to the output or put
    there."""
    family, out = state.family, arrays[-1]
    if not family.operation.is_lone:
        _meet_graph(state, arrays)
        return
    spec, op = _spec(state), family.nest
    there = _over_dims(out, op.output, op.parallel, state.size)
    total = accumulate(spec, arrays[:-1])
    if op.fold:
        total = _folded(state, arrays, total)
    if family.accumulate and op.joins:
        with np.errstate(all="ignore"):
            total = COMBINERS[op.joins].ufunc(there.astype(total.dtype), total)
    there[...] = convert(
        finish(spec, total) if op.finish is None or op.fold else _finished(state, arrays, total), from_numpy(out.dtype)
    )


def _meet_graph(state: State, arrays: Arrays) -> None:
    """A graph by its nests, one after the other, each tensor between them whole."""
    graph = state.family.operation
    tensors, to = list(arrays[:-1]), {graph.number(t): i for t, i in graph.placed}
    for j, nest in enumerate(graph.nests):
        op, last = nest.operation, j == len(graph.nests) - 1
        result = (
            arrays[-1]
            if last
            else arrays[to[j]]
            if j in to
            else poisoned(graph.held[j].dtype, op.output.shape(state.size))
        )
        seen = [*(bordered(tensors[t], access.border) for t, access in zip(nest.reads, op.inputs)), result]
        operands = tuple(Operand(from_numpy(a.dtype), 1, Layout(())) for a in seen)
        family = family_of(op.bare, operands, nest.accumulator)
        family = replace(family, accumulate=last and state.family.accumulate)
        meet(State(family, tuple(state.size[d] for d in op.dims)), seen)
        tensors.append(result)


def _finished(state: State, arrays: Arrays, total: np.ndarray) -> np.ndarray:
    """A reduction's result, finished as when it is stored, in the type that this is computed in."""
    op = state.family.nest
    if op.finish is None:
        return total
    others = [
        _over_dims(a, access, op.results, state.size)
        for a, access in zip(arrays[op.streamed : -1], op.inputs[op.streamed :])
    ]
    compute = computed_in(op.finish, "")
    values = [np.zeros(())] * op.streamed + [*others, total]
    return np.broadcast_to(evaluate(op.finish, values, dtype(compute).numpy if compute else total.dtype), total.shape)


def _folded(state: State, arrays: Arrays, total: np.ndarray) -> np.ndarray:
    """Results, each finished, joined across."""
    op, finished = state.family.nest, _finished(state, arrays, total)
    assert op.fold is not None
    with np.errstate(all="ignore"):
        return COMBINERS[op.fold].ufunc.reduce(
            finished, axis=tuple(op.results.index(d) for d in op.across), dtype=finished.dtype
        )


def _kernel(node: KernelCall, arrays: Arrays, target) -> None:
    kernel = None if target is None else next(k for k in target.kernels if k.name == node.kernel)
    op = node.state.family.nest
    if kernel is None or node.state.family.output.level > 0 or kernel.meaning is None or as_product(op.body) != op.body:
        meet(node.state, arrays)
        return
    _steps(node.state, kernel, arrays)


def _steps(state: State, kernel, arrays: Arrays) -> None:
    """A reduction as its kernel runs it: one step after the other along the reduction, `kernel.group` elements in
    each."""
    family, size, op = state.family, state.size, state.family.nest
    assert op.combine is not None
    dims = (*op.results, *op.summed)
    compute = kernel.operand if kernel.group > 1 and kernel.operand else family.accumulator
    values = [
        _spread(_over_dims(a, access, dims, size), size, dims) for a, access in zip(arrays, op.inputs[: op.streamed])
    ]
    values = [v if kernel.group > 1 and not kernel.operand else convert(v, compute) for v in values]
    values = [_grouped(v, len(op.results), kernel.group) for v in values]
    out = _over_dims(arrays[-1], op.output, op.parallel, size)
    held = dtype(family.accumulator).numpy
    total = (
        out.copy()
        if family.accumulate and not op.fold
        else np.full([size[d] for d in op.results], COMBINERS[op.combine].identity(held))
    )
    with np.errstate(all="ignore"):
        for step in range(values[0].shape[len(op.results)]):
            total = kernel.meaning(total, *(v[(slice(None),) * len(op.results) + (step,)] for v in values))
        if op.fold:
            total = _folded(state, arrays, total)
            out[...] = COMBINERS[op.fold].ufunc(out, total) if family.accumulate else total
            return
    out[...] = _finished(state, arrays, total)


def _spread(view: np.ndarray, size: dict[str, int], dims: tuple[str, ...]) -> np.ndarray:
    return np.broadcast_to(view, [size[d] for d in dims])


def _grouped(value: np.ndarray, parallel: int, group: int) -> np.ndarray:
    """All reduction axes as one; with a group, padded by zeros and cut: [..., steps, group]."""
    flat = value.reshape(*value.shape[:parallel], prod(value.shape[parallel:]))
    if group == 1:
        return flat
    padded = np.concatenate([flat, np.zeros((*flat.shape[:-1], -flat.shape[-1] % group), flat.dtype)], axis=-1)
    return padded.reshape(*flat.shape[:-1], -1, group)


# ---- forms -----------------------------------------------------------------------------------------------------------


def _spec(state: State) -> Spec:
    """The Spec of a state, over row-major tensors of its operands' dtypes; a reduction's result is as its accumulator
    holds it."""
    family, op = state.family, state.family.nest
    op = op.unfolded if op.fold else op
    shapes = [access.shape(state.size) for access in op.accesses]
    dtypes = [*(o.dtype for o in family.operands[:-1]), family.accumulator if op.combine else family.output.dtype]
    tensors = [TensorType(name, shape, row_major(len(shape))) for name, shape in zip(dtypes, shapes)]
    spec = Spec(op, state.sizes, tuple(tensors[:-1]), tensors[-1])
    assert op.combine is None or spec.accumulator == family.accumulator, (
        f"{state} accumulates in {family.accumulator}, its operands in {spec.accumulator}"
    )
    return spec


def _over_dims(array: np.ndarray, access: Access, dims: tuple[str, ...], size: dict[str, int]) -> np.ndarray:
    """`array` with one axis per dimension in `dims`, of length 1 where the dimension does not move it."""
    strides = dict.fromkeys(dims, 0)
    for axis, terms in enumerate(access.axes):
        for d, c in terms:
            strides[d] += c * array.strides[axis]
    shape = [size[d] if d in access.dims else 1 for d in dims]
    return strided(array, shape, [strides[d] for d in dims])


def _in_form(array: np.ndarray, tensor: TensorType, other: TensorType) -> np.ndarray:
    """The elements of `array`, a `tensor`, read in the order of its layout as an array of type `other`."""
    ordered = array.transpose(tensor.minor_to_major[::-1]) if tensor.rank else array
    found = empty(other)
    slowest_first = other.minor_to_major[::-1]
    (found.transpose(slowest_first) if other.rank else found)[...] = np.ascontiguousarray(ordered).reshape(
        [other.shape[a] for a in slowest_first]
    )
    return found
