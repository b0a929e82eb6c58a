"""Random Specs, of tests/drawn: the one place where benchmarks reach into tests/."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))

from drawn import pairs
from drawn.dynamic import with_dynamic
from drawn.graphs import random_graph, random_outputs
from drawn.networks import random_network
from drawn.specs import random_spec

__all__ = ["pairs", "random_graph", "random_network", "random_outputs", "random_spec", "with_dynamic"]
