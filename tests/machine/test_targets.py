"""Targets are data: what holds for each of them, and that nothing outside their room names an instruction set."""

import re
from dataclasses import replace
from pathlib import Path

import griotte
import pytest
from griotte.machine import NAMES, Machine, best, detect, named, resolve
from griotte.machine.architectures import by_name
from griotte.support.errors import TargetError

SOURCE = Path(griotte.__file__).parent
# Where names of targets are shown to a person.
SHOWN = {
    "models/entry.py",
    "tools/commands/options.py",
    "compiler/scheduling.py",
    "support/errors.py",
    "compiler/synthesis.py",
}


def test_nothing_outside_targets_names_an_instruction_set():
    """But as a class of targets, for each of which a function declares what it costs: slots(9, avx2=1)."""
    naming = re.compile(r"avx|_mm\d+_|vnni|immintrin|\bneon\b|asimd", re.IGNORECASE)
    cost = re.compile(r"\bavx(2|512)\"?[=:]")
    files = (p.relative_to(SOURCE) for p in SOURCE.rglob("*.py"))
    text = lambda p: cost.sub("", (SOURCE / p).read_text()) if "functions" in p.parts else (SOURCE / p).read_text()
    found = [str(p) for p in files if p.parts[0] != "machine" and str(p) not in SHOWN and naming.search(text(p))]
    assert found == []


def test_no_maker_is_named_in_code():
    """What differs between makers is in files of machines."""
    naming = re.compile(r"AuthenticAMD|GenuineIntel")
    assert [str(p.relative_to(SOURCE)) for p in SOURCE.rglob("*.py") if naming.search(p.read_text())] == []


def test_search_names_no_operation():
    naming = re.compile(r"\bmatmul\b|\bconv2d\b|\bsoftmax\b")
    assert [p.name for p in (SOURCE / "engine/search").glob("*.py") if naming.search(p.read_text())] == []


@pytest.mark.parametrize("name", NAMES)
def test_levels_rise_and_every_coefficient_is_there(name):
    target = named(name)
    capacities = [level.capacity for level in target.levels[1:-1]]
    assert capacities == sorted(capacities) and target.levels[-1].capacity is None
    assert {f"{what}.{level.name}" for what in ("line", "run") for level in target.levels[1:]} <= set(
        target.coefficient
    )
    assert {"cycles", "call", "loop", "fork", "pages"} <= set(target.coefficient)


def test_clang_is_told_to_use_wide_vectors():
    assert "-mprefer-vector-width=512" in named("avx512").flags  # it splits 64-byte vectors in two when left alone


def test_native_is_the_widest_that_the_flags_allow():
    machine = lambda *flags: Machine(frozenset(flags), {}, 1, "")
    assert best(machine()) == "portable"
    assert best(machine("avx", "avx2", "fma", "f16c")) == "avx2"
    assert best(machine("asimd")) == "neon"
    assert best(machine(*by_name("x86").features.names)) == "avx512"


def test_an_unknown_target_says_what_there_is():
    with pytest.raises(TargetError, match="expected a target .*portable.*found 'mips'"):
        resolve("mips")
    with pytest.raises(TargetError, match="expected a target .*portable.*found None"):
        resolve(None)


def test_detection_reads_caches():
    assert detect().caches[1] < detect().caches[2] <= detect().caches[3]


@pytest.mark.parametrize("kib, ways", [(32, 8), (48, 8), (64, 16), (2, 1)])
def test_a_set_of_the_nearest_cache_holds_as_many_lines_as_it_has_pages(kib, ways):
    target = named("avx512")
    near = replace(target.levels[1], capacity=kib << 10)
    assert replace(target, levels=(target.levels[0], near, *target.levels[2:])).ways == ways


@pytest.mark.parametrize("name", NAMES)
def test_a_brief_target_is_the_same_machine(name):
    target = named(name)
    assert target.brief != target and replace(target.brief, writing=target.writing) == target
    assert target.narrowed.writing == target.brief.writing
