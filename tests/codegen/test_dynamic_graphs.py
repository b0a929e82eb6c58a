"""Graphs of a dynamic size: one kernel, every size up to the bound."""

from dataclasses import replace

import griotte as gt
import numpy as np
import pytest
from batch import kernels_of
from griotte.engine.program.interpret import interpret
from griotte.engine.program.nodes import BySize, Pipeline, Rounds, children, shares_out, walk
from griotte.engine.rewrites import Bufferize
from griotte.lang.meaning.agreement import compare
from griotte.lang.meaning.reference import as_parts
from griotte.lang.meaning.samples import random_arrays
from machines import described, machine, with_prices

GRAPHS = (
    "softmax(f32[<=7,33])",
    "gelu(add(matmul(f32[<=9,7], const f32[7,19]), f32[19]))",
    "layer_norm(f32[<=5,13], f32[13], f32[13])",
    "attention(f32[<=5,2,7,8], f32[<=5,2,9,8], f32[<=5,2,9,6])",
    "concat(f32[<=4,5], f32[<=4,7], axis=1)",
    "max_pool2d(relu(conv2d(f32[<=3,2,5,4], const f32[3,2,3,3], padding=1)), window=2)",
    (
        "relu(add(conv2d(relu(conv2d(%x: f32[<=3,2,4,5], const f32[2,2,3,3], padding=1)), const f32[2,1,3,3],"
        " padding=1, groups=2), %x))"
    ),
    "qconv2d(u8[<=3,2,4,4], f32[], 3, const s8[2,2,3,3], f32[2], s8[], f32[], 200, padding=1)",
    "softmax(f32[<=9,3], axis=0)",
    "matmul(reshape(f32[<=5,8]) -> f32[<=5,2,4], f32[4,3])",
    "matmul(take(f32[<=6,3], u8[4]), f32[3,5])",
    "mean(f32[2,<=9,3], axis=(0,1))",
    "mean(s8[3,<=7], axis=1)",
    "argmax(s8[2,<=5,2], axis=(0,1,2))",
    "rms_norm(f32[2,<=9], f32[<=9])",
    "layer_norm(f32[3,<=5], f32[<=5], f32[<=5])",
    "log_softmax(f32[2,<=9])",
    "attention(f32[2,1,4], f32[2,<=9,4], f32[2,<=9,4])",
    "attention(f32[2,2,4], f32[1,<=4,4], f32[1,<=4,4], causal=true, mask=pred[2,<=4])",
    "attention(f32[2,<=6,4], f32[2,5,4], f32[2,5,3])",
    "attention(f32[1,2,4], f32[1,<=5,4], f32[1,<=5,3], causal=true)",
    "attention(f32[1,<=4,4], f32[1,3,4], f32[1,3,3], causal=true)",
    "sum(exp(matmul(f32[3,4], f32[4,<=7])), axis=1)",
    "matmul(relu(f32[3,<=7]), f32[<=7,5])",
    "attention(f32[2,<=7,4], f32[2,<=7,4], f32[2,<=7,3])",
    "attention(f32[4,<=5,4], f32[2,<=5,4], f32[2,<=5,4], causal=true)",
    "attention(f32[1,<=9,4], f32[1,<=9,4], f32[1,<=9,4], mask=pred[<=9,<=9])",
    "softmax(matmul(%x: f32[<=9,4], transpose(%x)))",
    (
        "add(%x: f32[<=5,6], matmul(reshape(transpose(attention(f32[2,<=5,3], f32[2,<=5,3], f32[2,<=5,3]),"
        " perm=(1,0,2))) -> f32[<=5,6], f32[6,6]))"
    ),
    "outputs(add(%x: f32[<=5,4], f32[<=5,4]), matmul(%x, transpose(%x)))",
)
PARTS = 6


@pytest.mark.parametrize("part", range(PARTS))
def test_every_size_is_right(part, request):
    """On one thread or two, by turns, in `make test`; of a part of the graphs, which are one unit of C."""
    every = request.config.getoption("--all")
    ways = [(text, n) for i, text in enumerate(GRAPHS[part::PARTS]) for n in (1, 2) if every or (i + n) % 2]
    kernels = kernels_of([gt.synthesize(text, "portable", threads, table="none") for text, threads in ways])
    for (text, threads), kernel in zip(ways, kernels):
        spec = gt.parse(text)
        for n in range(1, spec.dynamic.bound + 1):
            one = spec.at(n)
            arrays = as_parts(spec, random_arrays(one, np.random.default_rng(n), hostile=n % 2 == 0))
            _, ok, complaint = compare(one, arrays, kernel(*arrays))
            assert ok, (text, n, threads, complaint)


SHARED = (
    "layer_norm(f32[<=5,13], f32[13], f32[13])",
    "max_pool2d(relu(conv2d(f32[<=3,2,5,4], const f32[3,2,3,3], padding=1)), window=2)",
    "attention(f32[1,<=4,4], f32[1,3,4], f32[1,3,3], causal=true)",
)


def test_parts_that_are_shared_out_at_each_size_in_its_own_way_are_right():
    """Where threads start for nothing, and no tree of a part serves all sizes."""
    target = with_prices(machine("portable"), fork=0.0)
    programs = [gt.synthesize(text, target, 3, table="none") for text in SHARED]
    for text, program, kernel in zip(SHARED, programs, kernels_of(programs)):
        pipelines = (node for node in walk(program.root) if isinstance(node, Pipeline))
        parts = (part for node in pipelines for part in children(node))
        assert any(isinstance(part, BySize) and shares_out(part) for part in parts), text
        spec = gt.parse(text)
        for n in range(1, spec.dynamic.bound + 1):
            one = spec.at(n)
            arrays = as_parts(spec, random_arrays(one, np.random.default_rng(n)))
            _, ok, complaint = compare(one, arrays, kernel(*arrays))
            assert ok, (text, n, complaint)


def dear(edge, dim: str):
    """Bufferize's edge, which costs a million where more than 64 of the columns are between nests."""

    def made(self, family, target):
        found = edge(self, family, target)
        if dim not in family.operation.dims:
            return found
        return replace(
            found,
            features=lambda size: {**found.features(size), "loop": 1e6 * (np.asarray(size[dim]) > 64)},
            key=("dear", *found.key),
        )

    return made


SMALL = (
    'name = "small"\nbase = "portable"\npanel_vectors = []\nkernels = ["map", "combine",'
    ' "multiply_add"]\n[[levels]]\nname = "L1"\ncapacity = 3072\n[[levels]]\nname = "memory"'
)


@pytest.mark.parametrize("text, dim", [
    pytest.param("attention(f32[1,24,4], f32[1,<=80,4], f32[1,<=80,4], causal=true)", "n", marks=pytest.mark.long),
    ("softmax(f32[5,<=72])", "i1"),
])  # fmt: skip
def test_rounds_are_of_any_number(text, dim, monkeypatch):
    """Where rounds are best, one tree of them serves all sizes that are more than one: with what is left over, and
    without."""
    monkeypatch.setattr(Bufferize, "edge", dear(Bufferize.edge, dim))
    spec = gt.parse(text)
    program = gt.synthesize(spec, described(SMALL), table="none")
    assert any(isinstance(node, Rounds) for node in walk(program.root))
    kernel = program.compile()
    for n in sorted({min(n, spec.dynamic.bound) for n in (1, 64, 65, 72, 80)}):
        one = spec.at(n)
        assert any(isinstance(node, Rounds) for node in walk(program.at(n).root)) is (n > 64)
        arrays = random_arrays(one, np.random.default_rng(n))
        for result in (
            kernel(*as_parts(spec, arrays)),
            interpret(program.at(n).root, one, *arrays, canonical=program.at(n).canonical),
        ):
            _, ok, complaint = compare(one, arrays, result)
            assert ok, (n, complaint)
