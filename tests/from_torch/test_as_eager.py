"""torch.compile beside eager, program by program: values, dtypes, strides, shared memory, changed inputs, errors."""

from __future__ import annotations

import threading

import griotte as gt
import pytest
from torch_as_eager import difference
from torch_cases import CASES, LOOPS, F, drawn, nn, torch

choosing = pytest.importorskip("griotte.torch.choosing")
INDUCTOR = choosing.inductor
QUICK = (
    "strides: x.t() + 1",
    "strides: roll",
    "strides: convs whose weights are channels last",
    "aliases: a result and a view",
    "aliases: chunks of the input",
    "aliases: dropout that does nothing",
    "aliases: chunks of a result",
    "aliases: inputs that share",
    "changes: the input by a view",
    "dtypes: by names",
    "errors: an index out of range",
    "chance: rand",
    "functions: jacrev",
)
LONG = [name for name in CASES if name not in QUICK]


pytestmark = pytest.mark.usefixtures("griotte_alone")


def compiled(function, **options):
    return torch.compile(function, backend=gt.torch.griotte, **{"dynamic": False, **options})


def require_as_eager(name):
    function, make = CASES[name]
    with torch.no_grad():
        assert not difference(compiled(function), function, make)


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.long) for name in LONG)])
def test_programs(name):
    require_as_eager(name)


INDUCTORS = ("changes: inputs that share",)  # which eager refuses, and inductor computes


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in CASES if name not in INDUCTORS])
def test_programs_beside_inductor(name, monkeypatch):
    monkeypatch.setattr(choosing, "inductor", INDUCTOR)
    monkeypatch.setenv("GRIOTTE_TORCH", "measure")
    with torch._inductor.config.patch({"cpp.simdlen": 1, "compile_threads": 1}):
        require_as_eager(name)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name != "generation")) for name in LOOPS]
)
def test_loops(name):
    make = LOOPS[name]
    with torch.no_grad():
        torch.manual_seed(0)
        found = make(lambda module: compiled(module, dynamic=None))
        torch.manual_seed(0)
        wanted = make(lambda module: module)
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)


def test_threads_that_call_the_first_time_at_once():
    module, found = nn.Linear(6, 3).eval(), []
    run = compiled(module, dynamic=None)

    def call(n):
        with torch.no_grad():
            for size in (4, 4 + n):  # a new size beside a running thread
                x = drawn(size, 6)
                found.append((run(x), module(x)))

    threads = [threading.Thread(target=call, args=(n,)) for n in range(4)]
    [each.start() for each in threads]
    [each.join() for each in threads]
    assert len(found) == 8
    for one, other in found:
        torch.testing.assert_close(one, other)


def copying(module, inputs):
    return "inductor", lambda *given: [each.clone() for each in module.forward(*given)], ""


def test_a_race_is_not_won_by_what_shares_no_memory(monkeypatch):
    monkeypatch.setenv("GRIOTTE_TORCH", "measure")
    monkeypatch.setattr(choosing, "inductor", copying)
    require_as_eager("aliases: dropout that does nothing")
    (choice,) = gt.torch.report()
    assert choice.runs == "griotte" and "results of inductor lie other than eager's" in choice.why


def test_a_race_draws_no_numbers(monkeypatch):
    monkeypatch.setenv("GRIOTTE_TORCH", "measure")
    function = lambda x: F.dropout(x.exp(), 0.5) + 1
    with torch.no_grad():
        assert not difference(compiled(function), function, lambda: (drawn(4, 6),))


def test_options_of_inductor_are_ignored_and_told():
    with torch.no_grad(), pytest.warns(UserWarning, match="expected no max_autotune for the backend griotte"):
        run = compiled(torch.exp, options={"max_autotune": True})
        torch.testing.assert_close(run(drawn(5)), drawn(5).exp())


def test_a_first_call_that_eager_refuses_is_no_last_one():
    function = lambda x, i: x[i] * 2
    run, x = compiled(function), drawn(3, 4)
    with torch.no_grad():
        with pytest.raises(IndexError):
            run(x, torch.tensor([7]))
        torch.testing.assert_close(run(x, torch.tensor([2])), function(x, torch.tensor([2])))
    assert [each.runs for each in gt.torch.report()] == ["griotte"]


def test_views_of_another_part_of_one_memory():
    function = lambda x: (x.t(), x * 2)
    run, whole = compiled(function), drawn(8, 6)
    with torch.no_grad():
        for start in (0, 2, 4):
            found = run(whole[start : start + 4])[0]
            assert found.data_ptr() == whole[start].data_ptr() and torch.equal(found, whole[start : start + 4].t())
