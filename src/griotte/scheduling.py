"""Programs by hand: rewrites applied one at a time to the holes of a partial Program; `synthesize` fills what is left.

    s = gt.schedule(spec, target="avx512").tile("m", 192).move(1, "L2", panel=64)
    program = gt.synthesize(s)

A hand schedule calls the rewrites of the search: the same edges, memory limits and prices. It may take any step of the
declared space, and tiles of any size besides.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from .errors import NoProgramError, SpecError
from .frontends.given import spec_of
from .hole import (
    HolePath,
    OpenHole,
    between_index,
    checked,
    chosen,
    integer,
    of_form,
    operand_index,
    place,
    placed,
    refuse,
    said_of_place,
    steps_offered,
    title,
)
from .ir.canonical import canonical_form
from .ir.family import State
from .ir.halo import is_rows
from .ir.shards import told
from .ir.spec import Spec
from .program import printer
from .program.nodes import Hole, Loop, Node, children, goals_of_call
from .programs import Program
from .rewrites import (
    Adding,
    Ahead,
    DoesNotApply,
    Edge,
    Factor,
    Finish,
    Fold,
    Halo,
    Inline,
    Joint,
    Online,
    Pairs,
    Parallel,
    Rewrite,
    Select,
    Shard,
    Skip,
    Tile,
    ToAccumulator,
    applied,
    around,
    edges,
    is_outermost,
    offered,
)
from .search import limits
from .search.ladders import few, ladder, of_parts, uncut_ladders
from .search.problem import problem
from .synthesis import bounded, open_store, stats_of, synthesize
from .targets.target import Target

if TYPE_CHECKING:
    from .codegen.emit import Unit
    from .search.rebuild import Rebuild

_COMPLETE = "expected an open hole, found a complete program; griotte.synthesize(schedule).compile() builds it"
_NO_SEARCH = {"specs_solved": 0, "families": 0, "synthesis_s": 0.0, "peak_rss_mb": 0.0}


@dataclass(frozen=True, eq=False, repr=False)
class Schedule(Program):
    """A partial Program: rewrites are applied by hand, `gt.synthesize` fills what is left open.

    It is immutable: each rewrite gives a new one. A rewrite acts on the first open hole, main bodies first, or on the
    one chosen by `at`; then on what it left open there. `cost` is None as long as there are holes.

    Attributes:
        spec: what it computes, as stated.
        canonical: the same, as the search sees it: its dimensions are what steps name.
        root: the tree's root.
        target: the machine that it is for.
        threads: how many a call runs on.
        stats: as of Program.
        home: the number of the level where operands rest.
        focus: the hole that `at` chose.

    Example:
        >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", "portable").tile("m", 24)
        >>> len(s.holes)  # whole tiles, and what is left over
        2
    """

    home: int = 0  # the level where operands rest, as in search.problem
    focus: HolePath = ()

    def __str__(self) -> str:
        """The program as printed, its holes numbered as in `holes`: ?0, ?1, .."""
        number = count()
        return re.sub(r"\? ", lambda _: f"?{next(number)} ", super().__str__())

    @property
    def _worth(self) -> str:
        holes = len(self.holes)
        return f"{holes} hole{'s' * (holes > 1)}" if holes else super()._worth

    def _repr_html_(self) -> str | None:
        return None if self.holes else super()._repr_html_()

    @property
    def holes(self) -> tuple[OpenHole, ...]:
        """The open holes, from the top of the printed program down."""
        return tuple(self._open(self.root, (), (), limits.free(self.target, self.home, self.root.state.family)))

    def at(self, i: int) -> Schedule:
        """Go on with another hole until nothing is open there.

        Args:
            i: its number in `holes`.

        Raises:
            NoProgramError: there is none of this number.

        Example:
            >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", "portable").tile("m", 24).at(1).tile("n", 8)
            >>> len(s.holes)
            2
        """
        holes, i = self.holes, integer("the number of a hole", i)
        if not 0 <= i < len(holes):
            raise DoesNotApply(
                f"expected a hole 0..{len(holes) - 1}, found {i}; print the schedule to see them"
                if holes
                else _COMPLETE
            )
        return replace(self, focus=holes[i].path)

    # ---- rewrites ----------------------------------------------------------------------------------------------------

    def tile(self, dim: str | tuple[str, ...], size: int | tuple[int, ...], parallel: int = 1) -> Schedule:
        """A loop in steps of so many elements; what is left over is a hole of its own.

        Args:
            dim: a dimension, or two that threads share out.
            size: elements of a tile along it, or along both.
            parallel: how many threads share the tiles; 1: the loop is serial.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", "portable")
            >>> shared = s.tile(("m", "n"), (32, 16), parallel=2)
            >>> shared.threads
            2
        """
        dims = tuple(dim) if isinstance(dim, (tuple, list)) else (dim,)
        sizes = tuple(integer("the size of a tile", s) for s in (size if isinstance(size, (tuple, list)) else (size,)))
        threads = integer("a number of threads", parallel)
        if threads != 1:
            return self._shared_out(Parallel(dims, sizes, threads))
        if len(dims) != 1 or len(sizes) != 1:
            raise DoesNotApply(
                f"expected one dimension and one size for a serial loop, found {dims} by {sizes}; tile twice, or give"
                " parallel=threads"
            )
        return self._tiled(Tile(*dims, *sizes))

    def split(self, dim: str, size: int) -> Schedule:
        """`tile` of a reduction: the first iteration writes the output, later ones add to it.

        Args:
            dim: a reduction; of a graph, of what its last nest sums over.
            size: elements of a tile along it.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", "portable").split("k", 16)
            >>> len(s.holes)
            2
        """
        hole = self._hole()
        operation = hole.state.family.operation
        reduction = operation.addable if operation.is_graph else operation.splits
        if dim not in reduction:
            refuse(
                f"split of {dim}",
                hole,
                f"expected a reduction ({' '.join(reduction) or 'there is none'}), found {dim!r}; tile loops over the"
                " others",
            )
        if dim in operation.splits:
            return self.tile(dim, size)
        adding = Adding(reduction)
        try:
            adding.edge(hole.state.family, self.target)
        except DoesNotApply as why:
            refuse(f"split of {dim}", hole, why)
        return self._left_open(hole, adding).tile(dim, size)

    def move(
        self,
        operand: int | str,
        level: str,
        panel: int | None = None,
        group: int | None = None,
        dtype: str | None = None,
        compact: bool | str = False,
        lanes: str | None = None,
    ) -> Schedule:
        """Bring an operand to a faster level of the target.

        Args:
            operand: 0, 1, ..: the inputs, then the output; or its printed name.
            level: "L1", "L2", ..; of "registers" a kernel must follow.
            panel: copies it into blocks of that width. Without any layout it is a view: no code, its lines count as
                held.
            group: neighbours along the reduction that stand together in a panel.
            dtype: what it is cast to on the way.
            compact: copies it row by row, or, a dimension, into rows along that.
            lanes: the dimension along the vectors, in registers.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", "portable")
            >>> "panels of 16" in str(s.move(1, "L1", panel=16))
            True
        """
        hole = self._hole()
        wanted = {"panel": panel, "group": group, "dtype": dtype, "compact": compact, "lanes": lanes}
        return self._applied(
            hole,
            chosen(
                hole, self.target, operand, level, {k: v for k, v in wanted.items() if v is not None and v is not False}
            ),
        )

    def ahead(
        self, operand: int | str, panel: int | None = None, group: int | None = None, dtype: str | None = None
    ) -> Schedule:
        """Say how a constant reaches the call, before all else.

        Args:
            operand: its number, or its printed name.
            panel: packs it once, before any call, into panels of that width; without any it stays as it is given.
            group: as of `move`.
            dtype: as of `move`.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("matmul(f32[64,48], const f32[48,32])", "portable")
            >>> len(s.ahead(1, panel=16).holes)  # the packing, and the call
            2
        """
        hole = self._hole()
        i, wanted = (
            operand_index(hole, f"ahead of {operand}", operand),
            {k: v for k, v in {"panel": panel, "group": group, "dtype": dtype}.items() if v is not None},
        )
        places = [place for place in offered("ahead", hole.state.family, self.target) if place.operand == i]
        return self._applied(
            hole,
            (
                of_form(places, hole, f"ahead of {operand}", i, wanted, "no layout (as given)")
                if places
                else Ahead(i, hole.state.family.operands[i])
            ),
        )

    def to_accumulator(self) -> Schedule:
        """A reduction as a fill of its output with the identity, then one that adds to it.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", "portable").to_accumulator()
            >>> len(s.holes)
            2
        """
        return self._applied(self._hole(), ToAccumulator())

    def select(self, kernel: str, lanes: str | None = None) -> Schedule:
        """Run a kernel of the target.

        Args:
            kernel: its name.
            lanes: the dimension along its vectors; None: the first that fits.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("exp(f32[64])", "portable").select("map")
            >>> s.holes
            ()
        """
        hole = self._hole()
        family, size = hole.state.family, hole.state.size
        leaves = [leaf for leaf in offered("select", family, self.target) if leaf.kernel == kernel]
        wanted = [leaf for leaf in leaves if lanes in (None, leaf.lane)]
        if not leaves:
            return self._applied(hole, Select(kernel, lanes or family.operation.dims[0]))
        if not wanted:
            refuse(
                f"select of {kernel}",
                hole,
                f"expected lanes along {' or '.join(leaf.lane for leaf in leaves)}, found {lanes!r}",
            )
        return self._applied(
            hole, next((leaf for leaf in wanted if leaf.edge(family, self.target).fit(size)), wanted[0])
        )

    def bufferize(self, tensor: int | str, level: str, panel: int | None = None, group: int | None = None) -> Schedule:
        """Give a tensor between the nests of a graph a place; what computes it comes before what reads it.

        Args:
            tensor: its number, or its printed name.
            level: of the target, or an output of the graph (y0, y1, ..) that is to hold it.
            panel: puts it into panels of that width, as the product that reads it wants it.
            group: as of `move`.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("softmax(f32[64,48])", "portable")
            >>> len(s.bufferize("max", "L1").holes)
            2
        """
        hole, levels = self._hole(), [x.name for x in self.target.levels]
        number, what = between_index(hole, f"bufferize of {tensor}", tensor), f"bufferize of {tensor} at {level}"
        places = [place for place in offered("bufferize", hole.state.family, self.target) if place.tensor == number]
        named = [
            placed(
                levels[place.to.level] if place.operand is None else printer.name(Hole(hole.state), place.operand),
                place.to,
            )
            for place in places
        ]
        wanted = level, {k: v for k, v in (("panel", panel), ("group", group)) if v is not None}
        found = next((place for place, name in zip(places, named) if name == wanted), None)
        if found is None:
            expected = " or ".join(said_of_place(*name) for name in named)
            refuse(
                what,
                hole,
                f"expected {expected or 'a tensor at which the graph may be cut'}, found"
                f" {said_of_place(repr(level), wanted[1])}",
            )
        return self._applied(hole, found)

    def inline(self, tensor: int | str) -> Schedule:
        """Compute a tensor between the nests of a graph, the result of a map, where it is read.

        Args:
            tensor: its number, or its printed name.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("softmax(f32[64,48])", "portable").tile("i0", 4).bufferize("max", "L1")
            >>> len(s.inline("exp").holes) == len(s.holes)
            True
        """
        hole = self._hole()
        return self._applied(hole, Inline(between_index(hole, f"inline of {tensor}", tensor)))

    def finish(self, tensor: int | str) -> Schedule:
        """Do the map that reads a reduction's result to it as it is stored.

        Args:
            tensor: that result, by its number or its printed name.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("relu(matmul(f32[64,48], f32[48,32]))", "portable")
            >>> len(s.finish("matmul").holes)
            1
        """
        hole = self._hole()
        return self._applied(hole, Finish(between_index(hole, f"finish of {tensor}", tensor)))

    def fold(self, tensor: int | str) -> Schedule:
        """Let the reduction that reads a product's result take it from registers.

        Args:
            tensor: that result, between the two nests of the graph, by its number or its printed name.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("max(matmul(f32[64,48], f32[48,32]), axis=1)", "portable")
            >>> len(s.fold("matmul").holes)
            1
        """
        hole = self._hole()
        return self._applied(hole, Fold(between_index(hole, f"fold of {tensor}", tensor)))

    def online(self, tile: int, level: str, kept: bool = False) -> Schedule:
        """Do the maximum and the sums of a softmax, and the product with it, in rounds of columns.

        Args:
            tile: columns of a round.
            level: of the target, for all that a round makes or hands on.
            kept: whether exponentials are kept where the output goes, and made the output by rounds too: those of
                softmax alone.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("softmax(f32[70,310])", "portable").tile("i0", 8)
            >>> len(s.online(64, "L1").holes) > len(s.holes)
            True
        """
        hole, levels = self._hole(), [x.name for x in self.target.levels]
        if level not in levels:
            refuse(
                f"online at {level}",
                hole,
                f"expected a level of {self.target.name} ({' '.join(levels)}), found {level!r}",
            )
        return self._applied(hole, Online(integer("a number of columns", tile), levels.index(level), bool(kept)))

    def pairs(self) -> Schedule:
        """Do the maximum of a softmax and the sum of its exponentials by one reading of what came in.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("softmax(f32[64,4800])", "portable").pairs()
            >>> len(s.holes)
            2
        """
        return self._applied(self._hole(), Pairs(self.target.places(len(self.target.levels) - 1)[0]))

    def factor(self, tensor: int | str) -> Schedule:
        """Divide by the total after the sum of products that reads a tensor of shares of that total.

        Args:
            tensor: the shares, between the nests of a graph, by its number or its printed name.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("attention(f32[1,64,16], f32[1,64,16], f32[1,64,16])", "portable")
            >>> len(s.factor("div").holes)
            1
        """
        hole = self._hole()
        return self._applied(hole, Factor(between_index(hole, f"factor of {tensor}", tensor)))

    def skip(self, rows: int) -> Schedule:
        """Cut the rows of a graph with a causal mask into blocks, each over the columns that its last row sees.

        Args:
            rows: of a block; 0: not at all. Before all else at the whole arrays.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("attention(f32[1,256,16], f32[1,256,16], f32[1,256,16], causal=true)", "portable")
            >>> len(s.skip(64).holes)
            4
        """
        return self._applied(self._hole(), Skip(integer("a number of rows", rows)))

    def halo(self, rows: int) -> Schedule:
        """Cut a graph in which windows slide over a tensor between its nests into blocks of rows.

        Args:
            rows: of the output in a block, computed together with the rows that its windows meet; 0: not at all, and of
                a large graph that it is searched as one. Before all else at the whole arrays, but for constants.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> x, w = "f32[1,4,64,64]", "f32[4,4,3,3]"
            >>> s = gt.schedule(f"conv2d(conv2d({x}, {w}, padding=1), {w}, padding=1)", "portable")
            >>> len(s.halo(16).holes) > 0
            True
        """
        hole, rows = self._hole(), integer("a number of rows", rows)
        graph, rewrite = hole.state.family.operation, Halo(rows)
        if (
            rows in graph.blocks
            and not graph.is_large
            and not hole.state.family.ahead
            or not isinstance(self.root, Hole)
            or not graph.is_graph
        ):
            return self._applied(hole, rewrite)
        whole = State(replace(hole.state.family, operation=replace(graph, extents=hole.state.sizes)), hole.state.sizes)
        joint = Joint((rows,))
        try:
            joint.edge(whole.family, self.target)
        except DoesNotApply as why:
            refuse(rewrite.verb(), hole, why)
        told = replace(self, root=Hole(whole))._left_open(replace(hole, state=whole), joint)
        waits = (
            told._hole().state.family.ahead
            or told._hole().state.family.batch
            or not told._hole().state.family.operation.blocks
        )
        return told if waits else told._applied(told._hole(), rewrite)

    def shard(self, count: int) -> Schedule:
        """Cut the columns of a softmax into shards, which are computed apart and joined.

        Args:
            count: how many, 2 or more. Before all else at the whole arrays.

        Raises:
            NoProgramError: it does not apply here, or is no step of the declared space; the message says why.

        Example:
            >>> s = gt.schedule("softmax(f32[4,4800])", "portable").shard(4)
            >>> len(s.holes) > 1
            True
        """
        state, count = self._hole().state, integer("a number of shards", count)
        what, graph = f"shard by {count}", state.family.operation
        if not isinstance(self.root, Hole):
            refuse(what, self._hole(), "expected the whole arrays, found steps around this hole; shard before all else")
        if count < 2 or not graph.is_graph:
            refuse(what, self._hole(), f"expected two shards or more of a graph, found {count} of {graph.name}")
        whole = State(replace(state.family, operation=told(graph, state.size, count)), state.sizes)
        return replace(self, root=Hole(whole))._applied(replace(self._hole(), state=whole), Shard(count))

    # ---- what a rewrite does -----------------------------------------------------------------------------------------

    def _hole(self) -> OpenHole:
        """The hole that the next rewrite is for."""
        holes = sorted(self.holes, key=lambda hole: hole.turn)
        if not holes:
            raise DoesNotApply(_COMPLETE)
        return next((h for h in holes if h.path[: len(self.focus)] == self.focus), holes[0])

    def _applied(self, hole: OpenHole, rewrite: Rewrite) -> Schedule:
        what, state = rewrite.words(self.target), hole.state
        try:
            edge = rewrite.edge(state.family, self.target)
        except DoesNotApply as why:
            refuse(what, hole, why)
        if all(e.rewrite != rewrite for e in edges(state.family, self.target)):
            refuse(what, hole, steps_offered(state, self.target))
        self._require_room(what, hole, edge)
        return self._left_open(hole, rewrite)

    def _require_room(self, what: str, hole: OpenHole, edge: Edge) -> None:
        state, target = hole.state, self.target
        if not edge.fit(state.size):
            refuse(what, hole, edge.rewrite.misfit(state.family, target, state.size))
        crowded = (
            child
            for child in edge.carrying
            if limits.below(target, self.home, state.family, child, state.size, hole.limit) < 0
        )
        child = next(crowded, None)
        if child is None:
            return
        assert child.uses is not None
        level, lines, _ = child.uses
        name, needed = target.levels[level].name, float(lines(state.size))
        room = (
            f"{hole.left[name]:.0f} lines that are left of {name}"
            if name in hole.left
            else f"{target.capacity_lines(level):.0f} lines that one operand may take of {name}"
        )
        refuse(
            what, hole, f"expected at most the {room}, found {needed:.0f} needed; tile first, or stay at a slower level"
        )

    def _tiled(self, rewrite: Tile) -> Schedule:
        hole, what = self._hole(), rewrite.words(self.target)
        state, dim, tile = hole.state, rewrite.dim, rewrite.size
        batches = {batch.dim: batch for batch in offered("tile", state.family, self.target)}
        if tile == 1 and dim in batches:
            return self._applied(hole, batches[dim])
        if batches:
            refuse(
                what,
                hole,
                f"expected a loop over {' or '.join(batches)} by 1 before all else, for every operand moves along it;"
                f" found {dim} by {tile}",
            )
        if is_outermost(state.family, self.target):
            refuse(what, hole, steps_offered(state, self.target))
        checked(rewrite, what, hole)
        return self._left_open(hole, rewrite)

    def _shared_out(self, rewrite: Parallel) -> Schedule:
        hole, what = self._hole(), rewrite.words(self.target)
        if all(hole.state != goal.state for goal in goals_of_call(self.root) if isinstance(goal, Hole)):
            refuse(
                what,
                hole,
                "expected a parallel loop around the whole program, found rewrites around it; tile in parallel first",
            )
        checked(rewrite, what, hole)
        return replace(self._left_open(hole, rewrite), threads=rewrite.threads)

    def _left_open(self, hole: OpenHole, rewrite: Rewrite) -> Schedule:
        """With the rewrite in a hole, and a hole for each Spec that it leaves."""
        parts = tuple(Hole(part) if part else None for part in rewrite.leaves(hole.state, self.target))
        return replace(self, root=self._with(self.root, hole.path, applied(rewrite, hole.state, self.target, parts)))

    # ---- the tree ----------------------------------------------------------------------------------------------------

    def _with(self, node: Node, path: HolePath, new: Node) -> Node:
        """`node` with `new` at `path`, priced anew above it."""
        if not path:
            return new
        old = children(node)[path[0]]
        parts = tuple(self._with(part, path[1:], new) if part is old else part for part in node.rewrite.parts(node))
        return applied(around(node.rewrite, parts), node.state, self.target, parts)

    def _open(self, node: Node, path: HolePath, turn: HolePath, limit: int) -> Iterator[OpenHole]:
        """The holes under `node`, whose Spec has the memory limits of index `limit`."""
        if isinstance(node, Hole):
            state, levels = node.state, self.target.levels
            left = {levels[x].name: n for x, n in limits.left(self.target, self.home, state.family, limit).items()}
            places = tuple(
                f"{printer.name(node, i)} {o.dtype} in {place(o, levels)}" for i, o in enumerate(state.family.operands)
            )
            yield OpenHole(state, left, places, path, turn, limit)
            return
        main = main_child(node)
        for i, (part, below) in enumerate(zip(children(node), self._limits(node, limit))):
            yield from self._open(part, (*path, i), (*turn, 0 if i == main else i + 1), below)

    def _limits(self, node: Node, limit: int) -> list[int]:
        """The limit index that each child of `node` sees."""
        if isinstance(node, Loop):
            return [limit] * len(children(node))
        if not children(node):
            return []
        state = node.state
        edge = node.rewrite.edge(state.family, self.target)
        return [limits.below(self.target, self.home, state.family, child, state.size, limit) for child in edge.children]

    # ---- complete ----------------------------------------------------------------------------------------------------

    def filled(
        self, threads: int = 1, table: str | os.PathLike[str] | None = None, memory: int | str | None = None
    ) -> Program:
        """The program whose holes each hold the program of least cost: what `gt.synthesize` gives.

        Args:
            threads: of a schedule without any rewrite.
            table: as of `synthesize`.
            memory: as of `synthesize`.

        Raises:
            SpecError: the schedule is for another number of threads.
            NoProgramError: there is no program for a hole.

        Example:
            >>> gt.schedule("exp(f32[64])", "portable").tile("i0", 16).filled().cost > 0
            True
        """
        if isinstance(self.root, Hole):
            return synthesize(self.spec, self.target, threads, table, memory)
        if threads not in (1, self.threads):
            raise SpecError(
                f"expected {self.threads} thread{'s' * (self.threads > 1)}, those of the schedule, found {threads};"
                f" tile(.., parallel={threads}) outermost"
            )
        root, stats = self._solved(table, memory) if self.holes else (self.root, self.stats)
        return Program(self.spec, self.canonical, root, self.target, self.threads, stats)

    def _solved(self, table: str | os.PathLike[str] | None, memory: int | str | None) -> tuple[Node, dict[str, Any]]:
        from .search.solution import answer
        from .table import Table

        extents: dict[str, set[int]] = {}
        for hole in self.holes:
            for dim, size in (
                *hole.state.size.items(),
                *(
                    (d, n)
                    for d, sizes in of_parts(hole.state.family, hole.state.size, self.target).items()
                    for n in sizes
                ),
            ):
                extents.setdefault(dim, set()).add(size)
        ladders = {
            d: (
                few(tuple(sorted(e)))
                if is_rows(d)
                else ladder(self.canonical, d, self.target, tuple(sorted(e)), self.threads)
            )
            for d, e in extents.items()
        }
        ladders |= uncut_ladders(self.canonical.operation, {d: tuple(sorted(e)) for d, e in extents.items()})
        held = Table(self.target, self.home, ladders, open_store(table, self.target))
        goals = tuple(dict.fromkeys(hole.state.family for hole in self.holes))
        root, found = answer(held, goals, self._with_best, bounded(memory))
        return root, stats_of(found, held)

    def _with_best(self, rebuild: Rebuild) -> Node:
        """The root with the program of least cost in each hole."""
        root = self.root
        for hole in self.holes:
            try:
                node = rebuild.at(hole.state.family, hole.state.size, hole.limit)
            except NoProgramError as why:
                raise NoProgramError(
                    f"expected a program for the hole {hole}, found none; undo a move or take other tiles"
                ) from why
            root = self._with(root, hole.path, node)
        return root

    def _emitted(self, threads_by: str, denormals: str = "keep") -> Unit:
        self._require_complete()
        return super()._emitted(threads_by, denormals)

    def explain(self) -> str:
        self._require_complete()
        return super().explain()

    def to_html(self, path: str | os.PathLike[str]) -> None:
        self._require_complete()
        super().to_html(path)

    def to_picture(self, path: str | os.PathLike[str]) -> None:
        self._require_complete()
        super().to_picture(path)

    def _require_complete(self) -> None:
        if holes := self.holes:
            raise NoProgramError(
                f"expected a complete program, found {len(holes)} hole{'s' * (len(holes) > 1)}, first"
                f" {title(holes[0].state)}; griotte.synthesize(schedule) fills them"
            )


def schedule(spec: Spec | str | Sequence[Spec], target: str | Target = "native", math: str | None = None) -> Schedule:
    """A program by hand: one hole, for steps to be applied to.

    Args:
        spec: a Spec of fixed sizes, its text, or several Specs of which each is an output.
        target: as of `synthesize`.
        math: as of `synthesize`.

    Raises:
        SpecError: the Spec is none, or has a dynamic size; or `math` is another word.
        TargetError: there is no such target.

    Example:
        >>> s = gt.schedule("matmul(f32[64,48], f32[48,32])", target="portable").tile("m", 16)
        >>> gt.synthesize(s).cost > 0
        True
    """
    spec = spec_of(spec)
    if spec.dynamic:
        raise SpecError(
            f"expected fixed sizes in a schedule, found {spec}; schedule one size: spec.at({spec.dynamic.bound})"
        )
    from .runtime.leaves import resolved

    target, canonical = resolved(target, math), canonical_form(spec)
    start = problem(canonical, target)
    hole = Hole(State(start.goal, tuple(start.sizes[d] for d in canonical.operation.dims)))
    return Schedule(spec, canonical, hole, target, 1, _NO_SEARCH, start.home)


def main_child(node: Node) -> int:
    """Which of a node's children is scheduled first: a loop's whole tiles, what runs after a copy in or a fill."""
    parts = node.rewrite.parts(node)
    place = node.rewrite.spine(parts)
    return -1 if place is None else children(node).index(parts[place])
