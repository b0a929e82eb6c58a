"""Where an operand may go: the levels that are worth it, the layouts that it may be copied into, and which copies lead
on. Layouts are compact rows, panels along the lanes of the result, slivers, and groups that a kernel eats together."""

from __future__ import annotations

from dataclasses import replace

from ...lang.nests.access import Access
from ...lang.nests.family import Family, Layout, Operand
from ...lang.nests.graph import family_of
from ...lang.nests.operation import Operation
from ...lang.nests.parts import operands_for
from ...lang.types.dtypes import dtype, is_within
from ..leaves.conditions import interleaves, unit_step
from ..leaves.forms import computing, serving, takes


def places(family: Family, i: int, target, ahead: bool = False) -> list[Operand]:
    """The panels that a copy of all of input i, or of a tensor between nests, could go into, within the call or `ahead`
    of it. Compact rows are not among them: a whole tensor is given dense."""
    found = _reader(family, i)
    if found is None:
        return []
    nest, at = found
    if not nest.operands[at].layout.given or not nest.nest.combine or not nest.access(at).dims:
        return []
    return [to for to in input_copies(nest, at, target, ahead) if to.layout.panel]


def may_pack(family: Family, i: int, target) -> bool:
    """Whether constant i may be packed ahead of the call, as the others are or once those before it are packed."""
    found = _reader(family, i)
    return found is not None and (waits(*found, target, ahead=True) or bool(places(family, i, target, ahead=True)))


def _reader(family: Family, i: int) -> tuple[Family, int] | None:
    """The one nest that reads input i of the call, or a tensor between nests, as a family over whole arrays, and which
    of its inputs that is; None where several do."""
    graph = family.operation
    if graph.is_lone:
        return family, i
    if len(graph.readers(i)) > 1:
        return None
    j, home, held = graph.readers(i)[0], family.slowest, graph.held
    nest, between = graph.nests[j], [Operand(h.dtype, home, h.layout) for h in held]
    whole = [family.operands[t] if graph.comes_in(t) else between[graph.number(t)] for t in nest.reads]
    bordered = (operand.within(access.border) for operand, access in zip(whole, nest.operation.inputs))
    output = Operand(nest.accumulator, home, held[j].layout if j < len(held) else family.output.layout)
    return family_of(nest.operation.bare, (*bordered, output), nest.accumulator), nest.reads.index(i)


def _reuses(op: Operation) -> bool:
    """Whether each input of a reduction is read again: it lacks a dimension, or its windows overlap. Unless all are, no
    copy pays."""
    return op.streamed == 1 or all(again(op, access) for access in op.inputs[: op.streamed])


def lies_across(family: Family, i: int) -> bool:
    """Whether an operand of a map has the dimension along which the neighbours of the result lie, and its own lie along
    another: a leaf would gather it element by element."""
    lane, access = family.unit_dim(len(family.operands) - 1), family.access(i)
    return (
        lane in access.dims
        and access.is_plain(access.axis_of(lane))
        and family.unit_dim(i) != lane
        and not (family.operands[i].layout.beyond or family.nest.picks)
    )


def as_the_result(family: Family, i: int) -> Layout:
    """Compact, neighbours along the dimension along which those of a map's result lie."""
    order = family.operands[i].layout.order
    first = family.access(i).axis_of(family.unit_dim(len(family.operands) - 1))
    return Layout(_led_by(first, order, family.access(i)))


def _led_by(axis: int, order: tuple[int, ...], access: Access) -> tuple[int, ...]:
    """The order of a copy's axes with this one first, the fastest."""
    return copied_order((axis, *(a for a in order if a != axis)), access)


def copied_order(order: tuple[int, ...], access: Access) -> tuple[int, ...]:
    """An order of a copy's axes in which those of one element, which have no dimension, stand last: wherever they do,
    it is the same memory. The first stays, for it says what neighbours are."""
    single = sorted((a for a in order[1:] if not access.axes[a]), reverse=True)
    return (*order[:1], *(a for a in order[1:] if access.axes[a]), *single) if single else order


def again(op: Operation, access: Access) -> bool:
    """Whether a nest reads an element more than once: it has a dimension that the element's tensor lacks, or windows
    that overlap."""
    return any(d not in access.dims for d in op.dims) or any(len(terms) > 1 for terms in access.axes)


def input_copies(family: Family, i: int, target, ahead: bool = False) -> list[Operand]:
    """What input i may be copied into, at its own level; `ahead` of the call, where a copy of an input that is read
    once is worth its while too."""
    if not family.operands[i].layout.beyond and (i >= family.nest.streamed or not ahead and not _reuses(family.nest)):
        return []
    if waits(family, i, target, ahead):
        return []
    copies = (Operand(d, family.operands[i].level, layout) for d, layout in _input_layouts(family, i, target))
    return [to for to in copies if _leads_on(family.with_operand(i, to), target)]


def waits(family: Family, i: int, target, ahead: bool) -> bool:
    """Whether input i has the lanes of the result, and so has one before it that goes first."""
    return family.unit_dim(len(family.operands) - 1) in family.access(i).dims and any(
        _goes_first(family, j, target, ahead) for j in range(i)
    )


def _goes_first(family: Family, i: int, target, ahead: bool) -> bool:
    """Whether input i lies across the lanes of the result, and may be copied so that it lies along them: while it does
    not, panels of another are worth nothing."""
    lane, operand = family.unit_dim(len(family.operands) - 1), family.operands[i]
    if not lane or lane not in family.access(i).dims or operand.layout.panel or family.unit_dim(i) == lane:
        return False
    return any(to.layout.panel for to in input_copies(family, i, target, ahead))


def _leads_on(family: Family, target) -> bool:
    """Whether some kernel takes the inputs that are copied together; where none does, no program follows."""
    return any(takes(kernel, family) for kernel in computing(target, family))


def _input_layouts(family: Family, i: int, target):
    """(dtype, layout) that input i may be copied into: compact rows, or panels along the output's unit dimension, or
    one that lanes may lie along in its place."""
    operand, access = family.operands[i], family.access(i)
    lane = family.unit_dim(len(family.operands) - 1)
    axis = access.axis_of(lane) if lane else -1
    words = [k for k in serving(target, family) if k.addresses]
    if any(i in k.addresses for k in words):
        return []
    dtypes = (
        {operand.dtype, family.accumulator} if casts_on_copy(operand.dtype, family.accumulator) else {operand.dtype}
    )
    turned = [(operand.dtype, Layout(order)) for order in _paired_orders(family, i, target)]
    if operand.layout.beyond:
        return [(d, Layout(copied_order(operand.layout.order, access))) for d in sorted(dtypes)] + turned
    if axis < 0:
        lane = next((d for d in turned_dims(family) if d in access.dims), None)
        axis = access.axis_of(lane) if lane else -1
    if axis < 0 or not access.is_plain(axis):
        compact = Layout(copied_order(operand.layout.order, access))
        dtypes -= {family.accumulator} - {operand.dtype} if _eats_groups(family, target) else set()
        dtypes |= _widened(family, i, target)
        rows = [(d, compact) for d in sorted(dtypes) if d != operand.dtype or len(access.axes) > 1]
        return (_slivers(family, i, sorted(dtypes), target) or rows) + turned + _blocks(family, i, target)
    lanes = target.lanes(family.accumulator)
    order = _led_by(axis, operand.layout.order, access)
    found, groups = [], _groups(family, i, target)
    # these eat groups alone
    dtypes -= dtypes if groups and (words or any(k.matrix for k in serving(target, family))) else set()
    dtypes -= {family.accumulator} - {operand.dtype} if groups and _eats_groups(family, target) else set()
    for width in _widths(family, i, lane) or [vectors * lanes for vectors in target.panel_vectors]:
        plain = Layout(order, panel=(axis, width))
        found += [(d, plain) for d in sorted(dtypes)]
        found += [(operand.dtype, replace(plain, group=group)) for group in groups]
    return found


def _widened(family: Family, i: int, target) -> set[str]:
    """The wider dtypes that kernels take in place of input i's, all other inputs as they are, and that hold all of its
    numbers: a step then need not widen it."""
    inputs = tuple(o.dtype for o in family.operands[: family.nest.streamed])
    asked = {k.inputs for k in computing(target, family) if k.inputs and k.group > 1 and len(k.inputs) == len(inputs)}
    found = {each[i] for each in asked if (*each[:i], *each[i + 1 :]) == (*inputs[:i], *inputs[i + 1 :])}
    return {d for d in found - {inputs[i]} if is_within(inputs[i], d) and casts_on_copy(inputs[i], d)}


def _eats_groups(family: Family, target) -> bool:
    """Whether a kernel takes several steps of the reduction at once: then no copy is widened."""
    return any(k.group > 1 or k.matrix for k in serving(target, family))


def _widths(family: Family, i: int, lane: str) -> list[int]:
    """The widths of the panels along `lane` that other inputs lie in: panels side by side are as wide as each other."""
    others = ((family.access(j), o.layout.panel) for j, o in enumerate(family.operands[:-1]) if j != i)
    return sorted({panel[1] for access, panel in others if panel and access.axis_of(lane) == panel[0]})


def _blocks(family: Family, i: int, target) -> list[tuple[str, Layout]]:
    """(dtype, layout) of the whole blocks that matrix registers take input i in: rows along a dimension of the
    output."""
    operand, access = family.operands[i], family.access(i)
    kernels = [k for k in serving(target, family) if k.matrix and not family.nest.finish and k.columns != i]
    shapes = sorted({(k.matrix.rows, k.matrix.depth(operand.dtype)) for k in kernels})
    along = [
        access.axis_of(d) for d in family.operation.parallel if d in access.dims and access.is_plain(access.axis_of(d))
    ]
    across = [
        access.axis_of(d) for d in family.operation.reduction if d in access.dims and access.is_plain(access.axis_of(d))
    ]
    return [
        (operand.dtype, Layout(_led_by(a, operand.layout.order, access), panel=(a, rows), group=(k, depth)))
        for a in along
        for k in across
        for rows, depth in shapes
    ]


def _slivers(family: Family, i: int, dtypes: list[str], target) -> list[tuple[str, Layout]]:
    """(dtype, layout) of the narrow panels that input i goes into, which lacks the lanes: along a dimension of the
    output that it alone has, beside another input's panels. As wide as the tallest tile of registers there is beside
    one of those, so that a leaf reads one end to end."""
    access, order = family.access(i), family.operands[i].layout.order
    beside = [j for j in range(family.nest.streamed) if j != i and family.operands[j].layout.panel]
    if len(beside) != 1 or family.nest.streamed != 2:
        return []
    other, panel = family.access(beside[0]), family.operands[beside[0]].layout.panel
    vectors = panel[1] // target.lanes(family.accumulator)
    if vectors < 2 or _eats_groups(family, target):
        return []
    heights = {tallest(target, vectors)}
    if any(k.by_lane for k in serving(target, family)):
        heights.add(tallest_by_lane(target, vectors, target.lanes(family.accumulator)))
    own = [access.axis_of(d) for d in family.nest.results if d in access.dims and d not in other.dims]
    layouts = [
        Layout(_led_by(a, order, access), panel=(a, rows))
        for a in own
        for rows in sorted(heights)
        if access.is_plain(a) and rows > 3
    ]
    return [(d, layout) for d in dtypes for layout in layouts]


def tallest(target, vectors: int) -> int:
    """Rows of the tallest tile of registers that has so many vectors in each, beside those that hold a row of the other
    input and an element of this."""
    return (target.registers - vectors - 1) // max(1, vectors)


def tallest_by_lane(target, vectors: int, lanes: int) -> int:
    """The same in whole vectors of rows, whose elements a step takes by their lanes; 0 where there is none."""
    return lanes * ((target.registers - 1) // (lanes * vectors + 1))


def casts_on_copy(source: str, to: str) -> bool:
    """Whether a copy of an input may widen it to the accumulator's dtype: where that at most doubles its bytes."""
    return dtype(to).bytes <= 2 * dtype(source).bytes


def _groups(family: Family, i: int, target) -> list[tuple[int, int]]:
    """The k-pair and k-quad interleavings that some kernel of the target eats for this operation. They go along a
    reduction whose neighbours lie side by side in the other inputs, or may in copies of them."""
    access = family.access(i)
    dims = [d for d in family.nest.summed if d in access.dims and access.is_plain(access.axis_of(d))]
    kernels = [k for k in serving(target, family) if k.group > 1 and i not in (*k.single, *k.addresses)]
    return [
        (access.axis_of(d), count)
        for d in dims
        for count in sorted({k.group for k in kernels if _pairs(k, family, i, d)})
    ]


def _pairs(kernel, family: Family, i: int, dim: str) -> bool:
    """Whether of every input but i that the kernel takes in groups the neighbours along a reduction lie side by side,
    may in a copy, or are brought there in registers."""
    lanes = [d for d in family.operation.parallel if d in family.access(i).dims]
    for j in (j for j in range(family.nest.streamed) if j != i and j not in kernel.single):
        access, layout = family.access(j), family.operands[j].layout
        axis = access.axis_of(dim)
        copied = (
            j not in kernel.addresses
            and axis >= 0
            and access.is_plain(axis)
            and (layout.given or layout.group is not None and layout.group[0] == axis)
        )
        if (
            not copied
            and not unit_step(family, j, dim)
            and not any(interleaves(kernel, family, j, lane) for lane in lanes)
        ):
            return False
    return True


def _paired_orders(family: Family, i: int, target) -> list[tuple[int, ...]]:
    """The orders of axes in which the neighbours that a step of a kernel eats together lie side by side in input i,
    where they do not yet. Those neighbours are the ones that another input has in groups, or may be copied into groups
    of."""
    access, order = family.access(i), family.operands[i].layout.order
    others = [j for j in range(family.nest.streamed) if j != i]
    grouped = {(j, o.layout.group[0]) for j in others if (o := family.operands[j]).layout.group}
    open_ = {
        (j, axis) for j in others if family.operands[j].layout.panel is None for axis, _ in _groups(family, j, target)
    }
    dims = {family.access(j).axes[axis][0][0] for j, axis in grouped or open_}
    axes = [
        access.axis_of(d) for d in family.nest.summed if d in dims and d in access.dims and not unit_step(family, i, d)
    ]
    return [_led_by(a, order, access) for a in axes if access.is_plain(a) and a not in family.operands[i].layout.beyond]


def turned_dims(family: Family) -> list[str]:
    """Dimensions of the output that lanes may lie along in place of its unit dimension: those that some input lacks.
    That is where the unit dimension is one of several along an axis of that input, in no order that could be packed.
    The result is turned when it is stored."""
    op, last = family.nest, len(family.operands) - 1
    unit = family.unit_dim(last)
    mixed = (
        [access for access in op.inputs if unit in access.dims and not access.is_plain(access.axis_of(unit))]
        if unit
        else []
    )
    return (
        [d for d in op.parallel if d != unit and all(d not in access.dims for access in mixed)]
        if mixed and op.combine and not op.fold
        else []
    )


def near_levels(family: Family, i: int, target) -> list[int]:
    """The levels that operand i of a graph may be viewed at. An input has some where several nests, or several tiles of
    a loop, read it. The last output has some where it is added to tile by tile or holds another tensor first. A buffer
    has none, for it lies where it is wanted."""
    graph, operand = family.operation, family.operands[i]
    if i == graph.operand(graph.last):
        holds = bool(graph.reduction) or any(i in outputs_for(family, t) for t in graph.unplaced)
        return worthwhile(graph.bytes[-1], operand.level, target) if holds and operand.level == family.slowest else []
    if (
        i in graph.written
        or operand.level < family.slowest
        or len(graph.readers(i)) < 2
        and all(d in family.access(i).dims for d in graph.cut)
    ):
        return []
    return worthwhile(graph.bytes[i], operand.level, target) if family.access(i).dims else []


def outputs_for(family: Family, tensor: int) -> list[int]:
    """The outputs of a graph that may hold a tensor that one of its nests writes; none where the family adds to its
    output."""
    if family.accumulate:
        return []
    held = family.operation.between(tensor)
    return [
        i
        for i in operands_for(family.operation, tensor)
        if family.operands[i].dtype == held.dtype and not family.operands[i].layout.panel
    ]


def worthwhile(size: int, home: int, target) -> list[int]:
    """The levels nearer than `home` where a tile of a tensor of so many bytes may be worth a place: up to the fastest
    that holds all of it."""
    near = target.places(home)
    enough = next((level for level in near if size / target.spans.line <= target.capacity_lines(level)), home)
    return [level for level in near if level <= enough]
