"""Pairs: a row's maximum and the sum of its exponentials less that, by one reading.

Each lane has a maximum so far, and a sum of exponentials less a whole power of two near that of it, with which the
pairs of the next vectors are aligned. A row whose maximum is large, or no number, which pairs would lose digits of, is
done again by a reading for each: as the graph says.
"""

from __future__ import annotations

from ...lang.functions.kit import Kit
from ...lang.nests.family import Family, ceil_div
from ...lang.nests.graph import Graph
from ...lang.nests.pending import OneLeaf
from ...machine.target import Target
from ..cost.ports import bound, computed
from ..program.nodes import KernelCall
from ..program.view import View
from ..vectors.library import VectorLibrary
from ..vectors.pairs import PAIRS_HIGH, PAIRS_LOW
from ..vectors.text import braced, for_loop, indent, plus
from .conditions import Condition, no_border, no_index, of_one, to_memory, unit_step
from .form import LeafCode, LeafForm, Price, Serving
from .reduce.serve import LEAST_RUN

TOGETHER = 4  # vectors that are aligned with the sum so far at once


def computes(kernel, op: Graph, accumulator: str) -> bool:
    """It serves operations that are computed together as one, and nothing else."""
    return OneLeaf.of(op)


def lanes(kernel, family: Family) -> list[str]:
    """The dimension that it runs along."""
    return [family.operation.nests[0].operation.reduction[0]]


def refuses(kernel, lane: str, family: Family, target) -> str:
    """Why the kernel cannot serve the family at any size; empty when it can."""
    x = family.operands[0]
    if x.dtype == "f32" and x.layout.panel is None and unit_step(family, 0, lane):
        return ""
    return f"{kernel.name} expects rows of f32 along {lane}"


def conditions(kernel, lane: str, family: Family, target, size) -> list[Condition]:
    """A single row."""
    return of_one([d for d in family.operation.dims if d != lane], size, f"{kernel.name} runs along {lane} alone")


def opens(kernel, lane: str, family: Family, dim: str) -> bool:
    """Whether the C of the leaf may be of any length along a dimension: that of its row."""
    return dim == lane


EACH = (
    "relu",
    "exp",
    "sub",
    "relu",
    "add",
    "relu",
    # of a vector: a bound, its pair, how far its exponent is from that of the sum, which is bounded, the sum; the
    # maximum
)
# of the sum, once for some vectors: the exponent of the maximum, how far it moved, what that is worth
ALIGNED = ("relu", "mul", "sub", "relu", "mul")


def cycles(kernel, lane: str, family: Family, target, size):
    """A row, some vectors at a time. At its end the lanes are joined, twice, and the joined values are aligned, and
    divided by a pair: as many operations, one after the other, as a vector has twice."""
    each, aligned = (computed(target, names, family.accumulator) for names in (EACH, ALIGNED))
    vectors = ceil_div(size[lane], target.lanes(family.accumulator))
    turns = ceil_div(vectors, TOGETHER)
    row = bound(
        target,
        vectors * each.all + turns * aligned.all,
        vectors,
        0,
        others=turns * target.handling.looped,
        multiplying=vectors * each.multiplying + turns * aligned.multiplying,
    )
    return row + 2 * target.handling.summed / target.ports.shuffle + kernel.latency * len(EACH) * 2


class PairsLeaf(LeafCode):
    def __init__(self, call: KernelCall, views: list[View], target: Target, library: VectorLibrary):
        self.length, self.views, self.is_open = call.state.size[call.lane], views, call.open is not None
        self.lanes = target.lanes("f32")
        self.kit = Kit(library, "f32", self.lanes)

    def statements(self) -> list[str]:
        kit = self.kit
        begin = (
            f"{kit.V} high = ({kit.V}){{0}} - __builtin_inff(), sum = {{0}}, top = {kit('exponent')}(({kit.V}){{0}} +"
            f" {kit.literal(PAIRS_LOW)});"
        )
        return [begin, *(self._open() if self.is_open else self._counted()), *self._joined()]

    def _open(self) -> list[str]:
        """The length is the function's argument `size`: the leftover of a turn goes vector by vector."""
        turn, at = TOGETHER * self.lanes, ("i", 1)
        return [
            f"const int64_t whole = size - size % {turn};",
            *self._whole("whole", self.length, turn),
            *for_loop(
                "i",
                "size",
                [
                    f"const int left = (int)(size - i < {self.lanes} ? size - i : {self.lanes});",
                    *self._turn([self._part(at, "left")]),
                ],
                step=self.lanes,
                start="whole",
            ),
        ]

    def _counted(self) -> list[str]:
        turn, lines = TOGETHER * self.lanes, []
        whole = self.length - self.length % turn
        if whole:
            lines += self._whole(whole, whole, turn)
        if whole < self.length:
            count, left = divmod(self.length - whole, self.lanes)
            lines += braced(
                self._turn(
                    [
                        *(self._load(whole, j) for j in range(count)),
                        *[self._part(whole + count * self.lanes, left)] * (left > 0),
                    ]
                )
            )
        return lines

    def _whole(self, end: int | str, most: int, turn: int) -> list[str]:
        """Whole turns up to `end`, at most `most`; after a run of them the sum goes on to another, which is aligned
        with it."""
        body, span = indent(self._turn([self._load(("i", 1), j) for j in range(TOGETHER)])), LEAST_RUN * turn
        if most <= span:
            return [f"for (int64_t i = 0; i < {end}; i += {turn}) {{", *body, "}"]
        kit = self.kit
        return [
            f"{kit.V} all = {{0}}, at_all = top;",
            f"for (int64_t begin = 0; begin < {end}; begin += {span}) {{",
            f"    const int64_t stop = begin + {span} < {end} ? begin + {span} : {end};",
            f"    for (int64_t i = begin; i < stop; i += {turn}) {{",
            *indent(body),
            "    }",
            f"    all = {kit('aligned')}(all, at_all, top) + sum;",
            f"    at_all = top; sum = ({kit.V}){{0}};",
            "}",
            "sum = all;",
        ]

    def _load(self, at, j: int) -> str:
        """Vector j from `at` on, a number or a (name, factor) term."""
        return f"{self.kit('load')}({plus(self.views[0].name, at, j * self.lanes)})"

    def _part(self, at, count: int | str) -> str:
        """The first `count` lanes, a number or in C, the others -inf."""
        kit = self.kit
        real = f"({kit.S})(({kit.S}){{{', '.join(map(str, range(self.lanes)))}}} < {count})"
        return (
            f"{kit('blend')}({real}, {kit('load_tail')}({plus(self.views[0].name, at)}, {count}), ({kit.V}){{0}} -"
            " __builtin_inff())"
        )

    def _turn(self, vectors: list[str]) -> list[str]:
        """Vectors that are aligned with the sum at once."""
        kit, each = self.kit, range(len(vectors))
        at_least, exp_at = kit("at_least"), kit("exp_at")
        return [
            (
                f"const {kit.V} {', '.join(f'x{j} = {vector}' for j, vector in enumerate(vectors))}, low ="
                f" ({kit.V}){{0}} + {kit.literal(PAIRS_LOW)};"
            ),
            f"high = {at_least}({self._largest([f'x{j}' for j in each])}, high);",
            f"const {kit.V} next = {kit('exponent')}({at_least}(high, low));",
            (
                f"sum = {kit('aligned')}(sum, top, next) +"
                f" ({self._summed([f'{exp_at}({at_least}(x{j}, low), next)' for j in each])});"
            ),
            "top = next;",
        ]

    def _largest(self, names: list[str]) -> str:
        while len(names) > 1:
            pairs = [f"{self.kit('at_least')}({', '.join(names[i : i + 2])})" for i in range(0, len(names) - 1, 2)]
            names = [*pairs, *names[len(names) // 2 * 2 :]]
        return names[0]

    @staticmethod
    def _summed(terms: list[str]) -> str:
        return " + ".join(f"({' + '.join(terms[i : i + 2])})" for i in range(0, len(terms), 2))

    def _joined(self) -> list[str]:
        """The results of all lanes. The sum is divided by exp(high), as a pair as well."""
        kit, high, total = self.kit, self.views[1].name, self.views[2].name
        size = f"__builtin_fabsf(highest) <= {kit.literal(PAIRS_HIGH)}"
        return [
            f"{kit.T} highest = {kit('reduce_maximum')}(high);",
            f"const {kit.V} at = ({kit.V}){{0}} + highest, to = {kit('exponent')}(at);",
            f"{kit.T} total = {kit('reduce_add')}({kit('aligned')}(sum, top, to)) / {kit('exp_at')}(at, to)[0];",
            (
                f"if (__builtin_expect(!({size} && total == total), 0)) total ="
                f" {kit('exp_total')}({self.views[0].name}, {'size' if self.is_open else self.length}, &highest);"
            ),
            f"*{high} = highest;",
            f"*{total} = total;",
        ]


PAIRS = LeafForm(
    "pairs",
    Serving(lanes, (no_index, no_border, to_memory), refuses, conditions, opens, computes),
    Price("map", cycles),
    PairsLeaf,
)
