"""A value that is used twice is one value; walks over calls take each once, however deep they nest."""

import griotte as gt
import numpy as np
import pytest
from griotte.lang.types.expr import MOST_CALLS, Arg, Call, calls, length
from griotte.lang.types.walk import children_first

DEEP = 5000


def doubled(y, times):
    for _ in range(times):
        y = gt.add(y, y)
    return y


def halved(y, times):
    """Maps of which each takes the one before twice, none of which grows."""
    for _ in range(times):
        y = gt.maximum(gt.neg(y), y)
    return y


def chained(y, times):
    """Calls that are no maps, each of which takes the one before twice."""
    for _ in range(times):
        y = gt.sub(y, gt.max(y, axis=0, keepdims=True))
    return y


@pytest.mark.parametrize("chain, calls", [(doubled, DEEP), (halved, 600), (chained, 600)])
def test_chains_of_calls_are_made_printed_read_compared_and_interpreted(chain, calls):
    """Each takes the one before it twice: what walked over every way through it would not end."""
    spec = chain(gt.tensor((4,), name="x"), calls)
    text = str(spec)
    assert len(text) < 100 * calls and text.count("%x") == 2
    again = gt.parse(text)
    assert again == spec and hash(again) == hash(spec)
    assert len(spec.inputs) == 1 and spec.flops > calls
    x = np.zeros(4, np.float32)
    assert (gt.interpret(again, x) == x).all()


def test_chains_of_calls_mean_what_they_say():
    x, given = np.array([1, -2, 3, 0.5], np.float32), gt.tensor((4,), name="x")
    assert (gt.interpret(doubled(given, 100), x) == x * np.float32(2) ** 100).all()
    assert (gt.interpret(halved(given, 100), x) == np.abs(x)).all()
    assert (gt.interpret(chained(given, 100), x) == x - 3).all()


def test_a_value_in_text_has_a_name_where_it_is_taken_again():
    x = gt.tensor((8,), name="x")
    y = gt.exp(x)
    spec = gt.mul(gt.softmax(y), gt.add(y, x))
    text = "mul(softmax(%v0: exp(%x: f32[8]) -> f32[8], axis=-1) -> f32[8], add(%v0, %x) -> f32[8]) -> f32[8]"
    assert str(spec) == text and gt.parse(text) == spec
    assert str(gt.exp(x)) == "exp(f32[8]) -> f32[8]"


def test_names_in_text_are_apart():
    """What a person calls v0, and what a text calls %x, are told from what is named here."""
    theirs, own = gt.parse("exp(%x: f32[8])"), gt.tensor((8,), name="x")
    other, odd = gt.tensor((8,), name="v0"), gt.tensor((8,), name="layer 1/w")
    y = gt.add(gt.softmax(gt.mul(theirs, gt.mul(own, other))), gt.mul(odd, other))
    spec = gt.mul(gt.sub(y, own), gt.sub(gt.sub(y, odd), theirs))
    again = gt.parse(str(spec))
    assert again == spec and len(again.inputs) == 4


def test_keyword_operands_are_printed_and_shared():
    q, k = gt.tensor((2, 4, 8), name="q"), gt.tensor((2, 6, 8), name="k")
    mask = gt.tensor((4, 6), "pred", name="mask")
    spec = gt.attention(gt.attention(q, k, k, mask=mask), k, k, mask=mask)
    assert str(spec).count("mask=%mask") == 2 and gt.parse(str(spec)) == spec


def test_a_value_that_calls_and_an_output_take_is_one():
    x = gt.tensor((4, 6), name="x")
    h = gt.matmul(x, gt.tensor((6, 6)))
    spec = gt.outputs(h, gt.softmax(gt.add(h, h)))
    assert sum(value.spec.name == "matmul" for value in spec.graph.calls) == 1
    assert gt.parse(str(spec)) == spec


def test_a_dynamic_size_is_fixed_in_the_text_of_values_too():
    h = gt.softmax(gt.tensor(("<=8", 4), name="x"))
    spec = gt.mul(h, h)
    assert gt.parse(str(spec.at(3))) == spec.at(3)
    assert str(spec.at(3)) == "mul(%v0: softmax(f32[3,4], axis=-1) -> f32[3,4], %v0) -> f32[3,4]"


def test_the_calls_of_a_spec_are_listed_once_each_after_what_they_read():
    y = chained(gt.tensor((4,), name="x"), 3)
    listed = y.graph.calls
    assert len(listed) == len(set(listed)) == 6
    assert all(listed.index(read) < i for i, v in enumerate(listed) for read in v.reads if read in listed)
    assert [each.type for each in y.graph.inputs] == list(y.inputs)


def test_children_come_first_and_once():
    d: list = []
    b, c = [d], [[], d]
    a = [b, c, b]
    assert list(map(id, children_first([a, c], iter))) == list(map(id, [d, b, c[0], c, a]))


def test_what_stands_twice_in_a_body_is_counted_once():
    inner = Call("exp", (Arg(0),))
    body = Call("add", (inner, inner))
    assert calls(body) == ("exp", "add") and length(body) == 3
    assert (
        gt.synthesize(
            gt.add(gt.exp(gt.tensor((64,), name="x")), gt.exp(gt.tensor((64,), name="x"))), "portable", table="none"
        ).spec.flops
        == 128
    )


def test_bodies_stay_short():
    spec = halved(gt.tensor((4,), name="x"), 40)
    assert max(length(value.spec.operation.body) for value in spec.graph.calls) <= MOST_CALLS
    program = gt.synthesize(halved(gt.tensor((4,), name="x"), 12), "portable", table="none")
    x = np.array([1, -2, 3, 0.5], np.float32)
    assert (program.compile()(x) == np.abs(x)).all()
