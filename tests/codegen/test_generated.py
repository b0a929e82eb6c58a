"""Generated C, run by itself under AddressSanitizer and UndefinedBehaviorSanitizer, against the reference.

The best programs of a spread of Specs, and programs drawn at random from the space: code that no one would choose must
be right as well.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from features import skip_without
from generated_harness import Case, assert_right
from griotte import synthesize
from griotte.codegen.emit import UnitWriter
from griotte.engine.program.nodes import Block, KernelCall, Loop, Move, Node, walk
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.text.text import parse
from machines import machine
from rewriting import Programs

FLOATS = (
    "matmul(f32[17,20], f32[20,50])",
    "matmul(f32[7,65]{0,1}, f32[65,19]{0,1}) -> f32[7,19]{0,1}",
    "matmul(f64[2,9,17], f64[17,10]{0,1})",
    "matmul(bf16[1,70], bf16[70,35]{0,1}) -> f32[1,35]",
    "matmul(bf16[9,19], bf16[19,33])",
    "matmul(f16[5,21], f32[21,34])",
)
SEVERAL = (
    "outputs(rms_norm(%h: add(f32[9,33], f32[9,33]), f32[33]), %h)",
    "outputs(matmul(%x: f32[7,20], f32[20,18]), matmul(%x, f32[20,18]), sum(%x, axis=1))",
    "outputs(%z: matmul(f32[6,21], f32[21,34]), relu(%z), tanh(%z))",
    "outputs(transpose(f32[9,20]), exp(f32[33]))",
)
INTEGERS = (
    "matmul(u8[10,15], s8[15,25]) -> s16[10,25]",
    "matmul(s8[13,37], s8[37,18]{0,1})",
    "matmul(u8[9,66], s8[66,40])",
    "matmul(s16[6,11], s16[11,9]) -> s32[6,9]",
    "sum(u8[7,50], axis=1) -> s32[7]",
    "min(s64[9,10], axis=0)",
)
SMALL = (  # less than half a vector along the lanes
    "matmul(f32[3,5], f32[5,1])",
    "matmul(f32[9,8], f32[8,8])",
    "matmul(f64[4,7], f64[7,3])",
    "matmul(f32[5,3]{0,1}, f32[3,6]) -> f32[5,6]{0,1}",
    "matmul(bf16[3,2], bf16[2,5]) -> f32[3,5]",
    "matmul(s16[2,3], s16[3,2]) -> s16[2,2]",
    "matmul(f32[70,200], f32[200,4])",
    "sum(f32[9,3,6], axis=(0,1))",
    "max(f32[7,5], axis=1)",
    "min(u32[6,2], axis=0)",
)
MAPS = (
    "transpose(f32[21,34])",
    "transpose(bf16[3,17,5], perm=(2,0,1)) -> bf16[5,3,17]{0,2,1}",
    "cast(f32[5,33]) -> bf16[5,33]",
    "cast(f64[70]) -> s8[70]",
    "gelu(f32[3,37])",
    "relu(add(f32[9,33], f32[33])) -> bf16[9,33]",
    "where(pred[5,18], s16[5,18], s16[18])",
    "div(s32[33], s32[33])",
    "sum(f32[19,45], axis=0)",
    "max(bf16[17,43], axis=1)",
    "sum(f64[2,3,37], axis=(0,2))",
)
CONSTANTS = (
    "matmul(f32[7,65], const f32[65,19]{0,1})",
    "matmul(f32[13,20], const f32[20,70])",
    "matmul(const f32[9,20], f32[20,7]{0,1}) -> f32[9,7]{0,1}",
    "matmul(bf16[6,19], const bf16[19,40]{0,1}) -> f32[6,40]",
    "matmul(bf16[9,17], const bf16[17,33])",
    "matmul(u8[6,15], const s8[15,25]{0,1}) -> s16[6,25]",
    "matmul(s8[7,19], const s8[19,18])",
    "matmul(f32[2,9,17], const f32[2,17,20]{1,2,0})",
    "add(f32[9,33], const f32[33])",
)
WINDOWS = (
    "conv2d(f32[1,3,9,11], const f32[20,3,3,3], padding=1)",
    "conv2d(f32[2,4,7,9], f32[6,2,3,2], padding=(2,1), groups=2, stride=(1,2))",
    "conv2d(f32[1,5,8,21], const f32[5,1,3,3], padding=2, groups=5, dilation=2)",
    "conv2d(bf16[1,3,10,9]{1,3,2,0}, const bf16[18,3,5,5], stride=2, padding=2) -> f32[1,18,5,5]{1,3,2,0}",
    "conv2d(u8[1,6,6,7], s8[9,6,3,3], padding=1)",
    "conv2d(f32[1,20,5,7], const f32[17,20,1,1])",
    "conv2d(f32[1,4,3,3], f32[2,4,3,3])",
    "max_pool2d(f32[2,3,9,20], window=3, stride=2, padding=1)",
    "max_pool2d(s8[1,4,7,5]{1,3,2,0}, window=(2,3), stride=1, padding=(1,0))",
    "avg_pool2d(bf16[1,2,8,19], window=3, stride=1, padding=1)",
    "slice(f32[5,9,7], starts=(1,2,3), limits=(4,9,5))",
    "slice(bf16[40], starts=(3,), limits=(39,))",
    "concat(f32[3,5,7], f32[3,4,7])",
    "concat(bf16[21], bf16[20], axis=0)",
    "conv2d(f32[1,3,5,4], f32[3,1,1,1], padding=1, groups=3)",
)
BLOCKS = (  # for matrix registers: what runs along both operands, and rows that lie in blocks along another dimension
    "matmul(bf16[10,29], bf16[32,29,18]{1,2,0}) -> bf16[32,10,18]{0,2,1}",
    "matmul(bf16[7,16,15]{2,0,1}, bf16[15,7]) -> f32[7,16,7]",
    "matmul(s8[27,34], s8[3,34,19]{0,2,1}) -> s32[3,27,19]",
)
GRAPHS = (
    "softmax(f32[5,37])",
    "softmax(f32[5,9,7], axis=(0,2))",
    "log_softmax(bf16[9,11], axis=0)",
    "layer_norm(silu(log(f32[16,1])), f32[1], f32[1])",
    "rms_norm(f16[3,19], f16[19])",
    "softmax(f16[1])",
    "attention(f32[4,3,8], f32[2,5,8], f32[2,5,7])",
    "attention(bf16[7,16,15]{2,0,1}, bf16[1,7,15], bf16[1,7,5])",
    "cast(where(pred[9], sum(f32[9,33], axis=1), f32[9])) -> s8[9]",
    "sub(sum(u16[9,70], axis=1), u16[9])",
    "add(cast(f32[9,33]) -> s8[9,33], f32[9,33])",
    "gelu(add(matmul(bf16[5,9], const bf16[9,17]), bf16[17]))",
    "add(%t: matmul(f32[5,9], f32[9,17]), tanh(%t))",
    "sub(f64[4,15], mean(const f64[1,6], axis=1))",
)
PICKS = (  # of hostile row numbers, most are beyond the rows there are
    "take(f32[7,37], s32[5])",
    "take(bf16[7,3,18], s64[2,3])",
    "take(f64[7], u8[33])",
    "take(s8[19,5]{0,1}, s16[9])",
    "take(f16[6,17], s32[9]) -> f32[9,17]",
    "take(f32[9,7], s8[6]) -> f32[6,7]{0,1}",
    "take(s4[5,9], u32[])",
    "take(f32[1,9], s64[3])",
    "mul(take(f32[9,18], %i: s32[5]), take(f32[7,18], %i))",
    "rms_norm(take(f32[9,19], s32[5]), f32[19])",
    "take(tanh(f32[9,7]), argmax(f32[5,9]))",
    "take(matmul(f32[6,9], f32[9,20]), s32[4])",
    "matmul(take(f32[9,16], s32[17]), const f32[16,3])",
    "matmul(u8[17,12], take(s8[30,16], s32[12]))",
    "matmul(bf16[17,12], take(bf16[30,16], s32[12]))",
    "matmul(exp(take(f32[20,8], s32[2,17])), const f32[8,8])",
    "matmul(f32[9,11], add(take(f32[7,19], s32[11]), take(f32[5,19], s64[11])))",
    "matmul(f32[5,6], transpose(take(f32[9,6], s32[17])))",
    "group_matmul(f32[5,13], const s4[11,13,1], const f32[11,13])",
)
MASKED = (
    "attention(f32[4,3,8], f32[2,5,8], f32[2,5,7], mask=pred[4,3,5])",
    "attention(f32[2,5,4], f32[2,3,4], f32[2,3,17], causal=true, mask=f32[1,3])",
    "attention(bf16[2,5,4], bf16[1,3,4], bf16[1,3,9], causal=true)",
    "rope(f32[3,5,34], f32[5,17], f32[5,17])",
    "rope(bf16[5,6], f32[5,3], f32[5,3], interleaved=true)",
    "batch_norm(f32[2,3,5,7], f32[3], f32[3], f32[3], f32[3])",
)
SPECS = (*CONSTANTS, *FLOATS, *INTEGERS, *SMALL, *MAPS, *WINDOWS, *BLOCKS, *GRAPHS, *PICKS, *MASKED, *SEVERAL)
CONFINED = (  # for caches of a few lines, which so little overflows as well; a hundredth of the search
    "matmul(f32[7,9], f32[9,19])",
    "matmul(f64[2,3,5]{1,0,2}, f64[5,9]{0,1})",
    "matmul(bf16[1,18], bf16[18,9]{0,1}) -> f32[1,9]",
    "matmul(bf16[5,7], bf16[7,18])",
    "matmul(f16[4,9]{0,1}, f32[9,11]) -> f32[4,11]{0,1}",
    "matmul(u8[5,11], s8[11,9]) -> s16[5,9]",
    "matmul(f32[7,9], const f32[9,19]{0,1})",
    "matmul(bf16[5,7], const bf16[7,18])",
    "matmul(f32[2,3,5], const f32[2,5,9]{1,2,0})",
    "max(bf16[17,43], axis=1)",
    "sum(f32[19,45], axis=0)",
    "sum(bf16[40,33], axis=0)",
    "relu(add(f32[9,33], f32[33])) -> bf16[9,33]",
    "conv2d(f32[1,2,5,7], const f32[9,2,3,3], padding=1)",
    "max_pool2d(s8[1,2,7,5], window=(2,3), stride=2, padding=1)",
    "take(f32[5,19], s32[6])",
    "take(s16[9], s64[20])",
)
ROOMY = ("portable", "avx2", "avx512", "tiles")
# of SPECS and DYNAMIC in `make test`, from which on and every how many: each on one machine, and some on a second
SOME = (("portable", 1, 4), ("avx2", 3, 4), ("avx512", 0, 2), ("tiles", 1, 4))
SMALL_CACHES = ("narrow", "paired")
long = pytest.mark.long


def shares(rows: tuple, confined: tuple) -> Iterator[tuple]:
    """(name, machine, rows, marks): in `make test` those of SOME, and what is for small caches; the rest is long."""
    for name, first, step in SOME:
        yield name, name, rows[first::step], ()
        yield f"{name}-rest", name, [row for i, row in enumerate(rows) if i % step != first], long
    yield from ((f"{name}-confined", name, confined, ()) for name in SMALL_CACHES)
    yield from ((name, name, rows, long) for name in (*SMALL_CACHES, "two", "wide"))


def case(text: str, root, seed: int, hostile: bool) -> Case:
    spec = parse(text)
    return Case.drawn(root, spec, seed, hostile)


@cache
def best(text: str, name: str, threads: int = 1) -> Node:
    return synthesize(text, machine(name), threads).root


def test_a_term_lost_in_the_c_is_caught(monkeypatch, tmp_path):
    text, target, whole = "matmul(f32[5,40], f32[40,19])", machine("portable"), UnitWriter.source

    def harmed(self, title):
        source = whole(self, title)
        assert "k = 0; k < 40;" in source
        return source.replace("k = 0; k < 40;", "k = 1; k < 40;")

    monkeypatch.setattr(UnitWriter, "source", harmed)
    with pytest.raises(AssertionError, match="95 of 95 elements are wrong"):
        assert_right([case(text, synthesize(text, target).root, 0, hostile=False)], target, tmp_path)


@pytest.mark.parametrize(
    "name, texts", [pytest.param(name, part, id=id, marks=marks) for id, name, part, marks in shares(SPECS, CONFINED)]
)
def test_the_best_programs_are_right(name, texts, tmp_path):
    skip_without(machine(name).features)
    assert_right(
        [case(text, best(text, name), i, hostile=True) for i, text in enumerate(texts)], machine(name), tmp_path
    )


DYNAMIC = (  # text, threads, sizes
    ("matmul(f32[<=17,20], f32[20,33])", 1, (7, 17)),
    ("matmul(f32[<=17,20], const f32[20,33]{0,1})", 1, (1, 17)),
    ("matmul(bf16[<=12,18], bf16[18,20]{0,1}) -> f32[<=12,20]", 1, (5, 12)),
    ("matmul(f32[<=5,6,7], f32[<=5,7,8])", 1, (5,)),
    ("add(f32[<=9,5], f32[<=9,5])", 1, (1, 9)),
    ("sum(f32[<=13,9], axis=1)", 1, (6, 13)),
    ("gelu(f32[<=20,64])", 2, (7, 20)),
    ("matmul(f32[<=80,96], f32[96,30])", 2, (53, 80)),
    ("take(f32[9,20], s32[<=17])", 1, (7, 17)),
    ("take(f32[9], s64[<=40])", 1, (23, 40)),
    ("take(f32[<=9,20], s32[17])", 1, (1, 8)),
    ("take(f32[<=9], s64[40])", 1, (7,)),
    ("max(f32[20,<=21], axis=1)", 1, (1, 19)),
    ("mean(f32[<=13,9], axis=0)", 1, (1, 13)),
    ("matmul(f32[5,<=23], f32[<=23,19])", 1, (1, 17)),
    ("matmul(bf16[3,<=23]{0,1}, bf16[<=23,17]) -> f32[3,17]", 1, (1, 10, 23)),
    ("matmul(u8[3,<=21], s8[<=21,18]{0,1}) -> s16[3,18]", 1, (2, 17)),
    ("attention(f32[2,1,4], f32[2,<=9,4], f32[2,<=9,4])", 1, (1, 7)),
)
DYNAMIC_CONFINED = (
    ("matmul(f32[<=7,5], f32[5,9])", 1, (4, 7)),
    ("matmul(f32[<=7,5], const f32[5,9]{0,1})", 1, (1, 7)),
    ("matmul(bf16[<=5,6], bf16[6,9]{0,1}) -> f32[<=5,9]", 1, (3, 5)),
    ("sum(f32[<=13,9], axis=1)", 1, (6, 13)),
    ("matmul(f32[<=9,6], f32[6,10])", 2, (5, 9)),
    ("matmul(f32[3,<=9], f32[<=9,6])", 1, (1, 7)),
    ("max(f32[3,<=13], axis=1)", 1, (1, 11)),
    ("attention(f32[1,<=5,3], f32[1,<=5,3], f32[1,<=5,3], causal=true)", 1, (4,)),
    ("matmul(f32[<=9,3], f32[3,<=9])", 2, (6,)),
)


@pytest.mark.parametrize("seed", range(2))
def test_matrix_registers_touch_nothing_outside_their_operands(seed, tmp_path):
    """Whole registers and parts of them, over operands as given and packed, in programs that hold such a leaf."""
    skip_without(machine("tiles").features)
    rng, cases = np.random.default_rng(seed), []
    while len(cases) < 12:
        m, n, k = (int(rng.integers(1, 50)) for _ in range(3))
        x, y, out = (("bf16", "bf16", "f32"), ("u8", "s8", "s32"), ("s8", "s8", "s32"))[int(rng.integers(3))]
        turned = "{0,1}" * int(rng.integers(2))
        text = f"matmul({x}[{m},{k}]{turned}, {y}[{k},{n}]{'{0,1}' * int(rng.integers(2))}) -> {out}[{m},{n}]{turned}"
        programs = Programs(parse(text), machine("tiles"))
        for root in (programs.draw(rng, int(rng.integers(3, 9))) for _ in range(3)):
            if any(isinstance(node, KernelCall) and node.kernel.startswith("tile_") for node in walk(root)):
                cases.append(case(text, root, seed, hostile=bool(rng.integers(2))))
    assert_right(cases, machine("tiles"), tmp_path)


@pytest.mark.parametrize(
    "name, threads, rows",
    [
        pytest.param(name, threads, own, id=f"{id}-{threads}", marks=marks)
        for id, name, part, marks in shares(DYNAMIC, DYNAMIC_CONFINED)
        for threads in (1, 2)
        if (own := [row for row in part if row[1] == threads])
    ],
)
def test_programs_of_a_dynamic_size_are_right(name, threads, rows, tmp_path):
    skip_without(machine(name).features)
    cases = []
    for text, _, sizes in rows:
        spec, root = parse(text), best(text, name, threads)
        drawn = [tuple(random_arrays(spec.at(n), np.random.default_rng(n), hostile=True)) for n in sizes]
        cases += [Case(root, spec, arrays, n) for arrays, n in zip(drawn, sizes)]
    assert_right(cases, machine(name), tmp_path)


DRAWN = (
    "matmul(f32[9,20], f32[20,35])",
    "matmul(bf16[7,19], bf16[19,18]) -> f32[7,18]",
    "matmul(bf16[6,21]{0,1}, bf16[21,17]{0,1}) -> bf16[6,17]",
    "matmul(u8[5,23], s8[23,19]{0,1}) -> s16[5,19]",
    "matmul(s8[4,13], s8[13,34])",
    "matmul(f32[2,5,9], f32[2,9,20]{0,1,2})",
    "matmul(f32[9,20], const f32[20,35]{0,1})",
    "matmul(const u8[5,23], const s8[23,35]) -> s16[5,35]",
    "matmul(f32[2,5,9], const f32[2,9,20])",
    "sum(bf16[13,22], axis=0)",
    "max(f32[9,21], axis=1)",
    "add(f32[5,19], f32[5,19]{0,1})",
    "take(f32[7,19], s32[5])",
)


@pytest.mark.parametrize("name", (*ROOMY, *SMALL_CACHES))
def test_programs_drawn_at_random_are_right(name, tmp_path):
    skip_without(machine(name).features)
    rng = np.random.default_rng(0)
    assert_right(
        [case(text, root, int(rng.integers(1000)), hostile=bool(rng.integers(2))) for text, root in drawn(name)],
        machine(name),
        tmp_path,
    )


@cache
def drawn(name: str) -> list[tuple[str, Node]]:
    """Programs of Specs drawn, a few of each."""
    rng, texts = np.random.default_rng(len(name)), DRAWN if name in ROOMY else CONFINED
    spaces = [
        (text, Programs(parse(text), machine(name))) for text in (texts[i] for i in rng.permutation(len(texts))[:6])
    ]
    return [(text, programs.draw(rng, int(rng.integers(1, 6)))) for text, programs in spaces for _ in range(3)]


def test_what_is_drawn_holds_every_kind_of_node():
    found = {
        kind
        for name in ("avx512", *SMALL_CACHES)
        for _, root in drawn(name)
        for node in walk(root)
        for kind in kinds(node)
    }
    expected = (
        "loop tail split fill registers view compact panel group cast wide kernel pack parallel join ahead".split()
    )
    assert found >= set(expected), set(expected) - found


@pytest.mark.parametrize("name", SMALL_CACHES)
def test_small_specs_are_cut_for_small_caches(name):
    """What is solved there in place of larger ones leads to the kinds of node that the larger ones have."""
    found = {kind for text in CONFINED for node in walk(best(text, name)) for kind in kinds(node)}
    expected = "loop tail split registers view compact panel cast wide kernel pack ahead".split()
    assert found >= set(expected), set(expected) - found


def kinds(node) -> list[str]:
    match node:
        case Move(ahead=True):
            return ["ahead"] if node.copy is not None else []
        case Loop():
            return (
                ["loop"]
                + ["tail"] * (node.bodies[-1] is not None)
                + ["split"] * (node.first is not None)
                + ["parallel"] * (node.threads > 1)
                + ["join"] * (node.join is not None)
            )
        case Block():
            return ["fill"]
        case KernelCall(kernel=kernel):
            return ["kernel", *(["pack"] if kernel == "pack" else [])]
        case Move(to=to, copy=None):
            return ["registers" if to.level == 0 else "view"]
        case Move(to=to):
            layout = ["group"] if to.layout.group else ["panel"] if to.layout.panel else ["compact"]
            cast = to.dtype != node.state.family.operands[node.operand].dtype
            return layout + (["wide"] if node.copies_out else ["cast"] if cast else [])
    return []
