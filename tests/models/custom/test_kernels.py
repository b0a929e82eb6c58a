"""What is written by hand has the sizes of its arrays in its C: of a size known only up to a bound none of it is used,
and what would be all the same is refused."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.codegen.emit import UnitWriter
from griotte.codegen.model import add_model
from griotte.engine.program.sequence import Sequence
from griotte.engine.program.sequence_parts import SequencePart, Stage
from griotte.lang.types.dtypes import dtype
from griotte.machine import resolve
from griotte.models import parse_graph, reference
from griotte.models.custom.concatenated import CopiedByRows
from griotte.models.custom.kernels import CUSTOM_KERNELS, is_alone, serving
from griotte.support.errors import NoProgramError
from guarded import guarded

WITHIN = ("rows within images", "one behind the other")  # of which the size is along an axis within others
OPEN = {
    "rows": "%a: f32[<=9,10], %b: f32[<=9,6]) { %y = concat(%a, %b, axis=1)",
    "halves of f16": "%a: f16[<=9,2,5], %b: f16[<=9,2,3]) { %c = relu(%a) %d = neg(%b) %y = concat(%c, %d, axis=-1)",
    "channels": "%a: u8[<=9,3,4,4], %b: u8[<=9,5,4,4]) { %y = concat(%a, %b, axis=1)",
    "rows within images": "%a: f32[2,3,<=9,4], %b: f32[2,5,<=9,4]) { %y = concat(%a, %b, axis=1)",
    "one behind the other": "%a: s64[3,<=9], %b: s64[2,<=9]) { %y = concat(%a, %b, axis=0)",
    "rotary": "%a: f64[<=9,2,8]) { %l = slice(%a, starts=(0,0,0), limits=(9,2,4)) %r = slice(%a, starts=(0,0,4),"
    " limits=(9,2,8)) %n = neg(%r) %y = concat(%n, %l, axis=2)",
}


@pytest.mark.parametrize("name", OPEN)
def test_concats_of_an_open_size_write_what_a_call_has(name: str):
    """Those whose rows lie one after the other along the size are copied by as many as a call has; others searched."""
    calls, is_copied = OPEN[name], name not in WITHIN
    graph = parse_graph(f"model({calls} return y=%y }}")
    assert [value.call for value in graph.calls if is_alone(value)] == ["concat"] * is_copied
    kernel = gt.compile(graph, "portable", table="none")
    takes, gives = ([value.type for value in values] for values in (graph.inputs, graph.outputs))
    for size in (1, 4, 9):
        arrays = [_drawn(type, size) for type in takes]
        (found,), (expected,) = guarded(kernel, takes, gives, arrays, size), reference.interpret(graph, *arrays)
        np.testing.assert_array_equal(found, expected)


def _drawn(type, size: int) -> np.ndarray:
    shape = [size if axis in type.dynamic_axes else n for axis, n in enumerate(type.shape)]
    return np.random.default_rng(size).integers(0, 100, shape).astype(dtype(type.dtype).numpy)


def test_custom_kernels_are_asked_of_an_open_size_where_they_say_so():
    fixed, open = gt.tensor((4, 8)), gt.tensor((4, "<=8"))
    assert serving([fixed]) == CUSTOM_KERNELS and [type(each) for each in serving([fixed, open])] == [CopiedByRows]


def test_threads_share_the_rows_of_a_call():
    text = "model(%a: f32[<=64,3,4000], %b: f32[<=64,3,2000]) { %y = concat(%a, %b, axis=2) return y=%y }"
    program = gt.synthesize(parse_graph(text), "portable", threads=2, table="none")
    assert "griotte_share_out" in program.to_c() and "m * 3 * share / 2" in program.to_c()
    takes, gives = ([value.type for value in values] for values in (program.graph.inputs, program.graph.outputs))
    kernel = program.compile()
    for size in (1, 5, 64):
        arrays = [_drawn(type, size) for type in takes]
        (found,) = guarded(kernel, takes, gives, arrays, size)
        np.testing.assert_array_equal(found, np.concatenate(arrays, 2))


def test_a_stage_that_does_not_take_the_size_is_refused_over_one():
    def sequence(is_sized: bool) -> Sequence:
        types = gt.tensor(("<=8", 4)), gt.tensor(("<=8", 4))
        source = lambda library, target, name: f"static void {name}(int64_t m, const float *x0, float *y0)\n{{\n}}\n"
        stage = Stage("by hand", 1.0, 1, source, is_sized)
        return Sequence(types, 1, (1,), (None, None), (SequencePart((0,), (1,), stage),))

    target = resolve("portable")
    function = add_model(UnitWriter(target), sequence(True), "f", "", False, (1, 8))
    assert function.name == "f"
    with pytest.raises(NoProgramError, match=r"takes a dynamic size, found 'by hand' over f32.<=8,4., in f;"):
        add_model(UnitWriter(target), sequence(False), "f", "", False, (1, 8))
