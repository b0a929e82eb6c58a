"""How far the searches of a thread are, told to who listens."""

import threading

import griotte as gt
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search import progress
from griotte.engine.search.graph import FamilyGraph
from griotte.engine.search.progress import WorkTold, listening, told
from griotte.engine.search.solved import Solved
from griotte.runtime.leaves import resolved

TEXT = "softmax(matmul(f32[40,24], f32[24,56]))"


def searched(text=TEXT):
    gt.synthesize(text, "portable", table="none")


def test_a_listener_is_told_until_all_is_done(monkeypatch):
    monkeypatch.setattr(progress, "EVERY_S", 0.0)
    heard = []
    with listening(heard.append):
        searched()
    assert len(heard) > 10 and heard == sorted(heard)
    first, last = heard[0], heard[-1]
    assert 0 < first.done < first.known and last.done == pytest.approx(last.known)


def test_work_is_as_it_is_counted_before_but_at_the_limits_that_are_met():
    solved = Solved(canonical_form(gt.parse(TEXT)), resolved("portable"))
    heard = []
    with listening(heard.append):
        counted = solved.work(float("inf"))
        assert not heard and solved.best
    assert 0 < heard[-1].known <= counted.total * 1.01
    assert heard[0].done == pytest.approx(counted.counting, rel=0.05)


def test_searches_of_one_listener_add_up(monkeypatch):
    monkeypatch.setattr(progress, "EVERY_S", 0.0)
    apart, together = [], []
    for text in ("exp(f32[40])", "sum(f32[7,9], axis=1)"):
        heard = []
        with listening(heard.append):
            searched(text)
        apart.append(heard[-1].known)
    with listening(together.append):
        searched("exp(f32[40])")
        searched("sum(f32[7,9], axis=1)")
    assert together[-1].known == pytest.approx(sum(apart)) and together == sorted(together)


def test_nobody_is_told_who_does_not_listen_or_listens_elsewhere():
    outer, inner, threads = [], [], []
    assert told() is None
    with listening(outer.append):
        with listening(inner.append):
            searched()
        thread = threading.Thread(target=lambda: threads.append(told()))
        thread.start()
        thread.join()
        assert told() is not None
    assert inner and not outer and threads == [None] and told() is None
    with pytest.raises(gt.SpecError), listening(outer.append):
        searched("exp(")
    assert told() is None


def test_who_listens_is_told_now_and_then():
    now, heard = [0.0], []
    counted = WorkTold(heard.append, lambda: now[0])
    target = resolved("portable")
    solved = Solved(canonical_form(gt.parse("exp(f32[40])")), target)
    node = FamilyGraph.of(target).node(solved.start.goal, target)
    counted.begins([(node, 100)])
    for _ in range(10):
        now[0] += progress.EVERY_S / 4
        counted.solved(node, 10)
    assert len(heard) == 3 and heard[1].done < heard[2].done
