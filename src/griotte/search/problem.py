"""From a canonical Spec and a target to the search's starting point: the goal family, its home level, its ladders."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..rewrites import PARTS, batch_dims, can_accumulate, join_state, places
from ..spec.family import LINE, Family, Operand, State, given_layout
from ..spec.spec import Spec
from .ladder import Ladder


@dataclass(frozen=True)
class Problem:
    """What `Solver` needs: `home` is the level where operands rest, the fastest that holds all of them."""

    goal: Family
    sizes: dict[str, int]
    home: int
    ladders: dict[str, Ladder]

    @property
    def goals(self) -> tuple[Family, ...]:
        """All that is to be solved: the goal and, where threads may share its reductions, the join of their parts."""
        if PARTS not in self.ladders or not can_accumulate(self.goal):
            return (self.goal,)
        return self.goal, join_state(State(self.goal, tuple(self.sizes.values())), 2).family


def problem(spec: Spec, target, threads: int = 1) -> Problem:
    """Start the search for a canonical Spec. `threads` adds each thread's even share of a dimension to its ladder."""
    home = target.home(sum(t.bytes for t in spec.tensors) / LINE)
    operands = tuple(Operand(t.dtype, home, given_layout(t, home == len(target.levels) - 1)) for t in spec.tensors)
    goal = Family(spec.operation, False, operands, spec.accumulator)
    goal = replace(goal, batch=batch_dims(goal, spec.size, target.lanes(spec.accumulator)), ahead=_ahead(spec, goal, target))
    ladders = {d: ladder(spec, d, target, _extents(spec, d, threads), threads) for d in spec.operation.dims}
    if threads > 1 and spec.operation.combine and spec.dynamic is None:
        ladders[PARTS] = Ladder(tuple(range(2, threads + 1)))
    return Problem(goal, spec.size, home, ladders)


def _whole_panels(spec: Spec, dim: str, share: int, target) -> int:
    """A thread's share of a dimension, in whole panels (the widest there are) where a constant may be packed along it."""
    widest = max(target.panel_vectors, default=0) * target.lanes(spec.accumulator)
    packs = widest and spec.operation.combine and any(t.constant and dim in access.dims for t, access in zip(spec.inputs, spec.operation.inputs))
    return -(-share // widest) * widest if packs else share


def _ahead(spec: Spec, goal: Family, target) -> tuple[int, ...]:
    """Constants that may be packed ahead of the call. One of a dynamic size is not: its size is not known by then."""
    fixed = [spec.dynamic is None or spec.dynamic.dim not in access.dims for access in spec.operation.inputs]
    return tuple(i for i, t in enumerate(spec.inputs) if t.constant and fixed[i] and places(goal, i, target))


def _extents(spec: Spec, dim: str, threads: int) -> tuple[int, ...]:
    """Sizes of `dim` that are asked for: where it is dynamic, all of them and each thread's even share of each."""
    if spec.dynamic is None or spec.dynamic.dim != dim:
        return (spec.size[dim],)
    shares = {n: -(-n // threads) for n in spec.dynamic.extents}
    return tuple(sorted({part for n, share in shares.items() for part in (n, share, n % share)} - {0}))


def ladder(spec: Spec, dim: str, target, extents: tuple[int, ...], threads: int = 1) -> Ladder:
    """The ladder of a dimension of the canonical `spec` for parts of it of these extents."""
    extra = set(target.tile_sizes)
    if spec.operation.combine:
        extra |= {v * target.lanes(spec.accumulator) for v in target.panel_vectors}
    if threads > 1 and dim in spec.operation.dims:
        share = -(-spec.size[dim] // threads)
        extra |= {share, _whole_panels(spec, dim, share, target)}
    return Ladder(extents, tuple(sorted(extra)))
