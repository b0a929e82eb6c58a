"""A graph of nests over named tensors, as the search sees it: what an operation is to one nest, a Graph is to a few.

    scores[m n] = sum_d q[m d] k[n d] ; high[m] = max_n scores ; e[m n] = exp(scores - high) ; ...

All nests share one set of dimensions. Tensors are numbered: the operands that come in first, then what each nest writes, in order; the last is
the output. Those between have a dtype and, until a rewrite gives them one, no place: they are *unplaced*. Each tensor is
accessed in one way by all nests (an operand read in two ways is two operands).

A Graph has what a Family reads of an Operation (`dims`, `accesses`, `parallel`, ..), so views, footprints and loops hold for it as they are. A loop over a dimension
is in its space where each tile can be computed alone (`parallel`); what is computed for every tile anew is paid for by every tile.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from .dtypes import dtype
from .expr import PRODUCT, TESTS, Arg, As, Call, Const, Expr, calls, computed_in, substitute, uses
from .family import Layout
from .operation import Access, Operation, whole

cached = lru_cache(1 << 14)  # many families are over one graph; and equal operations that are one object are found equal at once


MOST_NESTS, MOST_CONTRACTIONS = 10, 2  # of a graph that one search covers
FEW_NESTS, SMALL = 5, 1 << 20  # and bytes of all its tensors: of one whose contractions are searched together for the sake of what lies between them alone


def is_contraction(op: Operation) -> bool:
    """Whether its inputs are each used again along a dimension that they lack."""
    return op.combine is not None and op.streamed > 1 and all(any(d not in access.dims for d in op.dims) for access in op.inputs[: op.streamed])


@dataclass(frozen=True)
class Nest:
    """One operation of a graph: `reads[i]` is the tensor that its input i is; it computes in `accumulator`."""

    operation: Operation
    reads: tuple[int, ...]
    accumulator: str


@dataclass(frozen=True)
class Held:
    """What is known of an unplaced tensor: its dtype, and its layout where it is a whole array of its own."""

    dtype: str
    layout: Layout


@dataclass(frozen=True)
class Graph:
    """`inputs` are the accesses of the operands that come in; nests[j] writes tensor len(inputs) + j, and `held[j]` is that tensor, the
    output's aside. `bytes[t]` is how large tensor t is where it is whole, `extents` how far its dimensions go (of a large graph; without, where one is dynamic): nowhere slower than at the fastest level that holds that is it worth a place. One that is `joint` is
    searched as one, whatever its size: it is a part of one that is. `counts` are the inputs that hold 0, 1, 2, .."""

    name: str
    dims: tuple[str, ...]
    inputs: tuple[Access, ...]
    nests: tuple[Nest, ...]
    held: tuple[Held, ...]
    bytes: tuple[int, ...]
    extents: tuple[int, ...] = ()
    keep: tuple[str, ...] = ()
    body: Expr | None = None
    combine: str | None = None
    joint: bool = False
    counts: tuple[int, ...] = ()
    picks: tuple = ()
    picked: tuple[str, ...] = ()
    indices: frozenset[int] = frozenset()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.dims, self.inputs, self.nests, self.held, self.bytes, self.extents, self.joint, self.counts))

    @property
    def output(self) -> Access:
        return self.nests[-1].operation.output

    @cached_property
    def accesses(self) -> tuple[Access, ...]:
        return (*self.inputs, self.output)

    @cached_property
    def parallel(self) -> tuple[str, ...]:
        """Dimensions of which a tile can be computed alone: the output has them, no nest reduces over them, and no unplaced tensor is
        read along them in another way than it is written."""
        return () if self.is_large else self._alone

    @cached_property
    def _alone(self) -> tuple[str, ...]:
        return tuple(d for d in self.dims if d in self.output.dims and all(self._allows(nest, d) for nest in self.nests))

    def _allows(self, nest: Nest, dim: str) -> bool:
        if dim in (*nest.operation.reduction, *nest.operation.picked):
            return False
        within = [(t, access) for t, access in zip(nest.reads, nest.operation.inputs) if t >= len(self.inputs)]
        return all(_met_alike(access, self.access(t), dim) for t, access in within)

    reduction: tuple[str, ...] = ()
    finish: Expr | None = None

    def ladder(self, dim: str) -> str:
        """The ladder that sizes of `dim` are on: of a dimension that no loop cuts, of its whole extent alone."""
        return dim if dim in self.parallel else whole(dim)

    def role(self, i: int) -> tuple[Operation, int]:
        """The first nest that operand i is of, and which of its operands it is."""
        if i == len(self.inputs):
            return self.nests[-1].operation, len(self.nests[-1].reads)
        nest = self.nests[self.readers(i)[0]]
        return nest.operation, nest.reads.index(i)

    def access(self, tensor: int) -> Access:
        """How a tensor is indexed: as it comes in, or as it is written."""
        return self.inputs[tensor] if tensor < len(self.inputs) else self.nests[tensor - len(self.inputs)].operation.output

    @cached_property
    def is_large(self) -> bool:
        """Whether it is more than one search covers: many nests; or a contraction and another reduction or what it reads, unless what lies between the nests
        is more than all that comes in or goes out, or all is small. Such a graph is first cut, at whole arrays, into parts that are not."""
        if self.joint:
            return False
        between = max(self.bytes[t] for t in self.unplaced)
        contractions = [nest for nest in self.nests if is_contraction(nest.operation)]
        outer = max((*self.bytes[: len(self.inputs)], self.bytes[-1]))
        is_small = len(self.nests) <= FEW_NESTS and sum(self.bytes) <= SMALL
        reductions = sum(nest.operation.combine is not None for nest in self.nests)
        is_fed = any(t >= len(self.inputs) for nest in contractions for t in nest.reads[: nest.operation.streamed])
        is_apart = bool(contractions) and (reductions > 1 or is_fed) and not is_small and between <= outer
        return len(self.nests) > MOST_NESTS or len(contractions) > MOST_CONTRACTIONS or is_apart

    @property
    def unplaced(self) -> tuple[int, ...]:
        """The tensors that are still to be placed."""
        return (*range(len(self.inputs), len(self.inputs) + len(self.nests) - 1),)

    def without(self, dim: str) -> Graph:
        """This graph at one index of `dim`: the axes that it moved stay, at extent 1."""
        nests = tuple(replace(nest, operation=nest.operation.without(dim) if dim in nest.operation.dims else nest.operation) for nest in self.nests)
        extents = tuple(n for d, n in zip(self.dims, self.extents) if d != dim)
        return replace(self, dims=tuple(d for d in self.dims if d != dim), extents=extents, inputs=tuple(access.without(dim) for access in self.inputs), nests=nests)

    @property
    def bare(self) -> Graph:
        """It over operands that have their borders around them; what is read between nests keeps its own. Where of some operand a part is read alone, it is not known to be of whole arrays."""
        if not any(access.border for access in self.inputs):
            return self
        come = lambda t, access: access.bare if t < len(self.inputs) else access  # noqa: E731
        nests = tuple(replace(nest, operation=replace(nest.operation, inputs=tuple(map(come, nest.reads, nest.operation.inputs)))) for nest in self.nests)
        is_cut = any(min(sides) < 0 for access in self.inputs if access.border for sides in access.border.sides)
        return replace(self, inputs=tuple(access.bare for access in self.inputs), nests=nests, extents=() if is_cut else self.extents)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What tensors are called before people: x0, x1, ..; of those between, what computes them (numbered where several are alike); y."""
        words = [label(nest.operation) for nest in self.nests[:-1]]
        between = (f"{word} {words[:i].count(word) + 1}" if word in words[:i] else word for i, word in enumerate(words))
        return (*(f"x{i}" for i in range(len(self.inputs))), *between, "y")

    def readers(self, tensor: int) -> list[int]:
        """The nests that read a tensor."""
        return [j for j, nest in enumerate(self.nests) if tensor in nest.reads]

    def needs(self, tensor: int) -> list[int]:
        """The nests that a tensor is computed by, in order."""
        found: set[int] = set()
        stack = [tensor]
        while stack:
            t = stack.pop() - len(self.inputs)
            if t >= 0 and t not in found:
                found.add(t)
                stack += self.nests[t].reads
        return sorted(found)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.inputs))}) -> {self.output}"


def _met_alike(read: Access, written: Access, dim: str) -> bool:
    """Whether a tensor is read along `dim` as it is written: of a tile of it then nothing but that tile."""
    along = [axis for axis in range(len(written.axes)) if any(d == dim for d, _ in (*read.axes[axis], *written.axes[axis]))]
    return all(read.axes[axis] == written.axes[axis] and read.is_whole(axis) for axis in along)


def by_depth(graph: Graph) -> Graph:
    """The graph with its nests in the order of how many come before them at most, so that of what is left in a graph that is cut part by part the first nest waits for no other; the last stays last."""
    count, last = len(graph.inputs), len(graph.nests) - 1
    depth: list[int] = []
    for nest in graph.nests:
        depth.append(1 + max((depth[t - count] for t in nest.reads if t >= count), default=-1))
    order = [*sorted(range(last), key=lambda j: depth[j]), last]
    number = {t: t for t in range(count)} | {count + j: count + n for n, j in enumerate(order)}
    nests = tuple(replace(graph.nests[j], reads=tuple(number[t] for t in graph.nests[j].reads)) for j in order)
    return replace(graph, nests=nests, held=tuple(graph.held[j] for j in order[:-1]), bytes=(*graph.bytes[:count], *(graph.bytes[count + j] for j in order)))


def label(op: Operation) -> str:
    """What a nest gives, in a word: the function applied last, or the reduction."""
    last = op.finish if op.finish is not None else op.body
    is_map = op.combine is None or op.finish is not None
    return last.function if is_map and isinstance(last, Call) else op.name


@dataclass(frozen=True)
class Part:
    """Some nests of a graph as an operation of their own: `sees[i]` is the tensor of the whole that its operand i is, its output last; `nests[j]` is the
    nest of the whole that its nest j is."""

    operation: Operation | Graph
    sees: tuple[int, ...]
    accumulator: str
    nests: tuple[int, ...]


@cached
def before(graph: Graph, tensor: int) -> Part:
    """What computes `tensor`."""
    return part(graph, graph.needs(tensor), tensor)


@cached
def parts_at(graph: Graph, tensor: int) -> bool:
    """Whether a graph may be cut at a tensor: what both parts then compute are maps alone."""
    last = len(graph.inputs) + len(graph.nests) - 1
    both = set(graph.needs(tensor)) & set(_left(graph, tensor, last))
    return all(graph.nests[j].operation.combine is None for j in both)


def _left(graph: Graph, tensor: int, last: int) -> list[int]:
    """The nests that compute the output once `tensor` is there."""
    kept: set[int] = set()
    stack = [last]
    while stack:
        t = stack.pop()
        if t >= len(graph.inputs) and t != tensor and t - len(graph.inputs) not in kept:
            kept.add(t - len(graph.inputs))
            stack += graph.nests[t - len(graph.inputs)].reads
    return sorted(kept)


@cached
def after(graph: Graph, tensor: int) -> Part:
    """What computes the output once `tensor` is there. What it needs besides is computed again, where the tensor needed it too."""
    last = len(graph.inputs) + len(graph.nests) - 1
    return part(graph, _left(graph, tensor, last), last)


def part(graph: Graph, nests: list[int], output: int) -> Part:
    """The nests of these numbers, in order, as an operation of their own that writes tensor `output`; a lone nest is an Operation. What the others
    write is an operand, one for each way in which it is read."""
    own = {len(graph.inputs) + j for j in nests}
    came: list[tuple[int, Access]] = []
    for j in nests:
        for t, access in zip(graph.nests[j].reads, graph.nests[j].operation.inputs):
            if t not in own and (t, access) not in came:
                came.append((t, access))
    came.sort(key=lambda found: found[0])
    if len(nests) == 1:
        nest = graph.nests[nests[0]]
        return Part(_same(replace(nest.operation, keep=())), (*nest.reads, output), nest.accumulator, tuple(nests))
    number = {t: len(came) + i for i, t in enumerate(sorted(own))}
    renumbered = tuple(
        replace(graph.nests[j], reads=tuple(number[t] if t in own else came.index((t, access)) for t, access in zip(graph.nests[j].reads, graph.nests[j].operation.inputs)))
        for j in nests
    )
    dims = tuple(d for d in graph.dims if any(d in nest.operation.dims for nest in renumbered))
    held = tuple(graph.held[t - len(graph.inputs)] for t in sorted(own) if t != output)
    name = graph.name if len(nests) == len(graph.nests) else " ".join(nest.operation.name for nest in renumbered)
    sizes = tuple(graph.bytes[t] for t in (*(t for t, _ in came), *sorted(own)))
    counts = tuple(i for i, (t, _) in enumerate(came) if t in graph.counts)
    found = Graph(name, dims, tuple(access for _, access in came), renumbered, held, sizes, counts=counts)
    if graph.joint or not graph.is_large or not found.is_large:
        found = replace(found, joint=True)
    elif graph.extents:
        found = replace(found, extents=tuple(n for d, n in zip(graph.dims, graph.extents) if d in dims))
    return Part(_same(found), (*(t for t, _ in came), output), renumbered[-1].accumulator, tuple(nests))


@cached
def _same(operation: Operation | Graph) -> Operation | Graph:
    """Of equal parts one object: their families are found equal at once."""
    return operation


# ---- copies that need not be made ---------------------------------------------------------------------------------------


def is_alias(graph: Graph, tensor: int) -> bool:
    """Whether `tensor` is another tensor between nests, element by element and of one dtype: in another order of axes, perhaps."""
    nest = graph.nests[tensor - len(graph.inputs)]
    if nest.operation.combine is not None or nest.operation.picks or nest.operation.body != Arg(0) or nest.reads[0] < len(graph.inputs):
        return False
    same = graph.held[nest.reads[0] - len(graph.inputs)].dtype == graph.held[tensor - len(graph.inputs)].dtype
    there, here = nest.operation.inputs[0], nest.operation.output
    plain = all(access.border is None and all(map(access.is_plain, range(len(access.axes)))) for access in (there, here))
    return same and plain and sorted(there.axes) == sorted(here.axes)


def unaliased(graph: Graph, tensor: int) -> Part:
    """The graph in which `tensor` is not copied: what reads it reads what it is a copy of, which lies as either would: in the order in which more nests may
    run through several of its axes as one."""
    nest = graph.nests[tensor - len(graph.inputs)]
    source, there, here = nest.reads[0], nest.operation.inputs[0], nest.operation.output
    through = lambda access: access.on([here.axes.index(axis) for axis in there.axes])  # noqa: E731
    nests = []
    for reader in graph.nests:
        inputs = tuple(through(a) if t == tensor else a for t, a in zip(reader.reads, reader.operation.inputs))
        nests.append(replace(reader, operation=replace(reader.operation, inputs=inputs), reads=tuple(source if t == tensor else t for t in reader.reads)))
    held, i = list(graph.held), source - len(graph.inputs)
    copy = held[tensor - len(graph.inputs)].layout
    other = replace(copy, order=tuple(there.axes.index(here.axes[axis]) for axis in copy.order))
    held[i] = max((held[i], Held(held[i].dtype, other)), key=lambda way: _runs(nests, source, graph.access(source), way.layout.order))
    return part(replace(graph, nests=tuple(nests), held=tuple(held)), [j for j in range(len(nests)) if j != tensor - len(graph.inputs)], len(graph.inputs) + len(nests) - 1)


def _runs(nests: list[Nest], tensor: int, written: Access, order: tuple[int, ...]) -> int:
    """Neighbours among the axes of a tensor in this order, fastest first, that a nest may run through as one: all its accesses go along both or neither."""
    found = 0
    for nest in nests:
        ways = {access for t, access in zip(nest.reads, nest.operation.inputs) if t == tensor} | ({written} if nest.operation.output is written else set())
        for access in ways:
            for inner, outer in pairwise(order):
                dims = {d for axis in (inner, outer) for d, _ in access.axes[axis]}
                found += all(dims <= other.dims or not dims & other.dims for other in nest.operation.accesses)
    return found


# ---- nests made one -----------------------------------------------------------------------------------------------------


@cached
def may_inline(graph: Graph, tensor: int) -> bool:
    """Whether `tensor` may be computed where it is read: its nest is a map, and all that read it read it as it is written."""
    nest = graph.nests[tensor - len(graph.inputs)]
    if nest.operation.combine is not None:
        return False
    readers = [graph.nests[j] for j in graph.readers(tensor)]
    if len(readers) > 1 and any(set(TESTS) & set(calls(reader.operation.body)) for reader in readers):
        return False  # what is compared is one value: computed twice, it might differ in its last digit
    return bool(readers) and all(_may_take(graph, nest, reader, tensor) for reader in readers)


def _may_take(graph: Graph, nest: Nest, reader: Nest, tensor: int) -> bool:
    ways = {access for t, access in zip(reader.reads, reader.operation.inputs) if t == tensor}
    finishing = set(reader.reads[reader.operation.streamed :])
    steps = conversions(graph, tensor, reader)
    apart = not nest.operation.picks or reader.operation.combine is None and not {*reader.operation.picked} & {*nest.operation.dims}
    takes = is_simple(reader.operation) and apart
    return ways == {nest.operation.output} and _may_convert(nest, reader, steps) and tensor not in finishing and takes


def conversions(graph: Graph, tensor: int, reader: Nest) -> list[tuple[str, str]] | None:
    """(from, to) of what a value of `tensor` goes through from where it is computed to where `reader` takes it; that it is rounded to a
    narrower float on the way is left out. None where its body takes it in several dtypes."""
    nest, held = graph.nests[tensor - len(graph.inputs)], graph.held[tensor - len(graph.inputs)].dtype
    taken = {dtype for i, dtype in uses(reader.operation.body, reader.accumulator) if reader.reads[i] == tensor}
    if len(taken) != 1:
        return None
    way = [computed_in(nest.operation.finish, nest.accumulator), *[held] * (not is_float(held)), *taken]
    return [(one, other) for one, other in pairwise(way) if one != other]


def _may_convert(nest: Nest, reader: Nest, steps: list[tuple[str, str]] | None) -> bool:
    """Whether one nest can do what two of perhaps different dtypes do: both compute in elements as wide, and only a map has conversions in its body."""
    if steps is None:
        return False
    plain = not steps and not computed_in(nest.operation.body, "")
    return plain or reader.operation.combine is None and dtype(nest.accumulator).bytes == dtype(reader.accumulator).bytes


def converted(expr: Expr, steps: list[tuple[str, str]] | None) -> Expr:
    for source, to in steps or ():
        expr = As(source, to, expr)
    return expr


def is_simple(op: Operation) -> bool:
    """Whether a nest has room for more in its body: a map, or a reduction of one input."""
    return op.combine is None or op.streamed == 1


@cached
def inline(graph: Graph, tensor: int) -> Part:
    """The graph with `tensor` computed where it is read."""
    nest = graph.nests[tensor - len(graph.inputs)]
    nests = [_taking(reader, nest, tensor, conversions(graph, tensor, reader)) if tensor in reader.reads else reader for reader in graph.nests]
    return part(replace(graph, nests=tuple(nests)), [j for j in range(len(nests)) if j != tensor - len(graph.inputs)], len(graph.inputs) + len(nests) - 1)


def _taking(reader: Nest, nest: Nest, tensor: int, steps: list[tuple[str, str]] | None) -> Nest:
    """`reader` with the body of `nest` in place of what it reads of `tensor`."""
    op, count = reader.operation, reader.operation.streamed
    uses = [(t, a) for t, a in zip(reader.reads[:count], op.inputs[:count]) if t != tensor]
    uses += [use for use in zip(nest.reads, nest.operation.inputs) if use not in uses]
    at = {use: Arg(i) for i, use in enumerate(uses)}
    inner = converted(substitute(nest.operation.body, tuple(at[use] for use in zip(nest.reads, nest.operation.inputs))), steps)
    args = tuple(inner if t == tensor else at[t, a] for t, a in zip(reader.reads[:count], op.inputs[:count]))
    kept = list(zip(reader.reads[count:], op.inputs[count:]))
    moved = tuple(Arg(len(uses) + i) for i in range(len(kept) + 1))
    finish = op.finish and substitute(op.finish, (*(Arg(0),) * count, *moved))
    picks = tuple((dim, uses.index((of.reads[i], of.operation.inputs[i]))) for of in (reader, nest) for dim, i in of.operation.picks)
    dims = (*op.dims, *(dim for dim in nest.operation.picked if dim not in op.dims))
    body = replace(op, name="map" if op.combine is None else op.name, dims=dims, inputs=tuple(a for _, a in (*uses, *kept)), body=substitute(op.body, args), finish=finish, picks=tuple(dict.fromkeys(picks)))
    return replace(reader, operation=body, reads=tuple(t for t, _ in (*uses, *kept)))


@cached
def may_finish(graph: Graph, tensor: int) -> bool:
    """Whether what reads `tensor`, the result of a reduction, may be done to it as it is stored: one map, of elements alike."""
    nest, readers = graph.nests[tensor - len(graph.inputs)], graph.readers(tensor)
    if nest.operation.combine is None or nest.operation.finish is not None or len(readers) != 1:
        return False
    reader = graph.nests[readers[0]]
    ways = [access for t, access in zip(reader.reads, reader.operation.inputs) if t == tensor]
    same = reader.accumulator == nest.accumulator or not is_float(nest.accumulator)
    alike = reader.operation.combine is None and not reader.operation.picks and set(reader.operation.dims) == set(nest.operation.output.dims)
    return same and alike and _may_convert(nest, reader, conversions(graph, tensor, reader)) and ways == [nest.operation.output]


@cached
def finished(graph: Graph, tensor: int) -> Part:
    """The graph with the map that reads `tensor` done as it is stored."""
    place, (j,) = tensor - len(graph.inputs), graph.readers(tensor)
    nest, reader = graph.nests[place], graph.nests[j]
    op, others = nest.operation, [use for use in zip(reader.reads, reader.operation.inputs) if use[0] != tensor]
    inputs = (*op.inputs, *(access for _, access in others))
    result = converted(Arg(len(inputs)), conversions(graph, tensor, reader))
    args = tuple(result if t == tensor else Arg(len(op.inputs) + others.index((t, a))) for t, a in zip(reader.reads, reader.operation.inputs))
    merged = replace(op, inputs=inputs, output=reader.operation.output, finish=substitute(reader.operation.body, args))
    nests = list(graph.nests)
    nests[j] = Nest(merged, (*nest.reads, *(t for t, _ in others)), nest.accumulator)
    return part(replace(graph, nests=tuple(nests)), [i for i in range(len(nests)) if i != place], len(graph.inputs) + len(nests) - 1)


@cached
def may_factor(graph: Graph, tensor: int) -> bool:
    """Whether `tensor`, a map that divides by a total that does not change along a sum of products, which alone reads it, may do so after the sum."""
    nest, readers = graph.nests[tensor - len(graph.inputs)], graph.readers(tensor)
    if len(readers) != 1 or nest.operation.combine is not None or nest.operation.picks or not is_float(nest.accumulator):
        return False
    reader = graph.nests[readers[0]]
    op, ways = reader.operation, [access for t, access in zip(reader.reads, reader.operation.inputs) if t == tensor]
    sums = op.combine == "add" and op.body == PRODUCT and op.streamed == 2 and op.finish is None and reader.accumulator == nest.accumulator
    return sums and ways == [nest.operation.output] and _factor(nest.operation, op) is not None and _is_share(graph, nest)


def _is_share(graph: Graph, nest: Nest) -> bool:
    """Whether a map divides a tensor by its own sum, or multiplies it by 1 over that: then a sum of products of the shares overflows, or is no number, where that of the parts does, but for
    parts whose sum overflows though they do not. Any other factor could keep a sum in range that leaves it without."""
    if not (_divides(nest.operation.body) or nest.operation.body == PRODUCT) or nest.reads[1] < len(graph.inputs):
        return False
    total = graph.nests[nest.reads[1] - len(graph.inputs)]
    if nest.operation.body == PRODUCT:  # by 1 / total
        if total.operation.body != Call("div", (Const(1.0), Arg(0))) or total.operation.combine is not None or total.reads[0] < len(graph.inputs):
            return False
        total = graph.nests[total.reads[0] - len(graph.inputs)]
    return total.operation.combine == "add" and total.operation.body == Arg(0) and total.reads == (nest.reads[0],) and total.operation.finish is None


_PRODUCTS = PRODUCT, Call("mul", (Arg(1), Arg(0)))


def _divides(body: Expr) -> bool:
    """Whether it is x0 by x1, or by a number up to 1 where x1 is less: the quotients of what is so divided are no smaller than it was."""
    if not isinstance(body, Call) or body.function != "div" or body.args[0] != Arg(0):
        return False
    match body.args[1]:
        case Call("maximum", (Arg(1), Const(least))):
            return 0 < least <= 1
    return body.args[1] == Arg(1)


def _factor(scaled: Operation, op: Operation) -> int | None:
    """The input of a map that is a factor of all of it, and that a sum over `op.reduction` does not run along."""
    if len(scaled.inputs) != 2 or not (_divides(scaled.body) or scaled.body in _PRODUCTS):
        return None
    places = (1,) if _divides(scaled.body) else (0, 1) if scaled.body == PRODUCT else (1, 0)
    found = (i for i in places if not scaled.inputs[i].dims & set(op.reduction) and scaled.inputs[i].dims <= op.output.dims)
    return next(found, None)


@cached
def factored(graph: Graph, tensor: int) -> Part:
    """The graph with the sum of products that reads `tensor` over what it scales, and scaled after it."""
    place, (j,) = tensor - len(graph.inputs), graph.readers(tensor)
    nest, reader = graph.nests[place], graph.nests[j]
    scale = _factor(nest.operation, reader.operation)
    assert scale is not None
    inner = 1 - scale
    reads = tuple(nest.reads[inner] if t == tensor else t for t in reader.reads)
    inputs = tuple(nest.operation.inputs[inner] if t == tensor else a for t, a in zip(reader.reads, reader.operation.inputs))
    total = replace(reader, reads=reads, operation=replace(reader.operation, inputs=inputs))
    body = substitute(nest.operation.body, tuple(Arg(1) if i == scale else Arg(0) for i in range(2)))
    dims = tuple(d for d in reader.operation.dims if d in reader.operation.output.dims)
    after = Nest(Operation("scale", dims, (reader.operation.output, nest.operation.inputs[scale]), reader.operation.output, body), (-1, nest.reads[scale]), nest.accumulator)
    return _with_two(graph, place, j, total, after)


def _with_two(graph: Graph, place: int, j: int, first: Nest, second: Nest) -> Part:
    """The graph with nest `place` gone, and nests `first` and `second` (which reads it as -1) for nest j."""
    count = len(graph.inputs)
    order = [*(i for i in range(j) if i != place), "first", "second", *range(j + 1, len(graph.nests))]
    number: dict = {t: t for t in range(count)} | {(count + i if isinstance(i, int) else i): count + n for n, i in enumerate(order)}
    number |= {count + j: number["second"], -1: number["first"]}
    of = {"first": first, "second": second}
    nests = tuple(replace(nest, reads=tuple(number[t] for t in nest.reads)) for nest in (graph.nests[i] if isinstance(i, int) else of[i] for i in order))
    kept = dict(enumerate(graph.held))
    wide = Held(first.accumulator, graph.held[j].layout if j < len(graph.held) else Layout(tuple(reversed(range(len(first.operation.output.axes)))), given=True))
    held = [wide if i == "first" else kept[i if isinstance(i, int) else j] for i in order[:-1]]
    sizes = [graph.bytes[count + i] if isinstance(i, int) else graph.bytes[count + j] for i in order]
    whole = replace(graph, nests=nests, held=tuple(held), bytes=(*graph.bytes[:count], *sizes))
    return part(whole, list(range(len(nests))), count + len(nests) - 1)


def is_float(name: str) -> bool:
    return dtype(name).kind == "float"


def renamed(op: Operation, names: dict[str, str]) -> Operation:
    """An operation over other names of its dimensions."""
    inputs = tuple(access.renamed(names) for access in op.inputs)
    picks = tuple((names[d], i) for d, i in op.picks)
    return replace(op, dims=tuple(names[d] for d in op.dims), inputs=inputs, output=op.output.renamed(names), keep=tuple(names[d] for d in op.keep), picks=picks)


def reads_of(nests: Iterable[Nest], tensor: int) -> set[Access]:
    """The ways in which a tensor is read."""
    return {access for nest in nests for t, access in zip(nest.reads, nest.operation.inputs) if t == tensor}
