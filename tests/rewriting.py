"""Every rewrite of a state, as nodes over its parts: what the tests of rewrites draw from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import execute
from griotte.engine.program.nodes import Hole, Node
from griotte.engine.rewrites import (
    Adding,
    Ahead,
    Batch,
    Move,
    Parallel,
    Select,
    Tile,
    ToAccumulator,
    applied,
    can_accumulate,
    child_state,
    edge_node,
    edges,
    may_share,
    shared_grids,
    tilings,
)
from griotte.engine.search.problem import problem
from griotte.engine.search.rebuild import Rebuild, Unsolved
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.lang.calls.spec import Spec
from griotte.lang.nests.access import Access
from griotte.lang.nests.family import Family, State
from griotte.lang.text.text import parse
from griotte.lang.types.dtypes import convert, dtype, limits
from griotte.support.errors import NoProgramError

KINDS = (
    "tile",
    "split",
    "to_accumulator",
    "view",
    "copy",
    "panel",
    "group",
    "turned",
    "cast",
    "wide output",
    "registers",
    "select",
    "parallel",
    "share",
    "batch",
    "ahead",
)


@dataclass(frozen=True)
class Step:
    """One rewrite of one state: `node(parts)` is the partial Program over `states`."""

    kind: str
    states: tuple[State, ...]
    node: Callable[[tuple[Node, ...]], Node]


def steps(state: State, target, *, goal: bool = False) -> list[Step]:
    """Every rewrite that applies to `state`; loops over threads only at a `goal`."""
    found = [*_edges(state, target), *loops(state, target)]
    return found + list(_parallel(state, target)) if goal else found


def by_kind(found: list[Step]) -> dict[str, list[Step]]:
    """The steps of each kind, in order of kinds."""
    return {kind: [step for step in found if step.kind == kind] for kind in sorted({step.kind for step in found})}


def _edges(state: State, target) -> Iterator[Step]:
    for edge in edges(state.family, target):
        if edge.fits is None or bool(edge.fits(state.size)):
            states = tuple(child_state(child, state) for child in edge.children)
            yield Step(
                kind(edge.rewrite, state), states, lambda parts, edge=edge: edge_node(edge, state, target, parts)
            )


def kind(rewrite, state: State) -> str:
    match rewrite:
        case Select():
            return "select"
        case ToAccumulator():
            return "to_accumulator"
        case Batch():
            return "batch"
        case Ahead():
            return "ahead"
        case Move(operand, to):
            if state.family.turned(operand, to.layout):
                return "turned"
            return _kind_of_move(state.family.operands[operand], to, operand == len(state.family.operands) - 1)
    raise AssertionError(rewrite)


def _kind_of_move(old, to, is_output: bool) -> str:
    if to.level == 0:
        return "registers"
    if to.layout == old.layout and to.dtype == old.dtype:
        return "view"
    if is_output:
        return "wide output"
    if to.layout.group:
        return "group"
    return "cast" if to.dtype != old.dtype else "panel" if to.layout.panel else "copy"


def loops(state: State, target) -> Iterator[Step]:
    """Every serial loop of a state."""
    for tiling in tilings(state.family):
        extent = state.size[tiling.dim]
        for tile in range(1, extent):
            if tiling.allowed(extent, tile):
                yield _loop(state, target, tiling, tile)


def _loop(state: State, target, tiling, tile: int) -> Step:
    extent, dims = state.size[tiling.dim], state.family.operation.dims
    at = lambda family, n: State(family, tuple(n if d == tiling.dim else s for d, s in zip(dims, state.sizes)))
    trips, left = divmod(extent, tile)
    later = tiling.rest or state.family
    body = at(later, tile) if tiling.rest is None or trips > 1 else None
    tail = at(later, left) if left else None
    first = at(state.family, tile) if tiling.rest is not None else None
    present = [s for s in (body, tail, first) if s is not None]

    def node(parts: tuple[Node, ...]) -> Node:
        rest = iter(parts)
        body_, tail_, first_ = (None if s is None else next(rest) for s in (body, tail, first))
        return applied(Tile(tiling.dim, tile), state, target, (body_, tail_, first_))

    return Step("tile" if tiling.rest is None else "split", tuple(present), node)


def _parallel(state: State, target) -> Iterator[Step]:
    op, batch = state.family.operation, state.family.batch
    for grid in shared_grids(state.family, state.size, joins=can_accumulate(state.family)):
        for tile in (1, 2, 3, 16):
            tiles = tuple(
                (
                    1
                    if d in batch
                    else -(-state.size[d] // min(tile + 1, 3))
                    if d in op.reduction
                    else min(tile, state.size[d])
                )
                for d in grid
            )
            if all(t == state.size[d] for d, t in zip(grid, tiles)) or not all(
                may_share(state.family, d, state.size[d], t) for d, t in zip(grid, tiles)
            ):
                continue
            parallel = Parallel(grid, tiles, 3)
            parallel.check(state.family, state.size)
            parts = parallel.leaves(state)
            kind = "share" if parallel.split(op) else "parallel"
            yield Step(kind, tuple(p for p in parts if p is not None), _parallel_node(state, target, parallel, parts))


def _parallel_node(state: State, target, parallel: Parallel, states) -> Callable:
    def node(parts: tuple[Node, ...]) -> Node:
        rest = iter(parts)
        bodies = tuple(None if s is None else next(rest) for s in states)
        return applied(parallel, state, target, bodies)

    return node


def adding(goal: Family, target) -> Family:
    """The family of a graph told that loops may add to its output wherever they can."""
    graph = goal.operation
    return (
        Adding(graph.addable).edge(goal, target).children[0].family
        if not graph.is_lone and graph.addable and not graph.is_large
        else goal
    )


# ---- data ------------------------------------------------------------------------------------------------------------


def tile_arrays(state: State, rng: np.random.Generator) -> list[np.ndarray]:
    """An array per operand of the state, the output (which may be added to) with values as well. Floats are small whole
    numbers, so that every order of a sum gives the same."""
    return [
        _whole_numbers(o.dtype, access, state, rng)
        for o, access in zip(state.family.operands, state.family.operation.accesses)
    ]


def filled(state: State, rng: np.random.Generator) -> list[np.ndarray]:
    """The same of a graph, in which some operands count 0, 1, 2, .."""
    arrays = tile_arrays(state, rng)
    for i in state.family.operation.counts:
        arrays[i][...] = np.arange(arrays[i].size).reshape(arrays[i].shape)
    return arrays


def whole(text: str | Spec, target, threads: int = 1) -> State:
    """The goal of a Spec, over whole arrays."""
    start = problem(canonical_form(parse(text) if isinstance(text, str) else text), target, threads)
    return State(start.goal, tuple(start.sizes[d] for d in start.goal.operation.dims))


def without_batch(state: State, target) -> State:
    """A goal with its batch dimensions taken off."""
    while state.family.batch:
        state = child_state(edges(state.family, target)[0].children[0], state)
    return state


def made_one(text: str, target, rewrites: tuple[type, ...]) -> list[State]:
    """The states that one goal leads to by these rewrites, such as those that make nests one, itself first."""
    found = [whole(text, target)]
    for state in found:  # which grows
        parts = (
            child_state(child, state)
            for edge in edges(state.family, target)
            if isinstance(edge.rewrite, rewrites)
            for child in edge.children
        )
        found += [part for part in dict.fromkeys(parts) if part not in found]
    return found


def after_one(rewrite, state: State, target, arrays: list[np.ndarray]) -> np.ndarray:
    """The output of a state that one rewrite was applied to, its parts by the reference."""
    holes = tuple(Hole(part) for part in rewrite.leaves(state, target))
    execute(edge_node(rewrite.edge(state.family, target), state, target, holes), arrays)
    return arrays[-1]


def keeps_meaning(state: State, given: list[np.ndarray], output_of, rtol: float = 1e-4, atol: float = 1e-5) -> None:
    """What `output_of` gives for copies of these arrays of a state is what its Spec means."""
    found = output_of([a.copy() for a in given])
    execute(Hole(state), given)
    np.testing.assert_allclose(found, given[-1], rtol=rtol, atol=atol)


def _whole_numbers(name: str, access: Access, state: State, rng) -> np.ndarray:
    low, high = (-4, 4) if dtype(name).kind == "float" else limits(name)
    low, high = max(low, -1000), min(high, 1000)
    return np.asarray(convert(np.asarray(rng.integers(low, high, access.shape(state.size), endpoint=True)), name))


# ---- whole programs --------------------------------------------------------------------------------------------------


class Programs:
    """Programs of a Spec drawn at random from the space, good and bad alike: random rewrites down to a depth, each part
    below that the search's best."""

    def __init__(self, spec: Spec, target):
        self.target, self.start = target, problem(canonical_form(spec), target, threads=3)
        table = Table(target, self.start.home, self.start.ladders)
        Solver(table, workers=1).solve(self.start.goal)
        self.rebuild = Rebuild(table)
        self.goal = State(self.start.goal, tuple(self.start.sizes[d] for d in self.start.goal.operation.dims))
        self._best, self._steps = (
            cache(self._rebuilt),
            cache(lambda state, is_goal: by_kind(steps(state, target, goal=is_goal))),
        )  # a deep draw meets the same states again and again

    def draw(self, rng: np.random.Generator, depth: int) -> Node:
        node = self._grown(self.goal, rng, depth, True)
        return self._best(self.goal) if node is None else node

    def _rebuilt(self, state: State) -> Node | None:
        try:
            return self.rebuild.best(state.family, state.size)
        except (NoProgramError, Unsolved):  # no program, or a size off the ladder
            return None

    def _grown(self, state: State, rng, depth: int, is_goal: bool = False) -> Node | None:
        if depth == 0:
            return self._best(state)
        possible = self._steps(state, is_goal)
        kinds = list(possible)
        for _ in range(4):  # a step may lead where no program is
            if not kinds:
                break
            chosen = kinds[rng.integers(len(kinds))]
            step = possible[chosen][rng.integers(len(possible[chosen]))]
            parts = []
            for child in step.states:
                parts.append(self._grown(child, rng, depth - 1, is_goal and step.kind == "ahead"))
                if parts[-1] is None:
                    break
            else:
                return step.node(tuple(parts))
        return self._best(state)
