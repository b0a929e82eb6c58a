"""Programs of every size of a dynamic Spec, by what they mean."""

import numpy as np
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import Bands, BySize, walk
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.samples import random_arrays


def mean_the_spec(program, spec, target, sizes) -> None:
    """Each of these sizes has a program of its own, which gives what the Spec says."""
    for n in sizes:
        one, found = spec.at(n), program.at(n)
        assert not any(isinstance(node, (Bands, BySize)) for node in walk(found.root))
        arrays = random_arrays(one, np.random.default_rng(n))
        _, ok, complaint = compare(
            one, arrays, interpret(found.root, one, *arrays, target=target, canonical=found.canonical)
        )
        assert ok, (n, complaint)
