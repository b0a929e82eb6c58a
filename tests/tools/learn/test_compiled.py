"""A draft's library runs, and is what its program's own is, but for where its header was read."""

import griotte as gt
import numpy as np
from griotte.machine import resolve
from griotte.machine.architectures import intrinsics_of
from griotte.machine.intrinsics import Intrinsics
from griotte.runtime.compilers import find_compiler
from griotte.runtime.loading import kernel_of
from griotte.runtime.toolchain import compile_shared
from griotte.tools.learn.compiled import Compiling


def test_drafts_are_compiled_as_their_programs_are():
    program = gt.synthesize("matmul(f32[9,8], const f32[8,17])", "portable", table="none")
    x, w = np.ones((9, 8), np.float32), np.ones((8, 17), np.float32)
    with Compiling(program.target) as compiling:
        first, second = compiling.libraries(program.alternatives(2))
    for library in (first, second):
        assert np.array_equal(kernel_of(library)(x, w), np.full((9, 17), 8, np.float32))
    alone = program.build()
    assert first.signature == alone.signature
    assert first.source.partition("*/")[2] == alone.source.partition("*/")[2]


def test_a_header_is_read_once_and_the_code_is_the_same():
    target = resolve("avx2")
    program = gt.synthesize("exp(f32[12,30])", target, table="none")
    with Compiling(target) as compiling:
        (library,) = compiling.libraries([program])
        more = library.build.more
    assert f"<{intrinsics_of(target.features).header}>" in library.source
    assert bool(more) == (find_compiler().kind == "gcc")
    assert library.path.read_bytes() == compile_shared(library.source, target.flags).read_bytes()


def test_without_the_header_it_is_read_each_time(monkeypatch):
    monkeypatch.setattr("griotte.tools.learn.compiled.intrinsics_of", lambda features: Intrinsics("none.h"))
    program = gt.synthesize("exp(f32[12,30])", "avx2", table="none")
    with Compiling(program.target) as compiling:
        assert compiling.libraries([program])[0].build.more == ()
