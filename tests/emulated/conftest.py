"""Tests in this folder run kernels of Arm in an emulator: `make test-arm`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .emulator import Emulator, emulated


@pytest.fixture(scope="package")
def arm(tmp_path_factory) -> Iterator[Emulator]:
    """What is compiled while this is there is Arm's, and runs in the emulator."""
    with emulated(tmp_path_factory.mktemp("emulator")) as found:
        yield found
