"""What values cost a part that lies by itself because they lie in whole arrays: as much may be saved where they lie
within a part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil, inf, prod
from typing import NamedTuple

from ..compiler.programs import Program
from ..engine.cost.ports import tied
from ..engine.program.nodes import Loop, Move, Node, Pipeline, Rounds, children
from ..engine.program.printer import round_steps
from ..engine.rewrites.worth import nests_of, quickest
from ..lang.nests.access import Access
from ..lang.nests.family import Layout
from ..lang.nests.graph import Graph
from ..lang.nests.merging import may_finish
from ..lang.nests.operation import Nest, Operation
from ..lang.types.tensor import TensorType
from ..machine.target import Target
from .custom.kernel import CustomProgram
from .graph import ModelValue
from .parts import ModelPart


class Traffic(NamedTuple):
    """What crosses between a part and the arrays that it reads and gives.

    Attributes:
        most: by value, cycles that the part takes at most because it is a whole array, and does not lie near; values
            that nothing is known of are left out.
        least: cycles that all take together at least, in whatever layouts; of a product its arithmetic, too.
    """

    most: Mapping[ModelValue, float]
    least: float


def traffic_of(part: ModelPart, program: Program) -> Traffic:
    """The traffic between a part by itself and its arrays. Nothing is known of a part that is not one search of fixed
    sizes with one result, nor of values beside constants that are packed ahead (prepacked at load). The part is spared
    packs into panels in full: within a part the nest before leaves an operand in panels at no cost, and a pack may take
    longer than a copy."""
    if isinstance(program, CustomProgram) or program.is_partitioned or part.spec.dynamic or len(part.gives) != 1:
        return Traffic({}, 0.0)
    canonical, graph, target = program.canonical, program.canonical.operation, program.target
    family, most, least = program.root.state.family, dict[ModelValue, float](), 0.0
    copies = _copies(program.root)
    into_panels, packed = any(layout.panel for layout in copies), _packed(program.root, {}) * program.threads
    for i, source in enumerate(canonical.sources or range(len(canonical.inputs))):
        if not 0 <= source < len(part.reads):
            continue
        array = _Array(canonical.inputs[i], target.levels[family.operands[i].level].name, target)
        readers = [graph.nests[j] for j in graph.readers(i)]
        for nest in readers:
            cycles = array.read_by(nest.operation, bool(copies))
            if into_panels and is_product(nest.operation):
                cycles = max(packed, cycles) if packed else inf
            most[part.reads[source]] = most.get(part.reads[source], 0.0) + cycles
        if readers and all(nest.operation.combine is None and _finishes(graph, nest) is None for nest in readers):
            least += array.streamed
    last = graph.nests[-1]
    array = _Array(canonical.output, target.levels[family.output.level].name, target)
    first = _finishes(graph, last)
    most[part.gives[0]] = array.written_by(last.operation if first is None else first.operation)
    if last.operation.combine is None and first is None:
        least += array.stored
    known = {value: cycles / program.threads for value, cycles in most.items() if cycles < inf}
    return Traffic(known, max(least, _least_of_products(program)) / program.threads)


def _least_of_products(program: Program) -> float:
    """Cycles that products, and the maps behind them, take at least, in whatever layouts.

    Beside the arithmetic a share of the lines of multiplied arrays shows, of weights as well, whoever reads them first.
    Lines of all other arrays may be hidden by the maps that read or write them, those of each array by all. 0 where
    there is no product."""
    canonical, graph, target = program.canonical, program.canonical.operation, program.target
    are_products = [is_product(nest.operation) for nest in graph.nests]
    if not any(are_products) or not _are_last(graph):
        return 0.0
    family, read, others = program.root.state.family, list[_Array](), list[float]()
    array = lambda i, type: _Array(type, target.levels[family.operands[i].level].name, target)
    for i, type in enumerate(canonical.inputs):
        readers = [graph.nests[j] for j in graph.readers(i)]
        accesses = [access for nest in readers for access in _multiplied(nest, i)]
        if any(reads_all(access, canonical.size) for access in accesses):
            read.append(array(i, type))
        elif readers and all(nest.operation.combine is None for nest in readers) and not type.constant:
            others.append(array(i, type).multiplied("line"))
    others.append(array(-1, canonical.output).summed)
    quick = [quickest(nest, steps, target)[1] for nest, steps in nests_of(graph, family, canonical.size)]
    maps = sum(cycles for nest, cycles in zip(graph.nests, quick) if nest.operation.combine is None)
    beside = _beside(target, sum(quick) - maps, read)
    return beside + maps + sum(max(0.0, cycles - maps) for cycles in others)


def _beside(target: Target, arithmetic: float, arrays: list[_Array]) -> float:
    """Cycles of products and of the arrays that they multiply, at least.

    By hand the share of lines that shows is added. Where cycles of lines that outlast the arithmetic show, the two are
    tied (`engine.cost.traffic.outlasting`), the more the greater the share of a line that shows. Here that share is the
    least of any level, for lines may be brought nearer before; and nothing shows where leaves may have ports idle
    (`slack`). Lines that come otherwise (a view, a copy) count in full, which is no less than as a part of tied ones.
    Leaves that tie nothing add."""
    added = arithmetic + sum(array.multiplied("line") for array in arrays)
    if not target.crossing.outlasting:
        return added
    price, names = target.coefficient, [level.name for level in target.levels[1:]]
    shares = [price[f"line.{name}"] / max(price[f"stream.{name}"], 1e-9) for name in names]
    shown = 0.0 if target.crossing.slack else min(1.0, *shares)
    both = tied(1 + shown, arithmetic, sum(array.multiplied("stream") for array in arrays))
    return max(arithmetic, min(added, float(both) - sum(array.unseen for array in arrays)))


def _are_last(graph: Graph) -> bool:
    """Whether the maps of a graph come after all else, so that nothing else hides what they read."""
    are_maps = [nest.operation.combine is None for nest in graph.nests]
    return are_maps == sorted(are_maps)


def _multiplied(nest: Nest, tensor: int) -> list[Access]:
    """By which a product reads a tensor that it multiplies."""
    op = nest.operation
    if not is_product(op):
        return []
    return [op.accesses[n] for n, t in enumerate(nest.reads[: op.streamed]) if t == tensor]


def reads_all(access: Access, size: Mapping[str, int]) -> bool:
    """Whether an access meets every element of its array: along each axis no step leaves one out."""
    for terms in access.axes:
        reach = 1
        for dim, step in sorted(terms, key=lambda term: term[1]):
            if not 0 < step <= reach:
                return False
            reach += step * (size[dim] - 1)
    return True


def _copies(root: Node) -> list[Layout]:
    """The layouts of the copies that a program makes. A node is in it wherever it serves: each is looked at once."""
    found, stack, met = [], [root], set[int]()
    while stack:
        node = stack.pop()
        if id(node) in met:
            continue
        met.add(id(node))
        if isinstance(node, Move) and node.copy is not None:
            found.append(node.to.layout)
        stack += children(node)
    return found


def _packed(node: Node, known: dict[int, float]) -> float:
    """Cycles of packs into panels within a node in a call; of each node worked out once."""
    if id(node) not in known:
        if isinstance(node, Move) and node.copy is not None and node.to.layout.panel and not node.ahead:
            own = float(node.cost) - float(node.body.cost)
            known[id(node)] = own + _packed(node.body, known)
        else:
            known[id(node)] = sum(times * _packed(part, known) for part, times in _often(node) if times)
    return known[id(node)]


def _often(node: Node) -> Iterator[tuple[Node, float]]:
    """The parts of a node, and how often each runs in a call where the node does once; over threads, in the one that
    has the most to do."""
    match node:
        case Loop():
            trips = prod(node.trips(i) + (node.threads > 1 and node.leftover(i) > 0) for i in range(len(node.dims)))
            whole, *left = node.bodies
            yield from ((part, 1) for part in (node.first, node.join) if part is not None)
            if whole is not None:
                yield whole, -(-trips // node.threads) - (node.first is not None)
            yield from ((part, node.threads == 1) for part in left if part is not None)
        case Rounds():
            yield from ((part, times) for _, steps, times in round_steps(node) for part, _ in steps)
        case Move(ahead=True):
            yield node.body, 1
        case Pipeline(ahead=True):
            yield node.consumer, 1
        case _:
            yield from ((part, 1) for part in children(node))


def is_product(op: Operation) -> bool:
    """Whether a nest is a reduction of several inputs, which computes meanwhile."""
    return bool(op.combine) and op.streamed > 1


def _finishes(graph: Graph, nest: Nest) -> Nest | None:
    """The reduction to whose results a map may be done as they are stored."""
    for tensor in nest.reads if nest.operation.combine is None else ():
        if not graph.comes_in(tensor) and may_finish(graph, tensor):
            return graph.writer(tensor)
    return None


def _shown(target: Target, level: int, way: str) -> float:
    """Cycles of a line from a level, at least, beside products whose leaves count `way` for it. The line comes in a
    leaf, by a copy, or by a view to a nearer level and on from there. The products hide up to `behind` of a view's
    cycles, and the view leaves to the leaf the cost of a line there (`engine.cost.views.brought`)."""
    price, hides = target.coefficient, target.crossing.behind
    per = lambda name, n: price.get(f"{name}.{target.levels[n].name}", 0.0)
    whole = per("stream" if hides else "line", level)
    viewed = ((1 - hides) * (whole - per("line", n)) + _shown(target, n, way) for n in range(1, level))
    return max(0.0, min(per(way, level), per("stream", level), *viewed))


@dataclass(frozen=True)
class _Array:
    """A whole array at a level."""

    type: TensorType
    level: str
    target: Target

    def _per(self, name: str) -> float:
        coefficient = self.target.coefficient
        return coefficient.get(f"{name}.{self.level}", coefficient.get(name, 0.0))

    def _moved(self, way: str, stretch: str) -> float:
        """Its lines, the beginnings of its rows, and its pages."""
        type = self.type
        rows = type.elements / type.shape[type.minor_to_major[0]] if type.rank else 1
        pages = type.bytes / self.target.spans.page
        return self._lines * self._per(way) + rows * self._per(stretch) + pages * self._per("pages")

    @property
    def _lines(self) -> int:
        return ceil(self.type.bytes / self.target.spans.line)

    @property
    def _vectors(self) -> float:
        """Cycles of as many loads or stores."""
        return ceil(self.type.bytes / self.target.vector_bytes)

    @property
    def streamed(self) -> float:
        """Cycles that its lines take for maps that read it."""
        return self._lines * self._per("stream")

    def multiplied(self, way: str) -> float:
        """Cycles that its lines take at least for products that read it, where a leaf counts `way` for a line."""
        names = [level.name for level in self.target.levels]
        return self._lines * _shown(self.target, names.index(self.level), way) - self.unseen * (way == "line")

    @property
    def unseen(self) -> float:
        """Cycles of its lines that come in unseen, at most, where they are panels in memory."""
        overlapped = self.target.crossing.most_overlapped * (self.level == self.target.levels[-1].name)
        return self._lines * self._per("line") * overlapped

    @property
    def summed(self) -> float:
        """Cycles that its lines take at least where products write it, or a map behind them."""
        return min(self._lines * self._per("result"), self.stored)

    @property
    def stored(self) -> float:
        """Cycles that its lines take for a map that writes it."""
        per = self._per("store")
        return self._lines * min(per, self._per("nontemporal") or per)

    def read_by(self, op: Operation, is_copied: bool) -> float:
        """Cycles for a nest to read it from there, perhaps by a copy nearby. The loads of a map, and of a reduction of
        one, may fall away as a whole, where it is read in registers."""
        if is_product(op):
            return self._moved("stream", "start") + self._vectors if is_copied else self._moved("line", "start")
        return self._moved("stream", "run") + self._vectors

    def written_by(self, op: Operation) -> float:
        """Cycles for a nest to write it there; those of a reduction that is too short to hide that."""
        if op.combine is None:
            return self._moved("store", "run") + self._vectors
        return self._moved("result", "late")
