"""The word for what is promised of floats: it goes through each door into the target."""

import pickle

import griotte as gt
import numpy as np
import pytest
from griotte.engine.table.keys import target_key
from griotte.models.simplify import holding
from griotte.models.simplify.rule import ALWAYS, Rule
from griotte.runtime.leaves import resolved
from verbs import refused, run_json

SUM = "add(f32[4], f32[4])"


def test_a_word_is_one_of_two(monkeypatch):
    for word in ("fast", ""):
        with pytest.raises(gt.SpecError, match=f"expected default or strict for math, found '{word}'; write one"):
            gt.synthesize(SUM, math=word)
    monkeypatch.setenv("GRIOTTE_MATH", "fast")
    with pytest.raises(gt.SpecError, match="expected default or strict for GRIOTTE_MATH, found 'fast'"):
        gt.compile(SUM)
    assert "expected default or strict for --math" in refused("explain", SUM, "--math", "fast")


def test_the_variable_is_what_none_means(monkeypatch):
    assert resolved("portable").math == "default"
    monkeypatch.setenv("GRIOTTE_MATH", "strict")
    assert resolved("portable").math == "strict" and resolved("portable", "default").math == "default"
    assert gt.synthesize(SUM, target="portable").target.is_strict


def test_a_target_keeps_its_own_word(monkeypatch):
    strict = resolved("portable", "strict")
    assert resolved(strict) is strict and not resolved(strict, "default").is_strict
    monkeypatch.setenv("GRIOTTE_MATH", "strict")
    plain = resolved("portable", "default")
    assert resolved(plain) is plain
    assert pickle.loads(pickle.dumps(strict)) == strict


def test_tables_and_kernels_tell_the_two_apart():
    plain, strict = resolved("portable", "default"), resolved("portable", "strict")
    assert plain != strict and target_key(plain) != target_key(strict)


def test_doors_take_it():
    strict = gt.synthesize(SUM, target="portable", math="strict")
    assert strict.target.is_strict and strict.retarget("avx2").target.is_strict
    assert gt.schedule(SUM, target="portable", math="strict").target.is_strict
    with pytest.raises(gt.SpecError, match="expected default, the math of the schedule, found strict"):
        gt.synthesize(gt.schedule(SUM, math="default"), math="strict")
    graph = gt.graph(np.exp, gt.tensor((4,), "f32"))
    assert gt.synthesize(graph, math="strict").target.is_strict
    x = np.ones(4, np.float32)
    assert (gt.jit(lambda x: x + x, math="strict")(x) == 2).all()
    assert run_json("explain", SUM, "--target", "portable", "--math", "strict")["math"] == "strict"


def test_strict_takes_the_laws_that_hold_for_any_input():
    always = Rule("always", "x -> x", lambda site: None, (), within=ALWAYS)
    often = Rule("often", "x -> x", lambda site: None, ())
    assert holding(((always, often),), "strict") == ((always,),)
    assert holding(((always, often),), "default") == ((always, often),)


def test_strict_joins_no_product_with_a_sum():
    """a * x + b * x is 0 where b = -a; in one rounding it is what the other product lost."""
    spec = gt.parse("add(mul(%x: f32[37], %a: f32[37]), mul(%x, %b: f32[37]))")
    kernel = gt.compile(spec, math="strict", table="none")
    a = np.linspace(1e10, 3e10, 37, dtype=np.float32)
    x = np.linspace(1.1e17, 7.7e17, 37, dtype=np.float32)
    assert not kernel(x, a, -a).any()


def test_a_target_that_is_strict_no_more_has_its_flags_back():
    plain = resolved("avx2", "default")
    strict = resolved(plain, "strict")
    assert strict.flags != plain.flags and resolved(strict, "default") == plain
