"""torch.compile beside eager: strides, memory that results share, threads, chance."""

from __future__ import annotations

import threading

import griotte as gt
import pytest
from torch_models import Of, drawn, torch

choosing = pytest.importorskip("griotte.torch.choosing")
nn = torch.nn


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    torch.compiler.reset()
    monkeypatch.setenv("GRIOTTE_TORCH", "all")
    monkeypatch.setattr(choosing, "_CHOICES", [])
    monkeypatch.setattr(choosing, "inductor", lambda module, inputs: ("eager", module.forward, ""))
    yield
    torch.compiler.reset()


def compiled(module):
    return torch.compile(module, backend=gt.torch.griotte, dynamic=False)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.t() + 1,
        lambda x: (x * 2).t(),
        lambda x: x.exp()[:, 1:],
        lambda x: x.exp().sum(1, keepdim=True).expand(4, 6),
        lambda x: x.permute(1, 0).exp(),
    ],
)
def test_strides_are_eagers(function):
    with torch.no_grad():
        found, wanted = compiled(Of(function))(drawn(4, 6))[0], function(drawn(4, 6))
    assert found.stride() == wanted.stride()
    torch.testing.assert_close(found, wanted)


def shares(x, found):
    every = [x, *found]
    return [
        [one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr() for one in every] for other in every
    ]


@pytest.mark.parametrize(
    "functions",
    [
        (lambda x: x.t(), lambda x: x + 1),
        (lambda x: x.contiguous(), lambda x: x + 1),
        (lambda x: x.exp(), lambda x: x.exp().view(-1)),
    ],
)
def test_memory_is_shared_as_by_eager(functions):
    with torch.no_grad():
        x, module = drawn(4, 6), Of(*functions)
        assert shares(x, compiled(module)(x)) == shares(x, module(x))


def test_views_of_one_result():
    def both(x):
        y = x.exp()
        return y, y.view(-1), *y.chunk(2)

    with torch.no_grad():
        x = drawn(4, 6)
        found, wanted = compiled(both)(x), both(x)
        assert shares(x, found) == shares(x, wanted)
        found[1].zero_()
        assert not found[0].any()


def test_as_strided_is_torchs():
    x = drawn(2, 3, 4, 4).to(memory_format=torch.channels_last)
    function = lambda x: torch.roll(x, 1, 1).as_strided((3, 5), (7, 2), 1) * 2
    with torch.no_grad():
        torch.testing.assert_close(compiled(function)(x), function(x))


def test_threads_that_call_the_first_time_at_once():
    module, x, found = nn.Linear(6, 3).eval(), drawn(4, 6), []
    run = compiled(module)

    def call():
        with torch.no_grad():
            found.append(run(x))

    threads = [threading.Thread(target=call) for _ in range(4)]
    [each.start() for each in threads]
    [each.join() for each in threads]
    assert len(found) == 4
    [torch.testing.assert_close(each, module(x).detach()) for each in found]


def test_a_race_draws_no_numbers(monkeypatch):
    monkeypatch.setenv("GRIOTTE_TORCH", "measure")
    function = lambda x: torch.nn.functional.dropout(x.exp(), 0.5) + 1
    with torch.no_grad():
        torch.manual_seed(3)
        found = compiled(function)(drawn(4, 6)), torch.rand(2)
        torch.manual_seed(3)
        torch.testing.assert_close(found, (function(drawn(4, 6)), torch.rand(2)))


def test_gradients_within_and_options():
    function = torch.func.grad(lambda y: (y * y).sum())
    with torch.no_grad():
        torch.testing.assert_close(compiled(function)(drawn(5)), function(drawn(5)))
        with pytest.warns(UserWarning, match="expected no max_autotune for the backend griotte"):
            run = torch.compile(torch.exp, backend=gt.torch.griotte, options={"max_autotune": True})
            torch.testing.assert_close(run(drawn(5)), drawn(5).exp())
