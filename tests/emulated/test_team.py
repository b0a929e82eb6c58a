"""The team of threads, compiled for Arm, runs each share once in the emulator."""

from __future__ import annotations

import pytest
from codegen.test_team import WORDS, harness

from .emulator import COMPILERS, compiler

pytestmark = pytest.mark.long
__all__ = ["harness"]  # a fixture

# qemu 7.2 itself ends where a child of a process with threads makes one
RUN = [words for words in WORDS if not words.startswith("fork")]


@pytest.mark.parametrize("words", RUN)
@pytest.mark.parametrize("name", COMPILERS)
def test_all_shares_are_run_once(arm, monkeypatch, name, words, harness):
    monkeypatch.setenv("CC", compiler(name))
    assert harness(words, flags=("-O2", f"-DCOMPILED_BY_{name}")) == (0, "")
