"""Which probes are run, on how much; and that each has its C."""

import mmap
import re
from dataclasses import replace

import pytest
from features import having
from griotte.machine.architectures import ARCHITECTURES
from griotte.machine.machine import PARAMETERS
from griotte.runtime.calibrate import probes, source
from machines import machine


def test_the_probes_named_are_there():
    target = machine("avx512")
    levels = tuple(replace(level, share=0.0) if level.name == "L3" else level for level in target.levels)
    target = replace(target, levels=levels, largest_cache=64 << 20)
    names = {probe.name for probe in (*probes.probes(target, 2), *probes.curve_probes(target))}
    names |= {"curve.1"}  # of a machine with less of L2
    for parameter in PARAMETERS:
        assert any(name == parameter.probe or name.startswith(f"{parameter.probe}.") for name in names), parameter


@pytest.mark.parametrize("name", ["avx512", "avx2", "portable"])
def test_working_sets_lie_between_the_capacities(name):
    target = machine(name)
    sets, levels = probes.working_sets(target), {level.name: level.capacity for level in target.levels[1:-1]}
    assert list(sets) == ["L1", "L2", "L3", "memory"]
    assert (
        sets["L1"]
        < levels["L1"]
        < sets["L2"]
        < levels["L2"]
        < sets["L3"]
        < levels["L3"]
        < sets["memory"]
        <= probes.MOST
    )
    assert all(count % 4096 == 0 for count in sets.values()) and probes.room(target) >= max(sets.values())


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["avx512", "avx2", "portable"])
def test_every_probe_has_its_c_and_is_declared(name, threads):
    target = machine(name)
    written = set(re.findall(r"^double (\w+)\(", source.source(target, threads), re.MULTILINE))
    declared = set(re.findall(r"^double (\w+)\(", source.header(threads), re.MULTILINE))
    many = (*probes.probes(target, threads), *probes.capacity_probes(target), *probes.curve_probes(target))
    asked = {probe.function for probe in many} | {"curve"}
    assert written == declared == asked | {"warmth"}


@pytest.mark.parametrize(
    "name, sums, pairs", [("avx512", 24, 14), ("neon", 24, 14), ("avx2", 12, 7), ("portable", 12, 7)]
)
def test_as_many_sums_are_held_as_registers_are_not_short_of(name, sums, pairs):
    target = having(name, frozenset())
    said = dict(re.findall(r"^#define (\w+)(?:\(X\))? (.*)$", source.numbers(target), re.MULTILINE))
    assert (said["AT_ONCE"], said["PAIRS_AT_ONCE"]) == (str(sums), str(pairs)) and sums < target.registers
    assert said["EACH_SUM"].split() == [f"X({j})" for j in range(sums)] and len(said["EACH_PAIR"].split()) == pairs
    assert said["SYSTEM_PAGE"] == str(mmap.PAGESIZE) and said["BYTES"] == str(target.vector_bytes)


def test_a_value_is_kept_in_a_register_of_each_architecture():
    """Which register that is stands with the architecture."""
    assert source.KEEP.count("#define KEEP(v)") == 1 + len(ARCHITECTURES)
    assert all(
        f"#{word} {each.compiled.condition}\n" in source.KEEP for word, each in zip(("if", "elif"), ARCHITECTURES)
    )


def test_a_cache_that_is_planned_with_is_taken_whole():
    assert probes.shared(machine("avx512")) is None
