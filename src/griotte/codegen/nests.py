"""Small loop nests around one leaf each, in C: some tiles of registers down rows that share the operand along the
lanes, as the innermost loops of a product do.

The rewrites that make programs make them, and the same emitter writes them: their measurements (calibrate.leaves) hold
for the leaves of programs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from ..engine.canonical.canonical import canonical_form
from ..engine.leaves.forms import fits, refuses, serves
from ..engine.leaves.reduce.measured import PANEL, SPLIT, name
from ..engine.program.nodes import Node
from ..engine.program.view import View, packed_view
from ..engine.rewrites import Move, Select, Tile, applied
from ..engine.vectors.library import VectorLibrary
from ..engine.vectors.text import braced
from ..lang.constructors.operations import matmul
from ..lang.nests.family import LINE, Family, Layout, Operand, State, Vector
from ..lang.types.tensor import tensor
from ..machine.instructions import Kernel
from ..machine.target import Target
from .writers import emitter_for

APART = 7
"""Elements beyond a tile's row, where rows are to begin anywhere within a line."""


@dataclass(frozen=True)
class LeafNest:
    """`tiles` tiles of registers of `rows` by `vectors`, one below the other, each of `steps` steps of a kernel; the
    input along the lanes `lies` as leaves.reduce.measured has it."""

    kernel: Kernel
    inputs: tuple[str, str]
    accumulator: str
    lies: str
    rows: int
    vectors: int
    steps: int
    tiles: int = 3

    @property
    def form(self) -> str:
        return name(self.kernel, (*self.inputs, self.accumulator), self.lies)

    def size(self, target: Target) -> dict[str, int]:
        """Elements by dimension of the whole nest."""
        return {
            "m": self.tiles * self.rows,
            "n": self.vectors * target.lanes(self.accumulator),
            "k": self.steps * self.kernel.group,
        }

    def family(self, target: Target) -> Family:
        """The product, its arrays in L1."""
        m, n, k = self.size(target).values()
        spec = canonical_form(matmul(tensor((m, k), self.inputs[0]), tensor((k, n), self.inputs[1]), self.accumulator))
        group = (0, self.kernel.group) if self.kernel.group > 1 else None
        along = (
            Layout((1, 0), panel=(1, n), group=group)
            if self.lies == PANEL
            else Layout((1, 0), given=True, split=self.lies == SPLIT)
        )
        rows = Layout((1, 0), given=True)
        operands = (
            Operand(self.inputs[0], 1, rows),
            Operand(self.inputs[1], 1, along),
            Operand(self.accumulator, 1, rows),
        )
        return Family(spec.operation, False, operands, self.accumulator)

    def leaf(self, target: Target) -> tuple[Family, dict[str, int]]:
        """The family of the leaf, its output in registers, and its sizes."""
        family = self.family(target)
        return family.with_operand(2, _registers(family, target)), self.size(target) | {"m": self.rows}

    def program(self, target: Target) -> Node:
        family = self.family(target)
        whole, tile = (
            State(family, tuple((self.size(target) | {"m": m}).values())) for m in (self.tiles * self.rows, self.rows)
        )
        move = Move(2, _registers(family, target))
        call = applied(Select(self.kernel.name, "n"), State(family.with_operand(2, move.to), tile.sizes), target, ())
        return applied(Tile("m", self.rows), whole, target, (applied(move, tile, target, (call,)), None, None))

    def views(self, target: Target) -> list[View]:
        """Its arrays, one after the other: `x0`, `x1`, `y`."""
        family, size = self.family(target), self.size(target)
        found = [
            packed_view(name, operand, family.access(i), family.access(i).shape(size))[0]
            for i, (name, operand) in enumerate(zip(("x0", "x1", "y"), family.operands))
        ]
        return [replace(view, strides=(view.strides[0] + APART, 1)) if view.layout.split else view for view in found]

    def fits(self, target: Target) -> bool:
        """Whether the kernel takes such inputs, and its registers such a tile."""
        family, size = self.leaf(target)
        return (
            serves(self.kernel, family)
            and not refuses(self.kernel, "n", family, target)
            and bool(fits(self.kernel, "n", family, target, size))
        )

    def starts(self, target: Target) -> list[int]:
        """Bytes from the first array to each, and to the end of the last one; each begins on a line."""
        m, n, k = self.size(target).values()
        elements = (m * k, k * (n + APART), m * n)
        sizes = [
            -(-count * operand.bytes // LINE) * LINE for count, operand in zip(elements, self.family(target).operands)
        ]
        return [0, *accumulate(map(int, sizes))]


def _registers(family: Family, target: Target) -> Operand:
    return Operand(family.accumulator, 0, family.output.layout, Vector("n", target.lanes(family.accumulator)))


def source(nests: Sequence[LeafNest], target: Target) -> str:
    """Static functions nest_0, nest_1, .. of x0, x1 and y, one for each nest, and all that they need."""
    library = VectorLibrary(target.features, divides=target.is_strict, line=target.spans.line)
    emitter, functions = emitter_for(target, library), []
    for number, nest in enumerate(nests):
        scalars = [library.scalar(view.dtype) for view in nest.views(target)]
        body = emitter.node(nest.program(target), nest.views(target))
        functions.append(
            "\n".join(
                [
                    f"static void nest_{number}(const {scalars[0]} *x0, const {scalars[1]} *x1, {scalars[2]} *y)",
                    *braced(body),
                    "",
                ]
            )
        )
    includes = [f"#include <{header}>" for header in sorted(emitter.unit.headers)]
    leaves = [text + "\n" for _, text in emitter.unit.leaves.values()]
    return "\n".join([*includes, library.definitions(), "", *sorted(emitter.unit.preambles), *leaves, *functions])


def digest(forms: Sequence[str], target: Target) -> str:
    """A digest of the C that leaves of such forms are written as: of a small tile of each."""
    nests = [sample(form, target) for form in forms]
    return hashlib.blake2b(source([nest for nest in nests if nest], target).encode(), digest_size=8).hexdigest()


def sample(form: str, target: Target) -> LeafNest | None:
    """A small tile of a form; None where the target has no kernel for it."""
    kernel, first, second, accumulator, lies = form.split(" ")
    found = (LeafNest(k, (first, second), accumulator, lies, 2, 2, 16) for k in target.kernels if k.name == kernel)
    return next((nest for nest in found if nest.fits(target)), None)
