"""Nests over dimensions with sizes, while a Spec is made of them: axes that several dimensions count through are split,
those of size 1 go, dimensions that run together are joined."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .dynamic import Dynamic
from .family import given_layout
from .graph import Graph, Held, Nest, by_depth, is_contraction
from .operation import Access, counts
from .parts import part
from .spec import Spec
from .tensor import TensorType


@dataclass
class Work:
    """Nests over dimensions with sizes; `types[t]` are the tensors, inputs first, and `uses` yields every access to
    them; `results` are those that go out, where they are several; no dimension that is `apart` is joined with
    another."""

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

    # ---- axes that several dimensions count through ------------------------------------------------------------------

    def split_axes(self) -> None:
        """Heads, and groups of heads: an axis that all accesses go through by the same dimensions is an axis for each
        of them."""
        every: dict[int, list[Access]] = {}
        for t, access in self.uses():
            every.setdefault(t, []).append(access)
        for t, tensor in enumerate(self.types):
            uses = every.get(t, [])
            for axis in reversed(range(tensor.rank)):
                ways = {tuple((self.sizes[d], c) for d, c in access.axes[axis]) for access in uses}
                terms = uses[0].axes[axis] if uses else ()
                whole = all(access.is_whole(axis) for access in uses)
                if (
                    len(terms) > 1
                    and len(ways) == 1
                    and whole
                    and counts(terms, self.sizes) == tensor.shape[axis]
                    and axis not in tensor.dynamic_axes
                ):
                    self._split_axis(t, axis, [self.sizes[d] for d, _ in terms])

    def _split_axis(self, t: int, axis: int, extents: list[int]) -> None:
        tensor, more = self.types[t], len(extents) - 1
        axes = lambda access: (
            *access.axes[:axis],
            *(((d, 1),) for d, _ in access.axes[axis]),
            *access.axes[axis + 1 :],
        )
        over = lambda access: Access(axes(access), access.border and access.border.split(axis, more))
        moved = lambda a: a + more * (a > axis)
        order = tuple(
            b
            for a in tensor.minor_to_major
            for b in (reversed(range(axis, axis + more + 1)) if a == axis else (moved(a),))
        )
        dynamic, tied = (None if a is None else moved(a) for a in (tensor.dynamic, tensor.tied))
        self.types[t] = TensorType(
            tensor.dtype,
            (*tensor.shape[:axis], *extents, *tensor.shape[axis + 1 :]),
            order,
            tensor.constant,
            dynamic,
            tied=tied,
        )
        for j, nest in enumerate(self.nests):
            op = nest.operation
            inputs = tuple(over(a) if u == t else a for u, a in zip(nest.reads, op.inputs))
            self.nests[j] = replace(
                nest,
                operation=replace(op, inputs=inputs, output=over(op.output) if self.inputs + j == t else op.output),
            )

    @property
    def is_written_apart(self) -> bool:
        """Whether each axis of what lies between nests is written along one dimension alone."""
        return all(len(axis) < 2 for nest in self.nests[:-1] for axis in nest.operation.output.axes)

    # ---- axes of size 1 ----------------------------------------------------------------------------------------------

    def drop_units(self) -> None:
        kept = self.kept
        gone = {
            d
            for d, n in self.sizes.items()
            if n == 1 and d not in kept and not (self.dynamic and d in self.dynamic.dims)
        }
        if len(gone) == len(self.sizes):
            gone.discard(next(reversed(self.sizes)))
        for nest in self.nests:
            if set(nest.operation.dims) <= gone:
                gone.discard(nest.operation.dims[-1])
        empty = {t: set(range(tensor.rank)) for t, tensor in enumerate(self.types)}
        beyond = {
            (t, axis) for t, access in self.uses() for axis in range(len(access.axes)) if not access.is_whole(axis)
        }
        for t, access in self.uses():
            empty[t] -= {
                axis
                for axis, terms in enumerate(access.axes)
                if not access.is_whole(axis) or any(d not in gone for d, _ in terms)
            }
        left = {t: [axis for axis in range(tensor.rank) if axis not in empty[t]] for t, tensor in enumerate(self.types)}
        without = lambda access: replace(
            access, axes=tuple(tuple(term for term in axis if term[0] not in gone) for axis in access.axes)
        )
        over = lambda t, access: without(access).on(left[t])
        for j, nest in enumerate(self.nests):
            op = nest.operation
            inputs = tuple(over(t, a) for t, a in zip(nest.reads, op.inputs))
            output, dims = over(self.inputs + j, op.output), tuple(d for d in op.dims if d not in gone)
            combine = op.combine if any(d not in output.dims for d in dims) else None
            self.nests[j] = replace(
                nest, operation=replace(op, dims=dims, inputs=inputs, output=output, combine=combine)
            )
        for t, tensor in enumerate(self.types):
            order = [left[t].index(a) for a in tensor.minor_to_major if a in left[t]]
            order.sort(key=lambda i: tensor.shape[left[t][i]] == 1 and (t, left[t][i]) not in beyond)
            dynamic, tied = (left[t].index(a) if a in left[t] else None for a in (tensor.dynamic, tensor.tied))
            self.types[t] = TensorType(
                tensor.dtype, tuple(tensor.shape[a] for a in left[t]), tuple(order), tensor.constant, dynamic, tied=tied
            )
        self.sizes = {d: n for d, n in self.sizes.items() if d not in gone}
        self.of_use = {use: self.types[use[0]] for use in self.uses()}

    # ---- nests that nothing reads ------------------------------------------------------------------------------------

    def drop_unread(self) -> None:
        """Let go of the nests whose result neither goes out nor is read."""
        results = {*self.results, self.inputs + len(self.nests) - 1}
        needed: set[int] = set()
        for j in reversed(range(len(self.nests))):
            if self.inputs + j in results | needed:
                needed |= {*self.nests[j].reads}
        kept = [j for j in range(len(self.nests)) if self.inputs + j in results | needed]
        number = {t: t for t in range(self.inputs)} | {self.inputs + j: self.inputs + n for n, j in enumerate(kept)}
        self.nests = [replace(self.nests[j], reads=tuple(number[t] for t in self.nests[j].reads)) for j in kept]
        self.types = [*self.types[: self.inputs], *(self.types[self.inputs + j] for j in kept)]
        self.results = tuple(number[t] for t in self.results)
        self.of_use = {use: self.types[use[0]] for use in self.uses()}

    # ---- dimensions that run together --------------------------------------------------------------------------------

    def pair(self) -> tuple[str, str] | None:
        """Two dimensions, outer and inner, that may be joined."""
        kept = self.kept
        may = self.dynamic.may_join if self.dynamic else lambda outer, inner: True
        dims = [d for d in self.sizes if d not in self.apart]
        pairs = (
            (outer, inner)
            for outer in dims
            for inner in dims
            if outer != inner and may(outer, inner) and not {outer, inner} <= kept
        )
        return next((p for p in pairs if self._joins(*p)), None)

    def _joins(self, outer: str, inner: str) -> bool:
        for nest in self.nests:
            op = nest.operation
            if (
                (outer in op.dims) != (inner in op.dims)
                or (outer in op.dims and (outer in op.parallel) != (inner in op.parallel))
                or {outer, inner} & {*op.picked}
            ):
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
        moved = {
            (t, access): _joined(access, tensor, outer, inner, name) for (t, access), tensor in self.of_use.items()
        }
        for j, nest in enumerate(self.nests):
            op = nest.operation
            inputs = tuple(moved[t, a][0] for t, a in zip(nest.reads, op.inputs))
            dims = tuple(name if d == inner else d for d in op.dims if d != outer) if inner in op.dims else op.dims
            self.nests[j] = replace(
                nest, operation=replace(op, dims=dims, inputs=inputs, output=moved[self.inputs + j, op.output][0])
            )
        self.of_use = {(t, access): tensor for (t, _), (access, tensor) in moved.items()}
        self.sizes = {
            (name if d == inner else d): size if d == inner else n for d, n in self.sizes.items() if d != outer
        }
        return name

    def types_of_uses(self) -> list[TensorType]:
        """The tensors as they are read, the same by all that read one; those between, and the output, as they are
        written."""
        read = {t: tensor for (t, _), tensor in self.of_use.items()}
        return [read[t] for t in range(self.inputs)] + [
            self.of_use[self.inputs + j, nest.operation.output] for j, nest in enumerate(self.nests)
        ]

    # ---- the Spec ----------------------------------------------------------------------------------------------------

    def came(self) -> list[tuple[int, Access, int]]:
        """The operands that come in: an input, the way in which it is read, and by which nest; -1: by any."""
        apart = read_apart(self.nests, self.types)
        found = {
            (t, access, j if t in apart else -1)
            for j, nest in enumerate(self.nests)
            for t, access in zip(nest.reads, nest.operation.inputs)
            if t < self.inputs
        }
        return sorted(found, key=lambda use: (use[0], str(use[1]), use[2]))

    def spec(self, stated: Spec) -> Spec:
        came = self.came()
        tensors, count = [self.of_use[t, access] for t, access, _ in came], len(came)
        nests = []
        for j, nest in enumerate(self.nests):
            reads = tuple(
                _place(came, t, a, j) if t < self.inputs else count + t - self.inputs
                for t, a in zip(nest.reads, nest.operation.inputs)
            )
            nests.append(replace(nest, reads=reads, operation=replace(nest.operation, keep=())))
        outputs = [self.of_use[self.inputs + j, nest.operation.output] for j, nest in enumerate(self.nests)]
        apart = [t - self.inputs for t in self.results if t < self.inputs + len(self.nests) - 1]
        held = tuple(Held(t.dtype, given_layout(t)) for t in outputs[:-1])
        op = stated.operation
        tensors += [outputs[j] for j in apart]
        nests = [replace(nest, reads=tuple(t + len(apart) * (t >= count) for t in nest.reads)) for nest in nests]
        accesses = (*(access for _, access, _ in came), *(nests[j].operation.output for j in apart))
        placed = tuple((len(tensors) + j, count + i) for i, j in enumerate(apart))
        known = [
            *(t if t < len(stated.inputs) else -1 for t, _, _ in came),
            *(-2 - self.results.index(self.inputs + j) for j in apart),
        ]
        sizes = tuple(t.bytes for t in (*tensors, *outputs))
        extents = () if self.dynamic else tuple(self.sizes.values())
        graph = by_depth(Graph(op.name, tuple(self.sizes), accesses, tuple(nests), held, sizes, extents, placed=placed))
        found = part(graph, list(range(len(nests))), graph.last)
        operation = found.operation if isinstance(found.operation, Graph) else replace(found.operation, keep=())
        dims = operation.dims
        sources = tuple(known[i] for i in found.sees[:-1])
        inputs = tuple(_told_apart(tensors[i]) for i in found.sees[:-1])
        along = tuple(d for d in (self.dynamic.dims if self.dynamic else ()) if d in dims)
        dynamic = (
            Dynamic(along[0], self.dynamic.bound, self.dynamic.unit, *along[1:]) if self.dynamic and along else None
        )
        return Spec(
            operation,
            tuple(self.sizes[d] for d in dims),
            inputs,
            _told_apart(outputs[-1]),
            stated.text,
            dynamic,
            sources,
        )


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
    return (
        i != j
        and access.is_whole(j)
        and access.is_plain(i)
        and access.is_plain(j)
        and order.index(i) == order.index(j) + 1
    )


def _joined(access: Access, tensor: TensorType, outer: str, inner: str, name: str) -> tuple[Access, TensorType]:
    if inner not in access.dims:
        return access, tensor
    i, j = access.axis_of(outer), access.axis_of(inner)
    left = [a for a in range(tensor.rank) if a != i]
    axes = tuple(((name, 1),) if a == j else access.axes[a] for a in left)
    shape = tuple(tensor.shape[i] * tensor.shape[j] if a == j else tensor.shape[a] for a in left)
    return Access(axes, access.border and access.border.joined(i, j, tensor.shape[j])), TensorType(
        tensor.dtype, shape, tuple(left.index(a) for a in tensor.minor_to_major if a != i), tensor.constant
    )


def read_apart(nests: list[Nest], types: list[TensorType]) -> set[int]:
    """The constants that are an operand for each of their readers: those that a contraction reads, which may want them
    packed ahead, and other nests as well."""
    readers: dict[int, list[Nest]] = {t: [] for t in range(len(types) - len(nests)) if types[t].constant}
    for nest in nests:
        for t in dict.fromkeys(nest.reads):
            if t in readers:
                readers[t].append(nest)
    return {
        t for t, found in readers.items() if len(found) > 1 and any(is_contraction(nest.operation) for nest in found)
    }
