"""Walks a Program once, as its C runs, and adds the requests of its leaves: Program -> Program.

The requests of a leaf depend on the leaf, on the level that each operand comes from and on the loops around it. That
level is the one where the operand was put, or, from a loop's second use on, where it was viewed to. If only the first
iteration of a short loop reads a panel from far, that iteration gets a body of its own (`first`) with its own requests.

The core by itself fetches the rows behind the last one that it walks down. Where another thread writes those, the loop
runs inwards.

The walk also sets how many partial sums (chains) the leaves of one sum make each of their results of: as many for all
columns. A leaf alone takes as many as hide the latency of its step. A narrow one, at the end of the columns, would then
sum in another order than those before it, and results of equal columns would differ by a rounding.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace

from ...lang.calls.spec import Spec
from ...machine.target import Target
from ..program.nodes import (
    BUFFER,
    Alias,
    Bands,
    Block,
    BySize,
    KernelCall,
    Loop,
    MaybeNode,
    Move,
    Node,
    Pipeline,
    Rounds,
    Seen,
    Shards,
    children,
    walk,
)
from ..program.view import View, as_stated, given_views, one_part, packed_view, parts_view, within_part
from .form import Place
from .forms import supplies
from .reduce import serve

Views = list[View]


def prefetched(root: Node, spec: Spec, target: Target) -> Node:
    """A program of `spec` (canonical) with the requests of its leaves."""
    family = root.state.family
    views = [view for view, _ in given_views(spec, family, [""] * len(family.operands))]
    home = max(operand.level for operand in family.operands)
    return _Walk(target, home, shared_chains(root, target)).node(root, views)


@dataclass
class _Walk:
    """`around` are the dimensions of the serial loops around this place, `shared` those of the loops over threads.
    `home` is the level where the arrays of the call are, `chains` are those of leaves, by their ids."""

    target: Target
    home: int
    chains: dict[int, int]
    around: list[str] = field(default_factory=list)
    shared: tuple[str, ...] = ()
    by_sizes: dict[tuple, BySize] = field(default_factory=dict)

    @property
    def place(self) -> Place:
        return Place(self.target, self.home, tuple(self.around))

    def node(self, node: Node, views: Views) -> Node:
        """`node` on the tiles at `views`, one per operand of its Spec."""
        views = [view.through(access) for view, access in zip(views, node.state.family.operation.accesses)]
        match node:
            case Loop(threads=1):
                return self.loop(node, views)
            case Loop():
                return self.parallel(node, views)
            case Move():
                return self.move(node, views)
            case Block():
                return replace(
                    node, children=tuple(self.node(part, [views[i] for i in seen]) for part, seen, _ in node.parts)
                )
            case Pipeline():
                return self.pipeline(node, views)
            case Rounds():
                return self.rounds(node, views)
            case Shards():
                return self.shards(node, views)
            case Alias():
                return replace(node, body=self.node(node.body, [views[i] for i in node.sees]))
            case KernelCall():
                return replace(node, supplies=supplies(self.place, node.state.family, node, views))
            case BySize():
                return self.by_size(node, views)
            case Bands():
                return self.bands(node, views)
        return node

    def _part(self, node: MaybeNode, views: Views) -> MaybeNode:
        return None if node is None else self.node(node, views)

    # ---- loops -------------------------------------------------------------------------------------------------------

    def loop(self, node: Loop, views: Views) -> Loop:
        self.around.append(node.dims[0])
        found = self._open(node, views) if node.open is not None else self._counted(node, views)
        self.around.pop()
        return replace(found, inwards=self._walks_down(node, views[-1]))

    def _walks_down(self, node: Loop, result: View) -> bool:
        """Whether it goes down a strip of rows that threads share: the core would fetch those behind the last one,
        which another thread writes (docs/lab/strips/README.md)."""
        dim, body = node.dims[0], node.bodies[0]
        if dim not in self.shared or body is None or node.open is None and node.trips() <= 2:
            return False
        along = [d for d in result.access.dims if result.step(d, 1) == 1]
        is_strip = (
            dim not in along
            and any(d in along for d in self.around)
            and not any(isinstance(part, Loop) and part.dims[0] in along for part in walk(body))
        )
        return is_strip and result.layout.given and result.step(dim, 1) > 0

    def _counted(self, node: Loop, views: Views) -> Loop:
        trips, (body, left) = node.trips(), node.bodies
        again = self._met_again(node, views, trips)
        first = self._part(body if self._settles(node, views, again) else node.first, views)
        body = self._part(body, again if trips > 1 else views)
        return replace(node, first=first, bodies=(body, self._part(left, again)))

    def _settles(self, node: Loop, views: Views, again: Views) -> bool:
        """Whether a panel comes from far the first time and from near then: where a loop is short, the first time is
        worth C of its own."""
        if node.first is not None or not 1 < node.trips() < self.target.prefetch.often:
            return False
        return any(self.place.comes_from_far(view) and later.level < view.level for view, later in zip(views, again))

    def _open(self, node: Loop, views: Views) -> Loop:
        """Trips are counted when it runs: many, for all that is known here."""
        again = self._met_again(node, views, self.target.prefetch.often)
        return replace(
            node, first=self._part(node.first, views), bodies=tuple(self._part(body, again) for body in node.bodies)
        )

    def _met_again(self, node: Loop, views: Views, trips: int) -> Views:
        """The views of a loop's later iterations. An operand that the loop does not step through lies, from its second
        use on, where it was viewed to. For rows as given in L2 the views say so only where they are used `often`. For
        requests for rows taken to lie there come late the first time, when the rows come from far."""
        found = []
        for view, operand in zip(views, node.state.family.operands):
            lies = node.dims[0] not in view.access.dims and (
                trips >= self.target.prefetch.often or operand.level == 1 or view.layout.panel is not None
            )
            found.append(replace(view, level=min(view.level, operand.level)) if lies else view)
        return found

    def parallel(self, node: Loop, views: Views) -> Loop:
        """The loop with its requests. Parts of a reduction that threads share have an output each, joined then."""
        if node.join is None:
            return replace(node, bodies=self._shares(node, views))
        parts, _ = parts_view("", node, views[-1], self.target.spans.line)
        bodies = self._shares(node, [*views[:-1], one_part(parts, node, views[-1])])
        return replace(node, bodies=bodies, join=self.node(node.join, [parts, views[-1]]))

    def _shares(self, node: Loop, views: Views) -> tuple[MaybeNode, ...]:
        """The bodies of a loop over threads."""
        self.shared = node.dims
        found = tuple(self._part(body, views) for body in node.bodies)
        self.shared = ()
        return found

    def by_size(self, node: BySize, views: Views) -> BySize:
        """One node for all places where it meets the same views: they share its function, with the requests of the
        first of them."""
        key = (id(node), tuple((view.geometry, self.place.comes_from(view)) for view in views))
        if key not in self.by_sizes:
            self.by_sizes[key] = replace(
                node, cases=tuple((sizes, self.node(part, views)) for sizes, part in node.cases)
            )
        return self.by_sizes[key]

    def bands(self, node: Bands, views: Views) -> Bands:
        self.around.append(node.dim)
        bodies = tuple(
            self.by_size(
                body, [view.through(access) for view, access in zip(views, body.state.family.operation.accesses)]
            )
            for body in node.bodies
        )
        self.around.pop()
        return replace(node, bodies=bodies)

    # ---- moves -------------------------------------------------------------------------------------------------------

    def move(self, node: Move, views: Views) -> Move:
        if isinstance(node.body, KernelCall) and node.to.level == 0:
            found = supplies(self.place, node.state.family, node.body, views)
            return replace(node, body=replace(node.body, supplies=found, chains=self.chains.get(id(node.body), 0)))
        if node.copy is None:
            return replace(node, body=self.node(node.body, views))
        view = views[node.operand]
        buffer, _ = packed_view("", node.to, view.access, view.access.shape(node.state.size))
        body = self.node(node.body, [buffer if i == node.operand else v for i, v in enumerate(views)])
        return replace(
            node, body=body, copy=self.node(node.copy, [buffer, view] if node.copies_out else [view, buffer])
        )

    def pipeline(self, node: Pipeline, views: Views) -> Pipeline:
        extents = node.access.shape(node.state.size)
        buffer = packed_view("", node.to, node.access, extents)[0] if node.place == BUFFER else views[node.place]
        read = [buffer if border is None else buffer.within(border, extents)[0] for border in node.borders]
        written = [buffer if i == node.place else views[i] for i in node.sees[0]]
        seen = [there if i == node.place else views[i] for i, there in zip(node.sees[1], read)]
        parts = (
            self.node(part, as_stated(part.state, given))
            for part, given in ((node.producer, written), (node.consumer, seen))
        )
        return replace(node, producer=next(parts), consumer=next(parts))

    def rounds(self, node: Rounds, views: Views) -> Rounds:
        rooms = [packed_view("", room.operand, room.access, node.shape(room))[0] for room in node.rooms]

        def steps(parts: tuple[tuple[Node, Seen], ...]) -> tuple[tuple[Node, Seen], ...]:
            """What one of them has met comes to the next from where it is viewed."""
            found: list[tuple[Node, Seen]] = []
            for part, sees in parts:
                met = {i for _, each in found for i in each}
                seen = [views[i] if i >= 0 else rooms[node.room(i)] for i in sees]
                near = [
                    replace(view, level=min(view.level, operand.level)) if i in met else view
                    for i, view, operand in zip(sees, seen, part.state.family.operands)
                ]
                found.append((self.node(part, near), sees))
            return tuple(found)

        first = steps(node.first)
        self.around.append(node.dim)
        again, left, rest = map(steps, (node.again, node.left, node.rest))
        last = steps(node.last) if node.rest else ()
        self.around.pop()
        return replace(node, first=first, again=again, left=left, last=last or steps(node.last), rest=rest)

    def shards(self, node: Shards, views: Views) -> Shards:
        rooms = [packed_view("", room.operand, room.access, node.shape(room))[0] for room in node.rooms]
        cut = [view.cut(node.dim, node.each) for view in views]
        parts = tuple(
            (
                self.node(
                    part, [within_part(cut[i] if i >= 0 else rooms[-1 - i], part, at) for at, i in enumerate(node.sees)]
                ),
                first,
            )
            for part, first in node.parts
        )
        return replace(
            node, parts=parts, join=self.node(node.join, [views[i] if i >= 0 else rooms[-1 - i] for i in node.joins])
        )


def shared_chains(root: Node, target: Target) -> dict[int, int]:
    """By the ids of a program's calls, the chains of those leaves whose own numbers differ although they sum for the
    same rows. It is the largest of these numbers, or as many as all of them have registers for. A leaf whose steps are
    written out, such as one for the leftover of a reduction, follows those with loops. Registers that it lacks cost it
    a few steps, and a chain less would cost them all of theirs."""
    found: dict[int, int] = {}
    for calls in _sums(root, target).values():
        own = [int(serve.chains(kernel, *_leaf(call, target))) for kernel, call in calls]
        if len(set(own)) > 1:
            looped = [at for at, each in enumerate(calls) if _steps(*each) > target.writing.written]
            common = _common([(own[at], calls[at]) for at in looped or range(len(calls))], target)
            found |= {id(call): min(common, _steps(kernel, call)) for kernel, call in calls}
    return found


def _common(of: list[tuple[int, tuple]], target: Target) -> int:
    """The largest of the own numbers of chains of (kernel, call), or as many as all of them have registers for."""
    wanted = max(own for own, _ in of)
    most = min(int(serve.room(kernel, *_leaf(call, target))) for _, (kernel, call) in of)
    return wanted if wanted <= most else int(serve.evenly(most))


def _leaf(call: KernelCall, target: Target):
    return call.state.family, target, call.lane, call.state.size


def _steps(kernel, call: KernelCall) -> int:
    return int(serve.steps(kernel, call.state.family, call.lane, call.state.size))


def _sums(root: Node, target: Target) -> dict[tuple, list[tuple]]:
    """(kernel, call) of all leaves that sum floats, by what it is that they sum: parts of a program that run one after
    the other have sums of their own."""
    kernels = {kernel.name: kernel for kernel in target.kernels}
    found: dict[tuple, list[tuple]] = defaultdict(list)
    met: set[tuple[int, int]] = set()

    def visit(node: Node, part: int) -> None:
        if (id(node), part) in met:
            return
        met.add((id(node), part))
        if isinstance(node, KernelCall):
            kernel = kernels[node.kernel]
            if node.state.family.output.level == 0 and node.open is None and serve.is_ordered(node.state.family):
                found[part, *_sum_of(node)].append((kernel, node))
        for child in children(node):
            visit(child, part if isinstance(node, (Loop, Move, Alias)) else id(child))

    visit(root, id(root))
    return found


def _sum_of(call: KernelCall) -> tuple:
    """What a leaf sums, with which step, for how many rows. Rows are elements of its tile of results along all
    dimensions but the lanes', or, where lanes lie along the reduction, along the dimensions of the first input."""
    family, op = call.state.family, call.state.family.nest
    inputs = op.inputs[: op.streamed]
    rows = [d for d in op.results if (d in inputs[0].dims if call.lane in op.reduction else d != call.lane)]
    size = call.state.size
    return call.kernel, call.lane, inputs, op.body, op.output, family.accumulator, tuple(size[d] for d in rows)
