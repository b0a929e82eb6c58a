"""What macOS tells of Macs, and what `native` is there."""

import importlib
import subprocess

import pytest
from griotte.machine import best, build, detect, measured
from griotte.machine.architectures import ARCHITECTURES, by_name
from griotte.machine.systems import macos
from recorded import MAC_INTEL, mac

ARM, X86 = (by_name("arm"),), (by_name("x86"),)


@pytest.fixture
def on(monkeypatch):
    """This machine is a Mac that answers so."""

    def put(answer, machine="arm64"):
        monkeypatch.delenv("GRIOTTE_CPU", raising=False)
        module = importlib.import_module("griotte.machine.detect")  # the package gives its function that name
        monkeypatch.setattr(module.sys, "platform", "darwin")
        monkeypatch.setattr(module.platform, "machine", lambda: machine)
        monkeypatch.setattr(macos, "_answer", lambda: answer)
        return detect()

    return put


@pytest.mark.parametrize("brand, l2, new, model", [
    ("Apple M1", 12 << 20, 0, 0x023),
    ("Apple M1 Max", 12 << 20, 0, 0x029),
    ("Apple M1 Ultra", 12 << 20, 0, 0x029),
    ("Apple M2", 16 << 20, 1, 0x033),
    ("Apple M9 Pro", 24 << 20, 1, 0),  # none that anyone here knows
])  # fmt: skip
def test_native_on_a_mac_is_its_performance_cores(on, brand, l2, new, model):
    found = on(mac(brand, l2, new))
    target = build(best(found), found, "native")
    assert (found.name, found.cpu, found.cores, found.cpus) == (brand, ("0x61", 8, model), 4, 8)
    assert (found.caches, found.assumed) == ({1: 128 << 10, 2: l2}, set())
    assert target.features == {"asimd", "asimdhp", "asimddp", "asimdfhm"} | ({"i8mm", "bf16"} if new else set())
    assert measured.nearest(found, 16).name == "apple-m1"
    assert [level.name for level in target.levels] == ["registers", "L1", "L2", "memory"]


def test_a_mac_with_an_intel_cpu(on):
    found = on(MAC_INTEL, "x86_64")
    assert (found.cpu, found.cores, found.cpus, found.clock) == (("GenuineIntel", 6, 142), 8, 8, 2.3)
    assert found.caches == {1: 32 << 10, 2: 256 << 10, 3: 6 << 20} and best(found) == "avx2"


def test_a_process_that_is_translated_is_of_the_cpu_that_it_is_translated_for(on):
    """Rosetta's: the system has features of Arm, which no such process may use."""
    assert best(on(mac("VirtualApple @ 2.50GHz"), "x86_64")) == "portable"


@pytest.mark.parametrize("answer", ["", "hw.ncpu: \n", "hw.ncpu: x\nhw.perflevel0.l2cachesize: -1\n", "\0: 1", "hw: "])
def test_a_mac_that_says_little_is_a_machine_all_the_same(on, answer):
    found = on(answer)
    assert best(found) == "portable" and found.cores == 1 and found.assumed == set(found.caches) == {1, 2}
    assert build("portable", found).levels


@pytest.mark.parametrize("error", [FileNotFoundError(), subprocess.TimeoutExpired("sysctl", 10)])
def test_where_sysctl_does_not_run_nothing_is_known(monkeypatch, error):
    def fails(*words, **options):
        raise error

    macos._answer.cache_clear()
    monkeypatch.setattr(macos.subprocess, "run", fails)
    assert macos.asked(ARM).flags == set() and macos.asked(ARCHITECTURES).cores == 1
    macos._answer.cache_clear()


def test_the_cores_that_are_told_are_those_of_the_highest_performance():
    told = macos.told(mac("Apple M1"), ARM)
    assert told.caches[1] == 128 << 10 and told.cores == 4
    assert macos.told(mac("Apple M1").replace("hw.perflevel", "hw.other"), ARM).caches == {1: 64 << 10, 2: 4 << 20}
    assert macos.told(MAC_INTEL, X86).flags == {"avx", "avx2", "fma", "f16c"}
