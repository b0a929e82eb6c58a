"""Packages of models: their constants beside the library or within it, for each target."""

import gc
import shutil

import griotte as gt
import numpy as np
import pytest
from c_programs import built, said, taken
from features import skip_without
from griotte.machine import named
from griotte.models.graph import GraphBuilder
from griotte.runtime import load
from griotte.support.errors import SpecError

MAIN = """
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
    program = built(folder, "net", MAIN, language="c++")
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
