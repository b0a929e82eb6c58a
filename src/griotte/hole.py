"""What a partial Program leaves open, and which rewrite of it a person means."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, NoReturn

from .ir.family import Family, Operand, State
from .program import printer
from .program.nodes import Hole
from .rewrites import Ahead, DoesNotApply, Parallel, Tile, edges
from .rewrites import Move as MoveRewrite
from .rewrites import offered as offered_of
from .targets.target import Target

HolePath = tuple[int, ...]  # from the root, an index into `children` at each node


@dataclass(frozen=True)
class OpenHole:
    """A Spec that a partial Program leaves open: `state`, and `left`, the 64-byte lines left of each cache level.

    `turn` orders holes as they are scheduled: a main body before first iterations, leftovers, copies and fills. `limit`
    is `left` as the search counts it, an index of search.limits.
    """

    state: State
    left: dict[str, float]
    places: tuple[str, ...]
    path: HolePath
    turn: HolePath
    limit: int

    def __str__(self) -> str:
        left = ", ".join(f"{lines:.0f} of {name}" for name, lines in self.left.items())
        return f"{title(self.state)}: {', '.join(self.places)}; lines left: {left or 'all'}"


def arguments(move: MoveRewrite | Ahead, family: Family) -> dict:
    """The layout arguments of `Schedule.move` that mean this move of an operand of the family."""
    to, old = move.to, family.operands[move.operand]
    if to.vector is not None:
        return {"lanes": to.vector.dim}
    if (to.layout, to.dtype) == (old.layout, old.dtype):
        return {}
    found: dict[str, int | str] = (
        {"panel": to.layout.panel[1]}
        if to.layout.panel
        else {"compact": family.turned(move.operand, to.layout) or True}
    )
    found |= {"group": to.layout.group[1]} if to.layout.group else {}
    return found | ({"dtype": to.dtype} if to.dtype != old.dtype else {})


def chosen(hole: OpenHole, target: Target, operand: int | str, level: str, wanted: dict) -> MoveRewrite:
    """The move of the space that `Schedule.move` was asked for."""
    family, what = hole.state.family, f"move of {operand} to {level}"
    levels = [x.name for x in target.levels]
    i = operand_index(hole, what, operand)
    if level not in levels:
        refuse(what, hole, f"expected a level of {target.name} ({' '.join(levels)}), found {level!r}")
    old, to = family.operands[i], levels.index(level)
    offered = [move for move in offered_of("move", family, target) if (move.operand, move.to.level) == (i, to)]
    if not offered:
        return MoveRewrite(i, old.at(to))  # whose edge says why
    if to == 0 and not wanted and len(offered) == 1:
        return offered[0]
    return of_form(offered, hole, what, i, wanted, "no layout (a view)" if to else "no lanes")


def of_form(offered: list, hole: OpenHole, what: str, i: int, wanted: dict, nothing: str) -> Any:
    """The one of the offered rewrites of operand i that has the layout arguments `wanted`; `nothing` says what none
    mean."""
    family = hole.state.family
    wanted = {k: v for k, v in wanted.items() if (k, v) != ("dtype", family.operands[i].dtype)}
    if "dtype" in wanted and "panel" not in wanted:
        wanted.setdefault("compact", True)
    found = next((m for m in offered if arguments(m, family) == wanted), None)
    if found is None:
        refuse(
            what,
            hole,
            f"expected {' or '.join(_form(arguments(m, family), nothing) for m in offered)}, found"
            f" {_form(wanted, nothing)}",
        )
    return found


def operand_index(hole: OpenHole, what: str, operand: int | str) -> int:
    """The number of an operand that is named by number, or as it is printed."""
    names = [printer.name(Hole(hole.state), i) for i in range(len(hole.state.family.operands))]
    if operand not in names and (isinstance(operand, bool) or operand not in range(len(names))):
        refuse(what, hole, f"expected an operand 0..{len(names) - 1} ({' '.join(names)}), found {operand!r}")
    return names.index(operand) if operand in names else int(operand)


def between_index(hole: OpenHole, what: str, tensor: int | str) -> int:
    """The number of a tensor between nests that is named by number, or as it is printed."""
    op = hole.state.family.operation
    if not op.is_graph:
        refuse(what, hole, "expected a graph of nests, found one nest: there is nothing between")
    tensors = (*op.unplaced, *op.written.values())
    named = {op.names[t]: t for t in tensors}
    if tensor not in named and (isinstance(tensor, bool) or tensor not in tensors):
        refuse(
            what,
            hole,
            f"expected a tensor between nests ({', '.join(f'{name!r} or {t}' for name, t in named.items())}), found"
            f" {tensor!r}",
        )
    return named[tensor] if tensor in named else int(tensor)


def _form(arguments: dict, nothing: str) -> str:
    return ", ".join(f"{k}={v!r}" for k, v in arguments.items()) or nothing


def checked(rewrite: Tile | Parallel, what: str, hole: OpenHole) -> None:
    try:
        rewrite.check(hole.state.family, hole.state.size)
    except DoesNotApply as why:
        refuse(what, hole, why)


def refuse(what: str, hole: OpenHole, why: object) -> NoReturn:
    raise DoesNotApply(f"{what} does not apply to {title(hole.state)}: {why}") from None


def steps_offered(state: State, target: Target) -> str:
    """What there is in place of a rewrite that is not in the space."""
    found = dict.fromkeys(e.rewrite.verb() for e in edges(state.family, target))
    return (
        f"expected a step of the search's space ({'; '.join(found) or 'none is left but tile'}), found one outside it"
    )


def title(state: State) -> str:
    adds = " (adding)" if state.family.accumulate else ""
    return f"{state.family.operation.name} {' '.join(f'{d}={n}' for d, n in state.size.items())}{adds}"


def place(operand: Operand, levels) -> str:
    layout = "" if operand.layout.given or operand.level == 0 else f" ({operand.layout})"
    return levels[operand.level].name + layout


def placed(name: str, to: Operand) -> tuple[str, dict[str, int]]:
    """A place of a tensor between nests, as the arguments of `Schedule.bufferize` that mean it."""
    return name, {k: v[1] for k, v in (("panel", to.layout.panel), ("group", to.layout.group)) if v}


def said_of_place(name: str, layout: dict[str, int]) -> str:
    """Those arguments as a person reads them."""
    return ", ".join((name, *(f"{k}={v}" for k, v in layout.items())))


def integer(what: str, value) -> int:
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise DoesNotApply(f"expected an integer for {what}, found {value!r}")
