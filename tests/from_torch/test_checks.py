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
dividing = pytest.importorskip("griotte.torch.dividing")
exporting = pytest.importorskip("griotte.torch.exporting")
reader = pytest.importorskip("griotte.torch.reader")

INTEGERS = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64)


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """Graphs are griotte's wherever it has all nodes; what it leaves is run as it is."""
    torch.compiler.reset()
    monkeypatch.setenv("GRIOTTE_TORCH", "all")
    monkeypatch.setattr(choosing, "_CHOICES", [])
    monkeypatch.setattr(choosing, "inductor", lambda module, inputs: ("eager", dividing.guarded(module).forward, ""))
    yield
    torch.compiler.reset()


def told(run, *inputs):
    """What a call gives: tensors as lists, or an error."""
    try:
        with torch.no_grad():
            return [each.tolist() for each in run(*inputs)]
    except Exception as error:
        return type(error), str(error)


def require_as_eager(module, *calls, runs: str = "griotte", **options) -> None:
    """That each call gives what eager gives, or its error."""
    run = torch.compile(module, backend=gt.torch.griotte, **{"dynamic": False, **options})
    for inputs in calls:
        assert told(run, *inputs) == told(module, *inputs)
    assert {each.runs for each in gt.torch.report()} == {runs}


def holds(module, *inputs) -> bool | None:
    """Whether what a module asks holds, by the reference; None where it asks nothing that a call tells."""
    graph = reader.AtenReader(exporting.exported(module, inputs), checks.Checks()).graph()
    graph.require_covered()
    if not checks.is_checked(graph):
        return None
    *_, failed = interpret(graph, *(each.numpy() for each in inputs))
    return not failed


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
    found = dividing.guarded(graph)(x.clone(), y)
    assert [each.tolist() for each in found[:2]] == [[-(2**63), -3, -3, 2]] * 2
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        dividing.guarded(graph)(x, y * 0)
    halves = dividing.guarded(graph)(torch.tensor([7.0, -7.0]), torch.tensor([2.0, 0.0]))
    assert halves[0].tolist() == [3.0, -np.inf]
    plain = torch.fx.symbolic_trace(lambda x, y: x // y)
    assert dividing.guarded(plain) is plain


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
