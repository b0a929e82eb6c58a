"""What the parts of a model are searched as."""

from __future__ import annotations

import gc
import weakref

import griotte as gt
import numpy as np
import pytest
from features import priced_as
from griotte.compiler.session import Session
from griotte.machine.measured import known
from griotte.models import parse_graph
from griotte.models.pool import Pool
from griotte.models.solving import Solving
from griotte.runtime.leaves import resolved

TEXT = """
model(
  %x: f32[3,4],
  %w: const f32[4,4] = (1, 2, 3, 4, 4, 3, 2, 1, 1, 2, 3, 4, 4, 3, 2, 1),
) {
  %h = relu(matmul(%x, %w)) -> f32[3,4]
  %s = softmax(%h, axis=1) -> f32[3,4]
  %y = matmul(%s, %w) -> f32[3,4]
  return y=%y
}
"""


@pytest.mark.parametrize("most", (1e6, 2.4e9))
def test_several_atoms_are_one_search_or_no_part(most):
    """An atom that is more than one search is cut; pieces of several never are."""
    graph = parse_graph(TEXT)
    with Pool(Session(resolved("portable"), 1, "none", effort=3, work=most), 1) as pool:
        solving = Solving(graph, pool)
        program = solving.program(graph)
    several = [piece for piece in solving.pieces.kept.values() if len(piece.atoms) > 1 and piece.cost is not None]
    answers = [solving.answers[solving.part(piece).spec] for piece in several]
    is_none = [isinstance(answer, gt.NoProgramError) for answer in answers]
    assert several and all(is_none) == any(is_none) == (most == 1e6)
    assert not any(answer.is_partitioned for answer in answers if isinstance(answer, gt.Program))
    assert all((piece.cost == np.inf) == none for piece, none in zip(several, is_none))
    x = np.random.default_rng(0).standard_normal((3, 4), np.float32)
    w = graph.constants[0].array
    scores = np.exp(np.maximum(x @ w, 0) - np.maximum(x @ w, 0).max(1, keepdims=True))
    assert np.allclose(program.compile()(x), scores / scores.sum(1, keepdims=True) @ w, rtol=1e-4)


def test_what_was_solved_goes_with_its_program():
    """At once, and not when the collector of cyclic garbage comes by: a search holds many times what a program does."""
    target = resolved("portable")
    gc.disable()
    try:
        with Pool(Session(target, 1, "none"), 1) as pool:
            solving = Solving(parse_graph(TEXT), pool)
            solving.program(solving.graph)
        held = weakref.ref(solving), weakref.ref(solving.pieces)
        assert all(reference() is not None for reference in held)
        del solving
        assert all(reference() is None for reference in held)
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "asked", [{"threads": 0}, {"threads": 1.5}, {"effort": -1}, {"effort": 4}, {"effort": "2"}], ids=str
)
def test_what_no_search_is_of_is_refused_for_models_as_for_specs(asked):
    graph = parse_graph("model(%x: f32[4,8],) { %y = relu(%x) -> f32[4,8] return y=%y }")
    for of in (graph, gt.relu(gt.tensor((4, 8)))):
        with pytest.raises(gt.SpecError, match=f"expected .*{next(iter(asked))}.*found {next(iter(asked.values()))!r}"):
            gt.compile(of, table="none", **asked)


def test_a_piece_in_further_layouts_is_solved_with_the_second_that_is_asked_for(monkeypatch, tmp_path):
    """The cut is what it is without, and what stood beside a piece is not searched again when it is asked for."""
    monkeypatch.setenv("GRIOTTE_SHIPPED", "none")
    monkeypatch.delenv("GRIOTTE_TABLE", raising=False)
    graph = parse_graph(LAYOUTS)
    zen5 = next(machine for machine in known() if machine.name == "zen5-32m")
    cuts, searches = [], []
    for name in ("with", "without"):
        monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path / name))
        if name == "without":
            monkeypatch.setattr(Solving, "_beside", lambda solving, piece, asked: ())
        with Pool(Session(priced_as("portable", zen5), 1, effort=3), 1) as pool:
            solving = Solving(graph, pool)
            program = solving.program(graph)
        cuts.append((str(program), program.cost, program.stats["gap"]))
        searches.append({str(spec): answer.stats["specs_solved"] for spec, answer in solving.answers.items()})
        if name == "with":
            beside = {str(spec) for spec in solving._stood} & set(searches[0])
    assert cuts[0] == cuts[1] and set(searches[0]) >= set(searches[1])  # copies may be priced for more layouts
    led = [spec for spec in beside if searches[0][spec]]  # one of several may be what the search of all is for
    assert len(led) < len(beside) and all(searches[1][spec] for spec in beside)


LAYOUTS = """
model(
  %x: f32[1,24,2,8],
  %y: f32[1,24,2,8],
) {
  %a = transpose(relu(%x) -> f32[1,24,2,8], perm=(0,2,1,3)) -> f32[1,2,24,8]
  %b = transpose(relu(%y) -> f32[1,24,2,8], perm=(0,2,3,1)) -> f32[1,2,8,24]
  %s = matmul(%a, %b) -> f32[1,2,24,24]
  %p = softmax(%s, axis=3) -> f32[1,2,24,24]
  %z = matmul(%p, %a) -> f32[1,2,24,8]
  return z=%z
}
"""
