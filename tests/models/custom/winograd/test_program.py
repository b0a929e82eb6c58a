"""Filtered convolutions give what they mean, whatever their sizes, and what reads and gives them."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace

import griotte as gt
import numpy as np
import pytest
from batch import model_kernels_of
from filtered_convs import Case, as_model, given, part, solved
from griotte.models import reference
from griotte.models.custom.winograd.conv import FilteredConv, filtered
from griotte.models.custom.winograd.program import FilteredByWinograd, WinogradProgram, plans
from griotte.models.custom.winograd.transforms import Filtering
from griotte.models.graph import GraphBuilder
from griotte.models.parts import part_of
from griotte.runtime.compilers import find_compiler
from griotte.runtime.leaves import resolved
from griotte.runtime.model import packed
from spaces import by_turns

CLOSE = 2e-5  # of the largest result


def by_matrices(conv: FilteredConv, filtering: Filtering, x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The sums of a filtered convolution by its matrices, in f64: what the C computes."""
    n, m = filtering.n, filtering.m
    a, g, b = (np.array(each, float) for each in (filtering.outputs, filtering.weights, filtering.inputs))
    down, across = -(-conv.rows // m), -(-conv.columns // m)
    wide = np.zeros((conv.images, conv.channels, down * m + n, across * m + n))
    wide[:, :, conv.top : conv.top + conv.height, conv.left : conv.left + conv.width] = x
    u = np.einsum("ia,jb,kcab->ijkc", g, g, w.astype(float))
    y = np.zeros((conv.images, conv.kernels, down * m, across * m))
    for i in range(down):
        for j in range(across):
            v = np.einsum("ia,jb,zcab->ijzc", b, b, wide[:, :, i * m : i * m + n, j * m : j * m + n])
            products = np.einsum("ijzc,ijkc->ijzk", v, u)
            y[:, :, i * m : i * m + m, j * m : j * m + m] = np.einsum("pi,qj,ijzk->zkpq", a, a, products)
    return y[:, :, : conv.rows, : conv.columns]


CASES = {
    "even": Case((1, 16, 8, 8), 16),
    "odd": Case((1, 5, 7, 9), 3),
    "more than a vector": Case((2, 20, 6, 5), 37, maps="bias relu"),
    "no border": Case((1, 8, 9, 6), 8, padding=0),
    "uneven border": Case((1, 4, 6, 7), 9, padding=((2, 0), (1, 2)), maps="bias"),
    "wide windows": Case((1, 6, 9, 9), 8, window=5, padding=2, maps="bias hard_swish"),
    "smaller than a window": Case((1, 3, 2, 1), 4, padding=2),
    "what it reads is added": Case((1, 16, 12, 20), 16, maps="itself"),
    "maps": Case((2, 9, 8, 12), 17, maps="bias number residual relu"),
}


@pytest.mark.parametrize("cases, target", by_turns((tuple(CASES)[::2], tuple(CASES)[1::2]), ("native", "portable")))
def test_results_are_those_of_the_convolution(cases: tuple[str, ...], target: str) -> None:
    models = [as_model(*found) for name in cases for found in solved(CASES[name], "none", target)]
    for model, kernel in zip(models, model_kernels_of(models)):
        arrays = given(model.graph)
        wanted = reference.interpret(model.graph, *arrays)
        assert np.max(np.abs(kernel(*arrays) - wanted)) <= CLOSE * np.max(np.abs(wanted)), str(model)


@pytest.mark.parametrize("stored", ["given", "result", "all"])
def test_what_lies_with_channels_last_is_not_copied(stored: str) -> None:
    case = CASES["maps"]
    for _, made, program in solved(case, stored, "native"):
        wide = [*enumerate(made.spec.inputs), (len(made.spec.inputs), made.spec.output)]
        plain = {i for i, type in wide if type.rank == 4 and type.minor_to_major == (3, 2, 1, 0)}
        assert set(program.copies) == plain - {program.plan.conv.reads[1]}


def test_threads_share_tiles() -> None:
    for graph, made, program in solved(CASES["maps"], "none", "native", threads=2):
        arrays = given(graph)
        wanted = reference.interpret(graph, *arrays)
        got = as_model(graph, made, program).compile()(*arrays)
        assert np.max(np.abs(got - wanted)) <= CLOSE * np.max(np.abs(wanted))
        assert "griotte_share_out" in as_model(graph, made, program).to_c()


def test_bands_are_as_many_as_leave_planes_in_near_memory() -> None:
    _, made = part(Case((1, 256, 64, 64), 256), "none")
    conv = filtered(made)
    assert conv is not None
    machine = resolved("native")
    found = list(plans(conv, machine))
    assert {plan.bands for plan in found} > {1}
    for plan in found:
        assert plan.bands * plan.rows == conv.tiles(plan.filtering.m)[0]
        assert plan.bands == 1 or plan.rows == 1 or plan.between <= machine.levels[2].capacity / 2


@pytest.mark.parametrize("name", ["odd", "uneven border", "maps", "wide windows"])
def test_sums_are_those_of_the_matrices(name: str) -> None:
    """The meaning in NumPy, in f64, is the convolution to rounding."""
    case = CASES[name]
    graph, made = part(Case(case.x, case.kernels, case.window, case.padding), "none")
    conv = filtered(made)
    assert conv is not None
    (x,) = given(graph)
    w = graph.constants[0].array
    assert w is not None
    wanted = reference.interpret(graph, x)
    for plan in plans(conv, resolved("native")):
        got = by_matrices(conv, plan.filtering, x, w)
        assert np.max(np.abs(got - wanted)) <= 1e-6 * np.max(np.abs(wanted))


@pytest.mark.parametrize(
    "change",
    [
        {"stride": 2},
        {"dilation": 2},
        {"groups": 2},
    ],
)
def test_other_convolutions_are_not_filtered(change: dict) -> None:
    b = GraphBuilder()
    channels = 4 // change.get("groups", 1)
    x = b.input(gt.tensor((1, 4, 9, 9)), "x")
    h = b.call("conv2d", x, b.constant(np.ones((4, channels, 3, 3), np.float32)), padding=1, **change)
    graph = b.graph({"y": h})
    assert filtered(part_of(graph, graph.calls)) is None


def test_images_as_many_as_there_are_are_not_filtered() -> None:
    b = GraphBuilder()
    x = b.input(gt.tensor(("<=4", 4, 9, 9)), "x")
    graph = b.graph({"y": b.call("conv2d", x, b.constant(np.ones((4, 4, 3, 3), np.float32)), padding=1)})
    assert filtered(part_of(graph, graph.calls)) is None


def test_a_model_takes_what_costs_less() -> None:
    b, rng = GraphBuilder(), np.random.default_rng(1)
    x = b.input(gt.tensor((1, 64, 28, 28)), "x")
    w = b.constant(rng.standard_normal((64, 64, 3, 3)).astype(np.float32) / 24)
    graph = b.graph({"y": b.call("relu", b.call("conv2d", x, w, padding=1))})
    program = gt.synthesize(graph)
    (only,) = [each.program for each in program.parts if each.program is not None]
    assert isinstance(only, WinogradProgram)
    assert "winograd" in str(program)
    assert program.cost < 64 * 64 * 9 * 28 * 28 / resolved("native").lanes("f32") / resolved("native").ports.arithmetic
    array = rng.standard_normal((1, 64, 28, 28)).astype(np.float32)
    wanted = reference.interpret(graph, array)
    assert np.max(np.abs(program.compile()(array) - wanted)) <= CLOSE * np.max(np.abs(wanted))


_MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "model.c"
static void *taken(const char *path, size_t bytes)
{
    void *exact; /* of as many bytes as there are: one more is seen */
    FILE *file = fopen(path, "rb");
    if (posix_memalign(&exact, 64, bytes) || !file || fread(exact, 1, bytes, file) != bytes) exit(2);
    fclose(file);
    return exact;
}
int main(void)
{
    void *weights = taken("weights", %(weights)d), *x = taken("x", %(x)d), *r = taken("r", %(x2)d);
    void *y = malloc(%(y)d);
    %(function)s(weights, x, r, y);
    FILE *out = fopen("y", "wb");
    fwrite(y, 1, %(y)d, out);
    fclose(out);
    free(weights), free(x), free(r), free(y);
    return 0;
}
"""


@pytest.mark.parametrize("target", [pytest.param("native", marks=pytest.mark.long), "portable"])
def test_nothing_beside_arrays_is_touched(target: str, tmp_path) -> None:
    """Under AddressSanitizer and UBSan, each array on its own."""
    for graph, made, program in solved(Case((1, 5, 7, 9), 18, maps="bias residual relu"), "none", target):
        model = as_model(graph, made, program)
        library, arrays = model.build(), given(graph)
        weights = np.frombuffer(packed(library, model.arrays()), np.uint8)
        for name, array in (("weights", weights), ("x", arrays[0]), ("r", arrays[1])):
            (tmp_path / name).write_bytes(array.tobytes())
        bytes_of = {"weights": weights.nbytes, "x": arrays[0].nbytes, "x2": arrays[1].nbytes, "y": arrays[1].nbytes}
        (tmp_path / "model.c").write_text(model.to_c())
        (tmp_path / "main.c").write_text(_MAIN % {**bytes_of, "function": model.function})
        flags = [
            "-O1",
            "-g0",
            "-std=gnu11",
            "-D_GNU_SOURCE",
            "-w",
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=all",
        ]
        command = [*find_compiler().command, *flags, *program.target.flags, "main.c", "-lm", "-lpthread", "-o", "run"]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        subprocess.run(["./run"], cwd=tmp_path, check=True, capture_output=True)
        got = np.fromfile(tmp_path / "y", np.float32).reshape(arrays[1].shape)
        wanted = reference.interpret(graph, *arrays)
        assert np.max(np.abs(got - wanted)) <= CLOSE * np.max(np.abs(wanted))


def test_strict_programs_have_no_filtering():
    graph = Case((1, 64, 56, 56), 64).graph()
    for math, is_offered in (("default", True), ("strict", False)):
        target = resolved("avx2", math)
        copied = lambda spec, target=target: gt.synthesize(spec, target, table="none")
        making = SimpleNamespace(target=target, threads=1, copied=copied)
        part = part_of(graph, [value for value in graph.calls if value.call == "conv2d"])
        assert (FilteredByWinograd().implementation(part, making) is not None) == is_offered
