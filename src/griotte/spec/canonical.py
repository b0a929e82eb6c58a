"""The canonical form of a composition: its nests over one set of dimensions.

Every call has dimensions of its own; two become one where a tensor that one call gives and another reads runs along both (or two calls read
one input along both), unless that would make two dimensions of one nest the same. Then, as in a Spec of one nest: axes of size 1 go, runs of dimensions that
are neighbours in every tensor are joined.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import prod

from ..errors import SpecError
from .compose import Composition, Step
from .division import divides
from .dynamic import Dynamic, in_bands, rows_of
from .expr import IOTA
from .family import given_layout
from .graph import Graph, Held, Nest, by_depth, is_contraction, renamed
from .merging import finished, inline, may_finish, may_inline
from .operation import Access, Operation, counts
from .operations import copy
from .parts import is_alias, part, unaliased
from .spec import Spec
from .tensor import TensorType


def canonical(spec: Spec) -> Spec:
    """The canonical Spec of a composition: over a Graph, or over an Operation where it comes down to one nest. `sources` tells which input of `spec`
    each of its operands is."""
    spec = _with_copies(spec)
    work = _unified(spec, windows=True)
    work.split_axes()
    if not work.is_written_apart:
        work = _unified(spec, windows=False)
        work.split_axes()
    work.drop_units()
    while (pair := work.pair()) is not None:
        work.join(*pair)
    return _settled(_merged(work.spec(spec)))


@dataclass
class Work:
    """Nests over dimensions with sizes; `types[t]` are the tensors, inputs first, and `uses` yields every access to them; `results` are those that go out, where they are several;
    no dimension that is `apart` is joined with another."""

    inputs: int
    nests: list[Nest]
    sizes: dict[str, int]
    types: list[TensorType]
    of_use: dict[tuple[int, Access], TensorType] = field(default_factory=dict)
    dynamic: Dynamic | None = None
    results: tuple[int, ...] = ()
    apart: frozenset[str] = frozenset()

    def uses(self):
        """(tensor, access) of each read and write."""
        for j, nest in enumerate(self.nests):
            yield from zip((*nest.reads, self.inputs + j), nest.operation.accesses)

    @property
    def kept(self) -> set[str]:
        return {d for nest in self.nests for d in nest.operation.keep}

    # ---- axes that several dimensions count through -----------------------------------------------------------------------

    def split_axes(self) -> None:
        """Heads, and groups of heads: an axis that all accesses go through by the same dimensions is an axis for each of them."""
        for t, tensor in enumerate(self.types):
            uses = [access for u, access in self.uses() if u == t]
            for axis in reversed(range(tensor.rank)):
                ways = {tuple((self.sizes[d], c) for d, c in access.axes[axis]) for access in uses}
                terms = uses[0].axes[axis] if uses else ()
                whole = all(access.is_whole(axis) for access in uses)
                if len(terms) > 1 and len(ways) == 1 and whole and counts(terms, self.sizes) == tensor.shape[axis] and axis not in tensor.dynamic_axes:
                    self._split_axis(t, axis, [self.sizes[d] for d, _ in terms])

    def _split_axis(self, t: int, axis: int, extents: list[int]) -> None:
        tensor, more = self.types[t], len(extents) - 1
        axes = lambda access: (*access.axes[:axis], *(((d, 1),) for d, _ in access.axes[axis]), *access.axes[axis + 1 :])  # noqa: E731
        over = lambda access: Access(axes(access), access.border and access.border.split(axis, more))  # noqa: E731
        moved = lambda a: a + more * (a > axis)  # noqa: E731
        order = tuple(b for a in tensor.minor_to_major for b in (reversed(range(axis, axis + more + 1)) if a == axis else (moved(a),)))
        dynamic, tied = (None if a is None else moved(a) for a in (tensor.dynamic, tensor.tied))
        self.types[t] = TensorType(tensor.dtype, (*tensor.shape[:axis], *extents, *tensor.shape[axis + 1 :]), order, tensor.constant, dynamic, tied=tied)
        for j, nest in enumerate(self.nests):
            op = nest.operation
            inputs = tuple(over(a) if u == t else a for u, a in zip(nest.reads, op.inputs))
            self.nests[j] = replace(nest, operation=replace(op, inputs=inputs, output=over(op.output) if self.inputs + j == t else op.output))

    @property
    def is_written_apart(self) -> bool:
        """Whether each axis of what lies between nests is written along one dimension alone."""
        return all(len(axis) < 2 for nest in self.nests[:-1] for axis in nest.operation.output.axes)

    # ---- axes of size 1 ---------------------------------------------------------------------------------------------------

    def drop_units(self) -> None:
        kept = self.kept
        gone = {d for d, n in self.sizes.items() if n == 1 and d not in kept and not (self.dynamic and d in self.dynamic.dims)}
        if len(gone) == len(self.sizes):
            gone.discard(next(reversed(self.sizes)))
        for nest in self.nests:
            if set(nest.operation.dims) <= gone:
                gone.discard(nest.operation.dims[-1])
        empty = {t: set(range(tensor.rank)) for t, tensor in enumerate(self.types)}
        for t, access in self.uses():
            empty[t] -= {axis for axis, terms in enumerate(access.axes) if not access.is_whole(axis) or any(d not in gone for d, _ in terms)}
        left = {t: [axis for axis in range(tensor.rank) if axis not in empty[t]] for t, tensor in enumerate(self.types)}
        without = lambda access: replace(access, axes=tuple(tuple(term for term in axis if term[0] not in gone) for axis in access.axes))  # noqa: E731
        over = lambda t, access: without(access).on(left[t])  # noqa: E731
        for j, nest in enumerate(self.nests):
            op = nest.operation
            inputs = tuple(over(t, a) for t, a in zip(nest.reads, op.inputs))
            output, dims = over(self.inputs + j, op.output), tuple(d for d in op.dims if d not in gone)
            combine = op.combine if any(d not in output.dims for d in dims) else None
            self.nests[j] = replace(nest, operation=replace(op, dims=dims, inputs=inputs, output=output, combine=combine))
        for t, tensor in enumerate(self.types):
            order = [left[t].index(a) for a in tensor.minor_to_major if a in left[t]]
            order.sort(key=lambda i: tensor.shape[left[t][i]] == 1)
            dynamic, tied = (left[t].index(a) if a in left[t] else None for a in (tensor.dynamic, tensor.tied))
            self.types[t] = TensorType(tensor.dtype, tuple(tensor.shape[a] for a in left[t]), tuple(order), tensor.constant, dynamic, tied=tied)
        self.sizes = {d: n for d, n in self.sizes.items() if d not in gone}
        self.of_use = {use: self.types[use[0]] for use in self.uses()}

    # ---- dimensions that run together -------------------------------------------------------------------------------------

    def pair(self) -> tuple[str, str] | None:
        """Two dimensions, outer and inner, that may be joined."""
        kept = self.kept
        may = self.dynamic.may_join if self.dynamic else lambda outer, inner: True
        dims = [d for d in self.sizes if d not in self.apart]
        pairs = ((outer, inner) for outer in dims for inner in dims if outer != inner and may(outer, inner) and not {outer, inner} <= kept)
        return next((p for p in pairs if self._joins(*p)), None)

    def _joins(self, outer: str, inner: str) -> bool:
        for nest in self.nests:
            op = nest.operation
            if (outer in op.dims) != (inner in op.dims) or (outer in op.dims and (outer in op.parallel) != (inner in op.parallel)) or {outer, inner} & {*op.picked}:
                return False
        places: dict[int, set] = {}
        for t, access in self.uses():
            if (outer in access.dims) != (inner in access.dims):
                return False
            if outer in access.dims and not _neighbours(access, self.of_use[t, access], outer, inner):
                return False
            if t >= self.inputs and t < self.inputs + len(self.nests) - 1:
                places.setdefault(t, set()).add((access.axis_of(outer), access.axis_of(inner)))
        return all(len(found) == 1 for found in places.values())

    def join(self, outer: str, inner: str) -> str:
        """Make two dimensions one; its name is one of theirs."""
        name = outer if outer in self.kept else inner
        if self.dynamic and self.dynamic.dim == outer:
            self.dynamic = Dynamic(name, self.dynamic.bound, self.dynamic.unit * self.sizes[inner])
        size = self.sizes[outer] * self.sizes[inner]
        moved = {(t, access): _joined(access, tensor, outer, inner, name) for (t, access), tensor in self.of_use.items()}
        for j, nest in enumerate(self.nests):
            op = nest.operation
            inputs = tuple(moved[t, a][0] for t, a in zip(nest.reads, op.inputs))
            dims = tuple(name if d == inner else d for d in op.dims if d != outer) if inner in op.dims else op.dims
            self.nests[j] = replace(nest, operation=replace(op, dims=dims, inputs=inputs, output=moved[self.inputs + j, op.output][0]))
        self.of_use = {(t, access): tensor for (t, _), (access, tensor) in moved.items()}
        self.sizes = {(name if d == inner else d): (size if d == inner else n) for d, n in self.sizes.items() if d != outer}
        return name

    def types_of_uses(self) -> list[TensorType]:
        """The tensors as they are read, the same by all that read one; those between, and the output, as they are written."""
        read = {t: tensor for (t, _), tensor in self.of_use.items()}
        return [read[t] for t in range(self.inputs)] + [self.of_use[self.inputs + j, nest.operation.output] for j, nest in enumerate(self.nests)]

    # ---- the Spec ---------------------------------------------------------------------------------------------------------

    def came(self) -> list[tuple[int, Access, int]]:
        """The operands that come in: an input, the way in which it is read, and by which nest; -1: by any."""
        apart = _read_apart(self.nests, self.types)
        found = {(t, access, j if t in apart else -1) for j, nest in enumerate(self.nests) for t, access in zip(nest.reads, nest.operation.inputs) if t < self.inputs}
        return sorted(found, key=lambda use: (use[0], str(use[1]), use[2]))

    def spec(self, stated: Spec) -> Spec:
        came = self.came()
        tensors, count = [self.of_use[t, access] for t, access, _ in came], len(came)
        nests = []
        for j, nest in enumerate(self.nests):
            reads = tuple(_place(came, t, a, j) if t < self.inputs else count + t - self.inputs for t, a in zip(nest.reads, nest.operation.inputs))
            nests.append(replace(nest, reads=reads, operation=replace(nest.operation, keep=())))
        outputs = [self.of_use[self.inputs + j, nest.operation.output] for j, nest in enumerate(self.nests)]
        apart = [t - self.inputs for t in self.results if t < self.inputs + len(self.nests) - 1]
        held = tuple(Held(t.dtype, given_layout(t)) for t in outputs[:-1])
        op = stated.operation
        tensors += [outputs[j] for j in apart]
        nests = [replace(nest, reads=tuple(t + len(apart) * (t >= count) for t in nest.reads)) for nest in nests]
        accesses = (*(access for _, access, _ in came), *(nests[j].operation.output for j in apart))
        placed = tuple((len(tensors) + j, count + i) for i, j in enumerate(apart))
        known = [*(t if t < len(stated.inputs) else -1 for t, _, _ in came), *(-2 - self.results.index(self.inputs + j) for j in apart)]
        sizes = tuple(t.bytes for t in (*tensors, *outputs))
        extents = () if self.dynamic else tuple(self.sizes.values())
        graph = by_depth(Graph(op.name, tuple(self.sizes), accesses, tuple(nests), held, sizes, extents, placed=placed))
        found = part(graph, list(range(len(nests))), graph.last)
        operation = found.operation if isinstance(found.operation, Graph) else replace(found.operation, keep=())
        dims = operation.dims
        sources = tuple(known[i] for i in found.sees[:-1])
        inputs = tuple(_told_apart(tensors[i]) for i in found.sees[:-1])
        along = tuple(d for d in (self.dynamic.dims if self.dynamic else ()) if d in dims)
        dynamic = Dynamic(along[0], self.dynamic.bound, self.dynamic.unit, *along[1:]) if self.dynamic and along else None
        return Spec(operation, tuple(self.sizes[d] for d in dims), inputs, _told_apart(outputs[-1]), stated.text, dynamic, sources)


def _settled(spec: Spec) -> Spec:
    """The Spec with the rows that bands are of, where it has a dynamic size along two dimensions. SpecError where no part of either can be computed alone, nor is left where products that lack the rows are cut off."""
    dynamic, op = spec.dynamic, spec.operation
    if dynamic is None or dynamic.rows is None:
        return spec
    if rows_of(op, dynamic.dims) is None and divides(op, dynamic.dims):
        along = next((d for terms in op.output.axes for d, _ in terms if d in dynamic.dims), dynamic.rows)
        return replace(spec, dynamic=replace(dynamic, dim=next(d for d in dynamic.dims if d != along), rows=along))
    return replace(spec, dynamic=in_bands(op, dynamic.dims, dynamic.bound))


def _told_apart(tensor: TensorType) -> TensorType:
    """A tensor type without its dynamic size, which the canonical Spec tells."""
    return replace(tensor, dynamic=None, tied=None)


def _place(came: list[tuple[int, Access, int]], tensor: int, access: Access, nest: int) -> int:
    """Where among the operands that come in a nest finds an input."""
    return next(i for i, use in enumerate(came) if use in ((tensor, access, -1), (tensor, access, nest)))


def _neighbours(access: Access, tensor: TensorType, outer: str, inner: str) -> bool:
    """Whether steps along `inner` and then `outer` go through the tensor's memory in one run."""
    if any([d for axis in access.axes for d, _ in axis].count(dim) > 1 for dim in (outer, inner)):
        return False
    i, j, order = access.axis_of(outer), access.axis_of(inner), tensor.minor_to_major
    return i != j and access.is_whole(j) and access.is_plain(i) and access.is_plain(j) and order.index(i) == order.index(j) + 1


def _joined(access: Access, tensor: TensorType, outer: str, inner: str, name: str) -> tuple[Access, TensorType]:
    if inner not in access.dims:
        return access, tensor
    i, j = access.axis_of(outer), access.axis_of(inner)
    left = [a for a in range(tensor.rank) if a != i]
    axes = tuple(((name, 1),) if a == j else access.axes[a] for a in left)
    shape = tuple(tensor.shape[i] * tensor.shape[j] if a == j else tensor.shape[a] for a in left)
    return Access(axes, access.border and access.border.joined(i, j, tensor.shape[j])), TensorType(tensor.dtype, shape, tuple(left.index(a) for a in tensor.minor_to_major if a != i), tensor.constant)


def _with_copies(spec: Spec) -> Spec:
    """Of several outputs each but the last call's that is read as well is a copy of what is read: no nest reads an output."""
    op, count = spec.operation, len(spec.inputs)
    *steps, final = op.steps
    last, read = count + len(steps), {t for step in op.steps for t in step.reads}
    copied = [t for t in op.results if t in read]
    number = {last: last + len(copied)} | {t: last + i for i, t in enumerate(copied)}
    results = [op.steps[t - count].spec.output for t in copied]
    steps += [Step(copy(result, layout=result.minor_to_major), (t,)) for t, result in zip(copied, results)]
    return replace(spec, operation=replace(op, steps=(*steps, final), results=tuple(number.get(t, t) for t in op.results)))


def _unified(spec: Spec, windows: bool) -> Work:
    """The nests of a composition with the dimensions made one that run together; with `windows`, those of a tensor that is cut into windows too."""
    op, types = _with_iotas(spec)
    count = len(types) - len(op.steps)
    stated = [_with_a_dimension(step.spec) for step in op.steps]
    own = [{d: f"{j} {d}" for d in s.operation.dims} for j, s in enumerate(stated)]
    nests = [Nest(renamed(s.operation, names), step.reads, s.accumulator) for s, names, step in zip(stated, own, op.steps)]
    sizes = {names[d]: n for s, names in zip(stated, own) for d, n in s.size.items()}
    nests = [replace(nest, operation=_without_units(nest.operation, sizes)) for nest in nests]
    nests, sizes = _split_alike(nests, sizes, types, windows)
    classes = _Classes(nests)
    for _, one, other in _meetings(nests, types):
        for axis, (a, b) in enumerate(zip(one.axes, other.axes)):
            if one.reaches(axis) == other.reaches(axis) and [(sizes[d], c) for d, c in a] == [(sizes[d], c) for d, c in b]:
                for (d, _), (e, _) in zip(a, b):
                    classes.join(d, e)
    classes.join_all(_dynamic_dims(nests, count, types))
    names: dict[str, str] = {}
    fresh: dict[str, str] = {}
    for d in sizes:
        root = classes.root(d)
        plain = d.split(" ")[1].split("~")[0]
        names[d] = fresh.setdefault(root, plain if plain not in fresh.values() else f"d{len(fresh)}")
    work = Work(count, [replace(nest, operation=renamed(nest.operation, names)) for nest in nests], {names[d]: n for d, n in sizes.items()}, types, results=op.results)
    work.dynamic = _dynamic(work)
    return work


def _with_iotas(spec: Spec) -> tuple[Composition, list[TensorType]]:
    """The composition with each `iota` an input after the stated ones, and the types of all tensors, the inputs first."""
    op, count = spec.operation, len(spec.inputs)
    assert isinstance(op, Composition)
    made = [count + j for j, step in enumerate(op.steps) if step.spec.operation.body == IOTA]
    steps = [count + j for j in range(len(op.steps)) if count + j not in made]
    number = {t: i for i, t in enumerate([*range(count), *made, *steps])}
    kept = tuple(replace(op.steps[t - count], reads=tuple(number[u] for u in op.steps[t - count].reads)) for t in steps)
    types = op.tensors(spec.inputs)
    return replace(op, steps=kept, results=tuple(number[t] for t in op.results)), [types[t] for t in number]


def _without_units(op: Operation, sizes: dict[str, int]) -> Operation:
    """A nest without the terms that are always 0 of axes that others move along as well: those of windows and groups of one."""
    stays = lambda d: sizes[d] > 1 or d in op.keep  # noqa: E731
    over = lambda access: replace(access, axes=tuple(tuple(t for t in axis if stays(t[0])) or axis[:1] for axis in access.axes))  # noqa: E731
    return replace(op, inputs=tuple(map(over, op.inputs)), output=over(op.output))


def _split_alike(nests: list[Nest], sizes: dict[str, int], types: list[TensorType], windows: bool) -> tuple[list[Nest], dict[str, int]]:
    """Dimensions split where a tensor is run through by one dimension in one nest, and by several in another: heads, and groups of heads, and
    (where `windows` says so) windows side by side."""
    while True:
        found = next((way for way in _ways_to_split(nests, sizes, types, windows)), None)
        if found is None:
            return nests, sizes
        j, dim, terms = found
        names = {d: f"{j} {d.split(' ')[1]}~{len(sizes)}" for d, _ in terms}
        into = tuple((names[d], c) for d, c in terms)
        nests = [replace(nest, operation=_split(nest.operation, dim, into)) if dim in nest.operation.dims else nest for nest in nests]
        sizes = {d: n for d, n in sizes.items() if d != dim} | {names[d]: sizes[d] for d, _ in terms}


def _ways_to_split(nests: list[Nest], sizes: dict[str, int], types: list[TensorType], windows: bool):
    """(nest, its dimension, the terms that another nest has in its place) wherever those count through the dimension one by one. Not where windows lie side by
    side along the axis of a tensor's neighbours: lanes lie along that. Nor of what is picked."""
    for t, one, other in _meetings(nests, types):
        for axis, (a, b) in enumerate(zip(one.axes, other.axes)):
            terms, finer = sorted((a, b), key=len)
            alike = one.is_whole(axis) and other.is_whole(axis) and counts(a, sizes) == counts(b, sizes) > 0
            if not alike or len(terms) == len(finer):
                continue
            if not _is_window(nests, finer) or windows and axis != types[t].minor_to_major[0]:
                yield from ((int(d.split(" ")[0]), d, within) for d, within in _finer(terms, finer, sizes) if d not in nests[int(d.split(" ")[0])].operation.picked)


def _finer(terms: tuple[tuple[str, int], ...], finer: tuple[tuple[str, int], ...], sizes: dict[str, int]):
    """(dimension, the terms that count through it) of each dimension that more terms of an axis count through than its own one."""
    for dim, step in terms:
        within = tuple((d, c // step) for d, c in finer if step <= c < step * sizes[dim])
        if len(within) > 1 and counts(within, sizes) == sizes[dim]:
            yield dim, within


def _is_window(nests: list[Nest], terms: tuple[tuple[str, int], ...]) -> bool:
    """Whether some of the terms of an axis move along the result of their nest, and others are reduced over; but not where the result goes through an axis in
    the same steps, as of pairs that are turned."""
    op = nests[int(terms[0][0].split(" ")[0])].operation
    alike = any([c for _, c in axis] == [c for _, c in terms] for axis in op.output.axes)
    return len({d in op.output.dims for d, _ in terms}) > 1 and not alike


def _split(op: Operation, dim: str, into: tuple[tuple[str, int], ...]) -> Operation:
    moved = lambda axis: tuple(term for d, c in axis for term in ([(e, c * f) for e, f in into] if d == dim else [(d, c)]))  # noqa: E731
    over = lambda access: replace(access, axes=tuple(map(moved, access.axes)))  # noqa: E731
    dims = tuple(e for d in op.dims for e in ([name for name, _ in into] if d == dim else [d]))
    return replace(op, dims=dims, inputs=tuple(map(over, op.inputs)), output=over(op.output), keep=tuple(d for d in op.keep if d != dim))


def _with_a_dimension(spec: Spec) -> Spec:
    return spec if spec.operation.dims else replace(spec, operation=replace(spec.operation, dims=("i0",)), sizes=(1,))


def _dynamic_dims(nests: list[Nest], inputs: int, types: list[TensorType]) -> list[str]:
    """The dimensions that run along a dynamic axis."""
    uses = ((types[t].dynamic_axes, access) for j, nest in enumerate(nests) for t, access in zip((*nest.reads, inputs + j), nest.operation.accesses))
    return [d for axes, access in uses for axis in axes for d, _ in access.axes[axis]]


def _dynamic(work: Work) -> Dynamic | None:
    """The dimension of the dynamic size, or the two of it, in no order."""
    found = {d: work.sizes[d] for d in _dynamic_dims(work.nests, work.inputs, work.types)}
    return Dynamic(*next(iter(found.items())), rows=next(iter([*found][1:]), None)) if found else None


def _read_apart(nests: list[Nest], types: list[TensorType]) -> set[int]:
    """The constants that are an operand for each of their readers: those that a contraction reads, which may want them packed ahead, and other nests as well."""
    readers = {t: [nest for nest in nests if t in nest.reads] for t in range(len(types) - len(nests)) if types[t].constant}
    return {t for t, found in readers.items() if len(found) > 1 and any(is_contraction(nest.operation) for nest in found)}


def _meetings(nests: list[Nest], types: list[TensorType]):
    """(tensor, two accesses to it): as it is written and as it is read; after all those, of each input, as two read it, but for those that are read apart."""
    inputs, apart = len(types) - len(nests), _read_apart(nests, types)
    for nest in nests:
        yield from ((t, nests[t - inputs].operation.output, access) for t, access in zip(nest.reads, nest.operation.inputs) if t >= inputs)
    for j, nest in enumerate(nests):
        for t, access in zip(nest.reads, nest.operation.inputs):
            if t < inputs and t not in apart:
                yield from ((t, before, access) for other in nests[:j] for u, before in zip(other.reads, other.operation.inputs) if u == t)


class _Classes:
    """Dimensions that are one: union-find, in which no two of one nest are ever joined."""

    def __init__(self, nests: list[Nest]):
        self._root: dict[str, str] = {d: d for nest in nests for d in nest.operation.dims}
        self._nests: dict[str, set[int]] = {d: {j} for j, nest in enumerate(nests) for d in nest.operation.dims}

    def root(self, dim: str) -> str:
        while self._root[dim] != dim:
            dim = self._root[dim]
        return dim

    def join(self, one: str, other: str) -> None:
        a, b = self.root(one), self.root(other)
        if a != b and not self._nests[a] & self._nests[b]:
            self._root[b] = a
            self._nests[a] |= self._nests[b]

    def join_all(self, dims: list[str]) -> None:
        """Make one of dimensions of one size that a call tells, or two where a nest has both; SpecError for more."""
        for dim in dims:
            self.join(dims[0], dim)
        others = [dim for dim in dims if self.root(dim) != self.root(dims[0])]
        for dim in others:
            self.join(others[0], dim)
        if len({self.root(dim) for dim in dims}) > 2:
            raise SpecError("expected a dynamic size along two dimensions at most, found more; write the bound as the size")


FEW = 64  # results of a reduction that threads may have to share: it is left apart from what follows it


def _merged(spec: Spec) -> Spec:
    """Nests made one where that reads and writes less, computes nothing twice and hinders nothing: copies between nests where the same elements may be read in place,
    maps that one other nest alone reads, element by element, maps of what a reduction gives that is no contraction (a mean, a largest)."""
    while isinstance(spec.operation, Graph):
        graph, size = spec.operation, spec.size
        found = next((way(graph, t) for way, may in ((unaliased, is_alias), (inline, _merges)) for t in graph.unplaced if may(graph, t)), None)
        found = found or next((finished(graph, t) for t in graph.unplaced if _finishes(graph, t, size)), None)
        if found is None:
            return spec
        operation = found.operation
        sources = tuple((spec.sources or ())[i] for i in found.sees[:-1])
        inputs = tuple(spec.inputs[i] for i in found.sees[:-1])
        spec = Spec(operation, tuple(size[d] for d in operation.dims), inputs, spec.output, spec.text, spec.dynamic, sources)
    return spec


def _merges(graph: Graph, tensor: int) -> bool:
    readers = graph.readers(tensor)
    if len(readers) != 1 or not may_inline(graph, tensor):
        return False
    reader, nest = graph.nests[readers[0]].operation, graph.nests[tensor - len(graph.inputs)].operation
    return set(reader.dims) == set(nest.dims) - set(nest.picked)


def _finishes(graph: Graph, tensor: int, size: dict[str, int]) -> bool:
    op = graph.nests[tensor - len(graph.inputs)].operation
    return not is_contraction(op) and prod(op.output.shape(size)) >= FEW and may_finish(graph, tensor)
