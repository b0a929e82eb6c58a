"""How large the cache is after drawn Specs and graphs, and how long each takes the first time and again.

    GRIOTTE_CACHE=of-the-lab PYTHONPATH=tests .venv/bin/python docs/lab/cache/grown.py first.json
    GRIOTTE_CACHE=of-the-lab PYTHONPATH=tests .venv/bin/python docs/lab/cache/grown.py again.json --before first.json

60 Specs and 40 graphs of tests/drawn by one generator, target avx2, one thread, in one process.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import griotte as gt
import numpy as np
from drawn.graphs import random_graph
from drawn.specs import random_spec
from griotte.support.folders import cache_dir


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    texts = [random_spec(rng) for _ in range(60)] + [random_graph(rng) for _ in range(40)]
    gt.synthesize("exp(f32[8])", "avx2")  # loads the search
    rows = [measured(text) for text in texts]
    given.out.write_text(json.dumps(rows, indent=1))
    size = sum(path.stat().st_size for path in cache_dir().rglob("*") if path.is_file())
    print(
        f"{len(rows)} solved in {sum(row['seconds'] for row in rows):.2f} s ({sum(row['cpu'] for row in rows):.2f} s of"
        f" CPU); {sum(row['solved'] > 0 for row in rows)} were not known; the cache has {size / 1e6:.1f} MB"
    )
    if given.before:
        before = {row["text"]: row for row in json.loads(given.before.read_text())}
        assert all(row["cost"] == before[row["text"]]["cost"] for row in rows)


def measured(text: str) -> dict:
    began, cpu = time.perf_counter(), time.process_time()
    program = gt.synthesize(text, "avx2")
    return {
        "text": text,
        "seconds": time.perf_counter() - began,
        "cpu": time.process_time() - cpu,
        "cost": program.cost,
        "solved": program.stats["specs_solved"],
        "families": program.stats["families"],
    }


if __name__ == "__main__":
    main()
