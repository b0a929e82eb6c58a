"""From a canonical Spec and a target to the search's starting point: the goal family, its home level, its ladders."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod

from ..rewrites import PARTS, as_one, asked, at_sums, block_sizes, edges, may_pack, part_sizes, standing_whole
from ..rewrites.layouts import tallest
from ..rewrites.move import home_of
from ..spec.dtypes import dtype
from ..spec.family import LINE, Family, Layout, Operand, given_layout, unit_dim
from ..spec.graph import Graph, Nest, is_contraction
from ..spec.halo import is_rows
from ..spec.merging import may_finish
from ..spec.operation import Operation, uncut, whole
from ..spec.shards import marked
from ..spec.spec import Spec
from ..spec.stairs import at_whole
from ..spec.tensor import TensorType
from .ladder import Ladder, even_shares, tile_sizes

COUNTS = -1  # among a Spec's sources: of an array that the program itself has
FAR_LESS = 8  # times: as weights of a byte are of their sums in s32 from 32 of them on
HEIGHTS = (1, 2, 4, 8, 16, 32, 64)  # rows of a band: of the highest what is packed for each is a few hundredths of its products
NEAR = 2  # the slowest level that a product's whole panels are near at, without a split
SMALL_SHARE = 4  # such arrays fit L1; it takes two of them to hide what is behind a diagonal


@dataclass(frozen=True)
class Problem:
    """What `Solver` needs: `home` is the level where operands rest, the fastest that holds all of them; `heights` are those of bands, where rows are taken by such. The goal, and `sizes`, are
    those of the highest then."""

    goal: Family
    sizes: dict[str, int]
    home: int
    ladders: dict[str, Ladder]
    heights: tuple[int, ...] = ()

    @property
    def goals(self) -> tuple[Family, ...]:
        """What is to be solved."""
        return (self.goal,)


def problem(spec: Spec, target, threads: int = 1, at_rest: Family | None = None) -> Problem:
    """Start the search for a canonical Spec, or one whose arrays are said by `at_rest`. `threads` adds each thread's even share of a dimension to its ladder."""
    heights = band_heights(spec)
    size = {**spec.size, spec.dynamic.rows: heights[-1]} if heights else spec.size
    at_rest = at_rest or resting(spec, target, size)
    home = home_of(at_rest)
    goal = replace(at_rest, operation=_whole(spec, threads, target, home))
    goal = _in_band(goal, spec, heights[-1]) if heights else goal
    goal = replace(goal, operation=_uncut(goal.operation, target, home, finishes=False)) if spec.dynamic and isinstance(goal.operation, Graph) else goal
    goal = standing_whole(goal, spec.size, target)
    goal = goal if spec.dynamic else as_one(goal, spec.size, target)
    goal = at_sums(goal, size, target, threads)
    goal = replace(goal, ahead=(*_known(goal.operation, spec), *_ahead(spec, goal, target)))
    parts = of_parts(goal, size, target)
    extents = {d: tuple(sorted({*_extents(spec, d, threads), *parts.pop(d, ())})) for d in spec.operation.dims}
    ladders = {d: ladder(spec, d, target, extents[d], threads) for d in spec.operation.dims}
    if heights:
        extents |= {spec.dynamic.rows: heights}
        ladders |= {d: Ladder(extents[d], tiles=_wide_steps(spec, d, target)) for d in spec.operation.dims if d not in spec.dynamic.dims} | {spec.dynamic.rows: _band_ladder(heights, target)}
    ladders |= uncut_ladders(spec.operation, extents)
    ladders |= {d: few(found) if is_rows(d) else _plain_ladder(found, target, goal.accumulator, threads) for d, found in parts.items()}
    ladders |= uncut_ladders(spec.operation, parts)
    if threads > 1 and _reduces(spec) and spec.dynamic is None:
        ladders[PARTS] = Ladder(tuple(range(2, threads + 1)))
    return Problem(goal, size, home, ladders, heights)


def resting(spec: Spec, target, size: Mapping[str, int]) -> Family:
    """The operation of a Spec over its arrays where they rest, which is for all of them, and what is between its nests at these sizes, the fastest level that holds all."""
    home = target.home((sum(t.bytes for t in spec.tensors) + _between(spec, size)) / LINE)
    uncached = home == len(target.levels) - 1
    operands = tuple(Operand(t.dtype, home, given_layout(t, uncached, access.border)) for t, access in zip(spec.tensors, spec.operation.accesses))
    operands = tuple(near_counts(o, t, target) if source == COUNTS else o for o, t, source in zip(operands, spec.tensors, (*(spec.sources or ()), *[None] * len(operands))))
    return Family(with_counts(spec), False, operands, spec.accumulator)


def with_counts(spec: Spec) -> Operation | Graph:
    """Its operation over operands with their borders around them, of which it is told which count 0, 1, 2, .."""
    found = spec.operation.bare
    return replace(found, counts=tuple(i for i, source in enumerate(spec.sources or ()) if source == COUNTS)) if isinstance(found, Graph) else found


def _whole(spec: Spec, threads: int, target, home: int) -> Operation | Graph:
    """The operation over operands with their borders around them, and what is known of it since they are whole arrays."""
    found = with_counts(spec)
    if not isinstance(found, Graph):
        return found
    found = replace(found, early=() if spec.dynamic else _early(found, spec))
    return found if spec.dynamic else marked(at_whole(_uncut(found, target, home), spec.size), spec.size, threads)


def _uncut(graph: Graph, target, home: int, finishes: bool = True) -> Graph:
    """The graph whose products are told to be uncut where a split gains nothing: a map may be done to the sums in registers (where it `finishes`), and the smaller of the inputs, less than the sums, lies near as a whole."""
    near = max((target.capacity_lines(level) * LINE for level in target.places(min(home, NEAR, len(target.levels) - 2) + 1)), default=0)

    def gains(nest: Nest, tensor: int) -> bool:
        least = min((graph.bytes[t] for t in nest.reads[: nest.operation.streamed]), default=0)
        return not (is_contraction(nest.operation) and (may_finish(graph, tensor) or not finishes) and least <= min(near, graph.bytes[tensor]))

    if any(kernel.matrix for kernel in target.kernels):  # which takes sums from memory alone
        return graph
    nests = (nest if gains(nest, len(graph.inputs) + j) else replace(nest, operation=replace(nest.operation, uncut=True)) for j, nest in enumerate(graph.nests))
    return replace(graph, nests=tuple(nests))


def band_heights(spec: Spec) -> tuple[int, ...]:
    """The heights of bands of rows, where two dimensions have the dynamic size; () elsewhere."""
    if spec.dynamic is None or spec.dynamic.rows is None:
        return ()
    return tuple(height for height in HEIGHTS if height <= spec.dynamic.bound)


def _band_ladder(heights: tuple[int, ...], target) -> Ladder:
    """Within bands loops step by the heights, and by the rows of the tile of registers that has most products for what it loads."""
    tiles = [(tallest(target, v), v) for v in target.panel_vectors if tallest(target, v) > 0]
    rows = max(tiles, key=lambda tile: tile[0] * tile[1] / sum(tile), default=(1, 1))[0]
    return Ladder(heights, tiles=tuple(sorted({*heights, *({rows} if rows < heights[-1] else ())})))


def _in_band(goal: Family, spec: Spec, height: int) -> Family:
    """A goal whose tensors are, along the rows, as large as a band of them; its operands lie as those of the bound. A graph is searched as one: bands are what else it would be cut into, and are there
    for what lies between its nests to be near."""
    graph, rows, bound = goal.operation, spec.dynamic.rows, spec.dynamic.bound
    if not isinstance(graph, Graph):
        return goal
    accesses = (*graph.inputs, *(nest.operation.output for nest in graph.nests))
    return replace(goal, operation=replace(graph, joint=graph.is_covered, near=True, bytes=tuple(n * height // bound if rows in access.dims else n for n, access in zip(graph.bytes, accesses))))


def _wide_steps(spec: Spec, dim: str, target) -> tuple[int, ...]:
    """The steps of loops along a dimension beside one with every size and one with bands, few, for these are many Specs: widths of panels or, where it is shorter than those, powers of 2."""
    panels = tuple(v * target.lanes(spec.accumulator) for v in target.panel_vectors)
    return tuple(t for t in panels if t < spec.size[dim]) or tuple(1 << a for a in range(spec.size[dim].bit_length()) if 1 << a < spec.size[dim])


def _early(graph: Graph, spec: Spec) -> tuple[int, ...]:
    """The tensors between nests that are sums, or the like, of constants (and of scalars), and by far less than those: sums of weights."""
    constants = {i for i, (t, access) in enumerate(zip(spec.inputs, graph.inputs)) if t.constant or not access.dims}
    nests = {t: graph.nests[t - len(graph.inputs)] for t in graph.unplaced}
    of_constants = [t for t, nest in nests.items() if nest.operation.combine and constants.issuperset(nest.reads)]
    return tuple(t for t in of_constants if FAR_LESS * graph.bytes[t] <= max(graph.bytes[i] for i in nests[t].reads))


def _known(operation: Operation | Graph, spec: Spec) -> tuple[int, ...]:
    """The tensors between nests that are computed of one constant alone, and are not more than it: those that are read with what is not."""
    if not isinstance(operation, Graph) or spec.dynamic:
        return ()
    found = [t for t in operation.unplaced if _is_of_one_constant(operation, t, spec)]
    return tuple(t for t in found if all(other == t or t - len(operation.inputs) not in operation.needs(other) for other in found))


def _is_of_one_constant(graph: Graph, tensor: int, spec: Spec) -> bool:
    count, needs = len(graph.inputs), graph.needs(tensor)
    given = {t for j in needs for t in graph.nests[j].reads if t < count}
    fixed = all(spec.inputs[i].constant and not (access.border and any(access.border.starts)) for i in given for access in [spec.operation.inputs[i]])
    apart = all(set(graph.readers(count + j)) <= set(needs) for j in needs if count + j != tensor)
    reduces = any(graph.nests[j].operation.combine for j in needs)
    sources = {i if spec.sources is None else spec.sources[i] for i in given}
    return fixed and len(sources) == 1 and COUNTS not in sources and apart and reduces and graph.bytes[tensor] <= max(graph.bytes[i] for i in given)


def near_counts(operand: Operand, tensor: TensorType, target) -> Operand:
    """An array that counts 0, 1, 2, ..., which is part of the program: where it is small it is in L1 at all times, and no place is sought for it."""
    is_small = tensor.bytes * SMALL_SHARE <= target.levels[1].capacity
    return replace(operand, level=1, layout=replace(operand.layout, uncached=False)) if is_small else operand


def of_parts(goal: Family, size: Mapping[str, int], target) -> dict[str, tuple[int, ...]]:
    """The sizes of dimensions besides those of the goal, `size`, that goals within it ask for: the parts of a large graph, of which each has dimensions of its own, blocks of
    rows of which something is skipped, and shards of columns."""
    found: dict[str, set[int]] = defaultdict(set)
    stack, met = [(goal, size)], {goal}
    while stack:
        family, sizes = stack.pop()
        parts = [(child.family, child.at(sizes)) for edge in edges(family, target) for child in edge.children] if family.operation.is_large or family.operation.shards else []
        stack += [part for part in parts if part[0] not in met]
        met.update(part for part, _ in parts)
        for d, n in (*((d, part[d]) for child, part in parts for d in child.operation.dims), *part_sizes(family), *block_sizes(family)):
            if size.get(d) != n:
                found[d].add(n)
    return {d: tuple(sorted(sizes)) for d, sizes in found.items()}


def uncut_ladders(operation: Operation | Graph, extents: Mapping[str, tuple[int, ...]]) -> dict[str, Ladder]:
    """The ladders of dimensions that no loop cuts: of their extents alone and, of reductions that are finished as they are stored, of what rounds take of them besides."""
    return {whole(d): Ladder(found, tiles=()) for d, found in extents.items()} | {uncut(d): Ladder(found, asked=lambda size: asked(operation, d, size), tiles=()) for d, found in extents.items()}  # noqa: B023 - called at once


def few(extents: tuple[int, ...]) -> Ladder:
    """The ladder of rows within a block, which is small: a loop takes one at a time, or none does."""
    return Ladder(extents, tiles=(1,))


def _plain_ladder(extents: tuple[int, ...], target, accumulator: str, threads: int) -> Ladder:
    """The ladder of a dimension that some part reduces over, or packs along."""
    panels = {v * target.lanes(accumulator) for v in target.panel_vectors}
    share = -(-max(extents) // threads)
    widest = max(panels, default=1)
    return Ladder(extents, tuple(sorted({*target.tile_sizes, *panels, *({share, -(-share // widest) * widest} if threads > 1 else ())})))


def _between(spec: Spec, size: Mapping[str, int]) -> int:
    """Bytes of what is between the nests of a graph."""
    op = spec.operation
    return sum(prod(op.access(t).shape(size)) * dtype(op.held[t - len(op.inputs)].dtype).bytes for t in op.unplaced)


def _reduces(spec: Spec) -> bool:
    return any(nest.operation.combine for nest in spec.operation.nests) if spec.operation.is_graph else bool(spec.operation.combine)


def _whole_panels(spec: Spec, dim: str, share: int, target) -> int:
    """A thread's share of a dimension, in whole panels (the widest there are) where a constant may be packed along it."""
    widest = max(target.panel_vectors, default=0) * target.lanes(spec.accumulator)
    packs = widest and spec.operation.combine and any(t.constant and dim in access.dims for t, access in zip(spec.inputs, spec.operation.inputs))
    return -(-share // widest) * widest if packs else share


def _ahead(spec: Spec, goal: Family, target) -> tuple[int, ...]:
    """Constants that may be packed ahead of the call. One of a dynamic size is not: its size is not known by then; nor is any where rows are taken by bands."""
    if spec.dynamic and (spec.operation.is_large or spec.dynamic.rows):
        return ()
    fixed = [(spec.dynamic is None or spec.dynamic.dim not in access.dims) and not (access.border and any(access.border.starts)) for access in spec.operation.inputs]
    return tuple(i for i, t in enumerate(spec.inputs) if t.constant and fixed[i] and _is_packed(spec, i) and may_pack(goal, i, target))


def _is_packed(spec: Spec, i: int) -> bool:
    """Whether panels of constant i are worth a search: where it is several operands, of those that products read."""
    op, sources = spec.operation, spec.sources
    return sources is None or sources.count(sources[i]) == 1 or op.is_graph and any(is_contraction(op.nests[j].operation) for j in op.readers(i))


def _nests(spec: Spec) -> tuple[tuple[Operation, Layout], ...]:
    """The nests of a Spec, each with the layout of what it gives."""
    op, given = spec.operation, Layout(spec.output.minor_to_major)
    if not op.is_graph:
        return ((op, given),)
    return tuple((nest.operation, layout) for nest, layout in zip(op.nests, (*(held.layout for held in op.held), given)))


def _extents(spec: Spec, dim: str, threads: int) -> tuple[int, ...]:
    """Sizes of `dim` that are asked for: where it is dynamic, all of them and each thread's even share of each."""
    if spec.dynamic is None or spec.dynamic.dim != dim:
        return (spec.size[dim],)
    shares = {n: -(-n // threads) for n in spec.dynamic.extents}
    return tuple(sorted({part for n, share in shares.items() for part in (n, share, n % share)} - {0}))


def ladder(spec: Spec, dim: str, target, extents: tuple[int, ...], threads: int = 1) -> Ladder:
    """The ladder of a dimension of the canonical `spec` for parts of it of these extents: of a window dimension its size alone, of one that
    windows slide along few."""
    slid = [op for op, _ in _nests(spec) if any(not access.is_apart(dim) for access in op.accesses)]
    if any(dim in op.reduction for op in slid):
        return Ladder(extents, tiles=())
    extra = set() if slid else set(target.tile_sizes)
    if _reduces(spec) and (not slid or any(unit_dim(op.output, layout) == dim for op, layout in _nests(spec))):
        extra |= {v * target.lanes(spec.accumulator) for v in target.panel_vectors}
    if any(op.combine and op.streamed > 1 and dim in op.parallel and unit_dim(op.output, layout) != dim for op, layout in _nests(spec)) and not slid:
        extra |= {tallest(target, v) for v in target.panel_vectors if v > 1}
    if threads > 1 and dim in spec.operation.dims:
        share = -(-spec.size[dim] // threads)
        extra |= {share, _whole_panels(spec, dim, share, target)}
    tiles = None
    if slid:
        tiles = tuple(t for t in sorted({*extra, *(part for extent in extents for part in even_shares(extent))}) if t < max(extents))
    elif spec.dynamic and dim not in spec.dynamic.dims and _has_lanes_alone(spec, dim):
        lanes = target.lanes(spec.accumulator)
        tiles = tuple(t for t in tile_sizes(max(extents), tuple(sorted(extra))) if t == 1 or t % lanes == 0 or t in extra)
    return Ladder(extents, tuple(sorted(extra)), lambda size: asked(spec.operation, dim, size), tiles)


def _has_lanes_alone(spec: Spec, dim: str) -> bool:
    """Whether all that moves along a dimension has its neighbours there, and nothing is summed along it: lanes lie along it wherever a nest has it, so that a part of a vector is a tile that costs what a
    whole one does."""
    op = spec.operation
    layouts = [*(Layout(t.minor_to_major) for t in spec.inputs), *(held.layout for held in (op.held if op.is_graph else ())), Layout(spec.output.minor_to_major)]
    nests = [(nest.operation, (*nest.reads, len(spec.inputs) + j)) for j, nest in enumerate(op.nests)] if op.is_graph else [(op, tuple(range(len(layouts))))]
    meets = [unit_dim(access, layouts[t]) == dim for nest, tensors in nests for access, t in zip(nest.accesses, tensors) if dim in access.dims]
    return all(meets) and not any(dim in nest.reduction for nest, _ in nests)
