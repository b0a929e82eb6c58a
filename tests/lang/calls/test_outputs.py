"""Specs of several outputs, as they are stated and in canonical form."""

import griotte as gt
import numpy as np
import pytest
from checked import agrees
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.parts import operands_for, parts_at
from griotte.support.errors import SpecError
from machines import machine

X, DELTA, GAIN = gt.tensor((8, 16), name="x"), gt.tensor((8, 16)), gt.tensor((16,))


def residual() -> tuple[gt.Spec, gt.Spec]:
    h = gt.add(X, DELTA)
    return h, gt.rms_norm(h, GAIN)


def test_what_outputs_share_is_computed_once():
    spec = gt.outputs(*residual())
    assert [str(t) for t in spec.outputs] == ["f32[8,16]", "f32[8,16]"] and len(spec.inputs) == 3
    assert spec.bytes == 4 * (8 * 16 * 4 + 16)
    assert gt.outputs(residual()[0]).outputs == (gt.add(X, DELTA).output,)


def test_the_text_form_is_the_same_spec():
    text = "outputs(%h: add(f32[8,16], f32[8,16]), rms_norm(%h, f32[16]))"
    spec = gt.parse(text)
    results = lambda spec: spec.graph.numbers(spec.graph.gives)
    assert str(spec) == text and gt.parse(str(spec)) == spec and results(spec) == results(gt.outputs(*residual()))
    assert gt.parse(str(gt.outputs(gt.exp(DELTA), gt.neg(GAIN)))).outputs == (gt.exp(DELTA).output, gt.neg(GAIN).output)


@pytest.mark.parametrize(
    "calls, complaint",
    [
        ((), "expected each output once, found none; give at least one call"),
        (
            (gt.exp(X), X),
            (
                r"expected a call as an output, found .*f32\[.*; give what gt.matmul and the others return, or gt.copy"
                r" of a tensor"
            ),
        ),
        ((gt.exp(X), 3), "expected a call as an output, found int"),
        ((gt.outputs(gt.exp(X), gt.neg(X)),), "expected a call as an output, found outputs"),
    ],
)
def test_what_is_no_output_is_refused(calls, complaint):
    with pytest.raises(SpecError, match=complaint):
        gt.outputs(*calls)


def test_one_call_is_one_output():
    call = gt.exp(X)
    with pytest.raises(SpecError, match="found the same call twice; leave one out"):
        gt.outputs(call, call)


def test_outputs_stand_outermost():
    with pytest.raises(
        SpecError,
        match="expected a tensor or a call as argument of exp, found outputs.*which gives 2; give one of its calls",
    ):
        gt.exp(gt.outputs(*residual()))


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("outputs()", "found none"),
        ("outputs(exp(f32[8]) exp(f32[8]))", "expected ',' or '\\)', found 'exp' at column 21"),
        ("exp(outputs(exp(f32[8])))", "found 'outputs' at column 5 .*stands around all calls"),
        ("outputs(%a: exp(f32[8]), %a)", "the same call twice"),
        ("outputs(exp(f32[8]), f32[8])", "expected a call as an output"),
        ("outputs(exp(f32[8]), neg(f32[8])) -> f32[8]", "expected the end of the Spec, found '->'"),
    ],
)
def test_text_that_is_no_list_of_outputs_says_where(text, complaint):
    with pytest.raises(SpecError, match=complaint):
        gt.parse(text)


def test_all_but_the_last_are_operands_that_nests_write():
    canonical = canonical_form(gt.outputs(*residual()))
    graph = canonical.operation
    assert canonical.operand_names == ("x0", "x1", "x2", "y0", "y1") and canonical.operand_sources == (0, 1, 2, -2, -3)
    ((tensor, operand),) = graph.placed
    assert operand == 3 and tensor not in graph.unplaced and not graph.readers(tensor)
    (shared,) = (t for t in graph.unplaced if operands_for(graph, t))
    assert operands_for(graph, shared) == (3,) and parts_at(graph, shared, 3)


def test_the_order_is_the_callers():
    h, normed = residual()
    assert canonical_form(gt.outputs(normed, h)).operand_names == ("x0", "x1", "x2", "y1", "y0")


def test_one_output_is_as_it_was():
    canonical = canonical_form(residual()[1])
    assert canonical.operation.placed == () and canonical.operand_names[-1] == "y"


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("order", [1, -1])
def test_programs_give_all_of_them_in_order(order, threads):
    calls = residual()[::order]
    spec = gt.outputs(*calls)
    program = gt.synthesize(calls, machine("avx512"), threads, table="none")
    arrays = random_arrays(spec, np.random.default_rng(0))
    for results in (interpret(program.root, spec, *arrays, target=program.target), gt.interpret(spec, *arrays)):
        agrees(spec, arrays, results)
    assert f"in y{0 if order == 1 else 1}" in str(program)


def test_one_that_is_read_keeps_its_layout_where_no_copy_of_it_can_be_left_out():
    spec = gt.parse(
        "outputs(%x: slice(exp(f32[11,6,5]), starts=(0,0,2), limits=(11,6,5)) -> f32[11,6,3]{1,2,0}, neg(%x) ->"
        " f32[11,6,3]{2,1,0})"
    )
    program = gt.synthesize(spec, machine("avx2"), table="none")
    arrays = random_arrays(spec, np.random.default_rng(0))
    assert compare(spec, arrays, interpret(program.root, spec, *arrays, target=program.target))[1:] == (True, "")


def test_a_wrong_output_is_named():
    spec = gt.outputs(*residual())
    arrays = random_arrays(spec, np.random.default_rng(0))
    h, normed = gt.interpret(spec, *arrays)
    assert compare(spec, arrays, (h, normed))[1]
    assert compare(spec, arrays, (h, normed + np.float32(0.1)))[2].startswith("y1: expected")
    assert compare(spec, arrays, (h[:4], normed))[2].startswith("expected a result f32[8,16], found f32[4, 16]")
