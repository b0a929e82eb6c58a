"""A Sequence as standalone C: a static function for each program, and one that calls them, whose buffers are its
thread's.

Each constant's packed data lie in a buffer of their own. A model's constants all lie in one, `weights`, which one
function fills and a call reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from ..engine.program.sequence import Sequence
from ..engine.program.sequence_parts import AnyPart, SequenceFork, SequenceLoop, SequencePart, Stage, Turn
from ..engine.vectors.text import braced, for_loop, offset
from ..lang.calls.spec import Spec
from ..lang.nests.family import LINE
from ..lang.types.dynamic import Dynamic, is_pitched
from ..lang.types.tensor import TensorType
from ..support.errors import NoProgramError
from .ahead import Pack
from .emit import EmittedFunction, ExportedFunction, UnitWriter, lying
from .header import Header
from .scratch import STACK


def add_sequence(writer: UnitWriter, sequence: Sequence, spec: Spec, name: str) -> EmittedFunction:
    """Write a Spec that is a sequence of programs as the exported function `name`."""
    return SequenceWriter(sequence, name, writer, str(spec), spec.dynamic).added()


class SequenceWriter:
    """Writes a sequence as one function, `comment` its title; a dynamic size is `least` at least."""

    def __init__(
        self, sequence: Sequence, name: str, writer: UnitWriter, comment: str, dynamic: Dynamic | None, least: int = 1
    ):
        self.sequence, self.name, self.writer, self.comment, self.dynamic = sequence, name, writer, comment, dynamic
        self.least = least
        self._functions: dict[tuple[int, frozenset[int]], EmittedFunction] = {}
        self._forks: list[SequenceFork] = []  # that were written
        for each in (each for loop in sequence.loops for each in loop.carried):
            self._check_sizes("what a loop carries", (each.first, each.room))
        for part in sequence.programs:
            if self._form(part) not in self._functions:
                self._functions[self._form(part)] = self._written(part, f"{name}_{len(self._functions)}")
        self._sections = {i: dict(self._sections_of(i)) for i in range(sequence.inputs) if self._is_packed(i)}

    def _written(self, part: SequencePart, name: str) -> EmittedFunction:
        if isinstance(part.root, Stage):
            if not part.root.is_sized:
                self._check_sizes(repr(part.root.title), (*part.reads, *part.gives))
            return self.writer.add_stage(part.root, name)
        return self.writer.add(part.root, part.spec, name, False, self.sequence.in_place(part))

    def _check_sizes(self, what: str, tensors: Iterable[int]) -> None:
        """NoProgramError for C that does not take the size of a call, over tensors that have one: it would touch memory
        beyond that."""
        if (type := next((t for t in map(self.sequence.types.__getitem__, tensors) if t.dynamic_axes), None)) is None:
            return
        raise NoProgramError(
            f"expected C that takes a dynamic size, found {what} over {type}, in {self.name}; write a number as"
            " the size"
        )

    def added(self) -> EmittedFunction:
        """The exported function; it takes each constant's packed data in place of the constant."""
        packs, inputs = [self._pack(i) for i in self._sections], range(self.sequence.inputs)
        formals = [f"const void *packed_x{i}" if i in self._sections else self._formal(i) for i in inputs]
        body = [*self._workspace(), *self._lines(self.sequence.called)]
        header = self._header(formals, inputs, packs, body)
        return EmittedFunction(self.name, header, tuple(packs), self._threads)

    def _formal(self, i: int) -> str:
        return f"const {self.writer.library.scalar(self.sequence.types[i].dtype)} *x{i}"

    @cached_property
    def _outputs(self) -> dict[int, str]:
        """What results are called in C."""
        results = self.sequence.results
        return {t: "y" if len(results) == 1 else f"y{n}" for n, t in enumerate(results)}

    def _header(
        self, formals: list[str], inputs: Iterable[int], packs: list[Pack], body: list[str], last: Iterable[str] = ()
    ) -> Header:
        """Export a function. Its arguments: the dynamic size, where there is one, these formals, the results and the
        `last` formals. Its header says the bytes of these inputs and of the results."""
        types = self.sequence.types
        results = [f"{self.writer.library.scalar(types[t].dtype)} *{n}" for t, n in self._outputs.items()]
        formals = [*["int64_t m"] * bool(self.dynamic), *formals, *results]
        prototype = f"void {self.name}({', '.join([*formals, *last])})"
        named = [(f"x{i}", types[i]) for i in inputs] + [(n, types[t]) for t, n in self._outputs.items()]
        function = ExportedFunction(self.name, prototype, packs, body, self.comment)
        return self.writer.export(function, named, self._sizes(dict(named)))

    def _form(self, part: SequencePart) -> tuple[int, frozenset[int]]:
        """What tells the functions of programs apart."""
        return id(part.root), self.sequence.in_place(part)

    def _function(self, part: SequencePart) -> EmittedFunction:
        """The function that a part's program is."""
        return self._functions[self._form(part)]

    @property
    def _threads(self) -> int:
        forks = (len(fork.parts) for fork in self._forks)
        return max((*(f.threads for f in self._functions.values()), *forks), default=1)

    def _sizes(self, named: dict[str, TensorType]) -> list[str]:
        """What the header says of a dynamic size."""
        if self.dynamic is None:
            return []
        bound = f"{self.name.upper()}_M"
        size = (
            f"m: the dynamic size, {self.least} to {bound}; other values do nothing. BYTES are those of the largest m."
        )
        apart = [n for n, t in named.items() if is_pitched(t.shape, t.minor_to_major, *t.dynamic_axes)]
        return [f"/* {size}{lying(apart, bound)} */", f"#define {bound} {self.dynamic.bound}"]

    # ---- constants, ahead of the call --------------------------------------------------------------------------------

    def _is_packed(self, i: int) -> bool:
        """Whether something of constant i is made ahead of the call."""
        return self.sequence.types[i].constant and any(key != ("given", i) for key, _ in self._sections_of(i))

    def _sections_of(self, i: int) -> Iterator[tuple[tuple, int]]:
        """(what, its place in bytes) of each part of constant i's packed data: the constant as given, the results
        computed from it, and the forms that programs take packed, each once."""
        sizes: dict[tuple, int] = {}
        sequence = self.sequence
        if any(sequence.source(each.first) == i for loop in sequence.loops for each in loop.carried):
            sizes["given", i] = sequence.types[i].bytes
        for part in sequence.programs:
            ahead = sequence.is_ahead(part)
            packed = {pack.operand: pack for pack in self._function(part).packs}
            for j, t in enumerate(part.reads):
                source = sequence.source(t)
                if i not in (sequence.constants[t], source) or ahead:  # a loop's part of a constant is none itself
                    continue
                if j in packed:
                    sizes[self._key(part, j)] = packed[j].bytes
                elif source == i:
                    sizes["given", i] = sequence.types[i].bytes
            if ahead and sequence.constants[part.gives[0]] == i:
                sizes |= {("computed", t): sequence.types[t].bytes for t in part.gives}
        at = 0
        for key, size in sizes.items():
            yield key, at
            at += -(-size // LINE) * LINE
        yield ("end", i), at

    def _key(self, part: SequencePart, j: int) -> tuple:
        t = part.reads[j]
        return "packed", self.sequence.lies(t), self._function(part).name, j

    def _pack(self, i: int) -> Pack:
        """The function that makes, of constant i, all that a call reads of it."""
        sequence, sections = self.sequence, self._sections[i]
        T = self.writer.library.scalar(sequence.types[i].dtype)
        lines = []
        if ("given", i) in sections:
            lines.append(
                f"__builtin_memcpy({self._at('packed', sections['given', i])}, x{i}, {sequence.types[i].bytes});"
            )
        for part in sequence.programs:
            if sequence.is_ahead(part) and sequence.constants[part.gives[0]] == i:
                args = [*map(str, part.numbers), *(self._known(i, t) for t in (*part.reads, *part.gives))]
                lines.append(f"{self._function(part).name}({', '.join(args)});")
        done = set()
        for part in sequence.programs:
            for pack in self._function(part).packs if not sequence.is_ahead(part) else ():
                key = self._key(part, pack.operand)
                if key in sections and key not in done:
                    done.add(key)
                    source = self._known(i, part.reads[pack.operand])
                    lines.append(f"{pack.function}({source}, {self._at('packed', sections[key])});")
        function = f"{self.name}_pack_x{i}"
        prototype = f"void {function}(const {T} *x{i}, void *packed_x{i})"
        begin = [f"char *const packed = packed_x{i};"]
        source = "\n".join([f"/* what calls read of x{i}, for {self.name} */", prototype, *braced(begin + lines), ""])
        return Pack(i, function, prototype, max(LINE, sections["end", i]), source, ())

    def _known(self, i: int, tensor: int) -> str:
        """C for a tensor that is constant i or is computed of it, while that is packed."""
        source = self.sequence.source(tensor)
        if source == i:
            return self._moved(f"x{i}", tensor)
        return self._typed(f"packed + {self._place(tensor, self._sections[i]['computed', source])}")

    @staticmethod
    def _at(pointer: str, bytes: int) -> str:
        return f"{pointer} + {bytes}"

    # ---- the call ----------------------------------------------------------------------------------------------------

    def _workspace(self) -> list[str]:
        size = self.sequence.workspace
        if not size:
            return []
        array = f"char {{}}[{size}] __attribute__((aligned({self.writer.library.line})));"
        if size <= STACK:
            return [array.format("work")]
        own = f"{self.name}_workspace"
        self.writer.keep(f"static _Thread_local {array.format(own)}", size)
        return [f"char *work = {own};", '__asm__ volatile("" : "+r"(work));']

    def _lines(self, parts: Iterable[AnyPart], depth: int = 0) -> list[str]:
        """What runs for parts around which so many loops are."""
        lines: list[str] = []
        for part in parts:
            if isinstance(part, SequenceLoop):
                lines += self._loop(part, depth)
            elif isinstance(part, SequenceFork):
                lines += self._fork(part, depth)
            else:
                lines.append(self._call(part))
        return lines

    def _loop(self, loop: SequenceLoop, depth: int) -> list[str]:
        """A loop. Carried values are copied before it to where the first iteration reads them, and after it to where
        they are asked for."""
        sequence, t = self.sequence, f"t{depth}"
        copy = "__builtin_memcpy({}, {}, {});"
        first = [
            copy.format(self._read(each.room), self._read(each.first), sequence.types[each.now].bytes)
            for each in loop.carried
        ]
        last = [
            copy.format(
                self._read(each.last),
                self._read(each.room, loop.trips % 2 * sequence.types[each.room].bytes // 2),
                sequence.types[each.now].bytes,
            )
            for each in loop.carried
            if each.last is not None
        ]
        inner = self._lines(sequence.running(loop.parts), depth + 1)
        return [*first, *for_loop(t, loop.trips, inner), *last]

    def _fork(self, fork: SequenceFork, depth: int) -> list[str]:
        """A fork: its parts are the shares of a function, in one workspace."""
        name, variables = f"{self.name}_fork_{len(self._forks)}", {f"t{d}": "int64_t" for d in range(depth)}
        self._forks.append(fork)
        return self.writer.add_fork(
            name, self._variables | variables, [self._lines([part], depth) for part in fork.parts]
        )

    @cached_property
    def _variables(self) -> dict[str, str]:
        """The C types of the variables that parts are called with, by name."""
        scalar, types = self.writer.library.scalar, self.sequence.types
        given = {f"x{i}": f"const {scalar(types[i].dtype)} *" for i in range(self.sequence.inputs)}
        packed = {f"packed_x{i}": "const void *" for i in self._sections}
        results = {name: f"{scalar(types[t].dtype)} *" for t, name in self._outputs.items()}
        return {"m": "int64_t", "weights": "const void *", "work": "char *"} | given | packed | results

    def _call(self, part: SequencePart) -> str:
        function = self._function(part)
        packed = {pack.operand for pack in function.packs}
        args = ["m"] * self._is_sized(part) + [*map(str, part.numbers)]
        for j, t in enumerate(part.reads):
            args.append(self._packed(part, j) if j in packed else self._read(t))
        args += [self._read(t) for t in part.gives]
        return f"{function.name}({', '.join(args)});"

    @staticmethod
    def _is_sized(part: SequencePart) -> bool:
        """Whether a part's function takes the dynamic size."""
        if isinstance(part.root, Stage):
            return part.root.is_sized
        return part.spec is not None and part.spec.dynamic is not None

    def _packed(self, part: SequencePart, j: int) -> str:
        i = self.sequence.constants[part.reads[j]]
        assert i is not None
        return self._section(i, self._key(part, j))

    def _read(self, tensor: int, further: int = 0) -> str:
        """C for a tensor in a call, or for the place so many bytes further."""
        source = self.sequence.source(tensor)
        if source in self._outputs:
            return self._moved(self._outputs[source], tensor, further)
        i = self.sequence.constants[source]
        if i is not None and i in self._sections:
            key = ("given", i) if source == i else ("computed", source)
            return self._typed(f"{self._section(i, key)} + {self._place(tensor, further)}")
        if source < self.sequence.inputs:
            return self._moved(f"x{source}", tensor, further)
        return self._typed(f"work + {self._place(tensor, further + self.sequence.places[source])}")

    def _section(self, i: int, key: tuple) -> str:
        """C for where something of constant i lies, for a call."""
        return f"(const char *)packed_x{i} + {self._sections[i][key]}"

    def _moved(self, pointer: str, tensor: int, further: int = 0) -> str:
        """C for a tensor that lies at some byte of an array."""
        place = self._place(tensor, further)
        return self._typed(f"(char *){pointer} + {place}") if place != "0" else pointer

    def _place(self, tensor: int, further: int = 0) -> str:
        """C for the byte of its home at which a tensor lies, or the byte so many further on."""
        lying = self.sequence.lies(tensor)
        return offset(*map(_turned, lying.turns), lying.at + further) or "0"

    @staticmethod
    def _typed(pointer: str) -> str:
        return f"(void *)({pointer})"


def _turned(turn: Turn) -> tuple[str, int]:
    """How often a turn has gone, as C, and how many bytes it goes."""
    t = f"t{turn.depth}"
    return {None: t, 1: f"({t} & 1)", 0: f"(~{t} & 1)"}[turn.odd], turn.bytes
