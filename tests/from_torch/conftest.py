"""What the tests of torch.compile share."""

from __future__ import annotations

import pytest


@pytest.fixture
def griotte_alone(monkeypatch):
    """Graphs of each test by itself, griotte's wherever it can; what it leaves is run as it is."""
    torch = pytest.importorskip("torch")
    from griotte.torch import choosing

    torch.compiler.reset()
    monkeypatch.setenv("GRIOTTE_TORCH", "all")
    monkeypatch.setattr(choosing, "_CHOICES", [])
    monkeypatch.setattr(choosing, "inductor", lambda module, inputs: ("eager", module.forward, ""))
    yield
    torch.compiler.reset()
