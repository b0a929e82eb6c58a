"""Which searches a model's cut asks for, and which of them it takes; answers are kept in a file, so that another way to
ask is tried in the seconds that its new searches take.

    PYTHONPATH=src python docs/lab/cuts/recorded.py MODEL.onnx KEPT.db [--shape NAME=1,3,224,224 ..]

A line for each search: its round, CPU seconds, families, costs in millions, whether it is taken, what its atoms cost as
they are, the bound before, what it costs, its atoms, the values that lie otherwise, its calls. Then a line of JSON of
all. Kept answers are those of one version of the search: begin a new file with another.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import sqlite3
import subprocess
import sys
import time
from functools import partial
from typing import Any

import griotte as gt
from griotte.compiler.session import session_of
from griotte.models import pool as pools
from griotte.models import worker
from griotte.models.pool import Pool
from griotte.models.simplify import simplify
from griotte.models.sizes import for_any_size
from griotte.models.solving import Solving, closed

search = worker.run


def timed(session, job) -> tuple[Any, float]:
    """An answer, and the CPU seconds that it took."""
    started = time.process_time()
    return search(session, job), time.process_time() - started


class RecordedPool(Pool):
    """Solves what its file does not have, and remembers the CPU seconds of each answer."""

    def __init__(self, session, file: str):
        super().__init__(session)
        self.seconds: dict[Any, float] = {}
        self._file = sqlite3.connect(file)
        self._file.execute("create table if not exists answers (job text primary key, answer blob, seconds real)")

    def solve(self, jobs, note=lambda spec: None):
        fresh = []
        for job in jobs:
            row = self._file.execute("select answer, seconds from answers where job = ?", (repr(job),)).fetchone()
            if row is None:
                fresh.append(job)
                continue
            note(job.spec)
            self.seconds[job.spec] = row[1]
            yield job, pickle.loads(row[0])
        for job, (answer, seconds) in super().solve(fresh, note):
            row = repr(job), pickle.dumps(answer), seconds
            self._file.execute("insert or replace into answers values (?, ?, ?)", row)
            self._file.commit()
            self.seconds[job.spec] = seconds
            yield job, answer

    def _started(self, number: int):
        command, pipe = [sys.executable, __file__, "--worker", str(number)], subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=pools.environment())
        pickle.dump(self.session, process.stdin, pickle.HIGHEST_PROTOCOL)
        return process


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("kept")
    parser.add_argument("--shape", action="append", default=[])
    given = parser.parse_args()
    shapes = {name: tuple(map(int, sizes.split(","))) for name, sizes in (each.split("=") for each in given.shape)}
    pools.run = timed  # type: ignore[assignment]
    session = session_of(table="none")
    graph = gt.from_onnx(given.model, shapes=shapes)
    simple, rounds = closed(for_any_size(graph, partial(simplify, math=session.target.math))), []
    with RecordedPool(session, given.kept) as pool:
        solving = Solving(simple, pool)
        price = solving.price

        def priced(asked) -> None:
            fresh = [(piece, piece.bound) for piece in asked if piece.cost is None]
            price([piece for piece, _ in fresh])
            rounds.append(fresh)

        solving.price = priced  # type: ignore[method-assign]
        found = solving.cut()
    taken, met = {solving.part(piece).of for piece in found.cut.pieces}, set()
    alone = {piece.atoms[0]: piece.least for piece in solving.pieces.singles}
    for number, fresh in enumerate(rounds):
        for piece, bound in fresh:
            part = solving.part(piece)
            if part.of in met or part.of not in pool.seconds:
                continue
            met.add(part.of)
            stats = getattr(solving.answers[part.spec], "stats", {})
            print(
                f"{number:2} {pool.seconds[part.of]:6.2f} s {stats.get('families', 0):5}"
                f" {stats.get('specs_solved', 0) / 1e6:7.2f} {'taken' if part.of in taken else '     '}"
                f" {sum(alone[i] for i in piece.atoms):11.0f} {bound:11.0f} {piece.cost:11.0f} {piece.atoms}"
                f" {piece.stored} {' '.join(part.words)}"
            )
    spent = pool.seconds
    told = {
        "searches": len(spent),
        "taken": sum(spec in taken for spec in spent),
        "cpu_s": round(sum(spent.values()), 1),
        "taken_s": round(sum(seconds for spec, seconds in spent.items() if spec in taken), 1),
        "rounds": len(rounds) - 1,
        "cycles": found.cut.cost,
        "gap": round(found.gap, 4),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        worker.run, sys.argv[1:] = timed, sys.argv[2:]
        sys.exit(worker.main())
    os.environ.setdefault("GRIOTTE_SHIPPED", "none")
    main()
