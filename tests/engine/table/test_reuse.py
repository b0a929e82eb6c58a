"""What a table knows is used: nothing is solved twice, and every answer and every cost is what solving from nothing
gives."""

import subprocess
import sys

import griotte as gt
import numpy as np
import pytest
from griotte import synthesize
from griotte.engine import rewrites
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.graph import reach
from griotte.engine.search.problem import problem
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.engine.table.codes import FREE
from griotte.engine.table.file import opened
from griotte.engine.table.store import CachedStore, Store
from griotte.lang.text.text import parse
from griotte.support.errors import TableWarning
from machines import machine, with_prices
from spaces import by_turns

PAIRS = (
    ("matmul(f32[30,30], f32[30,133])", "matmul(f32[40,30], f32[30,145])"),
    ("matmul(f32[48,32], f32[32,40])", "matmul(f32[31,32], f32[32,40])"),
    ("matmul(f32[31,33], f32[33,40])", "matmul(f32[40,33], f32[33,31])"),
    ("matmul(u8[24,32], s8[32,24]) -> s32[24,24]", "matmul(u8[25,36], s8[36,24]) -> s32[25,24]"),
    ("matmul(bf16[3,16,40], bf16[3,40,24]) -> f32[3,16,24]", "matmul(bf16[5,16,40], bf16[5,40,24]) -> f32[5,16,24]"),
    ("matmul(f32[48,32], const f32[32,40])", "matmul(f32[31,32], const f32[32,40])"),
    ("matmul(f32[48,32], f32[32,40])", "matmul(f32[48,32], const f32[32,40])"),
    ("sum(f32[50,60], axis=0)", "sum(f32[70,60], axis=0)"),
    ("transpose(f32[140,134])", "transpose(f32[170,150])"),
)
NAMES = ("avx512", "wide")


def search(text, target, store=None, threads=1) -> Solver:
    start = problem(canonical_form(parse(text)), target, threads)
    solver = Costs(Table(target, start.home, start.ladders, store), workers=1, whole=True)
    solver.solve(start.goal)
    return solver


class Costs(Solver):
    """A solver that keeps every block's costs, and every decision."""

    def _release(self, node, parents):
        pass

    def _solve_family(self, node):
        block = super()._solve_family(node)
        block.decision = self.decided.pop(node.family)
        return block

    def _keep(self, block):
        self.decided = getattr(self, "decided", {}) | {block.node.family: block.decision}
        super()._keep(block)


@pytest.mark.parametrize("pair, name", by_turns(PAIRS, NAMES))
def test_costs_and_decisions_are_those_of_solving_from_nothing_to_the_bit(pair, name, tmp_path):
    first, second = pair
    store = Store(tmp_path / "t.griotte", machine(name))
    search(first, machine(name), store)
    reused, alone = search(second, machine(name), store), search(second, machine(name))
    assert reused.statistics.specs_known > 0
    assert reused.statistics.specs_known + reused.statistics.specs_solved == alone.statistics.specs_solved
    for family, block in alone.blocks.items():
        other = reused.blocks[family]
        assert np.array_equal(other.cost, block.cost), family
        assert np.array_equal(other.decision, block.decision), family


@pytest.mark.parametrize("first, second", PAIRS)
def test_asked_again_nothing_is_solved_and_the_program_is_the_same(first, second, tmp_path):
    table = tmp_path / "t.griotte"
    for text in (first, second, first):
        alone = synthesize(text, "avx2", table="none")
        program = synthesize(text, "avx2", table=table)
        again = synthesize(text, "avx2", table=table)
        assert again.stats["specs_solved"] == again.stats["families"] == 0
        assert str(program) == str(again) == str(alone) and program.cost == again.cost == alone.cost


def test_a_third_problem_uses_what_the_first_two_solved(tmp_path):
    """Also where the second one's patch leaves out what the first one's holds."""
    store = Store(tmp_path / "t.griotte", machine("avx2"))
    for text in ("matmul(f32[16,16], f32[16,16])", "matmul(f32[32,16], f32[16,16])", "matmul(f32[32,16], f32[16,32])"):
        search(text, machine("avx2"), store)
    last = search("matmul(f32[32,16], f32[16,32])", machine("avx2"), store)
    assert last.statistics.specs_solved == 0 < last.statistics.specs_known


def test_what_is_solved_beside_what_is_known_holds_that_alone(tmp_path):
    """Until it is written: as many decisions as it counts, none where an older patch has them."""
    store, holes = CachedStore(tmp_path / "t.griotte", machine("avx2")), 0
    for text in ("matmul(f32[16,16], f32[16,16])", "matmul(f32[32,16], f32[16,16])"):
        table = search(text, machine("avx2"), store).table
        families = [
            node.family for node in reach(table.target, problem(canonical_form(parse(text)), table.target).goal)
        ]
        for family in families:
            fresh = table.patches(family)[0]
            holes += len(fresh.holes)
            assert np.count_nonzero(fresh.boxes.dense() != FREE) == fresh.points
        table.settle(lambda families=families: families)
    assert holes


def test_a_lost_patch_under_a_hole_is_solved_again_and_kept(tmp_path):
    store = Store(tmp_path / "t.griotte", machine("avx2"))
    text = "matmul(f32[32,16], f32[16,32])"
    search("matmul(f32[16,16], f32[16,16])", machine("avx2"), store)
    search(text, machine("avx2"), store)
    store.file.write(lambda db: db.execute("DELETE FROM patch WHERE id IN (SELECT min(id) FROM patch GROUP BY key)"))
    solved = search(text, machine("avx2"), store)
    assert 0 < solved.statistics.specs_solved
    assert search(text, machine("avx2"), store).statistics.specs_solved == 0
    alone = search(text, machine("avx2"))
    assert all(np.array_equal(solved.blocks[family].cost, block.cost) for family, block in alone.blocks.items())


def test_over_threads_the_grid_is_remembered(tmp_path):
    table, text = tmp_path / "t.griotte", "matmul(f32[200,100], f32[100,120])"
    first = synthesize(text, "avx512", threads=2, table=table)
    again = synthesize(text, "avx512", threads=2, table=table)
    assert again.stats["specs_solved"] == 0 and str(again) == str(first) and again.cost == first.cost
    assert str(synthesize(text, "avx512", threads=2, table="none")) == str(first)


def test_a_choice_that_is_none_is_made_again(tmp_path):
    table, text = tmp_path / "t.griotte", "matmul(f32[200,100], f32[100,120])"
    first = synthesize(text, "avx512", threads=2, table=table)
    store = Store(table, machine("avx512"))
    kept = store.file.rows("SELECT key FROM choice")
    assert kept
    for value in (
        "",
        "[]",
        '[["k"], [4]]',
        '[["m"], [0]]',
        '[["m"], ["x"]]',
        "{",
        "[[], [], []]",
        '[["m", "n"], [100]]',
    ):
        for (key,) in kept:
            store.choose(key, value)
        assert str(synthesize(text, "avx512", threads=2, table=table)) == str(first), value


def test_a_patch_that_names_no_edge_is_told_and_replaced(tmp_path):
    store = Store(tmp_path / "t.griotte", machine("avx2"))
    text = "sum(f32[50,60], axis=0)"
    search(text, machine("avx2"), store)
    table = search(text, machine("avx2"), store).table
    for family, patches in list(table._patches.items()):
        patches[0].boxes.value[:] = 3000
        store.keep((table.key(family), family, patches[0]))
    with pytest.warns(TableWarning, match="a decision that its family does not have"):
        assert search(text, machine("avx2"), store).statistics.specs_known == 0
    again = search(text, machine("avx2"), store).statistics
    assert again.specs_solved == 0 < again.specs_known


def test_other_costs_other_machines_other_rewrites_share_nothing(tmp_path, monkeypatch):
    table, text = tmp_path / "t.griotte", "sum(f32[50,60], axis=0)"
    assert synthesize(text, machine("avx2"), table=table).stats["specs_solved"] > 0
    assert synthesize(text, machine("avx512"), table=table).stats["specs_solved"] > 0
    from dataclasses import replace

    dearer = with_prices(machine("avx2"), loop=3.0)
    assert synthesize(text, dearer, table=table).stats["specs_solved"] > 0
    monkeypatch.setattr(rewrites, "RULES", rewrites.RULES[:-1])
    assert synthesize(text, machine("avx2"), table=table).stats["specs_solved"] > 0
    monkeypatch.undo()
    assert synthesize(text, machine("avx2"), table=table).stats["specs_solved"] == 0
    renamed = replace(machine("avx2"), name="mine")
    assert synthesize(text, renamed, table=table).stats["specs_solved"] == 0


def test_the_default_is_the_users_table_in_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIOTTE_CACHE", str(tmp_path))
    assert gt.synthesize("neg(f32[50])").stats["specs_solved"] > 0
    assert gt.synthesize("neg(f32[50])").stats["specs_solved"] == 0
    assert gt.synthesize("neg(f32[50])", table="none").stats["specs_solved"] > 0
    assert [p.name for p in (tmp_path / "tables").glob("*.griotte")] == ["default.griotte"]
    opened(tmp_path / "tables" / "default.griotte").close()


def test_holes_of_a_schedule_are_filled_from_the_table(tmp_path):
    table = tmp_path / "t.griotte"
    schedule = gt.schedule("matmul(f32[64,32], f32[32,48])", target="avx2").tile("m", 16)
    first = gt.synthesize(schedule, table=table)
    again = gt.synthesize(schedule, table=table)
    assert first.stats["specs_solved"] > 0 == again.stats["specs_solved"] and str(first) == str(again)


def test_an_answer_from_the_table_needs_no_numba(tmp_path):
    table = tmp_path / "t.griotte"
    code = (
        "import sys, griotte as gt; print(gt.synthesize('exp(f32[300])', 'portable',"
        " table=sys.argv[1]).stats['specs_solved'] > 0, 'numba' in sys.modules)"
    )
    run = lambda: subprocess.run([sys.executable, "-c", code, str(table)], capture_output=True, text=True).stdout
    assert (run(), run()) == ("True True\n", "False False\n")
