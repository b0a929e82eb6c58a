"""A captured graph with a size that dynamo left open. A kernel runs any size up to a bound, which doubles when it is
exceeded. Where there is no such kernel, each of the first few sizes has a kernel, and inductor runs others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch._dynamo.convert_frame import compile_lock

from ..models.graph import ModelGraph
from ..models.sizes import numbers_for, of_any_size
from ..support.errors import GriotteError, SpecError
from ..support.unforeseen import reported
from . import choosing
from .captured import Captured, HeldRun, by_kernel
from .checks import Checks
from .exporting import exported
from .reader import AtenReader
from .results import FirstCallError, require_plain

LEAST_BOUND = 8
MOST_SIZES = 4  # kernels of numbers where there is no kernel up to a bound


@dataclass(frozen=True)
class OpenSize:
    """Where open sizes are met.

    Attributes:
        axes: by the place of an input those of its axes that have one.
        numbers: places of inputs that are one.
        where: of each that is another one, the place of an input, and its axis; None where the input is the size.
    """

    axes: dict[int, tuple[int, ...]]
    numbers: tuple[int, ...]
    where: tuple[tuple[int, int | None], ...]

    def of(self, inputs: Sequence[Any]) -> tuple[int, ...]:
        """The open sizes of a call."""
        return tuple(inputs[place] if axis is None else inputs[place].shape[axis] for place, axis in self.where)


def open_size(module: Any, examples: Sequence[Any]) -> OpenSize | None:
    """What dynamo left open of a graph's inputs; None where that is nothing."""
    nodes = [node for node in module.graph.nodes if node.op == "placeholder"]
    metas = [node.meta.get("example_value", each) for node, each in zip(nodes, examples)]
    axes: dict[int, tuple[int, ...]] = {}
    where: dict[str, tuple[int, int | None]] = {}
    numbers: list[int] = []
    for place, each in enumerate(metas):
        if isinstance(examples[place], torch.SymInt):
            numbers.append(place)
            where.setdefault(str(each), (place, None))
        elif own := tuple(axis for axis, n in enumerate(each.shape) if not isinstance(n, int)):
            axes[place] = own
            for axis in own:
                where.setdefault(str(each.shape[axis]), (place, axis))
    return OpenSize(axes, tuple(numbers), tuple(where.values())) if where else None


class OpenGraph:
    """A captured graph with an open size.

    Args:
        module: the graph, over numbers in place of sizes.
        way: when griotte is taken.
        size: where the size stands.
        other: what runs it at any size: its name, itself, and why it is not inductor where it is not.
        of_numbers: makes what runs it at one size.
        indices: whether checks of indices are made.
    """

    def __init__(
        self,
        module: Any,
        way: str,
        size: OpenSize,
        other: tuple[str, Callable[..., Any], str],
        of_numbers: Callable[[Any, str, str], Callable[..., Any]],
        indices: bool = True,
    ) -> None:
        self.module, self.way, self.size = module, way, size
        self.name, self.other, self.why_not = other
        self.of_numbers, self.indices = of_numbers, indices
        self.bound, self.run = 0, self.other
        self.sizes: dict[tuple[int, ...], Callable[..., Any]] = {}
        self.why = "" if len(size.where) == 1 and size.axes else f"{len(size.where)} open sizes"

    def __call__(self, *inputs: Any) -> Any:
        size = self.size.of(inputs)
        if not self.why:
            if size[0] > self.bound:
                with compile_lock, torch.random.fork_rng(devices=[]):
                    if size[0] > self.bound and not self.why:
                        self._grow(size[0], inputs)
            if not self.why:
                return self.run(*inputs)
        if size not in self.sizes:
            with compile_lock:
                if size not in self.sizes:
                    self.sizes[size] = self._at(size)
        return self.sizes[size](*inputs)

    def _at(self, size: tuple[int, ...]) -> Callable[..., Any]:
        """What runs one size where no kernel is of any."""
        if len(self.sizes) >= MOST_SIZES:
            if len(self.sizes) == MOST_SIZES:
                note = f"of more than {MOST_SIZES} sizes, one by one: {self.why}"
                choosing.choose(self.name, note + self.why_not, self.module)
            return self.other
        note = f"at {', '.join(map(str, size))}, for there is no kernel up to a bound: {self.why}; "
        return self.of_numbers(self.module, self.way, note)

    def _grow(self, size: int, inputs: Sequence[Any]) -> None:
        """A kernel up to a bound that holds this size, or the faster function; or why there is none."""
        bound = max(LEAST_BOUND, 1 << (size - 1).bit_length())
        try:
            with reported(lambda: f"a kernel of sizes up to {bound}"):
                own = self._own(inputs, size, bound)
        except FirstCallError as why:
            raise why.__cause__ or why from None
        except GriotteError as why:
            self.why = str(why)
            return
        self.run, self.bound = self._chosen(own, bound, inputs)

    def _own(self, inputs: Sequence[Any], size: int, bound: int, is_placed: bool = False) -> HeldRun:
        captured = Captured(self.module, inputs, is_placed)
        graph = self._graph(captured, inputs, bound)
        captured.lay(inputs, self.indices)
        require_plain(self.module, captured.results)
        result = by_kernel(captured, graph, size / bound)
        if result is None:
            return self._own(inputs, size, bound, is_placed=True)
        note = f"for sizes up to {bound}: "
        own = lambda given: (self._own(given, size, bound), "griotte", "")
        result.anew = lambda given: choosing.renewed(lambda: own(given), note, self.module)
        return result

    def _chosen(self, own: HeldRun, bound: int, inputs: Sequence[Any]) -> tuple[Callable[..., Any], int]:
        """What runs from now on, and up to which size."""
        note = f"for sizes up to {bound}: "
        if self.way == "all":
            choosing.choose("griotte", f"{note}GRIOTTE_TORCH=all", self.module)
            return own, bound
        by_model = own.seconds if self.way == "model" else None
        wins, said = choosing.faster(own, self.other, ("griotte", self.name), inputs, by_model)
        choosing.choose("griotte" if wins else self.name, note + said + self.why_not, self.module)
        return (own if wins else self.other), bound

    def _graph(self, captured: Captured, inputs: Sequence[Any], bound: int) -> ModelGraph:
        """The graph of any size up to the bound; SpecError where there is none."""

        def of(size: int) -> ModelGraph:
            closed = captured.closed(dict.fromkeys(self.size.numbers, size))
            examples = tuple(self._example(i, inputs, size) for i in captured.open)
            return AtenReader(exported(closed, examples), Checks(self.indices)).graph()

        largest = of(bound)
        largest.require_covered()
        numbers = numbers_for(largest, bound)
        result = of_any_size([largest, *map(of, numbers[1:])], numbers)
        result.require_covered()
        if any(value.type.dynamic not in (None, value.type.minor_to_major[-1]) for value in result.inputs):
            raise SpecError("expected the open size along the slowest axis, found another one; transpose it before")
        return result

    def _example(self, place: int, inputs: Sequence[Any], size: int) -> torch.Tensor:
        own = self.size.axes.get(place, ())
        shape = [size if axis in own else n for axis, n in enumerate(inputs[place].shape)]
        return torch.empty(shape, dtype=inputs[place].dtype)
