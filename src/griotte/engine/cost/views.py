"""The cost of a view: lines come from where they are to where they are read next, as far as the computation below does
not hide their way."""

from __future__ import annotations

import numpy as np

from ...lang.nests.family import Family, Operand, product
from ...lang.nests.graph import Graph
from ...lang.nests.operation import Nest
from ...lang.nests.parts import first_written
from ..footprint import lines, passing, resident
from . import traffic
from .ports import computed_by, on_ports


def brought(family: Family, i: int, target, size, times: int, near: int) -> dict:
    """What a view of operand i counts that crosses `times`: lines where it is, less those at the level `near`, which a
    leaf below pays for. Where products hide lines, it is the whole way of the lines, less the share of all products
    below. For while a block is multiplied, the first pass over it is a small part of the work."""
    found, level = traffic.counts(family, i, target, size, times), family.operands[i].level
    # leaves below read rows side by side, and pay for those that L1 does not keep
    if "start" in found and target.crossing.ways:
        found.pop("aliased", None)
    crossing = traffic.at(target, level, found) | traffic.at(
        target, near, {name: -count for name, count in found.items()}
    )
    if _in_parts(family, i):
        room = target.capacity_lines(1 if target.crossing.unfollowed else near)
        streams = target.crossing.streams
        lost = {
            "crowded": times * passing(family.access(i), family.operands[i], size, room, streams, target.spans.line)
        }
        crossing = traffic.added(crossing, traffic.at(target, level, lost))
    if target.crossing.behind == 0 or "line" not in found:
        return crossing
    far = target.levels[level].name
    whole = {f"stream.{far}" if name == f"line.{far}" else name: count for name, count in crossing.items()}
    if target.crossing.passed:
        whole = traffic.added(whole, {f"stream.{far}": target.crossing.passed * found.get("start", 0.0)})
    products = _products(family, size) / (target.lanes(family.accumulator) * target.ports.arithmetic)
    enough = products / np.maximum(1e-9, found["line"] * target.coefficient[f"stream.{far}"] * target.crossing.hiding)
    hidden = _hidden(target, far) * (1 - _lost(family, i, target, size, near)) * np.minimum(1.0, enough)
    return {name: (1 - hidden) * count for name, count in whole.items()}


def _lost(family: Family, i: int, target, size, near: int):
    """The share of a view's lines that L1 does not keep from their request to their turn. Leaves below take a part of
    each row before the next part, and ask for lines some parts ahead."""
    operand, unit, spans = family.operands[i], family.unit_dim(i), target.spans
    if near < 2 or not target.crossing.nearer or unit is None or not operand.layout.given or not _in_parts(family, i):
        return 0.0
    ahead = int((spans.line + target.prefetch.part) / operand.bytes)
    parts = resident(family.access(i), operand, {**size, unit: np.minimum(size[unit], ahead)}, spans)
    room = target.crossing.fitting * target.levels[1].capacity / spans.line
    return np.maximum(0.0, 1 - room / parts)


def _hidden(target, far: str) -> float:
    """The share of the way of lines from a level that products hide. It is `behind`, or what the prices of that level
    say if that is more: `line` shows of `stream` beside arithmetic that takes as long."""
    price, crossing = target.coefficient, target.crossing
    shown, whole = price[f"line.{far}"], price[f"stream.{far}"]
    own = 1 - shown / whole if whole else 0.0
    return crossing.behind + crossing.nearer * max(0.0, own - crossing.behind)


def later_steps(family: Family, dim: str, target, size) -> dict:
    """The counts of each step of a loop over `dim` but the first: what such a step cuts, and what it takes from the
    first (`_walked`)."""
    return traffic.added(
        traffic.cut(family, dim, target, size), *(_walked(family, i, target, size) for i in walks(family, dim, target))
    )


def walks(family: Family, dim: str, target) -> tuple[int, ...]:
    """The viewed operands of a product whose rows each step of a loop over `dim` walks in parts, the first of them as
    the lines come from a cache beyond L2. (From memory it is not measured.)"""
    home = int(target.crossing.rests)
    is_measured = 2 < home < len(target.levels) - 1
    if not target.crossing.walked or not is_measured or not family.operation.is_lone or not _multiplied(family):
        return ()
    return tuple(
        i
        for i, operand in enumerate(family.operands[:-1])
        if 0 < operand.level < home
        and operand.layout.given
        and len(operand.layout.order) > 1
        and dim not in family.access(i).dims
        and _in_parts(family, i)
    )


def _walked(family: Family, i: int, target, size) -> dict:
    """What each step but the first shows of the way of an operand's lines. They come while the first step computes,
    which has the less time for them the more steps there are: of `s` steps it has the s-th part of all products. So
    what shows grows with the steps, and with the way to all products (docs/lab/products/README.md, Rows of the first
    pass)."""
    far = target.levels[int(target.crossing.rests)].name
    count = lines(family.access(i), family.operands[i], size, target.spans.line)
    way = target.coefficient[f"stream.{far}"] * count
    products = _products(family, size) / (target.lanes(family.accumulator) * target.ports.arithmetic)
    return {f"stream.{far}": target.crossing.walked * _hidden(target, far) * count * way / products}


def seen(family: Family, i: int, to: Operand, target) -> tuple:
    """What the price of a view of operand i sees of its family besides that operand: of families that differ in nothing
    of this it is worked out once."""
    op, _ = family.operation.role(i)
    hiding = target.crossing.behind and "line" in traffic.kinds(family, i)
    return (
        op if op.picks else None,
        _in_parts(family, i),
        traffic.by_rows(family, i),
        traffic.turns(family),
        (_multiplied(family), family.accumulator) if hiding else None,
        _seen_beside(family, i, to) if _passes_behind_a_nest(family, i) else None,
    )


def _in_parts(family: Family, i: int) -> bool:
    """Whether a reduction goes across the rows of operand i, and so may take a part of each before the next part."""
    return family.reduced(i) and family.unit_dim(i) not in family.nest.summed


def _seen_beside(family: Family, i: int, to: Operand) -> tuple:
    """What `left` sees: the first nest that meets operand i, what else that meets, and the nests behind it where lines
    come on while they compute."""
    nest = _first(family.operation, i)
    operands = (
        (traffic.use(family, t), level, family.access(t), family.operands[t]) for t, level in _met(family, i, to)
    )
    behind = ((other.operation, other.accumulator) for other in _behind(family, i))
    return nest.operation, nest.accumulator, *operands, *behind


def _products(family: Family, size):
    """How often a family multiplies, in all its products."""
    return sum(product(size[d] for d in dims) for dims in _multiplied(family))


def _multiplied(family: Family) -> tuple[tuple[str, ...], ...]:
    """The dimensions of each product of a family."""
    return tuple(op.dims for op in family.operation.operations if op.combine and op.streamed > 1)


def left(family: Family, i: int, to: Operand, target, size, crossing):
    """The share of `crossing`, cycles in which the lines of operand i come near, that its first nest does not hide.
    That nest hides as many as its compute time left after its other operands have arrived. The nests behind it, in
    which the core fetches the next tile's first lines, hide more. 1 without a graph, and for products, which compute
    for longer (`brought`)."""
    if not _passes_behind_a_nest(family, i):
        return 1.0
    spare = _cycles(_first(family.operation, i), target, size) - _beside(family, i, to, target, size)
    return _over(np.maximum(0.0, spare) + _fetched_on(family, i, target, size), crossing)


def _fetched_on(family: Family, i: int, target, size):
    """Cycles of the way of lines that a core fetches on along what it read, from beyond L2, while the nests behind the
    first compute; the next tile begins with them."""
    level, nests = family.operands[i].level, _behind(family, i)
    if not nests:
        return 0.0
    way = target.crossing.ahead * target.coefficient[f"{traffic.use(family, i)}.{target.levels[level].name}"]
    return np.minimum(way, sum(_cycles(nest, target, size) for nest in nests))


def _behind(family: Family, i: int) -> tuple[Nest, ...]:
    """The nests behind the one that first meets operand i, where that is read from beyond L2."""
    if family.operands[i].level <= 2 or traffic.use(family, i) != "stream":
        return ()
    first = _first(family.operation, i)
    return tuple(nest for nest in family.operation.nests if nest is not first)


def _passes_behind_a_nest(family: Family, i: int) -> bool:
    """Whether lines of operand i come near while the nest computes that first meets it."""
    return not family.operation.is_lone and traffic.use(family, i) in ("stream", "store")


def left_of_rounds(family: Family, target, size, crossing):
    """The share of `crossing` that a graph computed in rounds does not hide. Tiles are small, so that the lines of one
    come while all nests compute, each over its own tile. Products have lines of their own to hide."""
    nests = (nest for nest in family.operation.nests if not (nest.operation.combine and nest.operation.streamed > 1))
    return _over(sum(_cycles(nest, target, size) for nest in nests), crossing)


def _over(spare, crossing):
    """The share of `crossing`, cycles in which lines come near, that `spare` cycles of arithmetic do not hide."""
    return 1 - np.clip(spare, 0.0, np.maximum(crossing, 0.0)) / np.maximum(crossing, 1e-9)


def _first(graph: Graph, i: int) -> Nest:
    """The nest that first meets operand i."""
    return graph.nests[graph.readers(i)[0]] if graph.comes_in(i) else graph.writer(first_written(graph))


def _cycles(nest: Nest, target, size):
    """Cycles of a nest's arithmetic on whole vectors, by the ports."""
    op = nest.operation
    vectors = product(size[d] for d in op.dims if d not in op.picked) / target.lanes(nest.accumulator)
    slots = computed_by(target, op, nest.accumulator)
    return vectors * on_ports(target.ports, slots.all, slots.multiplying)


def _met(family: Family, i: int, to: Operand) -> list[tuple[int, int]]:
    """What the nest meets that is the first to meet operand i: each operand, and where it comes from. Operand i comes
    from where it is viewed, from where arrays are what else this nest is the first to meet."""
    graph, home = family.operation, max(operand.level for operand in family.operands)
    nest = _first(graph, i)
    met = [*filter(graph.comes_in, nest.reads), *[i] * (i == graph.operand(graph.last))]
    level = lambda t: to.level if t == i else home if _first(graph, t) is nest else family.operands[t].level
    return [(t, level(t)) for t in met]


def _beside(family: Family, i: int, to: Operand, target, size):
    """Cycles in which the operands come that the nest meets which first meets operand i."""
    return sum(
        target.coefficient[f"{traffic.use(family, t)}.{target.levels[level].name}"]
        * lines(family.access(t), family.operands[t], size, target.spans.line)
        for t, level in _met(family, i, to)
    )
