"""Cores of Arm by their numbers."""

import pytest
from griotte.machine import measured
from griotte.machine.architecture import Cpu
from griotte.machine.arm import parts


def test_every_file_of_arm_is_of_a_core_that_has_a_name_and_these_caches():
    files = [each for each in measured.known() if each.served.architecture == "arm"]
    assert {each.name for each in files} == {"neoverse-n1", "neoverse-v1", "neoverse-v2", "cortex-a76", "apple-m1"}
    for each in files:
        assert parts.name(each.cpu).lower().replace(" ", "-") == each.name
        assert parts.caches(each.cpu, {}) == each.caches and each.by_hand and "not run" in each.source


def test_no_core_is_of_two_files():
    kin = [each for found in measured.known() for each in found.served.kin]
    own = {(each.cpu.vendor, each.cpu.model) for each in measured.known()}
    assert len(set(kin)) == len(kin) and not own & set(kin)


@pytest.mark.parametrize("told, found", [
    ({}, {1: 64, 2: 512, 3: 2048}),
    ({1: 32}, {1: 32}),
    ({2: 256}, {1: 64, 2: 256}),
    ({3: 4096}, {1: 64, 2: 512, 3: 4096}),
])  # fmt: skip
def test_what_the_system_tells_goes_before_what_the_maker_says(told, found):
    assert parts.caches(Cpu(parts.ARM, 8, 0xD0B), told) == {
        level: size << 10 if level not in told else size for level, size in found.items()
    }


@pytest.mark.parametrize("brand, cpu", [
    ("Apple M1", (parts.APPLE, 8, 0x023)),
    ("Apple M2 Ultra", (parts.APPLE, 8, 0x039)),
    ("Apple M99", (parts.APPLE, 8, 0)),
    ("Intel(R) Xeon(R)", ("", 0, 0)),
    ("", ("", 0, 0)),
])  # fmt: skip
def test_a_brand_stands_for_a_core(brand, cpu):
    assert parts.branded(brand) == cpu


def test_a_core_that_no_one_knows_has_no_name():
    assert parts.name(Cpu(parts.ARM, 8, 0)) == "" and parts.name(Cpu()) == ""
