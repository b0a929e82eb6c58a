"""Packages: which files they are, what is asked of names, that programs find and link them wherever they are put."""

import subprocess
from pathlib import Path

import griotte as gt
import numpy as np
import pytest
from c_programs import built, said
from griotte.runtime import load
from griotte.runtime.packages import renamed
from griotte.support.errors import SpecError

SPEC = "matmul(f32[2,3], const f32[3,70])"
MAIN = """
#include <stdio.h>
#include "mv.h"
int main(void)
{
    static float x[2 * 3], w[3 * 70], y[2 * 70];
    static char packed[MV_X1_PACKED_BYTES];
    for (int i = 0; i < 2 * 3; i++) x[i] = (float)(i % 5);
    for (int i = 0; i < 3 * 70; i++) w[i] = (float)(i % 7);
    if (mv_pack_x1(w, packed) != MV_OK || mv(x, packed, y) != MV_OK || mv_abi() != MV_ABI) return 1;
    for (int i = 0; i < 2 * 70; i++) printf("%g ", y[i]);
    return 0;
}
"""
RESULT = (np.arange(6) % 5).reshape(2, 3) @ (np.arange(210) % 7).reshape(3, 70)
OWN = {"kernel.c", "kernel.h", "kernel.json", "kernel.so"}


@pytest.fixture(scope="module")
def program():
    return gt.synthesize(SPEC, "portable", table="none")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - OWN


def test_a_package_is_written_where_one_is_asked_for(program, tmp_path):
    library, headers = "libmv.a", {"mv.h", "mv.hpp"}
    assert names(program.save(tmp_path / "none")) == set()
    assert names(program.save(tmp_path / "name", name="mv")) == {library, *headers}
    assert names(program.save(tmp_path / "pc", name="mv", pkgconfig=True)) == {library, *headers, "mv.pc"}
    found = {library, *headers, "mvConfig.cmake", "mvConfigVersion.cmake"}
    assert names(program.save(tmp_path / "cmake", name="mv", cmake=True)) == found


def test_it_is_named_as_the_kernel_is(program, tmp_path):
    name = program.function.removeprefix("griotte_")
    assert {f"lib{name}.a", f"{name}.pc"} <= names(program.save(tmp_path, pkgconfig=True))


def test_a_program_links_it(program, tmp_path):
    folder = program.save(tmp_path, name="mv", targets=["portable"])
    assert np.array_equal(np.array(said(built(folder, "mv", MAIN)), float).reshape(2, 70), RESULT)


def test_the_kernel_beside_it_is_as_ever(tmp_path):
    kernel = gt.compile(SPEC, "portable", table="none")
    x, w = np.ones((2, 3), np.float32), np.ones((3, 70), np.float32)
    again = load(kernel.save(tmp_path, name="mv"))
    assert again.signature == kernel.signature and np.array_equal(again(x, w), kernel(x, w))


def test_pkg_config_finds_it_where_it_is_moved_to(program, tmp_path):
    try:
        version = subprocess.run(["pkg-config", "--version"], capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("expected pkg-config, found none on PATH")
    program.save(tmp_path / "before", name="mv", pkgconfig=True)
    (tmp_path / "a folder").mkdir()
    moved = (tmp_path / "before").rename(tmp_path / "a folder" / "moved")
    asked = ["pkg-config", f"--with-path={moved}"]
    done = subprocess.run([*asked, "--cflags", "--libs", "mv"], capture_output=True, text=True)
    assert done.returncode == 0, (version.stdout, done.stderr)
    at = str(moved).replace(" ", "\\ ")
    assert done.stdout.split(" -l")[0].strip() == f"-I{at} -L{at}"
    for least, status in (("1.0", 0), ("2.0", 1)):
        done = subprocess.run([*asked, f"--atleast-version={least}", "mv"], capture_output=True)
        assert done.returncode == status


@pytest.mark.parametrize("name", ["", "2mv", "m v", "m-v", "int", "class", "mv;", "é", "griotte", "x" * 200, 7])
def test_what_is_no_name_is_refused(program, name, tmp_path):
    with pytest.raises(SpecError, match="expected a name of letters, digits and _"):
        program.save(tmp_path, name=name)
    assert not list(tmp_path.iterdir())


def test_what_is_exported_gets_another_name_and_nothing_else():
    source = "/* of f_x */ static int f2; void f(void); void f_pack(void) { f(); g_f(); }"
    assert renamed(source, "f", "f_avx2").endswith(
        "static int f2; void f_avx2(void); void f_avx2_pack(void) { f_avx2(); g_f(); }"
    )
    assert renamed(source, "f", "h") == "/* of h_x */ static int f2; void h(void); void h_pack(void) { h(); g_f(); }"
    with pytest.raises(SpecError, match="does not use, found g_f; take another"):
        renamed(source, "f", "g_f")
    assert renamed("/* h */ void f(void);", "f", "h") == "/* h */ void h(void);"


@pytest.mark.parametrize(
    "words, told", [({"threads_by": "tbb"}, "threads_by"), ({"targets": "avx2"}, "a list of targets")]
)
def test_other_words_are_refused(program, words, told, tmp_path):
    with pytest.raises(SpecError, match=told):
        program.compile().save(tmp_path, **{"name": "mv", **words})


def test_a_kernel_that_was_read_back_has_its_own_target_alone(program, tmp_path):
    folder = gt.compile(SPEC, "portable", table="none").save(tmp_path / "k")
    kernel = load(folder)
    again = kernel.save(tmp_path / "own", name="mv")
    assert np.array_equal(np.array(said(built(again, "mv", MAIN)), float).reshape(2, 70), RESULT)
    assert "libmv.a" in names(kernel.save(tmp_path / "named", name="mv", targets=["portable"]))
    with pytest.raises(SpecError, match="expected a kernel that this process compiled from a Spec"):
        kernel.save(tmp_path / "others", name="mv", targets=["portable", "avx2"])
    assert not (tmp_path / "others").exists()


@pytest.mark.parametrize("targets", [[], ["avx2", "avx2"]])
def test_lists_of_targets_that_are_none(program, targets, tmp_path):
    with pytest.raises(SpecError, match="expected (a list of targets|targets of different names)"):
        program.save(tmp_path, targets=targets)


def test_it_is_the_same_code_again(program, tmp_path):
    """Nothing in the archive tells when or where it was made."""
    one, two = (program.save(tmp_path / folder, name="mv") for folder in "ab")
    assert (one / "libmv.a").read_bytes() == (two / "libmv.a").read_bytes()
