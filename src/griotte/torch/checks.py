"""Checks that torch makes of the values that an operator reads, while it runs: divisors that are not 0, indices within
a size. A graph's kernel computes whether all of that holds beside its results. Where it does not, torch's own operators
run the graph, and name the fault."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import numpy as np

from ..models.graph import ModelGraph, ModelValue
from ..readers.node import Unsupported
from ..readers.operators.array import call, kind, sliced, where
from ..readers.tables import OperatorTable, with_node
from ..support.errors import SpecError
from .operators.declaring import as_dtype, full_name, is_number

SWITCH = "GRIOTTE_CHECK_INDICES"
FAILED = "a_check_has_failed"
"""The name of the result that tells whether something does not hold."""


@dataclass(frozen=True)
class Requirement:
    """A check of all elements of an argument: they are from `least` on and below `size`; without either, not 0.

    Attributes:
        is_index: whether `check_indices` turns it off.
    """

    of: Any
    least: int | None = None
    size: int | None = None
    is_index: bool = False

    def holds(self, array: np.ndarray) -> bool:
        """Whether a known array passes the check."""
        if self.least is None and self.size is None:
            return bool(np.all(array != 0))
        above = self.least is None or np.all(array >= self.least)
        return bool(above and (self.size is None or np.all(array < self.size)))

    def fails(self, node: Any) -> Any:
        """Whether it is not so, as a value of the graph: pred of one element."""
        every = lambda name, x: call(name, x) if x.shape else x
        of = self.of
        if self.least is None and self.size is None:
            is_pred = of.dtype == "pred"
            return every("min", of.astype("u8")) == 0 if is_pred else every("max", (of == 0).astype("u8")) != 0
        if self.size is None:
            return every("min", of) < self.least
        if self.least is not None and kind(of.dtype) == "signed":  # one pass tells both
            of = where(of < self.least, of.number(self.size), of)
        return every("max", of) >= self.size

    def __str__(self) -> str:
        if self.least is None and self.size is None:
            return "numbers that are not 0"
        ends = "" if self.least is None else f" from {self.least}"
        return f"numbers{ends}" if self.size is None else f"numbers{ends} to {self.size - 1}"


def not_zero(node: Any, x: Any, y: Any, *how: Any) -> Iterator[Requirement]:
    """Divisors of integers."""
    if kind(node.dtype_given) in ("signed", "unsigned"):
        yield Requirement(x.of(np.asarray(int(y))) if is_number(y) else as_dtype(y, node.dtype_given))


def within(of: Any, size: int, from_last: bool = False) -> Requirement:
    """That indices are those of an axis of this size; where -1 may be the last, those too."""
    return Requirement(of, -size if from_last else 0, size, is_index=True)


def along(x: Any, dim: int, index: Any, *how: Any, from_last: bool = False) -> Iterator[Requirement]:
    yield within(index, (x.shape or (1,))[dim], from_last)


def of_axes(x: Any, indices: Any, *how: Any) -> Iterator[Requirement]:
    for index, size in zip(indices, x.shape):
        if index is not None and index.dtype == "pred":
            return  # a mask takes as many axes as it has
        if index is not None:
            yield within(index, size, from_last=True)


def in_bags(weight: Any, indices: Any, offsets: Any, *how: Any) -> Iterator[Requirement]:
    yield within(indices, weight.shape[0])
    if count := offsets.shape[0]:
        yield Requirement(sliced(offsets, {0: (0, 1)}), 0, 1, is_index=True)
        yield Requirement(offsets, 0, indices.shape[0] + 1, is_index=True)
    if count > 1:  # in order
        first, then = (sliced(offsets, {0: ends}) for ends in ((0, count - 1), (1, count)))
        yield Requirement(then >= first, is_index=True)


def repeated(repeats: Any, output_size: int | None = None) -> Iterator[Requirement]:
    yield Requirement(repeats, 0, is_index=True)
    if output_size is not None:
        yield Requirement(repeats.astype("s64").sum() == output_size, is_index=True)


REQUIREMENTS: OperatorTable = (
    ("embedding", lambda weight, indices: [within(indices, weight.shape[0])]),
    (
        "gather index_select scatter.src scatter.value scatter_add scatter_reduce.two scatter.reduce"
        " scatter.value_reduce index_add index_copy index_reduce",
        along,
    ),
    ("index_fill.int_Scalar index_fill.int_Tensor", partial(along, from_last=True)),
    ("put", lambda x, index, *how: [within(index, prod(x.shape), from_last=True)]),
    ("index.Tensor index_put", of_axes),
    ("_embedding_bag _embedding_bag_forward_only", in_bags),
    ("repeat_interleave.Tensor", repeated),
    ("_assert_async.msg _functional_assert_async.msg", lambda holds, *how: [Requirement(holds)]),
    ("_linalg_check_errors", lambda info, *how: [Requirement(info, 0, 1)]),
    (
        "div.Tensor_mode div.Scalar_mode remainder.Tensor remainder.Scalar remainder.Scalar_Tensor fmod.Tensor"
        " fmod.Scalar",
        not_zero,
    ),
)
CHECKED = {full_name(name): with_node(asks) for names, asks in REQUIREMENTS for name in names.split()}
"""By name and overload, "div.Tensor_mode": from a node and its arguments to the question."""


def checks_indices(options: Mapping[str, Any]) -> bool:
    """Whether checks of indices are made: by the option of torch.compile, else by the environment."""
    asked = options.get("check_indices", os.environ.get(SWITCH, "on"))
    if asked in (True, False):
        return bool(asked)
    if asked not in ("on", "off"):
        raise SpecError(
            f"expected check_indices to be True or False, or {SWITCH} on or off, found {asked!r}; set it so"
        )
    return bool(asked == "on")


def is_checked(graph: ModelGraph) -> bool:
    """Whether the last result of a graph tells that something does not hold."""
    return bool(graph.results) and graph.results[-1][0] == FAILED


class Checks:
    """The checks of values, noted while a graph is read.

    Args:
        indices: whether checks of indices are noted.

    Attributes:
        nodes: names of the nodes that ask for something that only a call tells.
        left: why torch refuses any call.
    """

    def __init__(self, indices: bool = True) -> None:
        self.indices = indices
        self.nodes: set[str] = set()
        self.left = ""
        self._failed: dict[tuple[Any, ...], tuple[Any, ModelValue]] = {}  # with what is asked, so that its id stays

    def take(self, node: Any, given: Mapping[str, Any]) -> None:
        """Note the checks of a node's arguments; Unsupported where a known one does not pass."""
        asks = CHECKED.get(node.operator)
        for each in node.take(asks, given) if asks else ():
            if self.indices or not each.is_index:
                self._ask(node, each)

    def _ask(self, node: Any, asked: Requirement) -> None:
        if asked.of.is_known:
            if not asked.holds(asked.of.known):
                self.left = f"expected {asked} of {node.title}, found others; torch says what is wrong"
                raise Unsupported(f"it reads others than {asked}")
            return
        key = id(asked.of.item), asked.least, asked.size
        self.nodes.add(node.name)
        if key not in self._failed:
            self._failed[key] = asked.of.item, asked.fails(node).value

    def result(self, reader: Any) -> ModelValue | None:
        """Whether something does not hold, as a value of the graph; None where nothing is asked."""
        total: ModelValue | None = None
        for _, each in self._failed.values():
            total = each if total is None else reader.builder.call("logical_or", total, each, name=FAILED)
        return total
