"""What Linux tells of machines with Arm's CPUs, and what `native` is there: the core, its caches, whose prices it
has."""

import importlib
from dataclasses import replace

import pytest
from griotte.machine import best, build, detect, measured
from griotte.machine.architectures import ARCHITECTURES
from griotte.machine.detect import described
from griotte.machine.systems import linux, number
from recorded import ASAHI, CACHES, GRAVITON2, GRAVITON3, GRAVITON4, JUNO, PHONE, RASPBERRY4, RASPBERRY5, cpuinfo

DETECT = importlib.import_module("griotte.machine.detect")  # the package gives its function that name
KIB, MIB = 1 << 10, 1 << 20
NAMED = {"asimd", "asimddp", "i8mm", "bf16"}
EVEN = lambda core: 0.0
PIPES = {"neoverse-n1": 2, "cortex-a76": 2, "neoverse-v1": 4, "neoverse-v2": 4, "apple-m1": 4}


@pytest.fixture(autouse=True)
def nothing_hidden(monkeypatch):
    monkeypatch.delenv("GRIOTTE_CPU", raising=False)


def machine(text, caches, capacity=EVEN, allowed=range(1 << 10)):
    part, _ = linux.of_largest(text, ARCHITECTURES, allowed, capacity)
    return described(part, linux.bytes_of_caches(CACHES[caches]), 4, 4)


@pytest.mark.parametrize("text, caches, name, levels, price, features", [
    (GRAVITON2, "graviton2", "Neoverse N1", (64 * KIB, MIB, 32 * MIB), "neoverse-n1", "asimd asimddp"),
    (GRAVITON3, "graviton2", "Neoverse V1", (64 * KIB, MIB, 32 * MIB), "neoverse-v1", "asimd asimddp i8mm bf16"),
    (GRAVITON4, "graviton4", "Neoverse V2", (64 * KIB, 2 * MIB, 36 * MIB), "neoverse-v2", "asimd asimddp i8mm bf16"),
    (GRAVITON2, "altra", "Neoverse N1", (64 * KIB, MIB), "neoverse-n1", "asimd asimddp"),
    (RASPBERRY4, "raspberry4", "Cortex-A72", (32 * KIB, MIB), "cortex-a76", "asimd"),
    (RASPBERRY5, "raspberry5", "Cortex-A76", (64 * KIB, 512 * KIB, 2 * MIB), "cortex-a76", "asimd asimddp"),
    (ASAHI, "asahi", "Apple M1", (128 * KIB, 12 * MIB), "apple-m1", "asimd asimddp"),
    (PHONE, "none", "Cortex-X1", (32 * KIB, 512 * KIB), "neoverse-v1", "asimd asimddp"),
])  # fmt: skip
def test_native_on_machines_of_arm(text, caches, name, levels, price, features):
    found = machine(text, caches)
    target = build(best(found), found, "native")
    assert (found.name, tuple(found.caches.values()), best(found)) == (name, levels, "neon")
    assert target.features & NAMED == set(features.split()) and target.features <= found.flags
    assert measured.nearest(found, 16).name == price and target.ports.arithmetic == PIPES[price]
    assert [level.name for level in target.levels[1:]] == [*(f"L{n}" for n in range(1, 1 + len(levels))), "memory"]


@pytest.mark.parametrize("caches", ("none", "unsized"))
@pytest.mark.parametrize("text, levels", [
    (RASPBERRY4, (32 * KIB, MIB)),
    (RASPBERRY5, (64 * KIB, 512 * KIB, 2 * MIB)),
    (cpuinfo("fp asimd", ("0x41", "0xfff")), (32 * KIB, 512 * KIB)),  # a core that no one here knows
])  # fmt: skip
def test_where_the_system_tells_no_cache_it_is_as_the_maker_says(text, levels, caches):
    found = machine(text, caches)
    assert tuple(found.caches.values()) == levels and found.assumed == set(found.caches)


def test_a_level_that_is_told_is_the_last_there_is():
    found = described(RASPBERRY5, {2: 256 << 10})
    assert (found.caches, found.assumed) == ({1: 64 << 10, 2: 256 << 10}, {1})
    assert found.holds(3) == 256 << 10


def test_of_several_kinds_of_core_it_is_the_largest():
    weights = {0: 446, 1: 1024, 2: 1024}
    assert linux.of_largest(JUNO, ARCHITECTURES, range(6), lambda core: weights.get(core, 446))[1] == 2
    assert machine(JUNO, "none", lambda core: weights.get(core, 446)).name == "Cortex-A57"
    assert machine(JUNO, "none").name == "Cortex-A53"  # the last, where nothing weighs them


def test_a_process_that_may_use_small_cores_alone_is_planned_for_those():
    assert machine(PHONE, "none", allowed=range(4)).name == "Cortex-A55"
    assert machine(ASAHI, "asahi", allowed={0, 3}).name == "Apple M1, efficiency core"
    assert linux.of_largest(PHONE, ARCHITECTURES, (), EVEN) == (PHONE, 0)


def test_cores_that_are_alike_are_taken_as_one():
    text, core = linux.of_largest(GRAVITON2, ARCHITECTURES, {1, 2}, EVEN)
    assert (text, core) == (GRAVITON2, 0)


def test_a_part_that_no_file_is_of_takes_the_nearest_and_it_is_said():
    found = machine(RASPBERRY4, "raspberry4")
    like = measured.nearest(found, 16)
    assert not like.is_of(found) and not like.is_kin(found)
    assert list(like.apart(found)) == [
        "model 0xd08 for 0xd0b",
        "L1 32 KiB for 64",
        "L2 1024 KiB for 512",
        "L3 none for 2048",
    ]


def test_a_core_that_another_was_made_of_has_its_prices():
    found = machine(PHONE, "none")
    like = measured.nearest(found, 16)
    assert like.is_kin(found) and "model 0xd44 for 0xd40" in list(like.apart(found))


@pytest.mark.parametrize("hostile", [
    "", "\0", "processor : 0\n", "Features : asimd\n" * 3, "CPU part : 0xzz\nCPU implementer : \nFeatures : asimd\n",
    "CPU part\t: 0x\nCPU architecture: AArch64\nFeatures : asimd\n", "processor : 99999999999\nCPU part : 0xd0b\n\n",
])  # fmt: skip
def test_a_text_that_says_little_is_a_machine_all_the_same(hostile):
    found = machine(hostile, "none")
    assert found.caches[1] and found.caches[2] and found.name and found.cpu.model >= 0
    assert build(best(found), found).levels


@pytest.mark.parametrize("word, value", [
    ("0xd0c", 0xD0C), ("207", 207), ("0", 0), ("", 0), ("0x", 0), ("AArch64", 0), ("-1", 0), ("07", 7), ("9" * 30, 0),
    ("\u0663", 0), ("0x-1", 0), ("0x_1", 0),
])  # fmt: skip
def test_numbers_of_a_cpu(word, value):
    assert number(word) == value


@pytest.fixture
def system(tmp_path, monkeypatch):
    """A Linux that tells what is written here."""
    (tmp_path / "cpuinfo").write_text(ASAHI)
    monkeypatch.setattr(linux, "CPUINFO", tmp_path / "cpuinfo")
    monkeypatch.setattr(linux, "CPUS", tmp_path)
    monkeypatch.setattr(linux.os, "sched_getaffinity", lambda process: set(range(8)), raising=False)
    monkeypatch.setattr(DETECT.platform, "machine", lambda: "aarch64")
    monkeypatch.setattr(DETECT.sys, "platform", "linux")
    for core in range(8):
        for index, words in enumerate(CACHES["asahi" if core > 3 else "raspberry4"]):
            folder = tmp_path / f"cpu{core}" / "cache" / f"index{index}"
            folder.mkdir(parents=True)
            for word, value in zip(("type", "size", "level"), words):
                (folder / word).write_text(value + "\n")
        (tmp_path / f"cpu{core}" / "cpu_capacity").write_text("1024\n" if core > 3 else "485\n")
    return tmp_path


def test_capacity_and_caches_are_of_the_same_core(system):
    found = detect()
    assert (found.name, found.cores, found.caches) == ("Apple M1", 8, {1: 128 << 10, 2: 12 << 20})
    (system / "cpu0" / "cpu_capacity").write_text("2048")
    assert detect().caches == {1: 32 << 10, 2: 1 << 20}


def test_without_capacities_clocks_weigh(system):
    for core in range(8):
        (system / f"cpu{core}" / "cpu_capacity").unlink()
        folder = system / f"cpu{core}" / "cpufreq"
        folder.mkdir()
        (folder / "cpuinfo_max_freq").write_text("3204000" if core == 2 else "2064000")
    assert linux.capacity(2) == 3204000 and linux.capacity(9) == 0
    assert detect().name == "Apple M1, efficiency core"


def given(monkeypatch, *names):
    """The features that the system tells a process of Arm when it starts."""
    told = [
        replace(each, features=replace(each.features, given=lambda: frozenset(names))) if each.name == "arm" else each
        for each in ARCHITECTURES
    ]
    monkeypatch.setattr(DETECT, "ARCHITECTURES", tuple(told))


def test_an_emulated_process_is_not_taken_for_the_machine_around_it(system, monkeypatch):
    """An emulator of processes shows the /proc/cpuinfo of the machine that it runs on."""
    (system / "cpuinfo").write_text(
        "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 207\nflags : avx avx2 fma f16c\n"
    )
    given(monkeypatch, "asimd", "asimddp")
    found = detect()
    assert (found.flags, best(found), found.cpu.vendor) == ({"asimd", "asimddp"}, "neon", "")
    assert measured.nearest(found, 16).served.architecture == "arm"


@pytest.mark.parametrize("number, name", [
    ("0x00000000414fd0c1", "Neoverse N1"), ("0x00000000611f0231", "Apple M1"), ("", "unknown CPU"),
])  # fmt: skip
def test_a_core_is_named_by_its_own_number_where_cpuinfo_has_none(system, monkeypatch, number, name):
    (system / "cpuinfo").write_text("vendor_id : GenuineIntel\nflags : avx avx2 fma f16c\n")
    folder = system / "cpu0" / "regs" / "identification"
    folder.mkdir(parents=True)
    (folder / "midr_el1").write_text(f"{number}\n")
    given(monkeypatch, "asimd")
    assert detect().name == name


def test_what_cpuinfo_says_goes_before_what_the_process_is_told(system, monkeypatch):
    given(monkeypatch, "bf16")
    assert "bf16" not in detect().flags


def test_a_process_of_32_bits_has_no_features(system, monkeypatch):
    monkeypatch.setattr(DETECT.sys, "maxsize", (1 << 31) - 1)
    assert best(detect()) == "portable" and detect().name == "Apple M1"
