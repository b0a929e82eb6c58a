"""A program walked once: what its parts count, each as often as it runs.

    sums(node) = what the node itself counts + sum over its parts of times * sums(part)

which is how its price is made, and `times` are those of the price: over threads, the largest share of one. So cycles
add up to the price, and means over a program's leaves are sums of a leaf's number times its cycles, over all cycles.
What the text of a program has (buffers, copies, loops) is counted once for each place, without leftovers.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...lang.nests.family import Family, State
from ...lang.nests.pending import OneLeaf
from ...lang.types.dtypes import dtype
from ...machine.instructions import Kernel
from ...machine.target import Target
from ..leaves import forms
from ..leaves.reduce.serve import accumulator_vectors
from ..program.nodes import Alias, KernelCall, Loop, MaybeNode, Move, Node, Pipeline, Rounds, children

TERMS = (
    "cycles map pack registers call loop fork seam handover pages line stream store result late run start strip panel"
    " piece crowded aliased nontemporal"
).split()
"""What the price counts (docs/explanation/cost.md), all levels of it as one."""
ALIKE = {"abreast": "start", "turned": "pack"}
"""Terms that only machines measured since have, and the one that models know them as."""
LEVELS = ("L1", "L2", "L3", "memory")
FORMS = [form.name for form in forms.FORMS]
OF_LEAVES = (
    "rows vectors filled steps held chains along grouped pieces given panels split aliased wide".split()
    + [f"input {level}" for level in LEVELS]
    + [f"output {level}" for level in LEVELS]
)
"""Columns of leaves: a number of each, times its cycles."""
STATIC = (
    ["loops", "leaves", "views", "aliases", "rounds", "ahead", "shared"]
    + [f"copy {level}" for level in LEVELS]
    + [f"buffer {level}" for level in LEVELS]
    + [f"room {level}" for level in LEVELS]
    + [f"viewed {level}" for level in LEVELS]
)
"""Columns of the text: a number of places; bytes that are put into buffers (`room`) and viewed."""
SLOTS = (
    [f"count {term}" for term in TERMS]
    + [f"cycles {term}" for term in TERMS]
    + [f"cycles at {level}" for level in LEVELS]
    + [f"lines read {level}" for level in LEVELS]
    + [f"lines written {level}" for level in LEVELS]
    + [f"bytes read {level}" for level in LEVELS]
    + [f"bytes written {level}" for level in LEVELS]
    + [f"form {form}" for form in FORMS]
    + ["leaf", "points", "leftover", "copied", "stretches"]
    + [f"leaf {name}" for name in OF_LEAVES]
)
AT = {name: i for i, name in enumerate([*SLOTS, *STATIC])}
_FIRST_STATIC = len(SLOTS)
_WRITTEN = {"store", "result", "nontemporal", "late", "seam"}
_LINES = {"line", "stream", "store", "result", "nontemporal"}
_STRETCHES = {"run", "start", "strip"}

Sums = NDArray[np.float64]


class Walk:
    """The sums of programs of a target; what several of them share is counted once."""

    def __init__(self, target: Target):
        self.target = target
        self._sums: dict[int, tuple[Node, Sums]] = {}
        self._own: dict[tuple, tuple[list[tuple[int, float]], tuple[int, ...]]] = {}
        self._slots: dict[str, tuple[float, tuple[int, ...]]] = {}
        self._bytes: dict[str, float] = {}

    @cached_property
    def _kernels(self) -> Mapping[str, Kernel]:
        return {kernel.name: kernel for kernel in self.target.kernels}

    def sums(self, node: Node) -> Sums:
        """[AT], float64."""
        found = self._sums.get(id(node))
        if found is None:
            found = self._sums[id(node)] = node, self._made(node)  # with the node, so that no other has its id
        return found[1]

    def level(self, number: int) -> int:
        """Which of LEVELS a level of the target is, by its place: the slowest is memory."""
        return len(LEVELS) - 1 if number >= len(self.target.levels) - 1 else min(number, len(LEVELS) - 1) - 1

    def _made(self, node: Node) -> Sums:
        if node.rewrite is None:  # by size: the largest
            return self.sums(children(node)[-1])
        own, times = self.terms(node)
        found = np.zeros(len(AT))
        for slot, value in own:
            found[slot] += value
        parts = node.rewrite.parts(node)
        leftovers = _leftovers(node)
        for n, part in zip(times, parts):
            if part is None:
                continue
            sums = self.sums(part)
            found[:_FIRST_STATIC] += n * sums[:_FIRST_STATIC]
            if not any(part is each for each in leftovers):
                found[_FIRST_STATIC:] += sums[_FIRST_STATIC:]
            elif n and part.cost:
                found[AT["leftover"]] += n * (part.cost - sums[AT["leftover"]])
        self._text(node, found)
        return found

    def terms(self, node: Node) -> tuple[list[tuple[int, float]], tuple[int, ...]]:
        """What a node itself counts, by slot, and how often each of its parts runs."""
        key = node.rewrite, node.state
        found = self._own.get(key)
        if found is None:
            features, times = node.rewrite.terms(node.state, self.target)
            own = self._priced(features)
            if isinstance(node, KernelCall):
                own += self._leaf(node, sum(float(n) * self._slot(name)[0] for name, n in features.items()))
            found = self._own[key] = own, times
        return found

    def _priced(self, features: Mapping[str, float]) -> list[tuple[int, float]]:
        own: list[tuple[int, float]] = []
        for name, count in features.items():
            count = float(count)
            if count:
                price, (of_count, of_cycles, *more) = self._slot(name)
                own += [(of_count, count), (of_cycles, price * count)]
                if more:
                    own.append((more[0], price * count))
                    own += [(slot, count) for slot in more[1:]]
        return own

    def _slot(self, name: str) -> tuple[float, tuple[int, ...]]:
        """The price of a feature, and the slots of its count, its cycles, of its level's cycles and lines."""
        if name not in self._slots:
            term, _, level = name.partition(".")
            term = ALIKE.get(term, term)
            slots = [AT[f"count {term}"], AT[f"cycles {term}"]]
            if level:
                at = LEVELS[self.level(self._number(level))]
                slots.append(AT[f"cycles at {at}"])
                if term in _LINES:
                    slots.append(AT[f"lines {'written' if term in _WRITTEN else 'read'} {at}"])
                if term in _STRETCHES:
                    slots.append(AT["stretches"])
            self._slots[name] = self.target.coefficient[name], tuple(slots)
        return self._slots[name]

    def _number(self, level: str) -> int:
        return next(i for i, each in enumerate(self.target.levels) if each.name == level)

    # ---- leaves ------------------------------------------------------------------------------------------------------

    def _leaf(self, node: KernelCall, cycles: float) -> list[tuple[int, float]]:
        """What a leaf of so many cycles counts beside its price."""
        state, kernel = node.state, self._kernels[node.kernel]
        family, size, op = state.family, state.size, state.family.nest
        points = float(op.times(size))
        own = [(AT["leaf"], cycles), (AT["points"], points), (AT[f"form {kernel.form}"], cycles)]
        last = len(family.operands) - 1
        for i, operand in enumerate(family.operands):
            if operand.level > 0:
                moved = self._moved(family, i, size)
                at = LEVELS[self.level(operand.level)]
                own.append((AT[f"bytes {'written' if i == last else 'read'} {at}"], moved))
        of_leaf = _lying(family, self.level) | self._tile(node, kernel, state)
        own += [(AT[f"leaf {name}"], cycles * value) for name, value in of_leaf.items() if value]
        return own

    def _moved(self, family: Family, i: int, size: Mapping[str, int]) -> float:
        """Bytes of an operand that a leaf touches."""
        elements = 1
        for axis in family.access(i).shape(size):
            elements *= int(axis)
        name = family.operands[i].dtype
        if name not in self._bytes:
            self._bytes[name] = float(dtype(name).bytes)
        return elements * self._bytes[name]

    def _tile(self, node: KernelCall, kernel: Kernel, state: State) -> dict[str, float]:
        """The tile of registers: rows and vectors of results, how full these are, steps of the reduction."""
        family, size, op = state.family, state.size, state.family.nest
        if OneLeaf.of(family.operation):
            return {}
        lane, vector = node.lane, family.output.vector
        lanes = vector.lanes if vector is not None else self.target.lanes(family.accumulator)
        extent = size.get(lane, 1)
        rows = steps = 1
        for d in op.dims:
            if d in op.results:
                rows *= size[d] if d != lane else 1
            elif d not in op.picked:
                steps *= size[d]
        vectors = -(-extent // lanes)
        found = {
            "rows": np.log2(rows),
            "vectors": np.log2(vectors),
            "filled": extent / (vectors * lanes),
            "steps": np.log2(steps),
            "along": float(lane in op.reduction),
            "grouped": float(kernel.group > 1),
        }
        if vector is not None:
            held = float(accumulator_vectors(op, vector, size))
            found["held"] = held / self.target.registers
            found["chains"] = np.log2(max(1.0, held))
        return found

    # ---- what the text has -------------------------------------------------------------------------------------------

    def _text(self, node: Node, found: Sums) -> None:
        match node:
            case Loop():
                found[AT["loops"]] += 1
            case KernelCall():
                found[AT["leaves"]] += 1
            case Alias():
                found[AT["aliases"]] += 1
            case Rounds():
                found[AT["rounds"]] += 1
            case Pipeline():
                at = LEVELS[self.level(node.to.level)] if node.to.level else LEVELS[0]
                found[AT[f"buffer {at}"]] += 1
                room = float(np.prod(node.access.shape(node.state.size), dtype=float)) * dtype(node.to.dtype).bytes
                found[AT[f"room {at}"]] += room
            case Move():
                self._moves(node, found)

    def _moves(self, node: Move, found: Sums) -> None:
        found[AT["ahead"]] += node.ahead
        if node.to.level == 0:
            return
        at = LEVELS[self.level(node.to.level)]
        if node.copy is None:
            found[AT["views"]] += not node.ahead
            found[AT[f"viewed {at}"]] += self._moved(node.state.family, node.operand, node.state.size)
            return
        found[AT[f"copy {at}"]] += 1
        found[AT["shared"]] += node.shared
        if not node.ahead:
            found[AT["copied"]] += node.copy.cost - self.sums(node.copy)[AT["copied"]]


def _leftovers(node: Node) -> tuple[MaybeNode, ...]:
    """The parts of a node that are what a loop leaves over."""
    return node.bodies[1:] if isinstance(node, Loop) else ()


def _lying(family: Family, level) -> dict[str, float]:
    """How the operands of a leaf lie: where the slowest input is, and the output. Whether an input is in panels, or in
    rows as given; whether some such rows begin within a line, or share sets."""
    inputs, output = family.operands[:-1], family.output
    found: dict[str, float] = {}
    if slowest := max((operand.level for operand in inputs), default=0):
        found[f"input {LEVELS[level(slowest)]}"] = 1.0
    if output.level:
        found[f"output {LEVELS[level(output.level)]}"] = 1.0
    layouts = [operand.layout for operand in inputs if operand.level]
    rows = [layout for layout in layouts if layout.given and len(layout.order) > 1]
    return found | {
        "panels": float(any(layout.panel is not None for layout in layouts)),
        "given": float(bool(rows)),
        "split": float(any(layout.split for layout in rows)),
        "aliased": float(any(layout.alias >= 1024 for layout in rows)),
        "wide": float(any(layout.panel is not None and layout.panel[1] > 32 for layout in layouts)),
        "pieces": float(output.layout.given and output.layout.split),
    }
