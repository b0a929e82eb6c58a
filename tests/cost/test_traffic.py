"""What crosses between memory and the core: whom it is charged to, and at which price."""

import re
from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from griotte.cost import leaf, ports, reduce, traffic
from griotte.errors import TargetError
from griotte.footprint import lines, runs
from griotte.ir.canonical import canonical_form
from griotte.ir.family import LINE, Layout, Operand, Vector, given_layout
from griotte.ir.operation import Access
from griotte.program.nodes import KernelCall, walk
from griotte.rewrites import Move, loop_features
from griotte.rewrites.move import copy_family
from griotte.search.problem import problem
from griotte.targets import COEFFICIENTS, Crossing, Prefetch
from griotte.targets.core import Level
from griotte.targets.description import load
from griotte.targets.machine import applied
from machines import machine


def goal(text: str):
    return problem(canonical_form(gt.parse(text)), machine("avx512")).goal


def test_who_moves_a_line_decides_its_coefficient():
    product, copy = goal("matmul(f32[300,300], f32[300,300])"), goal("transpose(f32[300,200])")
    assert [traffic.use(product, i) for i in range(3)] == ["line", "line", "result"]
    assert [traffic.use(copy, i) for i in range(2)] == ["stream", "store"]
    assert all(
        f"{name}.L2" in COEFFICIENTS
        for name in ("line", *traffic.STRETCHES, *traffic.STRETCHES.values(), "start", "late", "crowded")
    )


def test_a_map_takes_the_longer_of_its_cycles_and_its_traffic():
    target, family = machine("avx512"), goal("exp(f32[3000000])")
    kernel = next(k for k in target.kernels if k.form == "map")
    size = {family.operation.dims[0]: 3000000}
    found = leaf.features(kernel, family.operation.dims[0], family, target, size)
    crossing = traffic.added(*(traffic.features(family, i, target, size) for i in range(2)))
    assert target.cost({k: v for k, v in found.items() if k != "call"}) == pytest.approx(
        max(found["map"], target.cost(crossing))
    )


def test_a_sum_hides_nothing_and_a_pack_reads_as_reductions_do():
    total, product, copy = (
        goal("sum(f32[2500,48], axis=0)"),
        goal("matmul(f32[300,300], f32[300,300])"),
        goal("transpose(f32[300,200])"),
    )
    packed = replace(
        copy,
        operands=(
            copy.operands[0],
            replace(
                copy.output,
                layout=replace(copy.output.layout, given=False, alias=0, far=False, split=False, panel=(1, 32)),
            ),
        ),
    )
    kinds = [
        set(traffic.counts(family, 0, machine("avx512"), dict.fromkeys(family.operation.dims, 40), 1))
        for family in (total, product, copy, packed)
    ]
    assert kinds == [
        {"stream", "start", "crowded"},
        {"line", "start", "crowded"},
        {"stream", "run"},
        {"stream", "start"},
    ]
    uncached = packed.with_operand(
        0, replace(packed.operands[0], layout=replace(packed.operands[0].layout, uncached=True))
    )
    assert set(traffic.counts(uncached, 0, machine("avx512"), dict.fromkeys(uncached.operation.dims, 40), 1)) == {
        "stream",
        "start",
        "piece",
    }
    views = [Move(0, copy.operands[0].at(1)).edge(family, machine("avx512")) for family in (copy, packed)]
    assert views[0].key != views[1].key  # costs are shared between edges of one key


@pytest.mark.parametrize("columns, share", [(1024, 1), (1040, 0), (512, 0)])
def test_rows_whole_pages_apart_begin_on_the_same_sets(columns, share):
    """Of a target that has a price of it, each stretch of them counts twice."""
    family, size = goal(f"matmul(f32[64,300], f32[300,{columns}])"), {"m": 6, "n": 64, "k": 32}
    dims = dict(zip(family.operation.dims, size.values()))
    target = machine("avx512")
    priced = replace(target, coefficients=(*target.coefficients, *((f"aliased.{l.name}", 5.0) for l in target.levels)))
    found = traffic.features(family, 1, priced, dims)
    level = target.levels[family.operands[1].level].name
    assert found.get(f"aliased.{level}", 0) == share * found[f"start.{level}"] and found[f"start.{level}"] > 1
    assert not any(name.startswith("aliased.") for name in traffic.features(family, 1, target, dims))


def test_what_rests_in_memory_is_in_no_cache():
    near, far = goal("matmul(f32[30,300], f32[300,300])"), goal("matmul(f32[30,9000], f32[9000,9000])")
    assert not any(operand.layout.uncached for operand in near.operands) and all(
        operand.layout.uncached for operand in far.operands
    )


def test_a_pack_of_viewed_rows_from_memory_pays_for_each_stretch():
    """In parts of 64 rows of 512 bytes from a view of 64 rows of 8 KiB; where the tensor rests in a cache a stretch is
    none of its own."""
    target, price = machine("avx512"), COEFFICIENTS["piece.L2"]
    free = replace(
        target,
        coefficients=tuple((name, 0.0 if name == "piece.L2" else cycles) for name, cycles in target.coefficients),
    )

    def cost(n: int, target) -> float:
        rows = gt.schedule(f"matmul(f32[16,64], f32[64,{n}])", target)
        viewed = rows.tile("n", 2048).move(1, "L2") if n > 2048 else rows
        return gt.synthesize(viewed.tile("n", 128).move(1, "L1", panel=32).at(0).select("pack")).cost

    stretches = 64 * (1 << 20) / 128
    assert (
        0.8 < (cost(1 << 20, target) - cost(1 << 20, free)) / (price * stretches) <= 1
    )  # the pack's own cycles cover some of it
    assert cost(1024, target) == cost(1024, free) and cost(1 << 14, target) == cost(1 << 14, free)


def reduction(text: str, target, *, panel: int | None = None, rows: int, level: str | None = None):
    """The leaf of a hand schedule by `rows` rows and 16 columns: its kernel, Family and sizes."""
    whole = gt.schedule(text, target) if panel is None else gt.schedule(text, target).ahead(1, panel=panel)
    whole = whole.tile("n", 16) if level is None else whole.move(0, level).tile("n", 16)
    found = gt.synthesize(whole.tile("m", rows).move(2, "registers", lanes="n").select("multiply_add"), table="none")
    call = next(node for node in walk(found.root) if isinstance(node, KernelCall) and node.state.size.get("m") == rows)
    return next(k for k in target.kernels if k.name == call.kernel), call.state.family, call.state.size


def test_panels_that_are_asked_for_early_come_while_the_leaf_computes():
    text, asking = (
        "matmul(f32[24,2048], const f32[2048,5120])",
        replace(machine("avx512"), prefetch=Prefetch(far_panel=16384)),
    )
    kernel, family, size = reduction(text, asking, panel=16, rows=12)
    for rows, share in ((1, None), (12, None), (36, 1 / 3)):
        whole, less = (
            leaf.features(kernel, "n", family, target, {**size, "m": rows}) for target in (machine("avx512"), asking)
        )
        expected = (
            share * lines(family.access(1), family.operands[1], size)
            if share
            else whole["cycles"] / Crossing().overlapping
        )
        assert whole.pop("line.memory") - less.pop("line.memory") == pytest.approx(expected) and whole == less
    # at home in a cache
    kernel, family, size = reduction("matmul(f32[24,200], const f32[200,512])", asking, panel=16, rows=12)
    assert leaf.features(kernel, "n", family, asking, size) == leaf.features(
        kernel, "n", family, machine("avx512"), size
    )


def measured(**given_):
    """avx512 at the prices that follow from such parameters."""
    return applied(
        machine("avx512"),
        {"read.L2": 2.0, "first.L2": 5.0, "hidden.L2": 1.0}
        | {name.replace("_", "."): value for name, value in given_.items()},
        {},
    )


@pytest.mark.parametrize("rows, columns", [(1, 192), (2, 160), (4, 96), (8, 48)])
def test_a_leaf_takes_the_longer_of_its_arithmetic_and_what_its_inputs_take_to_come(rows, columns):
    """128 rows of x1 from L2, each a stretch: what is hidden wholly counts nothing, a start as far as the way is
    busy."""
    target, steps = measured(), 128
    family = goal(f"matmul(f32[96,{steps}], f32[{steps},960])")
    assert {operand.level for operand in family.operands} == {2}
    near = family.with_operand(0, family.operands[0].at(1))
    leafed = near.with_operand(2, replace(near.output, level=0, vector=Vector("n", 16)))
    size, kernel = {"m": rows, "n": columns, "k": steps}, next(k for k in target.kernels if k.name == "multiply_add")
    cycles = reduce.cycles(kernel, "n", leafed, target, size)
    way = steps * (2.0 * columns / 16 + 5.0)
    found = leaf.features(kernel, "n", leafed, target, size)
    total = target.cost({name: count for name, count in found.items() if name not in ("call", "pages")})
    assert total == pytest.approx(max(cycles, steps * 2.0 * columns / 16) + steps * 5.0 * min(1.0, way / cycles))


@pytest.mark.parametrize("share, both", [(1.0, 1.0), (0.5, 1.5), (0.0, 2.0)])
def test_arithmetic_and_lines_that_take_the_same_take_more_by_what_does_not_hide(share, both):
    target, family = measured(hidden_L2=share, first_L2=0.0), goal("matmul(f32[8,128], f32[128,960])")
    near, size = family.with_operand(0, family.operands[0].at(1)), {"m": 8, "n": 48, "k": 128}
    way = 128 * 3 * 2.0
    shown = target.cost(traffic.features(near, 1, target, size))
    assert way + traffic.outlasting(near, target, size, way, "n") + shown == pytest.approx(both * way)
    longer = 10 * way + traffic.outlasting(near, target, size, 10 * way, "n") + shown
    assert longer == pytest.approx(10 * way, rel=0.1 if share == 0.0 else 0.02)


def test_lines_that_are_fetched_again_take_their_way_though_all_of_a_line_hides():
    """12 rows of x0 fold onto one set of L1: eight times their lines outlast the arithmetic; copied, or of an odd
    number of lines, they come once and are hidden."""
    costs = {}
    for k in (4096, 4112):
        kernel, family, size = reduction(f"matmul(f32[24,{k}], f32[{k},512])", measured(), rows=12, level="L2")
        found = leaf.features(kernel, "n", family, measured(), size)
        costs[k] = found["cycles"] / k
    again = Crossing().refetched * 12 / 16 * 2.0
    assert costs[4112] < again < costs[4096]


def test_what_arithmetic_does_not_hide_of_lines_shows_beside_it():
    family, size = goal("matmul(f32[8,128], f32[128,960])"), {"m": 8, "n": 48, "k": 128}
    shown = [traffic.features(family, 1, measured(hidden_L2=share), size) for share in (1.0, 0.5)]
    costs = [
        target.cost({name: count for name, count in found.items() if name.startswith("line")})
        for target, found in zip((measured(), measured(hidden_L2=0.5)), shown)
    ]
    assert costs == pytest.approx([0.0, 128 * 3 * 2.0 * 0.5])


def test_by_hand_a_line_counts_the_same_however_much_there_is_to_do():
    assert (
        traffic.outlasting(
            goal("matmul(f32[8,128], f32[128,960])"), machine("avx512"), {"m": 1, "n": 48, "k": 128}, 10.0, "n"
        )
        == 0.0
    )


@pytest.mark.parametrize("rows", [1, 6, 500])
def test_a_view_hides_its_lines_as_far_as_the_products_below_it_take_long(rows):
    """x1 of 512 KiB from L3 to L2: all of the share that can vanish does from three cycles of products on for each of
    the way."""
    target = measured(read_L3=2.5, hidden_L3=0.8, hidden_memory=0.9, first_L3=0.0)
    family = goal(f"matmul(f32[{rows},1024], f32[1024,1024])")
    view, size = Move(1, family.operands[1].at(2)).edge(family, target), {"m": rows, "n": 128, "k": 1024}
    paid = target.cost(
        {
            name: count
            for name, count in view.features(size).items()
            if name.partition(".")[0] in ("stream", "line", "start")
        }
    )
    way, products = 1024 * 8 * 2.5, rows * 128 * 1024 / 16 / target.ports.arithmetic
    near = 1024 * 5.0 + 1024 * 8 * target.coefficient["line.L2"]  # what the first leaf below pays
    assert paid == pytest.approx(
        (1 - 0.8 * min(1.0, products / (3 * way))) * max(0.0, way + 1024 * target.coefficient["start.L3"] - near)
    )


def test_vectors_and_elements_that_are_spread_are_loaded_at_rates_of_their_own():
    target = replace(machine("avx512"), ports=replace(machine("avx512").ports, load=1.0, broadcast=2.0))
    assert (
        ports.bound(target, 1, 6, 0, others=0, spread=4) == 6 / 1.0 + 4 / 2.0
        and ports.bound(target, 1, 6, 0, others=0) == 6.0
    )


def test_a_step_whose_ports_are_busy_for_as_long_as_its_accumulators_wait_takes_longer():
    """Two ports and a latency of 4: 8 accumulators tie, 16 hardly."""
    kernel, family, size = reduction("matmul(f32[64,256], const f32[256,512])", machine("avx2"), panel=16, rows=4)
    steps = {}
    for rows in (4, 8):
        for tie in (1.0, 1.076):
            target = replace(machine("avx2"), ports=replace(machine("avx2").ports, tie=tie))
            steps[rows, tie] = (reduce.cycles(kernel, "n", family, target, size | {"m": rows}) - kernel.latency) / 256
    assert steps[4, 1.0] == 4.0 and steps[4, 1.076] == pytest.approx(4.0 * 1.076)
    assert steps[8, 1.0] == 8.0 and 8.0 < steps[8, 1.076] < 8.01


def test_rows_of_which_a_step_folds_a_line_each_onto_one_set_are_fetched_again_and_again():
    """16 rows 16 KiB apart begin on one set of L1; 4 of them fit it, and rows of an odd number of lines lie on many."""
    target = machine("avx512")
    for k, rows, times in ((4096, 16, Crossing().refetched), (4096, 4, 1.0), (4112, 16, 1.0)):
        kernel, family, size = reduction(f"matmul(f32[32,{k}], f32[{k},512])", target, rows=rows, level="L2")
        found = leaf.features(kernel, "n", family, target, size)
        assert found["line.L2"] == times * lines(family.access(0), family.operands[0], size)


def test_rows_that_begin_within_a_line_touch_one_more():
    whole, split = (gt.parse(f"transpose(f32[64,{n}])").tensors[0] for n in (64, 63))
    assert not given_layout(whole).split and given_layout(split).split
    family = goal("transpose(f32[300,208])")
    access, operand = family.access(0), family.operands[0]
    size = dict(zip(family.operation.dims, (16, 16)))
    shifted = replace(operand, layout=replace(operand.layout, split=True))
    assert lines(access, operand, size) == 16 and 16 < lines(access, shifted, size) < 32


def test_short_rows_that_are_taken_whole_are_one_stretch():
    """Rows of 63: any part of them is a stretch each, all of them one; of three axes the first two are joined."""
    family = goal("transpose(f32[300,63])")
    access, operand = family.access(0), family.operands[0]
    rows, columns = (next(d for d in family.operation.dims if access.axis_of(d) == axis) for axis in (0, 1))
    assert operand.layout.row == 63
    assert runs(access, operand, {rows: 10, columns: np.array([62, 63])}).tolist() == [10, 1]
    within = (LINE - 4) / LINE  # what a stretch that begins anywhere touches beside its own
    assert lines(access, operand, {rows: 10, columns: np.array([62, 63])}).tolist() == [
        10 * (62 * 4 / LINE + within),
        630 * 4 / LINE + within,
    ]
    cube = Operand("f32", 3, given_layout(gt.parse("exp(f32[4,5,64])").tensors[0]))
    assert runs(Access.of("a b c"), cube, {"a": 3, "b": np.array([1, 5]), "c": 64}).tolist() == [3, 3]


def test_long_rows_are_stretches_of_their_own():
    for length in (129, 1024):
        long = Operand("f32", 3, given_layout(gt.parse(f"exp(f32[8,{length}])").tensors[0]))
        assert long.layout.row == 0 and runs(Access.of("a b"), long, {"a": 8, "b": length}) == 8


def test_a_pack_reads_short_rows_side_by_side():
    """A product reads the rows of a head as one stretch; a pack counts each of them."""
    family = goal("matmul(f32[16,64], f32[64,256]{0,1})")
    to = replace(family.operands[1].at(1), layout=Layout((0, 1), panel=(1, 64)))
    copy = copy_family(family.access(1), family.operands[1], to)
    size = dict.fromkeys(family.operation.dims, 64)
    assert traffic.counts(family, 1, machine("avx512"), size, 1)["start"] == 1
    assert traffic.counts(copy, 0, machine("avx512"), size, 1)["start"] == 64


def test_a_loop_that_comes_back_to_panels_counts_each_of_them_at_every_step_but_the_first():
    target, family = machine("avx512"), goal("matmul(f32[300,300], f32[300,300])")
    given, far = family.operands[1].layout, len(target.levels) - 1
    operand = replace(
        family.operands[1].at(far), layout=replace(given, given=False, alias=0, far=False, split=False, panel=(1, 32))
    )
    family, (m, n, k) = family.with_operand(1, operand), family.operation.dims
    size = {m: 300, n: np.array([20, 32, 33, 300]), k: 300}
    assert traffic.cut(family, k, target, size)["panel.memory"].tolist() == [0, 0, 2, 10]
    assert traffic.cut(family, m, target, size) == {} == traffic.cut(family, n, target, size)
    assert loop_features(family, k, 90, target, {**size, n: 300}) == {
        "loop": 3,
        "panel.memory": 30,
    }  # a leftover is a step too
    assert loop_features(family, k, 100, target, {**size, n: 300}) == {"loop": 3, "panel.memory": 20}
    assert loop_features(family, m, 7, target, {**size, n: 300}) == {"loop": 42}


def test_a_part_of_a_panel_is_a_stretch_for_each_row():
    family = goal("matmul(f32[300,300], f32[300,300])")
    access, operand = family.access(1), family.operands[1]
    panels = replace(
        operand, layout=replace(operand.layout, given=False, alias=0, far=False, split=False, panel=(1, 32))
    )
    assert runs(access, panels, {"k": 40, "n": 32}) == 1 and runs(access, panels, {"k": 40, "n": 16}) == 40


def test_a_level_without_a_share_rests_copies_of_a_quarter_of_it_and_no_more():
    target = machine("avx512")
    levels = tuple(replace(x, share=0.0) if x.name == "L3" else x for x in target.levels)
    bare = replace(target, levels=levels)
    assert target.places(4) == (1, 2, 3) and bare.places(4) == (1, 2)
    assert bare.home(1 << 18) == 3 and bare.home(1 << 22) == 4  # lines: 16 MiB rest in it, 256 MiB do not
    assert bare.rooms(4) == (1, 2, 3) and target.rooms(4) == (1, 2, 3, 4)
    program = str(gt.synthesize("matmul(f32[2048,2048], f32[2048,2048])", target=bare, table="none"))
    copies = [int(m) * int(n) * 4 for m, n in re.findall(r"(\d+)x(\d+) -> L3", program)]
    assert copies and max(copies) <= bare.levels[3].capacity // 4
    assert "-> memory" not in program and not re.search(r"view \w+ .* -> L3", program)


def test_a_home_is_full_only_at_its_whole_capacity():
    target = replace(
        machine("avx512"), levels=(Level("registers", 2048), Level("near", 64 * 100, 0.5), Level("far", None))
    )
    assert target.home(100) == 1 and target.home(101) == 2 and target.capacity_lines(1) == 50


def test_whether_a_level_is_asked_ahead_is_true_or_false(tmp_path):
    path = tmp_path / "machine.toml"
    path.write_text(
        'name = "x"\nbase = "portable"\n[[levels]]\nname = "L1"\ncapacity = "32KiB"\nprefetch = 1\n[[levels]]\nname ='
        ' "memory"\n'
    )
    with pytest.raises(
        TargetError, match="expected true or false for levels.0..prefetch in .*, found 1; write one of them"
    ):
        load(path)


def test_lines_of_a_turned_input_are_met_again_by_its_next_rows():
    """Read a line for each element it would cost sixteen times as much."""
    turned, plain = (
        gt.synthesize(f"add(f32[500,600]{layout}, f32[500,600])", machine("avx512"), table="none").cost
        for layout in ("{0,1}", "")
    )
    assert turned < 4 * plain


def test_rows_on_one_set_of_l1_lose_what_was_asked_for_ahead():
    """As many rows side by side as L1 has lines for, where they begin, cost nothing more; of 24 on one set of 8 ways
    two thirds of the lines do."""
    target = machine("avx512")
    ways = int(target.levels[1].capacity // 4096)
    of = lambda text, rows: _lost(goal(text), target, rows)
    alike, apart = "max(f32[960,1024], axis=1)", "max(f32[960,1040], axis=1)"
    assert of(alike, 1) == of(alike, ways) == of(apart, 3 * ways) == 0
    assert of(alike, 3 * ways) == pytest.approx(Crossing().lost * 3 * ways * 64 * 2 / 3)


def _lost(family, target, rows: int) -> float:
    m, n = family.operation.dims
    size = {m: rows, n: family.operands[0].layout.alias and 1024 or 1040}
    return float(sum(traffic.folded(family.with_operand(0, family.operands[0].at(2)), 0, target, size, n).values()))


@pytest.mark.parametrize("ratio", [1.0, 1.1, 1.5, 2.0])
def test_two_things_at_once_take_the_longer_at_least_and_the_sum_at_most(ratio):
    one, other = np.array([3.0, 4.0, 8.0, 0.0]), np.array([4.0, 4.0, 1.0, 5.0])
    both = ports.tied(ratio, one, other)
    assert both.tolist() == ports.tied(ratio, other, one).tolist()
    assert (both >= np.maximum(one, other)).all() and (both <= (one + other) * (1 + 1e-9)).all()
    assert both[1] == pytest.approx(4.0 * ratio, rel=1e-5) and both[3] == 5.0
