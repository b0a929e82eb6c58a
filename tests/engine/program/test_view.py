"""Where the tiles of buffers lie."""

from dataclasses import replace

import griotte as gt
from generated_harness import Case, run
from griotte.engine.program.view import packed_view
from griotte.lang.meaning.agreement import compare
from griotte.lang.nests.access import Access
from griotte.lang.nests.family import Layout, Operand
from machines import machine

TARGET = machine("avx512")


def pitch(columns: int, dtype: str = "f32") -> int:
    view, elements = packed_view("b", Operand(dtype, 1, Layout((1, 0))), Access.of("m k"), (7, columns))
    assert elements >= 6 * view.strides[0] + columns
    return view.strides[0]


def test_rows_of_a_buffer_do_not_fold_onto_few_sets_of_a_cache():
    assert pitch(1024) == 1024 + 16 and pitch(128) == 128 + 16 and pitch(256, "bf16") == 256 + 32
    assert pitch(100) == 100 and pitch(192) == 192 and pitch(1) == 1
    assert all(pitch(n) * 4 % 512 for n in range(1, 2050))


def test_a_buffer_with_rows_apart_is_filled_and_read_right(tmp_path):
    """Whole rows are copied into it, and parts of them read."""
    text = "matmul(f32[9,384], f32[384,48])"
    program = gt.synthesize(gt.schedule(text, TARGET).tile("m", 5).move(0, "L2", compact=True).tile("k", 48))
    assert f"* {384 + 16}" in program.to_c()
    spec = gt.parse(text)
    cases = [Case.drawn(program.root, spec, 3, hostile) for hostile in (False, True)]
    for case, result in zip(cases, run(cases, TARGET, tmp_path)):
        assert compare(spec, case.arrays, result)[1]


def test_panels_have_no_gaps():
    panels = replace(Layout((1, 0)), panel=(1, 32))
    view, _ = packed_view("b", Operand("f32", 1, panels), Access.of("k n"), (64, 128))
    assert view.strides == (32, 1) and view.panel == 64 * 32
