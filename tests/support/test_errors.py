"""Errors as whoever meets them reads them."""

import pickle
import traceback

import griotte as gt
import pytest

PUBLIC = ("GriotteError", "SpecError", "ToolchainError", "NoProgramError", "TableError", "TableWarning", "TargetError")


@pytest.mark.parametrize("name", PUBLIC)
def test_an_error_is_told_by_its_public_name(name):
    kind = getattr(gt, name)
    assert traceback.format_exception_only(kind("found"))[-1] == f"griotte.{name}: found\n"
    assert type(pickle.loads(pickle.dumps(kind("found")))) is kind
