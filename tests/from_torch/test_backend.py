"""torch.compile with griotte as its backend: what it takes, what it leaves to others, and what it says of that."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path

import griotte as gt
import pytest
from griotte.models import behind
from torch_models import Of, drawn, torch

backend = pytest.importorskip("griotte.torch.backend")
choosing = pytest.importorskip("griotte.torch.choosing")
nn, F = torch.nn, torch.nn.functional
INDUCTOR = choosing.inductor
QUICK = {"cpp.simdlen": 1, "compile_threads": 1, "cpp_cache_precompile_headers": False}  # to compile


pytestmark = pytest.mark.usefixtures("griotte_alone")


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


def test_operators_of_several_results():
    module = nn.Sequential(nn.Conv2d(2, 3, 2), nn.BatchNorm2d(3), nn.MaxPool2d(2), nn.LayerNorm(2))
    require_same(module.eval(), drawn(1, 2, 5, 5))
    assert chosen() == ["griotte"]


def test_several_results_and_some_that_are_inputs():
    require_same(Of(torch.exp, lambda x: x, lambda x: x.sum(0)).eval(), drawn(3, 8))
    assert chosen() == ["griotte"]


def test_inputs_that_do_not_lie_densely():
    require_same(Of(lambda x: x * 2).eval(), drawn(3, 8).t())
    assert chosen() == ["griotte"]


def test_what_griotte_lacks_goes_on():
    require_same(Of(torch.special.airy_ai).eval(), drawn(3))
    (choice,) = gt.torch.report()
    assert choice.runs == "eager" and "special_airy_ai.default" in choice.why and choice.calls == 1


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


def test_a_batch_that_changes_has_a_bound_which_doubles():
    module = nn.Linear(4, 3).eval()
    run = torch.compile(module, backend=gt.torch.griotte)
    with torch.no_grad():
        for n in (3, 5, 8, 9, 7):
            torch.testing.assert_close(run(drawn(n, 4)), module(drawn(n, 4)))
    assert chosen() == ["griotte"] * 3
    assert [each.why.partition(":")[0] for each in gt.torch.report()[1:]] == ["for sizes up to 8", "for sizes up to 16"]


def test_a_batch_that_is_marked():
    x, module = drawn(6, 4), Of(lambda x: x.reshape(x.shape[0], 2, 2).exp().reshape(x.shape)).eval()
    torch._dynamo.mark_dynamic(x, 0)
    with torch.no_grad():
        run = torch.compile(module, backend=gt.torch.griotte)
        torch._dynamo.mark_dynamic(other := drawn(2, 4), 0)
        for each in (x, other):
            torch.testing.assert_close(run(each), module(each))
    assert len(chosen()) == 1 and "for sizes up to 8" in gt.torch.report()[0].why


def test_what_has_no_bound_has_a_kernel_for_each_of_some_sizes():
    module = Of(lambda x: torch.cat([x, x[1:]]).exp()).eval()
    with torch.no_grad():
        run = torch.compile(module, backend=gt.torch.griotte, dynamic=True)
        for n in (2, 3, 4, 5, 6, 7, 3):
            torch.testing.assert_close(run(drawn(n, 4)), module(drawn(n, 4)))
    assert chosen() == ["griotte"] * 4 + ["eager"]
    assert "at 3, 4, for there is no kernel up to a bound: 2 open sizes" in gt.torch.report()[1].why


@pytest.mark.parametrize("way", ["model", "measure"])
def test_an_open_size_is_raced(monkeypatch, way):
    monkeypatch.setenv("GRIOTTE_TORCH", way)
    x, module = drawn(6, 4), Of(torch.exp).eval()
    torch._dynamo.mark_dynamic(x, 0)
    with torch.no_grad():
        torch.testing.assert_close(torch.compile(module, backend=gt.torch.griotte)(x), module(x))
    (choice,) = gt.torch.report()
    assert choice.why.startswith("for sizes up to 8: griotte ") and ("by the model" in choice.why) == (way == "model")


class Mixed(nn.Module):
    """Parts that griotte has, around one that it lacks."""

    def __init__(self):
        super().__init__()
        self.before, self.after = nn.Linear(8, 16), nn.Linear(16, 4)
        self.register_buffer("scale", torch.full((16,), 2.0))

    def forward(self, x):
        x = torch.relu(self.before(x)) * self.scale.exp()
        return self.after(torch.special.airy_ai(x).t().contiguous().t() + 1).tanh(), x


def test_parts_are_griottes():
    require_same(Mixed().eval(), drawn(3, 8))
    (choice,) = gt.torch.report()
    assert (
        choice.runs == "griotte and eager" and "2 parts of it" in choice.why and "special_airy_ai.default" in choice.why
    )


def test_parts_whose_parameters_change():
    module, x = Mixed().eval(), drawn(3, 8)
    with torch.no_grad():
        run = compiled(module)
        run(x)
        module.before.weight.mul_(2)
        torch.testing.assert_close(run(x), module(x))


@pytest.mark.parametrize("way", ["model", "measure"])
def test_parts_that_win_are_griottes(monkeypatch, way):
    monkeypatch.setenv("GRIOTTE_TORCH", way)
    monkeypatch.setattr(choosing, "TURNS", 1)
    require_same(Mixed().eval(), drawn(3, 8))
    (choice,) = gt.torch.report()
    assert choice.runs in ("griotte and eager", "eager") and "special_airy_ai.default" in choice.why


def test_parts_beside_inductor(monkeypatch):
    monkeypatch.setattr(choosing, "inductor", INDUCTOR)
    with torch._inductor.config.patch(QUICK):
        require_same(Mixed().eval(), drawn(3, 8))
    (choice,) = gt.torch.report()
    assert choice.runs == "griotte and inductor" or "no compiler" in choice.why, choice


def in_place(x, y):
    z = x + 1
    z[:, 1:].mul_(y[:, None])
    z.relu_()
    return z.view(-1)[2:].exp_(), z


def test_in_place_operators_and_views():
    require_same(
        Of(lambda *given: in_place(*given)[0], lambda *given: in_place(*given)[1]).eval(), drawn(3, 4), drawn(3)
    )
    assert chosen() == ["griotte"]


def test_inputs_that_a_call_changes_go_on():
    module = Of(lambda x: x.add_(1).exp()).eval()
    with torch.no_grad():
        (one, other) = drawn(3, 4), drawn(3, 4)
        torch.testing.assert_close(compiled(module)(one), module(other))
        torch.testing.assert_close(one, other)
    (choice,) = gt.torch.report()
    assert choice.runs == "eager" and "what a call changes beside its results" in choice.why


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


def test_parts_of_tensors_are_read_where_they_begin():
    weights = torch.randn(3, 4, 5)
    for function in (lambda x: x * 2, lambda x: (x @ torch.ones(4, 2)).relu(), lambda x: torch.cat([x, -x], 1)):
        fast = torch.compile(function, backend="griotte")
        whole = torch.randn(4, 3, 4)
        for x in (whole[0], whole[2], whole[1], whole.view(-1)[5:17].view(3, 4), whole[3]):
            assert torch.allclose(fast(x), function(x))
    layer = torch.nn.Linear(5, 4, bias=False).requires_grad_(False)
    fast, x = torch.compile(layer, backend="griotte"), torch.randn(2, 5)
    for part in (0, 2, 1):  # weights that are parts of one array
        layer.weight.data = weights[part]
        for _ in range(4):
            assert torch.allclose(fast(x), layer(x), atol=1e-6)
        weights[part] += 1
        assert torch.allclose(fast(x), layer(x), atol=1e-6)


TRANSFORMS = {
    "grad": torch.func.grad(lambda y: (y * y).sum()),
    "vmap of grad": torch.func.vmap(torch.func.grad(lambda y: (y * y).sum())),
    "jacrev": torch.func.jacrev(lambda y: y * y),
    "hessian": torch.func.hessian(lambda y: (y**3).sum()),
    "vmap of vmap": torch.func.vmap(torch.func.vmap(lambda y: y * 2)),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms_are_right_and_end_with_the_call(name):
    function = TRANSFORMS[name]
    fast = torch.compile(function, backend="griotte")
    for x in torch.randn(3, 3, 4):
        found = fast(x)
        assert torch.equal(found - function(x), torch.zeros_like(found))
        assert torch._C._functorch.get_dynamic_layer_stack_depth() == 0


JOINED = {
    "joined": lambda x: torch.cat([x.relu(), -x], 1),
    "joined in the end": lambda x: torch.cat([x.view(-1, 3, 4).relu(), -x.view(-1, 3, 4)], -1),
    "joined channels": lambda x: torch.cat([x.view(-1, 3, 4), x.view(-1, 3, 4) + 1], 1),
    "joined twice": lambda x: torch.cat([torch.cat([x, x * 2], 1), x], 1),
    "joined and multiplied": lambda x: torch.cat([x, -x], 1) @ torch.ones(24, 5),
    "halves": lambda x: torch.cat([-x[:, 6:], x[:, :6]], 1),
    "chunks": lambda x: torch.cat(x.chunk(3, 1)[::-1], 1),
    "stacked within": lambda x: torch.stack([x.relu(), -x], 1),
}


ORDERED = {
    "largest": lambda x: x.topk(3, 1),
    "least": lambda x: x.relu().topk(6, 1, largest=False)[0],
    "sorted": lambda x: x.sort(1)[0],
    "largest of each column": lambda x: (x * 2).topk(2, 0),
    "place of the largest": lambda x: x.argmax(1),
}


MOVED = {
    "flipped": lambda x: x.flip(1),
    "rolled": lambda x: x.roll(2, 1),
    "picked": lambda x: x[:, [2, 0, 1, 1]],
    "padded": lambda x: F.pad(x, (1, 2)),
    "repeated": lambda x: x.repeat(1, 2),
    "widened": lambda x: F.interpolate(x.view(-1, 1, 3, 4), scale_factor=2),
    "pooled": lambda x: F.max_pool2d(x.view(-1, 1, 3, 4), 2),
    "softmax": lambda x: x.softmax(1),
    "mean of columns": lambda x: x.mean(0),
    "itself": lambda x: x.exp(),
}


@pytest.mark.parametrize("table", [JOINED, *(pytest.param(each, marks=pytest.mark.long) for each in (ORDERED, MOVED))])
def test_a_kernel_of_any_size_gives_eagers_rows(table):
    module = Of(*table.values()).eval()
    run = torch.compile(module, backend=gt.torch.griotte)
    with torch.no_grad():
        for n in (5, 3, 2, 7, 16):
            torch.testing.assert_close(run(drawn(n, 12)), module(drawn(n, 12)), rtol=1e-5, atol=1e-6)
    told = [each.why.partition(":")[0] for each in gt.torch.report()]
    assert "for sizes up to 16" in told or "for sizes up to 8" in told, told


def test_a_first_kernel_runs_at_once_and_is_exchanged():
    module = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()).eval()
    run, given = torch.compile(module, backend="griotte", options={"first": "fast"}), torch.randn(2, 8)
    with torch.no_grad():
        assert torch.allclose(run(given), module(given), atol=1e-5)
        assert [each.why for each in gt.torch.report()][-1] == "first=fast"
        until = time.monotonic() + 120
        while list(behind._running) and time.monotonic() < until:
            time.sleep(0.01)
        assert torch.allclose(run(given), module(given), atol=1e-5)


def test_a_first_that_is_none_is_refused():
    with pytest.raises(Exception, match='expected "fast" or None as first'):
        torch.compile(torch.nn.ReLU(), backend="griotte", options={"first": "soon"})(torch.ones(2))
