"""A bound on memory: kept, told when it cannot be, and without effect on what is found."""

import ctypes
import json
import subprocess
import sys

import griotte as gt
import numpy as np
import pytest
from griotte.engine.canonical.canonical import canonical_form
from griotte.engine.search.problem import problem
from griotte.engine.search.solve import Solver
from griotte.engine.table import Table
from griotte.lang.text.text import parse
from griotte.support import memory as module
from griotte.support.errors import GriotteError
from griotte.support.memory import Memory, nbytes
from machines import machine


@pytest.mark.parametrize(
    "text, size",
    [
        ("1GiB", 1 << 30),
        ("1.5 GiB", 3 << 29),
        ("512MiB", 512 << 20),
        ("2GB", 2 * 10**9),
        ("4096", 4096),
        ("7k", 7000),
        (123, 123),
        (None, None),
    ],
)
def test_sizes_are_read(text, size):
    assert nbytes(text) == size


@pytest.mark.parametrize("text", ["", "lots", "-1GiB", "0", "1GiBs", "1e3", 0, -5, True, 1.5, ()])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(
        GriotteError, match="expected a bound on memory such as 512MiB or 1GiB, found .*; write one, or leave it out"
    ):
        gt.synthesize("neg(f32[8])", table="none", memory=text)


class Scratch(Memory):
    """Everything in the scratch file, in slabs of a few rows."""

    def __init__(self, folder):
        super().__init__(1 << 60, str(folder))
        self.mapped = 0

    def _room(self, shape, size):
        self.mapped += 1
        return self._mapped(shape, size)

    def relax(self, most):
        pass


class Costs(Solver):
    def _release(self, node, parents):
        pass


TEXTS = (
    "matmul(f32[33,40], f32[40,50])",
    "sum(f32[50,60], axis=0)",
    "matmul(bf16[3,16,40], bf16[3,40,24]) -> f32[3,16,24]",
)


@pytest.mark.parametrize("text", TEXTS)
def test_in_slabs_from_a_file_every_cost_is_the_same_to_the_bit(text, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "SLAB", 4096)
    target = machine("avx512")
    start = problem(canonical_form(parse(text)), target)
    plain, slabs = (
        Costs(Table(target, start.home, start.ladders), memory=memory) for memory in (None, Scratch(tmp_path))
    )
    for solver in (plain, slabs):
        solver.solve(start.goal)
    assert slabs.memory.mapped == sum(block.cost.size > 0 for block in slabs.blocks.values())
    for family, block in plain.blocks.items():
        assert np.array_equal(block.cost, slabs.blocks[family].cost)
    boxes = lambda table: [len(patch.boxes.value) for patches in table._patches.values() for patch in patches]
    assert sorted(boxes(plain.table)) == sorted(boxes(slabs.table))
    assert not list(tmp_path.iterdir()), "a scratch file has no name"


def test_a_block_in_the_scratch_file_is_gone_over_in_slabs_while_it_lives(tmp_path, monkeypatch):
    """Of 4 KiB here, 16 rows of 64 costs; what is in memory is taken at once."""
    monkeypatch.setattr(module, "SLAB", 4096)
    memory = Scratch(tmp_path)
    block, near = memory.full((40, 64), 1.5), np.zeros((40, 64), np.float32)
    assert [(part.start, part.stop) for part in memory.slabs(block)] == [(0, 16), (16, 32), (32, 40)]
    assert memory.slabs(near) == [slice(0, 40)] and (block == 1.5).all()
    memory.free(block)
    assert memory.slabs(block) == [slice(0, 40)]


IN_A_PROCESS = """
import json, sys, griotte as gt
program = gt.synthesize(sys.argv[1], "avx512", table="none", memory=sys.argv[2] or None)
print(json.dumps([program.cost, program.stats["peak_rss_mb"], str(program)]))
"""


def ask(text, bound):
    found = subprocess.run(
        [sys.executable, "-c", IN_A_PROCESS, text, bound], capture_output=True, text=True, timeout=300
    )
    assert not found.returncode, found.stderr
    return json.loads(found.stdout)


@pytest.mark.long
def test_a_bound_is_kept_and_the_program_is_the_same():
    text = "matmul(f32[512,448], f32[448,384])"
    # the loops are machine code from here on, for other processes as well: their compiler takes memory too
    gt.synthesize("matmul(f32[8,8], f32[8,8])", "avx512", table="none")
    free, bound = ask(text, ""), ask(text, "270MiB")
    assert bound[1] <= 270 < free[1] and bound[0] == free[0] and bound[2] == free[2]


def test_what_fits_in_the_bound_is_not_accounted_for():
    memory = Memory(module._resident() + (256 << 20))
    memory.begin()
    memory.relax(512 << 20)
    assert memory.bounded
    memory.relax(8 << 20)
    assert not memory.bounded
    memory.begin()
    assert memory.bounded, "the bound holds for the next search"


def test_too_small_a_bound_is_told():
    with pytest.raises(
        GriotteError, match=r"expected --memory of at least \d+MiB to begin a search, found 10MiB; give more"
    ):
        gt.synthesize("neg(f32[8])", table="none", memory="10MiB")


def test_without_a_bound_nothing_is_asked_of_the_system(monkeypatch):
    def missing():
        raise GriotteError("expected Linux")

    monkeypatch.setattr(module, "_resident", missing)
    assert gt.synthesize("neg(f32[8])", table="none").cost > 0
    with pytest.raises(GriotteError, match="expected Linux"):
        gt.synthesize("neg(f32[8])", table="none", memory="1GiB")


def test_a_family_that_needs_more_is_told(monkeypatch):
    monkeypatch.setattr(module, "LEAST", 0)
    memory = Memory(module._resident() + (40 << 20))
    with (
        pytest.raises(
            GriotteError,
            match=r"expected --memory of at least \d+MiB for matmul, found \d+MiB; give more, or a smaller SPEC",
        ),
        memory.working(200 << 20, "matmul"),
    ):
        pass


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="a C library that gives back by itself")
@pytest.mark.parametrize("blocks, stays", ((1500, False), (100, True)))
def test_many_freed_arrays_go_back_to_the_system(blocks, stays, monkeypatch):
    """Of 64 KiB each; what was made last lies above them. A few are kept for the next."""
    trims, trim = [], module._trim
    monkeypatch.setattr(module, "_trim", lambda: trims.append(trim()))
    before = module.held()
    with module.returned():
        held = [np.ones(8192) for _ in range(blocks)]
        last = np.ones(8192)
        del held
    assert bool(trims) is not stays and module.held() - before < 16 << 20
    assert last.all()


def test_where_the_system_does_not_say_what_is_held_nothing_is_given_back(monkeypatch):
    def unknown():
        raise module.BoundError("another system")

    monkeypatch.setattr(module, "_resident", unknown)
    monkeypatch.setattr(module, "_trim", lambda: pytest.fail("called"))
    with module.returned():
        pass


def test_no_room_for_the_scratch_file_is_told(tmp_path):
    with pytest.raises(
        GriotteError, match="expected .* of room for a scratch file in .*; make room, or give more --memory"
    ):
        Scratch(tmp_path / "nowhere").full((4, 4), 0)
