"""Faults of earlier generators of this kind, each of which must not come back."""

import re
from dataclasses import replace

import numpy as np
import pytest
from features import skip_without
from generated_harness import Case, assert_right, run
from griotte import synthesize
from griotte.codegen.emit import UnitWriter, emit
from griotte.codegen.teams import team_text
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.program.nodes import Hole, KernelCall, Node, walk
from griotte.engine.rewrites import child_state, edge_node, edges
from griotte.engine.search.goals import Goals
from griotte.engine.search.graph import is_split, reach
from griotte.engine.search.ladder import tile_sizes
from griotte.engine.search.problem import problem
from griotte.engine.search.rebuild import Rebuild
from griotte.engine.search.solve import Solver
from griotte.engine.search.space import ParallelGoal
from griotte.engine.table import Table
from griotte.lang.meaning.samples import random_arrays
from griotte.lang.nests.family import State
from griotte.lang.text.text import parse
from griotte.lang.types.dtypes import convert
from griotte.support.errors import NoProgramError
from machines import described, machine, with_prices
from rewriting import Programs, steps
from spaces import by_turns

BASES = ("portable", "avx2", "avx512")
SMALL_CACHES = """
base = "{base}"
name = "small_caches_{base}"
features = {features}
[[levels]]
name = "L1"
capacity = 1024
[[levels]]
name = "memory"
"""


def case(text: str, root: Node, hostile: bool = True, seed: int = 0) -> Case:
    spec = parse(text)
    return Case.drawn(root, spec, seed, hostile)


def begun_with(kind: str, text: str, target, wanted=lambda node: True) -> Node:
    """A program that begins with a rewrite of `kind`; the rest is the search's best."""
    programs = Programs(parse(text), target)
    for step in steps(programs.goal, target):
        if step.kind == kind:
            parts = tuple(programs._best(state) for state in step.states)
            if all(part is not None for part in parts) and wanted(node := step.node(parts)):
                return node
    raise AssertionError(f"no program of {text} begins with a {kind} of that form")


def uneven(k: int):
    return lambda node: node.dims == ("k",) and node.tiles == (k,) and node.leftover() > 0 and node.trips() > 1


# ---- 1 .. 3: vectors -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", BASES)
def test_exp_of_very_negative_numbers_is_zero_and_softmax_like_values_are_sane(base, tmp_path):
    spec = parse("exp(f32[9])")
    x = np.array([-89, -104, -200, -np.inf, 0, 88, 89, np.inf, np.nan], np.float32)
    program = synthesize(spec, machine(base))
    (y,) = run([Case(program.root, spec, (x,))], machine(base), tmp_path)
    assert (
        (y[1:4] == 0).all()
        and 0 <= y[0] < 1e-37
        and y[4] == 1
        and np.isfinite(y[5])
        and np.isinf(y[6:8]).all()
        and np.isnan(y[8])
    )


@pytest.mark.parametrize("base", BASES)
def test_a_fill_reaches_every_lane_with_the_identity_of_its_combiner(base, tmp_path):
    texts = [f"{op}({dtype}[3,21], axis=0)" for op in ("max", "min") for dtype in ("f32", "f64", "s32", "u32", "s64")]
    cases = []
    for text in texts:
        spec = parse(text)
        below_zero = -1 if spec.inputs[0].dtype != "u32" else 1
        x = convert(np.full((3, 21), 7 * below_zero if text.startswith("max") else 7), spec.inputs[0].dtype)
        cases.append(Case(begun_with("to_accumulator", text, machine(base)), spec, (x,)))
    assert_right(cases, machine(base), tmp_path)


@pytest.mark.parametrize("base", BASES)
def test_lanes_keep_their_order_through_casts(base, tmp_path):
    cases = []
    for source, to in (
        ("bf16", "f32"),
        ("f32", "bf16"),
        ("f16", "f32"),
        ("u8", "s32"),
        ("s32", "s8"),
        ("s8", "f32"),
        ("f64", "f32"),
        ("f32", "f64"),
        ("bf16", "f64"),
    ):
        spec = parse(f"cast({source}[77]) -> {to}[77]")
        cases.append(Case(synthesize(spec, machine(base)).root, spec, (convert(np.arange(77), source),)))
    for c, y in zip(cases, run(cases, machine(base), tmp_path)):
        np.testing.assert_array_equal(y.astype(np.float64), np.arange(77), err_msg=str(c.spec))


# ---- 4 .. 7: reductions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", ("avx2", "avx512"))
def test_dot_products_run_over_all_of_k_and_no_more(base, tmp_path):
    texts = [
        f"matmul({x}[2,{k}], {y}[{k},3]{{0,1}}) -> {z}[2,3]"
        for k in (1, 31, 64, 67, 130)
        for x, y, z in (("bf16", "bf16", "f32"), ("u8", "s8", "s32"))
    ]
    assert_right([case(text, synthesize(text, machine(base)).root) for text in texts], machine(base), tmp_path)


@pytest.mark.parametrize("base", BASES)
def test_every_kernel_adds_to_its_accumulator_under_an_uneven_split(base, tmp_path):
    """K = 22 in steps of 8: a first part, a further one, and a tail that starts at 16."""
    cases = []
    for kernel in (
        k for k in machine(base).kernels if k.form == "reduce" and len(k.inputs or (None, None)) == 2
    ):  # those of a matmul
        alone = replace(
            machine(base), kernels=tuple(k for k in machine(base).kernels if k.form != "reduce" or k is kernel)
        )
        x, y = kernel.inputs or (kernel.compute or ("f32",))[:1] * 2
        result = (kernel.compute or ("f32",))[0]
        for layout in ("{1,0}", "{0,1}"):
            text = f"matmul({x}[5,22], {y}[22,19]{layout}) -> {result}[5,19]"
            root = begun_with("split", text, alone, uneven(8))
            assert {n.kernel for n in walk(root) if isinstance(n, KernelCall)} & {kernel.name}
            cases.append(case(text, root))
    assert_right(cases, machine(base), tmp_path)


@pytest.mark.parametrize("text", ["sum(f32[23], axis=0)", "max(f64[5,23], axis=1)", "sum(s8[23,6], axis=0) -> s32[6]"])
def test_the_tail_of_a_split_begins_where_the_tiles_end(text, tmp_path):
    target = machine("avx2")
    root = begun_with("split", text, target, lambda n: n.leftover() > 0 and n.trips() > 1)
    spec = parse(text)
    x = convert(np.arange(np.prod(spec.inputs[0].shape)).reshape(spec.inputs[0].shape), spec.inputs[0].dtype)
    assert_right([Case(root, spec, (x,))], target, tmp_path)


def test_inputs_are_left_as_they_are():
    from griotte import compile

    skip_without(machine("avx2").features)
    for text in ("matmul(bf16[9,20], bf16[20,17]) -> f32[9,17]", "max(f32[9,21], axis=0)", "silu(f32[40])"):
        kernel = compile(text, machine("avx2"))
        arrays = random_arrays(parse(text), np.random.default_rng(0), hostile=True)
        before = [a.tobytes() for a in arrays]
        kernel(*arrays)
        assert [a.tobytes() for a in arrays] == before


# ---- 8 .. 13: text, threads, space -----------------------------------------------------------------------------------


@pytest.mark.parametrize("base", BASES)
def test_programs_that_mix_vector_types_compile(base, tmp_path):
    texts = (
        "matmul(bf16[5,9], f32[9,20])",
        "matmul(f16[5,9], bf16[9,20]) -> f32[5,20]",
        "where(pred[33], s8[33], s8[33])",
        "sum(u8[9,33], axis=1) -> f32[9]",
        "add(bf16[33], f64[33])",
    )
    assert_right([case(text, synthesize(text, machine(base)).root) for text in texts], machine(base), tmp_path)


def packing_machine(base: str):
    features = '["avx512_vnni", "avx512_bf16"]' if base == "avx512" else "[]"
    return described(SMALL_CACHES.format(base=base, features=features))


@pytest.mark.parametrize("base, threads", by_turns(BASES, (1, 2)))
def test_no_allocation_and_no_narrow_index(base, threads):
    for text in (
        "matmul(f32[9,14], f32[14,40])",
        "matmul(u8[6,20], s8[20,40]) -> s16[6,40]",
        "max(bf16[30,50], axis=0)",
    ):
        source = synthesize(text, packing_machine(base), threads=threads).to_c().replace(team_text(), "")
        assert not re.search(r"\b(m|c|re)?alloc\w*\s*\(", source)
        loops = re.findall(r"for \((\w+)", source)
        assert loops and set(loops) <= {"int64_t"}


@pytest.mark.parametrize(
    "text",
    [
        "add(s8[5,1500000001], s8[1500000001])",
        "neg(s8[40,1500000001]{0,1}) -> s8[40,1500000001]",
        "sum(u8[5,1500000001], axis=1) -> s32[5]",
    ],
)
def test_offsets_beyond_32_bits_are_computed_in_64(text):
    source = synthesize(text, machine("avx2")).to_c()
    indices = re.findall(r"(\w+) \* 1500000001\b", source)
    assert indices and all(re.search(rf"int64_t {name}\b", source) for name in indices)
    assert not re.search(r"\b(?:int|int32_t|unsigned) \w+_\d+ =", source)


@pytest.mark.parametrize("base", BASES)
def test_leftovers_run_inside_the_parallel_region(base, tmp_path):
    """Nothing of the function comes after the loop over threads, and the loop's tiles have leftovers."""
    target = with_prices(machine(base), fork=0.0)
    text, cases = "matmul(f32[37,20], f32[20,41])", []
    programs = Programs(parse(text), target)
    for step in steps(programs.goal, target, goal=True):
        root = (
            step.node(tuple(map(programs._best, step.states)))
            if step.kind == "parallel" and len(step.states) > 1
            else None
        )
        if root is not None and all(body is not None for body in root.bodies):
            source = emit(root, canonical_form(parse(text)), target, "f", text).source
            function = source[source.rindex("\nvoid f(") :]
            assert re.fullmatch(r"\nvoid f\(.*\)\n{\n.*\n    griotte_share_out\(.*\n}\n", function)
            cases.append(case(text, root))
    assert {len(c.root.dims) for c in cases} == {1, 2}
    assert_right([replace(c, root=replace(c.root, threads=2)) for c in cases[::3]], target, tmp_path)


def test_tiles_are_not_powers_of_two_alone():
    assert {6, 12, 24, 48, 96} < set(tile_sizes(100))


@pytest.mark.parametrize(
    "text", ["matmul(f32[30,40], f32[40,50])", "matmul(f32[2,30,40], f32[2,40,50])", "matmul(f32[2,30,40], f32[40,50])"]
)
def test_the_space_holds_the_layouts_it_is_meant_to(text):
    """Either input of a matmul as given, compact and in panels of every width, at every level; a batch changes
    nothing."""
    target = machine("avx512")
    start = problem(canonical_form(parse(text)), target)
    goal = start.goal.__class__(
        start.goal.operation, False, tuple(o.at(3) for o in start.goal.operands), start.goal.accumulator
    )
    families = [
        n.family
        for n in reach(target, goal)
        if n.family.operation.name == "matmul" and n.family.operation.dims[-3:] == ("m", "n", "k")
    ]
    seen = {
        (i, o.layout.given, o.layout.panel[1] if o.layout.panel else None, o.level)
        for f in families
        for i, o in enumerate(f.operands[:-1])
    }
    for level in (1, 2, 3):
        assert {(0, True, None, level), (0, False, None, level), (1, True, None, level)} <= seen
        assert {(1, False, width, level) for width in (16, 32, 48, 64)} <= seen


def test_the_space_holds_group_layouts_for_dot_instructions():
    target = machine("avx512")
    start = problem(canonical_form(parse("matmul(u8[30,40], s8[40,50])")), target)
    layouts = {o.layout.group[1] for n in reach(target, start.goal) for o in n.family.operands if o.layout.group}
    assert layouts == {2, 4}


def test_a_hole_left_open_is_refused_before_any_c_is_written():
    spec = parse("matmul(f32[4,5], f32[5,6])")
    start = problem(canonical_form(spec), machine("avx2"))
    hole = Hole(State(start.goal, tuple(start.sizes.values())))
    with pytest.raises(NoProgramError, match="expected a complete program, found a hole for matmul .*synthesize"):
        emit(hole, canonical_form(spec), machine("avx2"), "f", "hole")


def test_every_use_of_one_switch_over_a_size_begins_and_ends_its_matrix_registers():
    """The function of a dynamic size is written once for two programs of a unit, or two loops of threads; each use
    configures the registers."""
    spec, target = parse("matmul(bf16[<=12,18], bf16[18,20]{0,1}) -> f32[<=12,20]"), machine("tiles")
    root, writer = synthesize(spec, target).root, UnitWriter(target)
    functions = [writer.add(root, canonical_form(spec), name) for name in ("one", "two")]
    source = writer.source("")
    assert source.count("/* m up to 12 */") == 1
    for function in functions:
        body = source.partition(f"void {function.name}(int64_t m,")[2].partition("\n}")[0]
        assert "_tile_loadconfig" in body and "_tile_release" in body, body


def test_matrix_registers_are_configured_anew_where_a_team_has_released_them():
    """The calling thread is of the team: what it does alone after a loop over threads needs them again."""
    text = "outputs(matmul(%x: bf16[32,32], bf16[32,32]) -> f32[32,32], matmul(%x, bf16[32,48]) -> f32[32,48])"
    target = machine("tiles")
    spec = canonical_form(parse(text))
    start = problem(spec, target, 2)
    table = Table(target, start.home, start.ladders)
    Solver(table, workers=1).solve(start.goal)
    rebuild, state = Rebuild(table), State(start.goal, tuple(start.sizes[d] for d in start.goal.operation.dims))
    apart = next(edge for edge in edges(state.family, target) if is_split(edge) and len(edge.children) == 2)
    first, second = (child_state(child, state) for child in apart.children)
    shared = Goals(rebuild).best(ParallelGoal(first.family, first.sizes, 2, shared=True))
    alone = rebuild.best(second.family, second.size)
    root = edge_node(apart, state, target, (shared, alone))
    text_of_f = emit(root, spec, target, "f", text).source.partition("struct run_")[2]
    assert re.findall("_tile_loadconfig|tile_bf16|_tile_release|share_out", text_of_f) == [
        "_tile_loadconfig",  # in the function of a share
        "tile_bf16",
        "_tile_release",
        "share_out",
        "_tile_loadconfig",
        "tile_bf16",
        "tile_bf16",
        "_tile_release",
    ]


def test_every_use_of_one_switch_over_a_size_asks_for_its_threads():
    spec, target = parse("matmul(f32[<=80,96], f32[96,30])"), machine("avx2")
    root, writer = synthesize(spec, target, threads=2).root, UnitWriter(target)
    assert [writer.add(root, canonical_form(spec), name).threads for name in ("one", "two")] == [2, 2]
