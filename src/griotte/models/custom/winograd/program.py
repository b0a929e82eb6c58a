"""A filtered convolution as a program: the weights are transformed ahead of the call. Then three steps run for some
rows of tiles at a time. They are the image's transform, a batch of n * n products, which is searched as any is, and the
result's transform."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Sequence_
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from ....compiler.programs import Program
from ....compiler.programs.partitioned import NONE
from ....engine.cost.ports import bound, evaluated
from ....engine.program.sequence import Sequence
from ....engine.program.sequence_parts import SequencePart, Stage
from ....lang.calls.spec import Spec
from ....lang.constructors.operations import copy, matmul
from ....lang.types.tensor import TensorType, tensor
from ...graph import ModelValue
from ...layouts import CHANNELS_LAST
from ...parts import ModelPart
from ..kernel import CustomKernel, CustomProgram, Implementation, Making
from . import filters
from .code import input_transform, output_transform, weight_transform
from .conv import WHOLE, FilteredConv, filtered, may_be_filtered
from .guard import PIXELS, guarded, limit_source, plain_weights
from .transforms import Filtering, filtering, steps_of

if TYPE_CHECKING:
    from ....machine.target import Target

OUTPUTS = {3: (4, 2), 5: (2,)}
"""By the side of a window, of how many outputs a side tiles may be."""
F32 = 4  # bytes


@dataclass(frozen=True)
class FilteringPlan:
    """A way to compute a filtered convolution.

    Attributes:
        conv: the convolution and the maps behind it.
        filtering: by which matrices.
        rows: rows of tiles that are computed at a time: they divide all.
    """

    conv: FilteredConv
    filtering: Filtering
    rows: int

    @property
    def bands(self) -> int:
        """How often some rows of tiles are computed."""
        return self.conv.tiles(self.filtering.m)[0] // self.rows

    @property
    def tiles(self) -> int:
        """Tiles that are computed at a time."""
        return self.rows * self.conv.tiles(self.filtering.m)[1]

    @property
    def planes(self) -> int:
        return self.filtering.n**2

    @cached_property
    def copies(self) -> dict[int, Spec]:
        """Of what lies otherwise than with channels last, by its place, the copy that turns it."""
        conv = self.conv
        image = (conv.images, conv.channels, conv.height, conv.width)
        result = (conv.images, conv.kernels, conv.rows, conv.columns)
        found = {}
        for place in conv.lying:
            if place not in self.conv.reads:
                found[place] = copy(tensor(result, layout=CHANNELS_LAST), layout=(3, 2, 1, 0))
            else:
                found[place] = copy(tensor(image if place == conv.reads[0] else result), layout=CHANNELS_LAST)
        return found

    @cached_property
    def products(self) -> Spec:
        """The products of some rows of tiles: [n * n, tiles, channels] by the weights."""
        image = tensor((self.planes, self.tiles, self.conv.channels))
        weights = tensor((self.planes, self.conv.channels, self.conv.kernels), constant=True)
        return matmul(image, weights)

    @property
    def between(self) -> int:
        """Bytes of the planes before and after the products."""
        return self.planes * self.tiles * (self.conv.channels + self.conv.kernels) * F32

    @property
    def weights(self) -> int:
        """Bytes of the transformed weights."""
        return self.planes * self.conv.channels * self.conv.kernels * F32


def plans(conv: FilteredConv, target: Target) -> Iterator[FilteringPlan]:
    """The ways to compute a filtered convolution: for each size of tiles all of them at a time, and as many as leave
    what lies between the products in half of L2."""
    room = (target.levels[2].capacity or 0) / 2
    for m in OUTPUTS[conv.window]:
        rows, _ = conv.tiles(m)
        every = [FilteringPlan(conv, filtering(m, conv.window), r) for r in range(rows, 0, -1) if rows % r == 0]
        yield every[0]
        near = next((plan for plan in every if plan.between <= room), every[-1])
        if near is not every[0]:
            yield near


def input_stage(plan: FilteringPlan, target: Target, threads: int) -> Stage:
    conv, n = plan.conv, plan.filtering.n
    moved = {"stream": plan.tiles * conv.channels * F32 * n * plan.filtering.m, "store": _planes(plan, conv.channels)}
    across = conv.tiles(plan.filtering.m)[1]
    # of the windows of a row those at its ends reach beyond the image, and nearly all of the first and the last row
    edges = min(1.0, 2 / across + 2 / max(1, conv.tiles(plan.filtering.m)[0] // conv.images))
    arithmetic = 2 * n * steps_of(plan.filtering.inputs).operations
    each = float(bound(target, arithmetic, n * n * (1 + edges), n * n * (1 + edges)))
    cost = _cycles(plan, target, threads, conv.channels, each, moved)
    return Stage("winograd: image", cost, threads, input_transform(conv, plan.filtering, plan.tiles, threads))


def output_stage(plan: FilteringPlan, target: Target, threads: int) -> Stage:
    conv, n, m = plan.conv, plan.filtering.n, plan.filtering.m
    whole = conv.others.count(WHOLE)
    stored = plan.tiles * m * m * conv.kernels * F32
    moved = {"stream": _planes(plan, conv.kernels) + whole * stored, "store": stored}
    steps = steps_of(plan.filtering.outputs).operations
    arithmetic = (n + m) * steps + m * m * evaluated(target, conv.body, "f32").all
    each = float(bound(target, arithmetic, n * n + whole * m * m, m * m))
    cost = _cycles(plan, target, threads, conv.kernels, each, moved)
    return Stage("winograd: result", cost, threads, output_transform(conv, plan.filtering, plan.tiles, threads))


def _planes(plan: FilteringPlan, channels: int) -> int:
    return plan.planes * plan.tiles * channels * F32


def _cycles(
    plan: FilteringPlan, target: Target, threads: int, channels: int, each: float, moved: dict[str, int]
) -> float:
    """Of a transform of some rows of tiles: `each` vector, and lines that come and go from where the planes rest."""
    level = target.levels[target.home(plan.between / target.spans.line)].name
    vectors = plan.tiles * -(-channels // target.lanes("f32"))
    lines = sum(target.coefficient[f"{kind}.{level}"] * size / target.spans.line for kind, size in moved.items())
    shared = target.coefficient["fork"] if threads > 1 else 0.0
    return (vectors * each + lines) / threads + shared


def estimate(plan: FilteringPlan, target: Target, threads: int) -> float:
    """Cycles of a plan, its products not yet searched: as the busier of arithmetic and of what they read."""
    macs = plan.planes * plan.tiles * plan.conv.channels * plan.conv.kernels
    arithmetic = macs / target.lanes("f32") / target.ports.arithmetic
    home = target.levels[target.home((plan.between + plan.weights) / target.spans.line)].name
    lines = target.coefficient[f"line.{home}"] * (plan.weights + plan.between) / target.spans.line
    stages = input_stage(plan, target, threads).cost + output_stage(plan, target, threads).cost
    return plan.bands * (stages + (1.1 * arithmetic + lines) / threads)


@dataclass(frozen=True, eq=False, repr=False)
class WinogradProgram(CustomProgram):
    """A convolution by Winograd's filtering.

    Attributes:
        plan: how.
        products: the program of its products.
        copies: those of what lies otherwise, by its place.
    """

    plan: FilteringPlan = field(kw_only=True)
    products: Program = field(kw_only=True)
    copies: dict[int, Program] = field(kw_only=True)

    @cached_property
    def stages(self) -> tuple[Stage, Stage]:
        return (
            input_stage(self.plan, self.target, self.threads),
            output_stage(self.plan, self.target, self.threads),
        )

    @property
    def cost(self) -> float:
        call = self.target.cost({"call": 1})
        each = sum(stage.cost for stage in self.stages) + self.products.cost + 3 * call
        copies = sum(program.cost + call for program in self.copies.values())
        return self.plan.bands * each + copies + (self.limits.cost + call if guarded(self.plan.filtering) else 0)

    @cached_property
    def limits(self) -> Stage:
        """What says how large the numbers of each image may be."""
        conv = self.plan.conv
        vectors = conv.images * min(PIXELS, conv.height * conv.width) * -(-conv.channels // self.target.lanes("f32"))
        return Stage("winograd: limits", float(bound(self.target, vectors, vectors, 0)), 1, limit_source(conv))

    @cached_property
    def sequence(self) -> Sequence:
        """The transforms and the products over numbered tensors: what the part reads, the transformed weights, the
        planes of each band, the result."""
        plan, conv = self.plan, self.plan.conv
        types: list[TensorType] = [*self.spec.inputs]
        image, weights, *others = conv.reads
        known: list[int | None] = [i if t.constant or i == weights else None for i, t in enumerate(types)]

        def new(type: TensorType, constant: int | None = None) -> int:
            types.append(type)
            known.append(constant)
            return len(types) - 1

        def turned(place: int) -> int:
            """A tensor, or the copy of it that lies with channels last, which is made first."""
            if place not in self.copies:
                return place
            program, into = self.copies[place], new(last(place))
            parts.append(SequencePart((place,), (into,), program.root, program.canonical))
            return into

        transformed = new(plan.products.inputs[1], weights)
        spread, joined = self.stages
        ahead = Stage("winograd: weights", 0.0, 1, weight_transform(conv, plan.filtering))
        parts = [SequencePart((weights,), (transformed,), ahead)]
        last = lambda place: replace(types[place], name="", constant=False, minor_to_major=CHANNELS_LAST)
        image, *others = map(turned, (image, *others))
        guard: tuple[int, ...] = ()
        if guarded(plan.filtering):
            places = tensor((conv.window**2, conv.channels, conv.kernels), constant=True)
            written, limits = new(places, weights), new(tensor((conv.images,)))
            parts.append(SequencePart((weights,), (written,), Stage("winograd: weights", 0.0, 1, plain_weights(conv))))
            parts.append(SequencePart((image,), (limits,), self.limits))
            guard = (limits, image, written)
        y = new(self.spec.output)
        copied = self.copies.get(len(self.spec.inputs))
        given = y if copied is None else new(last(y))
        for band in range(plan.bands):
            numbers = (band * plan.rows,)
            before, after = new(plan.products.inputs[0]), new(plan.products.output)
            sizes = (new(tensor((plan.tiles, self.target.lanes("f32")))),) if guard else ()
            parts += [
                SequencePart((image,), (before, *sizes), spread, numbers=numbers),
                SequencePart((before, transformed), (after,), self.products.root, self.products.canonical),
                SequencePart((after, *sizes, *guard, *others), (given,), joined, numbers=numbers),
            ]
        if copied is not None:
            parts.append(SequencePart((given,), (y,), copied.root, copied.canonical))
        return Sequence(tuple(types), len(self.spec.inputs), (y,), tuple(known), tuple(parts))

    def __str__(self) -> str:
        plan, m = self.plan, self.plan.filtering.m
        how = f"winograd, tiles of {m}x{m}, {plan.tiles} at a time, {plan.bands} times: image, products, result"
        return f"{how}\n{self.products}"

    def explain(self) -> str:
        return f"{self}\n\n{self.products.explain()}"

    @property
    def searched(self) -> tuple[Program, ...]:
        return (*(self.products,) * self.plan.bands, *self.copies.values())

    @property
    def floor(self) -> float:
        return direct(self.plan.conv, self.target, self.threads)


def program_of(spec: Spec, plan: FilteringPlan, products: Program, copies: dict[int, Program]) -> WinogradProgram:
    """The program of a part's Spec by a plan, whose products and copies are solved."""
    return WinogradProgram(
        spec, spec, NONE, products.target, products.threads, dict(products.stats),
        plan=plan, products=products, copies=copies,
    )  # fmt: skip


def direct(conv: FilteredConv, target: Target, threads: int) -> float:
    """The least cycles that a convolution takes as it is written: of its arithmetic."""
    return conv.multiplications / target.lanes("f32") / target.ports.arithmetic / threads


def arithmetic_share(window: int) -> float:
    """The least share of a convolution's products that filtering multiplies."""
    return min(((m + window - 1) / (m * window)) ** 2 for m in OUTPUTS[window])


def filtered_share(calls: Sequence_[ModelValue]) -> float:
    """The least share of these calls' products that is multiplied: 1 where they are not of the kind."""
    if not may_be_filtered(calls):
        return 1.0
    conv = next(value for value in calls if value.call == "conv2d")
    return arithmetic_share(conv.values[1].type.shape[2])


FARTHER = 1.2
"""Where the arithmetic of a convolution alone takes so many times the estimate of Winograd's filtering, the search
leaves out the convolution as written. Where it takes less than the estimate by so much, it is not filtered."""


class FilteredByWinograd(CustomKernel):
    """Convolutions of small windows next to each other, with the maps of each result."""

    is_beside = True

    def implementation(self, part: ModelPart, making: Making) -> Implementation | None:
        """The plan that is estimated to be best, where it may be cheaper than the part as it is written."""
        conv = filtered(part) if filters() and not making.target.is_strict else None
        if conv is None:
            return None
        estimates: dict[FilteringPlan, float] = {}
        for plan in plans(conv, making.target):
            copied = sum(making.copied(spec).cost for spec in plan.copies.values())
            estimates[plan] = copied + estimate(plan, making.target, making.threads)
        best, least = min(estimates.items(), key=lambda item: item[1], default=(None, inf))
        floor = direct(conv, making.target, making.threads)
        if best is None or least >= FARTHER * floor:
            return None
        copies = {place: making.copied(spec) for place, spec in best.copies.items()}
        return Implementation(
            (best.products,),
            lambda found: program_of(part.spec, best, found[best.products], copies),
            instead=floor > FARTHER * least,
        )

    def share(self, calls: Sequence_[ModelValue]) -> float:
        """Filtering multiplies less than is written."""
        return filtered_share(calls) if filters() else 1.0
