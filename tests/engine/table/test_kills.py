"""Writers that are killed at random moments: what they had committed is there, and no answer is ever wrong."""

import multiprocessing
import os
import random
import signal
import sqlite3
import time
from contextlib import closing

import griotte as gt
import pytest
from griotte.engine.table.file import opened
from griotte.engine.table.store import Store

SPECS = [
    f"matmul(f32[{m},{k}], f32[{k},{n}])"
    for m, n, k in ((8, 24, 16), (20, 24, 16), (8, 40, 16), (33, 40, 12), (20, 48, 12))
]
SPECS += ["sum(f32[50,60], axis=0)", "sum(f32[80,60], axis=0)", "transpose(f32[40,30])", "exp(f32[300])"]
WRITERS = 4


def write(path, log, seed):
    """Solve and keep, for ever; each key is noted once its family is committed."""
    rng = random.Random(seed)
    keep = Store.keep

    def noted(self, *kept, anew=False):
        keep(self, *kept, anew=anew)
        for key, _, _ in kept:
            os.write(log, f"{key}\n".encode())

    Store.keep = noted
    while True:
        gt.synthesize(rng.choice(SPECS), "portable", table=path)


@pytest.fixture(scope="module")
def alone():
    return {text: gt.synthesize(text, "portable", table="none") for text in SPECS}


@pytest.mark.parametrize("kills", (10, pytest.param(100, marks=pytest.mark.long)))
def test_kills_of_four_writers_lose_nothing_and_answer_nothing_wrong(tmp_path, alone, kills):
    path, rng, fork = tmp_path / "t.griotte", random.Random(0), multiprocessing.get_context("fork")
    log = os.open(tmp_path / "log", os.O_RDWR | os.O_CREAT | os.O_APPEND)
    start = lambda: fork.Process(target=write, args=(path, log, rng.random()))
    writers = [start() for _ in range(WRITERS)]
    for writer in writers:
        writer.start()
    try:
        for kill in range(kills):
            time.sleep(rng.uniform(0, 0.12))
            victim = rng.randrange(WRITERS)
            assert writers[victim].is_alive(), "a writer ended by itself"
            os.kill(writers[victim].pid, signal.SIGKILL)
            writers[victim].join()
            if kill % 10 == 9:  # begin a new file: the first moments are the riskiest
                check(path, log, writers, alone)
            for i, writer in enumerate(writers):
                if not writer.is_alive():
                    writers[i] = start()
                    writers[i].start()
    finally:
        stop(writers)
    check(path, log, writers, alone)


def stop(writers):
    for writer in writers:
        if writer.is_alive():
            writer.kill()
        writer.join()


def check(path, log, writers, alone):
    """Stop all, hold the file against what was committed and what is right, and take it away."""
    stop(writers)
    committed = set(os.pread(log, 1 << 24, 0).decode().splitlines())
    os.truncate(log, 0)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if committed:  # else they may have been killed before there was a table
            assert committed <= {key for (key,) in db.execute("SELECT key FROM patch")}
    for text, program in alone.items():
        found = gt.synthesize(text, "portable", table=path)
        assert str(found) == str(program) and found.cost == program.cost
    opened(path).close()
    for file in path.parent.glob("t.griotte*"):
        file.unlink()


def solve_all(path, ready, found):
    solved = 0
    # side by side: one that runs ahead finds other parts of a family known, and asks for other parts of its children
    for text in SPECS:
        ready.wait()
        solved += gt.synthesize(text, "portable", table=path).stats["specs_solved"]
    found.put(solved)


def test_two_processes_share_the_work(tmp_path, alone):
    """Together they solve each point of a Spec once."""
    path, fork = tmp_path / "t.griotte", multiprocessing.get_context("fork")
    ready, found = fork.Barrier(2), fork.Queue()
    both = [fork.Process(target=solve_all, args=(path, ready, found)) for _ in range(2)]
    for process in both:
        process.start()
    solved = [found.get(timeout=100) for _ in both]
    for process in both:
        process.join()
    one = sum(gt.synthesize(text, "portable", table=tmp_path / "one.griotte").stats["specs_solved"] for text in SPECS)
    assert sum(solved) == one, (solved, one)
