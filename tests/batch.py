"""Many programs compiled as one unit, without the optimizer's last passes: a tenth of the time that they take one by
one."""

from __future__ import annotations

from collections.abc import Sequence

from features import skip_without
from griotte.codegen.emit import UnitWriter
from griotte.codegen.model import add_model
from griotte.compiler.programs import Program, signature
from griotte.models.program import ModelProgram
from griotte.runtime.kernel import Kernel, kernel_of
from griotte.runtime.model import ModelKernel, packed
from griotte.runtime.model import kernel_of as model_kernel_of
from griotte.runtime.saved import Library
from griotte.runtime.signature import Signature, TensorArg
from griotte.runtime.toolchain import compile_shared


def kernels_of(programs: Sequence[Program]) -> list[Kernel]:
    """A kernel of each program; all are for one target. Skips where this CPU does not run it."""
    target = programs[0].target
    assert all(program.target.flags == target.flags for program in programs)
    skip_without(target.features)
    writer = UnitWriter(target)
    functions = [program.written(writer, f"program{i}") for i, program in enumerate(programs)]
    source = writer.source("\n".join(str(program.spec) for program in programs))
    path = compile_shared(source, target.flags, extra_flags=("-O1",))
    made = zip(programs, functions)
    given = [(writer.header(f), signature(p.spec, f.name, f.packs), p.cost) for p, f in made]
    return [
        kernel_of(Library(source, header, signed, path, target.features, {"cost": cost}))
        for header, signed, cost in given
    ]


def model_kernels_of(programs: Sequence[ModelProgram]) -> list[ModelKernel]:
    """A kernel of each model; all are for one target. Skips where this CPU does not run it."""
    if not programs:
        return []
    target = programs[0].target
    assert all(program.target.flags == target.flags for program in programs)
    skip_without(target.features)
    writer, made = UnitWriter(target), []
    for i, program in enumerate(programs):
        graph, name = program.graph, f"model{i}"
        size = None if graph.bound is None else (graph.least, graph.bound)
        made.append(add_model(writer, program.sequence, name, name, False, size))
    source = writer.source("models")
    path = compile_shared(source, target.flags, extra_flags=("-O1",))
    found = []
    for program, function in zip(programs, made):
        inputs = tuple(TensorArg.of(value.name, value.type) for value in program.graph.inputs)
        output, *further = (TensorArg.of(name, value.type) for name, value in program.graph.results)
        signed = Signature(function.name, inputs, output, tuple(further), program.graph.least)
        library = Library(source, "", signed, path, target.features, {}, None, function.packs[0].bytes)
        found.append(model_kernel_of(library, packed(library, program.arrays())))
    return found
