"""Constants ahead of the call: which there are, where they may be put, and what is never cut."""

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from checked import like_reference
from features import skip_without
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.rewrites import Ahead, Bufferize, DoesNotApply, Parallel, edges, may_share, places, tilings
from griotte.engine.search.problem import problem
from griotte.lang.nests.family import Layout, Operand
from griotte.lang.nests.operation import is_contraction
from griotte.lang.nests.pending import Early
from griotte.lang.types.dtypes import DTYPES
from machines import machine


def goal(text: str, name: str = "avx512"):
    return problem(canonical_form(gt.parse(text)), machine(name)).goal


@pytest.mark.parametrize(
    "text, ahead",
    [
        ("matmul(f32[9,20], f32[20,40])", ()),
        ("matmul(f32[9,20], const f32[20,40])", (1,)),
        ("matmul(const f32[9,20], const f32[20,40])", (1,)),  # x0 has no panels: they lie along the output's rows
        ("matmul(const f32[9,20], const f32[20,40]) -> f32[9,40]{0,1}", (0,)),
        ("matmul(f32[3,9,20], const f32[3,20,40])", (1,)),
        ("matmul(f32[<=9,20], const f32[20,40])", (1,)),
        ("matmul(const f32[<=9,20], f32[20,40]) -> f32[<=9,40]", ()),
        ("add(f32[9,20], const f32[20])", ()),
        ("sum(const f32[9,20], axis=0)", (0,)),
        ("group_matmul(f32[1,64], const s4[40,2,32], const f32[40,2])", (1, 2)),  # the scales once the weights are
        ("group_matmul(f32[3,64], const s4[40,2,32], f32[40,2])", (1,)),
    ],
)
def test_a_constant_that_panels_may_hold_is_placed_first(text, ahead):
    assert goal(text).ahead == ahead


def test_it_stays_as_it_is_given_or_goes_into_the_panels_of_a_copy_at_home():
    family = goal("matmul(bf16[9,20], const bf16[20,40]) -> f32[9,40]")
    given, *packed = edges(family, machine("avx512"))
    assert given.rewrite == Ahead(1, family.operands[1]) and len(given.children) == 1
    assert given.body.family == replace(family, ahead=())
    assert [e.rewrite.to for e in packed] == places(family, 1, machine("avx512"))
    assert {e.rewrite.to.level for e in packed} == {family.operands[1].level}
    assert {(e.rewrite.to.dtype, e.rewrite.to.layout.group) for e in packed} == {
        ("bf16", None),
        ("bf16", (0, 2)),
    }  # not widened: there are dot instructions
    halves = places(goal("matmul(f16[9,20], const f16[20,40]) -> f32[9,40]"), 1, machine("avx512"))
    assert {(to.dtype, to.layout.group) for to in halves} == {("f16", None), ("f32", None)}  # there are none of f16
    for edge in packed:
        copy, body = edge.children
        assert copy.runs({}) == 0 and body.runs({}) == 1
        assert (
            copy.family.operands == (family.operands[1], edge.rewrite.to)
            and body.family.operands[1] == edge.rewrite.to
            and not body.family.ahead
        )
    assert tilings(family) == []


def test_what_one_row_reads_once_is_packed_ahead_alone():
    family = goal("group_matmul(f32[1,64], const s4[40,2,32], const f32[40,2])", "avx2")
    assert places(family, 1, machine("avx2"), ahead=True) and not places(family, 1, machine("avx2"))
    assert places(goal("group_matmul(f32[2,64], const s4[40,2,32], const f32[40,2])", "avx2"), 1, machine("avx2"))


def test_of_two_inputs_with_the_lanes_the_second_waits_for_the_first():
    target, family = machine("avx2"), goal("group_matmul(f32[2,64], const s4[40,2,32], const f32[40,2])", "avx2")
    assert not places(family, 2, target, ahead=True) and not places(family, 2, target)
    packed = [edge for edge in edges(family, target) if edge.rewrite.to.layout.panel]
    after = {edge.rewrite.to.layout.panel[1]: places(edge.body.family, 2, target, ahead=True) for edge in packed}
    assert len(after) > 1 and all({to.layout.panel[1] for to in found} == {width} for width, found in after.items())


def test_what_is_packed_must_still_lie_where_all_operands_do():
    """On a machine with 192 bytes near, 3 x 1 f32 in panels of 4 and more no longer do; far there is room for all."""
    near, far = goal("matmul(f32[1,3], const f32[3,1])", "two"), goal("matmul(f32[8,9], const f32[9,8])", "two")
    assert (near.operands[0].level, far.operands[0].level) == (1, 2)
    for family, size, fits in ((near, {"m": 1, "n": 1, "k": 3}, False), (far, {"m": 8, "n": 8, "k": 9}, True)):
        packed = edges(family, replace(machine("two"), panel_vectors=(4,)))[1]
        assert bool(packed.fits(size)) is fits
        assert bool(packed.rewrite.infeasibility(family, replace(machine("two"), panel_vectors=(4,)), size)) is not fits


def test_only_the_next_constant_is_placed_and_only_in_the_space():
    family = goal("matmul(f32[9,20], const f32[20,40])")
    with pytest.raises(DoesNotApply, match=r"expected the first constant .* \(x1\), found x0"):
        Ahead(0, family.operands[0]).edge(family, machine("avx512"))
    with pytest.raises(DoesNotApply, match="expected x1 as given or in panels of its own level, found panels of 17"):
        Ahead(1, Operand("f32", family.operands[1].level, Layout((1, 0), panel=(1, 17)))).edge(
            family, machine("avx512")
        )
    with pytest.raises(
        DoesNotApply, match="expected constants placed ahead of the call before all else, found x1 open"
    ):
        Parallel(("m",), (3,), 2).check(family, {"m": 9, "n": 40, "k": 20})


def test_threads_do_not_cut_its_panels():
    family = edges(goal("matmul(f32[9,20], const f32[20,40])"), machine("avx512"))[1].body.family
    assert family.operands[1].layout.panel == (1, 16)
    assert [t for t in range(1, 41) if may_share(family, "n", 40, t)] == [16, 32, 40]
    assert all(may_share(family, "m", 9, t) for t in range(1, 10))
    with pytest.raises(DoesNotApply, match=r"a tile of n that is a multiple of 16 \(a packed operand\), found 20"):
        Parallel(("n",), (20,), 2).check(family, {"m": 9, "n": 40, "k": 20})


SHARED = (  # constants that a product reads and something else too, or two products
    "add(matmul(u8[8,64], %w: const s8[64,32]), sum(%w, axis=0) -> s32[32])",
    "matmul(matmul(u8[8,32], %w: const s8[32,32]) -> u8[8,32], %w)",
)


@pytest.mark.parametrize("text", SHARED)
def test_a_constant_that_a_product_reads_is_an_operand_for_each_of_its_readers(text):
    """Those that products read may be packed: others read it as it is given, beside that, and along dimensions of their
    own."""
    family, canonical = goal(text), canonical_form(gt.parse(text))
    graph = family.operation
    packed = tuple(i for i in family.ahead if i < len(graph.inputs))
    assert canonical.sources == (0, 1, 1) and packed == tuple(
        i for i in (1, 2) if all(is_contraction(graph.nests[j].operation) for j in graph.readers(i))
    )
    assert len({graph.inputs[i].axes[0] for i in (1, 2)}) == 2


def test_what_is_no_constant_or_read_by_no_product_is_one_operand():
    assert canonical_form(gt.parse(SHARED[0].replace("const ", ""))).sources == (0, 1)
    assert canonical_form(gt.parse("add(mul(f32[8,16], %w: const f32[16]), sum(%w, axis=0))")).sources == (0, 1)


@pytest.mark.parametrize("text", SHARED)
def test_its_parts_lie_one_after_the_other(text):
    spec = gt.parse(text)
    program = gt.synthesize(spec, machine("avx512"), table="none")
    source = program.to_c()
    other = "known_1" if text == SHARED[0] else "x1b"  # what is summed is not read by the call
    assert (
        source.count("_pack_x1(const int8_t *x1, void *packed_x1)") == 1
        and f"*const {other} = (const void *)((const char *)packed_x1 + " in source
    )
    skip_without(program.target.features)
    rng = np.random.default_rng(0)
    arrays = [rng.integers(0, 9, t.shape).astype(DTYPES[t.dtype].numpy) for t in spec.inputs]
    kernel = program.compile()
    np.testing.assert_array_equal(kernel(*arrays), gt.interpret(spec, *arrays))
    np.testing.assert_array_equal(kernel.bind(None, arrays[1])(arrays[0]), gt.interpret(spec, *arrays))


def test_a_constant_that_is_read_as_given_lies_once_beside_its_sum():
    """The product takes it as it is: packing does not pay for one tile of rows."""
    spec = gt.parse("add(matmul(f32[8,64], %w: const f32[64,32]), sum(%w, axis=0))")
    program = gt.synthesize(spec, "portable", table="none")
    assert "/* x1 as given, and sum of it, for " in program.to_c()
    like_reference(program, rtol=1e-5)


def test_sums_of_constants_come_before_all_else_and_are_whole():
    """Where they are by far less than those, and of constants and scalars alone."""
    text = "qconv2d(u8[1,32,9,9], f32[], u8[], const s8[8,32,3,3], f32[], 0, f32[], 1)"
    family = goal(text)
    (early,) = Early.of(family.operation)
    assert family.operation.nests[early - len(family.operation.inputs)].operation.name == "of_channels" and not tilings(
        family
    )
    placed = edges(family, machine("avx512"))[1].body.family
    (first,) = edges(placed, machine("avx512"))
    assert (
        isinstance(first.rewrite, Bufferize)
        and first.rewrite.tensor == early
        and first.rewrite.to.level == family.output.level
        and not tilings(placed)
    )
    assert not Early.of(first.children[1].family.operation) and tilings(first.children[1].family)
    assert not Early.of(goal(text.replace("const ", "")).operation) and not Early.of(
        goal(text.replace("32,3,3]", "2,3,1]").replace("32,9,9]", "2,9,9]")).operation
    )
