"""A unit in pieces is the same C, each function of a leaf in one of them."""

import re

import griotte as gt
import numpy as np
import pytest
from griotte.codegen import pieces
from griotte.codegen.begun import BegunWriter
from griotte.codegen.emit import UnitWriter
from griotte.compiler.programs import base
from griotte.runtime import toolchain

LEAF = "/* y[{0}] */\nstatic __attribute__((noinline)) void leaf_{0}(const float *p0, float *y)\n{{\n{1}}}\n"


def leaves(*lengths):
    return [LEAF.format(n, "x" * length) for n, length in enumerate(lengths)]


def test_functions_are_dealt_by_length_in_their_order(monkeypatch):
    monkeypatch.setattr(pieces, "LEAST", 1000)
    given = leaves(5000, 100, 2000, 3000, 400)
    own, other = pieces.dealt(given, 0, 2)
    assert sorted(own + other) == sorted(given) and abs(len("".join(own)) - len("".join(other))) < 500
    assert all(each == [text for text in given if text in each] for each in (own, other))
    first, second = pieces.dealt(given, 10_000, 2)
    assert len("".join(first)) < len("".join(second)), "the first has other functions besides"


@pytest.mark.parametrize("lengths", [(), (10,), (10, 20, 30)])
def test_what_is_short_is_one(lengths):
    assert pieces.dealt(leaves(*lengths), 0, 8) == [leaves(*lengths)]


def test_a_function_is_seen_by_other_pieces_alone():
    (leaf,) = leaves(3)
    head = '__attribute__((visibility("hidden"))) __attribute__((noinline)) void leaf_0(const float *p0, float *y)'
    assert pieces.declared(leaf) == f"{head};"
    assert pieces.public(leaf) == f"/* y[0] */\n{head}\n{{\nxxx}}\n"


@pytest.mark.parametrize("target", ["portable", "native"])
@pytest.mark.parametrize("denormals", ["keep", "flush"])
def test_a_kernel_in_pieces_gives_the_same(target, denormals, monkeypatch, tmp_path):
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path))
    text = "softmax(add(conv2d(f32[2,3,13,11], const f32[7,3,3,3], padding=1, stride=2), const f32[7,1,1]))"
    program = gt.synthesize(text, target, table="none", effort=0)
    arrays = [np.random.default_rng(0).standard_normal(t.shape).astype(np.float32) for t in program.spec.inputs]
    one, whole = program._compile_soon(denormals)(*arrays), program.compile(denormals)(*arrays)
    monkeypatch.setattr(pieces, "LEAST", 200)
    monkeypatch.setattr(base, "usable", lambda: 3)
    unit = program._emitted("team", denormals, is_soon=True)
    assert len(unit.pieces) == 3
    defined = [set(re.findall(r"void (\w+)\([^;]*\)\n\{", each)) for each in (unit.source, *unit.pieces)]
    names = lambda found: {name for name in found if re.search(r"_\d+x", name)}
    assert names(defined[0]) == set().union(*map(names, defined[1:])) and all(map(names, defined[2:]))
    assert sum(len(names(each)) for each in defined[1:]) == len(names(defined[0]))
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path / "other"))
    monkeypatch.setattr(toolchain, "_build", lambda *_: pytest.fail("the pieces are compiled"))
    assert np.array_equal(program._compile_soon(denormals)(*arrays), one)
    again = gt.synthesize(text, target, table="none", effort=0)
    assert len(again._emitted("team", denormals).pieces) == 3
    assert np.array_equal(again.compile(denormals)(*arrays), whole)


def test_leaves_of_programs_that_are_met_first_are_in_pieces_of_their_own():
    texts = "conv2d(f32[1,3,9,11], const f32[5,3,3,3])", "softmax(f32[5,37])", "sum(f32[<=6,8], axis=1)"
    programs = [gt.synthesize(text, "portable", table="none", effort=0) for text in texts]
    writer, plain = BegunWriter(programs[0].target), UnitWriter(programs[0].target)
    begun = []
    for program in programs[:2]:
        assert not writer.waiting
        writer.meet(program.root, program.canonical)
        assert writer.waiting and not writer._functions and not writer._shares
        begun.append(writer.begin_piece("some"))
    for each in (writer, plain):
        added = [each.add(program.root, program.canonical, f"f{n}", n == 2) for n, program in enumerate(programs)]
    unit, whole = writer.unit(added[-1], "all"), plain.unit(added[-1], "all")
    assert abs(len(unit.source) - len(whole.source)) < 60 and not whole.pieces and len(unit.pieces) == 1
    assert unit.thread_bytes == whole.thread_bytes and unit.header == whole.header
    head = re.compile(r"^[^\n;]*void (\w+_\d+x\w+)\([^;\n]*\)\n\{", re.M)
    defined = [head.findall(each) for each in (*begun, *unit.pieces)]
    found = [name for each in defined for name in each]
    assert len(set(found)) == len(found) and all(defined)
    assert sorted(found) == sorted(head.findall(unit.source))


def test_a_program_that_is_met_and_not_added_leaves_its_leaves_alone():
    added, other = (gt.synthesize(text, "portable", table="none", effort=0) for text in ("neg(f32[9])", "exp(f32[7])"))
    writer = BegunWriter(added.target)
    for program in (added, other, other):
        writer.meet(program.root, program.canonical)
    unit = writer.unit(writer.add(added.root, added.canonical, "f"), "all")
    assert "part_" not in unit.source and not unit.pieces
    writer.add(added.root, added.canonical, "one", exported=False)
    writer.add(added.root, added.canonical, "two", exported=False)
    assert len(re.findall(r"^static void (part_\d+|one|two)\(", writer.source("all"), re.M)) == 1
