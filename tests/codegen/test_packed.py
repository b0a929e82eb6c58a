"""Tensors between nests that are written in the panels of the product that reads them: which may, what their programs
mean, and the C, under sanitizers and optimized."""

import functools
import re
from dataclasses import replace

import griotte as gt
import pytest
from batch import kernels_of
from generated_harness import assert_meant, programs_right
from griotte.engine.program.nodes import Move, Pipeline, walk
from griotte.lang.nests.family import LINE
from griotte.support.errors import NoProgramError
from machines import described, machine
from together import complaint_of

TARGET = described("""
name = "small"
base = "avx2"
panel_vectors = [1, 2]
kernels = ["map", "pack", "window", "multiply_add", "madd_u8s8", "combine"]
[[levels]]
name = "L1"
capacity = 1024
[[levels]]
name = "L2"
capacity = 4096
[[levels]]
name = "L3"
capacity = "1MiB"
[[levels]]
name = "memory"
""")  # so that small arrays are not near by themselves, and the search is short
# (Spec, steps around, what of it is put in panels): whole panels and a padded one, of the nest's dtype and another
WAYS = (
    ("matmul(f32[7,13], mul(s8[13,53], f32[53]) -> f32[13,53])", (), ("mul", "L3", 16)),
    ("matmul(f32[7,13], mul(s8[13,53], f32[53]) -> f32[13,53])", (("tile", "i1", 24),), ("mul", "L2", 16)),
    ("matmul(f32[5,9], exp(f32[9,6]))", (), ("exp", "L1", 16)),
    ("matmul(f32[9,11], add(matmul(f32[11,6], f32[6,37]), f32[37]))", (), ("add", "L3", 8)),
    (
        "matmul(f32[9,11], sub(%t: f32[11,37], max(%t, axis=0, keepdims=true)))",
        (("tile", "i1", 24),),
        ("sub", "L2", 16),
    ),
    ("matmul(bf16[9,11], relu(f32[11,37]) -> bf16[11,37]) -> f32[9,37]", (), ("relu", "L2", 16)),
    ("matmul(f32[9,11], exp(f32[11,37]{0,1}))", (), ("exp", "L2", 16)),  # rows of it lie across its panels
    ("matmul(f32[9,11], cast(s8[11,37]) -> f32[11,37])", (), ("copy", "L2", 16)),
    (
        "matmul(f32[7,9], broadcast(sum(f32[9,4], axis=1, keepdims=true)) -> f32[9,37])",
        (),
        ("copy", "L2", 16),
    ),  # copies that read otherwise than they write
    ("matmul(f32[7,9], broadcast(sum(f32[37,4], axis=1)) -> f32[9,37])", (), ("copy", "L2", 16)),
    # slivers, beside panels of two vectors
    ("matmul(tanh(f32[13,21]), const f32[21,16])", (("ahead", "x1", 16),), ("tanh", "L2", 6)),
    (
        "matmul(sub(%t: f32[13,21], max(%t, axis=1, keepdims=true)), const f32[21,16])",
        (("ahead", "x1", 16),),
        ("sub", "L2", 6),
    ),
    # pairs, an odd number of rows
    ("matmul(u8[9,11], neg(s8[11,37])) -> s32[9,37]", (), ("neg", "L1", 16, 2)),
    ("matmul(u8[9,11], relu(f32[11,37]) -> s8[11,37]) -> s32[9,37]", (), ("relu", "L1", 8, 2)),
    ("matmul(u8[9,11], cast(f32[11,37]) -> s8[11,37]) -> s32[9,37]", (), ("copy", "L1", 8, 2)),
)


@functools.cache
def by_hand(text: str, steps: tuple, to: tuple) -> gt.Program:
    start = gt.schedule(text, TARGET)
    for name, *arguments in steps:
        start = getattr(start, name)(*arguments)
    return gt.synthesize(start.bufferize(*to), table="none")


def packed(program: gt.Program) -> list[Pipeline]:
    return [node for node in walk(program.root) if isinstance(node, Pipeline) and node.to.layout.panel]


@pytest.mark.parametrize("way", WAYS)
def test_its_programs_mean_what_the_spec_does(way):
    program = by_hand(*way)
    assert packed(program) and f", panels of {way[-1][2]}" in str(program)
    again = [
        node
        for node in walk(program.root)
        if isinstance(node, Move)
        and node.copy is not None
        and node.state.family.operands[node.operand].layout == packed(program)[0].to.layout
    ]
    assert not again, "it is packed again"
    assert_meant(program)


def test_the_c_is_right_under_sanitizers(tmp_path):
    programs_right([by_hand(*way) for way in WAYS], tmp_path)


def test_so_it_is_optimized():
    for way, kernel in zip(WAYS, kernels_of([by_hand(*way) for way in WAYS])):
        assert not complaint_of(kernel, gt.parse(way[0]), seed=0), way


def test_a_padded_panel_is_zero_where_nothing_is_computed():
    for way in WAYS:
        extents = [node.access.shape(node.state.size)[node.to.layout.panel[0]] for node in packed(by_hand(*way))]
        zeros = by_hand(*way).to_c().count("__builtin_memset(")
        assert zeros >= sum(extent % way[-1][2] > 0 for extent in extents)


@pytest.mark.parametrize("text, tensor", (
    ("add(matmul(f32[9,11], %t: exp(f32[11,37])), sum(%t, axis=0))", "exp"),  # read by two
    ("matmul(relu(matmul(f32[9,5], f32[5,11])), f32[11,37])", "relu"),  # nor of what another product gives
    ("matmul(exp(f32[9,11]), f32[11,37])", "exp"),  # the other input is not in panels: neither are slivers
))  # fmt: skip
def test_what_no_product_alone_reads_along_its_lanes_is_not_offered_in_panels(text, tensor):
    with pytest.raises(NoProgramError, match="expected (L1|L2|L3)(?!.*panel=.*found).*found 'L2', panel=16"):
        gt.schedule(text, TARGET).bufferize(tensor, "L2", 16)


@pytest.mark.parametrize(
    "n, level, loops", [(200, "L2", ["b", "p", "i0"]), (32, "L1", ["i0"])], ids=["panels", "panel"]
)
def test_several_panels_are_packed_eight_rows_at_a_time(n, level, loops):
    """Each panel's part of these rows after the other; what is left of rows and of panels apart."""
    source = gt.synthesize(
        gt.schedule(f"matmul(f32[8,64], f32[64,{n}])", target="avx512").move(1, level, panel=32), table="none"
    ).to_c()
    pack = source.partition("static void pack_")[2].partition("\n}")[0]
    assert re.findall(r"for \(int64_t (\w+) = 0", pack)[: len(loops)] == loops
    assert ("b < 8" in pack) is (n > 32)


def test_packs_that_convert_turn_blocks_of_the_wider_dtype():
    """As many f32 as a vector holds, or a panel: neither more, as of f16, nor element by element."""
    text = "matmul(f16[8,64], f16[64,40]{0,1}) -> f32[8,40]"
    source = gt.synthesize(gt.schedule(text, "avx2").move(1, "L1", panel=16, dtype="f32"), table="none").to_c()
    packs = re.findall(r"^static void pack_.*?^}", source, re.M | re.S)
    assert packs and all("convert_f16_to_f32_x" in pack and "convert_f16_to_f32(" not in pack for pack in packs)
    assert not any("f32x16" in pack for pack in packs)


def test_long_groups_of_a_source_that_lies_across_them_are_turned_in_blocks():
    """Columns of bf16, of which matrix registers take 32 neighbours along k: no element is moved by itself. (A
    transpose into rows would do as well.)"""
    target = machine("tiles")
    target = replace(target, kernels=tuple(k for k in target.kernels if k.form != "transpose"))
    program = gt.synthesize("matmul(bf16[40,96]{0,1}, bf16[96,48]) -> f32[40,48]", target, table="none")
    packs = re.findall(r"^static void pack_.*?^}", program.to_c(), re.M | re.S)
    assert "groups of 32" in str(program) and len(packs) == 2
    assert all("__builtin_shufflevector" in pack and "s[j *" not in pack for pack in packs)


@pytest.mark.parametrize("text, sizes", (
    ("add(matmul(f32[20,20], %w: const f32[20,20]), matmul(f32[20,20], transpose(%w)))", (20 * 20, 20 * 20)),
    ("add(mul(mul(f32[33,33], %w: const f32[33,33]), transpose(%w)), sum(%w, axis=0))", (33 * 33, 33 * 33, 33)),
    ("add(matmul(f32[9,33], %w: const f32[33,7]), max(%w, axis=0))", (33 * 7, 7)),
))  # fmt: skip
def test_parts_of_a_constant_lie_one_after_the_other_each_on_a_line(text, sizes):
    (pack,) = gt.synthesize(text, machine("avx2"), table="none")._unit.packs
    begins = [int(found[1]) if (found := re.search(r"\+ (\d+)\)", begin)) else 0 for begin in pack.begins]
    ends = [begin + 4 * size for begin, size in zip(begins, sizes, strict=True)]
    assert all(begin % LINE == 0 for begin in begins) and begins[0] == 0
    assert all(end <= begin for end, begin in zip(ends, [*begins[1:], pack.bytes]))
    assert pack.bytes < 1.5 * 4 * sum(sizes)
