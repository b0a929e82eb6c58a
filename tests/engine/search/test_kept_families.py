"""Families that one search has met, and all that leaves them, serve the next ones of their process."""

import gc
import weakref
from dataclasses import replace
from threading import Thread

import griotte as gt
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.rewrites import declared
from griotte.engine.rewrites.edge import RewriteRule
from griotte.engine.search import graph
from griotte.engine.search.graph import FamilyGraph, FamilyNode, reach
from griotte.engine.search.problem import problem
from machines import machine


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """No families are kept before or after."""
    monkeypatch.setattr(graph, "_met", {})


def goal(text, target):
    return problem(canonical_form(gt.parse(text)), target).goal


def made(monkeypatch) -> list:
    """The families that are worked out from here on."""
    found, leaving = [], FamilyGraph._leaving
    monkeypatch.setattr(FamilyGraph, "_leaving", lambda self, f, t: (found.append(f), leaving(self, f, t))[1])
    return found


def test_other_sizes_of_what_was_searched_find_no_family_anew(monkeypatch):
    found = made(monkeypatch)
    first = gt.synthesize("matmul(f32[200,160], f32[160,192])", "avx2", table="none")
    assert len(found) >= first.stats["families"] > 0
    found.clear()  # sizes of the same classes: rows begin on as many sets of L1
    other = gt.synthesize("matmul(f32[100,224], f32[224,320])", "avx2", table="none")
    assert not found and other.stats["families"] == first.stats["families"]


def test_what_was_kept_leads_to_the_same_programs():
    texts = "matmul(f32[20,33], f32[33,40])", "softmax(f32[9,70])", "matmul(f32[21,35], f32[35,44])"
    kept = [str(gt.synthesize(text, "avx2", table="none")) for text in texts]
    for text, program in zip(texts, kept):
        graph._met.clear()
        assert str(gt.synthesize(text, "avx2", table="none")) == program


def test_another_target_or_other_rules_have_families_of_their_own():
    target = machine("avx2")
    kept = FamilyGraph.of(target)
    assert FamilyGraph.of(replace(target)) is kept  # an equal one
    assert FamilyGraph.of(replace(target, registers=7)) is not kept
    with declared(RewriteRule(lambda family, target: [])):
        assert FamilyGraph.of(target) is not kept


def test_no_more_targets_are_kept_than_a_few():
    for registers in range(8, 8 + 3 * graph.TARGETS):
        FamilyGraph.of(replace(machine("avx2"), registers=registers))
        assert len(graph._met) <= graph.TARGETS


def test_families_that_are_not_met_again_are_forgotten(monkeypatch):
    target = machine("avx2")
    monkeypatch.setattr(graph, "MOST", 20)
    start, other = goal("softmax(f32[16,200])", target), goal("matmul(f32[8,8], f32[8,8])", target)
    lost = weakref.ref(FamilyGraph.of(target).node(start, target))
    reach(target, start, met=FamilyGraph.of(target))
    again = FamilyGraph.of(target)  # too many were kept: a new one, that finds those of before
    assert not again.nodes and again.node(start, target) is lost()
    again.nodes.clear()
    for _ in range(2):
        reach(target, other, met=FamilyGraph.of(target))
    assert len(FamilyGraph.of(target).nodes) == 0 < len(FamilyGraph.of(target).before.nodes)
    del again
    gc.collect()
    assert lost() is None


def test_threads_that_meet_one_family_at_once_share_it():
    target, found = machine("avx2"), []
    start = goal("matmul(f32[8,8], f32[8,8])", target)
    threads = [Thread(target=lambda: found.append(reach(target, start, met=FamilyGraph.of(target)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = FamilyGraph.of(target).nodes
    assert len(found) == 4 and all(isinstance(node, FamilyNode) for node in kept.values())
    assert all([node.family for node in nodes] == [node.family for node in found[0]] for nodes in found)
