"""A goal as a user states it: an operation over concrete tensor types, or several calls that read each other. Its
canonical form (engine/canonical) is what the search sees.

`Spec` here is level-free: where the operands live and what memory is left is added by `search.problem` when a target is
known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Any, ClassVar

from ...support.errors import SpecError
from ...support.markup import fragment
from ..nests.graph import Graph, lone
from ..nests.operation import Operation
from ..types.dtypes import compute_dtype, dtype
from ..types.dynamic import Dynamic, at_size, dynamic_of, numbers, resized
from ..types.expr import calls, computed_in, value_args
from ..types.tensor import FRESH, TensorType
from .calls import CallGraph, given, graph_of
from .value import Value, flattened, unflattened


@dataclass(frozen=True)
class Spec:
    """A computation as the user states it: a call of the language, or several that nest, over types of tensors.

    `gt.parse`, `gt.matmul` and the other calls make one; printed it is its text.

    Attributes:
        operation: the loop nest; of several calls their graph.
        sizes: of the loop nest's dimensions; of several calls none.
        inputs: types of the inputs, in the order in which a kernel takes them.
        output: type of the result, of several the last one.
        written: its last call as it is written; of a nest that no call made, None.
        dynamic: the size that is known only up to a bound; None where there is none.
        sources: of the form that the search sees: the input that each of its operands is.

    Raises:
        SpecError: the shapes do not fit the loop nest.

    Examples:
        >>> spec = gt.matmul(gt.tensor((8, 16)), gt.tensor((16, 4)))
        >>> print(spec)
        matmul(f32[8,16], f32[16,4]) -> f32[8,4]
        >>> spec.flops, spec.bytes
        (1024, 896)
    """

    # an Operation, of several calls a CallGraph; of a canonical Spec a Graph
    operation: Any
    sizes: tuple[int, ...]
    inputs: tuple[TensorType, ...]
    output: TensorType
    written: Value | None = field(default=None, compare=False)
    dynamic: Dynamic | None = None
    # of a canonical Spec: the input of the stated one that each operand is; -1: none, a constant 0, 1, 2, ..
    # (`expr.IOTA`); -2 - n: its output n, of several; None: the same
    sources: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        for access, tensor in zip(self.operation.accesses, self.tensors):
            if access.held(self.size) != tensor.shape:
                raise SpecError(
                    f"expected shape {list(access.held(self.size))} for {self.operation.name}, found {tensor}"
                )
        if self.dynamic is None:
            object.__setattr__(self, "dynamic", dynamic_of(self.operation, self.size, self.tensors))

    is_composed: ClassVar[bool] = False
    """Whether it is stated as several calls."""

    @property
    def is_map(self) -> bool:
        """Whether it is one nest that computes each element by itself."""
        return self.operation.combine is None and not self.operation.picks

    @cached_property
    def graph(self) -> CallGraph:
        """Its calls, each of one nest: of one nest itself."""
        return graph_of(self, tuple(map(given, self.inputs)))

    @property
    def name(self) -> str:
        """The name of its operation: the loop nest's, or that of the call that is last."""
        return self.operation.name

    def __reduce__(self) -> tuple[Any, ...]:
        # names that composites give belong to one process alone; by now the list of calls says which values are one
        inputs = tuple(replace(t, name="") if t.name.startswith(FRESH) else t for t in self.inputs)
        written = self.written and flattened(self.written.every)
        more = self.dynamic, self.sources
        return _read_back, (type(self), self.operation, self.sizes, inputs, self.output, written, *more)

    def at(self, size: int) -> Spec:
        """This Spec with its dynamic size fixed; one without is itself.

        Args:
            size: 1 or more, in elements.

        Examples:
            >>> print(gt.parse("exp(f32[<=8,4])").at(3))
            exp(f32[3,4]) -> f32[3,4]
        """
        return self if self.dynamic is None else self._at(size)

    def _at(self, size: int) -> Spec:
        operation = at_size(self.operation, size) if numbers(self.operation) else self.operation
        if self.dynamic is None:
            return replace(self, operation=operation)
        dims, extent = self.dynamic.dims, size * self.dynamic.unit
        sizes = tuple(extent if d in dims else s for d, s in self.size.items())
        *inputs, output = (
            resized(t, tuple(access.axis_of(d) for d in dims if d in access.dims), extent)
            for access, t in zip(self.operation.accesses, self.tensors)
        )
        return Spec(operation, sizes, tuple(inputs), output, self._written_at(size), sources=self.sources)

    def _written_at(self, size: int) -> Value | None:
        return self.written and self.written.at(size)

    @cached_property
    def size(self) -> dict[str, int]:
        """Extent of each dimension of the loop nest, by name."""
        return dict(zip(self.operation.dims, self.sizes)) if self.sizes else {}

    @cached_property
    def outputs(self) -> tuple[TensorType, ...]:
        """What it gives as it is stated: `output`, or several tensors."""
        return tuple(value.type for value in self.graph.gives)

    @property
    def tensors(self) -> tuple[TensorType, ...]:
        """The types of the inputs, then of the output."""
        return (*self.inputs, self.output)

    @cached_property
    def operand_sources(self) -> tuple[int, ...]:
        """Of a canonical Spec: `sources`, and that of its output."""
        sources = tuple(range(len(self.inputs))) if self.sources is None else self.sources
        taken = {-2 - source for source in sources if source < -1}
        return (*sources, -2 - next(n for n in range(len(taken) + 1) if n not in taken))

    @cached_property
    def operand_names(self) -> tuple[str, ...]:
        """Of a canonical Spec: what each operand is called in C.

        x0, x1, .. as stated; y, or of several outputs y0, y1, ..; nothing where it is a constant 0, 1, 2, .."""
        several = len(self.operation.placed) > 0
        return tuple(
            f"x{source}" if source >= 0 else "" if source == -1 else f"y{-2 - source}" if several else "y"
            for source in self.operand_sources
        )

    @cached_property
    def accumulator(self) -> str:
        """The dtype that the nest computes and accumulates in.

        It is the dtype of the inputs. In a reduction whose result is wider and of their kind, it is that of the result:
        f32 summed to f64 is summed in f64, 8-bit integers summed to f32 in s32.
        """
        nests = getattr(self.operation, "nests", ())  # of a canonical one
        return nests[-1].accumulator if nests else accumulator_of(self.operation, self.inputs, self.output)

    @property
    def flops(self) -> int:
        """Scalar operations: two per multiply-accumulate, one per body call or combine otherwise."""
        once = lambda op: max(1, len(calls(op.body)) + (op.combine is not None))
        return sum(op.times(size) * once(op) for op, _, size in self.nests)

    @property
    def bytes(self) -> int:
        """Bytes of every operand and result once, of a gathered one the picked part: the least that must move."""
        return sum(self.moved)

    @property
    def moved(self) -> tuple[int, ...]:
        """The bytes that must move of each tensor, the inputs first.

        They are all of it, or of one that is read at indices alone what those pick."""
        placed = {i for _, i in self.operation.placed}
        read = [t.bytes if i in placed else 0 for i, t in enumerate(self.inputs)]
        for op, reads, size in self.nests:
            for t, access in zip(reads, op.inputs):
                if t < len(read):
                    read[t] += (
                        self.inputs[t].bytes * int(prod(access.held(op.touched(size)))) // self.inputs[t].elements
                        if op.picks
                        else self.inputs[t].bytes
                    )
        return *(min(n, t.bytes) for n, t in zip(read, self.inputs)), *(t.bytes for t in self.outputs)

    @property
    def nests(self):
        """(operation, the tensors that its inputs are, sizes) of each nest."""
        op = self.operation
        nests = getattr(op, "nests", ())  # of a canonical one
        each = [(nest.operation, nest.reads) for nest in nests] or [(op, tuple(range(len(self.inputs))))]
        return [(*nest, self.size) for nest in each]

    @property
    def text(self) -> str:
        """The Spec as text, which `str` gives."""
        return str(self)

    @property
    def rest(self) -> str:
        """What its call is written with after the operands."""
        return "" if self.written is None else self.written.rest

    def __str__(self) -> str:
        if self.written is not None and self.written.call:
            return self.written.nested
        return f"{self.operation.name}({', '.join(map(str, self.inputs))}) -> {self.output}"

    def __repr__(self) -> str:
        return f"<griotte.Spec {shortened(self)}>"

    def _repr_html_(self) -> str:
        results = [f"y{n}" for n in range(len(self.outputs))] if len(self.outputs) > 1 else ["y"]
        names = [*(f"x{i}" for i in range(len(self.inputs))), *results]
        rows = [(name, str(t), f"{t.bytes:,} B") for name, t in zip(names, (*self.inputs, *self.outputs))]
        return fragment(str(self), rows, f"<p>{self.flops:,} operations</p>")


@dataclass(frozen=True, repr=False)
class ComposedSpec(Spec):
    """A Spec of several calls that read each other: `operation` is their graph, and `sizes` are none."""

    operation: CallGraph

    def __post_init__(self) -> None:
        if self.inputs is not self.operation.input_types:
            object.__setattr__(self, "operation", self.operation.over(self.inputs))
        object.__setattr__(self, "dynamic", self.operation.dynamic)

    is_composed = True

    @property
    def is_map(self) -> bool:
        return False

    @property
    def graph(self) -> CallGraph:
        return self.operation

    @property
    def accumulator(self) -> str:
        return self.operation.calls[-1].spec.accumulator

    def _at(self, size: int) -> Spec:
        fixed = lambda t: resized(t, t.dynamic_axes, size)
        graph = self.operation.over(map(fixed, self.inputs), lambda call: call._at(size))
        return ComposedSpec(graph, (), graph.input_types, fixed(self.output), self._written_at(size))

    @property
    def nests(self):
        return [(v.spec.operation, self.operation.numbers(v.values), v.spec.size) for v in self.operation.calls]


def accumulator_of(op: Operation, inputs: Sequence[TensorType], output: TensorType) -> str:
    """The dtype that a nest computes and accumulates in, over operands of these types."""
    if mixed := computed_in(op.body, ""):
        return mixed
    values = value_args(op.body)
    read = [t.dtype for i, t in enumerate(inputs) if i in values] or [output.dtype]
    compute = compute_dtype(*read)
    is_float = dtype(compute).kind == "float"
    if op.combine and is_float == (dtype(output.dtype).kind == "float"):
        return compute_dtype(*read, output.dtype)
    return compute


def over(
    graph: Graph,
    size: Mapping[str, int],
    inputs: tuple[TensorType, ...],
    output: TensorType,
    written: Value | None,
    dynamic: Dynamic | None,
    sources: tuple[int, ...] | None = None,
) -> Spec:
    """A canonical Spec. One nest computes in what its operands say."""
    if graph.is_lone:
        graph = lone(graph.nest, accumulator_of(graph.nest, inputs, output))
    return Spec(graph, tuple(size[d] for d in graph.dims), inputs, output, written, dynamic, sources)


def shortened(spec: Spec, most: int = 120) -> str:
    """A Spec's text in one line: of a long one the beginning, and the result."""
    text = " ".join(str(spec).split())
    return text if len(text) <= most else f"{text[: most - 20]} .. -> {spec.output}"


def read_of(x: TensorType | Spec | float) -> Value | float:
    """An argument as a call that reads it is written."""
    if isinstance(x, TensorType):
        return given(x)
    if isinstance(x, Spec):
        return x.written if x.written is not None and x.written.call else Value(x.output, said=x)
    return x


def _read_back(kind: type[Spec], operation: Any, sizes: Any, inputs: Any, output: Any, rows: Any, *more: Any) -> Spec:
    return kind(operation, sizes, inputs, output, rows and unflattened(Value, rows)[-1], *more)
