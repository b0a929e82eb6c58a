"""Packages of Specs and of models: which files they are, what is asked of names, that programs find and link them."""

import gc
import shutil
import subprocess
from pathlib import Path

import griotte as gt
import numpy as np
import pytest
from c_programs import built, said, taken
from features import skip_without
from griotte.machine import named
from griotte.models.graph import GraphBuilder
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


# Of models: their constants beside the library or within it, for each target ---------------


NETWORK = """
#include <array>
#include <cstdio>
#include <cstring>
#include "net.hpp"
int main(int count, char **words)
{
    std::array<float, 6 * 8> x;
    std::array<float, 6 * 30> y;
    std::array<float, 6> z;
    for (int i = 0; i < 6 * 8; i++) x[i] = static_cast<float>(i % 5) / 4;
    for (int n = 0; net_targets(n); n++) {
        griotte::net::choose(net_targets(n));
        const griotte::net::weights constants(count > 1 ? words[1] : ".");
        griotte::net::run(constants, x, y, z);
        for (float value : y) std::printf("%.9g\\n", value);
        if (!net_weights_file() != !!net_weights() || net_weights_bytes() > NET_WEIGHTS_BYTES) return 1;
        std::array<float, 6 * 30> again{};
        const int status = net(nullptr, x.data(), again.data(), z.data());
        if (status != (net_weights() ? NET_OK : NET_NOT_PACKED)) return 2;
        if (!status && std::memcmp(again.data(), y.data(), sizeof y)) return 3;
    }
    try {
        const griotte::net::weights constants("nowhere");
        return net_weights() ? 0 : 4;
    } catch (const griotte::failure &error) {
        return error.status == NET_NOT_PACKED ? 0 : 5;
    }
}
"""


def network():
    rng, b = np.random.default_rng(0), GraphBuilder()
    y = b.call("matmul", b.input(gt.tensor((6, 8)), "pixel*/values"), b.constant(rng.random((8, 30), np.float32)))
    return b.graph({"y": y, "z": b.call("sum", y, axis=1)})


@pytest.fixture(scope="module")
def graph():
    return network()


@pytest.mark.parametrize("weights", ["file", "inside"])
def test_each_target_has_its_constants(graph, weights, tmp_path):
    skip_without(named("avx2").features)
    kernel = gt.compile(graph, "portable", table="none")
    folder = kernel.save(tmp_path / "a", name="net", cmake=True, targets=["portable", "avx2"], weights=weights)
    files = {path.name for path in folder.glob("*.bin")}
    assert files == ({"model.bin", "net-avx2.bin"} if weights == "file" else {"model.bin"})
    taken(folder, "net.h", "c99")
    taken(folder, "net.hpp", "c++20")
    program = built(folder, "net", NETWORK, language="c++")
    moved = shutil.move(folder, tmp_path / "b") if weights == "file" else tmp_path
    values = np.array(said((tmp_path / "b" if weights == "file" else folder) / program.name, str(moved)), np.float32)
    x = ((np.arange(48) % 5) / 4).astype(np.float32).reshape(6, 8)
    expected, _ = kernel(x)
    assert len(values) == 2 * 180
    for found in np.split(values, 2):
        assert np.allclose(found.reshape(6, 30), expected, rtol=1e-4)


def test_the_model_beside_it_is_as_ever(graph, tmp_path):
    kernel, x = gt.compile(graph, "portable", table="none"), np.ones((6, 8), np.float32)
    again = load(kernel.save(tmp_path, name="net", weights="inside"))
    assert all(map(np.array_equal, again(x), kernel(x)))


def test_a_model_of_the_cache_is_made_for_other_targets(graph, tmp_path):
    skip_without(named("avx2").features)
    for folder in "ab":
        gt.compile(graph, "portable").save(tmp_path / folder, name="net", targets=["avx2"])
    assert (tmp_path / "a/net-avx2.bin").read_bytes() == (tmp_path / "b/net-avx2.bin").read_bytes()
    assert (tmp_path / "a/libnet.a").read_bytes() == (tmp_path / "b/libnet.a").read_bytes()


def test_where_the_graph_is_gone_there_is_the_own_target(tmp_path):
    kernel = gt.compile(network(), "portable", table="none")
    gc.collect()
    kernel.save(tmp_path / "own", name="net", targets=["portable"])
    with pytest.raises(SpecError, match="expected a model whose graph is still there"):
        kernel.save(tmp_path / "other", name="net", targets=["avx2"])
    with pytest.raises(SpecError, match="expected a kernel that this process compiled"):
        load(tmp_path / "own").save(tmp_path / "other", name="net", targets=["avx2"])
    assert not (tmp_path / "other").exists()


def test_words_for_weights(graph, tmp_path):
    with pytest.raises(SpecError, match="expected file or inside for weights, found 'nowhere'"):
        gt.compile(graph, "portable", table="none").save(tmp_path, name="net", weights="nowhere")
