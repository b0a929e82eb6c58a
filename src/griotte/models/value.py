"""A value of a model's graph: an input, a constant, or the result of a call; and nodes that griotte lacks."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..lang.calls.spec import Spec
from ..lang.calls.value import Value
from ..lang.constructors.forms import form_of
from ..lang.types.tensor import TensorType
from ..support.errors import SpecError
from ..support.memory import release

Attributes = tuple[tuple[str, Any], ...]  # of what can be hashed
SIZED = {"reshape": "shape", "broadcast": "shape", "slice": "limits"}
"""Attributes that are sizes of what a call gives, axis by axis."""
MEND = "give a number as the size"
SCAN = "scan"  # the call of what a loop gives


class OpaqueOp(ABC):
    """An operation that is no call of the language, and so has no nests: a loop, or a call over whole arrays. Each of
    its results is a value whose attributes are the operation and the number of the result; all of them are one part.

    Attributes:
        call: the name of the call of its results.
    """

    call: str
    is_map, nests = False, ()  # see Spec

    @property
    @abstractmethod
    def takes(self) -> tuple[TensorType, ...]:
        """The types of its operands."""

    @property
    @abstractmethod
    def types(self) -> tuple[TensorType, ...]:
        """The types of its results."""

    @property
    @abstractmethod
    def flops(self) -> int:
        """Arithmetic operations of a run."""

    @property
    def bytes(self) -> int:
        """Bytes of its operands and results."""
        return sum(type.bytes for type in (*self.takes, *self.types))

    @property
    def least(self) -> int:
        """The smallest dynamic size that it has results for."""
        return 1

    def over(self, types: tuple[TensorType, ...]) -> OpaqueOp:
        """The operation over operands of other sizes; one size may be dynamic; SpecError where there is none."""
        raise SpecError(f"expected a call that may be of any size, found a loop of what has the size; {MEND}")

    @property
    def rest(self) -> str:
        """What its call is written with after the operands."""
        return ""

    @property
    def words(self) -> tuple[str, ...]:
        """Its name before people, in a few words."""
        return (self.call,)

    @abstractmethod
    def run(self, interpret: Callable[..., tuple[np.ndarray, ...]], *arrays: Any) -> tuple[np.ndarray, ...]:
        """Its results in NumPy; `interpret` runs a graph within it."""

    @abstractmethod
    def picks(self, of: Callable[[Any], dict[Any, int]]) -> dict[int, int]:
        """The number of rows, by place of each operand that holds row numbers; `of(graph)` finds the same for the
        inputs of a graph within it."""


@dataclass(frozen=True, eq=False, repr=False)
class ModelValue(Value):
    """A tensor of a model: an input, a constant or, where it has a `call`, the result of that.

    Its `name` is that of an input or a constant; of a call that of the result in the reader's file.

    Attributes:
        attributes: the arguments of the call beside what it reads, as they were passed, in order.
        origin: the name of the node of the reader's file that the value comes from.
        array: the data of a constant; None for others, and for a constant whose data is passed later.
    """

    attributes: Attributes = ()
    origin: str = ""
    array: np.ndarray | None = None

    @property
    def key(self) -> ModelValue:
        """What identifies it: several may have one name."""
        return self

    @property
    def is_made(self) -> bool:
        """Whether it is the result of an OpaqueOp, and not of a call of the language."""
        return bool(self.attributes) and isinstance(self.attributes[0][1], OpaqueOp)

    @property
    def opaque(self) -> Any:
        """The OpaqueOp that it is a result of."""
        return self.attributes[0][1]

    @property
    def number(self) -> int:
        """Which of the results of its OpaqueOp it is."""
        return self.attributes[1][1]

    @cached_property
    def spec(self) -> Any:
        """The call as a Spec over the types of its reads; of what an OpaqueOp gives that."""
        types = tuple(map(operand_type, self.reads))
        return self.opaque if self.is_made else applied(self.call, types, self.attributes)


def operand_type(read: Any) -> Any:
    """What a call reads, as its Spec is made of."""
    return replace(read.type, name="") if isinstance(read, ModelValue) else read


def sized(value: ModelValue, size: int) -> dict[str, Any]:
    """The attributes of a call with a number in place of its dynamic size."""
    given, key = dict(value.attributes), SIZED.get(value.call)
    if key in given:
        given[key] = tuple(size if axis in value.type.dynamic_axes else n for axis, n in enumerate(given[key]))
    return given


def applied(call: str, operands: tuple[Any, ...], attributes: Attributes) -> Spec:
    """A call of the language over tensor types, Specs and numbers; those that it takes by name come last."""
    form = form_of(call)
    if form is None:
        raise SpecError(f"expected a call of the language, found {call!r}; griotte.parse says which there are")
    named = dict(zip(form.tensors, operands[form.operands :])) if form.tensors else {}
    return form.constructor(*operands[: len(operands) - len(named)], **dict(attributes), **named)


@dataclass(frozen=True, eq=False)
class HostStep:
    """A node of a reader's file that griotte lacks, as a model of its own.

    Attributes:
        name: of the node.
        operator: of the node.
        model: an ONNX model of this node alone, as bytes; constants are in it.
        names: of its inputs.
        reads: the values that they are.
        gives: values without a call and without data, named as its outputs.
    """

    name: str
    operator: str
    model: bytes = field(repr=False)
    names: tuple[str, ...]
    reads: tuple[ModelValue, ...]
    gives: tuple[ModelValue, ...]


@dataclass(frozen=True)
class Refused:
    """A node of a reader's file that griotte lacks: its name, its operator, and why; and how a host would run it, where
    the types of its results are known."""

    name: str
    operator: str
    why: str
    step: HostStep | None = None

    def __str__(self) -> str:
        return f"{self.operator} {self.name}: {self.why}"


# ---- the data of constants -------------------------------------------------------------------------------------------

ENDS = 64  # bytes at each end of a constant that tell it from others before all of it is looked at


def data_bytes(value: ModelValue) -> np.ndarray:
    """The data of a constant as it lies in memory."""
    assert value.array is not None
    return value.array.transpose(value.type.minor_to_major[::-1]).reshape(-1).view(np.uint8)


def ends_of_data(value: ModelValue) -> bytes:
    """Bytes that tell a constant from most others."""
    data = data_bytes(value)
    return data[:ENDS].tobytes() + data[-ENDS:].tobytes()


def same_data(one: np.ndarray | None, other: np.ndarray | None) -> bool:
    """Whether two constants are known and have the same type and bits."""
    if one is None or other is None:
        return False
    return one is other or one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


def data_digest(value: ModelValue) -> str:
    """Of the data of a constant, which need not stay in memory after it."""
    found = hashlib.sha256(data_bytes(value).data).hexdigest()
    release(data_bytes(value))
    return found
