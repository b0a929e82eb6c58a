"""Generated C, run by itself under AddressSanitizer and UndefinedBehaviorSanitizer, against the reference.

The best programs of a spread of Specs, and programs drawn at random from the space: code that no one would choose must be
right as well.
"""

import numpy as np
import pytest
from generated_harness import Case, run
from griotte.errors import NoProgramError
from griotte.frontends.text import parse
from griotte.program.nodes import Block, KernelCall, Loop, Move, walk
from griotte.spec import compare, random_arrays
from griotte.synthesis import synthesize
from machines import machine
from rewriting import Programs

FLOATS = (
    "matmul(f32[33,40], f32[40,50])",
    "matmul(f32[7,65]{0,1}, f32[65,19]{0,1}) -> f32[7,19]{0,1}",
    "matmul(f64[2,9,17], f64[17,10]{0,1})",
    "matmul(bf16[1,100], bf16[100,70]{0,1}) -> f32[1,70]",
    "matmul(bf16[18,35], bf16[35,33])",
    "matmul(f16[5,21], f32[21,34])",
)
INTEGERS = (
    "matmul(u8[20,30], s8[30,25]) -> s16[20,25]",
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
    "matmul(f32[33,40], const f32[40,130])",
    "matmul(const f32[9,20], f32[20,7]{0,1}) -> f32[9,7]{0,1}",
    "matmul(bf16[6,35], const bf16[35,70]{0,1}) -> f32[6,70]",
    "matmul(bf16[18,35], const bf16[35,33])",
    "matmul(u8[12,30], const s8[30,25]{0,1}) -> s16[12,25]",
    "matmul(s8[13,37], const s8[37,18])",
    "matmul(f32[2,9,17], const f32[2,17,20]{1,2,0})",
    "add(f32[9,33], const f32[33])",
)
GROUPS = {"constants": CONSTANTS, "floats": FLOATS, "integers": INTEGERS, "small": SMALL, "maps": MAPS}
MACHINES = ("portable", "avx2", "avx512", "tiles", "two", "narrow", "wide", "paired")


def case(text: str, root, seed: int, hostile: bool) -> Case:
    spec = parse(text)
    return Case(root, spec, tuple(random_arrays(spec, np.random.default_rng(seed), hostile)))


def assert_right(cases: list[Case], target, folder) -> None:
    for c, result in zip(cases, run(cases, target, folder)):
        _, ok, complaint = compare(c.one, c.arrays, result)
        assert ok, complaint


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("group", GROUPS)
def test_the_best_programs_are_right(group, name, tmp_path):
    cases = []
    for i, text in enumerate(GROUPS[group]):
        try:
            cases.append(case(text, synthesize(text, machine(name)).root, i, hostile=True))
        except NoProgramError:
            continue
    assert cases
    assert_right(cases, machine(name), tmp_path)


DYNAMIC = (  # text, machine, threads, sizes
    ("matmul(f32[<=17,20], f32[20,33])", "avx2", 1, (7, 17)),
    ("matmul(f32[<=17,20], const f32[20,33]{0,1})", "avx512", 1, (1, 17)),
    ("matmul(bf16[<=12,18], bf16[18,20]{0,1}) -> f32[<=12,20]", "wide", 1, (5, 12)),
    ("matmul(f32[<=5,6,7], f32[<=5,7,8])", "avx512", 1, (5,)),
    ("add(f32[<=9,5], f32[<=9,5])", "avx512", 1, (1, 9)),
    ("sum(f32[<=13,9], axis=1)", "narrow", 1, (6, 13)),
    ("gelu(f32[<=20,64])", "avx2", 2, (7, 20)),
    ("matmul(f32[<=80,96], f32[96,30])", "avx2", 2, (53, 80)),
)


@pytest.mark.parametrize("seed", range(4))
def test_matrix_registers_touch_nothing_outside_their_operands(seed, tmp_path):
    """Whole registers and parts of them, over operands as given and packed, in programs that hold such a leaf."""
    rng, cases = np.random.default_rng(seed), []
    while len(cases) < 6:
        m, n, k = (int(rng.integers(1, 70)) for _ in range(3))
        x, y, out = (("bf16", "bf16", "f32"), ("u8", "s8", "s32"), ("s8", "s8", "s32"))[int(rng.integers(3))]
        turned = "{0,1}" * int(rng.integers(2))
        text = f"matmul({x}[{m},{k}]{turned}, {y}[{k},{n}]{'{0,1}' * int(rng.integers(2))}) -> {out}[{m},{n}]{turned}"
        root = Programs(parse(text), machine("tiles")).draw(rng, int(rng.integers(3, 9)))
        if any(isinstance(node, KernelCall) and node.kernel.startswith("tile_") for node in walk(root)):
            cases.append(case(text, root, seed, hostile=bool(rng.integers(2))))
    assert_right(cases, machine("tiles"), tmp_path)


@pytest.mark.parametrize("threads", (1, 2))
def test_programs_of_a_dynamic_size_are_right(threads, tmp_path):
    cases = []
    for text, name, count, sizes in DYNAMIC:
        if count == threads:
            spec, root = parse(text), synthesize(text, machine(name), threads=threads).root
            cases += [Case(root, spec, tuple(random_arrays(spec.at(n), np.random.default_rng(n), hostile=True)), n) for n in sizes]
    assert_right(cases, machine("avx512"), tmp_path)


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
)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ("portable", "avx2", "avx512", "tiles", "narrow", "paired"))
def test_programs_drawn_at_random_are_right(name, seed, tmp_path):
    cases, rng = drawn(name, seed), np.random.default_rng(seed)
    assert_right([case(text, root, int(rng.integers(1000)), hostile=bool(rng.integers(2))) for text, root in cases], machine(name), tmp_path)


def drawn(name: str, seed: int) -> list[tuple[str, object]]:
    rng = np.random.default_rng((seed, len(name)))
    texts = [DRAWN[i] for i in rng.permutation(len(DRAWN))[:5]]
    return [(text, Programs(parse(text), machine(name)).draw(rng, int(rng.integers(1, 6)))) for text in texts]


def test_what_is_drawn_holds_every_kind_of_node():
    found = set()
    for name in ("avx512", "narrow", "paired"):
        for seed in range(3):
            for _, root in drawn(name, seed):
                found |= {kind for node in walk(root) for kind in kinds(node)}
    expected = "loop tail split fill registers view compact panel group cast wide kernel pack parallel join ahead".split()
    assert found >= set(expected), set(expected) - found


def kinds(node) -> list[str]:
    match node:
        case Move(ahead=True):
            return ["ahead"] if node.copy is not None else []
        case Loop():
            return ["loop"] + ["tail"] * (node.bodies[-1] is not None) + ["split"] * (node.first is not None) + ["parallel"] * (node.threads > 1) + ["join"] * (node.join is not None)
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
