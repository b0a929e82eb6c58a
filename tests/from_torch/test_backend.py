"""torch.compile with griotte as its backend: what it takes, what it leaves to others, and what it says of that."""

from __future__ import annotations

import tomllib
from pathlib import Path

import griotte as gt
import pytest
from torch_models import Of, drawn, torch

backend = pytest.importorskip("griotte.torch.backend")
nn = torch.nn


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """Graphs of each test by itself, griotte's wherever it can; what it leaves is run as it is."""
    torch.compiler.reset()
    monkeypatch.setenv("GRIOTTE_TORCH", "all")
    monkeypatch.setattr(backend, "_CHOICES", [])
    monkeypatch.setattr(backend, "_inductor", lambda module, inputs: ("eager", module.forward, ""))
    yield
    torch.compiler.reset()


def compiled(module, **options):
    return torch.compile(module, backend=gt.torch.griotte, dynamic=False, **options)


def chosen() -> list[str]:
    return [each.runs for each in gt.torch.report()]


def require_same(module, *inputs):
    with torch.no_grad():
        found, wanted = compiled(module)(*inputs), module(*inputs)
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)


def test_a_module():
    require_same(nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.BatchNorm1d(4)).eval(), drawn(3, 8))
    assert chosen() == ["griotte"]


def test_several_results_and_some_that_are_inputs():
    require_same(Of(torch.exp, lambda x: x, lambda x: x.sum(0)).eval(), drawn(3, 8))
    assert chosen() == ["griotte"]


def test_inputs_that_do_not_lie_densely():
    require_same(Of(lambda x: x * 2).eval(), drawn(3, 8).t())
    assert chosen() == ["griotte"]


def test_what_griotte_lacks_goes_on():
    require_same(Of(torch.special.i0).eval(), drawn(3))
    (choice,) = gt.torch.report()
    assert choice.runs == "eager" and "i0.default" in choice.why and choice.calls == 1


def test_gradients_pass_through():
    module = nn.Linear(3, 2)
    compiled(module)(drawn(4, 3)).sum().backward()
    assert module.weight.grad is not None and chosen() == ["eager"]


def test_parameters_that_change_are_seen():
    module, x = nn.Linear(3, 2).eval(), drawn(4, 3)
    with torch.no_grad():
        run = compiled(module)
        run(x)
        module.weight.mul_(2)
        torch.testing.assert_close(run(x), module(x))


def test_sizes_that_are_open_go_on():
    with torch.no_grad():
        torch.compile(Of(torch.exp).eval(), backend=gt.torch.griotte, dynamic=True)(drawn(3, 4))
    (choice,) = gt.torch.report()
    assert choice.runs == "eager" and "dynamic=False" in choice.why


@pytest.mark.parametrize("way", ["model", "measure"])
def test_a_race_is_told(monkeypatch, way):
    monkeypatch.setenv("GRIOTTE_TORCH", way)
    require_same(Of(lambda x: x.exp() + 1).eval(), drawn(3, 4))
    (choice,) = gt.torch.report()
    assert choice.runs in ("griotte", "eager") and choice.why.startswith("griotte ") and " us" in choice.why
    assert ("by the model" in choice.why) == (way == "model")


def test_an_unknown_way_is_told(monkeypatch):
    monkeypatch.setenv("GRIOTTE_TORCH", "fast")
    with pytest.raises(Exception, match="expected GRIOTTE_TORCH to be one of measure, model, all, found 'fast'"):
        compiled(Of(torch.exp))(drawn(3))


def test_dynamo_finds_it_by_name():
    points = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["entry-points"]
    assert points == {"torch_dynamo_backends": {"griotte": "griotte.torch:griotte"}}
    assert gt.torch.griotte is backend.griotte
