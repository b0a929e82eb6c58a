"""What torch refuses while it runs: torch.compile with griotte raises eager's own errors."""

from __future__ import annotations

import os
import subprocess
import sys

import griotte as gt
import numpy as np
import pytest
from griotte.models.reference import interpret
from torch_models import Of, torch

backend = pytest.importorskip("griotte.torch.backend")
checks = pytest.importorskip("griotte.torch.checks")
choosing = pytest.importorskip("griotte.torch.choosing")
decompositions = pytest.importorskip("griotte.torch.decompositions")
exporting = pytest.importorskip("griotte.torch.exporting")
reader = pytest.importorskip("griotte.torch.reader")

INTEGERS = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64)


@pytest.fixture(autouse=True)
def guarded(griotte_alone, monkeypatch):
    """What griotte leaves is run as inductor would be: with its divisions guarded."""
    monkeypatch.setattr(
        choosing, "inductor", lambda module, inputs: ("eager", decompositions.guarded(module).forward, "")
    )


def told(run, *inputs):
    """What a call gives: tensors as lists, or an error."""
    try:
        with torch.no_grad():
            found = run(*inputs)
        return [each.tolist() for each in (found if isinstance(found, (tuple, list)) else [found])]
    except Exception as error:
        return type(error), str(error)


def require_as_eager(module, *calls, runs: str = "griotte", **options) -> None:
    """That each call gives what eager gives, or its error."""
    run = torch.compile(module, backend=gt.torch.griotte, **{"dynamic": False, **options})
    for inputs in calls:
        found, wanted = told(run, *inputs), told(module, *inputs)
        if isinstance(wanted, tuple) or isinstance(found, tuple):
            assert found == wanted
        else:
            for one, other in zip(found, wanted, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-5)
    assert {each.runs for each in gt.torch.report()} == {runs}


def asking(module, *inputs):
    """The graph of a module with what it asks of such inputs, which another call may check."""
    graph = reader.AtenReader(exporting.exported(module, inputs), checks.Checks()).graph()
    graph.require_covered()
    return graph


def passes(graph, *inputs) -> bool | None:
    """Whether what a graph asks holds, by the reference; None where it asks nothing that a call tells."""
    if not checks.is_checked(graph):
        return None
    *_, failed = interpret(graph, *(each.numpy() for each in inputs))
    return not failed


def holds(module, *inputs) -> bool | None:
    return passes(asking(module, *inputs), *inputs)


# --- divisors

DIVISIONS = {
    "//": lambda x, y: x // y,
    "%": lambda x, y: x % y,
    "fmod": torch.fmod,
    "trunc": lambda x, y: torch.div(x, y, rounding_mode="trunc"),
    "of a number": lambda x, y: 7 // y,
    "rest of a number": lambda x, y: 7 % y,
    "of another dtype": lambda x, y: x.long() // y,
    "in place": lambda x, y: x.clone().div_(y, rounding_mode="trunc"),
    "by what is computed": lambda x, y: x % (y * 2),
}


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integers_are_not_divided_by_0(dtype):
    x = torch.tensor([7, 9, 100, 5], dtype=dtype)
    by = [torch.tensor(each, dtype=dtype) for each in ([2, 3, 7, 1], [2, 0, 7, 1], [2, 3, 7, 0], [5, 5, 5, 5])]
    require_as_eager(Of(*DIVISIONS.values()), *((x, y) for y in by))


@pytest.mark.parametrize("name", DIVISIONS)
def test_a_division_asks_of_its_divisor(name):
    module, x = Of(DIVISIONS[name]), torch.tensor([7, 9])
    assert holds(module, x, torch.tensor([2, 3])) is True
    assert holds(module, x, torch.tensor([2, 0])) is False


def test_floats_and_known_divisors_ask_nothing():
    x = torch.tensor([7, 9])
    assert holds(Of(lambda x: x // 3, lambda x: x % 3, lambda x: torch.fmod(x, torch.tensor([3, 4]))), x) is None
    assert holds(Of(lambda x: x // 0.0, lambda x: torch.div(x, 0)), x) is None


@pytest.mark.parametrize("name", ("//", "%", "fmod", "trunc"))
def test_a_known_0_is_left_to_torch(name):
    require_as_eager(Of(lambda x: DIVISIONS[name](x, 0)), (torch.tensor([7, 9]),), runs="eager")


def test_an_open_size_is_checked():
    module = Of(lambda x, y: x // y)
    given = [(torch.arange(n), torch.ones(n, dtype=torch.int64) * k) for n, k in ((3, 2), (5, 2), (6, 0), (4, 3))]
    require_as_eager(module, *given, dynamic=None)


@pytest.mark.parametrize("dtype", (torch.int32, torch.int64), ids=str)
def test_the_lowest_by_minus_1_ends_no_process(dtype):
    """Torch's own kernel of it ends the process."""
    least = torch.iinfo(dtype).min
    x, y = torch.tensor([least, least, -7, 7], dtype=dtype), torch.tensor([-1, 1, 2, -2], dtype=dtype)
    run = torch.compile(Of(DIVISIONS["trunc"], DIVISIONS["in place"]), backend=gt.torch.griotte, dynamic=False)
    wanted = [least, least, -3, -3]
    with torch.no_grad():
        assert [each.tolist() for each in run(x, y)] == [wanted, wanted]
    module = Of(lambda z: torch.div(module.x, module.y, rounding_mode="trunc") + z)
    module.register_buffer("x", x)
    module.register_buffer("y", y)
    (found,) = interpret(gt.from_torch(module, torch.zeros_like(x)), np.zeros_like(x.numpy()))
    assert found.tolist() == wanted


def test_graphs_are_handed_to_torch_without_such_divisions():
    graph = torch.fx.symbolic_trace(lambda x, y: (DIVISIONS["trunc"](x, y), DIVISIONS["in place"](x, y), x + y))
    x, y = torch.tensor([-(2**63), -7, 7, 8]), torch.tensor([-1, 2, -2, 4])
    found = decompositions.guarded(graph)(x.clone(), y)
    assert [each.tolist() for each in found[:2]] == [[-(2**63), -3, -3, 2]] * 2
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        decompositions.guarded(graph)(x, y * 0)
    halves = decompositions.guarded(graph)(torch.tensor([7.0, -7.0]), torch.tensor([2.0, 0.0]))
    assert halves[0].tolist() == [3.0, -np.inf]
    plain = torch.fx.symbolic_trace(lambda x, y: x // y)
    assert decompositions.guarded(plain) is plain


# --- indices

F = torch.nn.functional
X, W = torch.randn(5, 4, generator=torch.Generator().manual_seed(0)), torch.randn(3, 4)


def written(x, i):
    x = x.clone()
    x[:, i] = 1.0
    x[i, 0] += 2
    return x


INDEXED = {  # of an axis of 4; of others what is told with it
    "x[i]": (lambda i: X.t()[i], 4, True),
    "x[:, i]": (lambda i: X[:, i], 4, True),
    "x[i, j]": (lambda i: X[i, i], 4, True),
    "x[i, :, j]": (lambda i: X[:4].view(4, 1, 4)[i, :, i], 4, True),
    "x[i] = 1": (lambda i: written(X, i), 4, True),
    "index_select": (lambda i: X.index_select(1, i), 4, False),
    "gather": (lambda i: X.gather(1, i.expand(5, 3)), 4, False),
    "take": (X.take, 20, True),
    "scatter": (lambda i: X.scatter(1, i.expand(5, 3), X.flip(0)), 4, False),
    "scatter of a number": (lambda i: X.scatter(1, i.expand(5, 3), 2.0), 4, False),
    "scatter_add": (lambda i: X.scatter_add(1, i.expand(5, 3), X), 4, False),
    "scatter_reduce": (lambda i: X.scatter_reduce(1, i.expand(5, 3), X, "amax"), 4, False),
    "index_put": (lambda i: X.index_put((i,), X[:3]), 5, True),
    "index_put, added": (lambda i: X.index_put((i,), X[:3], accumulate=True), 5, True),
    "index_add": (lambda i: X.index_add(1, i, X[:, 1:], alpha=2), 4, False),
    "index_copy": (lambda i: X.index_copy(1, i, X[:, 1:]), 4, False),
    "index_fill": (lambda i: X.index_fill(1, i, 7.0), 4, True),
    "index_reduce": (lambda i: X.index_reduce(1, i, X[:, 1:], "prod"), 4, False),
    "put": (lambda i: X.put(i, X[0, :3]), 20, True),
    "one_hot": (lambda i: F.one_hot(i, 4), 4, False),
    "embedding": (lambda i: F.embedding(i, W), 3, False),
    "embedding with padding": (lambda i: F.embedding(i, W, padding_idx=1), 3, False),
    "embedding_bag": (lambda i: F.embedding_bag(i.view(1, 3), W), 3, False),
    "embedding_bag with offsets": (lambda i: F.embedding_bag(i, W, torch.tensor([0, 2]), mode="max"), 3, False),
    "cross_entropy": (lambda i: F.cross_entropy(X[:3], i), 4, False),
    "cross_entropy of pixels": (lambda i: F.cross_entropy(X[:3, :, None], i[:, None]), 4, False),
    "nll_loss": (lambda i: F.nll_loss(X[:3], i, weight=X[0], reduction="none"), 4, False),
    "nll_loss that ignores": (lambda i: F.nll_loss(X[:3], i, ignore_index=-1), 4, True),
    "multi_margin_loss": (lambda i: F.multi_margin_loss(X[:3], i), 4, False),
}


@pytest.mark.parametrize("name", INDEXED)
def test_an_operator_asks_of_its_indices(name):
    of, size, is_from_last = INDEXED[name]
    module, least = Of(of), -size if is_from_last and "ignores" not in name else 0
    graph = asking(module, torch.tensor([0, size - 1, 1]))
    for indices in ([0, size - 1, 1], [0, size, 1], [-1, 0, 1], [0, 1, least - 2]):
        is_within = all(n in range(least, size) or (n == -1 and is_from_last) for n in indices)
        assert passes(graph, torch.tensor(indices)) is is_within, indices
        assert isinstance(told(module, torch.tensor(indices)), list) == is_within, indices


BAGS = {
    "in order": ([0, 1, 3], True),
    "beside each other": ([0, 2, 2], True),
    "not from 0": ([1, 2, 3], False),
    "beyond the end": ([0, 1, 5], False),
}


@pytest.mark.parametrize("name", BAGS)
def test_bags_ask_of_their_offsets(name):
    offsets, is_right = BAGS[name]
    module = Of(lambda i, o: F.embedding_bag(i, W, o))
    given = torch.tensor([0, 1, 2, 0]), torch.tensor(offsets)
    assert holds(module, *given) is is_right
    assert isinstance(told(module, *given), list) == is_right


def test_repeats_ask_for_a_number_in_all():
    module = Of(lambda x, r: x.repeat_interleave(r, 0, output_size=4))
    for repeats in ([1, 2, 1], [1, 2, 2], [3, -1, 2]):
        assert holds(module, W, torch.tensor(repeats)) is (repeats == [1, 2, 1])


def test_a_matrix_is_asked_for_its_inverse():
    module = Of(torch.linalg.inv)
    assert holds(module, torch.eye(3)) is True
    assert holds(module, torch.ones(3, 3)) is False


SOME = ("x[:, i]", "gather", "scatter", "index_add", "one_hot", "cross_entropy")


def test_an_index_out_of_range_is_refused_as_by_eager():
    near = [torch.tensor(each) for each in ([0, 3, 1], [2, 2, 2], [0, 4, 1], [-1, 0, 1], [0, 1, -5], [1, 1, 1])]
    require_as_eager(Of(*(INDEXED[name][0] for name in SOME)), *((i,) for i in near))


def test_an_embedding_of_an_open_size():
    module = torch.nn.Sequential(torch.nn.Embedding(7, 4), torch.nn.Flatten()).eval()
    given = [torch.tensor([[each] * 3] * n) for n, each in ((3, 2), (5, 6), (4, 7), (6, -1), (2, 0))]
    require_as_eager(module, *((i,) for i in given), dynamic=None)


@pytest.mark.parametrize("by", ("options", "environment"))
def test_checks_of_indices_can_be_left_out(by, monkeypatch):
    """Then the nearest row is taken; divisors are asked all the same."""
    options = {"check_indices": False} if by == "options" else None
    if by == "environment":
        monkeypatch.setenv("GRIOTTE_CHECK_INDICES", "off")
    run = torch.compile(Of(lambda i, y: X[i // y]), backend=gt.torch.griotte, options=options)
    one, i = torch.ones(2, dtype=torch.int64), torch.tensor([1, 9])
    assert told(run, i, one) == [[X[1].tolist(), X[4].tolist()]]
    assert told(run, i, one * 0) == (RuntimeError, "ZeroDivisionError")


def test_a_switch_is_on_or_off(monkeypatch):
    monkeypatch.setenv("GRIOTTE_CHECK_INDICES", "perhaps")
    with pytest.raises(gt.SpecError, match="expected check_indices to be True or False, .* found 'perhaps'"):
        checks.checks_indices({})
    assert checks.checks_indices({"check_indices": True})


DIVIDES = """
import torch, griotte
f = torch.compile(lambda x, y: torch.special.airy_ai(torch.div(x, y, rounding_mode="trunc").float()), backend="griotte")
x = torch.tensor([-2**63, 7])
with torch.no_grad():
    f(x, torch.tensor([-1, 2]))
    try: f(x, torch.tensor([0, 2]))
    except RuntimeError: print("refused")
"""


@pytest.mark.long
@pytest.mark.parametrize("way", ("measure", "all"))
def test_inductor_ends_no_process(way):
    done = subprocess.run(
        [sys.executable, "-c", DIVIDES], env={**os.environ, "GRIOTTE_TORCH": way}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout.strip()) == (0, "refused"), done.stderr[-2000:]
