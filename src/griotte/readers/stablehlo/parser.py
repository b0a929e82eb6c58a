"""The text of a StableHLO module as its operations.

Operations are read by one grammar, whatever they are called: names of operands, words, `key = value`, attributes in
braces, regions, then types. What they mean is said elsewhere.
"""

from __future__ import annotations

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
                    results = tuple(operation.operands)
                else:
                    operations.append(operation)
            return Region(inputs, tuple(operations), results)

    def operation(self) -> StableHloOperation:
        line, results = self.here, self._given_names()
        name = self.advance().strip('"') if self.kind in ("word", "string") else ""
        if not name:
            raise self.wrong("an operation")
        op = StableHloOperation(name, results, line)
        op.operands += self._parts(op)
        op.takes, op.gives = self._types(len(results)) if self.accept(":") else ((), ())
        self._regions_behind(op)
        self.place()
        op.attributes = {key: made(value, line) for key, value in op.attributes.items()}
        if "dense" in op.attributes and len(op.gives) == 1:
            op.attributes["value"] = dense(op.attributes.pop("dense"), op.gives[0], line)
        return op

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

    def _parts(self, op: StableHloOperation) -> list[str]:
        """All that stands between an operation's name and its types; the operands that come after its others."""
        later: list[str] = []
        while self.token != ":" and self.kind != "end":
            if self.kind == "name":
                op.operands.append(self.advance())
            elif self.kind == "word":
                self._word(op)
            elif self.kind in ("symbol", "dense", "number", "string"):
                op.attributes.setdefault({"symbol": "callee"}.get(self.kind, self.kind), self.advance())
            elif self.accept("("):
                later += self._within(op)
            elif self.accept("["):
                op.attributes["ranges"] = self.listed("]", self.range)
            elif self.accept("<"):
                op.attributes.update(self.dictionary())
                self.expect(">")
            elif self.token == "{":
                op.attributes.update(self.dictionary())
            elif self.token == "}" and op.name in RETURNS:
                break
            elif not self.accept(","):
                raise self.wrong("what an operation is given, or ':'")
        return later

    def _word(self, op: StableHloOperation) -> None:
        if self.token == "loc" or (self.token.startswith("#") and self.text[self.end : self.end + 1] == "<"):
            self.place() if self.token == "loc" else self.value()
            return
        word = self.advance()
        if self.accept("="):
            op.attributes[word] = self.joined_values()
        else:
            op.words.append(word)

    def _within(self, op: StableHloOperation) -> list[str]:
        """In parentheses: regions, or names, equal to one that a region has or after a word; the latter."""
        later: list[str] = []
        while not self.accept(")"):
            if self.token == "{":
                op.regions.append(self.block())
            elif self.kind == "name":
                name = self.advance()
                if self.accept("="):
                    op.arguments.append(name)
                    name = self.take("name", "the name of a value")
                op.operands.append(name)
            elif self.kind == "word":
                word = self.advance()
                if self.accept("="):
                    op.attributes[word] = self.value()
                elif self.accept(":"):
                    later.append(self.take("name", "the name of a value"))
            elif not self.accept(","):
                raise self.wrong("names, or ')'")
        return later

    def _types(self, count: int) -> tuple[tuple[ArrayType, ...], tuple[ArrayType, ...]]:
        """What it takes and gives; one type alone is that of all."""
        if self.accept("("):
            takes = self.listed(")", self.type)
            self.expect("->")
            return tuple(takes), self.results()
        types = [self.type()]
        while self.accept(","):
            types.append(self.type())
        if self.accept("->"):
            return tuple(types), self.results()
        return (), tuple(types) if len(types) == count else (types[-1],) * max(1, count)

    def _regions_behind(self, op: StableHloOperation) -> None:
        """`reducer(..) (..) {..}`, or `cond {..} do {..}`."""
        if self.accept("reducer"):
            pairs = []
            while self.accept("("):
                pairs.append(self.inputs())
            sides = [tuple(side) for side in zip(*pairs, strict=False)] if pairs else []
            op.regions.append(self.block(tuple(each for side in sides for each in side)))
        if self.accept("attributes"):
            op.attributes.update(self.dictionary())
        while self.accept("cond") or self.accept("do"):
            region = self.block()
            op.regions.append(
                Region(tuple((n, ArrayType("", ())) for n in op.arguments), region.operations, region.results)
            )
