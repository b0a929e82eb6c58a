"""Nests over dimensions with sizes, while a Spec is made of them: axes that several dimensions count through are split,
those of size 1 go, dimensions that run together are joined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ...lang.calls.spec import Spec, over
from ...lang.nests.builder import Name, NestBuilder, by_depth
from ...lang.nests.family import given_layout
from ...lang.nests.graph import Held, Nest, is_contraction
from ...lang.nests.operation import Access, counts
from ...lang.nests.parts import part
from ...lang.nests.pending import WholeExtents
from ...lang.types.dynamic import Dynamic
from ...lang.types.tensor import TensorType


@dataclass
class Work:
    """Nests over dimensions with sizes, by the tensors that they write, in order; `types` are the tensors, inputs
    first, and `uses` yields every access to them; `results` are those that go out, where they are several; no dimension
    that is `apart` is joined with another."""

    nests: dict[Name, Nest]
    sizes: dict[str, int]
    types: dict[Name, TensorType]
    of_use: dict[tuple[Name, Access], TensorType] = field(default_factory=dict)
    dynamic: Dynamic | None = None
    results: tuple[Name, ...] = ()
    apart: frozenset[str] = frozenset()

    def uses(self):
        """(tensor, access) of each read and write."""
        return uses_of(self.nests)

    @property
    def last(self) -> Name:
        """The tensor that the last nest writes."""
        return next(reversed(self.nests))

    @property
    def kept(self) -> set[str]:
        return {d for nest in self.nests.values() for d in nest.operation.keep}

    # ---- axes that several dimensions count through ------------------------------------------------------------------

    def split_axes(self) -> None:
        """Heads, and groups of heads: an axis that all accesses go through by the same dimensions is an axis for each
        of them."""
        every: dict[Name, list[Access]] = {}
        for t, access in self.uses():
            every.setdefault(t, []).append(access)
        for t, tensor in [*self.types.items()]:
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

    def _split_axis(self, t: Name, axis: int, extents: list[int]) -> None:
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
        for name, nest in self.nests.items():
            op = nest.operation
            inputs = tuple(over(a) if u == t else a for u, a in zip(nest.reads, op.inputs))
            output = over(op.output) if name == t else op.output
            self.nests[name] = replace(nest, operation=replace(op, inputs=inputs, output=output))

    @property
    def is_written_apart(self) -> bool:
        """Whether each axis of what lies between nests is written along one dimension alone."""
        *between, _ = self.nests.values()
        return all(len(axis) < 2 for nest in between for axis in nest.operation.output.axes)

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
        for nest in self.nests.values():
            if set(nest.operation.dims) <= gone:
                gone.discard(nest.operation.dims[-1])
        empty = {t: set(range(tensor.rank)) for t, tensor in self.types.items()}
        beyond = {
            (t, axis) for t, access in self.uses() for axis in range(len(access.axes)) if not access.is_whole(axis)
        }
        for t, access in self.uses():
            empty[t] -= {
                axis
                for axis, terms in enumerate(access.axes)
                if not access.is_whole(axis) or any(d not in gone for d, _ in terms)
            }
        left = {t: [axis for axis in range(tensor.rank) if axis not in empty[t]] for t, tensor in self.types.items()}
        without = lambda access: replace(
            access, axes=tuple(tuple(term for term in axis if term[0] not in gone) for axis in access.axes)
        )
        over = lambda t, access: without(access).on(left[t])
        for name, nest in self.nests.items():
            op = nest.operation
            inputs = tuple(over(t, a) for t, a in zip(nest.reads, op.inputs))
            output, dims = over(name, op.output), tuple(d for d in op.dims if d not in gone)
            combine = op.combine if any(d not in output.dims for d in dims) else None
            whole = replace(op, dims=dims, inputs=inputs, output=output, combine=combine)
            self.nests[name] = replace(nest, operation=whole)
        for t, tensor in self.types.items():
            order = [left[t].index(a) for a in tensor.minor_to_major if a in left[t]]
            # an axis of size 1 that nothing reaches beyond has no place in memory: it counts as slowest
            is_placed = lambda i: tensor.shape[left[t][i]] > 1 or (t, left[t][i]) in beyond
            order.sort(key=lambda i: -tensor.rank if is_placed(i) else -i)
            dynamic, tied = (left[t].index(a) if a in left[t] else None for a in (tensor.dynamic, tensor.tied))
            self.types[t] = TensorType(
                tensor.dtype, tuple(tensor.shape[a] for a in left[t]), tuple(order), tensor.constant, dynamic, tied=tied
            )
        self.sizes = {d: n for d, n in self.sizes.items() if d not in gone}
        self.of_use = {use: self.types[use[0]] for use in self.uses()}

    # ---- nests that nothing reads ------------------------------------------------------------------------------------

    def drop_unread(self) -> None:
        """Let go of the nests whose result neither goes out nor is read."""
        needed = {*self.results, self.last}
        for t, nest in reversed([*self.nests.items()]):
            if t in needed:
                needed |= {*nest.reads}
        gone = self.nests.keys() - needed
        self.nests = {t: nest for t, nest in self.nests.items() if t not in gone}
        self.types = {t: tensor for t, tensor in self.types.items() if t not in gone}
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

    def join_runs(self) -> None:
        """Make one of all dimensions that may be joined."""
        while (pair := self.pair()) is not None:
            self.join(*pair)

    def _joins(self, outer: str, inner: str) -> bool:
        for nest in self.nests.values():
            op = nest.operation
            if (
                (outer in op.dims) != (inner in op.dims)
                or (outer in op.dims and (outer in op.parallel) != (inner in op.parallel))
                or {outer, inner} & {*op.picked}
            ):
                return False
        places: dict[Name, set] = {}
        for t, access in self.uses():
            if (outer in access.dims) != (inner in access.dims):
                return False
            if outer in access.dims and not _neighbours(access, self.of_use[t, access], outer, inner):
                return False
            if t in self.nests and t != self.last:
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
        for written, nest in self.nests.items():
            op = nest.operation
            inputs = tuple(moved[t, a][0] for t, a in zip(nest.reads, op.inputs))
            dims = tuple(d for d in op.dims if d == name or d not in (outer, inner))
            output = moved[written, op.output][0]
            self.nests[written] = replace(nest, operation=replace(op, dims=dims, inputs=inputs, output=output))
        self.of_use = {(t, access): tensor for (t, _), (access, tensor) in moved.items()}
        self.sizes = {
            d: size if d == name else n for d, n in self.sizes.items() if d == name or d not in (outer, inner)
        }
        return name

    def types_of_uses(self) -> dict[Name, TensorType]:
        """The tensors as they are read, the same by all that read one; those between, and the output, as they are
        written."""
        read = {t: tensor for (t, _), tensor in self.of_use.items()}
        return {t: self.of_use[t, self.nests[t].operation.output] if t in self.nests else read[t] for t in self.types}

    # ---- the Spec ----------------------------------------------------------------------------------------------------

    def spec(self, stated: Spec) -> Spec:
        """The canonical Spec. Its operands are the inputs, one for each way in which an input is read (or for each of
        its readers, of constants that are read apart), and the outputs but the last."""
        apart = read_apart(self.nests, [t for t, tensor in self.types.items() if tensor.constant])
        use = lambda t, access, reader: t if t in self.nests else (t, access, reader if t in apart else -1)
        nests = {
            name: replace(nest, reads=tuple(use(t, a, name) for t, a in zip(nest.reads, nest.operation.inputs)))
            for name, nest in self.nests.items()
        }
        came = {t for nest in nests.values() for t in nest.reads if t not in nests}
        builder, tensors, sources = NestBuilder(), [], []
        for t, access, reader in sorted(came, key=lambda use: (use[0], str(use[1]), use[2])):
            tensors.append(self.of_use[t, access])
            sources.append(t if t < len(stated.inputs) else -1)
            builder.input((t, access, reader), access, tensors[-1].bytes)
        written = {t: self.of_use[t, nest.operation.output] for t, nest in nests.items()}
        for t, nest in by_depth(nests).items():
            held = Held(written[t].dtype, given_layout(written[t]))
            builder.nest(t, replace(nest, operation=replace(nest.operation, keep=())), held, written[t].bytes)
        outputs = [t for t in self.results if t != self.last]
        tensors += [written[t] for t in outputs]
        sources += [-2 - self.results.index(t) for t in outputs]
        extents = WholeExtents(() if self.dynamic else tuple(self.sizes.values()))
        graph = builder.graph(stated.operation.name, tuple(self.sizes), outputs, [extents])
        found = part(graph, range(len(nests)), graph.last)
        operation, seen = found.operation, found.sees[:-1]
        return over(
            operation,
            self.sizes,
            tuple(fixed(tensors[i]) for i in seen),
            fixed(written[self.last]),
            stated.text,
            self._dynamic_along(operation.dims),
            tuple(sources[i] for i in seen),
        )

    def _dynamic_along(self, dims: tuple[str, ...]) -> Dynamic | None:
        """The dynamic size along those of its dimensions that are among these."""
        along = [d for d in self.dynamic.dims if d in dims] if self.dynamic else []
        return Dynamic(along[0], self.dynamic.bound, self.dynamic.unit, *along[1:]) if self.dynamic and along else None


def uses_of(nests: Mapping[Name, Nest]) -> Iterator[tuple[Name, Access]]:
    """(tensor, access) of each read and write."""
    for t, nest in nests.items():
        yield from zip((*nest.reads, t), nest.operation.accesses)


def fixed(tensor: TensorType) -> TensorType:
    """A tensor type without its dynamic size, which the canonical Spec tells."""
    return replace(tensor, dynamic=None, tied=None)


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


def read_apart(nests: Mapping[Name, Nest], constants: Iterable[Name]) -> set[Name]:
    """The constants that are an operand for each of their readers: those that a contraction reads, which may want them
    packed ahead, and other nests as well."""
    readers = {t: [nest.operation for nest in nests.values() if t in nest.reads] for t in constants}
    return {t for t, found in readers.items() if len(found) > 1 and any(map(is_contraction, found))}
