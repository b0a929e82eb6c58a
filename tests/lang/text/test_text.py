"""What stands for a Spec: text, a Spec, several."""

import re

import griotte as gt
import numpy as np
import pytest
from griotte.lang.text.text import interpret, parse, spec_of
from griotte.lang.types.tensor import tensor
from griotte.support.errors import SpecError
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, spec_texts, specs

x = tensor((8, 4))


@pytest.mark.parametrize(
    "text, spec",
    [
        ("matmul(f32[8,4], f32[4,5])", gt.matmul(x, tensor((4, 5)))),
        (
            "matmul(bf16[1,2048], const bf16[2048,16]{0,1}) -> f32[1,16]",
            gt.matmul(tensor((1, 2048), "bf16"), tensor((2048, 16), "bf16", layout=(0, 1), constant=True), "f32"),
        ),
        ("sum(f32[8,4], axis=(0,-1), keepdims=true)", gt.sum(x, axis=(0, 1), keepdims=True)),
        ("max(f32[8,4], axis=-1)", gt.max(x, 1)),
        ("min(f32[8,4])", gt.min(x)),
        ("transpose(f32[8,4], perm=(1,0)) -> f32[4,8]{0,1}", gt.transpose(x, (1, 0), layout=(0, 1))),
        ("cast(f32[8,4]) -> s8[8,4]", gt.cast(x, "s8")),
        ("copy(f32[8,4]) -> f32[8,4]{0,1}", gt.copy(x, layout=(0, 1))),
        ("gelu(f32[8,4], approximate=tanh)", gt.gelu(x, "tanh")),
        ("add(f32[8,4], f32[])", gt.add(x, tensor(()))),
        ("add( f32[8, 4] ,mul(f32[8,4],f32[4] ) )", gt.add(x, gt.mul(x, tensor((4,))))),
        (
            "exp(add(bf16[8], bf16[8]) -> f32[8]) -> bf16[8]",
            gt.exp(gt.add(*2 * [tensor((8,), "bf16")], "f32"), "bf16"),
        ),
    ],
)
def test_parse_gives_what_the_constructor_gives(text, spec):
    assert parse(text) == spec


def test_a_name_is_one_input():
    spec = parse("mul(%x: f32[8,4], exp(%x))")
    assert spec.inputs == (x,)
    assert str(spec.operation.body) == "mul(exp(x0), x0)"
    assert str(spec) == "mul(%x: f32[8,4], exp(%x)) -> f32[8,4]"


def test_numbers_are_written_as_they_are_read():
    for text in (
        "attention(f32[1,3,128], f32[1,3,128], f32[1,3,128], scale=0.08838834764831845)",
        "rms_norm(f32[8,4], f32[4], epsilon=1.234567e-06)",
    ):
        spec = parse(text)
        assert str(spec).startswith(text) and parse(str(spec)) == spec


def test_the_text_of_one_output_is_read_as_it():
    spec = parse("outputs(mul(%x: f32[8,4], exp(%x)))")
    assert str(parse(str(spec))) == str(spec) and parse(str(spec)) == spec


def test_inputs_are_numbered_by_first_appearance():
    spec = parse("add(mul(%b: f32[4], %a: f32[8,4]), sub(%a, %b))")
    assert [t.shape for t in spec.inputs] == [(4,), (8, 4)]
    assert str(spec.operation.body) == "add(mul(x0, x1), sub(x1, x0))"


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "expected an operation, found the end at column 1 of ''; supported: matmul"),
        ("frob(f32[8])", "expected an operation, found 'frob' at column 1"),
        (
            "matmul(f32[8,8] f32[8,8])",
            r"expected ',' or '\)', found 'f32' at column 17 of .*separate operands by a comma",
        ),
        ("matmul(f32[8,8])", r"expected 2 operands for matmul, found '\)' at column 16 .* there are 1"),
        ("exp(f32[8], f32[8])", "expected 1 operand for exp, found 'f32' at column 13"),
        ("exp(f31[8])", r"expected a dtype \(pred .*\) or an operation, found 'f31' at column 5"),
        ("exp(f32)", r"expected '\[' and the sizes, found '\)' at column 8"),
        ("exp(f32[8,)", r"expected a size of 1 or more, found '\)' at column 11"),
        ("exp(f32[0])", r"expected sizes that are integers of 1 or more, found \[0\] \(at column 5\)"),
        ("exp(f32[-3])", r"integers of 1 or more, found \[-3\]"),
        ("exp(f32[<=])", r"expected a size of 1 or more, found '\]' at column 11"),
        ("exp(f32[<=0])", r"integers of 1 or more, found \[0\]"),
        ("exp(f32[8]{<=0})", "expected an axis, found '<=' at column 12"),
        (
            "exp(f32[<=8,<=4])",
            (
                r"expected one dynamic size in a tensor, along two axes at most, found <=8 <=4, at axes 0 1; fix all"
                r" but one \(at column 5\)"
            ),
        ),
        ("exp(f32[<=8,<=8,<=8])", r"along two axes at most, found <=8 <=8 <=8, at axes 0 1 2; fix all but one"),
        (
            "matmul(f32[<=8,4], f32[4,<=5])",
            (
                r"expected one dynamic size in a matmul, along two dimensions at most, found 2, in f32\[<=8,4\] and"
                r" f32\[4,<=5\]; fix all but one"
            ),
        ),
        (
            "add(f32[<=8,4], f32[8,4])",
            (
                r"expected <=8 at axis 0 of f32\[8,4\], which runs along the dynamic size of f32\[<=8,4\], found 8;"
                r" write <=8 there too"
            ),
        ),
        (
            "attention(f32[2,<=8,4], f32[2,<=9,4], f32[2,<=9,4])",
            (
                r"attention expects as many queries as keys where both numbers are dynamic, found f32\[2,<=8,4\] and"
                r" f32\[2,<=9,4\]; attend by blocks"
            ),
        ),
        (
            "sum(f32[<=8,<=8])",
            r"along two of which a part of one can be computed alone, found two in sum; write the bound as the size",
        ),
        ("exp(f32[<=8,4]) -> f32[8,4]", r"expected f32\[<=8,4\] as the result of exp, found f32\[8,4\] at column 20"),
        ("exp(f32[8]{1})", r"orders the axes 0..0 once each, found \{1\} for f32\[8\] \(at column 5\)"),
        ("exp(f32[8]", r"expected ',' or '\)', found the end at column 11"),
        ("exp(f32[8]) f32[8]", "expected the end of the Spec, found 'f32' at column 13 .*remove what follows"),
        ("exp(f32[8]) -> f32[9]", r"expected f32\[8\] as the result of exp, found f32\[9\] at column 16"),
        ("exp(f32[8]) -> const f32[8]", "expected a result type without const"),
        (
            "cast(f32[8])",
            r"expected '->' and the type to cast to, found the end at column 13.*write cast\(f32\[8\]\) -> bf16\[8\]",
        ),
        (
            "exp(s32[8])",
            r"exp expects floats, found s32\[8\]; cast first: cast\(s32\[8\]\) -> f32\[8\] \(at column 1\)",
        ),
        ("exp(%x)", r"expected a name given before, found 'x' at column 6 .*%x: f32\[8,8\]"),
        ("add(%x: f32[8], %x: f32[8])", "expected each name to be given once, found 'x' at column 18"),
        ("sum(f32[8], axes=0)", "expected an attribute of sum, found 'axes' at column 13.*it takes: axis keepdims"),
        ("exp(f32[8], axis=0)", "expected no attributes for exp, found 'axis'"),
        ("sum(f32[8], axis=0, axis=0)", "expected axis once"),
        ("sum(f32[8], axis=1)", r"sum expects axes from -1 to 0, found 1 for f32\[8\]"),
        ("sum(f32[8], keepdims=2)", "sum expects keepdims to be true or false, found 2"),
        ("sum(f32[8,8], axis=(0,-2))", "sum expects each axis once"),
        (
            "matmul(f32[8,8], f32[9,8])",
            r"equal inner sizes .* found k = 8 in f32\[8,8\] and k = 9 in f32\[9,8\] \(at column 1\)",
        ),
        ("transpose(f32[8,8], perm=(0,0))", r"transpose expects perm to order the axes 0..1 once each, found \(0,0\)"),
    ],
)
def test_errors_say_what_was_expected_and_where(text, message):
    with pytest.raises(SpecError) as caught:
        parse(text)
    assert re.search(message, str(caught.value)), str(caught.value)
    assert "\n" not in str(caught.value)


def test_deep_nesting_and_long_texts_stay_one_short_line():
    with pytest.raises(SpecError, match="expected an operand, found the end at column 20001") as caught:
        parse("exp(" * 5000)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text",
    [
        "matmul(f32[<=512,768], const f32[768,768]) -> f32[<=512,768]",
        "matmul(bf16[2,<=9,4]{2,0,1}, bf16[2,4,3]) -> f32[2,<=9,3]{2,0,1}",
        "sum(f32[<=8,4], axis=1) -> f32[<=8]",
        "sum(f32[<=8,4], axis=0) -> f32[4]",
        "matmul(f32[4,<=8], f32[<=8,5]) -> f32[4,5]",
        "transpose(f32[<=8,4], perm=(1,0)) -> f32[4,<=8]",
        "attention(f32[2,1,4], f32[2,<=8,4], f32[2,<=8,4], causal=true) -> f32[2,1,4]",
        "transpose(f32[<=8,4], perm=(1,0)) -> f32[4,<=8]{0,1}",
        "matmul(f32[<=8,4], f32[4,<=8]) -> f32[<=8,<=8]",
        "attention(f32[2,<=8,4], f32[2,<=8,4], f32[2,<=8,4], mask=pred[<=8,<=8]) -> f32[2,<=8,4]",
        "add(exp(f32[1,<=8,4]) -> f32[1,<=8,4], f32[4]) -> f32[1,<=8,4]",
    ],
)
def test_a_dynamic_size_is_read_and_written(text):
    spec = parse(text)
    assert str(spec) == text and parse(str(spec)) == spec
    assert spec.dynamic.bound == max(t.shape[t.dynamic] for t in spec.tensors if t.dynamic is not None)
    assert parse(text.replace("<=", "")) == spec.at(spec.dynamic.bound)


@given(specs())
@examples(100)
def test_the_text_of_a_spec_parses_to_it(spec):
    assert parse(str(spec)) == spec


@given(spec_texts(), st.integers(0, 200), st.sampled_from("(),[]{}%:=<->x1 "))
@examples(150)
def test_broken_texts_give_spec_errors_and_nothing_else(text, at, character):
    try:
        parse(text[: at % len(text)] + character + text[at % len(text) + 1 :])
    except SpecError:
        pass


@given(st.text(max_size=40))
@examples(100)
def test_any_text_is_a_spec_or_a_spec_error(text):
    try:
        parse(text)
    except SpecError:
        pass


def test_a_text_and_several_specs_stand_for_one():
    x = gt.tensor((2,), "f32")
    assert spec_of("neg(f32[2])") == gt.neg(x) and len(spec_of((gt.neg(x), gt.exp(x))).outputs) == 2
    with pytest.raises(SpecError, match="expected a Spec or its text, found int"):
        spec_of(7)


def test_the_reference_takes_a_text():
    assert np.array_equal(interpret("neg(f32[2])", np.ones(2, np.float32)), [-1, -1])
    with pytest.raises(SpecError, match="expected a Spec or its text, found int"):
        interpret(7)
