"""Weights that are written past their versions, by every way that torch has: a kernel of what they were is never run,
and once they have settled there is one of what they are."""

from __future__ import annotations

import copy

import griotte as gt
import numpy as np
import pytest
from torch_models import drawn, torch

captured = pytest.importorskip("griotte.torch.captured")
held = pytest.importorskip("griotte.torch.held")
nn = torch.nn


@pytest.fixture(autouse=True)
def settles_at_once(griotte_alone, monkeypatch):
    monkeypatch.setattr(captured, "PATIENCE", 1)
    monkeypatch.setattr(captured, "MOST", 1)


def compiled(module):
    return torch.compile(module, backend=gt.torch.griotte, dynamic=False)


def told() -> list[str]:
    return [str(each) for each in gt.torch.report()]


def by_dlpack(w):
    np.from_dlpack(w.detach())[2, 1] = 5.0


def by_parts(w):
    w.data[w.data.abs() < 0.3] = 0


def averaged(w):
    w.data.lerp_(torch.full_like(w.data, 0.25), 0.1)


def merged(w):
    w.data += drawn(4, 1) @ drawn(1, 8) * 0.5


WRITES = {
    "one element": lambda w: w.data.view(-1).__setitem__(3, 7.0),
    "fill": lambda w: w.data.fill_(0.5),
    "signs": lambda w: w.data.neg_(),
    "numpy": lambda w: w.detach().numpy().__setitem__((1, 1), 9.0),
    "dlpack": by_dlpack,
    "another tensor": lambda w: setattr(w, "data", drawn(4, 8)),
    "turned": lambda w: setattr(w, "data", torch.ones(8, 4).t()),
    "an average": averaged,
    "clamp": lambda w: w.data.clamp_(-0.2, 0.2),
    "pruned": by_parts,
    "an adapter": merged,
    "storage": lambda w: w.untyped_storage().copy_(torch.ones(32).untyped_storage()),
    "many at once": lambda w: torch._foreach_add_([w.data], 1.5),
    "copy": lambda w: w.copy_(drawn(4, 8) + 3),
    "out": lambda w: torch.mul(w.data, 3, out=w.data),
}


QUICK = ("one element", "numpy", "dlpack", "another tensor", "an average")


@pytest.mark.parametrize("names", [QUICK, pytest.param(tuple(WRITES), marks=pytest.mark.long)], ids=["some", "all"])
def test_each_way_to_write(names):
    module, x = nn.Linear(8, 4).eval(), drawn(3, 8)
    with torch.no_grad():
        run = compiled(module)
        run(x)
        for count, name in enumerate(names):
            WRITES[name](module.weight)
            torch.testing.assert_close(run(x), module(x), msg=name)
            assert len(told()) == 1 + count or name == "turned", name  # which dynamo captures anew
            for _ in range(2):
                torch.testing.assert_close(run(x), module(x), msg=name)
            assert len(told()) == 2 + count and told()[-1].startswith("griotte"), (name, told())
    assert "anew, for what it holds has changed" in told()[1]


def of_numpy(w):
    return torch.from_numpy(w.detach().numpy().copy())


def of_a_file(tmp_path):
    def made(w):
        torch.save(w.detach().clone(), tmp_path / "w.pt")
        return torch.load(tmp_path / "w.pt", mmap=True)

    return made


def watched(runs):
    """Of the only kernel, how many tensors are watched and of how many a digest is taken."""
    packed = runs[-1].runs[0].packed
    return len(packed.watched[0]), len(packed.digested)


@pytest.fixture
def runs(monkeypatch):
    found, before = [], captured.HeldRun.__init__

    def made(self, *given):
        before(self, *given)
        found.append(self)

    monkeypatch.setattr(captured.HeldRun, "__init__", made)
    return found


KINDS = ("numpy", "shared", "file", "an array of it", "dlpack", "a view of it")
BOTH = {"digested": 1e9, "placed": -1.0}


@pytest.mark.parametrize(
    ("kind", "share"),
    [
        pytest.param(kind, share, id=f"{kind}, {name}", marks=[pytest.mark.long] * (kind in KINDS[1:4]))
        for name, share in BOTH.items()
        for kind in KINDS
    ],
)
def test_memory_that_is_not_torchs_alone(kind, share, runs, monkeypatch, tmp_path):
    monkeypatch.setattr(held, "SHARE", share)
    monkeypatch.setattr(held, "SMALL", 64)
    module, x, kept = nn.Linear(8, 4).eval(), drawn(3, 8), None
    with torch.no_grad():
        if kind in ("numpy", "shared", "file"):
            make = {"numpy": of_numpy, "shared": lambda w: w.clone().share_memory_(), "file": of_a_file(tmp_path)}
            module.weight.data = make[kind](module.weight)
        else:
            make = {"an array of it": lambda w: w.numpy(), "dlpack": np.from_dlpack, "a view of it": lambda w: w[1:]}
            kept = make[kind](module.weight.detach())
        run = compiled(module)
        for _ in range(2):
            torch.testing.assert_close(run(x), module(x))
        assert watched(runs) == (1, 0 if share < 0 else 1)
        module.weight.data[1, 2] = 9.0
        torch.testing.assert_close(run(x), module(x))
        if kept is not None:
            kept[0, 3] = -7.0
            torch.testing.assert_close(run(x), module(x))
            assert (module.weight == -7.0).any()
    assert gt.torch.report()[0].runs == "griotte"


def test_an_array_that_is_taken_later_is_seen_to_write(runs):
    module, x = nn.Linear(8, 4).eval(), drawn(3, 8)
    with torch.no_grad():
        run = compiled(module)
        run(x)
        array = module.weight.detach().numpy()
        for n in range(3):
            torch.testing.assert_close(run(x), module(x))
            assert watched(runs) == (1, 1)
            array[1, n] = 9.0
            torch.testing.assert_close(run(x), module(x))
    assert len(told()) <= 3


def test_what_is_read_stays_watched_and_what_is_handed_out_in_vain_is_not_copied_for_ever(runs):
    module, x = nn.Linear(8, 4).eval(), drawn(3, 8)
    with torch.no_grad():
        run = compiled(module)
        run(x)
        for read in (module, lambda x: copy.deepcopy(module), lambda x: module.weight.sum().item()):
            read(x)
            run(x)
        assert watched(runs) == (2, 0) and not runs[-1].runs[0].packed.in_vain
        for n in range(5):
            module.weight.data_ptr()
            torch.testing.assert_close(run(x), module(x))
            assert watched(runs) == ((2, 0) if n < held.IN_VAIN - 1 else (1, 1))
    assert len(told()) == 1


def test_modules_made_in_inference_mode():
    with torch.inference_mode():
        module = nn.Linear(8, 4).eval()
        run, x = compiled(module), drawn(3, 8)
        torch.testing.assert_close(run(x), module(x))
        module.weight.add_(1)
        torch.testing.assert_close(run(x), module(x))
    assert gt.torch.report()[0].runs == "griotte"


def test_loaded_weights_have_a_kernel_of_their_own_which_is_told(monkeypatch):
    monkeypatch.setattr(captured, "PATIENCE", 2)
    module, other, x = nn.Linear(8, 4).eval(), nn.Linear(8, 4).eval(), drawn(3, 8)
    with torch.no_grad():
        run = compiled(module)
        run(x)
        module.load_state_dict(other.state_dict())
        found = []
        for _ in range(4):
            torch.testing.assert_close(run(x), other(x))
            found.append(len(told()))
    assert found == [1, 1, 2, 2]


def test_frozen_weights_are_promised():
    module, x = nn.Linear(8, 4).eval(), drawn(3, 8)
    with torch.no_grad(), torch._inductor.config.patch(freezing=True):
        run = compiled(module)
        first = run(x)
        module.weight.data.fill_(1)
        torch.testing.assert_close(run(x), first)


def test_shared_weights_and_modules_that_share_them(runs):
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.one, self.other = nn.Linear(8, 8, bias=False), nn.Linear(8, 8, bias=False)
            self.other.weight = self.one.weight

        def forward(self, x):
            return self.other(self.one(x).relu())

    module, x = Tied().eval(), drawn(3, 8)
    both = nn.Sequential(module.one, nn.Tanh()).eval()
    with torch.no_grad():
        run, second = compiled(module), compiled(both)
        for _ in range(2):
            torch.testing.assert_close(run(x), module(x))
            torch.testing.assert_close(second(x), both(x))
        assert [each.runs[0].packed.digested for each in runs] == [[], []]
        module.one.weight.data.mul_(-1)
        torch.testing.assert_close(second(x), both(x))
        torch.testing.assert_close(run(x), module(x))


def test_weights_that_are_parts_of_one_memory():
    whole, x = drawn(3, 4, 8), drawn(3, 8)
    module = nn.Linear(8, 4, bias=False).eval()
    module.weight.data = whole[1]
    with torch.no_grad():
        run = compiled(module)
        for place in (1, 2, 0):
            module.weight.data = whole[place]
            for _ in range(3):
                torch.testing.assert_close(run(x), x @ whole[place].t())


def test_weights_that_begin_within_their_memory():
    module, x = nn.Linear(8, 4, bias=False).eval(), drawn(3, 8)
    module.weight = nn.Parameter(drawn(3, 4, 8)[1])
    with torch.no_grad():
        run = compiled(module)
        torch.testing.assert_close(run(x), module(x))
        module.weight.data[0, 0] = 3.0
        torch.testing.assert_close(run(x), module(x))
