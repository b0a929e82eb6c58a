"""Calls as they are written: by one function for Specs and for models."""

import pickle
import re

import griotte as gt
import pytest
from griotte.models import parse_graph

TYPES = {"p": "pred[8]", "q": "f32[1,3,8]", "k": "f32[1,5,8]", "m": "f32[3,5]"}


@pytest.mark.parametrize(
    "call, result",
    [
        ("attention(%q, %k, %k, scale=0.125, mask=%m)", "f32[1,3,8]"),
        ("concat(%q, %k, axis=1)", "f32[1,8,8]"),
        ("softmax(%q, axis=-1)", "f32[1,3,8]"),
        ("maximum(%q, 0.1)", "f32[1,3,8]"),
        ("mul(-0.0, %q)", "f32[1,3,8]"),
        ("where(%p, %q, 2)", "f32[1,3,8]"),
        ("transpose(%m, perm=(1,0))", "bf16[5,3]{0,1}"),
    ],
)
def test_a_call_is_written_alike_in_a_spec_and_in_a_model(call, result):
    heads = ", ".join(f"%{name}: {type}" for name, type in TYPES.items())
    model = parse_graph(f"model({heads}) {{ %y = {call} -> {result} return %y }}")
    alone = re.sub(r"%(\w)", lambda name: TYPES[name[1]], call)
    for graph in (model, pickle.loads(pickle.dumps(model))):
        assert f"%y = {call} -> {result}\n" in str(graph)
    spec = gt.parse(f"{alone} -> {result}")
    for each in (spec, pickle.loads(pickle.dumps(spec))):
        assert str(each) == f"{alone} -> {result}"


@pytest.mark.parametrize("shared", ["%v0: exp(f32[<=8,2]) -> f32[<=8,2]", "%v0: exp(%x: f32[<=8,2]) -> f32[<=8,2]"])
def test_text_at_a_size_keeps_its_names(shared):
    text = f"outputs(mul({shared}, %v0) -> f32[<=8,2], neg(%v0) -> f32[<=8,2])"
    assert str(gt.parse(text).at(3)) == text.replace("<=8", "3")
    h = gt.exp(gt.tensor(("<=8", 2)))
    assert str(gt.outputs(gt.mul(h, h), gt.neg(h)).at(5)) == re.sub("%x: ", "", text).replace("<=8", "5")


def test_nests_of_a_call_are_written_as_nests():
    nests = [str(value.spec) for value in gt.softmax(gt.tensor((3, 4))).graph.calls]
    assert nests[1:3] == ["map(f32[3,4], f32[3,1]) -> f32[3,4]", "sum(f32[3,4]) -> f32[3,1]"]
