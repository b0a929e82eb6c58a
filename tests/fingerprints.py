"""What the space does, as digests: of every family that a problem leads to its edges and loops in order, with what they
cost at some sizes.

They hold what a table's decisions rest on, whatever the text of the sources. Machines are those of machines.py, with
coefficients of their own: a digest depends neither on the CPU nor on what a machine's coefficients are by default.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.footprint import resident
from griotte.engine.rewrites import loop_features
from griotte.engine.search import limits
from griotte.engine.search.graph import FamilyNode, reach
from griotte.engine.search.problem import Problem, problem
from griotte.engine.search.space import Space
from griotte.engine.table import TILE_CODE, TILE_SPAN, digest
from griotte.engine.table.keys import target_key
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from griotte.machine.target import Target
from machines import machine

PROBLEMS = {
    "matmul_f32_memory": ("matmul(f32[2000,2048], f32[2048,3000])", "portable", 1),
    "matmul_f32_third_level": ("matmul(f32[1000,900], f32[900,1100])", "avx512", 1),
    "matmul_f32_column_major": ("matmul(f32[70,90], f32[90,110]{0,1})", "avx512", 1),
    "matmul_f32_limits_bind": ("matmul(f32[12,13], f32[13,14])", "narrow", 1),
    "matmul_f32_batch": ("matmul(f32[3,70,90], f32[3,90,110])", "avx2", 1),
    "matmul_f32_const": ("matmul(f32[70,90], const f32[90,110])", "avx2", 1),
    "matmul_f32_dynamic": ("matmul(f32[<=40,64], const f32[64,48])", "avx2", 1),
    "matmul_f32_two_threads": ("matmul(f32[200,90], f32[90,110])", "avx512", 2),
    "matmul_bf16": ("matmul(bf16[300,400], bf16[400,500]) -> f32[300,500]", "avx512", 1),
    "matmul_bf16_tiles": ("matmul(bf16[70,90], bf16[90,110]) -> f32[70,110]", "tiles", 1),
    "matmul_u8s8": ("matmul(u8[70,90], s8[90,110]) -> s16[70,110]", "avx512", 1),
    "matmul_u8s8_tiles": ("matmul(u8[70,90], s8[90,110])", "tiles", 1),
    "sum_f32_rows_two_threads": ("sum(f32[3000,5000], axis=1)", "avx2", 2),
    "sum_f32_columns": ("sum(f32[3000,5000], axis=0)", "avx512", 1),
    "max_bf16_rows": ("max(bf16[300,500], axis=1)", "portable", 1),
    "gelu_bf16_two_threads": ("gelu(bf16[3000,4000])", "avx512", 2),
    "transpose_f32": ("transpose(f32[3000,5000])", "avx2", 1),
    "conv2d_f32_blocks": (
        "conv2d(reshape(transpose(f32[1,3,11,11,16], perm=(0,1,4,2,3)) -> f32[1,3,16,11,11]) -> f32[1,48,11,11],"
        " const f32[8,48,1,1]) -> f32[1,8,11,11]",
        "avx512",
        1,
    ),
    "copy_f32_two_dynamic": ("copy(f32[<=5,6,<=5])", "portable", 1),
    "add_f32_broadcast": ("add(f32[300,33], f32[33])", "portable", 1),
}
SIZES = 5  # of each ladder
DIGITS = 1e9  # sums of floats may differ in the last bits


def priced(name: str) -> Target:
    """A machine on which every feature has a price, and no two the same."""
    found = machine(name)
    return replace(found, coefficients=tuple((feature, 1 + i / 7) for i, (feature, _) in enumerate(found.coefficients)))


def space_of(name: str) -> tuple[str, str]:
    """(key of the target, digest of what the space does) of one of PROBLEMS."""
    text, machine_name, threads = PROBLEMS[name]
    spec, target = canonical_form(parse(text)), priced(machine_name)
    return target_key(target), digest("\n".join(Fingerprint(problem(spec, target, threads), target, threads).lines()))


class Fingerprint:
    """One problem, written down."""

    def __init__(self, start: Problem, target: Target, threads: int):
        self.start, self.target, self.threads = start, target, threads
        nodes = reach(target, start.goal)
        self.nodes = sorted(nodes, key=lambda node: repr(node.family))
        self.number = {node.family: i for i, node in enumerate(self.nodes)}
        self.known: dict[tuple, str] = {}

    def lines(self):
        yield (
            f"{limits.SHARES} {TILE_CODE} {TILE_SPAN} home {self.start.home} goals"
            f" {[self.number[goal] for goal in (self.start.goal,)]}"
        )
        yield from (f"{dim}: {ladder.sizes.tolist()} {ladder.tiles}" for dim, ladder in self.start.ladders.items())
        for node in self.nodes:
            yield from self._family(node)
        yield from self._threads()

    def _family(self, node: FamilyNode):
        family, size = node.family, self._sizes(node.family.operation.dims)
        yield f"{family!r} {limits.axes(self.target, self.start.home, family)}"
        yield " ".join(self._lines(family, i, size) for i in range(len(family.operands)))
        yield from (self._edge(node, edge, size) for edge in node.edges)
        yield from (self._loop(family, tiling, size) for tiling in node.tilings)

    def _lines(self, family, i: int, size) -> str:
        parts = family.access(i), family.operands[i], size, self.target.spans, family.reduced(i)
        return self._once(("resident", *size, parts[0], parts[1], parts[4]), lambda: resident(*parts))

    def _edge(self, node: FamilyNode, edge, size) -> str:
        own = self._once(
            (*size, edge.key),
            lambda: np.where(edge.fits is None or edge.fits(size), self.target.cost(edge.features(size)), np.inf),
        )
        children = [
            (self.number[c.family], c.carries, c.ahead, None if c.times is None else numbers(c.times(size)))
            for c in edge.children
        ]
        children += [
            (i, [numbers(n) for n in c.at(size).values()]) for i, c in enumerate(edge.children) if c.sizes is not None
        ]
        return f"{edge.rewrite!r} {own} {self._used(node, edge, size)} {children}"

    def _used(self, node: FamilyNode, edge, size) -> str:
        """What is left of the level that an edge takes room of."""
        uses = next((found for child in edge.children if (found := limits.taken(child, self.start.home))), None)
        if uses is None:
            return ""
        level, used, key = uses
        left = self._once(
            ("left", *size, level, key),
            lambda: limits.step_down(self.target.capacity_lines(level), np.ravel(used(size))),
        )
        return f"{level} {left}"

    def _loop(self, family, tiling, size) -> str:
        ladder = self.start.ladders[tiling.dim]
        allowed = self._once(
            ("loops", tiling.dim, tiling.key), lambda: np.concatenate(ladder.loops(tiling.key, tiling.allowed))
        )
        tiles = ladder.tiles[len(ladder.tiles) // 2 :][:1]  # none of a dimension that is not cut
        own = [numbers(self.target.cost(loop_features(family, tiling.dim, t, self.target, size))) for t in tiles]
        return f"{tiling.dim} {tiling.key} {None if tiling.rest is None else self.number[tiling.rest]} {allowed} {own}"

    def _threads(self):
        """How the goal may be shared out."""
        if self.threads > 1:
            state = State(self.start.goal, tuple(self.start.sizes.values()))
            space = Space(self.target, self.start.home, self.start.ladders)
            for choice in (*space.parallel(state, self.threads), *space.copies(state, self.threads)):
                parts = tuple(part and (part[0], (*part[1][:2], space.free(part[1][0]))) for part in choice.parts)
                yield f"{choice.rewrite!r} {choice.own:.9g} {parts!r}"

    def _sizes(self, dims: tuple[str, ...]) -> dict[str, np.ndarray]:
        """Some sizes of each dimension, as an open mesh."""
        some = {
            d: self.start.ladders[d].sizes[np.unique(np.linspace(0, len(self.start.ladders[d]) - 1, SIZES).astype(int))]
            for d in dims
        }
        return {
            d: sizes.reshape([-1 if j == i else 1 for j in range(len(dims))])
            for i, (d, sizes) in enumerate(some.items())
        }

    def _once(self, key: tuple, make) -> str:
        if key not in self.known:
            self.known[key] = numbers(make())
        return self.known[key]


def numbers(values) -> str:
    """A digest of numbers, each to nine digits."""
    mantissa, exponent = np.frexp(np.asarray(values, np.float64))
    return digest(
        np.round(mantissa * DIGITS).tobytes() + exponent.astype(np.int64).tobytes() + repr(mantissa.shape).encode()
    )
