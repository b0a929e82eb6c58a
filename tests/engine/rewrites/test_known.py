"""What is computed of one constant alone, ahead of the call: which tensors that are, what they cost, and that they are
right."""

import griotte as gt
import numpy as np
import pytest
from features import skip_without
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import Pipeline
from griotte.engine.rewrites import DoesNotApply, Known, Parallel, edges, tilings
from griotte.engine.search.problem import problem
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.family import Operand
from griotte.runtime import load
from machines import machine

BIASED = "add(matmul(f32[6,20], %w: const f32[20,33]), max(%w, axis=0))"
QUANTISED = "qconv2d(u8[1,4,5,5], f32[], 128, const s8[9,4,3,3], f32[9], 0, f32[], 128, padding=1)"
TEXTS = (
    BIASED,
    QUANTISED,
    # large: it is cut, and parts have dimensions of their own
    "qmatmul(u8[9,40], f32[], 7, const s8[40,33], f32[33], 0, f32[], 128)",
    "add(mul(f32[9,33], abs(sum(%w: const f32[40,33], axis=0))), max(%w, axis=0))",  # two of one constant
    "matmul(f32[9,40], softmax(const f32[40,33]))",
    "outputs(%m: max(const f32[9,40], axis=1) -> f32[9], mul(f32[40,9], %m))",
    "add(mul(f32[33,33], %w: const f32[33,33]), sum(transpose(%w), axis=0))",  # one constant in two layouts
)


def goal(text: str, name: str = "avx512"):
    return problem(canonical_form(gt.parse(text)), machine(name)).goal


def known(text: str) -> list[str]:
    family = goal(text)
    count = len(family.operation.inputs)
    return [] if family.operation.is_lone else [family.operation.names[t] for t in family.ahead if t >= count]


@pytest.mark.parametrize(
    "text, names",
    [
        (BIASED, ["max"]),
        (BIASED.replace("const ", ""), []),
        (QUANTISED, ["of_channels"]),
        (QUANTISED.replace("128, const", "u8[], const"), []),  # of a scalar too, which is known at the call alone
        (TEXTS[3], ["abs", "max"]),  # not the sum, which nothing else reads
        (TEXTS[4], ["mul"]),  # all of softmax
        ("mul(f32[9,40], sum(mul(const f32[9,40], const f32[9,40]), axis=0))", []),  # of two constants
        ("max(const f32[9,40], axis=1)", []),  # it is the result
        (
            "outputs(%m: max(const f32[9,40], axis=1) -> f32[9], mul(f32[40,9], %m))",
            ["max"],
        ),  # the result is a copy of it
        ("add(matmul(f32[<=6,20], %w: const f32[20,33]), max(%w, axis=0))", []),
        ("add(f32[9,8,40], mul(const f32[9,1,1], const f32[9,1,1]))", []),  # nothing is summed
    ],
)
def test_what_is_reduced_of_one_constant_is_known(text, names):
    assert sorted(known(text)) == names


def test_it_comes_before_all_else():
    family, target = goal(BIASED), machine("avx512")
    (edge,) = edges(family, target)
    first, rest = edge.children
    assert isinstance(edge.rewrite, Known) and edge.rewrite.outer and not tilings(family)
    assert first.ahead and not first.carries and not first.family.ahead and first.runs({}) == 0
    assert rest.family.ahead == (1,) and edge.features({}) == {} and len(rest.family.operands) == 4
    with pytest.raises(DoesNotApply, match="expected a tensor that is computed of one constant alone, found t9"):
        Known(9, Operand("f32", 3, family.output.layout)).edge(family, target)
    with pytest.raises(DoesNotApply, match="expected constants placed ahead of the call before all else"):
        Parallel(("d0",), (3,), 2).check(family, {})


@pytest.mark.parametrize("threads", (1, 2))
@pytest.mark.parametrize(
    "text, given",
    [
        ("matmul(f32[6,20], sum(const f32[7,20,9], axis=0))", "matmul(f32[6,20], f32[20,9])"),
        ("mul(f32[9,33], sum(const f32[40,33], axis=0))", "mul(f32[9,33], f32[33])"),
    ],
)
def test_it_costs_nothing_in_the_call(text, given, threads):
    costs = [gt.synthesize(each, machine("portable"), threads=threads, table="none").cost for each in (text, given)]
    assert costs[0] == pytest.approx(costs[1], rel=1e-6)


@pytest.mark.parametrize(
    "text, name, threads", [(text, ("avx512", "avx2", "portable")[i % 3], 1 + i % 2) for i, text in enumerate(TEXTS)]
)
def test_it_is_right(text, name, threads, tmp_path):
    spec = gt.parse(text)
    program = gt.synthesize(spec, machine(name), threads=threads, table="none")
    assert isinstance(program.root, Pipeline) and program.root.ahead and str(program).startswith("ahead ")
    arrays = random_arrays(spec, np.random.default_rng(1))
    expected = gt.interpret(spec, *arrays)
    close = lambda found: all(
        np.allclose(a, b, rtol=1e-5, atol=1e-5)
        for a, b in zip(*(x if isinstance(x, tuple) else (x,) for x in (found, expected)))
    )
    assert close(interpret(program.root, spec, *arrays))
    skip_without(program.target.features)
    kernel = program.compile()
    bound = kernel.bind(*(a if t.constant else None for a, t in zip(arrays, spec.inputs)))
    opened = [a for a, t in zip(arrays, spec.inputs) if not t.constant]
    assert close(kernel(*arrays)) and close(bound(*opened))
    assert close(load(kernel.save(tmp_path / "k"))(*arrays))
    for array, tensor in zip(arrays, spec.inputs):
        array[...] = array if not tensor.constant else 0
    assert close(bound(*opened))  # computed once


def test_what_is_summed_alone_is_not_kept():
    """The call reads the sums; of the constant itself nothing is copied."""
    program = gt.synthesize("mul(f32[9,33], sum(const f32[400,33], axis=0))", machine("avx2"), table="none")
    (pack,) = program._unit.packs
    assert pack.bytes == 33 * 4 and "combine" not in program.to_c().split("_check(void)", 1)[1]


def test_what_is_said_of_it():
    program = gt.synthesize(BIASED, machine("avx2"), table="none")
    assert "ahead max 33 f32, once" in str(program) and "ahead max 33 f32, once" in program.explain()
    assert edges(goal(BIASED), machine("avx512"))[0].rewrite.words(machine("avx512")) == "t4 ahead of the call"
