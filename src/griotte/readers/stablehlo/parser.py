"""The text of a StableHLO module as its operations.

Operations are read by one grammar, whatever they are called: names of operands, words, `key = value`, attributes in
braces, regions, then types. What they mean is said elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...support.errors import SpecError
from ...support.printable import printable
from .module import ArrayType, Module, Region, StableHloOperation
from .values import ValueParser, dense, made

RETURNS = ("return", "func.return", "stablehlo.return")
MOST_TEXT = 1 << 30  # characters


def parsed(text: str) -> Module:
    """The module that a text is.

    Raises:
        SpecError: it is none; the message has the line.
    """
    if not isinstance(text, str):
        raise SpecError(f"expected the text of a StableHLO module, found {type(text).__name__}; pass its text")
    if len(text) > MOST_TEXT:
        raise SpecError(f"expected at most {MOST_TEXT:,} characters of StableHLO, found {len(text):,}; make it smaller")
    return ModuleParser(text).module()


@dataclass
class OperationParts:
    """What was read of an operation so far.

    Attributes:
        later: operands that stand behind the others.
        inner: names of what its regions take.
    """

    operands: list[str] = field(default_factory=list)
    later: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    attributes: dict[str, Any] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)


class ModuleParser(ValueParser):
    """Reads a module from its start to its end."""

    # ---- the module --------------------------------------------------------------------------------------------------

    def module(self) -> Module:
        functions: dict[str, Region] = {}
        self._places()
        is_wrapped = self.accept("module")
        if is_wrapped:
            while self.token != "{" or self.kind != "mark":
                if self.accept("attributes"):
                    self.value()
                else:
                    self.take("symbol", "the name of a module, or '{'")
            self.advance()
        while self.token != "}" if is_wrapped else self.kind != "end":
            if self.kind == "word" and self.token.startswith(("#", "sdy.")):
                self._line()
                continue
            name, region = self.function()
            if name in functions:
                raise SpecError(f"expected functions of other names, found @{printable(name)} twice; name one anew")
            functions[name] = region
        if not functions:
            raise self.wrong("func.func")
        if is_wrapped:
            self.expect("}")
            self.place()
            self._places()
        if self.kind != "end":
            raise self.wrong("the end")
        return Module(functions, "main" if "main" in functions else next(iter(functions)))

    def _places(self) -> None:
        """Leave out names of places where operations were written."""
        while self.kind == "word" and self.token.startswith("#"):
            self._line()

    def _line(self) -> None:
        """Leave out the rest of a line."""
        end = self.text.find("\n", self.start)
        self.end = len(self.text) if end < 0 else end
        self.advance()

    def function(self) -> tuple[str, Region]:
        self.expect("func.func")
        while self.accept("public") or self.accept("private"):
            pass
        name = self.take("symbol", "the name of a function")[1:]
        self.expect("(")
        inputs = self.inputs()
        if self.accept("->"):
            self.results()
        if self.accept("attributes"):
            self.value()
        region = self.block(inputs)
        self.place()
        return name, region

    def inputs(self) -> tuple[tuple[str, ArrayType], ...]:
        """`%x: type {..}, ..)`"""
        return tuple(self.listed(")", self._input))

    def _input(self) -> tuple[str, ArrayType]:
        name = self.take("name", "the name of an input")
        self.expect(":")
        type = self._annotated_type()
        self.place()
        return name, type

    def results(self) -> tuple[ArrayType, ...]:
        """One type, or several in parentheses, with attributes."""
        return tuple(self.listed(")", self._annotated_type)) if self.accept("(") else (self.type(),)

    def _annotated_type(self) -> ArrayType:
        type = self.type()
        if self.token == "{":
            self.value()
        return type

    # ---- operations --------------------------------------------------------------------------------------------------

    def block(self, inputs: tuple[tuple[str, ArrayType], ...] = ()) -> Region:
        """`{ operations, return }`"""
        with self.nested():
            self.expect("{")
            if self.kind == "word" and self.token.startswith("^"):
                self.advance()
                if self.accept("("):
                    inputs = self.inputs()
                self.expect(":")
            operations: list[StableHloOperation] = []
            results: tuple[str, ...] = ()
            while not self.accept("}"):
                operation = self.operation()
                if operation.name in RETURNS:
                    results = operation.operands
                else:
                    operations.append(operation)
            return Region(inputs, tuple(operations), results)

    def operation(self) -> StableHloOperation:
        line, results = self.here, self._given_names()
        name = self.advance().strip('"') if self.kind in ("word", "string") else ""
        if not name:
            raise self.wrong("an operation")
        reading = OperationParts()
        self._parts(reading, name)
        takes, gives = self._types(reading, len(results), line) if self.accept(":") else ((), ())
        self._regions_behind(reading)
        self.place()
        attributes = {key: made(value, line) for key, value in reading.attributes.items()}
        if "dense" in attributes and len(gives) == 1:
            attributes["value"] = dense(attributes.pop("dense"), gives[0], line)
        return StableHloOperation(
            name,
            results,
            tuple(reading.operands),
            attributes,
            tuple(reading.words),
            tuple(reading.regions),
            takes,
            gives,
            line,
        )

    def _given_names(self) -> tuple[str, ...]:
        """`%x, %y:2 =`; of several by one name each has a number."""
        names = self.listed("=", self._given_name) if self.kind == "name" else []
        return tuple(name for each in names for name in each)

    def _given_name(self) -> list[str]:
        name = self.take("name", "the name of a result")
        if not self.accept(":"):
            return [name]
        count = int(self.take("number", "how many results"))
        if not 0 < count <= 1 << 16:
            raise SpecError(f"expected 1 to 65,536 results, found {count:,}, at line {self.here}")
        return [f"{name}#{n}" for n in range(count)]

    def _parts(self, reading: OperationParts, name: str) -> None:
        """All that stands between an operation's name and its types."""
        while self.token != ":" and self.kind != "end":
            if self.kind == "name":
                reading.operands.append(self.advance())
            elif self.kind == "word":
                self._word(reading)
            elif self.kind in ("symbol", "dense", "number", "string"):
                reading.attributes.setdefault({"symbol": "callee"}.get(self.kind, self.kind), self.advance())
            elif self.accept("("):
                self._within(reading)
            elif self.accept("["):
                reading.attributes["ranges"] = self.listed("]", self.range)
            elif self.accept("<"):
                reading.attributes.update(self.dictionary())
                self.expect(">")
            elif self.token == "{":
                reading.attributes.update(self.dictionary())
            elif self.token == "}" and name in RETURNS:
                return
            elif not self.accept(","):
                raise self.wrong("what an operation is given, or ':'")

    def _word(self, reading: OperationParts) -> None:
        if self.token == "loc" or (self.token.startswith("#") and self.text[self.end : self.end + 1] == "<"):
            self.place() if self.token == "loc" else self.value()
            return
        word = self.advance()
        if self.accept("="):
            reading.attributes[word] = self.joined_values()
        else:
            reading.words.append(word)

    def _within(self, reading: OperationParts) -> None:
        """In parentheses: regions, or names, after a word or equal to one that a region has."""
        while not self.accept(")"):
            if self.token == "{":
                reading.regions.append(self.block())
            elif self.kind == "name":
                name = self.advance()
                if self.accept("="):
                    reading.inner.append(name)
                    name = self.take("name", "the name of a value")
                reading.operands.append(name)
            elif self.kind == "word":
                word = self.advance()
                if self.accept("="):
                    reading.attributes[word] = self.value()
                elif self.accept(":"):
                    reading.later.append(self.take("name", "the name of a value"))
            elif not self.accept(","):
                raise self.wrong("names, or ')'")

    def _types(
        self, reading: OperationParts, count: int, line: int
    ) -> tuple[tuple[ArrayType, ...], tuple[ArrayType, ...]]:
        """What it takes and gives; one type alone is that of all."""
        if self.accept("("):
            takes = self.listed(")", self.type)
            self.expect("->")
            return tuple(takes), self.results()
        result = [self.type()]
        while self.accept(","):
            result.append(self.type())
        if self.accept("->"):
            return tuple(result), self.results()
        return (), tuple(result) if len(result) == count else (result[-1],) * max(1, count)

    def _regions_behind(self, reading: OperationParts) -> None:
        """`reducer(..) (..) {..}`, or `cond {..} do {..}`."""
        if self.accept("reducer"):
            pairs = []
            while self.accept("("):
                pairs.append(self.inputs())
            sides = [tuple(side) for side in zip(*pairs, strict=False)] if pairs else []
            reading.regions.append(self.block(tuple(each for side in sides for each in side)))
        if self.accept("attributes"):
            reading.attributes.update(self.dictionary())
        while self.accept("cond") or self.accept("do"):
            region = self.block()
            reading.regions.append(
                Region(tuple((n, ArrayType("", ())) for n in reading.inner), region.operations, region.results)
            )
        reading.operands += reading.later
