"""The header of a kernel: C and C++ take it without a warning, it has the library's number, and names from files do not
end its comments. C that a user compiles with all warnings on."""

import re
import subprocess

import griotte as gt
import pytest
from griotte.models.text import parse_graph
from griotte.runtime.compilers import find_compiler

PACKED = "matmul(f32[4,8], const f32[8,300])"
OF_THE_THREAD = "matmul(softmax(matmul(f32[40,50], f32[50,160])), f32[160,130])"
STRICT = ("-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only")
C_NAMED = """model(
  %x "a*/ int b; /*": f32[4,8],
) {
  %y = relu(%x) -> f32[4,8]
  return y=%y
}
"""


def compiler(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*find_compiler().command, *words], capture_output=True, text=True)


@pytest.mark.parametrize(
    "language, standard", [("c", "c99"), ("c", "c11"), ("c++", "c++11"), ("c++", "c++17"), ("c++", "c++20")]
)
@pytest.mark.parametrize("text", [PACKED, "gelu(bf16[<=12,100])", "outputs(%h: add(f32[6], f32[6]), neg(%h))"])
def test_compilers_take_it_without_a_warning(text, language, standard, tmp_path):
    program = gt.synthesize(text, "portable", threads=2, table="none")
    (tmp_path / "kernel.h").write_text(program.build("host").header)
    (tmp_path / "main").write_text('#include "kernel.h"\n#include "kernel.h"\nint main(void) { return 0; }\n')
    if language == "c++" and compiler("-x", "c++", "-E", "/dev/null").returncode:
        pytest.skip("expected a compiler of C++, found none")
    done = compiler("-x", language, f"-std={standard}", *STRICT, str(tmp_path / "main"))
    assert done.returncode == 0, done.stderr


def test_the_library_gives_the_number_of_its_header(tmp_path):
    program = gt.synthesize(PACKED, "portable", table="none")
    program.save(tmp_path)
    name, main = program.function, tmp_path / "main.c"
    main.write_text(f'#include "kernel.h"\nint main(void) {{ return {name}_abi() == {name.upper()}_ABI ? 0 : 1; }}\n')
    done = compiler(str(main), str(tmp_path / "kernel.so"), "-o", str(tmp_path / "main"))
    assert done.returncode == 0, done.stderr
    assert subprocess.run([tmp_path / "main"]).returncode == 0


def number(text: str) -> str:
    return re.search(r"_ABI (\w+)", gt.synthesize(text, "portable", table="none").build().header)[1]


def test_other_sizes_and_layouts_have_another_number():
    found = {number(f"matmul(f32[4,8], {w})") for w in ("f32[8,30]", "f32[8,30]{0,1}", "f32[8,31]", "const f32[8,30]")}
    assert len(found) == 4 and all(text.startswith("0x1") and len(text) == 10 for text in found)


def test_it_says_what_a_thread_keeps():
    unit = gt.synthesize(OF_THE_THREAD, "portable", table="none")._unit
    kept = re.findall(r"static _Thread_local (\w+) \w+\[(\d+)\]", unit.source)
    size = sum(int(n) * {"float": 4, "char": 1}[scalar] for scalar, n in kept)
    assert size > 0 and unit.thread_bytes == size
    assert f"_THREAD_BYTES {size}\n" in unit.header and f"and {size:,} bytes that each thread" in unit.header


@pytest.mark.parametrize(
    "threads_by, words", [("team", "those of a team"), ("openmp", "OpenMP's"), ("host", "those that share_by gives")]
)
def test_it_says_whose_threads_run_a_call(threads_by, words):
    alone, shared = (gt.synthesize("exp(f32[512,512])", "portable", n, table="none") for n in (1, 2))
    assert "A call runs on 2 threads at most" in (header := shared._unit_of(threads_by, "keep").header)
    assert words in header
    assert "A call runs on the thread that calls." in alone._unit_of(threads_by, "keep").header


def test_names_from_a_file_do_not_end_a_comment(tmp_path):
    unit = gt.synthesize(parse_graph(C_NAMED), "portable", table="none")._unit
    for text in (unit.source, unit.header):
        assert "a* / int b; / *" in text and "*/ int b" not in text


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
