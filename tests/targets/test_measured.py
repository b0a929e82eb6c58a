"""Machines that were measured: what their files hold, which of them a machine is like, and what follows for its target."""

import importlib
from dataclasses import replace

import pytest
from griotte.errors import TargetError
from griotte.targets import Machine, build, by_hand, detect, known_features
from griotte.targets.machine import BY_NAME, derive
from griotte.targets.measured import FARTHEST, known, load, nearest

CACHES = {1: 32 << 10, 2: 512 << 10, 3: 8 << 20}
FILE = 'vendor = "Maker"\nfamily = 5\nmodel = {model}\nvector_bytes = 32\nclock = 2.0\n[caches]\nL1 = 32768\nL2 = {l2}\n[machine]\nload = {load}\n'


def written(folder, name, model=1, l2=1 << 20, load=2.0):
    path = folder / f"{name}.toml"
    path.write_text(FILE.format(model=model, l2=l2, load=load))
    return path


def cpu(caches=CACHES, vendor="AuthenticAMD", family=0x17, model=1, clock=2.0):
    return Machine(known_features(), caches, 2, "", vendor, 2, family, model, clock=clock)


@pytest.mark.parametrize("measured", known(), ids=lambda measured: measured.name)
def test_a_file_is_of_a_machine_that_it_fits_itself(measured):
    here = cpu(measured.caches, measured.vendor, measured.family, measured.model, measured.clock)
    assert measured.doublings(here) == 0 and list(measured.apart(here)) == [] and nearest(here, measured.vector_bytes) is measured
    assert set(measured.parameters) <= set(BY_NAME) and len(measured.parameters) > 15


def test_the_machine_that_fits_is_priced_by_its_parameters():
    (found,) = (m for m in known() if m.name == "zen-8m")
    target, plain = build("avx2", cpu()), by_hand("avx2", cpu())
    follows = derive(found.parameters, target.prefetch.far_panel)
    assert target != plain and follows.coefficients.items() <= target.coefficient.items()
    assert target.ports.arithmetic == follows.ports["arithmetic"] and target.largest_cache == plain.largest_cache


@pytest.mark.parametrize(
    "other",
    [cpu(vendor="GenuineIntel"), cpu(family=0x19), cpu(model=0x31), cpu({1: 32 << 10, 2: 512 << 10, 3: 64 << 20})],
    ids=["maker", "family", "twice as wide", "caches"],
)
def test_a_machine_that_no_file_fits_keeps_its_prices_by_hand(other):
    assert nearest(other, 32) is None and build("avx2", other) == by_hand("avx2", other)


def test_a_zen_3_is_not_priced_by_a_zen_4():
    caches = {1: 32 << 10, 2: 1 << 20, 3: 32 << 20}
    assert [getattr(nearest(cpu(caches, family=0x19, model=model), 32), "name", None) for model in (0x11, 0x61, 0xA0, 0x01, 0x21)] == ["zen4-32m-avx2"] * 3 + [None] * 2


def test_vectors_of_another_width_are_not_priced_by_it():
    assert nearest(cpu(), 16) is None and build("portable", cpu()) == by_hand("portable", cpu())


def test_the_same_model_comes_first_and_then_the_nearest_caches(tmp_path, monkeypatch):
    files = [load(written(tmp_path, *values)) for values in (("a", 2, 1 << 20), ("b", 1, 1 << 20), ("c", 1, 1 << 19))]
    monkeypatch.setattr("griotte.targets.measured.known", lambda: tuple(files))
    here = cpu({1: 32 << 10, 2: 1 << 19, 3: 1 << 20}, "Maker", 5, 1)
    assert nearest(here, 32).name == "c" and nearest(replace(here, model=2), 32).name == "a"
    assert nearest(replace(here, model=3), 32) is None  # of a family that nothing is known of
    far = int(2 ** (FARTHEST + 0.1) * (1 << 20))
    assert nearest(replace(here, caches={1: 32 << 10, 2: far, 3: 1 << 30}), 32) is None


def test_what_is_apart_is_told(tmp_path):
    found = load(written(tmp_path, "a"))
    here = cpu({1: 32 << 10, 2: 512 << 10, 3: 1 << 20}, "Maker", 5, 7, clock=3.1)
    assert list(found.apart(here)) == ["model 7 for 1", "L2 512 KiB for 1024", "3.10 GHz for 2.00"]
    assert list(found.apart(replace(here, model=1, clock=0.0))) == ["L2 512 KiB for 1024"]


def test_of_a_cache_no_more_counts_than_a_thread_had(tmp_path):
    plain, path = by_hand("avx2", cpu()), written(tmp_path, "a")
    path.write_text(path.read_text().replace("[machine]", "[held]\nL3 = 3145728\n[machine]"))
    sizes = lambda target: [level.capacity for level in target.levels[1:]]  # noqa: E731
    assert sizes(load(path).priced(plain)) == [32 << 10, 512 << 10, 3 << 20, None]
    assert sizes(load(path).priced(by_hand("avx2", cpu(CACHES | {3: 2 << 20})))) == [32 << 10, 512 << 10, 2 << 20, None]


def test_a_parameter_out_of_bounds_is_told(tmp_path):
    with pytest.raises(TargetError, match=r"expected parameters within their bounds in .*bad\.toml, found load = 99"):
        load(written(tmp_path, "bad", load=99))


@pytest.mark.parametrize("says, clock", [("1996.25", 1.99625), ("2000", 2.0), ("", 0.0), ("unknown", 0.0)])
def test_the_clock_is_read_where_the_system_tells_it(says, clock, tmp_path, monkeypatch):
    path = tmp_path / "cpuinfo"
    path.write_text(f"vendor_id : Maker\ncpu MHz : {says}\n")
    module = importlib.import_module("griotte.targets.detect")  # the package gives its function that name
    monkeypatch.setattr(module, "_read", lambda asked: path.read_text() if asked.name == "cpuinfo" else "")
    assert detect().clock == pytest.approx(clock) and detect().vendor == "Maker"
