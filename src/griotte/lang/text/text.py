"""Specs as text, in XLA's shape notation: `matmul(bf16[1,2048], const bf16[2048,512]{0,1}) -> f32[1,512]`.

    spec  := call | "outputs" "(" item ("," item)* ")"        several results: each item is a call, or the name of one
    call  := name "(" [item ("," item)*] ")" ["->" type]
    item  := name "=" (value | item) | call | "%" name ":" (type | call) | "%" name | type | number
    value := number | name | "(" [value ("," value)*] ")"

Types stand in tokens.py. Errors show the column: what was expected, what was found, and what to write instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ...support.errors import SpecError
from ..calls.compose import outputs, written
from ..calls.spec import Spec
from ..calls.value import OUTPUTS
from ..constructors.forms import Form, form_of, forms
from ..meaning import reference
from ..types.dtypes import DTYPES
from ..types.tensor import TensorType, row_major, stated
from .tokens import MOST_DIGITS, NAME, NOT_FINITE, NUMBER, TextToken, Tokens


def parse(text: str) -> Spec:
    """The Spec that a text writes, in XLA's shape notation.

    A tensor is its dtype, its sizes, and in braces its axes from the fastest to the slowest.

    Args:
        text: calls, which nest: "softmax(matmul(f32[8,16], f32[16,4]), axis=-1)". `%x: f32[8,8]` names an input, `%x`
            is it again; `const` marks a weight; `<=8` is a size known only up to a bound; `-> f32[8]` the result.

    Raises:
        SpecError: it is none; the message has the column.

    Examples:
        >>> spec = gt.parse("matmul(bf16[8,16], const bf16[16,4]{0,1}) -> f32[8,4]")
        >>> spec.output.shape
        (8, 4)
    """
    if not isinstance(text, str):
        raise SpecError(f"expected a Spec as text, found {text!r}; write one like matmul(f32[8,8], f32[8,8])")
    parser = Parser(text)
    is_list = parser.token.text == OUTPUTS
    spec = parser.outputs() if is_list else parser.closed(parser.opened())
    parser.expect("", "the end of the Spec", "remove what follows it")
    if is_list or parser.names:  # with the names that it was written with
        said = " ".join(text.split())
        said = said if is_list or parser.has_result else f"{said} -> {spec.output}"
        assert spec.written is not None
        written(spec, replace(spec.written, said=said))
    return spec


@dataclass
class Opened:
    """A call that is being read: where it starts and what was read of it. The attribute that the next operand is (""
    where it is none), and the name that its result has ("" where it has none)."""

    start: TextToken
    form: Form
    name: str = ""
    operands: list[TensorType | Spec | float] = field(default_factory=list)
    attributes: dict[str, object] = field(default_factory=dict)
    key: str = ""

    def take(self, operand: TensorType | Spec | float) -> None:
        if self.key:
            self.attributes[self.key] = operand
        else:
            self.operands.append(operand)
        self.key = ""


class Parser(Tokens):
    """Reads calls without recursion: they nest as deep as they like. An input, or what a call gives, that has a name is
    one and the same wherever it stands."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.names: dict[str, Any] = {}
        self.has_result = False  # the call parsed last had a "-> type"

    def outputs(self) -> Spec:
        """Several calls; each gives one result of the Spec."""
        start = self.take()
        calls: list[Any] = []  # what is no call is told by `outputs`
        self.expect("(")
        for _ in self.separated(")", "separate outputs by a comma and close the list"):
            found = self.operand()
            calls.append(self.closed(found) if isinstance(found, Opened) else found)
        return self.located(start, lambda: outputs(*calls))

    def opened(self, name: str = "") -> Opened:
        """The head of a call, whose result has this name."""
        start, form = self.token, self.form()
        self.expect("(")
        return Opened(start, form, name)

    def closed(self, first: Opened) -> Spec:
        """What a call gives whose head was read."""
        stack = [first]
        while True:
            call = stack[-1]
            if self.accept(")"):
                spec = self.built(call)
                if call.name:
                    self.names[call.name] = spec
                stack.pop()
                if not stack:
                    return spec
                stack[-1].take(spec)
                continue
            found = self.item(call)
            if isinstance(found, Opened):
                stack.append(found)
            elif found is not None:
                call.take(found)

    def item(self, call: Opened) -> TensorType | Spec | float | Opened | None:
        """The next operand of a call, or the head of one that is a call; None after an attribute."""
        if call.operands or call.attributes:
            self.expect(",", "',' or ')'", "separate operands by a comma and close the call")
        if self.ahead == "=":
            return self.attribute(call)
        name, form = call.start.text, call.form
        if len(call.operands) == form.operands and not form.more:
            raise self.error(f"{form.operands} operand{'s' * (form.operands > 1)} for {name}", "remove the rest")
        if len(call.operands) in form.numbers and NUMBER.match(self.token.text):
            return self.integer("a whole number", MOST_DIGITS)
        if len(call.operands) in form.reals and (NUMBER.match(self.token.text) or self.token.text in NOT_FINITE):
            return self.number("a number")
        return self.operand()

    def form(self) -> Form:
        name = self.token.text
        found = form_of(name)
        if found is None:
            supported = f"supported: {' '.join(forms())}"
            raise self.error("an operation", f"{OUTPUTS}(..) stands around all calls" if name == OUTPUTS else supported)
        self.take()
        return found

    def attribute(self, call: Opened) -> TensorType | Spec | float | Opened | None:
        """Reads an attribute of a call; of one that is a tensor, returns what stands there."""
        name, form, known = call.start.text, call.form, (*call.form.attributes, *call.form.tensors)
        if self.token.text not in known:
            raise self.error(
                f"an attribute of {name}" if known else f"no attributes for {name}",
                f"it takes: {' '.join(known) or 'none'}",
            )
        if self.token.text in call.attributes:
            raise self.error(f"{self.token.text} once", "remove one")
        if self.token.text in form.tensors and len(call.operands) < form.operands:
            raise self.error(f"{form.operands} operands for {name} before {self.token.text}", "write it after them")
        key = self.take().text
        self.expect("=")
        if key in form.tensors:
            call.key = key
            return self.operand()
        call.attributes[key] = self.value()
        return None

    def value(self):
        if self.accept("("):
            items = self.separated(")", "close the tuple", trailing=True)
            return tuple(self.value() if self.token.text == "(" else self.number("a number") for _ in items)
        if NAME.match(self.token.text) and self.token.text not in NOT_FINITE:
            word = self.take().text
            return {"true": True, "false": False, "True": True, "False": False}.get(word, word)
        return self.number("a value (a number, a tuple like (0,2), a word)")

    def operand(self) -> TensorType | Spec | Opened:
        """A tensor, a value that has a name, or the head of a call."""
        if self.token.text == "%":
            return self.named()
        if self.token.text in DTYPES or self.token.text == "const":
            return self.type()
        if form_of(self.token.text):
            return self.opened()
        if self.token.text == OUTPUTS:
            raise self.error("a dtype or an operation", f"{OUTPUTS}(..) stands around all calls")
        if NAME.match(self.token.text):
            raise self.error(f"a dtype ({' '.join(DTYPES)}) or an operation", "write an operand like f32[8,8]")
        raise self.error("an operand", "write a type like f32[8,8], a name like %x, or a call")

    def named(self) -> TensorType | Spec | Opened:
        self.expect("%")
        start = self.at
        if not NAME.match(self.token.text):
            raise self.error("a name after '%'", "write one like %x")
        name = self.take().text
        if not self.accept(":"):
            if name not in self.names:
                self.at = start
                raise self.error("a name given before", f"give it a type where it first appears: %{name}: f32[8,8]")
            return self.names[name]
        if name in self.names:
            self.at = start
            raise self.error("each name to be given once", f"write %{name} alone")
        if self.token.text not in DTYPES and self.token.text != "const":
            return self.opened(name)
        self.names[name] = found = replace(self.type(), name=f"%{name}")
        return found

    def built(self, call: Opened) -> Any:
        """What one call that was read gives, of the result type where one is written."""
        start, form, operands = call.start, call.form, call.operands
        if len(operands) < form.operands:
            self.at -= 1
            raise self.error(f"{form.operands} operands for {start.text}", f"there are {len(operands)}; add the rest")
        self.has_result = self.token.text == "->"
        if not self.has_result:
            if start.text == "cast":
                raise self.error("'->' and the type to cast to", "write cast(f32[8]) -> bf16[8]")
            if form.shaped:
                example = "f32[2,8]" if start.text == "broadcast" else "f32[2,4]"
                raise self.error("'->' and the type of the result", f"write {start.text}(f32[8]) -> {example}")
            return self.located(start, lambda: self.made(call))[0]
        self.take()
        at = self.token
        result = self.type()
        if result.constant:
            raise SpecError(f"expected a result type without const, found {result} at column {at.column}; remove const")
        shape: dict[str, Any] = {"shape": stated(result)} if form.shaped else {}
        make = partial(self.made, call, **shape, dtype=result.dtype)
        laid_out = partial(make, layout=result.minor_to_major)
        try:
            found, type = laid_out()
        except SpecError:  # perhaps for the layout alone, which is for another shape: that is worth saying first
            found, type = self.located(start, make)
        if (type.shape, type.dynamic_axes) != (result.shape, result.dynamic_axes):
            raise SpecError(
                f"expected {_like(result, type)} as the result of {start.text}, found {result} at column"
                f" {at.column}; write that, or leave it out"
            )
        return found if type.minor_to_major == result.minor_to_major else self.located(start, laid_out)[0]

    def made(self, call: Opened, **told: Any) -> tuple[Any, TensorType]:
        """The result of a call with these attributes of its result, and the type of that."""
        spec = call.form.constructor(*call.operands, **call.attributes, **told)
        return spec, spec.output


def _like(result: TensorType, output: TensorType) -> TensorType:
    return replace(
        result, shape=output.shape, minor_to_major=row_major(output.rank), dynamic=output.dynamic, tied=output.tied
    )


def spec_of(given: object) -> Spec:
    """The Spec that is given as itself, as text, or as several that it is the `outputs` of; SpecError where it is none
    of these."""
    if isinstance(given, str):
        return parse(given)
    if isinstance(given, (tuple, list)):
        return outputs(*given)
    if not isinstance(given, Spec):
        raise SpecError(
            f"expected a Spec or its text, found {type(given).__name__}; build one with gt.parse or gt.matmul"
        )
    return given


def interpret(spec: Spec | str | Sequence[Spec], *arrays: Any) -> Any:
    """What a Spec means, computed in NumPy: slow, nearly exact, the reference for kernels.

    Args:
        spec: a Spec, its text, or several Specs, each one output.
        *arrays: one for each input, of its dtype and shape; strides are free. A dynamic size is that of the arrays.
            For a scalar also a number of Python, NumPy or ml_dtypes.

    Returns:
        The result, in the layout of the Spec's output; of several outputs a tuple.

    Raises:
        SpecError: an array does not fit its input, or the text is no Spec.

    Examples:
        >>> gt.interpret("sum(f32[2,3], axis=1)", np.ones((2, 3), np.float32))
        array([3., 3.], dtype=float32)
    """
    return reference.interpret(spec_of(spec), *arrays)
