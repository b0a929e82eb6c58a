"""Drafts are diverse programs of the space, each its own C, and rebuilt from their decisions."""

import random
from collections import Counter
from itertools import islice

import pytest
from griotte.compiler.session import Session
from griotte.engine.program.nodes import Pipeline, walk
from griotte.engine.search.kbest import KBest
from griotte.engine.search.recorded import written
from griotte.lang.text.text import parse
from griotte.machine import resolve
from griotte.support.errors import SpecError
from griotte.tools.learn import drafts as module
from griotte.tools.learn.drafts import DEAREST, FIRST, Drafting, SpecSpace, varied

PORTABLE = resolve("portable")


def drafting(text, threads=1, most=16):
    return Drafting(parse(text), Session(PORTABLE, threads), most=most)


@pytest.mark.parametrize("text, threads", [("matmul(f32[17,24], f32[24,40])", 1), ("softmax(f32[6,40])", 2)])
def test_drafts_are_rebuilt_from_their_decisions(text, threads):
    of = drafting(text, threads)
    drafts, again = of.drafts(), SpecSpace(parse(text), PORTABLE, threads)
    assert len(drafts) == 16 and drafts[0].source == "best"
    assert drafts[0].root is of.best.root
    assert len({draft.decisions for draft in drafts}) == len(drafts)
    for draft in drafts:
        root = again.rebuilt(draft.decisions)
        assert root.cost == pytest.approx(draft.root.cost, rel=1e-12)
        assert again.program(root).to_c() == of.space.program(draft.root).to_c()
        assert of.best.cost * (1 - 1e-6) <= root.cost <= DEAREST * of.best.cost


def test_a_rebuilt_program_tells_that_nobody_searched():
    of = drafting("exp(f32[40])")
    again = of.space.program(of.space.rebuilt(of.drafts()[0].decisions))
    assert again.explain().rstrip().endswith("space: not searched")
    assert again.cost == of.best.cost


def test_drafts_come_from_several_sources_and_each_has_its_own_c():
    of = drafting("matmul(f32[17,24], f32[24,40])")
    drafts = of.drafts()
    assert len(Counter(draft.source for draft in drafts)) >= 3
    texts = {of.space.program(draft.root).to_c().partition("*/")[2] for draft in drafts}
    assert len(texts) == len(drafts)


def test_drafts_of_a_seed_are_the_same_again():
    first, second = (drafting("exp(f32[30,40])").drafts() for _ in range(2))
    assert [draft.decisions for draft in first] == [draft.decisions for draft in second]


def test_a_graph_is_drafted_fused_and_unfused():
    of = drafting("relu(add(matmul(f32[16,24], f32[24,40]), f32[40]))")
    unfused = [draft.root for draft in of.drafts() if draft.source in ("partly fused", "unfused")]
    whole = [node for root in unfused for node in walk(root) if isinstance(node, Pipeline)]
    assert whole and all(node.to.level == of.best.root.state.family.slowest for node in whole)
    assert not any(isinstance(node, Pipeline) for node in walk(of.best.root))


def test_first_choices_are_the_kinds_that_tuning_takes():
    of = drafting("matmul(f32[17,24], f32[24,40])")
    first = [draft.decisions for draft in of.drafts() if draft.source in ("best", "first choice")]
    assert first == list(dict.fromkeys(map(written, islice(of.solved.kinds(), FIRST))))[: len(first)]
    assert len(first) > 3


def test_what_draws_look_at_is_worked_out_once(monkeypatch):
    begun, begins = [], KBest.begun

    def noted(self, choices):
        begun.append((id(self), tuple(choices)))
        return begins(self, begun[-1][1])

    monkeypatch.setattr(KBest, "begun", noted)
    sources = Counter(draft.source for draft in drafting("matmul(f32[17,24], f32[24,40])", most=24).drafts())
    assert sources["drawn"] > 3 and begun and len(set(begun)) == len(begun)


def test_sparing_drafts_take_one_search(monkeypatch):
    searches, searched = [], module.searched
    monkeypatch.setattr(module, "searched", lambda *given: searches.append(given) or searched(*given))
    of = Drafting(parse("matmul(f32[17,24], f32[24,40])"), Session(PORTABLE), most=16, sparing=True)
    assert {draft.source for draft in of.drafts()} == {"best", "first choice", "drawn"}
    assert len(searches) == 1


def test_a_long_search_is_refused_before_it_is_done(monkeypatch):
    monkeypatch.setattr(module, "SEARCHED", 1)
    monkeypatch.setattr(module, "searched", None)
    with pytest.raises(SpecError, match="expected a Spec whose search is quick, found 1 families"):
        Drafting(parse("exp(f32[30,40])"), Session(PORTABLE), sparing=True)


def test_prices_are_varied_by_feature():
    target = varied(PORTABLE, random.Random(0))
    factors = {
        name: target.coefficient[name] / value
        for name, value in PORTABLE.coefficient.items()
        if value and "line" in name
    }
    assert len(factors) > 1 and max(factors.values()) == pytest.approx(min(factors.values()))
    assert target.coefficient["call"] / PORTABLE.coefficient["call"] != pytest.approx(factors["line.memory"])
    assert target.levels == PORTABLE.levels and target.kernels == PORTABLE.kernels


def test_what_is_no_single_search_is_refused():
    with pytest.raises(SpecError, match="expected a Spec of fixed sizes that one search covers"):
        drafting("exp(f32[<=8,9])")
