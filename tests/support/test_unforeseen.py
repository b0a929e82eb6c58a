"""A fault within griotte: at each door one line that says what to report, or the framework's own code and that line."""

from __future__ import annotations

import griotte as gt
import numpy as np
import pytest
from griotte.models import hosting
from griotte.support import unforeseen

LINE = r"expected .*, found an error within griotte: KeyError, 'lost' \(test_unforeseen.py:\d+\); please report it"
FAULTS = (KeyError, IndexError, AssertionError, TypeError, AttributeError, ValueError, ZeroDivisionError, RuntimeError)


def fails(*args, **how):
    raise KeyError("lost")


@pytest.fixture
def broken(monkeypatch):
    """Models whose compilation has a fault."""
    monkeypatch.setattr(hosting, "compiled", fails)
    monkeypatch.setattr(unforeseen, "OWN", __file__)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_in_a_line(fault):
    told = f"expected a thing, found an error within griotte: {fault.__name__}, .*a.*b"
    with pytest.raises(gt.GriotteError, match=told), unforeseen.reported(lambda: "a thing"):
        raise fault("a\nb")


def test_errors_of_griotte_and_of_the_machine_pass():
    for error in (gt.SpecError("expected a, found b"), MemoryError(), OSError("no room"), KeyboardInterrupt()):
        with pytest.raises(type(error)) as found, unforeseen.reported(lambda: "a thing"):
            raise error
        assert found.value is error


def test_errors_of_the_code_of_others_pass():
    with pytest.raises(KeyError), unforeseen.reported(lambda: "a thing", calls_users=True):
        raise KeyError("theirs")


def test_a_model_that_cannot_be_compiled(broken):
    graph = gt.graph(np.tanh, np.ones(8, np.float32))
    with pytest.raises(gt.GriotteError, match=LINE):
        gt.compile(graph)


def test_a_jitted_function_runs_as_it_is(broken):
    x = np.linspace(0, 1, 8, dtype=np.float32)
    run = gt.jit(lambda x: np.tanh(x) * 2, fallback=True)
    with pytest.warns(RuntimeWarning, match=LINE):
        found = run(x)
    assert np.array_equal(found, np.tanh(x) * 2)
    with pytest.raises(gt.GriotteError, match=LINE):
        gt.jit(lambda x: np.tanh(x) * 2)(x)


def test_so_does_one_of_jax(broken):
    jax = pytest.importorskip("jax", reason="pip install 'griotte[jax]'")
    import griotte.jax

    x = np.linspace(0, 1, 8, dtype=np.float32)
    with pytest.warns(RuntimeWarning, match=LINE):
        found = griotte.jax.jit(lambda x: jax.numpy.tanh(x) * 2)(x)
    np.testing.assert_allclose(found, np.tanh(x) * 2, rtol=1e-5)


def test_and_a_graph_of_torch(monkeypatch, broken):
    torch = pytest.importorskip("torch", reason="pip install 'griotte[torch]'")
    backend, captured = (pytest.importorskip(f"griotte.torch.{name}") for name in ("backend", "captured"))
    monkeypatch.setattr(captured, "compiled", fails)
    monkeypatch.setattr(backend.choosing, "inductor", lambda module, inputs: ("eager", module.forward, ""))
    torch.compiler.reset()
    x = torch.linspace(0, 1, 8)
    with pytest.warns(RuntimeWarning, match=LINE):
        found = torch.compile(lambda x: x.tanh() * 2, backend=gt.torch.griotte)(x)
    assert torch.equal(found, x.tanh() * 2) and gt.torch.report()[-1].runs == "eager"
