"""Pages of 16 and 64 KiB: what is mapped is mapped from the beginning of a file, or of memory of its own, so that no
offset must be a multiple of a page; and no size of a page is written down where the system's counts."""

import ast
import re
from pathlib import Path

import griotte

SOURCE = Path(griotte.__file__).parent


def test_nothing_is_mapped_from_within_a_file():
    found = 0
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "mmap.mmap":
                assert len(node.args) == 2 and all(word.arg in ("flags", "prot", "access") for word in node.keywords), (
                    path
                )
                found += 1
    assert found >= 6


def test_c_maps_from_the_beginning_of_files():
    for path in SOURCE.rglob("*.c"):
        for call in re.findall(r"\bmmap\(([^;]*)\);", path.read_text()):
            assert call.split(",")[-1].strip() == "0", path


def test_parts_of_memory_that_are_given_back_begin_where_they_were_mapped():
    """madvise of the whole of a map: of a part it would ask for the start of a page."""
    calls = [
        node
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "madvise"
    ]
    assert calls and all(len(call.args) == 1 for call in calls)
