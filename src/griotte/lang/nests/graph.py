"""A graph of nests over named tensors, as the search sees it.

    scores[m n] = sum_d q[m d] k[n d] ; high[m] = max_n scores ; e[m n] = exp(scores - high) ; ...

All nests share one set of dimensions. Tensors are numbered: the operands that come in first, then what each nest
writes, in order; the last is the output. Those between have a dtype and, until a rewrite gives them one, no place: they
are *unplaced*. Each tensor is accessed in one way by all nests (an operand read in two ways is two operands). Of a
graph of several outputs all but the last are operands among those that come in, which nests write: they are *placed*
from the start, and no nest reads them. An operand that comes in may lie *inside* the last output, element by element:
what computes that reads each element before it is written there.

A nest by itself is a graph of one, with nothing between. A Graph has what a Family reads of a nest (`dims`, `accesses`,
`parallel`, ..), so views, footprints and loops hold for any as they are. A loop over a dimension is in its space where
each tile can be computed alone (`parallel`). Work that is done anew for every tile is paid for by every tile.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..types.dtypes import dtype
from ..types.expr import computed_in
from ..types.fields import Fields
from ..types.tensor import TensorType
from .access import Access
from .family import USUAL, Family, Held, Operand, Spans, given_layout
from .operation import Nest, Operation, interned, is_contraction, is_float, label, uncut, whole
from .pending import ORDER, Adds, AsOne, Early, Pending, WholeExtents, in_order

MOST_NESTS, MOST_CONTRACTIONS = 10, 2  # of a graph that one search covers
# and bytes of all its tensors: of one whose contractions are searched together for the sake of what lies between them
# alone
FEW_NESTS, SMALL = (3, 1 << 20)

# a graph's repr, which makes keys of tables: fields, pending decisions, and fields that were spelled before as well
SPELLED = (
    "Graph(name={0.name!r}, dims={0.dims!r}, inputs={0.inputs!r}, nests={0.nests!r}, held={0.held!r},"
    " bytes={0.bytes!r}, extents={extents!r}, keep=(), body=None, combine=None, joint={joint!r}, counts={0.counts!r},"
    " picks=(), picked=(), indices=frozenset(), placed={0.placed!r}, inside={0.inside!r}, shards={shards!r},"
    " blocks={blocks!r}, near={near!r}, adds={adds!r}, early={early!r}, together={together!r}, finish=None{others})"
)


@dataclass(frozen=True, repr=False)
class Graph(Fields):
    """`inputs` are the accesses of the operands that come in; nests[j] writes tensor len(inputs) + j. `held[j]` is that
    tensor's dtype and layout, the output's aside: a lone nest holds nothing.

    `bytes[t]` is the size of the whole tensor t, which is placed no slower than at the fastest level that holds it.
    `counts` are the inputs that hold 0, 1, 2, .. `placed` has, of each output but the last, (tensor that a nest writes,
    the operand among `inputs` that it is written to). `inside` are the inputs that lie where the last output goes;
    `pending` are the decisions that are still to be made, in order."""

    name: str
    dims: tuple[str, ...]
    inputs: tuple[Access, ...]
    nests: tuple[Nest, ...]
    held: tuple[Held, ...]
    bytes: tuple[int, ...]
    counts: tuple[int, ...] = ()
    placed: tuple[tuple[int, int], ...] = ()
    inside: tuple[int, ...] = ()
    pending: tuple[Pending, ...] = ()

    __hash__ = Fields.__hash__

    @property
    def is_lone(self) -> bool:
        """Whether it is one nest, with nothing between."""
        return len(self.nests) == 1

    @cached_property
    def operations(self) -> tuple[Operation, ...]:
        """What its nests do."""
        return tuple(nest.operation for nest in self.nests)

    def annotated(self, *pending: Pending, **known: Any) -> Graph:
        """The graph with these decisions pending, in place of others of their kinds, and with other fields changed; a
        lone nest has neither."""
        return self if self.is_lone else replace(self, pending=in_order((*self.pending, *pending)), **known)

    @cached_property
    def nest(self) -> Operation:
        """The graph as one operation; several nests together have no body, combiner, picks or finish."""
        several = lambda: Operation(self.name, self.dims, self.inputs, self.output, body=None)  # type: ignore[arg-type]
        return self.nests[0].operation if self.is_lone else several()

    @property
    def is_map(self) -> bool:
        """Whether it is one nest that computes each element by itself."""
        return self.is_lone and self.nest.combine is None

    @property
    def output(self) -> Access:
        return self.nests[-1].operation.output

    @cached_property
    def accesses(self) -> tuple[Access, ...]:
        return (*self.inputs, self.output)

    @cached_property
    def parallel(self) -> tuple[str, ...]:
        """Dimensions along which a tile can be computed alone: the output has them, no nest reduces over them. And no
        unplaced tensor is read along them in another way than it is written."""
        return () if self.is_large or Early.of(self) else self.alone

    @cached_property
    def alone(self) -> tuple[str, ...]:
        """`parallel`, of a graph of any size."""
        out = [d for d in self.dims if all(d in access.dims for access in self.outputs)]
        return tuple(d for d in out if all(self._allows(nest, d) for nest in self.nests))

    @property
    def outputs(self) -> tuple[Access, ...]:
        """How each output is written, the last one last."""
        return (*(self.access(t) for t, _ in self.placed), self.output)

    def _allows(self, nest: Nest, dim: str) -> bool:
        op = nest.operation
        is_apart = not self.placed or op.output.is_apart(dim)
        return dim not in (*op.reduction, *op.picked) and is_apart and self._is_met_alike(nest, dim)

    def _is_met_alike(self, nest: Nest, dim: str) -> bool:
        """Whether a nest reads every unplaced tensor along a dimension as it is written."""
        return all(_met_alike(access, self.access(t), dim) for t, access in nest.uses if not self.comes_in(t))

    @cached_property
    def cut(self) -> tuple[str, ...]:
        """The dimensions of its loops."""
        return (*self.parallel, *self.reduction)

    @cached_property
    def reduction(self) -> tuple[str, ...]:
        """Dimensions whose loops add to the output; of several nests those that `Adds` names."""
        if self.is_lone:
            return self.nest.reduction
        adds = Adds.of(self)
        return tuple(d for d in self.addable if d in adds) if adds else ()

    @cached_property
    def addable(self) -> tuple[str, ...]:
        """Dimensions that the last nest sums over (or takes the largest of, ..), and along which each tile of all that
        it reads can be computed alone. So a loop along one may add to the output tile by tile. Every nest has them, so
        nothing is computed twice. None of a nest that is annotated `uncut` (unsplittable)."""
        last = self.nests[-1].operation
        if self.is_lone:
            return last.splits
        if self.placed or self.inside or last.finish is not None or last.uncut:
            return ()
        may_be = [d for d in last.reduction if all(d in op.dims for op in self.operations)]
        *others, end = self.nests
        return tuple(d for d in may_be if self._is_met_alike(end, d) and all(self._allows(n, d) for n in others))

    @cached_property
    def splits(self) -> tuple[str, ...]:
        """See Operation."""
        return tuple(d for d in self.reduction if d in self.addable)

    @property
    def joins(self) -> str | None:
        """See Operation."""
        return self.nests[-1].operation.joins

    def ladder(self, dim: str) -> str:
        """The ladder of `dim`. A dimension that no loop cuts has its whole extent alone, and a reduction that is not
        folded also what rounds take of it."""
        if dim in (*self.parallel, *self.splits):
            return dim
        return uncut(dim) if dim in self.reduction and not self.nest.fold else whole(dim)

    def role(self, i: int) -> tuple[Operation, int]:
        """The first nest that operand i is of, and which of its operands it is."""
        return self._roles[i]

    @cached_property
    def _roles(self) -> tuple[tuple[Operation, int], ...]:
        return tuple(map(self._role, range(len(self.inputs) + 1)))

    def _role(self, i: int) -> tuple[Operation, int]:
        if i == len(self.inputs):
            return self.nests[-1].operation, len(self.nests[-1].reads)
        if i in self.written:
            nest = self.writer(self.written[i])
            return nest.operation, len(nest.reads)
        nest = self.nests[self.readers(i)[0]]
        return nest.operation, nest.reads.index(i)

    def tensor(self, nest: int) -> int:
        """The number of the tensor that a nest writes."""
        return len(self.inputs) + nest

    def number(self, tensor: int) -> int:
        """The number of the nest that writes a tensor; less than 0 where it comes in."""
        return tensor - len(self.inputs)

    def comes_in(self, tensor: int) -> bool:
        """Whether no nest writes a tensor."""
        return tensor < len(self.inputs)

    def writer(self, tensor: int) -> Nest:
        """The nest that writes a tensor."""
        return self.nests[tensor - len(self.inputs)]

    def between(self, tensor: int) -> Held:
        """The dtype and layout of a tensor between nests."""
        return self.held[tensor - len(self.inputs)]

    def on(self, spans: Spans, size: Mapping[str, int]) -> Graph:
        """The graph whose arrays between nests, at these sizes, are of the classes that a machine of such spans sees in
        their rows."""
        if spans == USUAL:
            return self
        spans = self.naming(spans)
        held = (
            Held(h.dtype, given_layout(TensorType(h.dtype, op.output.shape(size), h.layout.order), spans=spans))
            for op, h in zip(self.operations, self.held)
        )
        return replace(self, held=tuple(held))

    def naming(self, spans: Spans) -> Spans:
        """The spans, with rows named as they are in such a graph: in all but lone maps and sums only short ones."""
        one = self.is_lone and not (self.nest.combine and self.nest.streamed > 1)
        return spans if one else spans.briefly()

    def operand(self, tensor: int) -> int:
        """The operand that an input or the last output is."""
        return min(tensor, len(self.inputs))

    @cached_property
    def tensors(self) -> tuple[Access, ...]:
        """How each tensor is indexed, by number: as it comes in, or as it is written."""
        return (*self.inputs, *(op.output for op in self.operations))

    def access(self, tensor: int) -> Access:
        """How a tensor is indexed."""
        return self.tensors[tensor]

    @cached_property
    def is_large(self) -> bool:
        """Whether one search does not cover the graph. Either it has many nests, or a contraction reads another nest or
        stands beside another reduction. The second counts only where no intermediate is larger than every input and
        output, and not all is small. Such a graph is first cut, at whole arrays, into parts that are not large."""
        if AsOne.of(self):
            return False
        between = max((self.bytes[t] for t in self.unplaced), default=0)
        contractions = [nest for nest in self.nests if is_contraction(nest.operation)]
        outer = max((*self.bytes[: len(self.inputs)], *self.bytes[-1:]), default=0)
        is_small = len(self.nests) <= FEW_NESTS and sum(self.bytes) <= SMALL
        reductions = sum(op.combine is not None for op in self.operations)
        is_fed = any(not self.comes_in(t) for nest in contractions for t in nest.reads[: nest.operation.streamed])
        is_apart = bool(contractions) and (reductions > 1 or is_fed) and not is_small and between <= outer
        return not self.is_covered or is_apart

    @cached_property
    def is_covered(self) -> bool:
        """Whether one search covers so many nests and contractions."""
        return len(self.nests) <= MOST_NESTS and sum(map(is_contraction, self.operations)) <= MOST_CONTRACTIONS

    def is_rounded(self, tensor: int) -> bool:
        """Whether a tensor between nests has fewer bits than the floats it is computed in, so that storing it rounds
        them."""
        nest, held = self.writer(tensor), self.between(tensor).dtype
        compute = computed_in(nest.operation.finish, nest.accumulator)
        return is_float(held) and dtype(held).bits < dtype(compute).bits and not nest.exact

    @cached_property
    def unplaced(self) -> tuple[int, ...]:
        """The tensors that are still to be placed."""
        placed = {t for t, _ in self.placed}
        return tuple(t for t in range(len(self.inputs), self.last) if t not in placed)

    @cached_property
    def written(self) -> dict[int, int]:
        """The tensor of each operand that a nest writes, the last output aside."""
        return {i: t for t, i in self.placed}

    @property
    def last(self) -> int:
        """The tensor that is the last output."""
        return self.tensor(len(self.nests) - 1)

    def without(self, dim: str) -> Graph:
        """This graph at one index of `dim`: the axes that it moved stay, at extent 1."""
        ops = (op.without(dim) if dim in op.dims else op for op in self.operations)
        return replace(
            self,
            dims=tuple(d for d in self.dims if d != dim),
            inputs=tuple(access.without(dim) for access in self.inputs),
            nests=tuple(replace(nest, operation=op) for nest, op in zip(self.nests, ops)),
            pending=tuple(each.without(dim, self.dims) for each in self.pending),
        )

    def renamed(self, names) -> Graph:
        """The graph with its dimensions renamed."""
        return replace(
            self,
            dims=tuple(names[d] for d in self.dims),
            inputs=tuple(access.renamed(names) for access in self.inputs),
            nests=tuple(replace(nest, operation=nest.operation.renamed(names)) for nest in self.nests),
        )

    @property
    def bare(self) -> Graph:
        """The graph over operands whose borders are in memory; accesses between nests keep theirs. Where only a part of
        some operand is read, it is not known to be of whole arrays."""
        if not any(access.border for access in self.inputs):
            return self
        come = lambda t, access: access.bare if self.comes_in(t) else access
        nests = tuple(nest.over(self.tensor(j), come) for j, nest in enumerate(self.nests))
        is_cut = any(min(sides) < 0 for access in self.inputs if access.border for sides in access.border.sides)
        found = replace(self, inputs=tuple(access.bare for access in self.inputs), nests=nests)
        return found.annotated(WholeExtents(())) if is_cut else found

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of tensors for people: x0, x1, .. of those that come in; of those between, the nest that computes them
        (numbered where several are alike). The result is y; several are y0, y1, .., the last one last."""
        places = [operand for _, operand in self.placed]
        came = [f"y{places.index(i)}" if i in places else f"x{i}" for i in range(len(self.inputs))]
        words = [label(nest.operation) for nest in self.nests[:-1]]
        between = (f"{word} {words[:i].count(word) + 1}" if word in words[:i] else word for i, word in enumerate(words))
        return (*came, *between, f"y{len(places)}" if places else "y")

    def operand_name(self, i: int) -> str:
        """What operand i is called."""
        return self.names[i if self.comes_in(i) else -1]

    def readers(self, tensor: int) -> tuple[int, ...]:
        """The nests that read a tensor."""
        return self._readers[tensor]

    @cached_property
    def _readers(self) -> tuple[tuple[int, ...], ...]:
        tensors = range(self.last + 1)
        return tuple(tuple(j for j, nest in enumerate(self.nests) if t in nest.reads) for t in tensors)

    def needs(self, *tensors: int, known: Collection[int] = ()) -> list[int]:
        """The nests that compute tensors, in order, once those that are `known` are there."""
        found: set[int] = set()
        stack = [*tensors]
        while stack:
            tensor = stack.pop()
            j = self.number(tensor)
            if j >= 0 and tensor not in known and j not in found:
                found.add(j)
                stack += self.nests[j].reads
        return sorted(found)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.inputs))}) -> {self.output}"

    def __repr__(self) -> str:
        """As keys of tables spell it; a lone nest as its operation."""
        return self._spelled

    @cached_property
    def _spelled(self) -> str:
        if self.is_lone:
            return repr(self.nest)
        others = "".join(f", {each!r}" for each in self.pending if type(each) not in ORDER)
        return SPELLED.format(self, **{kind.key: kind.of(self) for kind in ORDER}, others=others)


def _met_alike(read: Access, written: Access, dim: str) -> bool:
    """Whether a tensor is read along `dim` as it is written: of a tile of it then nothing but that tile."""
    along = [
        axis for axis in range(len(written.axes)) if any(d == dim for d, _ in (*read.axes[axis], *written.axes[axis]))
    ]
    return all(read.axes[axis] == written.axes[axis] and read.is_whole(axis) for axis in along)


def lone(operation: Operation, accumulator: str) -> Graph:
    """A graph of one nest, without sizes or types of tensors."""
    nest = Nest(operation, tuple(range(len(operation.inputs))), accumulator)
    return interned(Graph(operation.name, operation.dims, operation.inputs, (nest,), (), ()))


def family_of(op: Operation, operands: tuple[Operand, ...], accumulator: str) -> Family:
    """The family of one nest that overwrites its output."""
    return Family(lone(op, accumulator), False, operands, accumulator)
