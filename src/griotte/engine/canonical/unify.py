"""The nests of a composition with the dimensions of its calls made one.

Every call has dimensions of its own. Two become one where a tensor that one call gives and another reads runs along
both, or two calls read one input along both. They stay two where that would make two dimensions of one nest the same.
"""

from __future__ import annotations

from dataclasses import replace

from ...lang.calls.spec import Spec
from ...lang.calls.value import Value
from ...lang.functions import COMBINERS
from ...lang.nests.access import Access, counts
from ...lang.nests.builder import Name, SizedBuilder, uses_of
from ...lang.nests.operation import Nest, Operation, is_contraction
from ...lang.types.dtypes import dtype
from ...lang.types.dynamic import Dynamic
from ...lang.types.expr import IOTA, keeps_dtype, value_args
from ...lang.types.tensor import TensorType
from ...support.errors import SpecError


def unified(spec: Spec, calls: list[Value], gives: list[Value], windows: bool) -> tuple[SizedBuilder, Dynamic | None]:
    """The nests of a Spec's calls, and the dynamic size that they have. Dimensions that run together are made one; with
    `windows`, those of a tensor that is cut into windows too. Each `iota` is an input after the stated ones."""
    iotas = [value for value in calls if value.spec.operation.body == IOTA]
    steps = [value for value in calls if value not in iotas]
    number: dict[object, Name] = {v.key: n for n, v in enumerate((*spec.graph.inputs, *iotas, *steps))}
    types = {number[value.key]: value.type for value in (*spec.graph.inputs, *iotas, *steps)}
    stated = [_with_a_dimension(value.spec) for value in steps]
    own = {number[v]: {d: f"{number[v]} {d}" for d in s.operation.dims} for v, s in zip(steps, stated)}
    sizes = {names[d]: n for s, names in zip(stated, own.values()) for d, n in s.size.items()}
    nests: dict[Name, Nest] = {}
    for (t, of), s, value in zip(own.items(), stated, steps):
        nest = _without_units(replace(s.operation, loose=False).renamed(of), sizes)
        nests[t] = Nest(nest, tuple(number[read.key] for read in value.values), s.accumulator, _is_exact(s))
    nests, sizes = _split_alike(nests, sizes, types, windows)
    classes = _Classes(nests)
    for _, one, other in _meetings(nests, types):
        for axis, (a, b) in enumerate(zip(one.axes, other.axes)):
            if one.reaches(axis) == other.reaches(axis) and [(sizes[d], c) for d, c in a] == [
                (sizes[d], c) for d, c in b
            ]:
                for (d, _), (e, _) in zip(a, b):
                    classes.join(d, e)
    classes.join_all(_dynamic_dims(nests, types))
    names: dict[str, str] = {}
    fresh: dict[str, str] = {}
    taken: set[str] = set()
    for d in sizes:
        root = classes.root(d)
        plain = d.split(" ")[1].split("~")[0]
        if root not in fresh:
            fresh[root] = plain if plain not in taken else f"d{len(fresh)}"
            taken.add(fresh[root])
        names[d] = fresh[root]
    found = SizedBuilder({names[d]: n for d, n in sizes.items()})
    found.nests = {t: replace(nest, operation=nest.operation.renamed(names)) for t, nest in nests.items()}
    found.types, found.results = types, tuple(number[value] for value in gives)
    return found, _dynamic(found)


def _is_exact(spec: Spec) -> bool:
    """Whether what a call of floats gives is of its result's dtype before it is rounded to that, or may be left so."""
    op, given = spec.operation, spec.output.dtype
    of_own = all(spec.inputs[i].dtype == given for i in value_args(op.body))
    chooses = op.combine is None or bool(COMBINERS[op.combine].selects)
    is_kept = of_own and chooses and keeps_dtype(op.body, given)
    return dtype(given).kind == "float" and (op.loose or is_kept)


def _without_units(op: Operation, sizes: dict[str, int]) -> Operation:
    """A nest without the terms that are always 0 of axes that others move along as well: those of windows and groups of
    one."""
    stays = lambda d: sizes[d] > 1 or d in op.keep
    kept = lambda axis: tuple(t for t in axis if stays(t[0])) or axis[:1]
    return op.over(lambda access: replace(access, axes=tuple(map(kept, access.axes))))


def _split_alike(
    nests: dict[Name, Nest], sizes: dict[str, int], types: dict[Name, TensorType], windows: bool
) -> tuple[dict[Name, Nest], dict[str, int]]:
    """Dimensions split where one nest runs through a tensor by one dimension, and another by several. These are heads,
    groups of heads, and (where `windows` says so) windows side by side."""
    while True:
        found = next((way for way in _ways_to_split(nests, sizes, types, windows)), None)
        if found is None:
            return nests, sizes
        t, dim, terms = found
        names = {d: f"{t} {d.split(' ')[1]}~{len(sizes)}" for d, _ in terms}
        into = tuple((names[d], c) for d, c in terms)
        nests = nests | {t: replace(nests[t], operation=_split(nests[t].operation, dim, into))}
        sizes = {d: n for d, n in sizes.items() if d != dim} | {names[d]: sizes[d] for d, _ in terms}


def _ways_to_split(nests: dict[Name, Nest], sizes: dict[str, int], types: dict[Name, TensorType], windows: bool):
    """(what a nest writes, its dimension, the terms that another nest has in its place) wherever those count through
    the dimension one by one. Not where windows lie side by side along the axis of a tensor's neighbours: lanes lie
    along that. Picked dimensions are not split either."""
    for t, one, other in _meetings(nests, types):
        for axis, (a, b) in enumerate(zip(one.axes, other.axes)):
            terms, finer = sorted((a, b), key=len)
            alike = one.is_whole(axis) and other.is_whole(axis) and counts(a, sizes) == counts(b, sizes) > 0
            if not alike or len(terms) == len(finer):
                continue
            if not _is_window(nests, finer) or windows and axis != types[t].minor_to_major[0]:
                yield from (
                    (_of(d), d, within)
                    for d, within in _finer(terms, finer, sizes)
                    if d not in nests[_of(d)].operation.picked
                )


def _of(dim: str) -> int:
    """The tensor that the nest writes whose own dimension this is."""
    return int(dim.split(" ", maxsplit=1)[0])


def _finer(terms: tuple[tuple[str, int], ...], finer: tuple[tuple[str, int], ...], sizes: dict[str, int]):
    """(dimension, the terms that count through it) of each dimension that more terms of an axis count through than its
    own one."""
    for dim, step in terms:
        within = tuple((d, c // step) for d, c in finer if step <= c < step * sizes[dim])
        if len(within) > 1 and counts(within, sizes) == sizes[dim]:
            yield dim, within


def _is_window(nests: dict[Name, Nest], terms: tuple[tuple[str, int], ...]) -> bool:
    """Whether some of the terms of an axis move along the result of their nest, and others are reduced over. Not where
    the result goes through an axis in the same steps, as it does for pairs that are turned."""
    op = nests[_of(terms[0][0])].operation
    alike = any([c for _, c in axis] == [c for _, c in terms] for axis in op.output.axes)
    return len({d in op.output.dims for d, _ in terms}) > 1 and not alike


def _split(op: Operation, dim: str, into: tuple[tuple[str, int], ...]) -> Operation:
    moved = lambda axis: tuple(
        term for d, c in axis for term in ([(e, c * f) for e, f in into] if d == dim else [(d, c)])
    )
    dims = tuple(e for d in op.dims for e in ([name for name, _ in into] if d == dim else [d]))
    keep = tuple(d for d in op.keep if d != dim)
    return op.over(lambda access: replace(access, axes=tuple(map(moved, access.axes))), dims=dims, keep=keep)


def _with_a_dimension(spec: Spec) -> Spec:
    return spec if spec.operation.dims else replace(spec, operation=replace(spec.operation, dims=("i0",)), sizes=(1,))


def _dynamic_dims(nests: dict[Name, Nest], types: dict[Name, TensorType]) -> list[str]:
    """The dimensions that run along a dynamic axis."""
    return [d for t, access in uses_of(nests) for axis in types[t].dynamic_axes for d, _ in access.axes[axis]]


def _dynamic(found: SizedBuilder) -> Dynamic | None:
    """The dimension of the dynamic size, or the two of it, in no order."""
    sizes = {d: found.sizes[d] for d in _dynamic_dims(found.nests, found.types)}
    return Dynamic(*next(iter(sizes.items())), rows=next(iter([*sizes][1:]), None)) if sizes else None


def _meetings(nests: dict[Name, Nest], types: dict[Name, TensorType]):
    """(tensor, two accesses to it): as it is written and as it is read; after all those, of each input, as two read it,
    but for those that are read apart."""
    apart = read_apart(nests, types)
    reads = [nest.uses for nest in nests.values()]
    for uses in reads:
        yield from ((t, nests[t].operation.output, access) for t, access in uses if t in nests)
    met: dict[Name, list[Access]] = {}  # how each input is read by the nests before
    for uses in reads:
        own = [(t, access) for t, access in uses if t not in nests and t not in apart]
        for t, access in own:
            yield from ((t, before, access) for before in met.get(t, ()))
        for t, access in own:
            met.setdefault(t, []).append(access)


def read_apart(nests: dict[Name, Nest], types: dict[Name, TensorType]) -> set[Name]:
    """The constants that are an operand for each of their readers: those that a contraction reads, which may want them
    packed ahead, and other nests as well."""
    constants = (t for t, tensor in types.items() if tensor.constant)
    readers = {t: [nest.operation for nest in nests.values() if t in nest.reads] for t in constants}
    return {t for t, found in readers.items() if len(found) > 1 and any(map(is_contraction, found))}


class _Classes:
    """Dimensions that are one: union-find, in which no two of one nest are ever joined."""

    def __init__(self, nests: dict[Name, Nest]):
        self._root: dict[str, str] = {d: d for nest in nests.values() for d in nest.operation.dims}
        self._nests: dict[str, set[Name]] = {d: {t} for t, nest in nests.items() for d in nest.operation.dims}

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
            raise SpecError(
                "expected a dynamic size along two dimensions at most, found more; write the bound as the size"
            )
