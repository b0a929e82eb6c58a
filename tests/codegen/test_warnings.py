"""C that a user compiles with all warnings on."""

import subprocess

import griotte as gt
import pytest
from griotte.runtime.compilers import find_compiler


@pytest.mark.parametrize(
    "text, target",
    [
        ("qmatmul(u8[5,67], f32[], u8[], s8[67,9], f32[9], s8[], f32[], u8[])", "portable"),
        ("gelu(f32[100])", "avx512"),
        ("where(pred[9], f32[9], s8[9])", "avx2"),
    ],
)
def test_there_are_no_warnings(text, target, tmp_path):
    program, source = gt.synthesize(text, target, table="none"), tmp_path / "kernel.c"
    source.write_text(program.to_c())
    command = [
        *find_compiler().command,
        *"-std=c11 -Wall -Wextra -Werror -fsyntax-only".split(),
        *program.target.flags,
        str(source),
    ]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
