"""What a hand schedule leaves open, and how a person names an operand, a tensor, a level or a layout there.

A step is a function of an open hole, and of arguments as a person gives them, that says which rewrite they mean. It
stands in the file of that rewrite; `Schedule` has a method of its name, with its arguments and its help.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn

from ...lang.nests.family import Family, Operand, State
from ..program import printer
from ..program.nodes import Hole
from .edge import DoesNotApply, Edge, Rewrite

HolePath = tuple[int, ...]  # from the root, an index into `children` at each node
# what a step means: a rewrite, or several, each of what the one before leaves; a State is the whole problem, told more
Taken = Rewrite | tuple[State | Rewrite, ...]


@dataclass(frozen=True)
class OpenHole:
    """A Spec that a partial Program leaves open: `state`, and `left`, the 64-byte lines left of each cache level.

    `turn` orders holes as they are scheduled: a main body before first iterations, leftovers, copies and fills. `limit`
    is `left` as the search counts it, an index of search.limits. `is_goal` says that threads may share it out, `space`
    what edges leave a family.
    """

    state: State
    left: dict[str, float]
    path: HolePath
    turn: HolePath
    limit: int
    is_goal: bool
    target: Any = field(repr=False, compare=False)
    space: Callable[[Family, Any], list[Edge]] = field(repr=False, compare=False)

    def __str__(self) -> str:
        left = ", ".join(f"{lines:.0f} of {name}" for name, lines in self.left.items())
        places = (f"{name} {o.dtype} in {self._place(o)}" for name, o in zip(self.names, self.family.operands))
        return f"{title(self.state)}: {', '.join(places)}; lines left: {left or 'all'}"

    @property
    def family(self) -> Family:
        return self.state.family

    @property
    def size(self) -> dict[str, int]:
        return self.state.size

    @cached_property
    def names(self) -> list[str]:
        """The operands' names, as they are printed."""
        return [printer.name(Hole(self.state), i) for i in range(len(self.family.operands))]

    @property
    def is_all(self) -> bool:
        """Whether no step was taken yet."""
        return not self.path

    @property
    def levels(self) -> list[str]:
        return [level.name for level in self.target.levels]

    @cached_property
    def edges(self) -> list[Edge]:
        """The edges of the space that leave it."""
        return self.space(self.family, self.target)

    @property
    def is_outermost(self) -> bool:
        """Whether nothing leaves it but what stands above a program's first choice: it has no loops of its own yet."""
        return bool(self.edges) and all(edge.rewrite.outer for edge in self.edges)

    def steps_offered(self) -> str:
        """What there is in place of a rewrite that is not in the space."""
        found = "; ".join(dict.fromkeys(edge.rewrite.verb() for edge in self.edges))
        return f"expected a step of the search's space ({found or 'none is left but tile'}), found one outside it"

    def refuse(self, what: str, why: object) -> NoReturn:
        raise DoesNotApply(f"{what} does not apply to {title(self.state)}: {why}") from None

    def leave(self, what: str, rewrite: Rewrite) -> State:
        """The Spec that a rewrite of one part leaves of it; refused, as `what`, where it does not apply."""
        try:
            (left,) = rewrite.leaves(self.state, self.target)
        except DoesNotApply as why:
            self.refuse(what, why)
        return left

    def operand(self, what: str, named: int | str) -> int:
        """The number of an operand that is named by number, or as it is printed."""
        names = self.names
        if named not in names and (isinstance(named, bool) or named not in range(len(names))):
            self.refuse(what, f"expected an operand 0..{len(names) - 1} ({' '.join(names)}), found {named!r}")
        return names.index(named) if named in names else int(named)

    def tensor(self, what: str, named: int | str) -> int:
        """The number of a tensor between nests that is named by number, or as it is printed."""
        graph = self.family.operation
        tensors = (*graph.unplaced, *graph.written.values())
        if not tensors:
            self.refuse(what, "expected a graph of nests, found one nest: there is nothing between")
        names = {graph.names[t]: t for t in tensors}
        if named not in names and (isinstance(named, bool) or named not in tensors):
            there = ", ".join(f"{name!r} or {t}" for name, t in names.items())
            self.refuse(what, f"expected a tensor between nests ({there}), found {named!r}")
        return names[named] if named in names else int(named)

    def level(self, what: str, named: str) -> int:
        """The number of a level of the target."""
        if named not in self.levels:
            self.refuse(what, f"expected a level of {self.target.name} ({' '.join(self.levels)}), found {named!r}")
        return self.levels.index(named)

    def of_form(self, what: str, offered: list, wanted: dict, nothing: str) -> Any:
        """The one of the offered moves of an operand that has the layout arguments `wanted`; `nothing` says what none
        mean."""
        own = self.family.operands[offered[0].operand].dtype
        wanted = {k: v for k, v in wanted.items() if (k, v) != ("dtype", own)}
        if "dtype" in wanted and "panel" not in wanted:
            wanted.setdefault("compact", True)
        found = next((move for move in offered if arguments(move, self.family) == wanted), None)
        if found is None:
            forms = " or ".join(_form(arguments(move, self.family), nothing) for move in offered)
            self.refuse(what, f"expected {forms}, found {_form(wanted, nothing)}")
        return found

    def _place(self, operand: Operand) -> str:
        layout = "" if operand.layout.given or operand.level == 0 else f" ({operand.layout})"
        return self.levels[operand.level] + layout


def given(**arguments: Any) -> dict[str, Any]:
    """The arguments that a person gave."""
    return {k: v for k, v in arguments.items() if v is not None and v is not False}


def arguments(move: Any, family: Family) -> dict[str, Any]:
    """The layout arguments of `Schedule.move` that mean this Move, or Ahead, of an operand of the family."""
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


def integer(what: str, value: Any) -> int:
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise DoesNotApply(f"expected an integer for {what}, found {value!r}")


def title(state: State) -> str:
    adds = " (adding)" if state.family.accumulate else ""
    return f"{state.family.operation.name} {' '.join(f'{d}={n}' for d, n in state.size.items())}{adds}"


def _form(arguments: dict, nothing: str) -> str:
    return ", ".join(f"{k}={v!r}" for k, v in arguments.items()) or nothing
