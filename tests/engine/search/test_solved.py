"""Answers out of a table: what is solved for them, how often, and what is told of it."""

import os
import resource
import sys
from itertools import islice

import griotte as gt
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.graph import FamilyGraph
from griotte.engine.search.problem import problem
from griotte.engine.search.rebuild import Unsolved
from griotte.engine.search.solved import Solved, answer
from griotte.engine.search.work import peak_rss_mb
from griotte.engine.table import Table
from griotte.engine.table.store import Store
from griotte.lang.text.text import parse
from machines import machine


def test_what_stays_unsolved_by_a_file_is_solved_without_it(tmp_path):
    """A file may say that a family is solved and lack what an answer needs of it: the second search believes nothing,
    and there is no third."""
    target = machine("two")
    start = problem(canonical_form(parse("exp(f32[5])")), target)
    table = Table(target, start.home, start.ladders, Store(tmp_path / "t.griotte", target))
    tries = []

    def find(rebuild):
        tries.append(table.believed)
        if table.believed and len(tries) < 5:
            raise Unsolved("exp")
        return rebuild.best(start.goal, start.sizes)

    assert answer(table, (start.goal,), find)[0].cost > 0 and tries == [True, True, False]


def test_rankings_find_no_family_anew(monkeypatch):
    solved = Solved(canonical_form(parse("matmul(f32[6,7], f32[7,8])")), machine("two"))
    assert solved.best.cost > 0
    monkeypatch.setattr(FamilyGraph, "_leaving", None)
    assert len(list(islice(solved.kinds(), 3))) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="megabytes are as Linux counts them")
def test_a_search_tells_the_most_memory_of_its_process():
    """In MiB: no more than the system says of the process since it began, and not much less than it has now."""
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[1]) * resource.getpagesize() / 2**20
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = gt.synthesize("neg(f32[8])", "portable", table="none").stats
    assert found["specs_solved"] > 0 and 0.9 * now <= found["peak_rss_mb"] <= peak_rss_mb()
    assert peak_rss_mb() <= 1.2 * max(most, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


@pytest.mark.parametrize("status", ["/proc/self/no-such-file", os.devnull])
def test_where_linux_does_not_tell_the_most_memory_getrusage_does(status):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert before <= peak_rss_mb(status) <= resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
